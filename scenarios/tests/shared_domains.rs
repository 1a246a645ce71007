//! The readers against the public domains of the ANAC competitions, where that folder is present.

use std::path::PathBuf;
use zopa_scenarios::{Analysis, read_domain};

/// The folder with the shared domains; a fresh machine has only the repository.
fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/genius");
    let found = folder.join("expected.json").is_file();
    if !found {
        println!("skipped: {} is absent", folder.display());
    }
    found.then_some(folder)
}

#[test]
fn additive_domains_have_the_expected_solution_points() {
    let Some(folder) = shared() else { return };
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(expected.len(), 17);
    for (name, expected) in expected {
        let domain = read_domain(&folder.join(&name), None).unwrap();
        let analysis = Analysis::of_domain(&domain).unwrap();
        let near = |field: &str, found: [f64; 2]| {
            let wanted: [f64; 2] = serde_json::from_value(expected[field].clone()).unwrap();
            let apart = (wanted[0] - found[0]).abs().max((wanted[1] - found[1]).abs());
            assert!(apart <= 1e-6, "{name}: {field} is {found:?}, not {wanted:?}");
        };
        assert_eq!(expected["outcomes"], serde_json::to_value(analysis.outcomes).unwrap(), "{name}");
        assert_eq!(expected["pareto"], analysis.pareto, "{name}");
        near("max", analysis.max);
        near("reservation", analysis.reservation);
        near("discount", [0, 1].map(|side| domain.profiles[side].discount));
        near("nash", analysis.nash.unwrap());
        near("ks", analysis.kalai_smorodinsky.unwrap());
        near("kalai_egalitarian", analysis.egalitarian.unwrap());
        assert!((analysis.welfare.unwrap() - expected["welfare"].as_f64().unwrap()).abs() <= 1e-6, "{name}");
        let names: Vec<String> = serde_json::from_value(expected["profiles"].clone()).unwrap();
        assert_eq!(analysis.profiles.map(|name| format!("{name}.xml")).to_vec(), names);
        assert_eq!(analysis.estimate, None);
    }
}

#[test]
fn a_non_linear_domain_too_large_to_enumerate_has_its_published_frontier_found() {
    let Some(folder) = shared() else { return };
    let domain = read_domain(&folder.join("2014-10issues"), None).unwrap();
    assert_eq!(domain.space.size(), 10_u128.pow(10));
    assert_eq!(domain.notices, ["passed over stray file pareto.xml"]);
    assert!(domain.types()[0].order.is_none());
    let analysis = Analysis::of_domain(&domain).unwrap();
    assert!(analysis.estimate.is_some());
    // The stray file is the organisers' list of the frontier: ten points.
    let list = std::fs::read_to_string(folder.join("2014-10issues/pareto.xml")).unwrap();
    assert_eq!(analysis.pareto, list.lines().filter(|line| !line.trim().is_empty()).count());
    assert!(analysis.max.iter().all(|max| (max - 1.0).abs() < 1e-9));
    let [first, second] = analysis.nash.unwrap();
    assert!((first - 0.7583082).abs() < 1e-6 && (second - 0.91638416).abs() < 1e-6, "{first} {second}");
}

//! The readers against the public domains of the ANAC competitions, where that folder is present.

use std::path::PathBuf;
use zopa_envs::solution::SolutionPoints;
use zopa_scenarios::read_domain;

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
        let pairs: Vec<[f64; 2]> =
            domain.space.outcomes().map(|offer| [0, 1].map(|side| domain.profiles[side].utility.of(&offer))).collect();
        let points = SolutionPoints::of(&pairs, [0, 1].map(|side| domain.profiles[side].reservation)).unwrap();
        let near = |field: &str, found: [f64; 2]| {
            let wanted: [f64; 2] = serde_json::from_value(expected[field].clone()).unwrap();
            let apart = (wanted[0] - found[0]).abs().max((wanted[1] - found[1]).abs());
            assert!(apart <= 1e-6, "{name}: {field} is {found:?}, not {wanted:?}");
        };
        assert_eq!(expected["outcomes"], points.outcomes, "{name}");
        assert_eq!(expected["pareto"], points.frontier.len(), "{name}");
        near("max", points.max);
        near("reservation", points.disagreement);
        near("discount", [0, 1].map(|side| domain.profiles[side].discount));
        near("nash", points.nash.unwrap().utilities);
        near("ks", points.kalai_smorodinsky.unwrap().utilities);
        near("kalai_egalitarian", points.egalitarian.unwrap().utilities);
        let welfare = expected["welfare"].as_f64().unwrap();
        assert!((points.welfare().unwrap() - welfare).abs() <= 1e-6, "{name}");
        let names: Vec<String> = serde_json::from_value(expected["profiles"].clone()).unwrap();
        assert_eq!([0, 1].map(|side| format!("{}.xml", domain.profiles[side].name)).to_vec(), names);
    }
}

#[test]
fn a_non_linear_domain_too_large_to_enumerate_is_read_past_its_stray_file() {
    let Some(folder) = shared() else { return };
    let domain = read_domain(&folder.join("2014-10issues"), None).unwrap();
    assert_eq!(domain.space.size(), 10_u128.pow(10));
    assert_eq!(domain.notices, ["passed over stray file pareto.xml"]);
    // The folder's own list of frontier points ends where each side has its best.
    for (side, own_best) in [(0, 0.67824775), (1, 0.5943503)] {
        let [own, other] = [side, 1 - side].map(|side| &domain.profiles[side].utility);
        let best = own.best(&domain.space, |_, _| true).unwrap();
        assert!((own.of(&best) - 1.0).abs() < 1e-9, "{}", own.of(&best));
        println!("{} {own_best}", other.of(&best));
    }
    assert!(domain.types()[0].order.is_none());
}

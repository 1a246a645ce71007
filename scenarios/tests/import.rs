//! The readers against fixtures of the project's own, with values worked out by hand.

use std::path::PathBuf;
use std::sync::Arc;
use zopa_envs::tactic::{Selection, TimeDependent};
use zopa_envs::{Caps, Grid, Negotiation, Offer, ScenarioSource, Seat, StreamKey, Tactic};
use zopa_scenarios::import::{DomainFile, OutcomeCount, read_domain_files};
use zopa_scenarios::{Analysis, Domain, DomainGame, SourceOptions, Suite, SuiteSource, read_domain, render};

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import").join(name)
}

fn files(name: &str) -> Vec<DomainFile> {
    let mut files: Vec<DomainFile> = std::fs::read_dir(folder(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| DomainFile {
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            bytes: std::fs::read(&path).unwrap().into(),
        })
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// Reads a fixture and compares notices and, for some outcomes, both utilities.
fn check(name: &str, notices: &[&str], outcomes: &[(&[u32], [f64; 2])]) -> Domain {
    let domain = read_domain(&folder(name), None).unwrap();
    assert_eq!(&*domain.name, name);
    assert_eq!(domain.notices, notices);
    for (indices, expected) in outcomes {
        let found = [0, 1].map(|side| domain.profiles[side].utility.of(&Offer::new(indices)));
        let apart = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
        assert!(apart < 1e-12, "{name} {indices:?}: {found:?}, not {expected:?}");
    }
    domain
}

/// The message where `from` in one file of a fixture is replaced by `to`.
fn refused(name: &str, file: &str, from: &str, to: &str) -> String {
    let mut files = files(name);
    let edited = files.iter_mut().find(|there| there.name == file).unwrap();
    let text = String::from_utf8_lossy(&edited.bytes).into_owned();
    assert!(text.contains(from), "{file} has no {from}");
    edited.bytes = text.replacen(from, to, 1).into_bytes().into();
    read_domain_files(name, &files, None).unwrap_err().to_string()
}

#[test]
fn an_additive_genius_domain_has_its_values_points_and_notices() {
    let notices =
        ["passed over stray file notes.txt", "3 profiles, took the first two in byte order: buyer.xml, seller.xml"];
    let outcomes: [(&[u32], _); 4] =
        [(&[0, 0], [0.7, 0.375]), (&[0, 1], [1.0, 0.625]), (&[1, 0], [0.4, 0.75]), (&[1, 1], [0.7, 1.0])];
    let domain = check("market", &notices, &outcomes);
    assert_eq!(domain.space.text(&Offer::new(&[1, 1])), "Size large, Colour blue & white");
    assert_eq!([0, 1].map(|side| domain.profiles[side].reservation), [0.2, 0.3]);
    assert_eq!([0, 1].map(|side| domain.profiles[side].discount), [1.0, 0.9]);
    let names: Vec<&str> = domain.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["buyer.xml", "domain.xml", "seller.xml"]);
    let analysis = Analysis::of_domain(&domain).unwrap();
    let text = serde_json::to_string_pretty(&analysis).unwrap();
    insta::assert_snapshot!(text, @r#"
    {
      "outcomes": 4,
      "pareto": 2,
      "nash": [
        0.7,
        1.0
      ],
      "nash_set": [
        [
          0.7,
          1.0
        ]
      ],
      "kalai_smorodinsky": [
        0.7,
        1.0
      ],
      "egalitarian": [
        0.7,
        1.0
      ],
      "welfare": 1.7,
      "max": [
        1.0,
        1.0
      ],
      "reservation": [
        0.2,
        0.3
      ],
      "profiles": [
        "buyer",
        "seller"
      ],
      "estimate": null
    }
    "#);
}

#[test]
fn profiles_are_chosen_by_name_and_the_first_sits_as_buyer() {
    let domain = read_domain(&folder("market"), Some(["third", "buyer.xml"])).unwrap();
    assert_eq!([0, 1].map(|side| domain.profiles[side].name.to_string()), ["third", "buyer"]);
    assert_eq!(domain.notices, ["passed over stray file notes.txt"]);
    let swapped = read_domain(&folder("market"), Some(["buyer", "third"])).unwrap();
    assert_ne!(domain.digest(), swapped.digest());
    assert_eq!(domain.digest(), read_domain_files("market", &domain.files, Some(["third", "buyer"])).unwrap().digest());
}

#[test]
fn nested_objectives_number_issues_and_encodings_are_read_as_genius_means_them() {
    let notices = [
        "b.xml is no UTF-8 and declares no encoding: read as Latin-1",
        "issue \"share\" is real: 0 to 1 in 20 equal steps",
    ];
    // First side: 0.5 finish + 0.3 (1 - 0.25 (days - 10)) + 0.2 triangle; second: 0.5 finish + 0.3 * 0.5 + 0.2 (0.2 + share).
    let outcomes: [(&[u32], _); 3] = [
        (&[0, 0, 10], [1.0, 0.25 + 0.15 + 0.2 * 0.7]),
        (&[1, 2, 5], [0.125 + 0.15 + 0.1, 0.5 + 0.15 + 0.2 * 0.45]),
        (&[1, 4, 20], [0.125, 0.5 + 0.15 + 0.2]),
    ];
    let domain = check("nested", &notices, &outcomes);
    assert_eq!(domain.space.text(&Offer::new(&[1, 2, 5])), "Ausführung üblich, days 12, share 0.25");
    assert_eq!(domain.space.issues()[1].grid, Grid::Integers { first: 10, step: 1, count: 5 });
}

#[test]
fn constraints_pay_inside_or_outside_their_region_and_are_cut_off_at_one() {
    let outcomes: [(&[u32], _); 4] =
        [(&[0, 0], [1.0, 0.0]), (&[3, 3], [0.1, 0.625]), (&[2, 4], [0.7, 1.0]), (&[4, 0], [0.5, 0.0])];
    let domain = check("regions", &[], &outcomes);
    let best = |side: usize| domain.profiles[side].utility.best(&domain.space, |_, _| true).unwrap();
    assert_eq!([0, 1].map(|side| domain.profiles[side].utility.of(&best(side))), [1.0, 1.0]);
}

#[test]
fn geniusweb_profiles_hold_their_domain() {
    let outcomes: [(&[u32], _); 2] = [(&[0, 0], [0.4 + 0.6, 0.0]), (&[1, 2], [0.2 + 0.6 * 0.5, 0.5 + 0.5 * 0.6])];
    let domain = check("web", &[], &outcomes);
    assert_eq!(domain.space.text(&Offer::new(&[1, 2])), "finish café & bar, price 202");
    assert!((domain.profiles[0].reservation - 0.55).abs() < 1e-12);
    assert_eq!(domain.profiles[1].reservation, 0.0);
}

#[test]
fn negmas_folders_are_read_in_yaml_and_in_json() {
    let notices = [
        "passed over stray file _info.yml",
        "second.yml: no deal is worse than any (reserved_value -.inf): the lowest utility stands for it",
    ];
    let outcomes: [(&[u32], _); 2] = [
        (&[0, 0, 0], [0.25 + 0.125 + 0.25, -0.25 + 0.125 + 0.1]),
        (&[2, 1, 1], [0.5 + 0.25 + 0.125, -0.75 + 0.125 + 0.2]),
    ];
    let domain = check("mas-yaml", &notices, &outcomes);
    assert_eq!([0, 1].map(|side| domain.profiles[side].discount), [1.0, 0.8]);
    assert_eq!(domain.profiles[0].reservation, 0.25);
    assert!((domain.profiles[1].reservation - -0.525).abs() < 1e-12);
    let notices = [
        "issue \"b\" is real: 0 to 2 in 20 equal steps",
        "u1.json: no deal is worse than any (reserved_value -.inf): the lowest utility stands for it",
    ];
    // NegMAS's ranges do not hold their ends: neither a = 0 nor b = 0.3 (its fourth step) is paid for.
    let outcomes: [(&[u32], _); 4] =
        [(&[0, 0], [0.5, 1.0]), (&[2, 2], [2.4, 4.0]), (&[1, 20], [0.5, 3.0]), (&[0, 3], [0.35, 0.0])];
    check("mas-json", &notices, &outcomes);
}

#[test]
fn what_is_wrong_is_told_with_file_line_and_field() {
    let messages = [
        refused("market", "buyer.xml", "<weight index=\"1\" value=\"0.6\"/>", "<weight index=\"1\" value=\"heavy\"/>"),
        refused("market", "buyer.xml", "value=\"0.6\"", "value=\"NaN\""),
        refused("market", "buyer.xml", "value=\"0.6\"", "value=\"-0.6\""),
        refused("market", "buyer.xml", "evaluation=\"4\"", "evaluation=\"inf\""),
        refused("market", "buyer.xml", "value=\"dark red\"", "value=\"dark green\""),
        refused("market", "buyer.xml", "name=\"Size\"", "name=\"Weight\""),
        refused("market", "buyer.xml", "      <item index=\"2\" value=\"large\" evaluation=\"5\"/>\n", ""),
        refused("market", "seller.xml", "value=\"0.9\"", "value=\"1.9\""),
        refused("market", "seller.xml", "</utility_space>", ""),
        refused("market", "domain.xml", "\"large\"", "\"small\""),
        refused("market", "third.xml", "<utility_space>", "<utility_space"),
        refused("market", "domain.xml", "negotiation_template", "template"),
        refused("nested", "a.xml", "triangular", "faratin"),
        refused("regions", "two.xml", "aggregation=\"sum\"", "aggregation=\"max\""),
        refused("regions", "two.xml", "index=\"1\" min", "index=\"7\" min"),
        refused("web", "p1.json", "\"lowUtility\": 1", "\"lowUtility\": NaN"),
        refused("web", "p1.json", "\"price\": 0.6", "\"price\": -0.6"),
        refused("web", "p2.json", "\"values\": [\"plain\"", "\"values\": [\"fancy\""),
        refused("web", "p2.json", "\"issueWeights\": {", "\"issueWeights\": "),
        refused("mas-yaml", "first.yml", "- 0.25\n- 0.25", "- 0.25"),
        refused("mas-yaml", "first.yml", "AffineFun", "LambdaFun"),
        refused("mas-yaml", "first.yml", "plain: 0.5", "fancy: 0.5"),
        refused("mas-yaml", "first.yml", "- 0.5\n", "- .nan\n"),
        refused("mas-yaml", "shop.yml", "  - 1\n  - 3\n", "  - 3\n  - 1\n"),
        refused("mas-yaml", "shop.yml", "- name: finish", "- name: [finish"),
        refused("mas-json", "u1.json", "AffineUtilityFunction", "MappingUtilityFunction"),
        read_domain(&folder("market"), Some(["buyer", "sellr"]))
            .unwrap_err()
            .to_string()
            .replace(&folder("market").display().to_string(), "market"),
        read_domain_files("market", &files("market")[..2], None).unwrap_err().to_string(),
        read_domain_files("market", &[], None).unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    buyer.xml:3: weight 1, value: "heavy" is no finite number: write one such as 0.25
    buyer.xml:3: weight 1, value: "NaN" is no finite number: write one such as 0.25
    buyer.xml:3: weight 1: -0.6 is negative: weights are 0 or more
    buyer.xml:11: issue "Colour", value "blue & white", evaluation: "inf" is no finite number: write one such as 0.25
    buyer.xml:10: issue "Colour", value "dark green": is not in the domain: this profile belongs to another domain, or the value is misspelt
    buyer.xml:5: issue "Weight": is not in the domain: this profile belongs to another domain, or the name is misspelt
    buyer.xml:5: issue "Size", value "large": is in the domain but not in this profile
    seller.xml:14: discount_factor: 1.9 lies outside 0 to 1
    seller.xml:17:1: no well-formed XML: the root node was opened but never closed
    domain.xml:4: issue "Size": value "small" is there twice: the values of an issue must differ
    third.xml:2:3: no well-formed XML: invalid name token
    domain.xml:14:1: no well-formed XML: expected 'template' tag, not 'negotiation_template'
    a.xml:13: issue "share", ftype: "faratin" is not known: linear, constant or triangular
    two.xml:6: ufun, aggregation: "max" is not known: only constraints that add up (sum) are read
    two.xml:7: hyperRectangle 1, index: there is no issue with index 7
    p1.json:13: LinearAdditiveUtilitySpace.issueUtilities.price.numberutils.lowUtility: "NaN" is no finite number: write one such as 0.25
    p1.json:15: LinearAdditiveUtilitySpace.issueWeights.price: weight -0.6 is negative: weights are 0 or more
    p2.json:4: LinearAdditiveUtilitySpace.domain: issue "finish" has no value "plain": both profiles must belong to one domain
    p2.json:15:29: no well-formed JSON: unexpected ':', ',' or '}' is missing
    first.yml:20: weights: has 2 entries for 3 issues: does it belong to another domain?
    first.yml:7: values.[0]: is code, which is never run: write the values as a TableFun
    first.yml:12: values.[1].mapping."fancy": is no value of issue "finish": this profile belongs to another domain, or it is misspelt
    first.yml:20: weights.[0]: ".nan" is no finite number: write one such as 0.25
    shop.yml:5: issues.[0].values: 3 to 1 holds none or more than 1000000 integers
    shop.yml:8:7: no well-formed YAML: illegal placement of ':' indicator
    u1.json:1: document: type "MappingUtilityFunction" is not known: LinearAdditiveUtilityFunction, LinearUtilityFunction, AffineUtilityFunction, ConstUtilityFunction, HyperRectangleUtilityFunction or ExpDiscountedUFun around one of them
    market: no profile "sellr" (did you mean "seller.xml"?); there are: buyer.xml, seller.xml, third.xml
    market: only one of the two profiles that a negotiation needs (buyer.xml)
    market: no domain file: a GENIUS negotiation_template, a GeniusWeb profile or a NegMAS outcome space is needed
    "#);
}

fn conceding(exponent: f64) -> Tactic {
    Tactic::TimeDependent(TimeDependent { exponent, initial: 1.0, last: 0.0, selection: Selection::default() })
}

/// Plays a boulware tactic against a conceder and gives the agreement's gains, buyer first.
fn played(domain: &Domain) -> Option<[f64; 2]> {
    let mut negotiation = Negotiation::new(domain.scenario(100), [false; 2]);
    let mut tactics = [conceding(TimeDependent::BOULWARE), conceding(TimeDependent::CONCEDER)];
    let mut streams = [0, 1].map(|seat| StreamKey::new("test", &[]).lazy(seat));
    while negotiation.outcome().is_none() {
        let seat = negotiation.turn();
        let action = tactics[seat.index()].act(&negotiation.view(seat), &mut streams[seat.index()]);
        negotiation.submit(action, None, None);
    }
    let agreement = negotiation.outcome()?.agreement()?.clone();
    Some(negotiation.scenario().types.each_ref().map(|party| party.gain(&agreement)))
}

fn source(domain: &Domain, game: &DomainGame) -> SuiteSource {
    let suite = Suite::parse("imported.toml", &domain.suite_text(game).unwrap()).unwrap();
    Arc::new(suite).source(&SourceOptions { seed: Some(3), ..SourceOptions::default() }).unwrap()
}

#[test]
fn a_suite_file_holds_each_domain_bit_for_bit() {
    for name in ["market", "nested", "regions", "web", "mas-yaml", "mas-json"] {
        let domain = read_domain(&folder(name), None).unwrap();
        let source = source(&domain, &DomainGame::default());
        let scenario = source.scenario(0);
        assert_eq!(scenario.public.space, domain.space, "{name}");
        assert_eq!(scenario.types, domain.types(), "{name}");
        assert_eq!(scenario.public.discount, [0, 1].map(|side| domain.profiles[side].discount), "{name}");
        let spec = source.suite().file().domain.as_ref().unwrap();
        assert_eq!(spec.digest, domain.digest().to_string());
    }
}

#[test]
fn guardrails_are_off_unless_they_are_asked_for() {
    let domain = read_domain(&folder("market"), None).unwrap();
    let caps = |game| source(&domain, &game).scenario(0).public.guardrails;
    assert_eq!(caps(DomainGame::default()), None);
    let asked = DomainGame { guardrails: Some(Caps::default()), ..DomainGame::default() };
    assert_eq!(caps(asked), Some(Caps::default()));
}

#[test]
fn a_domain_table_that_makes_no_sense_is_told_with_line_and_field() {
    let domain = read_domain(&folder("regions"), None).unwrap();
    let text = domain.suite_text(&DomainGame::default()).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in\n{text}");
        let error = Suite::parse("a.toml", &text.replacen(from, to, 1)).unwrap_err().to_string();
        error.split_once(": ").unwrap().1.to_owned()
    };
    let messages = [
        refused("disagreement = 0.0", "disagreement = nan"),
        refused("spans = [[0", "spans = [[7"),
        refused("[splits.domain]", "[difficulty]\ncutoffs = [0.1, 0.2, 0.3, 0.4]\n[splits.domain]"),
        refused("[splits.domain]", "[division]\nitems = [\"a\"]\nfewest = 1\nmost = 1\ntotal = 1\n[splits.domain]"),
        refused("name = \"i2\"", "name = \"i1\""),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn both_seats_are_played_and_only_the_opener_is_drawn() {
    let domain = read_domain(&folder("market"), None).unwrap();
    let source = source(&domain, &DomainGame::default());
    let openers: Vec<Seat> = (0..40).map(|index| source.scenario(2 * index).public.opener).collect();
    assert!(openers.contains(&Seat::Buyer) && openers.contains(&Seat::Supplier));
    for index in 0..6 {
        let scenario = source.scenario(index);
        assert_eq!(scenario.seat, Seat::BOTH[(index % 2) as usize]);
        assert_eq!(scenario.public.opener, openers[(index / 2) as usize]);
        assert_eq!((scenario.public.rounds, scenario.public.guardrails), (100, None));
        assert_eq!(scenario.public.discount, [1.0, 0.9]);
        assert_eq!(scenario.types[1].disagreement, 0.3);
        assert!(scenario.types[0].order.is_some() && scenario.counterpart.is_some());
    }
}

/// An additive GENIUS domain of so many issues with so many values each.
fn large(issue_count: usize, value_count: usize) -> Domain {
    let issue = |at: usize, factor: usize| {
        let item = |value: usize| {
            let evaluation = (value * (at + factor)) % 11 + 1;
            format!("<item value=\"v{value}\" evaluation=\"{evaluation}\"/>")
        };
        let items: String = (1..=value_count).map(item).collect();
        format!("<issue index=\"{at}\" name=\"i{at}\" type=\"discrete\">{items}</issue>")
    };
    let issues = |factor: usize| -> String { (1..=issue_count).map(|at| issue(at, factor)).collect() };
    let weight = 1.0 / issue_count as f64;
    let weights: String = (1..=issue_count).map(|at| format!("<weight index=\"{at}\" value=\"{weight}\"/>")).collect();
    let file = |name: &str, text: String| DomainFile { name: name.into(), bytes: Arc::from(text.into_bytes()) };
    let profile = |factor| format!("<utility_space><objective>{}{weights}</objective></utility_space>", issues(factor));
    let files = [
        file("a.xml", profile(3)),
        file("b.xml", profile(8)),
        file("d.xml", format!("<negotiation_template><objective>{}</objective></negotiation_template>", issues(0))),
    ];
    read_domain_files("large", &files, None).unwrap()
}

#[test]
fn a_domain_of_ten_to_the_fifty_outcomes_loads_and_its_points_are_labelled_estimates() {
    let domain = large(50, 10);
    assert!(domain.types().iter().all(|party| party.order.is_none()));
    let gains = played(&domain).unwrap();
    assert!(gains[0] > gains[1] && gains[1] > 0.0, "{gains:?}");
    let analysis = Analysis::of_domain(&domain).unwrap();
    assert_eq!(analysis.outcomes, OutcomeCount::About(1e50));
    assert!(analysis.estimate.unwrap().starts_with("estimate: "));
    assert!(analysis.max.iter().all(|max| (max - 1.0).abs() < 1e-9), "{:?}", analysis.max);
    assert!((analysis.welfare.unwrap() - largest_sum(&domain)).abs() < 1e-9);
}

/// The largest sum of both utilities: weighted sums of additive utilities are found exactly, however large the domain.
fn largest_sum(domain: &Domain) -> f64 {
    let of_issue = |issue: usize| {
        let tables = [0, 1].map(|side: usize| domain.profiles[side].utility.table(issue));
        tables[0].iter().zip(tables[1]).map(|(a, b)| a + b).fold(0.0, f64::max)
    };
    (0..domain.space.issues().len()).map(of_issue).sum()
}

#[test]
fn a_domain_of_as_many_issues_as_may_be_still_negotiates_and_is_analysed() {
    let domain = large(1_000, 2);
    let gains = played(&domain).unwrap();
    assert!(gains.iter().all(|&gain| gain > 0.0), "{gains:?}");
    let analysis = Analysis::of_domain(&domain).unwrap();
    assert!((analysis.welfare.unwrap() - largest_sum(&domain)).abs() < 1e-9);
}

#[test]
fn a_side_is_told_all_of_its_own_utility() {
    for name in ["regions", "nested"] {
        let source = source(&read_domain(&folder(name), None).unwrap(), &DomainGame::default());
        let told = Seat::BOTH.map(|seat| render(&source.scenario(0), seat, false));
        insta::assert_snapshot!(format!("told-of-{name}"), told.join("\n"));
    }
}

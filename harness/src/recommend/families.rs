//! How the other side may behave: families in the words of suite files.

use super::field::Field;
use crate::failure::Failure;
use std::ops::RangeInclusive;
use zopa_envs::tactic::Selection;
use zopa_envs::{FamilyNotice, FamilyNumbers};

/// What families say.
const SAYS: [&str; 6] = ["taciturn", "candid", "expressive", "adversarial", "bluffing", "pressuring"];

/// What families do, and the parameters that each needs.
const DOES: [(&str, &[&str]); 16] = [
    ("time_dependent", &["exponent", "initial", "last"]),
    ("hardliner", &["demand"]),
    ("relative_tit_for_tat", &["initial", "last", "lag"]),
    ("absolute_tit_for_tat", &["initial", "last", "lag"]),
    ("averaged_tit_for_tat", &["initial", "last", "window"]),
    ("micro", &["initial", "last", "rung"]),
    ("random", &["least"]),
    ("steady", &[]),
    ("strategic", &["expected", "sensitivity", "tolerance"]),
    ("stochastic", &["take"]),
    ("patient", &["hold"]),
    ("reneging", &["chance", "retreat"]),
    ("desperate", &["impatience"]),
    ("reasoned", &LISTENS),
    ("reciprocal", &LISTENS),
    ("suspicious", &LISTENS),
];

/// What those need that listen.
const LISTENS: [&str; 4] = ["fastest", "slowest", "shift", "memory"];

/// What every course of concessions needs besides; they come after the tactics in [`DOES`].
const COURSE: [&str; 5] = ["exponent", "initial", "last", "standstill", "pace"];

/// How many of [`DOES`] are tactics, which follow no course.
const TACTICS: usize = 7;

/// Parameters that may be given besides.
const OPTIONAL: [&str; 3] = ["deadline", "stray", "slack"];

/// Between which numbers a parameter is drawn.
fn range(parameter: &str) -> RangeInclusive<f64> {
    match parameter {
        "exponent" => 1e-3..=100.0,
        "rung" | "pace" | "expected" => 1e-6..=1.0,
        "lag" | "window" => 1.0..=7.0,
        "sensitivity" => 0.0..=10.0,
        "tolerance" => 0.0..=1000.0,
        "hold" | "memory" => 0.0..=0.99,
        "fastest" => 1.0..=10.0,
        "deadline" => 1.0..=1000.0,
        "initial" | "last" | "demand" | "least" => 0.0..=2.0,
        _ => 0.0..=1.0,
    }
}

pub(super) fn families(field: &Field<'_>) -> Result<Vec<FamilyNotice>, Failure> {
    let mut families = Vec::new();
    for item in field.items()? {
        item.object(&["name", "share", "does", "says", "selection", "parameters"])?;
        let name = item.needs("name", "the family's name")?.text()?;
        let share = item.needs("share", "its share of the mix")?.number(0.0..=1.0)?;
        let does = item.needs("does", "a tactic or behaviour of the suite files")?;
        let kind = does.one_of(&DOES.map(|(word, _)| word))?;
        let says = item.maybe("says").map_or(Ok(0), |field| field.one_of(&SAYS))?;
        let selection = match item.maybe("selection") {
            Some(field) => Some([Selection::OwnBest, Selection::TakeOver][field.one_of(&["own_best", "take_over"])?]),
            None => Some(Selection::TakeOver),
        };
        let course: &[&str] = if kind >= TACTICS { &COURSE } else { &[] };
        let needed: Vec<&str> = course.iter().chain(DOES[kind].1).copied().collect();
        let stated = item.needs("parameters", &format!("how {} are drawn", needed.join(", ")))?;
        stated.object(&[&needed[..], &OPTIONAL].concat())?;
        for name in &needed {
            stated.needs(name, "a number or how it is drawn")?;
        }
        let mut parameters = Vec::new();
        for (name, value) in stated.named()? {
            parameters.push((name.into(), value.distribution(range(name))?));
        }
        let numbers = FamilyNumbers { does: DOES[kind].0.into(), says: SAYS[says].into(), selection, parameters };
        families.push(FamilyNotice { name: name.into(), share, description: "".into(), numbers });
    }
    if !families.is_empty() && families.iter().all(|family| family.share == 0.0) {
        return Err(field.fault("no family has a share of the mix", "give a \"share\" above 0, or leave families out"));
    }
    Ok(families)
}

//! The comparison itself: who is comparable, on which episodes, and by how much arms differ.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::ComparisonError;
use super::arm::{Arm, ArmKind};
use super::cost::{Charge, Prices};
use super::measure::Measure;
use crate::manifest::Standing;
use crate::statistics::{
    Bootstrap, Estimate, LatencyQuantiles, PairedDifference, RatioColumn, StatisticsError, Strata, holm,
    unpaired_difference,
};

/// Above this share of episodes without a result, an arm's figures are not comparable.
const MOST_INFRA_ERRORS: f64 = 0.01;

/// What a comparison needs to know beside its arms.
#[derive(Debug, Clone, Default)]
pub struct ComparisonOptions<'a> {
    /// The arm that others are compared with, by name or by agent; the first comparable one where it is left out.
    pub reference: Option<&'a str>,
    /// Prices; costs are left out without them.
    pub prices: Option<&'a Prices>,
    /// The allotment of scenarios to arms, by agent, where a run allotted them at random.
    pub allotted: Option<&'a BTreeMap<String, BTreeSet<u64>>>,
    /// How intervals are made.
    pub bootstrap: Bootstrap,
}

/// How arms are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// On the same episodes and the same resampled scenarios.
    Paired,
    /// Each on the scenarios that were allotted to it at random.
    Unpaired,
}

/// An arm's difference from the reference in one measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// Arm less reference, with its 95 % interval.
    pub difference: Estimate,
    /// Two-sided significance of no difference.
    pub p_value: f64,
    /// The same after Holm's correction over all arms of the measure.
    pub p_value_holm: f64,
}

/// One arm's line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmRow {
    /// Its name: the agent's id, with the run where several have that agent.
    pub name: String,
    /// What decides for it.
    pub kind: ArmKind,
    /// The run directory.
    pub run: String,
    /// The agent's version.
    pub version: u32,
    /// The agent's options.
    pub options: String,
    /// Results that count here, repeats included.
    pub episodes: u64,
    /// Episodes that were allotted to it and have no result; 0 in paired comparisons.
    pub missing: u64,
    /// Its figures; one that it does not have is left out.
    pub measures: BTreeMap<Measure, Estimate>,
    /// Its differences from the reference; none for the reference itself.
    pub differences: BTreeMap<Measure, Difference>,
    /// Decision latency in milliseconds over its whole run, where the run measured it.
    pub latency_ms: Option<LatencyQuantiles>,
    /// What its mean episode costs, by cause, where there are prices.
    pub cost: Option<Charge>,
}

/// An arm that is not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// Its name.
    pub name: String,
    /// Its run.
    pub run: String,
    /// Why it is not comparable.
    pub reason: String,
}

/// All arms in one table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonTable {
    /// Suite or domain.
    pub suite: String,
    /// Its version.
    pub version: u32,
    /// The split.
    pub split: String,
    /// The seed.
    pub seed: u64,
    /// Who sat on the other side.
    pub opponent: String,
    /// How arms are compared.
    pub pairing: Pairing,
    /// Scenarios: common ones, or all that were allotted.
    pub scenarios: u64,
    /// The arm that others are compared with.
    pub reference: String,
    /// The currency of costs, where there are prices.
    pub currency: Option<String>,
    /// The arms, best realised value first.
    pub arms: Vec<ArmRow>,
    /// Arms that are not comparable, and why.
    pub not_comparable: Vec<Excluded>,
    /// What must be known beside the figures.
    pub notes: Vec<String>,
}

/// An arm with the episodes that count for it.
struct Entrant<'a> {
    name: String,
    arm: &'a Arm,
    /// Numbers of its scenarios, ascending; a column's clusters.
    scenarios: Vec<u32>,
    /// Keys of its cases that count.
    cases: Vec<(u32, u32)>,
    missing: u64,
    charge: Option<Charge>,
}

impl ComparisonTable {
    /// Compares arms. The first one's run says what the others must have in common with it.
    ///
    /// # Errors
    /// Where fewer than two arms are comparable, they share no episode, or the reference is none of them.
    pub fn of(arms: &[Arm], options: &ComparisonOptions<'_>) -> Result<Self, ComparisonError> {
        let names = names(arms);
        let (mut kept, mut not_comparable) = (Vec::new(), Vec::new());
        for (arm, name) in arms.iter().zip(&names) {
            match objection(arm, arms, options) {
                None => kept.push((name.clone(), arm)),
                Some(reason) => {
                    not_comparable.push(Excluded { name: name.clone(), run: arm.run.clone(), reason });
                }
            }
        }
        let told =
            |excluded: &[Excluded]| excluded.iter().map(|line| format!("{}: {}", line.name, line.reason)).collect();
        if kept.len() < 2 {
            return Err(ComparisonError::TooFew { excluded: told(&not_comparable) });
        }
        let entrants = match options.allotted {
            Some(allotted) => kept.into_iter().map(|(name, arm)| alone(name, arm, allotted)).collect(),
            None => in_common(kept)?,
        };
        let position = reference(&entrants, options.reference)?;
        let header = &arms[0].manifest;
        let mut table = Self {
            suite: header.suite.clone(),
            version: header.suite_version,
            split: header.split.clone(),
            seed: header.seed,
            opponent: header.opponent.clone(),
            pairing: if options.allotted.is_some() { Pairing::Unpaired } else { Pairing::Paired },
            scenarios: scenarios(&entrants, options.allotted.is_some()),
            reference: entrants[position].name.clone(),
            currency: options.prices.map(|prices| prices.currency.clone()),
            arms: Vec::new(),
            not_comparable,
            notes: notes(&entrants, options),
        };
        table.arms = rows(entrants, position, options)?;
        let value = |row: &ArmRow| {
            row.measures.get(&Measure::RealisedValue).map_or(f64::NEG_INFINITY, |estimate| estimate.value)
        };
        table.arms.sort_by(|a, b| value(b).total_cmp(&value(a)).then_with(|| a.name.cmp(&b.name)));
        Ok(table)
    }
}

/// Each arm's name: its agent's id, and its run too where an id occurs twice.
fn names(arms: &[Arm]) -> Vec<String> {
    let id = |arm: &Arm| arm.entry.id.clone();
    let name = |arm: &Arm| {
        let twice = arms.iter().filter(|other| id(other) == id(arm)).count() > 1;
        if twice { format!("{} ({})", arm.entry.id, arm.run) } else { id(arm) }
    };
    arms.iter().map(name).collect()
}

/// Why an arm cannot be compared with the first one's run; `None` where it can.
fn objection(arm: &Arm, arms: &[Arm], options: &ComparisonOptions<'_>) -> Option<String> {
    let (own, first) = (&arm.manifest, &arms[0].manifest);
    let differs = |what: &str, own: &dyn std::fmt::Display, first: &dyn std::fmt::Display| {
        Some(format!("another {what}: {own}, where {} has {first}", arms[0].run))
    };
    if own.suite != first.suite {
        return differs("suite", &own.suite, &first.suite);
    }
    if own.suite_version != first.suite_version {
        return differs("version of the suite", &own.suite_version, &first.suite_version);
    }
    if own.suite_digest != first.suite_digest {
        return Some(format!("another text of the suite than {} played, under the same version", arms[0].run));
    }
    if own.profiles != first.profiles {
        return Some(format!("other profiles of the domain than in {}", arms[0].run));
    }
    if own.split != first.split {
        return differs("split", &own.split, &first.split);
    }
    if own.seed != first.seed {
        return differs("seed", &own.seed, &first.seed);
    }
    if own.opponent != first.opponent {
        return differs("opponent", &own.opponent, &first.opponent);
    }
    let rival = own.opponent.strip_prefix("agent:").map(|id| ArmKind::of(id, Standing::Contender));
    if matches!(rival, Some(ArmKind::PromptedModel | ArmKind::Dialogue)) && own.serving != first.serving {
        return Some(format!("another model behind the opponent than in {}", arms[0].run));
    }
    if own.authority != first.authority {
        return Some(format!("other guardrails than in {}", arms[0].run));
    }
    if own.zopa != first.zopa {
        return differs("version of zopa", &own.zopa, &first.zopa);
    }
    if arm.kind == ArmKind::Ceiling {
        return Some("other information: it sees the other side's type and tactic, which no contender does".to_owned());
    }
    if arm.infra_share() > MOST_INFRA_ERRORS {
        return Some(format!(
            "infrastructure failed {:.1} % of its episodes, more than {:.0} %",
            100.0 * arm.infra_share(),
            100.0 * MOST_INFRA_ERRORS
        ));
    }
    if arm.cases.is_empty() {
        return Some("it has no result".to_owned());
    }
    if arm.unrecorded_share() > MOST_INFRA_ERRORS && options.allotted.is_none() {
        return Some(format!(
            "{:.1} % of its episodes have no record, more than {:.0} %: its run did not finish or was changed",
            100.0 * arm.unrecorded_share(),
            100.0 * MOST_INFRA_ERRORS
        ));
    }
    let among = options.allotted.is_none_or(|allotted| allotted.contains_key(&arm.entry.id));
    if !among {
        return Some("no scenario was allotted to it".to_owned());
    }
    let others = arms.iter().take_while(|other| !std::ptr::eq(*other, arm));
    for other in others {
        for (id, case) in &arm.cases {
            if other.cases.get(id).is_some_and(|known| !known.is_of_the_same_scenario(case)) {
                return Some(format!("episode {} is another scenario than in {}", id.0, other.run));
            }
        }
    }
    None
}

/// Every arm with the episodes that all have a result for.
fn in_common(kept: Vec<(String, &Arm)>) -> Result<Vec<Entrant<'_>>, ComparisonError> {
    let indices = |arm: &Arm| arm.cases.keys().map(|(index, _)| *index).collect::<BTreeSet<u32>>();
    let common = kept.iter().map(|(_, arm)| indices(arm)).reduce(|a, b| &a & &b).unwrap_or_default();
    if common.is_empty() {
        let names: Vec<&str> = kept.iter().map(|(name, _)| name.as_str()).collect();
        return Err(ComparisonError::NothingInCommon(names.join(", ")));
    }
    let scenarios: Vec<u32> = common.iter().map(|index| index / 2).collect::<BTreeSet<_>>().into_iter().collect();
    let entrant = |(name, arm): (String, &'_ Arm)| {
        (name, arm.cases.keys().filter(|(index, _)| common.contains(index)).copied().collect())
    };
    Ok(kept
        .into_iter()
        .map(|(name, arm)| {
            let (name, cases) = entrant((name, arm));
            Entrant { name, arm, scenarios: scenarios.clone(), cases, missing: 0, charge: None }
        })
        .collect())
}

/// An arm with the scenarios that were allotted to it.
fn alone<'a>(name: String, arm: &'a Arm, allotted: &BTreeMap<String, BTreeSet<u64>>) -> Entrant<'a> {
    let none = BTreeSet::new();
    let own = allotted.get(&arm.entry.id).unwrap_or(&none);
    let counts = |(index, _): &&(u32, u32)| own.contains(&u64::from(index / 2));
    let cases: Vec<(u32, u32)> = arm.cases.keys().filter(counts).copied().collect();
    let played: BTreeSet<u32> = cases.iter().map(|(index, _)| *index).collect();
    let scenarios: Vec<u32> = played.iter().map(|index| index / 2).collect::<BTreeSet<_>>().into_iter().collect();
    let missing = (2 * own.len() as u64).saturating_sub(played.len() as u64);
    Entrant { name, arm, scenarios, cases, missing, charge: None }
}

fn reference(entrants: &[Entrant<'_>], wanted: Option<&str>) -> Result<usize, ComparisonError> {
    let Some(wanted) = wanted else { return Ok(0) };
    let found = entrants.iter().position(|entrant| entrant.name == wanted || entrant.arm.entry.id == wanted);
    found.ok_or_else(|| ComparisonError::NoReference {
        name: wanted.to_owned(),
        known: entrants.iter().map(|entrant| entrant.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

fn scenarios(entrants: &[Entrant<'_>], unpaired: bool) -> u64 {
    let counts = entrants.iter().map(|entrant| entrant.scenarios.len() as u64);
    if unpaired { counts.sum() } else { counts.max().unwrap_or(0) }
}

fn notes(entrants: &[Entrant<'_>], options: &ComparisonOptions<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if options.allotted.is_some() {
        notes.push(
            "Scenarios were allotted to arms at random: the comparison is unpaired, each arm on scenarios of its own, so \
             that its intervals are wider than those of a paired comparison."
                .to_owned(),
        );
    }
    for entrant in entrants {
        let Entrant { name, arm, missing, .. } = entrant;
        if *missing > 0 {
            notes.push(format!(
                "{name}: {missing} episodes that were allotted to it have no result; if they differ from the others, its \
                 figures are biased."
            ));
        }
        let unrecorded = arm.unrecorded();
        if unrecorded > 0 && options.allotted.is_none() {
            notes.push(format!(
                "{name}: {unrecorded} of its episodes have no record, since its run did not finish or was changed; nobody is \
                 compared on them."
            ));
        }
        if arm.infra_errors() > 0 {
            notes.push(format!(
                "{name}: infrastructure failed {} of its episodes, which are left out.",
                arm.infra_errors()
            ));
        }
        let unpriced = options.prices.is_some_and(|prices| prices.standing_charge(arm).inference.is_none());
        if unpriced {
            notes.push(format!(
                "{name}: its cost is left out, since the run does not say its tokens or the price file not their price."
            ));
        }
    }
    notes
}

fn rows(
    mut entrants: Vec<Entrant<'_>>,
    reference: usize,
    options: &ComparisonOptions<'_>,
) -> Result<Vec<ArmRow>, ComparisonError> {
    for entrant in &mut entrants {
        entrant.charge = options.prices.map(|prices| prices.standing_charge(entrant.arm));
    }
    let columns: Vec<BTreeMap<Measure, RatioColumn>> =
        entrants.iter().map(|entrant| columns(entrant, options.prices)).collect::<Result<_, _>>()?;
    let strata: Vec<Strata> = entrants.iter().map(|entrant| Strata::unstratified(entrant.scenarios.len())).collect();
    let mut differences = vec![BTreeMap::new(); entrants.len()];
    for measure in Measure::ALL {
        let Some(base) = columns[reference].get(&measure) else { continue };
        let mut found: Vec<(usize, Estimate, f64)> = Vec::new();
        for (position, own) in columns.iter().enumerate().filter(|(position, _)| *position != reference) {
            let Some(own) = own.get(&measure) else { continue };
            let compared = if options.allotted.is_some() {
                unpaired_difference(&options.bootstrap, [&strata[position], &strata[reference]], [own, base])?
            } else {
                PairedDifference::compute(&options.bootstrap, &strata[reference], own, base)?
                    .map(|paired| (paired.difference, paired.p_value))
            };
            found.extend(compared.map(|(difference, p_value)| (position, difference, p_value)));
        }
        let corrected = holm(&found.iter().map(|(.., p_value)| *p_value).collect::<Vec<_>>());
        for ((position, difference, p_value), p_value_holm) in found.into_iter().zip(corrected) {
            differences[position].insert(measure, Difference { difference, p_value, p_value_holm });
        }
    }
    let mut rows = Vec::new();
    for ((entrant, columns), (strata, differences)) in entrants.iter().zip(&columns).zip(strata.iter().zip(differences))
    {
        rows.push(row(entrant, columns, strata, differences, options)?);
    }
    Ok(rows)
}

fn row(
    entrant: &Entrant<'_>,
    columns: &BTreeMap<Measure, RatioColumn>,
    strata: &Strata,
    differences: BTreeMap<Measure, Difference>,
    options: &ComparisonOptions<'_>,
) -> Result<ArmRow, ComparisonError> {
    let arm = entrant.arm;
    let (measures, columns): (Vec<Measure>, Vec<RatioColumn>) =
        columns.iter().map(|(measure, column)| (*measure, column.clone())).unzip();
    let estimates = options.bootstrap.estimates(strata, &columns)?;
    let found = measures.into_iter().zip(estimates);
    Ok(ArmRow {
        name: entrant.name.clone(),
        kind: arm.kind,
        run: arm.run.clone(),
        version: arm.entry.version,
        options: arm.entry.options.clone(),
        episodes: entrant.cases.len() as u64,
        missing: entrant.missing,
        measures: found.filter_map(|(measure, estimate)| Some((measure, estimate?))).collect(),
        differences,
        latency_ms: arm.latency_ms,
        cost: options.prices.zip(entrant.charge).map(|(prices, charge)| mean_charge(entrant, prices, charge)),
    })
}

/// The standing charge with the means of what episodes add to it.
fn mean_charge(entrant: &Entrant<'_>, prices: &Prices, standing: Charge) -> Charge {
    let (mut supervision, mut exceptions) = (0.0, 0.0);
    for id in &entrant.cases {
        let [people, cleared] = prices.of_case(&entrant.arm.cases[id]);
        supervision += people;
        exceptions += cleared;
    }
    let count = (entrant.cases.len() as f64).max(1.0);
    Charge {
        supervision: standing.supervision + supervision / count,
        exceptions: standing.exceptions + exceptions / count,
        ..standing
    }
}

/// Numerators and denominators of every measure that an arm has, by scenario.
fn columns(entrant: &Entrant<'_>, prices: Option<&Prices>) -> Result<BTreeMap<Measure, RatioColumn>, StatisticsError> {
    let positions: BTreeMap<u32, usize> =
        entrant.scenarios.iter().enumerate().map(|(position, scenario)| (*scenario, position)).collect();
    let alike = entrant
        .charge
        .and_then(|charge| Some(charge.inference? + charge.integration + charge.supervision + charge.exceptions));
    let mut columns = BTreeMap::new();
    for measure in Measure::ALL {
        let mut sums = vec![(0.0, 0.0); entrant.scenarios.len()];
        let mut episodes = 0;
        for id in &entrant.cases {
            let case = &entrant.arm.cases[id];
            let cost = prices.zip(alike).map(|(prices, alike)| {
                let [people, cleared] = prices.of_case(case);
                alike + people + cleared
            });
            let Some((numerator, denominator)) = measure.contribution(case, cost) else { continue };
            let sum = &mut sums[positions[&(id.0 / 2)]];
            sum.0 += numerator;
            sum.1 += denominator;
            episodes += 1;
        }
        if episodes == 0 {
            continue;
        }
        let column = if measure.is_rate() {
            RatioColumn::rate(0, sums)?
        } else {
            let (numerators, denominators) = sums.into_iter().unzip();
            RatioColumn::ratio(0, numerators, denominators, episodes)?
        };
        columns.insert(measure, column);
    }
    Ok(columns)
}

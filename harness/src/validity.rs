//! A check of the simulator: how scripted counterparts and people negotiate over the same divisions.
//!
//! Four distributions are compared: how long a negotiation takes, how extreme the first offer is, how large the steps from one
//! own offer to the next are, and who gets what. People are those of CaSiNo; families are those of `deal-or-no-deal-v1`, each
//! against opponents drawn from the suite's mix, in front of the same preferences. A negotiation of people counts its
//! utterances, two to a round; their offers are the deals that they submit and the whole divisions that they state in words.

use crate::failure::Failure;
use crate::humans::ROUNDS;
use serde::Serialize;
use std::sync::Arc;
use zopa_envs::{Counterpart, Negotiation, Seat, StreamKey};
use zopa_reports::statistics::nearest_rank;
use zopa_scenarios::casino::{Dialogue, HumanEnding};
use zopa_scenarios::{Family, Suite};

/// The suite whose families are compared.
pub const SUITE: &str = "deal-or-no-deal-v1";

/// Counterparts drawn for each dialogue and family.
const DRAWS: u64 = 5;

/// Quantiles of a distribution that are told and drawn.
pub const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// What is compared, with its unit.
pub const MEASURES: [(&str, &str); 4] = [
    ("rounds", "rounds"),
    ("first offer", "own share of all points"),
    ("concession", "drop of the own share from one own offer to the next"),
    ("final split", "own share of all points, deals only"),
];

/// One measure of one kind of negotiator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Values that were observed.
    pub n: usize,
    /// Their quantiles at [`QUANTILES`]; nothing where there are none.
    pub quantiles: Option<[f64; 5]>,
    /// Largest distance of this distribution function from that of people (the Kolmogorov-Smirnov statistic), in `[0, 1]`; 0 of
    /// people themselves.
    pub distance: Option<f64>,
}

/// How one kind of negotiator negotiates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidityRow {
    /// "people", or the family.
    pub who: String,
    /// Sides observed.
    pub sides: usize,
    /// Share of sides that ended without a deal.
    pub no_deal: f64,
    /// One entry a measure of [`MEASURES`].
    pub measures: Vec<Measured>,
}

/// Raw observations of one kind of negotiator.
#[derive(Clone, Debug, Default)]
struct Observed {
    values: [Vec<f64>; 4],
    sides: usize,
    without_deal: usize,
}

impl Observed {
    /// Takes one side's offers (own shares, in order) and its share of the deal.
    fn side(&mut self, rounds: f64, offers: &[f64], deal: Option<f64>) {
        let [lengths, firsts, steps, splits] = &mut self.values;
        lengths.push(rounds);
        firsts.extend(offers.first());
        steps.extend(offers.windows(2).map(|pair| pair[0] - pair[1]));
        splits.extend(deal);
        self.sides += 1;
        self.without_deal += usize::from(deal.is_none());
    }

    fn row(&self, who: &str, people: &Self) -> ValidityRow {
        let measured = |(own, theirs): (&Vec<f64>, &Vec<f64>)| {
            let mut sorted = own.clone();
            sorted.sort_by(f64::total_cmp);
            Measured {
                n: own.len(),
                quantiles: (!own.is_empty())
                    .then(|| QUANTILES.map(|share| nearest_rank(&sorted, share).copied().unwrap_or(0.0))),
                distance: distance(own, theirs),
            }
        };
        ValidityRow {
            who: who.to_owned(),
            sides: self.sides,
            no_deal: self.without_deal as f64 / self.sides.max(1) as f64,
            measures: self.values.iter().zip(&people.values).map(measured).collect(),
        }
    }
}

/// The two-sample Kolmogorov-Smirnov statistic; `None` where a sample is empty.
fn distance(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let sorted = |sample: &[f64]| {
        let mut sorted = sample.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted
    };
    let (a, b) = (sorted(a), sorted(b));
    // Shares of 36 points computed in different orders differ by roundings.
    let up_to =
        |sample: &[f64], x: f64| sample.partition_point(|&value| value <= x + 1e-9) as f64 / sample.len() as f64;
    Some(a.iter().chain(&b).map(|&x| (up_to(&a, x) - up_to(&b, x)).abs()).fold(0.0, f64::max))
}

/// People first, then each family.
///
/// # Errors
/// Where no dialogue came to an end.
pub fn rows(dialogues: &[Dialogue]) -> Result<Vec<ValidityRow>, Failure> {
    let people = people(dialogues);
    if people.sides == 0 {
        return Err(Failure::input("no dialogue in the file came to an end"));
    }
    let suite = Suite::open(SUITE).map_err(Failure::input)?;
    let mut rows = vec![people.row("people", &people)];
    let mut all = Observed::default();
    for family in suite.families() {
        let observed = family_of(family, suite.families(), dialogues)?;
        rows.push(observed.row(&family.name, &people));
        for (own, more) in all.values.iter_mut().zip(&observed.values) {
            own.extend(more);
        }
        all.sides += observed.sides;
        all.without_deal += observed.without_deal;
    }
    rows.push(all.row("all families alike", &people));
    Ok(rows)
}

fn people(dialogues: &[Dialogue]) -> Observed {
    let mut observed = Observed::default();
    for dialogue in dialogues {
        let kept = match &dialogue.ending {
            HumanEnding::Deal(kept) => Some(kept),
            HumanEnding::WalkedAway => None,
            HumanEnding::Unfinished => continue,
        };
        let rounds = f64::from(dialogue.utterances.div_ceil(2));
        for side in 0..2 {
            let own = dialogue.proposals.iter().filter(|(by, _)| *by == side);
            let offers: Vec<f64> = own.map(|(_, kept)| dialogue.share(side, kept)).collect();
            let deal = kept.map(|kept| {
                let own: Vec<u32> = kept.iter().map(|&first| if side == 0 { first } else { 3 - first }).collect();
                dialogue.share(side, &own)
            });
            observed.side(rounds, &offers, deal);
        }
    }
    observed
}

/// `family` in both seats of every dialogue, against opponents from the mix.
fn family_of(family: &Family, mix: &[Family], dialogues: &[Dialogue]) -> Result<Observed, Failure> {
    let mut observed = Observed::default();
    for dialogue in dialogues.iter().filter(|dialogue| dialogue.ending != HumanEnding::Unfinished) {
        let division = dialogue.division().map_err(Failure::input)?;
        let key = StreamKey::new("simulator validity", &[family.name.as_bytes(), &dialogue.id.to_le_bytes()]);
        for draw in 0..2 * DRAWS {
            let seat = Seat::BOTH[(draw % 2) as usize];
            let mut drawing = key.stream(4 * draw);
            let own = family.policy.draw(&mut drawing);
            let opposing = &mix[drawing.weighted(mix.iter().map(|family| family.share))];
            let other = opposing.policy.draw(&mut drawing);
            let own = Counterpart::new(family.name.clone(), own, key.lazy(4 * draw + 1));
            let other = Counterpart::new(opposing.name.clone(), other, key.lazy(4 * draw + 2));
            let mut players = if seat == Seat::Buyer { [own, other] } else { [other, own] };
            let mut scenario = division.scenario("validity", ROUNDS);
            scenario.public.opener = Seat::BOTH[drawing.below(2) as usize];
            let mut negotiation = Negotiation::new(scenario, [false; 2]);
            while negotiation.outcome().is_none() {
                let turn = negotiation.turn();
                let action = players[turn.index()].act(&negotiation.view(turn)).action;
                negotiation.submit(action, None, None);
            }
            let share = |offer| dialogue.share(seat.index(), &division.kept(seat, offer));
            let own = negotiation.history().iter().filter(|made| made.seat == seat);
            let offers: Vec<f64> = own.filter_map(|made| made.offer()).map(share).collect();
            let outcome = negotiation.outcome();
            let rounds = outcome.map_or(0.0, |outcome| f64::from(outcome.round) + 1.0);
            observed.side(rounds, &offers, outcome.and_then(|outcome| outcome.agreement()).map(share));
        }
    }
    Ok(observed)
}

/// What was found, for a caption.
#[must_use]
pub fn caption(rows: &[ValidityRow]) -> Arc<str> {
    let sides = |row: Option<&ValidityRow>| row.map_or(0, |row| row.sides);
    format!(
        "{} people of CaSiNo and families of {SUITE} ({} sides each, at most {ROUNDS} rounds); box: quartiles, whiskers: 5 % and 95 %",
        sides(rows.first()),
        sides(rows.get(1))
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use zopa_scenarios::casino::parse_dialogues;

    const THREE: &str = include_str!("../../scenarios/tests/fixtures/casino/three.json");

    #[test]
    fn the_distance_is_that_of_the_distribution_functions() {
        assert_eq!(distance(&[1.0, 2.0], &[1.0, 2.0]), Some(0.0));
        assert_eq!(distance(&[1.0, 2.0], &[3.0]), Some(1.0));
        assert_eq!(distance(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0]), Some(0.5));
        assert_eq!(distance(&[], &[1.0]), None);
    }

    #[test]
    fn people_come_first_and_every_family_is_measured() {
        let dialogues = parse_dialogues("three.json", THREE).unwrap();
        let found = rows(&dialogues).unwrap();
        let suite = Suite::open(SUITE).unwrap();
        assert_eq!(found.len(), suite.families().len() + 2);
        assert_eq!((found[0].who.as_str(), found[0].sides), ("people", 6));
        assert!(found[0].measures.iter().all(|measured| measured.distance == Some(0.0) || measured.n == 0));
        // A hardliner never concedes.
        let hardliner = found.iter().find(|row| row.who == "hardliner").unwrap();
        assert_eq!(hardliner.measures[2].quantiles.map(|quantiles| quantiles[4]), Some(0.0));
        assert_eq!(found, rows(&dialogues).unwrap());
    }
}

//! Laws of repeated deals, played in the shipped suite.

use std::sync::Arc;
use zopa_agents::agent::Ceiling;
use zopa_agents::joint::JointPackages;
use zopa_agents::{Player, Seated, build, play};
use zopa_envs::random::{LazyStream, StreamKey};
use zopa_envs::relationship::{SeriesEnd, least_aspiration};
use zopa_envs::{Action, Decision, Event, Negotiation, PartyView, Scenario, ScenarioSource, Seat, Series};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

/// The suite with `contracts` contracts an episode, and other changes.
fn source(contracts: u16, changes: &[(&str, &str)]) -> SuiteSource {
    let mut text = Suite::open("repeated-v1").unwrap().text().to_owned();
    let length = format!("contracts = {{ low = {contracts}, high = {contracts} }}");
    for (from, to) in [("contracts = { low = 1, high = 10 }", length.as_str())].iter().chain(changes) {
        assert!(text.contains(from), "the suite has no \"{from}\"");
        text = text.replace(from, to);
    }
    Arc::new(Suite::parse("changed.toml", &text).unwrap()).source(&SourceOptions::default()).unwrap()
}

fn bound(seat: Seat) -> [bool; 2] {
    [seat == Seat::Buyer, seat == Seat::Supplier]
}

/// Plays episode `index` to its end.
fn finish(source: &SuiteSource, index: u64, player: &mut Player) -> Series {
    let plan = source.series(index).unwrap();
    let drawn = (0..plan.contracts).map(|contract| source.contract(index, contract)).collect();
    let mut series = Series::new(plan, drawn);
    let streams = StreamKey::new("test", &[&index.to_le_bytes()]);
    let seat = series.contracts()[0].seat;
    while let Some(mut game) = series.negotiation(bound(seat)) {
        let view = game.view(seat).relationship.unwrap().clone();
        assert_eq!(view, *series.public());
        let stream = streams.lazy(u64::from(view.contract));
        play(&mut game, Seated { player, stream }, None, &mut ()).unwrap();
        series.conclude(&game).unwrap();
    }
    series
}

/// Offers the other side the same gain from the first turn to the last: as a squeeze, two ticks more than the least that it will
/// take in the end; else a share of the status quo's price where that is more, but no more than half of what there is. Knows the
/// other side's type and aspirations.
struct Leaving {
    /// `None` squeezes.
    share: Option<f64>,
}

/// Two ticks of the suite's price grid.
const TWO_TICKS: f64 = 2e-4;

impl Ceiling for Leaving {
    fn id(&self) -> &str {
        "leaving"
    }

    fn begin(&mut self, _stream: LazyStream) {}

    fn decide(&mut self, view: &PartyView<'_>, scenario: &Scenario) -> Decision {
        let other = &scenario.types[view.seat.other().index()];
        let joint = JointPackages::new(view.public, view.seat, view.own, other, view.mandate);
        let scale = view.public.status_quo_price().unwrap();
        let Some(most) = joint.best_leaving(0.0).map(|offer| view.gain(&offer)) else { return Action::Pass.into() };
        let taken = scenario
            .counterpart
            .as_ref()
            .map_or(0.0, |counterpart| least_aspiration(&counterpart.policy) * other.yardstick + TWO_TICKS * scale);
        let left = self.share.map_or(taken, |share| taken.max((share * scale).min(0.5 * most)));
        let offer = joint.best_leaving(left).filter(|offer| view.gain(offer) >= 0.0);
        let worth = offer.as_ref().map_or(0.0, |offer| view.gain(offer));
        match (view.standing_gain().filter(|_| view.refusal.is_none()), offer) {
            (Some(standing), _) if standing > 0.0 && standing >= worth => Action::Accept.into(),
            (_, Some(offer)) => Action::offer(offer).into(),
            _ => Action::Pass.into(),
        }
    }
}

fn leaving(share: Option<f64>) -> Player {
    Player::Ceiling(Box::new(Leaving { share }))
}

/// Both seats of `0..scenarios`, or the buyer's alone.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean and standard error of paired differences.
fn paired(first: &[f64], second: &[f64]) -> (f64, f64) {
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    let centre = mean(&differences);
    let squares: Vec<f64> =
        differences.iter().map(|difference| (difference - centre) * (difference - centre)).collect();
    (centre, (mean(&squares) / differences.len() as f64).sqrt())
}

#[test]
fn a_squeeze_wins_the_first_contract_and_loses_the_horizon() {
    let source = source(10, &[("hazard = 0.01", "hazard = 0.0")]);
    let (mut first, mut total, mut failed) = ([vec![], vec![]], [vec![], vec![]], [0, 0]);
    for index in (0..600).step_by(2) {
        for (policy, share) in [None, Some(0.04)].into_iter().enumerate() {
            let series = finish(&source, index, &mut leaving(share));
            let scale = series.contracts()[0].public.status_quo_price().unwrap();
            let scores = series.scores().unwrap();
            first[policy].push(series.results()[0].values[0] / scale);
            total[policy].push(scores.total_value.unwrap() / scale);
            failed[policy] += u32::from(series.end() == Some(SeriesEnd::SupplierFailed));
        }
    }
    let (at_first, first_error) = paired(&first[0], &first[1]);
    let (at_last, total_error) = paired(&total[0], &total[1]);
    println!(
        "squeeze - moderate: first contract {at_first:.4} +- {first_error:.4}, ten contracts {at_last:.4} +- {total_error:.4}; \
         means {:.4} {:.4}; failures {failed:?} of 300",
        mean(&total[0]),
        mean(&total[1]),
    );
    assert!(at_first > 2.0 * first_error, "{at_first} +- {first_error}");
    assert!(at_last < -2.0 * total_error, "{at_last} +- {total_error}");
    assert!(failed[0] > 2 * failed[1], "{failed:?}");
}

#[test]
fn one_contract_is_a_plain_negotiation() {
    let source = source(1, &[]);
    for index in 0..30 {
        for id in ["boulware", "nash", "random"] {
            let series = finish(&source, index, &mut build(id).unwrap());
            let scenario = source.scenario(index);
            let mut plain = Negotiation::new(scenario.clone(), bound(scenario.seat)).logged();
            let mut player = build(id).unwrap();
            let stream = StreamKey::new("test", &[&index.to_le_bytes()]).lazy(0);
            play(&mut plain, Seated { player: &mut player, stream }, None, &mut ()).unwrap();
            assert_eq!(series.events(), plain.log(), "{id}, episode {index}");
            assert_eq!(series.outcome(), plain.outcome());
        }
    }
}

#[test]
fn a_series_is_fixed_by_its_episode_and_its_events_carry_their_contract() {
    let source = source(10, &[]);
    for index in 0..12 {
        let play = || finish(&source, index, &mut build("nash").unwrap());
        let (series, again) = (play(), play());
        assert_eq!(series.events(), again.events());
        assert_eq!(series.scores(), again.scores());
        let numbers: Vec<u16> = series.events().iter().map(|event| event.contract).collect();
        assert!(numbers.is_sorted() && numbers[0] == 0);
        assert_eq!(usize::from(numbers[numbers.len() - 1]) + 1, series.results().len());
        let line = |event: &Event| serde_json::to_string(event).unwrap();
        assert!(series.events().iter().all(|event| line(event).contains("contract") == (event.contract > 0)));
        assert!(series.events().iter().all(|event| serde_json::from_str::<Event>(&line(event)).unwrap() == *event));
    }
}

#[test]
fn customer_value_is_the_sum_of_its_parts_and_of_its_contracts() {
    let source = source(6, &[]);
    for index in 0..40 {
        let series = finish(&source, index, &mut build("conceder").unwrap());
        let scores = series.scores().unwrap();
        let (total, outcome) = (scores.total_value.unwrap(), scores.relationship.unwrap());
        let by_contract: f64 = series.results().iter().map(|result| result.values[0]).sum();
        let scale = series.contracts()[0].public.status_quo_price().unwrap();
        assert!((total - by_contract).abs() < 1e-9 * scale && (total - outcome.value.total()).abs() < 1e-9 * scale);
        let own = if series.contracts()[0].seat == Seat::Buyer { scores.gain } else { scores.counterpart_gain };
        assert!((total - own).abs() < 1e-9 * scale);
        assert!(outcome.value.quality <= 0.0 && outcome.value.disruption <= 0.0);
        assert_eq!(outcome.end == SeriesEnd::SupplierFailed, outcome.delivered(zopa_envs::Delivery::Failed) > 0);
    }
}

#[test]
fn nobody_passes_the_horizons_ceiling_on_average_and_who_leaves_a_margin_comes_near_it() {
    let source = source(10, &[("hazard = 0.01", "hazard = 0.0")]);
    let share = |name: &str, seats: u64, player: &mut dyn FnMut() -> Player| {
        let (mut won, mut ceiling, mut customer, mut customer_ceiling) = (0.0, 0.0, 0.0, 0.0);
        for index in (0..240).filter(|index| index % 2 <= seats) {
            let series = finish(&source, index, &mut player());
            let scores = series.scores().unwrap();
            let outcome = scores.relationship.as_ref().unwrap();
            won += scores.gain / scores.scale;
            ceiling += outcome.ceiling.unwrap() / scores.scale;
            customer += scores.total_value.unwrap() / scores.scale;
            customer_ceiling += outcome.customer_ceiling.unwrap() / scores.scale;
        }
        println!(
            "{name}: {:.3} of the own ceiling, {:.3} of the customer's",
            won / ceiling,
            customer / customer_ceiling
        );
        assert!(won < ceiling && customer < customer_ceiling, "{name}");
        won / ceiling
    };
    for id in ["boulware", "conceder", "nash", "oracle"] {
        share(id, 1, &mut || build(id).unwrap());
    }
    let squeeze = share("squeeze, buyer", 0, &mut || leaving(None));
    let moderate = share("moderate, buyer", 0, &mut || leaving(Some(0.04)));
    assert!(moderate > squeeze);
}

#[test]
fn types_persist_but_for_disagreement_values_that_walk_within_the_prior() {
    let source = source(10, &[]);
    let prior = source.suite().prior();
    for index in 0..20 {
        let first = source.contract(index, 0);
        assert_eq!(format!("{first:?}"), format!("{:?}", source.scenario(index)));
        let mut before = first.clone();
        for contract in 1..10 {
            let now = source.contract(index, contract);
            assert_eq!(now.public.space, first.public.space);
            assert_eq!(now.public.status_quo, first.public.status_quo);
            for (seat, prior) in prior.iter().enumerate() {
                let parameters = |scenario: &Scenario| scenario.types[seat].parameters.clone();
                assert_eq!(parameters(&now)[1..], parameters(&first)[1..]);
                let (low, high) = prior.disagreement.support();
                assert!((low..=high).contains(&parameters(&now)[0]));
                assert!((parameters(&now)[0] - parameters(&before)[0]).abs() <= 0.015 + 1e-12);
            }
            let policy = |scenario: &Scenario| scenario.counterpart.as_ref().map(|other| other.policy.clone());
            assert_eq!(policy(&now), policy(&first));
            before = now;
        }
        assert_ne!(before.types[0].disagreement, first.types[0].disagreement);
    }
}

#[test]
fn both_seats_of_a_series_share_its_length_its_walk_and_its_deliveries() {
    let source = Arc::new(Suite::open("repeated-v1").unwrap()).source(&SourceOptions::default()).unwrap();
    let mut lengths = std::collections::BTreeSet::new();
    for number in 0..200 {
        let [mut buyer, mut supplier] = [2 * number, 2 * number + 1].map(|index| source.series(index).unwrap());
        assert_eq!(buyer.contracts, supplier.contracts);
        assert_eq!(buyer.chances.open().bits(), supplier.chances.open().bits());
        lengths.insert(buyer.contracts);
        let values = |index| source.contract(index, 9).types.map(|party| party.disagreement);
        assert_eq!(values(2 * number), values(2 * number + 1));
    }
    assert_eq!(lengths.into_iter().collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
    let single = Arc::new(Suite::open("procurement-v1").unwrap()).source(&SourceOptions::default()).unwrap();
    assert!(single.series(0).is_none());
}

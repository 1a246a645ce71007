//! What a bound side moves, whatever it submits: in money domains and in one of tables, at either seat.

mod domains;
mod drawn;

use domains::{DOMAINS, Domain};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use std::cell::Cell;
use zopa_envs::score::conduct;
use zopa_envs::{
    Act, Action, ApprovalRule, Approver, Caps, Decision, Event, Intervention, Mandate, Negotiation, Offer,
    OutcomeSpace, PartyType, PermittedValues, Phase, Ruling, Scenario, Seat, StreamKey, Terms, Tightening, Value,
};

/// An action in terms of no particular domain: values are numbers that are taken modulo how many an issue has.
#[derive(Clone, Debug)]
enum Wish {
    Offer {
        values: [u32; 5],
        is_final: bool,
    },
    /// With one issue's value past the end of its grid.
    OffGrid {
        values: [u32; 5],
        beyond: usize,
    },
    /// In words, with what is not said left out.
    Stated {
        values: [u32; 5],
        said: [bool; 5],
    },
    Plain(Action),
}

fn any_wish() -> impl Strategy<Value = Wish> {
    let values = || prop::array::uniform5(any::<u32>());
    prop_oneof![
        24 => (values(), any::<bool>()).prop_map(|(values, is_final)| Wish::Offer { values, is_final }),
        1 => (values(), any::<usize>()).prop_map(|(values, beyond)| Wish::OffGrid { values, beyond }),
        1 => (values(), prop::array::uniform5(any::<bool>())).prop_map(|(values, said)| Wish::Stated { values, said }),
        1 => Just(Wish::Plain(Action::Accept)),
        2 => Just(Wish::Plain(Action::Pass)),
        1 => Just(Wish::Plain(Action::Forfeit)),
    ]
}

impl Wish {
    fn action(&self, space: &OutcomeSpace) -> Action {
        let issues = space.issues();
        let indices = |values: &[u32; 5]| -> Vec<u32> {
            issues.iter().zip(values).map(|(issue, value)| value % issue.len()).collect()
        };
        match self {
            Self::Offer { values, is_final } => {
                Action::Offer { terms: Terms::Offer(Offer::new(&indices(values))), is_final: *is_final }
            }
            Self::OffGrid { values, beyond } => {
                let mut indices = indices(values);
                let issue = beyond % issues.len();
                indices[issue] = issues[issue].len();
                Action::offer(Offer::new(&indices))
            }
            Self::Stated { values, said } => {
                let stated: Vec<Option<Value>> = (indices(values).iter().zip(issues).zip(said))
                    .map(|((&index, issue), said)| said.then(|| issue.value(index)))
                    .collect();
                Action::Offer { terms: Terms::Stated(stated.into()), is_final: false }
            }
            Self::Plain(action) => action.clone(),
        }
    }
}

/// What a principal asks for, in terms of no particular domain: shares of the yardstick and of the price grid, and one issue's
/// values.
#[derive(Clone, Debug)]
struct Limits {
    least_gain: Option<f64>,
    price: Option<f64>,
    values: Option<(usize, Vec<bool>)>,
    approval: Option<f64>,
}

fn any_limits() -> impl Strategy<Value = Limits> {
    let values = (any::<usize>(), prop::collection::vec(prop::bool::weighted(0.8), 8));
    (prop::option::of(-0.02..0.08), prop::option::of(0.2..0.8), prop::option::of(values), prop::option::of(0.3..0.7))
        .prop_map(|(least_gain, price, values, approval)| Limits { least_gain, price, values, approval })
}

impl Limits {
    fn tightening(&self, space: &OutcomeSpace, party: &PartyType) -> Tightening {
        let issues = space.issues();
        let price_at = |share: f64| {
            let grid = &issues[party.utility.price_issue()?];
            let Value::Money(price) = grid.value((share * f64::from(grid.len() - 1)) as u32) else { return None };
            Some(price)
        };
        // A few values of a price would leave nothing to agree on.
        let free: Vec<usize> = (0..issues.len()).filter(|&issue| Some(issue) != party.utility.price_issue()).collect();
        let permitted = self.values.iter().map(|(issue, values)| {
            let issue = free[issue % free.len()];
            let values = values.iter().cycle().take(issues[issue].len() as usize).copied().collect();
            PermittedValues { issue, values }
        });
        let approval = self.approval.map(|share| match price_at(share) {
            Some(price) => ApprovalRule::PriceBeyond(price),
            None => ApprovalRule::GainBelow(0.5 * share * party.yardstick),
        });
        Tightening {
            least_gain: self.least_gain.map(|share| share * party.yardstick),
            price_limit: self.price.and_then(price_at),
            permitted: permitted.collect(),
            approval: approval.into_iter().collect(),
            ..Tightening::default()
        }
    }
}

/// Scenario `number` of `domain` in which authority binds `seat` and its principal asks for `limits` from the start.
fn scenario(domain: Domain, seat: Seat, number: u64, limits: &Limits) -> Scenario {
    let mut scenario = domain.scenario(number);
    let tightening = limits.tightening(&scenario.public.space, &scenario.types[seat.index()]);
    scenario.mandates[seat.index()].tighten(seat, &tightening);
    scenario
}

fn bound(scenario: Scenario, seat: Seat) -> Negotiation {
    Negotiation::new(scenario, Seat::BOTH.map(|side| side == seat)).logged()
}

/// The bound side's last own offer and what the guardrails let follow it.
struct Guarded {
    caps: Caps,
    previous: Option<f64>,
}

impl Guarded {
    fn of(scenario: &Scenario) -> Self {
        Self { caps: scenario.public.guardrails.expect("domains have guardrails"), previous: None }
    }

    /// Tests an offer that was made: every guardrail at once.
    fn check(&mut self, scenario: &Scenario, seat: Seat, phase: Phase, offer: &Offer) -> TestCaseResult {
        let party = &scenario.types[seat.index()];
        let gain = party.gain(offer);
        prop_assert!(scenario.public.space.contains(offer));
        let faults = self.caps.faults(party, phase, self.previous, gain);
        prop_assert!(!faults.any(), "{faults} after {:?}: {gain}", self.previous);
        self.previous = Some(gain);
        Ok(())
    }
}

/// Tests a deal that the bound side accepted: its floor. An acceptance is no concession of its own.
fn check_deal(game: &Negotiation, seat: Seat, phase: Phase, mandate: &Mandate) -> TestCaseResult {
    let Scenario { public, types, .. } = game.scenario();
    let deal = game.outcome().and_then(|outcome| outcome.agreement()).expect("an acceptance ends it");
    let party = &types[seat.index()];
    let caps = public.guardrails.expect("domains have guardrails");
    prop_assert!(!caps.faults(party, phase, None, party.gain(deal)).floor);
    prop_assert!(!mandate.forbids_gain(party.gain(deal)));
    Ok(())
}

/// Runs a law on drawn cases in each domain and at each seat. It tells how often what it is about came up; that must not be
/// rare.
fn check_everywhere<C: std::fmt::Debug>(
    cases: &impl Strategy<Value = C>,
    law: impl Fn(Domain, Seat, C, &Cell<u32>) -> TestCaseResult,
) {
    for domain in DOMAINS {
        for seat in Seat::BOTH {
            let config = ProptestConfig::with_source_file(file!());
            let (least, met) = (config.cases / 2, Cell::new(0));
            let tested = TestRunner::new(config).run(cases, |case| law(domain, seat, case, &met));
            tested.unwrap_or_else(|failed| panic!("{domain:?}, the {seat} bound: {failed}"));
            assert!(met.get() >= least, "{domain:?}, the {seat} bound: {} in all", met.get());
        }
    }
}

#[test]
fn whatever_is_submitted_every_move_made_passes_all_guardrails_and_the_mandate() {
    let cases = (any::<u64>(), any_limits(), prop::collection::vec(any_wish(), 1..80));
    check_everywhere(&cases, |domain, seat, (number, limits, wishes), corrected| {
        let limits = Limits { approval: None, ..limits };
        let mut game = bound(scenario(domain, seat, number, &limits), seat);
        let mut guarded = Guarded::of(game.scenario());
        for wish in wishes {
            if game.outcome().is_some() {
                break;
            }
            let (turn, phase, before) = (game.turn(), game.view(game.turn()).phase(), game.history().len());
            let ruling = game.submit(wish.action(&game.scenario().public.space), None, None);
            if turn != seat {
                continue;
            }
            corrected.set(corrected.get() + u32::from(ruling == Ruling::Corrected));
            let Scenario { public, types, mandates, .. } = game.scenario();
            let mandate = &mandates[seat.index()];
            let passes = |offer: &Offer| mandate.test(&public.space, &types[seat.index()], seat, offer);
            match game.history().get(before).map(|made| &made.act) {
                Some(Act::Offer { offer, .. }) => {
                    guarded.check(game.scenario(), seat, phase, offer)?;
                    prop_assert_eq!(passes(offer), Ok(()));
                }
                Some(Act::Accept) => {
                    check_deal(&game, seat, phase, mandate)?;
                    prop_assert_eq!(passes(game.outcome().unwrap().agreement().unwrap()), Ok(()));
                }
                _ => {}
            }
        }
        Ok(())
    });
}

/// Principals' interventions: in which rounds, what they ask for, and whether the offer on the table is withdrawn.
fn any_interventions() -> impl Strategy<Value = Vec<(u16, Limits, bool)>> {
    prop::collection::vec((0_u16..10, any_limits(), prop::bool::weighted(0.2)), 0..4)
}

/// The scenario with a person who approves with `chance`, and who says `interventions` unasked.
fn overseen(mut scenario: Scenario, seat: Seat, chance: f64, interventions: &[(u16, Limits, bool)]) -> Scenario {
    let (space, party) = (&scenario.public.space, &scenario.types[seat.index()]);
    let told = interventions.iter().map(|(round, limits, withdraw)| Intervention {
        round: *round,
        tightening: limits.tightening(space, party),
        withdraw: *withdraw,
        words: "no further".into(),
    });
    let mut told: Vec<Intervention> = told.collect();
    told.sort_by_key(|intervention| intervention.round);
    let principal = &mut scenario.principals[seat.index()];
    principal.interventions = told;
    principal.approver = Approver::ByChance { probability: chance, key: StreamKey::new("test", &[]) };
    scenario
}

#[test]
fn whatever_is_submitted_moves_pass_the_guardrails_and_the_mandate_or_were_approved() {
    let asking = (any_wish(), prop::bool::weighted(0.3));
    let cases = (any::<u64>(), any_limits(), any_interventions(), 0.0..1.0, prop::collection::vec(asking, 1..60));
    check_everywhere(&cases, |domain, seat, (number, limits, interventions, chance, wishes), answered| {
        let mut game = bound(overseen(scenario(domain, seat, number, &limits), seat, chance, &interventions), seat);
        let mut guarded = Guarded::of(game.scenario());
        let mut approved: Vec<Offer> = Vec::new();
        for (wish, escalate) in wishes {
            if game.outcome().is_some() {
                break;
            }
            let (turn, phase) = (game.turn(), game.view(game.turn()).phase());
            // Interventions tighten it while the negotiation runs.
            let mandate = game.view(turn).mandate.clone();
            let (before, events) = (game.history().len(), game.log().len());
            let action = wish.action(&game.scenario().public.space);
            game.submit_decision(Decision { escalate, ..Decision::from(action) });
            if turn != seat {
                continue;
            }
            let was_approved = game.log()[events..].iter().any(|event| matches!(event.ruling, Ruling::Approved(_)));
            let made = game.history().get(before).map(|made| made.act.clone());
            let taken = match &made {
                Some(Act::Offer { offer, .. }) => {
                    guarded.check(game.scenario(), seat, phase, offer)?;
                    offer.clone()
                }
                Some(Act::Accept) => {
                    check_deal(&game, seat, phase, &mandate)?;
                    game.outcome().unwrap().agreement().unwrap().clone()
                }
                _ => continue,
            };
            if was_approved {
                approved.push(taken.clone());
            }
            let Scenario { public, types, .. } = game.scenario();
            let (space, party) = (&public.space, &types[seat.index()]);
            let gain = party.gain(&taken);
            prop_assert!(!mandate.forbids_gain(gain));
            let free =
                mandate.test(space, party, seat, &taken).is_ok() && mandate.hold(space, seat, &taken, gain).is_none();
            prop_assert!(free || approved.contains(&taken));
        }
        check_records(&game, seat)?;
        answered.set(answered.get() + game.conduct(seat).escalations);
        Ok(())
    });
}

/// What the log counts again is what was counted in play, every question has an answer, and the log survives its JSON.
fn check_records(game: &Negotiation, seat: Seat) -> TestCaseResult {
    for side in Seat::BOTH {
        prop_assert_eq!(&conduct(game.scenario(), side, game.log(), game.outcome()), game.conduct(side));
    }
    let json = serde_json::to_string(game.log()).unwrap();
    prop_assert_eq!(serde_json::from_str::<Vec<Event>>(&json).unwrap(), game.log());
    let asked = game.conduct(seat);
    prop_assert_eq!(asked.escalations, asked.approvals + asked.denials);
    Ok(())
}

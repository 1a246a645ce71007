//! What the solver promises.

mod suite_games;

use std::sync::Arc;
use suite_games::{finish, key, player, scenarios, source};
use zopa_agents::agent::Agent;
use zopa_agents::solver::{Goal, Objective, Solver, Variant};
use zopa_agents::{Node, Observer};
use zopa_envs::score::{BeliefScores, FAMILY, conduct};
use zopa_envs::{
    Action, Belief, Decision, Mandate, Money, Negotiation, Offer, PartyView, PermittedValues, Scenario, ScenarioSource,
    Seat, Terms,
};
use zopa_scenarios::{Opponent, SourceOptions, Suite};

const SOLVERS: [&str; 5] = ["solver", "solver-generic", "solver-myopic", "solver-no-model", "solver-price-only"];

/// Keeps every decision.
#[derive(Default)]
struct Kept {
    seat: Option<Seat>,
    decisions: Vec<Decision>,
    progress: Vec<f64>,
}

impl Observer for Kept {
    fn enter(&mut self, node: Node, seat: Seat) {
        let _ = (node, seat);
    }

    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        if self.seat.is_none_or(|seat| seat == view.seat) {
            self.decisions.push(decision.clone());
            self.progress.push(view.progress());
        }
    }
}

fn played(id: &str, scenario: Scenario) -> (Negotiation, Vec<Decision>) {
    let mut kept = Kept { seat: Some(scenario.seat), ..Kept::default() };
    let game = finish(scenario, &mut player(id), 7, &mut kept);
    (game, kept.decisions)
}

#[test]
fn it_attempts_no_loss_breaks_no_guardrail_and_is_never_refused_or_corrected() {
    for suite in ["procurement-v1", "payment-terms-v1", "counterparts-v1", "talk-v1"] {
        for id in SOLVERS {
            for scenario in scenarios(suite, 8) {
                let (game, _) = played(id, scenario.clone());
                let counted = conduct(game.scenario(), scenario.seat, game.log(), game.outcome());
                let place = format!("{id} in {suite}: {counted:?}");
                assert_eq!(counted.loss_attempted, 0, "{place}");
                assert_eq!(counted.guardrail_violations(), 0, "{place}");
                assert_eq!(counted.refused + counted.corrected, 0, "{place}");
                assert_eq!(counted.speech_violations() + counted.broken_finals, 0, "{place}");
            }
        }
    }
}

#[test]
fn it_keeps_to_a_narrow_mandate_by_itself() {
    for mut scenario in scenarios("procurement-v1", 24) {
        let seat = scenario.seat;
        let price = scenario.public.status_quo_price().unwrap();
        let issue = scenario.public.space.issues().iter().position(|issue| &*issue.name == "service").unwrap();
        scenario.mandates[seat.index()] = Mandate {
            least_gain: Some(0.01 * price),
            price_limit: Some(Money::major(price as i64)),
            permitted: vec![PermittedValues { issue, values: Arc::new([false, true, true]) }],
            ..Mandate::default()
        };
        let (game, _) = played("solver", scenario);
        let counted = conduct(game.scenario(), seat, game.log(), game.outcome());
        assert_eq!((counted.refused, counted.corrected, counted.guardrail_violations()), (0, 0, 0), "{counted:?}");
    }
}

#[test]
fn mandates_that_are_drawn_stop_it_before_authority_has_to() {
    for scenario in scenarios("mandate-v1", 40) {
        let seat = scenario.seat;
        let tightens = !scenario.principals[seat.index()].interventions.is_empty();
        let (game, _) = played("solver", scenario);
        let counted = conduct(game.scenario(), seat, game.log(), game.outcome());
        assert_eq!(counted.loss_attempted, 0);
        // What a person was asked and denied counts as refused; nothing beyond that is.
        assert!(counted.refused <= counted.denials || tightens, "{counted:?}");
        assert_eq!(counted.left_standing, 0, "an offer that may not stand is replaced");
    }
}

#[test]
fn what_the_mandate_forbids_to_take_is_not_waited_for() {
    let (suite, opponent) = (Arc::new(Suite::open("procurement-v1").unwrap()), Opponent::Family("linear".into()));
    let source = suite.source(&SourceOptions { opponent, ..SourceOptions::default() }).unwrap();
    let (mut passes, mut made, mut agreed) = (0, 0, 0);
    for mut scenario in (0..48).map(|index| source.scenario(index)).filter(|scenario| scenario.seat == Seat::Buyer) {
        let issue = scenario.public.space.issues().iter().position(|issue| &*issue.name == "payment").unwrap();
        // It keeps to the terms that suit itself best, payment at once, and those may not be taken.
        let values = Arc::new([false, false, true, true, true, true, true]);
        let permitted = vec![PermittedValues { issue, values }];
        scenario.mandates[Seat::Buyer.index()] = Mandate { permitted, ..Mandate::default() };
        let (game, decisions) = played("solver", scenario);
        passes += decisions.iter().filter(|decision| decision.action == Action::Pass).count();
        made += decisions.len();
        agreed += usize::from(game.outcome().is_some_and(|outcome| outcome.agreement().is_some()));
    }
    assert!(10 * passes < made, "{passes} of {made} turns pass");
    assert!(agreed >= 6, "{agreed} agreements");
}

/// The decision at the same public history, with the hidden type replaced.
#[test]
fn what_is_hidden_changes_nothing_that_it_decides() {
    let games = source("counterparts-v1");
    for index in 0..12 {
        let scenario = games.scenario(index);
        let (seat, other) = (scenario.seat, games.scenario(index + 40));
        let (game, _) = played("boulware", scenario.clone());
        let moves = game.history().len();
        let decisions = |hidden: &Scenario| {
            let mut changed = scenario.clone();
            let at = seat.other().index();
            changed.types[at] = hidden.types[at].clone();
            changed.counterpart = hidden.counterpart.clone();
            changed.break_off = hidden.break_off;
            let mut solver = Solver::new(Variant::Full);
            solver.begin(key(3).lazy(0));
            let mut made = Vec::new();
            for upto in 0..=moves {
                let turn = if upto % 2 == 0 { scenario.public.opener } else { scenario.public.opener.other() };
                if turn == seat && upto / 2 < usize::from(scenario.public.rounds) {
                    let (own, mandate) = (&changed.types[seat.index()], &changed.mandates[seat.index()]);
                    let history = &game.history()[..upto];
                    let view = PartyView::new(&changed.public, own, mandate, seat, (upto / 2) as u16, history, None);
                    made.push(solver.decide(&view));
                }
            }
            made
        };
        assert_eq!(decisions(&scenario), decisions(&other), "episode {index}");
    }
}

#[test]
fn the_same_stream_gives_the_same_decisions() {
    for scenario in scenarios("talk-v1", 6) {
        let [first, second] = [played("solver", scenario.clone()), played("solver", scenario)];
        assert_eq!(first.0.history(), second.0.history());
        assert_eq!(first.1, second.1);
    }
}

/// The beliefs about families, and those about hidden numbers.
fn by_subject(beliefs: &[Belief]) -> (Vec<Belief>, Vec<Belief>) {
    beliefs.iter().cloned().partition(|belief| belief.parameter.starts_with(FAMILY))
}

#[test]
fn every_decision_shows_its_alternatives_its_beliefs_and_its_reasons() {
    for scenario in scenarios("procurement-v1", 8) {
        let (game, decisions) = played("solver", scenario);
        assert!(!decisions.is_empty());
        for decision in decisions {
            let why = decision.rationale.expect("it gives reasons");
            assert!(why.solver.starts_with("solver ") && !why.belief.is_empty() && why.nodes < 100_000);
            let shares: f64 = why.families.iter().map(|(_, share)| share).sum();
            assert!((0.9..=1.0 + 1e-9).contains(&shares), "{:?}", why.families);
            assert!(decision.alternatives.len() <= 10);
            for alternative in &decision.alternatives {
                assert!(alternative.acceptance.is_some_and(|chance| (0.0..=1.0).contains(&chance)));
                assert!(alternative.expected.is_some_and(f64::is_finite));
                assert!(game.scenario().public.space.contains(&alternative.offer));
            }
            let (families, hidden) = by_subject(&decision.beliefs);
            assert_eq!(hidden.len(), 5, "fallback, financing rate and three weights");
            let told = game.scenario().public.families.iter().map(|notice| format!("{FAMILY}{}", notice.name));
            assert!(families.iter().map(|belief| belief.parameter.to_string()).eq(told), "{families:?}");
            assert!(decision.beliefs.iter().all(|belief| belief.low <= belief.high));
            if let Action::Offer { terms: Terms::Offer(offer), .. } = &decision.action {
                assert_eq!(decision.alternatives.first().map(|best| &best.offer), Some(offer));
            }
        }
    }
}

/// How many alternatives each decision shows, and how many of ten packages could be offered then.
#[derive(Default)]
struct Shown(Vec<(usize, usize)>);

impl Observer for Shown {
    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        let space = &view.public.space;
        let may_be_offered = |offer: &Offer| {
            let gain = view.gain(offer);
            gain >= view.least_gain().max(1e-6)
                && view.mandate.test_valued(space, view.seat, offer, gain).is_ok()
                && view.mandate.hold(space, view.seat, offer, gain).is_none()
        };
        // With a price there are always ten.
        let tables = view.own.utility.price_issue().is_none();
        let permitted = if tables { space.outcomes().filter(may_be_offered).take(10).count() } else { 10 };
        for alternative in &decision.alternatives {
            let taken = view.standing() == Some(&alternative.offer);
            assert!(taken || may_be_offered(&alternative.offer), "{:?} is not permitted", alternative.offer);
        }
        self.0.push((decision.alternatives.len(), permitted));
    }
}

#[test]
fn every_decision_shows_ten_alternatives_where_ten_packages_are_permitted() {
    for suite in ["payment-terms-v1", "procurement-v1", "talk-v1", "deal-or-no-deal-v1"] {
        for id in ["solver", "solver-generic", "solver-price-only"] {
            for scenario in scenarios(suite, 4) {
                let mut shown = Shown::default();
                finish(scenario, &mut player(id), 7, &mut shown);
                assert!(!shown.0.is_empty());
                for (turn, (shown, permitted)) in shown.0.into_iter().enumerate() {
                    assert!((permitted..=10).contains(&shown), "{id} in {suite}, turn {turn}: {shown} of {permitted}");
                }
            }
        }
    }
}

/// The scores of what it believed in the middle of each of the first `count` negotiations of a suite, against training families,
/// that came so far.
fn scores_in_the_middle(suite: &str, count: u64, about: fn(&[Belief]) -> Vec<Belief>) -> Vec<BeliefScores> {
    let score = |scenario: Scenario| {
        let mut kept = Kept { seat: Some(scenario.seat), ..Kept::default() };
        let game = finish(scenario, &mut player("solver"), 7, &mut kept);
        let held = kept.progress.iter().zip(&kept.decisions).find(|(progress, _)| **progress >= 0.5);
        held.and_then(|(_, decision)| BeliefScores::of(game.scenario(), &about(&decision.beliefs)))
    };
    let options = SourceOptions { split: Some("public".to_owned()), ..SourceOptions::default() };
    let source = Arc::new(Suite::open(suite).unwrap()).source(&options).unwrap();
    (0..count).filter_map(|index| score(source.scenario(index))).collect()
}

fn mean(scores: &[BeliefScores], of: impl Fn(&BeliefScores) -> f64) -> f64 {
    scores.iter().map(of).sum::<f64>() / scores.len() as f64
}

#[test]
fn by_the_middle_its_intervals_are_narrower_than_the_priors_hold_the_truth_and_score_better() {
    let scores = scores_in_the_middle("procurement-v1", 400, |beliefs| by_subject(beliefs).1);
    assert!(scores.len() > 200, "{} negotiations reach the middle", scores.len());
    let (width, coverage) = (mean(&scores, |scores| scores.width), mean(&scores, |scores| scores.coverage));
    assert!(width <= 0.6, "{width:.3} of the prior's width");
    // 85 to 95 % are wanted; so many negotiations of five intervals each stray by a point or two.
    assert!((0.84..=0.96).contains(&coverage), "90 % intervals hold {coverage:.3}");
    let (score, prior) =
        (mean(&scores, |scores| scores.interval_score), mean(&scores, |scores| scores.prior_interval_score));
    assert!(score < 0.9 * prior, "{score:.3} against the prior's {prior:.3}");
}

#[test]
fn by_the_middle_what_it_states_of_training_families_scores_better_than_the_prior() {
    for suite in ["procurement-v1", "counterparts-v1"] {
        let scores = scores_in_the_middle(suite, 120, |beliefs| by_subject(beliefs).0);
        assert!(scores.len() > 50 && scores.iter().all(|scores| scores.invalid == 0), "{suite}: {}", scores.len());
        let (score, prior) =
            (mean(&scores, |scores| scores.interval_score), mean(&scores, |scores| scores.prior_interval_score));
        assert!(score < 0.5 * prior, "{suite}: {score:.3} against the prior's {prior:.3}");
    }
}

#[test]
fn who_has_no_library_of_families_or_was_told_the_family_states_none() {
    let games = scenarios("procurement-v1", 2);
    for (scenario, id) in
        games.flat_map(|scenario| ["solver-generic", "bayes-best-response"].map(|id| (scenario.clone(), id)))
    {
        let (_, decisions) = played(id, scenario);
        assert!(!decisions.is_empty() && decisions.iter().all(|decision| by_subject(&decision.beliefs).0.is_empty()));
    }
}

#[test]
fn it_wins_more_than_the_best_tactic() {
    let gained = |id: &str| -> f64 {
        scenarios("procurement-v1", 60)
            .map(|scenario| {
                let (seat, scale) = (scenario.seat, scenario.public.status_quo_price().unwrap());
                let (game, _) = played(id, scenario);
                let deal = game.outcome().and_then(|outcome| outcome.agreement());
                deal.map_or(0.0, |deal| game.scenario().types[seat.index()].gain(deal) / scale)
            })
            .sum()
    };
    let (solver, tactic) = (gained("solver"), gained("boulware"));
    assert!(solver > 1.2 * tactic, "{solver:.3} against {tactic:.3}");
}

#[test]
fn a_principal_who_counts_the_other_sides_gain_leaves_more_of_it() {
    let left = |objective: Objective| -> f64 {
        scenarios("procurement-v1", 30)
            .map(|scenario| {
                let (seat, scale) = (scenario.seat, scenario.public.status_quo_price().unwrap());
                let solver = Solver::new(Variant::Full).aiming_at(objective);
                let mut player = zopa_agents::Player::Agent(Box::new(solver));
                let game = finish(scenario, &mut player, 7, &mut ());
                let deal = game.outcome().and_then(|outcome| outcome.agreement());
                deal.map_or(0.0, |deal| game.scenario().types[seat.other().index()].gain(deal) / scale)
            })
            .sum()
    };
    let own = left(Objective::default());
    let nash = left(Objective { goal: Goal::NashProduct { weight: 0.5 }, risk_aversion: 0.0 });
    assert!(nash > 1.2 * own, "{nash:.3} against {own:.3}");
}

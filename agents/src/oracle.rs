//! The oracle: a ceiling that knows the other side's type and tactic.

use crate::agent::Ceiling;
use crate::aspiration::first_share;
use crate::joint::JointPackages;
use zopa_envs::random::LazyStream;
use zopa_envs::{Act, Action, Decision, Ending, Negotiation, Offer, PartyView, Scenario, Seat};

/// Takes the best package that the counterpart's schedule accepts.
///
/// At its first turn it plays the negotiation forward on a copy, with the counterpart's own script and random numbers, along
/// each of three own paths: it waits (passes), or from [`first_share`] it gives the smallest possible step in each turn or
/// concedes in a straight line to no gain, both within its guardrails. In each of its turns on a path it asks what the counterpart's next
/// offer would be worth to the counterpart; a script accepts what is worth as much (AC-next), so the best package that leaves
/// it that much, tried on another copy, ends the negotiation there. Taking the standing offer and the path's own
/// offer are tried too. It then follows
/// the best path to the best turn. Gains count discounted and times the chance that the published hazard has not struck; the
/// drawn break-off itself it does not know.
///
/// Against tactics that concede by the clock this is the best any side can do, up to the grid, under the guardrails. Against
/// tactics that imitate it is the best over its three paths only, a lower bound of a best response. Where no script plays
/// the other side it offers the best package that leaves the other side no loss, and takes any gain in its last turn.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    plan: Option<Plan>,
    turns: u16,
}

/// What it does in turns before the one where it closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    Wait,
    SmallSteps,
    StraightLine,
}

#[derive(Clone, Debug)]
struct Plan {
    path: Path,
    top: f64,
    turn: u16,
    close: Action,
    value: f64,
}

/// Steps of the counterpart's yardstick by which a package is sweetened that its script did not take after all: taken-over
/// terms can round its next offer up by a tick.
const SWEETENERS: [f64; 4] = [0.0, 1e-9, 1e-4, 1e-3];

impl Path {
    /// Its action in own turn `turn`, from 0; `top` is the own gain that it starts from.
    fn action(self, view: &PartyView<'_>, turn: u16, top: f64) -> Action {
        let target = match self {
            Self::Wait => return Action::Pass,
            Self::SmallSteps => top - f64::from(turn) * view.own.smallest_step,
            Self::StraightLine => top * (1.0 - view.own_progress()),
        };
        let packages = view.packages();
        let target = target.max(view.least_gain());
        let offer = match view.own_last() {
            Some(like) => packages.at_gain(target, like),
            None => packages.best().and_then(|best| packages.at_gain(target, &best)),
        };
        offer.or_else(|| packages.best()).map_or(Action::Pass, Action::offer)
    }
}

impl Plan {
    fn of(view: &PartyView<'_>, scenario: &Scenario) -> Option<Self> {
        scenario.counterpart.as_ref()?;
        let seat = view.seat;
        let mut bound = [false; 2];
        bound[seat.index()] = true;
        let start = Negotiation::new(Scenario { break_off: None, ..scenario.clone() }, bound);
        let frontier = Frontier::of(view, scenario);
        let top = first_share(view) * view.own.yardstick;
        let mut best: Option<Self> = None;
        for path in [Path::Wait, Path::SmallSteps, Path::StraightLine] {
            let mut game = start.clone();
            let mut turn = 0;
            while reach(&mut game, seat) {
                for close in frontier.closings(&game, seat, path.action(&game.view(seat), turn, top)) {
                    if let Some(value) = realised(&game, seat, &close)
                        && best.as_ref().is_none_or(|plan| value > plan.value)
                    {
                        best = Some(Self { path, top, turn, close, value });
                    }
                }
                let action = path.action(&game.view(seat), turn, top);
                submit(&mut game, action);
                turn += 1;
            }
        }
        best.filter(|plan| plan.value > 0.0)
    }
}

/// Lets the counterpart move until it is `seat`'s turn; false where the negotiation ends before.
fn reach(game: &mut Negotiation, seat: Seat) -> bool {
    while game.outcome().is_none() && game.turn() != seat {
        let Some((counterpart, view)) = game.counterpart() else { return false };
        let action = counterpart.act(&view);
        game.submit(action, None, None);
    }
    game.outcome().is_none()
}

/// Submits an action until the turn is over: a refused one falls back by the rules.
fn submit(game: &mut Negotiation, action: Action) {
    let seat = game.turn();
    while game.outcome().is_none() && game.turn() == seat {
        game.submit(action.clone(), None, None);
    }
}

/// What `seat` can expect of `close` now: own gain, discounted, times the chance of getting there; `None` where no agreement
/// follows before its next turn.
fn realised(game: &Negotiation, seat: Seat, close: &Action) -> Option<f64> {
    let mut game = game.clone();
    submit(&mut game, close.clone());
    if reach(&mut game, seat) {
        return None;
    }
    let outcome = game.outcome()?;
    let Ending::Agreement { offer, .. } = &outcome.ending else { return None };
    let public = &game.scenario().public;
    let t = zopa_envs::phase::progress(outcome.round, public.rounds);
    let reached = libm::pow(1.0 - public.hazard, f64::from(outcome.round));
    Some(game.scenario().types[seat.index()].gain(offer) * public.discount_at(seat, t) * reached)
}

/// Own best packages by what they leave the counterpart.
struct Frontier {
    /// Tables: `(counterpart's gain, rank)` in descending order of that gain, each the own best so far.
    steps: Option<Vec<(f64, u64)>>,
}

impl Frontier {
    /// Sorts the outcomes once where there are tables: a plan asks dozens of times.
    fn of(view: &PartyView<'_>, scenario: &Scenario) -> Self {
        let other = &scenario.types[view.seat.other().index()];
        let steps = other.order.as_ref().map(|order| {
            let mut steps: Vec<(f64, u64)> = Vec::new();
            let mut best = f64::NEG_INFINITY;
            for (&utility, &rank) in order.utilities.iter().zip(&order.ranks).rev() {
                let offer = view.public.space.outcome(u64::from(rank));
                let own = view.gain(&offer);
                if own > best && view.mandate.test(&view.public.space, view.own, view.seat, &offer).is_ok() {
                    best = own;
                    steps.push((utility - other.disagreement, u64::from(rank)));
                }
            }
            steps
        });
        Self { steps }
    }

    fn best_leaving(&self, scenario: &Scenario, seat: Seat, least: f64) -> Option<Offer> {
        if let Some(steps) = &self.steps {
            let within = steps.partition_point(|(gain, _)| *gain >= least);
            return within.checked_sub(1).map(|last| scenario.public.space.outcome(steps[last].1));
        }
        let [own, other] = [seat, seat.other()].map(|seat| &scenario.types[seat.index()]);
        JointPackages::new(&scenario.public, seat, own, other, &scenario.mandates[seat.index()]).best_leaving(least)
    }

    /// Actions that may end the negotiation from here: taking what stands, and the best package that the counterpart would
    /// prefer to the offer that it makes after `path`'s action.
    fn closings(&self, game: &Negotiation, seat: Seat, path: Action) -> Vec<Action> {
        let mut closings = Vec::new();
        if game.view(seat).standing().is_some() {
            closings.push(Action::Accept);
        }
        let mut ahead = game.clone();
        closings.extend(matches!(path, Action::Offer { .. }).then(|| path.clone()));
        submit(&mut ahead, path);
        reach(&mut ahead, seat);
        let scenario = game.scenario();
        let other = &scenario.types[seat.other().index()];
        let answer = ahead.history().get(game.history().len() + 1).map(|made| &made.act);
        if let Some(Act::Offer { offer, .. }) = answer {
            let asked = other.gain(offer).max(0.0);
            let offers = SWEETENERS
                .iter()
                .filter_map(|sweetener| self.best_leaving(scenario, seat, asked + sweetener * other.yardstick));
            closings.extend(offers.map(Action::offer));
        }
        closings
    }
}

impl Ceiling for Oracle {
    fn id(&self) -> &str {
        "oracle"
    }

    fn begin(&mut self, _stream: LazyStream) {
        *self = Self::default();
    }

    fn decide(&mut self, view: &PartyView<'_>, scenario: &Scenario) -> Decision {
        if self.turns == 0 {
            self.plan = Plan::of(view, scenario);
        }
        if view.refusal.is_none() {
            self.turns += 1;
        }
        let turn = self.turns.saturating_sub(1);
        match &self.plan {
            Some(plan) if turn == plan.turn => plan.close.clone().into(),
            Some(plan) if turn < plan.turn => plan.path.action(view, turn, plan.top).into(),
            _ if scenario.counterpart.is_some() => Action::Pass.into(),
            _ => without_script(view, scenario),
        }
    }
}

fn without_script(view: &PartyView<'_>, scenario: &Scenario) -> Decision {
    let other = &scenario.types[view.seat.other().index()];
    let package = JointPackages::new(view.public, view.seat, view.own, other, view.mandate).best_leaving(0.0);
    let gain = package.as_ref().map_or(0.0, |offer| view.gain(offer));
    match (view.standing().map(|standing| view.gain(standing)), package) {
        (Some(standing), _) if standing > 0.0 && (standing >= gain || view.is_last_turn()) => Action::Accept,
        (_, Some(offer)) if gain > 0.0 => Action::offer(offer),
        _ => Action::Pass,
    }
    .into()
}

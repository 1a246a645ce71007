//! The oracle: a ceiling that knows the other side's type and tactic.

use crate::agent::Ceiling;
use crate::aspiration::first_share;
use crate::joint::JointPackages;
use zopa_envs::mandate::StopResponse;
use zopa_envs::random::LazyStream;
use zopa_envs::{Act, Action, Decision, Negotiation, Offer, PartyView, Policy, Reply, Scenario, Seat, Tactic};

/// Takes the best package that the counterpart's schedule accepts, among those that its mandate permits, as its principal will have
/// tightened it by then.
///
/// At its first turn it plays the negotiation forward on a copy, with the counterpart's own script and random numbers, along
/// own paths: it waits (passes), or, where the script looks at offers, from [`first_share`] it gives the smallest possible step in each turn or
/// concedes in a straight line to no gain, both within its guardrails. In each of its turns on a path it asks what the counterpart's next
/// offer would be worth to the counterpart; a script accepts what is worth as much (AC-next), so the best package that leaves
/// it that much, tried on another copy, ends the negotiation there. Taking the standing offer and the path's own
/// offer are tried too. It then follows
/// the best path to the best turn. Gains count discounted and times the chance that the published hazard has not struck; the
/// drawn break-off itself it does not know.
///
/// Against tactics that concede by the clock this is the best any side can do, up to the grid, under the guardrails. Against
/// tactics that imitate it is the best over these paths only, a lower bound of a best response. Where no script plays
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
    /// Scripts that do not look at offers can be met by waiting: it leaves the guardrails out of the way.
    fn worth_trying(scenario: &Scenario) -> &'static [Self] {
        match scenario.counterpart.as_ref().map(|counterpart| &counterpart.policy) {
            Some(Policy::Tactic(Tactic::TimeDependent(_) | Tactic::Hardliner(_) | Tactic::Random(_))) => &[Self::Wait],
            _ => &[Self::Wait, Self::SmallSteps, Self::StraightLine],
        }
    }

    /// Its action in own turn `turn`, from 0; `top` is the own gain that it starts from.
    fn action(self, view: &PartyView<'_>, turn: u16, top: f64) -> Action {
        let target = match self {
            Self::Wait => return idle(view),
            Self::SmallSteps => top - f64::from(turn) * view.own.smallest_step,
            Self::StraightLine => top * (1.0 - view.own_progress()),
        };
        let packages = view.packages();
        let target = target.max(view.least_gain());
        let offer = match view.own_last() {
            Some(like) => packages.at_gain(target, like),
            None => packages.best().and_then(|best| packages.at_gain(target, &best)),
        };
        let offer = offer.or_else(|| packages.best()).filter(|offer| view.gain(offer) >= 0.0);
        offer.map_or(Action::Pass, Action::offer)
    }
}

impl Plan {
    fn of(view: &PartyView<'_>, scenario: &Scenario) -> Option<Self> {
        scenario.counterpart.as_ref()?;
        let seat = view.seat;
        let mut bound = [false; 2];
        bound[seat.index()] = true;
        let mut copy = Scenario { break_off: None, ..scenario.clone() };
        // Words change nothing that a script does.
        copy.public.speech = false;
        let start = Negotiation::new(copy, bound);
        let frontier = Frontier::of(view, scenario);
        let top = first_share(view) * view.own.yardstick;
        let mut best: Option<Self> = None;
        for &path in Path::worth_trying(scenario) {
            let mut game = start.clone();
            let mut turn = 0;
            while reach(&mut game, seat) {
                let action = path.action(&game.view(seat), turn, top);
                let least = best.as_ref().map_or(0.0, |plan| plan.value);
                if let Some((close, value)) = frontier.closing(&game, seat, &action, least) {
                    best = Some(Self { path, top, turn, close, value });
                }
                submit(&mut game, action);
                turn += 1;
            }
        }
        best
    }
}

/// Lets the counterpart move until it is `seat`'s turn; false where the negotiation ends before.
fn reach(game: &mut Negotiation, seat: Seat) -> bool {
    while game.outcome().is_none() && game.turn() != seat {
        let Some((counterpart, view)) = game.counterpart() else { return false };
        let Reply { action, message } = counterpart.act(&view);
        game.submit(action, None, message);
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

/// What an own gain that is agreed on in `round` counts: discounted, and times the chance of getting there.
fn expected(scenario: &Scenario, seat: Seat, gain: f64, round: u16) -> f64 {
    let public = &scenario.public;
    let t = zopa_envs::phase::progress(round, public.rounds);
    gain * public.discount_at(seat, t) * libm::pow(1.0 - public.hazard, f64::from(round))
}

/// What `seat` can expect of `close` now; `None` where authority stops or corrects it, or no agreement follows before its next turn.
fn realised(game: &Negotiation, seat: Seat, close: &Action) -> Option<f64> {
    let mut game = game.clone();
    let stopped = |game: &Negotiation| game.conduct(seat).guardrail_violations() + game.conduct(seat).refused;
    let before = stopped(&game);
    submit(&mut game, close.clone());
    if stopped(&game) > before || reach(&mut game, seat) {
        return None;
    }
    let outcome = game.outcome()?;
    let gain = game.scenario().types[seat.index()].gain(outcome.agreement()?);
    Some(expected(game.scenario(), seat, gain, outcome.round))
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

    /// The best package under the mandate as it is in `game`, which a principal may have tightened on the way.
    fn best_leaving(&self, game: &Negotiation, seat: Seat, least: f64) -> Option<Offer> {
        let scenario = game.scenario();
        if let Some(steps) = &self.steps {
            let within = steps.partition_point(|(gain, _)| *gain >= least);
            return within.checked_sub(1).map(|last| scenario.public.space.outcome(steps[last].1));
        }
        let [own, other] = [seat, seat.other()].map(|seat| &scenario.types[seat.index()]);
        JointPackages::new(&scenario.public, seat, own, other, game.mandate(seat)).best_leaving(least)
    }

    /// The action that ends the negotiation best from here, and what it can be expected to bring; `None` where nothing
    /// brings more than `least`. Tried are taking what stands, `path`'s own action, and the best package that the
    /// counterpart would prefer to the offer that it makes after `path`'s action.
    fn closing(&self, game: &Negotiation, seat: Seat, path: &Action, least: f64) -> Option<(Action, f64)> {
        let mut found: Option<(Action, f64)> = None;
        let mut consider = |close: Action| {
            let bar = found.as_ref().map_or(least, |(_, value)| *value);
            let value = realised(game, seat, &close);
            found = value.filter(|value| *value > bar).map(|value| (close, value)).or(found.take());
            value.is_some()
        };
        if game.view(seat).standing().is_some() {
            consider(Action::Accept);
        }
        let mut ahead = game.clone();
        if matches!(path, Action::Offer { .. }) {
            consider(path.clone());
        }
        submit(&mut ahead, path.clone());
        reach(&mut ahead, seat);
        let scenario = game.scenario();
        let [own, other] = [seat, seat.other()].map(|seat| &scenario.types[seat.index()]);
        let answer = ahead.history().get(game.history().len() + 1).map(|made| &made.act);
        if let Some(Act::Offer { offer, .. }) = answer {
            let asked = other.gain(offer).max(0.0);
            for sweetener in SWEETENERS {
                let Some(offer) = self.best_leaving(game, seat, asked + sweetener * other.yardstick) else { break };
                if expected(scenario, seat, own.gain(&offer), game.round()) <= least || consider(Action::offer(offer)) {
                    break;
                }
            }
        }
        found
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
            _ if scenario.counterpart.is_some() => idle(view).into(),
            _ => without_script(view, scenario),
        }
    }
}

/// A turn without an offer; where the mandate's stop rule asks to leave, that is all that is left.
pub(crate) fn idle(view: &PartyView<'_>) -> Action {
    let rule = view.mandate.stop(view.round, view.standing_gain(), view.standing_is_final());
    if rule.is_some_and(|rule| rule.response == StopResponse::WalkAway) { Action::WalkAway } else { Action::Pass }
}

pub(crate) fn without_script(view: &PartyView<'_>, scenario: &Scenario) -> Decision {
    let other = &scenario.types[view.seat.other().index()];
    let package = JointPackages::new(view.public, view.seat, view.own, other, view.mandate).best_leaving(0.0);
    let gain = package.as_ref().map_or(0.0, |offer| view.gain(offer));
    match (view.standing().map(|standing| view.gain(standing)), package) {
        (Some(standing), _) if standing > 0.0 && (standing >= gain || view.is_last_turn()) => Action::Accept,
        (_, Some(offer)) if gain > 0.0 => Action::offer(offer),
        _ => idle(view),
    }
    .into()
}

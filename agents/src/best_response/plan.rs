//! A plan: an approach, the turn to close in, and the closing.

use super::approach::{Approach, Spoken};
use super::frontier::{Frontier, Frontiers};
use super::rehearsal::Rehearsal;
use zopa_envs::counterpart::Behaviour;
use zopa_envs::message::{Remark, SpeechAct, SpokenTerms, speak};
use zopa_envs::{Act, Action, Decision, Message, Move, Offer, PartyView, Policy, Scenario, Tactic};

/// Rehearsals over which expectations are taken where chance plays a part.
pub(super) const SAMPLES: u64 = 8;
/// Own turns that a plan rehearses at most, over all approaches and samples.
pub(super) const BUDGET: u32 = 4_000;

/// First demands of ladders above the own best gain, as shares of the own yardstick.
const TOPS: [f64; 7] = [0.0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32];
/// Steps of ladders, as shares of the own yardstick; the smallest step of the grid is tried besides.
const STEPS: [f64; 6] = [0.0, 0.005, 0.01, 0.02, 0.04, 0.08];
/// Rounds of the pattern search, the first with half the distance between the tops and steps above.
const REFINEMENTS: u32 = 3;
/// Bisections between what the counterpart would not take and what it would.
const BISECTIONS: u32 = 6;
/// By how much of the counterpart's yardstick a package is sweetened that it did not take after all: grids round.
const SWEETENERS: [f64; 4] = [0.0, 1e-9, 1e-4, 1e-3];

#[derive(Clone, Debug)]
pub(super) struct Plan {
    spoken: Spoken,
    /// Own turns before the closing.
    turn: u16,
    close: Action,
    value: f64,
    /// Moves already made when it was made, and then those that it foresees.
    foreseen: Vec<Move>,
    from: usize,
}

/// How a policy answers: which approaches are worth trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Manner {
    /// It looks at what is offered.
    reacts: bool,
    /// It listens to words.
    listens: bool,
    /// Chance plays a part.
    chance: bool,
}

impl Manner {
    fn of(policy: &Policy) -> Self {
        let (reacts, listens, chance) = match policy {
            Policy::Tactic(Tactic::TimeDependent(_) | Tactic::Hardliner(_)) => (false, false, false),
            Policy::Tactic(_) => (true, false, false),
            Policy::Conceding { behaviour, .. } => match behaviour {
                Behaviour::Stochastic(_) | Behaviour::Reneging(_) => (true, false, true),
                Behaviour::Listening(_) => (true, true, false),
                Behaviour::Steady | Behaviour::Strategic(_) | Behaviour::Patient(_) | Behaviour::Desperate(_) => {
                    (true, false, false)
                }
            },
        };
        Self { reacts, listens, chance }
    }
}

struct Search<'a> {
    frontiers: &'a Frontiers,
    starts: Vec<Rehearsal>,
    manner: Manner,
    best: Option<Plan>,
    left: u32,
}

impl Plan {
    pub(super) fn of(view: &PartyView<'_>, scenario: &Scenario, frontiers: &Frontiers) -> Self {
        let manner = scenario
            .counterpart
            .as_ref()
            .map_or(Manner { reacts: false, listens: false, chance: false }, |counterpart| {
                Manner::of(&counterpart.policy)
            });
        let samples = if manner.chance { SAMPLES } else { 1 };
        let starts = (0..samples).map(|sample| Rehearsal::from(view, scenario, sample)).collect();
        let mut search = Search { frontiers, starts, manner, best: None, left: BUDGET };
        search.all(view, scenario);
        let wait = || Spoken { approach: Approach::Wait, words: None };
        let mut plan = search.best.take().unwrap_or_else(|| Self {
            spoken: wait(),
            turn: view.public.rounds,
            close: Action::Pass,
            value: 0.0,
            foreseen: Vec::new(),
            from: view.history.len(),
        });
        plan.foresee(&search.starts[0]);
        plan
    }

    /// Whether the negotiation went as rehearsed, and the plan still has a turn to play.
    pub(super) fn foresaw(&self, view: &PartyView<'_>) -> bool {
        let seen = view.history.len();
        seen <= self.foreseen.len()
            && view.history[self.from..].iter().zip(&self.foreseen[self.from..]).all(|(a, b)| a.act == b.act)
    }

    /// The plan's decision in the turn that `view` shows.
    pub(super) fn decision(&self, view: &PartyView<'_>) -> Decision {
        let turn = ((view.history.len() - self.from) / 2) as u16;
        let action = if turn >= self.turn { self.close.clone() } else { self.spoken.approach.action(view, turn) };
        let speaks = matches!(action, Action::Offer { .. });
        Decision { message: self.spoken.words.clone().filter(|_| speaks), ..action.into() }
    }

    fn foresee(&mut self, start: &Rehearsal) {
        let mut copy = start.clone();
        self.from = copy.history().len();
        for turn in 0..=self.turn {
            self.foreseen = copy.history().to_vec();
            if turn < self.turn {
                let action = self.spoken.approach.action(&copy.view(), turn);
                copy.act(&action, self.spoken.words.as_ref());
                if !copy.reach() {
                    break;
                }
            }
        }
    }
}

impl Search<'_> {
    fn all(&mut self, view: &PartyView<'_>, scenario: &Scenario) {
        let silent = |approach| Spoken { approach, words: None };
        self.along(&silent(Approach::Wait));
        let most = self.frontiers.most();
        let Some((like, _)) = self.frontiers.under(view.mandate).leaving(0.0) else { return };
        let unit = view.own.yardstick;
        let ladder = |top: f64, step: f64| Approach::Ladder { top, step, like: like.clone() };
        if !self.manner.reacts {
            // Terms to take over, at a price that nobody takes.
            self.along(&silent(ladder(most + unit, 0.0)));
            return;
        }
        let words = (self.manner.listens && scenario.public.speech).then(warm_words);
        let coarse = if self.manner.chance { 2 } else { 1 };
        let mut found: Option<(f64, [f64; 2])> = None;
        for words in [None, words.clone()].into_iter().take(if words.is_some() { 2 } else { 1 }) {
            let mut value = |search: &mut Self, top: f64, step: f64| {
                let approach = ladder(most + top * unit, step * unit);
                let reached = search.along(&Spoken { approach, words: words.clone() });
                if reached > found.map_or(0.0, |(best, _)| best) {
                    found = Some((reached, [top, step]));
                    return true;
                }
                false
            };
            let smallest = view.own.smallest_step / unit;
            let even = (most / unit) / f64::from(view.public.rounds.max(2) - 1);
            for &top in TOPS.iter().step_by(coarse) {
                for step in STEPS.iter().copied().step_by(coarse).chain([smallest, even]) {
                    value(self, top, step);
                }
            }
        }
        if self.manner.chance {
            return;
        }
        let (mut top_by, mut step_by) = (0.02, 0.005);
        for _ in 0..REFINEMENTS {
            let Some((_, [top, step])) = found else { return };
            let words = self.best.as_ref().and_then(|plan| plan.spoken.words.clone());
            for [dt, ds] in [[top_by, 0.0], [-top_by, 0.0], [0.0, step_by], [0.0, -step_by], [top_by, step_by]] {
                let (top, step) = (top + dt, (step + ds).max(0.0));
                let approach = ladder(most + top * unit, step * unit);
                let reached = self.along(&Spoken { approach, words: words.clone() });
                if reached > found.map_or(0.0, |(best, _)| best) {
                    found = Some((reached, [top, step]));
                }
            }
            (top_by, step_by) = (top_by / 2.0, step_by / 2.0);
        }
    }

    /// The most that any closing along this approach brings, remembered where nothing before brought as much.
    fn along(&mut self, spoken: &Spoken) -> f64 {
        let mut games = self.starts.clone();
        let (mut ended, mut most, mut turn) = (0.0, 0.0, 0);
        loop {
            games.retain_mut(|game| {
                let goes_on = game.reach();
                ended += if goes_on { 0.0 } else { game.realised() };
                goes_on
            });
            let spent = games.len() as u32;
            // Nothing that the counterpart could take brings more than its reservation value leaves.
            let Some(first) = games.first().filter(|_| self.left >= spent) else { break };
            let bound = ended + games.len() as f64 * first.counts_now(self.frontiers.most());
            let bar = self.best.as_ref().map_or(0.0, |plan| plan.value);
            if bound / self.starts.len() as f64 <= bar {
                break;
            }
            self.left -= spent;
            let reached = self.close(&games, spoken, turn, ended);
            most = f64::max(most, reached);
            for game in &mut games {
                let action = spoken.approach.action(&game.view(), turn);
                game.act(&action, spoken.words.as_ref());
            }
            turn += 1;
        }
        most
    }

    /// Tries every closing in this turn; returns the most that one brings.
    fn close(&mut self, games: &[Rehearsal], spoken: &Spoken, turn: u16, ended: f64) -> f64 {
        let mut most = 0.0;
        let samples = self.starts.len() as f64;
        let mut consider = |search: &mut Self, close: Action| -> bool {
            let Some(brought) = self::brought(games, &close, spoken.words.as_ref()) else { return false };
            let value = (ended + brought) / samples;
            most = f64::max(most, value);
            if value > search.best.as_ref().map_or(0.0, |plan| plan.value) {
                let (spoken, foreseen) = (spoken.clone(), Vec::new());
                search.best = Some(Plan { spoken, turn, close, value, foreseen, from: 0 });
            }
            brought > 0.0
        };
        if games.iter().any(|game| game.standing() > 0.0) {
            consider(self, Action::Accept);
        }
        let mut tried: Vec<Offer> = Vec::new();
        for game in games {
            let action = spoken.approach.action(&game.view(), turn);
            if matches!(action, Action::Offer { .. }) {
                consider(self, action.clone());
            }
            let frontier = self.frontiers.under(game.view().mandate);
            let Some(asked) = asked(game, &action, spoken.words.as_ref(), frontier) else { continue };
            for sweetener in SWEETENERS {
                let least = asked + sweetener * frontier.their_yardstick();
                let Some((offer, gain)) = frontier.leaving(least) else { break };
                let hopeless = (ended + games.len() as f64 * game.counts_now(gain)) / samples
                    <= self.best.as_ref().map_or(0.0, |plan| plan.value);
                if hopeless || tried.contains(&offer) {
                    break;
                }
                tried.push(offer.clone());
                if consider(self, Action::offer(offer)) {
                    break;
                }
            }
            if self.manner.reacts && games.len() == 1 {
                self.bisect(game, asked, |search, offer| consider(search, Action::offer(offer)));
            }
        }
        most
    }

    /// A counterpart that answers concessions may take less than it would ask for next: the closing offer is a concession too.
    fn bisect(&mut self, game: &Rehearsal, asked: f64, mut takes: impl FnMut(&mut Self, Offer) -> bool) {
        let frontier = self.frontiers.under(game.view().mandate);
        let last = game.view().own_last().map_or(0.0, |offer| frontier.theirs(offer).max(0.0));
        let (mut refused, mut taken) = (last, asked);
        for _ in 0..BISECTIONS {
            if taken - refused <= 1e-4 * frontier.their_yardstick() {
                return;
            }
            let middle = f64::midpoint(refused, taken);
            let Some((offer, gain)) = frontier.leaving(middle) else { return };
            let bar = self.best.as_ref().map_or(0.0, |plan| plan.value);
            // More than this no closing between here and what was refused brings.
            let hopeless = frontier.leaving(refused).is_none_or(|(_, most)| game.counts_now(most) <= bar);
            if hopeless || game.view().least_gain() > gain {
                return;
            }
            if takes(self, offer) { taken = middle } else { refused = middle }
        }
    }
}

/// What the counterpart would ask for after this action: the own gain of its next offer; `None` where it makes none.
fn asked(game: &Rehearsal, action: &Action, words: Option<&Message>, frontier: &Frontier) -> Option<f64> {
    let mut ahead = game.clone();
    let before = ahead.history().len();
    ahead.act(action, words);
    ahead.reach();
    match &ahead.history().get(before + 1)?.act {
        Act::Offer { offer, .. } => Some(frontier.theirs(offer).max(0.0)),
        Act::Accept | Act::Pass | Act::WalkAway => None,
    }
}

/// What the closing brings over all copies together: where it is not taken, what stands then is. `None` where
/// authority stops it, or nowhere it ends the negotiation.
fn brought(games: &[Rehearsal], close: &Action, words: Option<&Message>) -> Option<f64> {
    let (mut sum, mut ends) = (0.0, false);
    for game in games {
        if *close == Action::Accept && game.standing() <= 0.0 {
            continue;
        }
        let mut copy = game.clone();
        if !copy.act(close, words) {
            return None;
        }
        if copy.reach() {
            sum += copy.standing();
        } else {
            ends = true;
            sum += copy.realised();
        }
    }
    ends.then_some(sum)
}

/// Reasons, courtesy, acknowledgement and consistency in one message: the best that any listener can hear, and nothing that
/// needs to be true.
fn warm_words() -> Message {
    use zopa_envs::message::Reason;
    let remarks = [
        Remark::Courtesy,
        Remark::Courtesy,
        Remark::Acknowledgement,
        Remark::Acknowledgement,
        Remark::Reason(Reason::Relationship),
        Remark::Reason(Reason::Fairness),
        Remark::Reason(Reason::Market),
        Remark::Consistency,
        Remark::Consistency,
    ];
    Message::new(&speak(SpeechAct::Hold, &SpokenTerms::default(), &remarks, 0).text)
}

//! Plans played forward against every particle at once, and what they are worth when each later turn may end them.

use super::mind::{Manner, Turn};
use super::objective::Objective;
use super::particle::Particle;
use super::stopping::{Path, value};
use zopa_envs::{PartyView, Stream};

/// What a random counterpart's standing offer costs beside what it gains by it: its terms suit nobody.
const RANDOM_TERMS: f64 = 0.08;
/// The most that a random counterpart's draw gains it, in units.
const RANDOM_MOST: f64 = 0.5;

/// Chance, each round, that something ends the negotiation or keeps a plan from working that no hypothesis foresees. It makes
/// who plans with a model a little less patient than the model says.
const UNFORESEEN: f64 = 0.01;

/// An own way on: what is offered now, and what is given up in each turn after it, until the other side would take it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    /// Own gain of the offer now, in units; `None` passes.
    pub(super) now: Option<f64>,
    /// Own gain given up in each later turn, in units.
    pub(super) step: f64,
}

/// The clock and the authority of the turns to come.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// The current round.
    pub(super) round: u16,
    /// Rounds of the negotiation.
    pub(super) rounds: u16,
    pub(super) opens: bool,
    /// What a gain agreed on in own turn k, or in the reply to it, counts: chance of getting there times discount.
    at_turn: Vec<f64>,
    at_reply: Vec<f64>,
    /// The largest own drop in own turn k, in units.
    drops: Vec<f64>,
    /// What the other side's gains count for a round later.
    pub(super) their_discount: f64,
    /// How the own words sound to each ear from now on.
    pub(super) signals: [f64; 3],
    /// The least own gain of an offer, in units.
    pub(super) least: f64,
}

impl Course {
    pub(super) fn of(
        view: &PartyView<'_>,
        unit: f64,
        least: f64,
        their_discount: f64,
        signals: [f64; 3],
        depth: u16,
    ) -> Self {
        let own_rounds = view.own.deadline.unwrap_or(view.public.rounds).min(view.public.rounds);
        let opens = view.public.opener == view.seat;
        let turns = own_rounds.saturating_sub(view.round).max(1).min(depth);
        let counts = |turn: u16, rounds_ahead: u16| {
            let t = zopa_envs::phase::progress(view.round + turn, view.public.rounds).min(1.0);
            view.public.discount_at(view.seat, t)
                * libm::pow((1.0 - view.public.hazard) * (1.0 - UNFORESEEN), f64::from(rounds_ahead))
        };
        let ahead = u16::from(!opens);
        let drop = |turn: u16| {
            let t = zopa_envs::phase::progress(view.round + turn, view.public.rounds).min(1.0);
            let caps = view.public.guardrails.as_ref();
            caps.map_or(f64::INFINITY, |caps| caps.largest_drop(view.own, view.public.phases.at(t)) / unit)
        };
        Self {
            round: view.round,
            rounds: view.public.rounds,
            opens,
            at_turn: (0..turns).map(|turn| counts(turn, turn)).collect(),
            at_reply: (0..turns).map(|turn| counts(turn + ahead, turn + ahead)).collect(),
            drops: (0..turns).map(drop).collect(),
            their_discount,
            signals,
            least,
        }
    }

    /// Own turns from now on.
    pub(super) fn turns(&self) -> usize {
        self.at_turn.len()
    }

    /// The round in which the other side answers own turn `turn`; `None` where nobody does any more.
    pub(super) fn reply_round(&self, turn: usize) -> Option<u16> {
        let round = self.round + turn as u16 + u16::from(!self.opens);
        (round < self.rounds).then_some(round)
    }
}

/// What a way is worth, and how often it is taken up at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Worth {
    /// Expected score.
    pub(super) value: f64,
    /// Chance that the other side accepts in its reply.
    pub(super) acceptance: f64,
    /// Turns of particles that were played.
    pub(super) nodes: u32,
}

/// Plays `way` against all particles, each on a copy.
pub(super) fn worth(
    way: Way,
    particles: &[Particle],
    course: &Course,
    last_own: Option<f64>,
    novel: bool,
    objective: &Objective,
    stream: &mut Stream,
) -> Worth {
    let mut paths: Vec<Path> = Vec::with_capacity(particles.len());
    let (mut accepted, mut nodes) = (0.0, 0);
    for particle in particles {
        let (path, taken) = play(way, particle, course, last_own, novel, objective, stream, &mut nodes);
        accepted += taken;
        paths.push(path);
    }
    let count = particles.len().max(1) as f64;
    Worth { value: value(&mut paths), acceptance: accepted / count, nodes }
}

#[expect(clippy::too_many_arguments, reason = "one particle's walk, called in one place")]
fn play(
    way: Way,
    particle: &Particle,
    course: &Course,
    last_own: Option<f64>,
    novel: bool,
    objective: &Objective,
    stream: &mut Stream,
    nodes: &mut u32,
) -> (Path, f64) {
    let turns = course.turns();
    let mut path = Path::with_capacity(turns);
    let mut mind = particle.mind.clone();
    let mut own = way.now.or(last_own);
    let (mut standing, mut before, mut standing_theirs) = (0.0, 0.0, 0.0);
    let mut alive = 1.0;
    let mut taken_now = 0.0;
    let random = matches!(particle.manner, Manner::Random(_));
    for turn in 0..turns {
        let mut fresh = turn == 0 && way.now.is_some();
        let mut is_novel = novel;
        if turn > 0 && own.is_some() && way.now.is_some() {
            // Down by a step, but no further than what it asked for.
            let level = own.unwrap_or(0.0);
            let asked = path.asked.unwrap_or(f64::NEG_INFINITY);
            let next = (level - way.step.min(course.drops[turn])).max(asked.min(level)).max(course.least.min(level));
            is_novel = next < level;
            own = Some(next);
            fresh = true;
        }
        if let (true, Some(own)) = (fresh, own) {
            mind.hear(particle.exchange.theirs(own), is_novel);
        }
        let offered = mind.standing();
        let reply = course.reply_round(turn);
        let leaves = particle.leaves && reply.is_some_and(|round| round >= particle.rounds);
        let mut exercise = 0.0;
        if turn > 0 && standing > 0.0 {
            exercise = objective.of(standing, standing_theirs) * course.at_turn[turn];
        }
        let (Some(round), false) = (reply, leaves) else {
            path.push(turn, exercise, standing, before, alive);
            break;
        };
        *nodes += 1;
        let now = Turn {
            round,
            rounds: particle.rounds,
            discount: course.their_discount,
            signals: if turn == 0 && way.now.is_none() { [0.0; 3] } else { course.signals },
        };
        let mut asked = mind.turn(&particle.manner, &particle.traits, now);
        if random {
            asked.ask = asked.ask + (RANDOM_MOST - asked.ask).max(0.0) * stream.uniform();
            asked.threshold = asked.ask;
        }
        // What would close in this turn: its threshold, which an imitator lowers by what it is given.
        let wanted = match offered {
            Some(offered) if asked.answers > 0.0 && offered < asked.threshold => {
                let last = particle.traits.last * particle.traits.yardstick;
                ((asked.threshold + asked.answers * offered) / (1.0 + asked.answers)).max(last)
            }
            _ => asked.threshold,
        };
        let cap = own.filter(|_| turn > 0).map_or(f64::NEG_INFINITY, |own| own - course.drops[turn]);
        if turn > 0
            && !random
            && let Some(closing) = particle.exchange.own(wanted + particle.margin)
            && closing > course.least.max(cap)
        {
            let (closing, left) = best_left(objective, particle, closing, wanted);
            exercise = f64::max(exercise, asked.take * objective.of(closing, left) * course.at_reply[turn]);
        }
        path.push(turn, exercise, standing, before, alive);
        if let (Some(offered), Some(own)) = (offered, own)
            && offered >= asked.threshold
        {
            path.bank(turn, alive * asked.take * objective.of(own, offered) * course.at_reply[turn]);
            if turn == 0 {
                taken_now = asked.take;
            }
            alive *= 1.0 - asked.take;
            if alive < 1e-6 {
                break;
            }
        }
        (before, standing_theirs) = (standing, asked.ask);
        standing = particle.its_offers.0 + particle.its_offers.1 * asked.ask;
        if random {
            standing -= RANDOM_TERMS;
        }
        if turn == 0 {
            (before, standing_theirs) = (standing, asked.ask);
        }
        path.asked = if random { None } else { particle.exchange.own(asked.ask) };
    }
    (path, taken_now)
}

/// The own gain and what is left where the objective would leave the other side more than it wants.
fn best_left(objective: &Objective, particle: &Particle, closing: f64, wanted: f64) -> (f64, f64) {
    match &particle.exchange {
        super::particle::Exchange::Line { rest, rate, .. } => {
            let left = objective.left(wanted, *rest, *rate);
            if left > wanted { (rest - rate * left, left) } else { (closing, wanted) }
        }
        super::particle::Exchange::Steps(_) => (closing, wanted),
    }
}

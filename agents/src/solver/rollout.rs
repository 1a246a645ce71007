//! Plans played forward against every particle at once, and what they are worth when each later turn may end them.

use super::gaussian::normal_below;
use super::mind::{Manner, Turn};
use super::number::conceded_by;
use super::objective::Objective;
use super::particle::{Exchange, Particle};
use super::stopping::{Path, value};
use super::valuation::Form;
use zopa_envs::{PartyView, Stream};

/// What a random counterpart's standing offer costs beside what it gains by it: its terms suit nobody.
const RANDOM_TERMS: f64 = 0.08;
/// The most that a random counterpart's draw gains it, in units.
const RANDOM_MOST: f64 = 0.5;

/// Chance, over a whole negotiation, that something ends it or keeps a plan from working that no hypothesis foresees. It makes
/// who plans with a model a little less patient than the model says. The second is for where no hazard was published.
const UNFORESEEN: [f64; 2] = [0.17, 0.03];

/// Chance a turn, at most, of an acceptance that no hypothesis foresees, and the deviation of what is left to the other side
/// around what it would need then, in units.
const SURPRISED: f64 = 0.005;
const DOUBT: f64 = 0.05;

/// How many standard deviations above what it is thought to want a closing offer leaves the other side, and its chance then.
const SURER: [(f64, f64); 3] = [(0.3, 0.618), (1.0, 0.841), (1.8, 0.964)];

/// An own way on: what is offered now, and what is given up in each turn after it, until the other side would take it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    /// Own gain of the offer now, in units; `None` passes.
    pub(super) now: Option<f64>,
    /// Own gain given up in each later turn, in units.
    pub(super) step: f64,
}

/// What is known of the offer that a way begins with.
#[derive(Clone, Debug)]
pub(super) struct First {
    /// Whether it was never made before.
    pub(super) novel: bool,
    /// What it leaves the other side, where it is no package of the menu.
    pub(super) form: Option<Form>,
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
        let own_rounds = view.own.stays_for(view.public.rounds);
        let opens = view.public.opener == view.seat;
        let turns = own_rounds.saturating_sub(view.round).max(1).min(depth);
        let rounds = f64::from(view.public.rounds.saturating_sub(1).max(1));
        let foreseen = libm::pow(1.0 - UNFORESEEN[usize::from(view.public.hazard <= 0.0)], 1.0 / rounds);
        let counts = |turn: u16, rounds_ahead: u16| {
            let t = zopa_envs::phase::progress(view.round + turn, view.public.rounds).min(1.0);
            view.public.discount_at(view.seat, t)
                * libm::pow((1.0 - view.public.hazard) * foreseen, f64::from(rounds_ahead))
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
}

/// What all ways of a decision are played in.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) particles: &'a [Particle],
    pub(super) course: &'a Course,
    pub(super) objective: &'a Objective,
    /// Own gain of the last own offer, in units.
    pub(super) last_own: Option<f64>,
}

/// A decision's ways, one after the other in the same scene.
pub(super) struct Trials<'a> {
    scene: Scene<'a>,
    /// What packages leave the other side at the belief's mean.
    mean: Exchange,
    /// A particle each.
    curves: Vec<Curve>,
    paths: Vec<Path>,
    /// Turns of particles that were played.
    pub(super) nodes: u32,
}

impl<'a> Trials<'a> {
    pub(super) fn new(scene: Scene<'a>, mean: Exchange) -> Self {
        let (particles, turns) = (scene.particles, scene.course.turns());
        let curves = particles.iter().map(|particle| Curve::of(particle, turns)).collect();
        let paths = particles.iter().map(|_| Path::with_capacity(turns)).collect();
        Self { scene, mean, curves, paths, nodes: 0 }
    }

    /// Plays `way` against all particles, each on a copy. `first`: what is known of its offer.
    pub(super) fn worth(&mut self, way: Way, first: &First, stream: &mut Stream) -> Worth {
        let scene = self.scene;
        let mut accepted = 0.0;
        for ((particle, curve), path) in scene.particles.iter().zip(&mut self.curves).zip(&mut self.paths) {
            path.clear();
            let (taken, nodes) = scene.play((way, first), particle, curve, path, stream);
            accepted += taken;
            self.nodes += nodes;
        }
        let count = scene.particles.len().max(1) as f64;
        let unforeseen = unforeseen(way, &self.mean, scene.course, scene.last_own, scene.objective);
        Worth { value: value(&self.paths) + unforeseen, acceptance: accepted / count }
    }
}

/// How far a particle's curve has conceded at the clocks of the way before. Ways that drive its clock alike, as all do where the
/// clock is the calendar, share what costs a logarithm and an exponential.
struct Curve {
    /// One over the concession exponent.
    inverse: f64,
    /// By own turn: the clock, and what is conceded there.
    known: Vec<(f64, f64)>,
}

impl Curve {
    fn of(particle: &Particle, turns: usize) -> Self {
        Self { inverse: libm::exp(-particle.traits.log_exponent), known: vec![(f64::NAN, 0.0); turns] }
    }

    fn at(&mut self, turn: usize, clock: f64) -> f64 {
        let known = &mut self.known[turn];
        if known.0 != clock {
            *known = (clock, conceded_by(clock, self.inverse));
        }
        known.1
    }
}

/// What is expected of an acceptance that no particle foresees: a small chance a turn, the larger the more is left to the other
/// side. It matters where the belief holds no deal possible: it may be wrong, and conceding costs nothing then.
fn unforeseen(way: Way, mean: &Exchange, course: &Course, last_own: Option<f64>, objective: &Objective) -> f64 {
    let (Some(mut own), mut alive, mut sum) = (way.now.or(last_own), 1.0, 0.0) else { return 0.0 };
    for turn in 0..course.turns() {
        if turn > 0 && way.now.is_some() {
            own = (own - way.step.min(course.drops[turn])).max(course.least.min(own));
        }
        if course.reply_round(turn).is_none() {
            break;
        }
        let left = mean.theirs(own);
        let chance = SURPRISED * normal_below(left / DOUBT);
        sum += alive * chance * objective.of(own, left) * course.at_reply[turn];
        alive *= 1.0 - chance;
    }
    sum
}

impl Scene<'_> {
    /// One particle's walk, written to `path`; returns whether the first offer is taken up at once, and the turns played.
    fn play(
        &self,
        (way, first): (Way, &First),
        particle: &Particle,
        curve: &mut Curve,
        path: &mut Path,
        stream: &mut Stream,
    ) -> (f64, u32) {
        let Self { course, objective, last_own, .. } = *self;
        let turns = course.turns();
        let mut mind = particle.mind.clone();
        let mut own = way.now.or(last_own);
        let mut nodes = 0;
        let (mut standing, mut before, mut standing_theirs) = (0.0, 0.0, 0.0);
        let mut alive = 1.0;
        let mut taken_now = 0.0;
        let random = matches!(particle.manner, Manner::Random(_));
        for turn in 0..turns {
            let mut fresh = turn == 0 && way.now.is_some();
            let mut is_novel = first.novel;
            if turn > 0 && own.is_some() && way.now.is_some() {
                // Down by a step, but no further than what it asked for.
                let level = own.unwrap_or(0.0);
                let asked = path.asked.unwrap_or(f64::NEG_INFINITY);
                let next =
                    (level - way.step.min(course.drops[turn])).max(asked.min(level)).max(course.least.min(level));
                is_novel = next < level;
                own = Some(next);
                fresh = true;
            }
            if let (true, Some(own)) = (fresh, own) {
                let beside = first.form.as_ref().filter(|_| turn == 0);
                let left = beside.map_or_else(|| particle.exchange.theirs(own), |form| form.at(&particle.state));
                mind.hear(left, is_novel);
            }
            let offered = mind.standing();
            let reply = course.reply_round(turn);
            let leaves = particle.leaves && reply.is_some_and(|round| round >= particle.rounds);
            let mut take = 0.0;
            if turn > 0 && standing > particle.takes_above {
                take = objective.of(standing, standing_theirs) * course.at_turn[turn];
            }
            let (Some(round), false) = (reply, leaves) else {
                path.push(turn, [take, 0.0], standing, before, alive);
                break;
            };
            nodes += 1;
            let now = Turn {
                round,
                rounds: particle.rounds,
                discount: course.their_discount,
                signals: if turn == 0 && way.now.is_none() { [0.0; 3] } else { course.signals },
            };
            let mut asked = mind.turn_along(&particle.manner, &particle.traits, now, |clock| curve.at(turn, clock));
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
            let mut close = 0.0;
            if turn > 0 && !random {
                for (deviations, chance) in SURER {
                    let Some(closing) = particle.exchange.own(wanted + deviations * particle.spread) else { continue };
                    if closing > course.least.max(cap) {
                        let (closing, left) = best_left(objective, particle, closing, wanted);
                        close =
                            f64::max(close, chance * asked.take * objective.of(closing, left) * course.at_reply[turn]);
                    }
                }
            }
            path.push(turn, [take, close], standing, before, alive);
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
            standing = particle.offers(asked.ask);
            if random {
                standing -= RANDOM_TERMS;
            } else if !asked.shows {
                // It repeats one of its earlier offers, any of them.
                standing = standing.min(0.0);
            }
            if turn == 0 {
                (before, standing_theirs) = (standing, asked.ask);
            }
            path.asked = if random { None } else { particle.exchange.own(asked.ask) };
        }
        (taken_now, nodes)
    }
}

/// The own gain and what is left where the objective would leave the other side more than it wants.
fn best_left(objective: &Objective, particle: &Particle, closing: f64, wanted: f64) -> (f64, f64) {
    match &particle.exchange {
        Exchange::Line { rest, rate, .. } => {
            let left = objective.left(wanted, *rest, *rate);
            if left > wanted { (rest - rate * left, left) } else { (closing, wanted) }
        }
        Exchange::Steps(_) => (closing, wanted),
    }
}

//! What to do now: every action weighed by what it is expected to bring.

use super::belief::Belief;
use super::explain::{SHOWN, packages};
use super::further::further;
use super::menu::{Menu, permits};
use super::mind::Turn;
use super::objective::{Goal, Objective};
use super::particle::{Exchange, Particle, draw};
use super::probe::probe_terms;
use super::rollout::{Course, First, Scene, Trials, Way, Worth};
use super::valuation::FIRST;
use zopa_envs::{Offer, PartyView, Stream};

/// Steps given up a turn in a plan, in shares of the own yardstick; the largest permitted one is tried besides.
pub(super) const STEPS: [f64; 4] = [0.0008, 0.003, 0.008, 0.02];
/// The step of plans in tables, whose packages lie so far apart that smaller ones reach none for many turns.
pub(super) const TABLE_STEP: f64 = 0.02;
/// What a first offer leaves the other side in expectation, in units: from beyond all it could take up to what it may.
const FIRST_LEFT: [f64; 3] = [-0.30, -0.12, -0.02];
/// Chances of acceptance at which closing offers are tried.
const CLOSING: [f64; 6] = [0.10, 0.25, 0.45, 0.65, 0.85, 0.97];
/// Chance of acceptance below which an offer's terms are free to ask a question.
const UNLIKELY: f64 = 0.03;
/// Grids round: the least that is not known of what a package leaves, in units.
const LEAST_SPREAD: f64 = 1e-3;
/// An offer is preferred to taking what stands only where it brings more by this, in units.
const TIE: f64 = 1e-9;

/// How much a decision may search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Turns of particles that are played in a decision, about.
    pub nodes: u32,
    /// Particles at most.
    pub particles: u32,
    /// Own turns that are looked ahead, the current one included.
    pub depth: u16,
}

impl Budget {
    /// The solver's own: under a millisecond.
    pub const USUAL: Self = Self { nodes: 9_000, particles: 64, depth: u16::MAX };
    /// One turn ahead.
    pub const MYOPIC: Self = Self { depth: 2, ..Self::USUAL };
    /// For ceilings, which nobody waits for.
    pub const LARGE: Self = Self { nodes: 120_000, particles: 256, depth: u16::MAX };
}

/// An action that was weighed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weighed {
    pub(super) option: Candidate,
    /// Own gain if it is agreed on, in units.
    pub(super) own: f64,
    /// Chance that it is accepted now.
    pub(super) acceptance: f64,
    /// Expected score.
    pub(super) value: f64,
}

/// What can be done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Candidate {
    Accept,
    Offer(Offer),
    Pass,
    Leave,
}

/// All that was weighed, best first, and what it took.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) weighed: Vec<Weighed>,
    /// Packages that are shown besides, best first.
    pub(super) further: Vec<Weighed>,
    pub(super) nodes: u32,
    pub(super) particles: Vec<Particle>,
    /// Why the best action is a probe, where it is one.
    pub(super) probe: Option<&'static str>,
}

/// What a decision is made from besides the view.
pub(super) struct Situation<'a> {
    pub(super) belief: &'a Belief,
    pub(super) menu: &'a Menu,
    pub(super) objective: &'a Objective,
    pub(super) budget: Budget,
    /// How the own words will sound.
    pub(super) signals: [f64; 3],
    /// Whether the standing offer may be taken: it may have been refused in this turn.
    pub(super) may_accept: bool,
    /// Whether the own offer on the table may not stand: another one has to replace it where there is one.
    pub(super) stale: bool,
    /// An own offer that the principal withdrew: it may not be made again.
    pub(super) withdrawn: Option<&'a Offer>,
}

pub(super) fn choose(view: &PartyView<'_>, situation: &Situation<'_>, stream: &mut Stream) -> Choice {
    let Situation { belief, menu, objective, budget, signals, may_accept, stale, withdrawn } = *situation;
    let unit = belief.valuation.unit;
    let least = (view.least_gain() / unit).max(1e-9);
    let planned = least.max(menu.permitted_above(view, unit));
    let course = Course::of(view, unit, planned, belief.round_discount(view), signals, budget.depth);
    // Rounding must not push an offer off the price that is the limit.
    let permitted = (planned - 1e-9).max(least);
    let last = view.own_last_gain().map(|gain| gain / unit);
    let ways_expected = 11;
    let count = (budget.nodes / (ways_expected * course.turns() as u32)).clamp(16, budget.particles);
    let mut particles = draw(belief, view, menu, count as usize, stream);
    spreads(belief, view, menu, &mut particles);
    let mean = Exchange::of(menu, &belief.valuation, &belief.mean());
    let mut weighed = Vec::new();
    let mut trials = Trials::new(Scene { particles: &particles, course: &course, objective, last_own: last }, mean);
    if let Some(standing) = view.standing().filter(|_| may_accept) {
        let own = view.gain(standing) / unit;
        if own > 0.0 && permits(view, standing, view.gain(standing)) {
            let theirs = belief.valuation.form(view, standing).at(&belief.mean());
            let value = objective.of(own, theirs) * counts_now(view);
            weighed.push(Weighed { option: Candidate::Accept, own, acceptance: 1.0, value });
        }
    }
    if course.reply_round(0).is_some() {
        for way in ways(view, situation, &course, &particles, last) {
            let Some(now) = way.now else { continue };
            let Some((offer, own)) = menu.package(view, unit, now.max(permitted)) else { continue };
            let known = || weighed.iter().any(|known: &Weighed| same(known, &offer));
            if !permits(view, &offer, own * unit) || withdrawn == Some(&offer) || known() {
                continue;
            }
            let first = First { novel: !belief.has_offered(&offer), form: None };
            let Worth { value, acceptance } = trials.worth(Way { now: Some(own), ..way }, &first, stream);
            weighed.push(Weighed { option: Candidate::Offer(offer), own, acceptance, value });
        }
        let first = First { novel: false, form: None };
        let pass = trials.worth(Way { now: None, step: 0.0 }, &first, stream);
        if !stale || weighed.iter().all(|weighed| !matches!(weighed.option, Candidate::Offer(_))) {
            weighed.push(Weighed { option: Candidate::Pass, own: 0.0, acceptance: 0.0, value: pass.value });
        }
    } else {
        weighed.push(Weighed { option: Candidate::Pass, own: 0.0, acceptance: 0.0, value: 0.0 });
    }
    weighed.push(Weighed { option: Candidate::Leave, own: 0.0, acceptance: 0.0, value: 0.0 });
    // A stable sort: of equals the one that was weighed first, so that taking comes before offering and leaving comes last.
    weighed.sort_by(|a, b| {
        let level = |weighed: &Weighed| weighed.value + if weighed.option == Candidate::Accept { TIE } else { 0.0 };
        level(b).total_cmp(&level(a))
    });
    let probe = probed(view, situation, &mut weighed);
    let missing = SHOWN.saturating_sub(packages(view, weighed.iter()).len());
    let mut further = further(view, situation, &weighed, missing, permitted, &mut trials, stream);
    let nodes = trials.nodes;
    let best = weighed.iter().map(|weighed| weighed.own).fold(menu.most(), f64::max);
    for weighed in weighed.iter_mut().chain(&mut further) {
        weighed.value = weighed.value.min(ceiling(objective, weighed, best));
    }
    Choice { weighed, further, nodes, particles, probe }
}

/// The most that can be expected of an action where the own gain alone counts: its own gain where it is accepted, and the `best` gain
/// of all where it is not. The chance that nobody foresees an acceptance is added to whatever is expected otherwise, which
/// may exceed this; the choice is made by then.
fn ceiling(objective: &Objective, weighed: &Weighed, best: f64) -> f64 {
    let score = |own: f64| objective.of(own, 0.0);
    match objective.goal {
        Goal::OwnGain => weighed.acceptance * score(weighed.own) + (1.0 - weighed.acceptance) * score(best),
        Goal::NashProduct { .. } | Goal::Relationship { .. } => f64::INFINITY,
    }
}

/// Where the best action is an offer that nobody is expected to take, the terms in it are free to ask a question: puts the
/// probe in its place where the answer is worth more than nothing.
fn probed(view: &PartyView<'_>, situation: &Situation<'_>, weighed: &mut Vec<Weighed>) -> Option<&'static str> {
    let best = weighed.first()?;
    if !matches!(best.option, Candidate::Offer(_)) || best.acceptance > UNLIKELY {
        return None;
    }
    let probe = probe_terms(view, situation.belief, situation.menu)?;
    let unit = situation.belief.valuation.unit;
    let price = situation.belief.valuation.price?;
    let menu = Menu::priced(view, &situation.belief.valuation, &probe.terms, price)?;
    let (offer, own) = menu.package(view, unit, best.own)?;
    let level = view.own_last_gain().map_or(f64::INFINITY, |gain| gain / unit);
    // A probe is no retreat: it gains no more than the last offer did.
    if own > level + 1e-6 || !permits(view, &offer, own * unit) || own * unit < view.least_gain() {
        return None;
    }
    let value = best.value + probe.worth;
    weighed.insert(0, Weighed { option: Candidate::Offer(offer), own, acceptance: best.acceptance, value });
    Some("an answer about terms is worth more than repeating the same")
}

pub(super) fn same(known: &Weighed, offer: &Offer) -> bool {
    matches!(&known.option, Candidate::Offer(other) if other == offer)
}

/// What an agreement now counts: nothing is lost any more.
fn counts_now(view: &PartyView<'_>) -> f64 {
    view.public.discount_at(view.seat, view.progress().min(1.0))
}

/// The own levels and paces worth trying now.
fn ways(
    view: &PartyView<'_>,
    situation: &Situation<'_>,
    course: &Course,
    particles: &[Particle],
    last: Option<f64>,
) -> Vec<Way> {
    let unit = situation.belief.valuation.unit;
    let yardstick = view.own.yardstick / unit;
    let listed = match situation.menu {
        Menu::Listed(packages) => Some(packages),
        Menu::Priced { .. } => None,
    };
    let steps = STEPS.map(|step| yardstick * if listed.is_some() { TABLE_STEP } else { step });
    let largest = view
        .public
        .guardrails
        .as_ref()
        .map_or(0.06 * yardstick, |caps| caps.largest_drop(view.own, view.phase()) / unit);
    let mut ways = Vec::new();
    match last {
        Some(last) => {
            ways.push(Way { now: Some(last), step: steps[1] });
            // The next package, however far away it is.
            let next = listed.and_then(|packages| packages.iter().find(|package| package.own < last - 1e-9));
            ways.extend(next.map(|package| Way { now: Some(package.own), step: steps[1] }));
            for step in steps.into_iter().chain([largest]) {
                if step <= largest {
                    ways.push(Way { now: Some(last - step), step });
                }
            }
        }
        None => {
            let state = situation.belief.mean();
            let mean = Exchange::of(situation.menu, &situation.belief.valuation, &state);
            for (place, left) in FIRST_LEFT.into_iter().enumerate() {
                let left = left * if situation.belief.valuation.price.is_some() { 1.0 } else { 3.0 };
                let Some(own) = mean.own(left).or_else(|| mean.own(f64::NEG_INFINITY)) else { continue };
                for step in [steps[2], 0.06 * yardstick].into_iter().skip(usize::from(place == 2)) {
                    ways.push(Way { now: Some(own), step });
                }
                ways.push(Way { now: Some(own), step: steps[1] });
            }
        }
    }
    let levels = closing_levels(course, particles);
    for level in levels {
        ways.push(Way { now: Some(level), step: steps[0] });
    }
    ways
}

/// Own gains that the particles would accept now, at the chances of [`CLOSING`].
fn closing_levels(course: &Course, particles: &[Particle]) -> Vec<f64> {
    let Some(round) = course.reply_round(0) else { return Vec::new() };
    let mut levels: Vec<f64> = particles
        .iter()
        .filter(|particle| !(particle.leaves && round >= particle.rounds))
        .filter_map(|particle| {
            let mut mind = particle.mind.clone();
            let offered = mind.standing();
            let (rounds, discount) = (particle.rounds, course.their_discount);
            let now = Turn { round, rounds, discount, signals: course.signals };
            let asked = mind.turn(&particle.manner, &particle.traits, now);
            let wanted = match offered {
                Some(offered) if asked.answers > 0.0 && offered < asked.threshold => {
                    let last = particle.traits.last * particle.traits.yardstick;
                    ((asked.threshold + asked.answers * offered) / (1.0 + asked.answers)).max(last)
                }
                _ => asked.threshold,
            };
            particle.exchange.own(wanted).filter(|own| *own > course.least)
        })
        .collect();
    levels.sort_by(|a, b| b.total_cmp(a));
    if levels.is_empty() {
        return levels;
    }
    let reachable = levels.len() as f64;
    let mut chosen: Vec<f64> = CLOSING
        .iter()
        .map(|chance| levels[((chance * reachable) as usize).min(levels.len() - 1)])
        .map(|level| level - 1e-5)
        .collect();
    chosen.dedup_by(|a, b| (*a - *b).abs() < 1e-4);
    chosen
}

/// What is not known of the gain that a package of the menu leaves each particle, given what it asks.
fn spreads(belief: &Belief, view: &PartyView<'_>, menu: &Menu, particles: &mut [Particle]) {
    let package = match menu {
        Menu::Priced { terms, .. } => view.standing().map_or_else(
            || terms.clone(),
            |standing| {
                let price = belief.valuation.price.unwrap_or(0);
                terms.with(price, standing.get(price))
            },
        ),
        Menu::Listed(packages) => match packages.get(packages.len() / 2) {
            Some(package) => package.offer.clone(),
            None => return,
        },
    };
    let form = belief.valuation.form(view, &package);
    let mut known: Option<(usize, f64)> = None;
    for particle in particles {
        let spread = match known {
            Some((hypothesis, spread)) if hypothesis == particle.hypothesis => spread,
            _ => {
                let hypothesis = &belief.hypotheses[particle.hypothesis];
                let mut slopes = vec![0.0; belief.valuation.size()];
                form.add_to(&mut slopes, 1.0);
                if let Some(asked) = hypothesis.asked {
                    slopes.iter_mut().zip(&asked.ask.slopes).for_each(|(slope, by)| *slope -= by);
                }
                debug_assert!(slopes.len() >= FIRST);
                LEAST_SPREAD + libm::sqrt(hypothesis.state.variance_of(&slopes))
            }
        };
        known = Some((particle.hypothesis, spread));
        particle.spread = spread;
    }
}

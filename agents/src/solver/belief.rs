//! What is believed of the other side: a mixture of hypotheses about how it behaves, each with a normal belief over what it
//! values.
//!
//! A Gaussian-sum filter (Alspach and Sorenson 1972), or a Rao-Blackwellised particle filter whose particles stay: what enters
//! the formulas in straight lines, or nearly so, is updated by Kalman's rule around the mean, and the hypotheses are weighed
//! by Bayes' rule. A refusal counts as a bound that is itself uncertain; an offer that no formula
//! explains cannot cost a hypothesis more than a floor.

use super::cues::Cues;
use super::curvature::{Bend, bend};
use super::family::{Seed, Setting, seeds};
use super::gaussian::Gaussian;
use super::mind::{Asked, Manner, Mind, Traits, Turn};
use super::number::{Dual, SLOPES};
use super::terms::{is_best, same_terms};
use super::valuation::{EXPONENT, FIRST, Form, INITIAL, LAST, Valuation};
use zopa_envs::counterpart::Ear;
use zopa_envs::tactic::Selection;
use zopa_envs::{Act, Move, Offer, PartyView, Stream};

/// The density, per unit of gain, of an offer that no formula explains.
const SURPRISE: f64 = 0.02;
/// Chance that an offer's other terms are as the family chooses them; else they are anything.
const TERMS_AS_CHOSEN: f64 = 0.97;
const TERMS_ANYTHING: f64 = 2e-3;
/// The least spread of a refusal's bound, in units: one refusal is weak evidence.
const REFUSAL_SPREAD: f64 = 2e-3;
/// The power to which likelihoods are taken when hypotheses are weighed: each stands for all that is like it and is itself not
/// quite right, so that full weight would soon leave one alone, and often the wrong one (coarsened posteriors: Miller and
/// Dunson 2019). Found on training splits.
const TEMPER: f64 = 0.5;
/// A hypothesis below this share of the best is as good as refuted.
const NEGLIGIBLE: f64 = 1e-6;

/// One hypothesis about the other side.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    pub(super) seed: Seed,
    log_weight: f64,
    /// Its share of the belief.
    pub(super) weight: f64,
    pub(super) state: Gaussian,
    pub(super) mind: Mind<Dual>,
    /// What it last asked for and was refused at.
    pub(super) asked: Option<Asked<Dual>>,
    /// What straight lines leave out of that.
    bend: Bend,
}

impl Hypothesis {
    pub(super) fn of(seed: Seed, state: Gaussian) -> Self {
        let log_weight = libm::log(seed.weight.max(1e-12));
        Self { log_weight, weight: seed.weight, state, mind: Mind::new(), asked: None, bend: Bend::default(), seed }
    }

    /// The traits at the state's mean.
    pub(super) fn traits(&self, valuation: &Valuation) -> Traits<Dual> {
        traits(&self.state.mean, valuation)
    }

    /// Rounds that it stays for.
    pub(super) fn rounds(&self, public: u16) -> u16 {
        self.seed.deadline.map_or(public, |deadline| deadline.min(public)).max(1)
    }

    pub(super) fn reweigh(&mut self, likelihood: f64) {
        self.log_weight += TEMPER * libm::log(likelihood.max(1e-300));
    }

    /// Takes in a linear form of the state: `value` at the mean, seen to be 0.
    pub(super) fn observe_zero(&mut self, slopes: &[f64], value: f64, noise: f64) {
        let moved = self.state.observe(slopes, -value, noise);
        self.mind.shift(&moved[..moved.len().min(SLOPES)]);
    }

    fn dual(&self, form: &Form) -> Dual {
        let mut dual = Dual { value: form.at(&self.state.mean), slopes: [0.0; SLOPES] };
        for &(index, factor) in form.terms.iter().filter(|(index, _)| usize::from(*index) < SLOPES) {
            dual.slopes[usize::from(index)] += factor;
        }
        dual
    }
}

/// The traits that a state holds.
pub(super) fn traits(state: &[f64], valuation: &Valuation) -> Traits<Dual> {
    let part = |index: usize| Dual::component(state[index], index);
    let form = valuation.yardstick();
    let mut yardstick = Dual { value: form.at(state), slopes: [0.0; SLOPES] };
    for &(index, factor) in &form.terms {
        yardstick.slopes[usize::from(index)] = factor;
    }
    let money = valuation.price.is_some();
    let origin = if money { yardstick } else { Dual { value: 0.0, slopes: [0.0; SLOPES] } };
    Traits {
        initial: part(INITIAL),
        last: part(LAST),
        log_exponent: part(EXPONENT),
        yardstick,
        origin,
        sign: if money { valuation.sign } else { 1.0 },
    }
}

/// The belief, and how far it has read the history.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    pub(super) valuation: Valuation,
    pub(super) hypotheses: Vec<Hypothesis>,
    /// Lowest and highest possible value of each component of the state.
    pub(super) bounds: Vec<(f64, f64)>,
    /// Counts of cues by how true they seemed.
    pub(super) cues: Cues,
    read: usize,
    offered: Vec<Offer>,
    theirs: Vec<Offer>,
    signals: [f64; 3],
    learns: bool,
    /// Combinations of the other terms.
    combinations: f64,
}

impl Belief {
    /// The belief before the first move. `library`: whether the published families are used; `only`: keeps to one of
    /// them; `learns`: whether anything seen changes it.
    pub(super) fn new(
        view: &PartyView<'_>,
        library: bool,
        only: Option<usize>,
        learns: bool,
        stream: &mut Stream,
    ) -> Self {
        let valuation = Valuation::of(view);
        let money = valuation.price.is_some();
        let setting = Setting { rounds: view.public.rounds, money, breaks_off: view.public.hazard > 0.0 };
        let drawn = seeds(&view.public.families, library, only, setting, stream);
        let moments: Vec<(f64, f64)> = valuation
            .priors()
            .map(|prior| {
                const POINTS: u32 = 16;
                let points = (0..POINTS).map(|point| prior.quantile((f64::from(point) + 0.5) / f64::from(POINTS)));
                let (sum, squares) = points.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
                let mean = sum / f64::from(POINTS);
                (mean, (squares / f64::from(POINTS) - mean * mean).max(1e-12))
            })
            .collect();
        let mut bounds = vec![(1e-4, 2.0), (0.0, 1.0), (-3.0, 3.0)];
        // A table's numbers have no hard bounds: their prior is our guess.
        let loose = |(low, high): (f64, f64)| if valuation.published { (low, high) } else { (low - 1.0, high + 1.0) };
        bounds.extend(valuation.priors().map(|prior| loose(prior.support())));
        let hypotheses = drawn
            .into_iter()
            .map(|seed| {
                let own = [seed.initial, seed.last, seed.log_exponent];
                let all = || own.iter().map(|m| (m.mean, m.variance)).chain(moments.iter().copied());
                let variances: Vec<f64> = all().map(|(_, variance)| variance).collect();
                let state = Gaussian::independent(all().map(|(mean, _)| mean).collect(), &variances);
                Hypothesis::of(seed, state)
            })
            .collect();
        let space = &view.public.space;
        let prices = valuation.price.map_or(1, |issue| space.issues()[issue].len());
        let combinations = (space.size() / u128::from(prices)).clamp(1, 1_000_000_000) as f64;
        Self {
            valuation,
            hypotheses,
            bounds,
            cues: Cues::default(),
            read: 0,
            offered: Vec::new(),
            theirs: Vec::new(),
            signals: [0.0; 3],
            learns,
            combinations,
        }
    }

    /// Whether the own side has offered `offer` before.
    pub(super) fn has_offered(&self, offer: &Offer) -> bool {
        self.offered.contains(offer)
    }

    /// Takes in everything that happened since it was last asked.
    pub(super) fn read(&mut self, view: &PartyView<'_>) {
        for at in self.read..view.history.len() {
            let made = &view.history[at];
            if made.seat == view.seat { self.hear_own(view, made) } else { self.see(view, made, at) }
        }
        self.read = view.history.len();
    }

    fn hear_own(&mut self, view: &PartyView<'_>, made: &Move) {
        self.signals = made.message.as_ref().map_or([0.0; 3], |message| {
            let features = &message.parsed().features;
            [Ear::Reasoned, Ear::Reciprocal, Ear::Suspicious].map(|ear| ear.signal(features))
        });
        let Some(offer) = made.offer() else { return };
        let novel = !self.offered.contains(offer);
        let form = self.valuation.form(view, offer);
        for hypothesis in &mut self.hypotheses {
            let gain = hypothesis.dual(&form);
            hypothesis.mind.hear(gain, novel);
        }
        if novel {
            self.offered.push(offer.clone());
        }
    }

    /// The other side's turn.
    fn see(&mut self, view: &PartyView<'_>, made: &Move, at: usize) {
        let before = &view.history[..at];
        let standing = before.iter().rev().find_map(|earlier| own_offer(view, earlier));
        let discount = self.round_discount(view);
        for hypothesis in &mut self.hypotheses {
            let traits = hypothesis.traits(&self.valuation);
            let rounds = hypothesis.rounds(view.public.rounds);
            let turn = Turn { round: made.round, rounds, discount, signals: self.signals };
            let asked = hypothesis.mind.turn(&hypothesis.seed.manner, &traits, turn);
            let clock = hypothesis.mind.clock(&hypothesis.seed.manner, turn);
            let rises = traits.yardstick.slopes[FIRST];
            hypothesis.bend = bend(hypothesis, &asked, traits.yardstick.value, rises, clock);
            hypothesis.asked = Some(asked);
            if hypothesis.seed.deadline.is_some_and(|deadline| made.round >= deadline) {
                // It would have left.
                hypothesis.log_weight -= 12.0;
            }
        }
        if self.learns {
            if let (Some(standing), Act::Offer { .. }) = (standing, &made.act) {
                self.weigh_refusal(view, standing);
            }
            if let Some(offer) = made.offer() {
                self.weigh_offer(view, offer, standing, before);
            }
            if let Some(message) = &made.message {
                super::cues::weigh(self, view, made, message);
            }
            self.normalise();
        }
        if let Some(offer) = made.offer()
            && !self.theirs.contains(offer)
        {
            self.theirs.push(offer.clone());
        }
    }

    /// What the other side's gains count for a round later.
    pub(super) fn round_discount(&self, view: &PartyView<'_>) -> f64 {
        let round = 1.0 / f64::from(view.public.rounds.saturating_sub(1).max(1));
        view.public.discount_at(view.seat.other(), round)
    }

    /// It went on, so what it had before it was worth less to it than it wanted, as far as it does not refuse by chance.
    fn weigh_refusal(&mut self, view: &PartyView<'_>, standing: &Offer) {
        let form = self.valuation.form(view, standing);
        let floor = self.hypotheses.iter().map(|h| h.log_weight).fold(f64::NEG_INFINITY, f64::max) - 14.0;
        for hypothesis in self.hypotheses.iter_mut().filter(|h| h.log_weight > floor) {
            let Some(asked) = hypothesis.asked else { continue };
            if !asked.shows && matches!(hypothesis.seed.manner, Manner::Random(_)) {
                continue;
            }
            let mut slopes = vec![0.0; hypothesis.state.size()];
            slopes.iter_mut().zip(&asked.threshold.slopes).for_each(|(slope, by)| *slope = *by);
            form.add_to(&mut slopes, -1.0);
            let short = asked.threshold.value + hypothesis.bend.shift - form.at(&hypothesis.state.mean);
            let noise = REFUSAL_SPREAD * REFUSAL_SPREAD + hypothesis.bend.variance;
            let chance = hypothesis.state.chance_above(&slopes, short, noise);
            let refusal = 1.0 - asked.take * (1.0 - chance);
            hypothesis.reweigh(refusal.max(1e-4));
            if asked.take >= 1.0 && chance < 0.98 && chance > 1e-4 {
                let moved = hypothesis.state.observe_above(&slopes, short, noise);
                hypothesis.mind.shift(&moved[..moved.len().min(SLOPES)]);
                if let Some(asked) = &mut hypothesis.asked {
                    asked.ask.moved(&moved);
                    asked.threshold.moved(&moved);
                }
            }
        }
    }

    fn weigh_offer(&mut self, view: &PartyView<'_>, offer: &Offer, standing: Option<&Offer>, before: &[Move]) {
        let form = self.valuation.form(view, offer);
        let own_last = before.iter().rev().filter(|m| m.seat != view.seat).find_map(Move::offer);
        let taken_over = standing.or(own_last).or(view.public.status_quo.as_ref());
        let repeats = self.theirs.contains(offer);
        let floor = self.hypotheses.iter().map(|h| h.log_weight).fold(f64::NEG_INFINITY, f64::max) - 14.0;
        for hypothesis in self.hypotheses.iter_mut().filter(|h| h.log_weight > floor) {
            let Some(asked) = hypothesis.asked else { continue };
            let seed = hypothesis.seed.clone();
            let terms = match (self.valuation.price, seed.selection) {
                (Some(price), Some(selection)) => {
                    let chosen = match selection {
                        Selection::TakeOver => taken_over.is_some_and(|like| same_terms(price, like, offer)),
                        Selection::OwnBest => is_best(&self.valuation, view, offer, &hypothesis.state.mean),
                    };
                    if chosen {
                        TERMS_AS_CHOSEN
                    } else if seed.family.is_none() {
                        0.1
                    } else {
                        TERMS_ANYTHING
                    }
                }
                _ => 1.0,
            };
            if let Manner::Random(least) = seed.manner {
                let enough = form.at(&hypothesis.state.mean) > least - 0.1;
                // Any combination of terms, and a price spread over what leaves it a gain.
                hypothesis.reweigh(if enough { 2.0 / self.combinations } else { 1e-9 });
                continue;
            }
            if !asked.shows {
                hypothesis.reweigh(terms * if repeats { 300.0 } else { SURPRISE });
                continue;
            }
            let mut slopes = vec![0.0; hypothesis.state.size()];
            slopes.iter_mut().zip(&asked.ask.slopes).for_each(|(slope, by)| *slope = -*by);
            form.add_to(&mut slopes, 1.0);
            let value = form.at(&hypothesis.state.mean) - asked.ask.value - hypothesis.bend.shift;
            let mut noise = seed.noise * seed.noise + hypothesis.bend.variance;
            if self.valuation.price.is_none() {
                // Outcomes of tables lie apart: what is offered is above what is asked for by some of that.
                noise += 4e-4;
            }
            let density = hypothesis.state.density(&slopes, -value, noise);
            hypothesis.reweigh(terms * (density + SURPRISE));
            let drift = seed.drift * seed.drift;
            if density > SURPRISE {
                hypothesis.observe_zero(&slopes, value, noise);
            }
            hypothesis.state.widen(INITIAL, drift);
        }
    }

    pub(super) fn normalise(&mut self) {
        let top = self.hypotheses.iter().map(|h| h.log_weight).fold(f64::NEG_INFINITY, f64::max);
        let mut total = 0.0;
        for hypothesis in &mut self.hypotheses {
            hypothesis.log_weight = (hypothesis.log_weight - top).max(-60.0);
            hypothesis.weight = libm::exp(hypothesis.log_weight);
            total += hypothesis.weight;
        }
        for hypothesis in &mut self.hypotheses {
            hypothesis.weight /= total;
            if hypothesis.weight < NEGLIGIBLE {
                hypothesis.weight = 0.0;
            }
        }
    }

    /// The state's mean over all hypotheses.
    pub(super) fn mean(&self) -> Vec<f64> {
        let mut mean = vec![0.0; self.valuation.size()];
        let mut total = 0.0;
        for hypothesis in &self.hypotheses {
            total += hypothesis.weight;
            for (sum, part) in mean.iter_mut().zip(&hypothesis.state.mean) {
                *sum += hypothesis.weight * part;
            }
        }
        for ((entry, &(low, high)), _) in mean.iter_mut().zip(&self.bounds).zip(0..) {
            *entry = (*entry / total.max(1e-300)).clamp(low, high);
        }
        mean
    }

    /// The variance of one component over all hypotheses, around its mean.
    pub(super) fn variance(&self, index: usize, mean: f64) -> f64 {
        let parts = self.hypotheses.iter().filter(|h| h.weight > 0.0).map(|h| {
            let away = h.state.mean[index] - mean;
            (h.weight, h.weight * (h.state.variance(index) + away * away))
        });
        let (total, sum) = parts.fold((0.0, 0.0), |(total, sum), (weight, part)| (total + weight, sum + part));
        sum / total.max(1e-300)
    }

    /// The belief's share of each published family, the generic model last.
    pub(super) fn families(&self, count: usize) -> Vec<f64> {
        let mut shares = vec![0.0; count + 1];
        for hypothesis in &self.hypotheses {
            shares[hypothesis.seed.family.unwrap_or(count).min(count)] += hypothesis.weight;
        }
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total.max(1e-300));
        shares
    }

    /// Whether some hypothesis is of the published family at this position.
    pub(super) fn considers(&self, family: usize) -> bool {
        self.hypotheses.iter().any(|hypothesis| hypothesis.seed.family == Some(family))
    }

    /// Whether nothing was seen yet, or nothing is learnt.
    pub(super) fn is_fresh(&self) -> bool {
        !self.learns || self.theirs.is_empty()
    }

    /// Components that describe what it values.
    pub(super) fn valued(&self) -> std::ops::Range<usize> {
        FIRST..self.valuation.size()
    }
}

fn own_offer<'a>(view: &PartyView<'_>, made: &'a Move) -> Option<&'a Offer> {
    made.offer().filter(|_| made.seat == view.seat)
}

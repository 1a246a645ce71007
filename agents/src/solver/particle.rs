//! Draws from the belief: counterparts whose whole way is known, to plan against together.

use super::belief::{Belief, Hypothesis, traits};
use super::menu::{Listed, Menu, OwnLine, permitted_above};
use super::mind::{Manner, Mind, Traits};
use super::terms::best_terms;
use super::valuation::Valuation;
use zopa_envs::tactic::Selection;
use zopa_envs::{Offer, PartyView, Stream};

/// A counterpart as it might be.
#[derive(Clone, Debug)]
pub(super) struct Particle {
    /// Which hypothesis it is drawn from.
    pub(super) hypothesis: usize,
    /// The hidden state.
    pub(super) state: Vec<f64>,
    pub(super) manner: Manner,
    pub(super) traits: Traits<f64>,
    pub(super) mind: Mind<f64>,
    /// Rounds that it stays for, and whether that is a deadline of its own.
    pub(super) rounds: u16,
    pub(super) leaves: bool,
    /// What packages of the menu mean to it.
    pub(super) exchange: Exchange,
    /// What its offers leave the own side.
    pub(super) its_offers: ItsOffers,
    /// The own gain above which its offers may be taken: infinite where their other terms are not permitted.
    pub(super) takes_above: f64,
    /// Standard deviation of what a package of the menu leaves it, given what it asks: in its units.
    pub(super) spread: f64,
}

/// Own gain of an offer of the other side's that gains it a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum ItsOffers {
    /// `rest + slope * gain`, with the largest own gain that the grid allows.
    Line { rest: f64, slope: f64, most: f64 },
    /// This share of the most that could be left: which of a table's packages it takes, nobody says.
    Share(f64),
}

/// The share of the most before it has offered anything.
const UNSEEN_SHARE: f64 = 0.6;

impl Particle {
    /// Own gain, in units, of its offer that gains it `ask`.
    pub(super) fn offers(&self, ask: f64) -> f64 {
        match self.its_offers {
            ItsOffers::Line { rest, slope, most } => (rest + slope * ask).min(most),
            ItsOffers::Share(share) => share * self.exchange.own(ask).unwrap_or(0.0),
        }
    }
}

/// What own gains leave the other side, and the reverse, in units.
#[derive(Clone, Debug)]
pub(super) enum Exchange {
    /// `own = rest - rate * theirs`, with the largest own gain that the grid allows.
    Line { rest: f64, rate: f64, most: f64 },
    /// By falling own gain.
    Steps(Vec<Step>),
}

/// A package of a table as a particle sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Own gain.
    own: f64,
    /// What it leaves the other side.
    left: f64,
    /// The most that it or one of larger own gain leaves: rising, so that it can be searched.
    most_left: f64,
}

impl Exchange {
    pub(super) fn of(menu: &Menu, valuation: &Valuation, state: &[f64]) -> Self {
        match menu {
            Menu::Priced { terms, own, prices } => {
                let (zero, slope) = (valuation.form_at(terms, 0.0).at(state), valuation.price_slope(terms, state));
                let rate = -own.slope / slope;
                Self::Line { rest: own.rest + rate * zero, rate, most: own.most(*prices) }
            }
            Menu::Listed(packages) => {
                let mut most_left = f64::NEG_INFINITY;
                let step = |package: &Listed| {
                    let left = package.form.at(state);
                    most_left = most_left.max(left);
                    Step { own: package.own, left, most_left }
                };
                Self::Steps(packages.iter().map(step).collect())
            }
        }
    }

    /// The most own gain that leaves the other side `theirs`; `None` where nothing does.
    pub(super) fn own(&self, theirs: f64) -> Option<f64> {
        match self {
            Self::Line { rest, rate, most } => Some((rest - rate * theirs).min(*most)),
            Self::Steps(steps) => steps.get(steps.partition_point(|step| step.most_left < theirs)).map(|step| step.own),
        }
    }

    /// What is left to the other side by a package of own gain `own`.
    pub(super) fn theirs(&self, own: f64) -> f64 {
        match self {
            Self::Line { rest, rate, most } => (rest - own.min(*most)) / rate,
            Self::Steps(steps) => {
                let reaching = steps.partition_point(|step| step.own >= own - 1e-12);
                steps.get(reaching.saturating_sub(1)).map_or(f64::NEG_INFINITY, |step| step.left)
            }
        }
    }
}

/// Draws `count` particles of equal weight: hypotheses systematically by their weight, each one's state from its normal belief.
pub(super) fn draw(
    belief: &Belief,
    view: &PartyView<'_>,
    menu: &Menu,
    count: usize,
    stream: &mut Stream,
) -> Vec<Particle> {
    let mut particles = Vec::with_capacity(count);
    let total: f64 = belief.hypotheses.iter().map(|hypothesis| hypothesis.weight).sum();
    let step = total / count as f64;
    let mut next = step * stream.uniform();
    let mut sum = 0.0;
    for (index, hypothesis) in belief.hypotheses.iter().enumerate() {
        sum += hypothesis.weight;
        if next >= sum {
            continue;
        }
        let root = hypothesis.state.root();
        while next < sum && particles.len() < count {
            let away = hypothesis.state.draw_away(&root, &belief.bounds, stream);
            particles.push(particle(belief, view, menu, index, hypothesis, &away));
            next += step;
        }
    }
    particles
}

fn particle(
    belief: &Belief,
    view: &PartyView<'_>,
    menu: &Menu,
    index: usize,
    hypothesis: &Hypothesis,
    away: &[f64],
) -> Particle {
    let valuation = &belief.valuation;
    let state: Vec<f64> = hypothesis.state.mean.iter().zip(away).map(|(mean, by)| mean + by).collect();
    let dual = traits(&state, valuation);
    let traits = Traits {
        initial: dual.initial.value,
        last: dual.last.value.min(dual.initial.value),
        log_exponent: dual.log_exponent.value,
        yardstick: dual.yardstick.value.max(1e-6),
        origin: dual.origin.value,
        sign: dual.sign,
    };
    let exchange = Exchange::of(menu, valuation, &state);
    let unit = valuation.unit;
    let above =
        |terms: &Offer, line: Option<OwnLine>| permitted_above(view, terms, line, unit).unwrap_or(f64::INFINITY);
    let (its_offers, takes_above) = match (&exchange, menu, hypothesis.seed.selection) {
        (Exchange::Line { rest, rate, most }, Menu::Priced { terms, own, prices }, selection) => {
            let same = || (ItsOffers::Line { rest: *rest, slope: -*rate, most: *most }, above(terms, Some(*own)));
            if selection == Some(Selection::TakeOver) {
                same()
            } else {
                let best = best_terms(valuation, view, terms, &state);
                let (zero, slope) = (valuation.form_at(&best, 0.0).at(&state), valuation.price_slope(&best, &state));
                OwnLine::of(view, &best, unit).map_or_else(same, |line| {
                    let rate = line.slope / slope;
                    let offers =
                        ItsOffers::Line { rest: line.rest - rate * zero, slope: rate, most: line.most(*prices) };
                    (offers, above(&best, Some(line)))
                })
            }
        }
        // As its last offer did. Which of a table's packages it will offer nobody says, nor whether those are permitted.
        _ => {
            let share = view.standing().map_or(UNSEEN_SHARE, |standing| {
                let most = exchange.own(valuation.form(view, standing).at(&state)).unwrap_or(0.0);
                if most > 1e-9 { (view.gain(standing) / unit / most).clamp(0.2, 1.0) } else { UNSEEN_SHARE }
            });
            (ItsOffers::Share(share), above(&view.public.space.first(), None))
        }
    };
    let rounds = hypothesis.rounds(view.public.rounds);
    Particle {
        hypothesis: index,
        state,
        manner: hypothesis.seed.manner.clone(),
        traits,
        mind: hypothesis.mind.at(&away[..away.len().min(super::number::SLOPES)]),
        rounds,
        leaves: hypothesis.seed.deadline.is_some(),
        exchange,
        its_offers,
        takes_above,
        spread: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Exchange, Step};

    #[test]
    fn a_tables_packages_are_found_as_by_looking_at_each() {
        // Own gain falls; what is left rises but for a dip, as at a state beside the one that the frontier was drawn at.
        let packages = [(0.9, -0.3), (0.7, 0.1), (0.7, 0.05), (0.4, 0.3), (0.2, 0.25), (0.1, 0.6)];
        let mut most_left = f64::NEG_INFINITY;
        let steps = packages.map(|(own, left)| {
            most_left = f64::max(most_left, left);
            Step { own, left, most_left }
        });
        let exchange = Exchange::Steps(steps.to_vec());
        for hundredths in -50..=110 {
            let at = f64::from(hundredths) / 100.0;
            let own = packages.iter().find(|(_, left)| *left >= at).map(|(own, _)| *own);
            assert_eq!(exchange.own(at), own, "own gain that leaves {at}");
            let reaching = packages.iter().rev().find(|(own, _)| *own >= at - 1e-12).or(packages.first());
            assert_eq!(exchange.theirs(at), reaching.unwrap().1, "left by {at}");
        }
        assert_eq!(Exchange::Steps(Vec::new()).theirs(0.1), f64::NEG_INFINITY);
    }
}

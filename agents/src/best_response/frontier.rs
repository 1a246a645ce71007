//! The own best packages by what they leave the other side, found once a negotiation.

use crate::joint::JointPackages;
use zopa_envs::{Mandate, Offer, OutcomeSpace, PartyType, PartyView, Scenario, Seat};

/// Levels of the other side's gain at which the frontier's terms are sampled.
const LEVELS: u32 = 24;
/// The highest sampled level, as a share of the other side's yardstick.
const HIGHEST: f64 = 0.5;

/// The frontier between two known types, as far as the own mandate permits it.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    space: OutcomeSpace,
    own: PartyType,
    other: PartyType,
    mandate: Mandate,
    seat: Seat,
    shape: Shape,
    most: f64,
}

#[derive(Clone, Debug)]
enum Shape {
    /// Money: the combinations of other terms that are best at some level; the price is solved.
    Terms(Vec<Offer>),
    /// Sorted tables: `(the other's gain, rank)`, that gain falling and the own rising.
    Steps(Vec<(f64, u64)>),
    /// Spaces too large for either.
    Search(Option<Offer>),
}

/// The frontiers under every mandate that the principal will have given by the end.
#[derive(Clone, Debug)]
pub(super) struct Frontiers(Vec<Frontier>);

impl Frontiers {
    pub(super) fn of(view: &PartyView<'_>, scenario: &Scenario) -> Self {
        let mut mandate = view.mandate.clone();
        let mut frontiers = vec![Frontier::of(view, scenario, &mandate)];
        // What has been said already is in the mandate.
        for intervention in scenario.principals[view.seat.index()].interventions.iter().skip(view.notices.len()) {
            mandate.tighten(view.seat, &intervention.tightening);
            if frontiers.last().is_none_or(|last| last.mandate != mandate) {
                frontiers.push(Frontier::of(view, scenario, &mandate));
            }
        }
        Self(frontiers)
    }

    /// The frontier under `mandate`; the loosest where none is of it.
    pub(super) fn under(&self, mandate: &Mandate) -> &Frontier {
        let found = if self.0.len() > 1 { self.0.iter().find(|frontier| frontier.mandate == *mandate) } else { None };
        found.unwrap_or(&self.0[0])
    }

    /// The best own gain that leaves the other side no loss; 0 where there is none. Mandates only tighten.
    pub(super) fn most(&self) -> f64 {
        self.0[0].most
    }
}

impl Frontier {
    fn of(view: &PartyView<'_>, scenario: &Scenario, mandate: &Mandate) -> Self {
        let (seat, other) = (view.seat, &scenario.types[view.seat.other().index()]);
        let mut frontier = Self {
            space: view.public.space.clone(),
            own: view.own.clone(),
            other: other.clone(),
            mandate: mandate.clone(),
            seat,
            shape: Shape::Search(view.public.status_quo.clone()),
            most: 0.0,
        };
        if view.own.utility.price_issue().is_some() {
            let mut terms: Vec<Offer> = Vec::new();
            for level in 0..=LEVELS {
                let share = f64::from(level) / f64::from(LEVELS);
                let Some(found) = frontier.search(share * share * HIGHEST * other.yardstick) else { break };
                if !terms.iter().any(|known| frontier.same_terms(known, &found)) {
                    terms.push(found);
                }
            }
            frontier.shape = Shape::Terms(terms);
        } else if let Some(order) = &other.order {
            let mut steps: Vec<(f64, u64)> = Vec::new();
            let mut best = f64::NEG_INFINITY;
            for (&utility, &rank) in order.utilities.iter().zip(&order.ranks).rev() {
                let offer = frontier.space.outcome(u64::from(rank));
                let own = view.gain(&offer);
                if own > best && frontier.permits(&offer) {
                    best = own;
                    steps.push((utility - other.disagreement, u64::from(rank)));
                }
            }
            frontier.shape = Shape::Steps(steps);
        }
        frontier.most = frontier.leaving(0.0).map_or(0.0, |(_, gain)| gain);
        frontier
    }

    /// The package of highest own gain that leaves the other side at least `least`, with that gain.
    pub(super) fn leaving(&self, least: f64) -> Option<(Offer, f64)> {
        match &self.shape {
            Shape::Terms(terms) => terms
                .iter()
                .filter_map(|terms| self.priced(terms, least))
                .map(|offer| (self.own.gain(&offer), offer))
                .filter(|(_, offer)| self.permits(offer))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(gain, offer)| (offer, gain)),
            Shape::Steps(steps) => {
                let within = steps.partition_point(|(gain, _)| *gain >= least);
                let offer = self.space.outcome(steps[within.checked_sub(1)?].1);
                let gain = self.own.gain(&offer);
                Some((offer, gain))
            }
            Shape::Search(_) => self.search(least).map(|offer| (self.own.gain(&offer), offer)).map(|(g, o)| (o, g)),
        }
    }

    /// What an offer leaves the other side.
    pub(super) fn theirs(&self, offer: &Offer) -> f64 {
        self.other.gain(offer)
    }

    /// The other side's yardstick.
    pub(super) fn their_yardstick(&self) -> f64 {
        self.other.yardstick
    }

    fn search(&self, least: f64) -> Option<Offer> {
        let reference = match &self.shape {
            Shape::Search(reference) => reference.as_ref(),
            Shape::Terms(_) | Shape::Steps(_) => None,
        };
        let (space, own, other, mandate, seat) = (&self.space, &self.own, &self.other, &self.mandate, self.seat);
        JointPackages { space, own, other, mandate, seat, reference }.best_leaving(least)
    }

    fn permits(&self, offer: &Offer) -> bool {
        self.mandate.test(&self.space, &self.own, self.seat, offer).is_ok()
    }

    fn same_terms(&self, one: &Offer, two: &Offer) -> bool {
        self.own.utility.price_issue().is_some_and(|price| one.with(price, 0) == two.with(price, 0))
    }

    /// `terms` at the price that leaves the other side `least`, rounded in its favour.
    fn priced(&self, terms: &Offer, least: f64) -> Option<Offer> {
        let price = self.own.utility.price_issue()?;
        let index = self.other.utility.price_for(terms, least + self.other.disagreement)?;
        let offer = terms.with(price, index);
        if self.other.gain(&offer) >= least {
            return Some(offer);
        }
        let kinder = if self.seat == Seat::Buyer { index + 1 } else { index.checked_sub(1)? };
        (kinder < self.space.issues()[price].len()).then(|| terms.with(price, kinder))
    }
}

//! Both sides' packages at once: what estimates, solvers and ceilings ask for.

use zopa_envs::package::SEARCH_LIMIT;
use zopa_envs::{Mandate, Offer, OutcomeSpace, PartyType, PublicScenario, Seat};

/// Weights tried where a space is too large to walk through: the supported part of the frontier.
const WEIGHTS: u32 = 200;

/// The packages of one side, with the other side's type known or assumed.
#[derive(Clone, Copy, Debug)]
pub struct JointPackages<'a> {
    /// The outcome space.
    pub space: &'a OutcomeSpace,
    /// The own type.
    pub own: &'a PartyType,
    /// The other side's type, true or estimated.
    pub other: &'a PartyType,
    /// The own mandate: only what it permits is found.
    pub mandate: &'a Mandate,
    /// The own seat.
    pub seat: Seat,
    /// The package whose other terms are tried where there are too many combinations.
    pub reference: Option<&'a Offer>,
}

impl<'a> JointPackages<'a> {
    /// The packages that `seat` finds in `public`.
    #[must_use]
    pub fn new(
        public: &'a PublicScenario,
        seat: Seat,
        own: &'a PartyType,
        other: &'a PartyType,
        mandate: &'a Mandate,
    ) -> Self {
        Self { space: &public.space, own, other, mandate, seat, reference: public.status_quo.as_ref() }
    }

    /// The package of highest own gain that leaves the other side a gain of at least `least`; ties to the other side, then
    /// to the first in rank order. `None` where the mandate permits none.
    #[must_use]
    pub fn best_leaving(&self, least: f64) -> Option<Offer> {
        self.walk(
            |terms| self.price_leaving(terms, least),
            |offer| {
                let theirs = self.other.gain(offer);
                (theirs >= least).then(|| (self.own.gain(offer), theirs))
            },
        )
    }

    /// The package with the largest product of both gains, where both are at least 0: the symmetric Nash solution over
    /// these types. In money each combination of the other terms has its price in closed form, `(A / a + B / b) / 2`.
    #[must_use]
    pub fn nash(&self) -> Option<Offer> {
        self.walk(
            |terms| self.nash_price(terms),
            |offer| {
                let (own, theirs) = (self.own.gain(offer), self.other.gain(offer));
                (own >= 0.0 && theirs >= 0.0).then_some((own * theirs, own))
            },
        )
    }

    /// The package of largest joint gain, whoever has it.
    #[must_use]
    pub fn utilitarian(&self) -> Option<Offer> {
        self.walk(
            |terms| self.nash_price(terms),
            |offer| {
                let (own, theirs) = (self.own.gain(offer), self.other.gain(offer));
                Some((own + theirs, own))
            },
        )
    }

    /// The package of highest score (compared pairwise, the first of equals). `price` solves the price for a combination
    /// of the other terms.
    fn walk(
        &self,
        price: impl Fn(&Offer) -> [Option<u32>; 2],
        score: impl Fn(&Offer) -> Option<(f64, f64)>,
    ) -> Option<Offer> {
        let mut best: Option<((f64, f64), Offer)> = None;
        let mut consider = |offer: &Offer| {
            let Some(found) = score(offer) else { return };
            let better = best
                .as_ref()
                .is_none_or(|((first, second), _)| found.0.total_cmp(first).then(found.1.total_cmp(second)).is_gt());
            if better && self.permits(offer) {
                best = Some((found, offer.clone()));
            }
        };
        match self.own.utility.price_issue() {
            Some(issue) => self.combinations(issue, |terms| {
                for index in price(terms).into_iter().flatten() {
                    consider(&terms.with(issue, index));
                }
            }),
            None if self.own.order.is_some() => self.space.outcomes().for_each(|offer| consider(&offer)),
            None => (0..=WEIGHTS).for_each(|step| consider(&self.weighted(f64::from(step) / f64::from(WEIGHTS)))),
        }
        best.map(|(_, offer)| offer)
    }

    fn permits(&self, offer: &Offer) -> bool {
        self.mandate.test(self.space, self.own, self.seat, offer).is_ok()
    }

    /// Calls `visit` with every combination of the terms other than `price`, or with the reference terms and the own and
    /// the other side's best ones where there are more than [`SEARCH_LIMIT`].
    fn combinations(&self, price: usize, mut visit: impl FnMut(&Offer)) {
        let issues = self.space.issues();
        if self.space.size() / u128::from(issues[price].len()) > u128::from(SEARCH_LIMIT) {
            let best = |party: &PartyType| party.utility.best(self.space, |_, _| true);
            let joint = self.weighted(0.5);
            for terms in [self.reference.cloned(), best(self.own), best(self.other), Some(joint)].iter().flatten() {
                visit(terms);
            }
            return;
        }
        let mut terms = self.space.outcome(0);
        loop {
            visit(&terms);
            let next = (0..issues.len())
                .rev()
                .filter(|&position| position != price)
                .find(|&position| terms.get(position) + 1 < issues[position].len());
            let Some(next) = next else { return };
            terms.set(next, terms.get(next) + 1);
            for position in (next + 1..issues.len()).filter(|&position| position != price) {
                terms.set(position, 0);
            }
        }
    }

    /// The price of highest own gain that leaves the other side `least`.
    fn price_leaving(&self, terms: &Offer, least: f64) -> [Option<u32>; 2] {
        [self.other.utility.price_for(terms, least + self.other.disagreement), None]
    }

    /// The two ticks around the price at which the product of gains is largest: both gains are linear in the price, and the
    /// product's peak lies half way between the prices at which each is 0.
    fn nash_price(&self, terms: &Offer) -> [Option<u32>; 2] {
        let zero_at = |party: &PartyType| {
            let (rest, slope) = party.utility.line(terms)?;
            (slope != 0.0).then(|| (party.disagreement - rest) / slope)
        };
        let grid = self.own.utility.price_issue().map(|issue| &self.space.issues()[issue]);
        let (Some(own), Some(theirs), Some(grid)) = (zero_at(self.own), zero_at(self.other), grid) else {
            return [None, None];
        };
        let (Some(floor), Some(second)) = (grid.number(0), grid.number(1.min(grid.len() - 1))) else {
            return [None, None];
        };
        let last = grid.len() - 1;
        let tick = second - floor;
        let place =
            if tick > 0.0 { ((f64::midpoint(own, theirs) - floor) / tick).clamp(0.0, f64::from(last)) } else { 0.0 };
        let below = place as u32;
        [Some(below), Some((below + 1).min(last))]
    }

    /// The package of highest `weight * own + (1 - weight) * other` among tables; issue by issue, since both are sums.
    fn weighted(&self, weight: f64) -> Offer {
        let mut offer = self.space.outcome(0);
        for position in 0..self.space.issues().len() {
            let (own, theirs) = (self.own.utility.table(position), self.other.utility.table(position));
            let mut best = f64::NEG_INFINITY;
            for (index, (a, b)) in own.iter().zip(theirs).enumerate() {
                let value = weight * a + (1.0 - weight) * b;
                if self.mandate.permits_value(position, index as u32) && value > best {
                    best = value;
                    offer.set(position, index as u32);
                }
            }
        }
        offer
    }
}

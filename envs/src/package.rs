//! Finding packages by own gain: what tactics, intents and corrections all ask for.

use crate::issue::IssueRole;
use crate::mandate::Mandate;
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::{PartyType, Seat};

/// The most combinations of other terms, or of table outcomes, that a search walks through.
pub const SEARCH_LIMIT: u64 = 100_000;

/// One party's packages: its space, type and mandate together.
#[derive(Clone, Copy, Debug)]
pub struct Packages<'a> {
    /// The outcome space.
    pub space: &'a OutcomeSpace,
    /// The party's type.
    pub party: &'a PartyType,
    /// Its mandate.
    pub mandate: &'a Mandate,
    /// Its seat.
    pub seat: Seat,
}

impl Packages<'_> {
    fn permits(&self, issue: usize, index: u32) -> bool {
        let price = self.mandate.price_limit.is_some() && self.space.role(IssueRole::Price) == Some(issue);
        self.mandate.permits_value(issue, index)
            && (!price || self.mandate.permits_price(self.space, self.seat, issue, index))
    }

    fn permits_offer(&self, offer: &Offer) -> bool {
        self.mandate.permits_all_values()
            || offer.indices().iter().enumerate().all(|(issue, &index)| self.permits(issue, index))
    }

    /// The permitted package of highest own gain; `None` where the mandate permits nothing.
    #[must_use]
    pub fn best(&self) -> Option<Offer> {
        if self.mandate.permits_all_values() {
            return self.party.utility.best(self.space, |_, _| true);
        }
        self.party.utility.best(self.space, |issue, index| self.permits(issue, index))
    }

    /// The permitted package whose own gain is nearest to `target` from above, keeping the other terms of `like` where
    /// that is possible; of equal gains the one that shares most values with `like`. `None` where no permitted package
    /// reaches the target.
    #[must_use]
    pub fn at_gain(&self, target: f64, like: &Offer) -> Option<Offer> {
        self.at_gain_with_terms(target, like).or_else(|| self.at_gain_anywhere(target, like))
    }

    /// As [`Self::at_gain`], but with the other terms of `like` and only the price free. In domains without a price this
    /// finds nothing.
    #[must_use]
    pub fn at_gain_with_terms(&self, target: f64, like: &Offer) -> Option<Offer> {
        self.valued_at_gain_with_terms(target, like).map(|(offer, _)| offer)
    }

    /// As [`Self::at_gain`], with the package's own gain.
    #[must_use]
    pub fn valued_at_gain(&self, target: f64, like: &Offer) -> Option<(Offer, f64)> {
        self.valued_at_gain_with_terms(target, like).or_else(|| {
            let offer = self.at_gain_anywhere(target, like)?;
            let gain = self.party.gain(&offer);
            Some((offer, gain))
        })
    }

    /// As [`Self::at_gain_with_terms`], with the package's own gain.
    #[must_use]
    pub fn valued_at_gain_with_terms(&self, target: f64, like: &Offer) -> Option<(Offer, f64)> {
        let party = self.party;
        let price = party.utility.price_issue()?;
        let (mut index, utility) = party.utility.price_and_utility_for(like, target + party.disagreement)?;
        let mut gain = utility - party.disagreement;
        let mut exact = true;
        if gain < target {
            // Adding the disagreement value may have rounded the target down.
            index = if self.seat == Seat::Supplier { index + 1 } else { index.checked_sub(1)? };
            if index >= self.space.issues()[price].len() {
                return None;
            }
            exact = false;
        }
        if self.mandate.permits_all_values() {
            let offer = like.with(price, index);
            if !exact {
                gain = party.gain(&offer);
            }
            return Some((offer, gain));
        }
        if self.mandate.price_limit.is_some() && !self.permits(price, index) {
            // A limit lies on the own side of the wanted price or not at all: the nearest permitted price gains more.
            let len = self.space.issues()[price].len();
            index = match self.seat {
                Seat::Buyer => (0..index).rev().find(|&index| self.permits(price, index)),
                Seat::Supplier => (index..len).find(|&index| self.permits(price, index)),
            }?;
        }
        let offer = like.with(price, index);
        let gain = party.gain(&offer);
        self.permits_offer(&offer).then_some((offer, gain))
    }

    fn at_gain_anywhere(&self, target: f64, like: &Offer) -> Option<Offer> {
        match self.party.utility.price_issue() {
            Some(price) => self.at_gain_by_terms(target, like, price),
            None => match &self.party.order {
                Some(_) => self.at_gain_in_order(target, like),
                None => self.at_gain_by_descent(target),
            },
        }
    }

    /// Money: every combination of the other terms with its own solved price.
    fn at_gain_by_terms(&self, target: f64, like: &Offer, price: usize) -> Option<Offer> {
        let combinations = self.space.size() / u128::from(self.space.issues()[price].len());
        let mut best: Option<(f64, usize, Offer)> = None;
        let mut consider = |terms: &Offer| {
            if let Some(offer) = self.at_gain_with_terms(target, terms) {
                let (gain, shared) = (self.party.gain(&offer), shared_values(&offer, like));
                if best.as_ref().is_none_or(|(least, most, _)| gain < *least || (gain == *least && shared > *most)) {
                    best = Some((gain, shared, offer));
                }
            }
        };
        if combinations > u128::from(SEARCH_LIMIT) {
            consider(&self.best()?);
        } else {
            let mut terms = like.with(price, 0);
            for position in 0..self.space.issues().len() {
                if position != price {
                    terms.set(position, 0);
                }
            }
            loop {
                consider(&terms);
                if !self.advance(&mut terms, price) {
                    break;
                }
            }
        }
        best.map(|(_, _, offer)| offer)
    }

    /// Steps `terms` to the next combination of all issues but `fixed`; false after the last.
    fn advance(&self, terms: &mut Offer, fixed: usize) -> bool {
        for position in (0..self.space.issues().len()).rev() {
            if position == fixed {
                continue;
            }
            let next = terms.get(position) + 1;
            if next < self.space.issues()[position].len() {
                terms.set(position, next);
                return true;
            }
            terms.set(position, 0);
        }
        false
    }

    /// Tables: outcomes are sorted, so the first permitted one at or above the target is near.
    fn at_gain_in_order(&self, target: f64, like: &Offer) -> Option<Offer> {
        let order = self.party.order.as_ref()?;
        let first = order.utilities.partition_point(|&utility| utility - self.party.disagreement < target);
        let mut best: Option<(f64, usize, Offer)> = None;
        for (&utility, &rank) in order.utilities[first..].iter().zip(&order.ranks[first..]) {
            if best.as_ref().is_some_and(|(found, _, _)| utility > *found) {
                break;
            }
            let offer = self.space.outcome(u64::from(rank));
            if self.permits_offer(&offer) {
                let shared = shared_values(&offer, like);
                if best.as_ref().is_none_or(|(_, most, _)| shared > *most) {
                    best = Some((utility, shared, offer));
                }
            }
        }
        best.map(|(_, _, offer)| offer)
    }

    /// Tables too large to sort: from the best package, the single change that comes nearest to the target without
    /// passing below it, until none comes nearer.
    fn at_gain_by_descent(&self, target: f64) -> Option<Offer> {
        let mut offer = self.best()?;
        let mut gain = self.party.gain(&offer);
        if gain < target {
            return None;
        }
        loop {
            let mut nearer: Option<(f64, Offer)> = None;
            for (position, issue) in self.space.issues().iter().enumerate() {
                for index in (0..issue.len()).filter(|&index| self.permits(position, index)) {
                    let candidate = offer.with(position, index);
                    let value = self.party.gain(&candidate);
                    let bound = nearer.as_ref().map_or(gain, |(found, _)| *found);
                    if value >= target && value < bound {
                        nearer = Some((value, candidate));
                    }
                }
            }
            match nearer {
                Some((value, candidate)) => (gain, offer) = (value, candidate),
                None => return Some(offer),
            }
        }
    }
}

fn shared_values(a: &Offer, b: &Offer) -> usize {
    a.indices().iter().zip(b.indices()).filter(|(a, b)| a == b).count()
}

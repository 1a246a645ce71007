//! Finding packages by own gain: what tactics, intents and corrections all ask for.

use crate::issue::IssueRole;
use crate::mandate::Mandate;
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::{OutcomeOrder, PartyType, Seat};
use crate::proposal::Package;
use crate::utility::Line;
use crate::view::Latest;
use std::cell::Cell;
use std::ops::Range;

/// The most combinations of other terms, or of table outcomes, that a search walks through.
pub const SEARCH_LIMIT: u64 = 100_000;

/// The most single changes of an outcome that a descent through sums looks at.
const ADDITIONS_LIMIT: u64 = 20_000_000;

/// Constraints whose comparison costs about as much as an additive sum.
const CHEAP_CONSTRAINTS: u64 = 64;

/// Slack for sums of utilities whose terms were added in another order, as a share of them.
const ROUNDING: f64 = 1e-9;

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

    /// The indices of `price`, the price that the own utility counts, that keep to the mandate's price limit.
    fn prices(&self, price: usize) -> Range<u32> {
        if self.mandate.price_limit.is_some() && self.space.role(IssueRole::Price) == Some(price) {
            return self.mandate.prices_within(self.space, self.seat, price);
        }
        0..self.space.lens()[price]
    }

    fn permits_offer(&self, offer: &Offer) -> bool {
        self.mandate.permits_all_values()
            || offer.indices().iter().enumerate().all(|(issue, &index)| self.permits(issue, index))
    }

    /// The permitted package of highest own gain; `None` where the mandate permits nothing.
    #[must_use]
    pub fn best(&self) -> Option<Offer> {
        if self.mandate.permits_all_values() {
            return self.party.utility.peak(self.space).map(|peak| peak.into_owned().offer);
        }
        let prices = self.party.utility.price_issue().map(|price| self.prices(price));
        self.party.utility.best_within(self.space, prices, |issue, index| self.permits(issue, index))
    }

    /// As [`Self::best`], with its own gain.
    pub(crate) fn valued_best(&self) -> Option<(Offer, f64)> {
        if self.mandate.permits_all_values() {
            let peak = self.party.utility.peak(self.space)?;
            return Some((peak.offer.clone(), peak.utility - self.party.disagreement));
        }
        let best = self.best()?;
        let gain = self.party.gain(&best);
        Some((best, gain))
    }

    /// The permitted package whose own gain is nearest to `target` from above, keeping the other terms of `like` where
    /// that is possible; of equal gains the one that shares most values with `like`. `None` where no permitted package
    /// reaches the target.
    #[must_use]
    pub fn at_gain(&self, target: f64, like: &Offer) -> Option<Offer> {
        self.valued_at_gain(target, like, self.party.utility.line_of(like)).map(|(offer, _)| offer)
    }

    /// As [`Self::at_gain`], but with the other terms of `like` and only the price free. In domains without a price this
    /// finds nothing.
    #[must_use]
    pub fn at_gain_with_terms(&self, target: f64, like: &Offer) -> Option<Offer> {
        self.valued_at_gain_with_terms(target, like, self.party.utility.line_of(like)).map(|(offer, _)| offer)
    }

    /// As [`Self::at_gain`] for who knows the own `line` over the price with the terms of `like`; with the package's own gain.
    #[inline]
    pub(crate) fn valued_at_gain(&self, target: f64, like: &Offer, line: Line) -> Option<(Offer, f64)> {
        self.valued_at_gain_with_terms(target, like, line).or_else(|| self.valued_anywhere(target, like))
    }

    /// As [`Self::valued_at_gain`], like the best package.
    pub(crate) fn peaked_at_gain(&self, target: f64) -> Option<(Offer, f64)> {
        if !self.mandate.permits_all_values() {
            let like = self.best()?;
            return self.valued_at_gain(target, &like, self.party.utility.line_of(&like));
        }
        let peak = self.party.utility.peak(self.space)?;
        self.valued_at_gain(target, &peak.offer, peak.line)
    }

    /// As [`Self::peaked_at_gain`] for who knows the `own` latest offer, told as shortly as it can be: nearly always that has the best
    /// package's terms already.
    #[inline]
    pub(crate) fn near_peak(&self, target: f64, own: &Latest<'_>) -> Option<Package> {
        match self.price_like_peak(target, own) {
            Some((index, gain)) => Some(Package::Priced { terms_of: self.seat, index, gain }),
            None => self.peaked_at_gain(target).map(Package::from),
        }
    }

    /// The price and gain of [`Self::near_peak`] where the `own` latest offer has the best package's terms.
    #[inline]
    pub(crate) fn price_like_peak(&self, target: f64, own: &Latest<'_>) -> Option<(u32, f64)> {
        let (last, peak) = (own.offer?, self.party.utility.settled_peak()?);
        let alike = last.same_but(&peak.offer, self.party.utility.price_issue()?);
        alike.then(|| self.price_at_gain(target, peak.line)).flatten()
    }

    /// As [`Self::near_peak`], but the best package itself where that gains no more than the target.
    pub(crate) fn near_peak_at_most(&self, target: f64, own: &Latest<'_>) -> Option<Package> {
        let settled = self.party.utility.settled_peak().filter(|_| self.mandate.permits_all_values());
        match settled {
            Some(peak) if peak.utility - self.party.disagreement > target => self.near_peak(target, own),
            _ => {
                let (best, gain) = self.valued_best()?;
                if gain <= target { Some((best, gain).into()) } else { self.near_peak(target, own) }
            }
        }
    }

    /// As [`Self::at_gain_with_terms`] for who knows the own `line` over the price with the terms of `like`; with the package's
    /// own gain.
    #[inline]
    pub(crate) fn valued_at_gain_with_terms(&self, target: f64, like: &Offer, line: Line) -> Option<(Offer, f64)> {
        let party = self.party;
        let term = party.utility.price_term()?;
        let (index, utility) = term.solve(line, target + party.disagreement)?;
        let gain = utility - party.disagreement;
        if gain < target || !self.mandate.permits_all_values() {
            return self.adjusted(target, like, index, gain);
        }
        Some((like.with(term.issue(), index), gain))
    }

    /// As [`Self::valued_at_gain`] with terms `like`, those of the latest offer of the side at `terms_of`, told as shortly as it can be.
    #[inline]
    pub(crate) fn near_latest(&self, target: f64, terms_of: Seat, like: &Offer, line: Line) -> Option<Package> {
        match self.price_at_gain(target, line) {
            Some((index, gain)) => Some(Package::Priced { terms_of, index, gain }),
            None => self.valued_at_gain(target, like, line).map(Package::from),
        }
    }

    /// The price alone of [`Self::valued_at_gain_with_terms`] and the package's gain, where neither the mandate nor rounding has a say
    /// in it; else `None`, and only the whole package will do.
    #[inline]
    pub(crate) fn price_at_gain(&self, target: f64, line: Line) -> Option<(u32, f64)> {
        let (index, utility) = self.party.utility.price_term()?.solve(line, target + self.party.disagreement)?;
        let gain = utility - self.party.disagreement;
        (gain >= target && self.mandate.permits_all_values()).then_some((index, gain))
    }

    /// The package at or beyond a solved price `index`, of gain `gain`, that reaches the target in spite of rounding and that the
    /// mandate permits.
    #[inline(never)]
    fn adjusted(&self, target: f64, like: &Offer, mut index: u32, gain: f64) -> Option<(Offer, f64)> {
        let price = self.party.utility.price_issue()?;
        if gain < target {
            // Adding the disagreement value may have rounded the target down.
            index = if self.seat == Seat::Supplier { index + 1 } else { index.checked_sub(1)? };
            if index >= self.space.issues()[price].len() {
                return None;
            }
        }
        if !self.permits(price, index) {
            // Of permitted prices only those on the own side of the wanted one gain as much: the nearest of them.
            let within = self.prices(price);
            index = match self.seat {
                Seat::Buyer => {
                    (within.start..within.end.min(index)).rfind(|&index| self.mandate.permits_value(price, index))
                }
                Seat::Supplier => {
                    (within.start.max(index)..within.end).find(|&index| self.mandate.permits_value(price, index))
                }
            }?;
        }
        let offer = like.with(price, index);
        let gain = self.party.gain(&offer);
        self.permits_offer(&offer).then_some((offer, gain))
    }

    #[inline(never)]
    fn valued_anywhere(&self, target: f64, like: &Offer) -> Option<(Offer, f64)> {
        let offer = match self.party.utility.price_issue() {
            Some(price) => self.at_gain_by_terms(target, like, price),
            None => match &self.party.order {
                Some(order) => return self.valued_in_order(order, target, like),
                None => self.at_gain_by_descent(target),
            },
        }?;
        let gain = self.party.gain(&offer);
        Some((offer, gain))
    }

    /// Money: every combination of the other terms with its own solved price.
    fn at_gain_by_terms(&self, target: f64, like: &Offer, price: usize) -> Option<Offer> {
        let utility = &self.party.utility;
        let wanted = target + self.party.disagreement;
        let peak = utility.peak(self.space)?;
        if peak.utility + ROUNDING * (peak.utility.abs() + wanted.abs()) < wanted {
            return None;
        }
        let combinations = self.space.size() / u128::from(self.space.issues()[price].len());
        let mut best: Option<(f64, usize, Offer)> = None;
        let mut consider = |terms: &Offer, line: Line| {
            if let Some((offer, gain)) = self.valued_at_gain_with_terms(target, terms, line) {
                let shared = shared_values(&offer, like);
                if best.as_ref().is_none_or(|(least, most, _)| gain < *least || (gain == *least && shared > *most)) {
                    best = Some((gain, shared, offer));
                }
            }
            best.as_ref().map_or(f64::INFINITY, |(least, ..)| least - target)
        };
        if combinations > u128::from(SEARCH_LIMIT) {
            let terms = self.best()?;
            consider(&terms, utility.line_of(&terms));
        } else {
            let term = utility.price_term()?;
            // A mandate may take the solved price away, so that only looking tells what a combination gains.
            let certain = self.mandate.permits_all_values();
            let (nearest, aim) = (Cell::new(f64::INFINITY), Cell::new(term.aim(1.0, wanted)));
            let aimed = |slope: f64| {
                if aim.get().slope != slope {
                    aim.set(term.aim(slope, wanted));
                }
                aim.get()
            };
            let enters = |line: Line, added: &[f64]| {
                !certain || aimed(line.slope).may_come_within(nearest.get(), line.rest, added)
            };
            utility.each_line(self.space, &like.with(price, 0), enters, |indices, line| {
                if !certain || aimed(line.slope).excess(line.rest) <= nearest.get() {
                    nearest.set(consider(&Offer::new(indices), line));
                }
            });
        }
        best.map(|(_, _, offer)| offer)
    }

    /// Tables: outcomes are sorted, so the first permitted one at or above the target is near.
    fn valued_in_order(&self, order: &OutcomeOrder, target: f64, like: &Offer) -> Option<(Offer, f64)> {
        let disagreement = self.party.disagreement;
        let permits_all = self.mandate.permits_all_values();
        let mut at = order.utilities.partition_point(|&utility| utility - disagreement < target);
        while let Some(&utility) = order.utilities.get(at) {
            let mut best: Option<(usize, u32)> = None;
            // Those of one utility stand next to each other; nearly always there is one.
            while order.utilities.get(at).is_some_and(|&next| next == utility) {
                let rank = order.ranks[at];
                at += 1;
                let is_last = order.utilities.get(at).is_none_or(|&next| next != utility);
                if best.is_none() && is_last && permits_all {
                    best = Some((0, rank));
                } else if permits_all || self.permits_offer(&self.space.outcome(u64::from(rank))) {
                    let shared = self.space.shared_with(rank, like);
                    if best.is_none_or(|(most, _)| shared > most) {
                        best = Some((shared, rank));
                    }
                }
            }
            if let Some((_, rank)) = best {
                return Some((self.space.outcome(u64::from(rank)), utility - disagreement));
            }
        }
        None
    }

    /// Tables too large to sort: from the best package, the single change that comes nearest to the target without
    /// passing below it, until none comes nearer or the search has looked at as many as it may.
    fn at_gain_by_descent(&self, target: f64) -> Option<Offer> {
        let utility = &self.party.utility;
        let additive = utility.is_additive();
        // Where utility is a sum, a change costs one addition; else every constraint is looked at.
        let mut left = if additive {
            ADDITIONS_LIMIT
        } else {
            SEARCH_LIMIT / (utility.constraints() as u64).div_ceil(CHEAP_CONSTRAINTS).max(1)
        };
        let mut offer = self.best()?;
        let mut gain = self.party.gain(&offer);
        if gain < target {
            return None;
        }
        loop {
            let mut nearer: Option<(f64, usize, u32)> = None;
            for (position, &len) in self.space.lens().iter().enumerate() {
                let own = offer.get(position);
                let table = utility.table(position);
                for index in (0..len).filter(|&index| index != own && self.permits(position, index)) {
                    if left == 0 {
                        return Some(offer);
                    }
                    left -= 1;
                    let value = if additive {
                        gain + (table[index as usize] - table[own as usize])
                    } else {
                        self.party.gain(&offer.with(position, index))
                    };
                    if value >= target && value < nearer.map_or(gain, |(found, ..)| found) {
                        nearer = Some((value, position, index));
                    }
                }
            }
            let Some((_, position, index)) = nearer else { return Some(offer) };
            let next = offer.with(position, index);
            let found = self.party.gain(&next);
            // Differences round otherwise than sums do: what is no step towards the target after all ends the search.
            if found < target || found >= gain {
                return Some(offer);
            }
            (offer, gain) = (next, found);
        }
    }
}

fn shared_values(a: &Offer, b: &Offer) -> usize {
    a.indices().iter().zip(b.indices()).filter(|(a, b)| a == b).count()
}

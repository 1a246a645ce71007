//! MiCRO (de Jonge 2022).

use super::selection::Selection;
use crate::action::Action;
use crate::outcome::Offer;
use crate::proposal::Proposal;
use crate::random::LazyStream;
use crate::view::PartyView;

/// Goes down the list of its own packages, best first, one place for each package of the other side that it has not seen
/// before; otherwise it repeats one of its earlier offers, drawn at random.
///
/// With n distinct own offers made and m distinct offers received: if n <= m it offers place n of its list (from 0), else it
/// repeats; so it is never more than one place ahead. It accepts what is worth at least the lowest offer that it is then willing to make: the next of the list where n <=
/// m, else the lowest made. Source: de Jonge, "An Analysis of the Linear Bilateral ANAC Domains Using the MiCRO Benchmark
/// Strategy", IJCAI 2022. No exponent.
///
/// Tables: the list is all outcomes by own utility, from the nearest to `initial` from above (the best, where none is)
/// down to `last`; of equal utilities the
/// higher rank first. Money has thousands of packages a dollar apart, and a table space above
/// [`crate::OutcomeOrder::MOST_OUTCOMES`] is not sorted: there the list is a ladder, place k worth
/// `initial - k * rung` of the yardstick, the last place exactly `last`, each turned into a package when it is offered.
#[derive(Clone, Debug, PartialEq)]
pub struct Micro {
    /// Gain of the first place, as a share of the yardstick.
    pub initial: f64,
    /// Least gain of a place, as a share of the yardstick.
    pub last: f64,
    /// Distance of the ladder's places as a share of the yardstick, positive; tables that are sorted do not use it.
    pub rung: f64,
    /// Which package a ladder's place becomes.
    pub selection: Selection,
    made: Vec<Offer>,
    /// Where the history has each of the packages received for the first time.
    received: Vec<u32>,
    read: usize,
    /// Own gain of the lowest offer made.
    lowest: Option<f64>,
}

/// The memory of a [`Micro`]'s lists.
pub(crate) type Lists = (Vec<Offer>, Vec<u32>);

impl Micro {
    /// A tactic that has seen nothing yet.
    #[must_use]
    pub fn new(initial: f64, last: f64, rung: f64, selection: Selection) -> Self {
        Self { initial, last, rung, selection, made: Vec::new(), received: Vec::new(), read: 0, lowest: None }
    }

    /// Hands over the memory of its lists, which it needs no more.
    pub(crate) fn take_lists(&mut self) -> Lists {
        self.made.clear();
        self.received.clear();
        (std::mem::take(&mut self.made), std::mem::take(&mut self.received))
    }

    /// Takes memory for its lists, so that it asks for none.
    pub(crate) fn give_lists(&mut self, (made, received): Lists) {
        (self.made, self.received) = (made, received);
    }

    /// Its next action; it offers no gain below `least`.
    pub(super) fn propose(&mut self, view: &PartyView<'_>, stream: &mut LazyStream, least: f64) -> Proposal {
        if self.made.capacity() == 0 {
            // Once for all that may come, so that lists handed on never grow.
            self.made.reserve(usize::from(view.public.rounds));
            self.received.reserve(usize::from(view.public.rounds));
        }
        self.read_history(view);
        let willing = self.made.len() <= self.received.len() && view.refusal.is_none();
        let next = if willing { self.place(view, self.made.len()).filter(|(_, gain)| *gain >= least) } else { None };
        let Some(bar) = next.as_ref().map(|(_, gain)| *gain).or(self.lowest) else {
            return Proposal::Other(Action::Pass);
        };
        if view.refusal.is_none() && view.standing_gain().is_some_and(|standing| standing >= bar.max(0.0)) {
            return Proposal::Other(Action::Accept);
        }
        match next {
            Some((offer, gain)) => {
                self.made.push(offer.clone());
                self.lowest = Some(
                    self.lowest.map_or(gain, |lowest| if gain.total_cmp(&lowest).is_lt() { gain } else { lowest }),
                );
                Proposal::Offer((offer, gain).into())
            }
            None => Proposal::Other(self.repeat(view, stream, least)),
        }
    }

    fn read_history(&mut self, view: &PartyView<'_>) {
        for (at, made) in view.history.iter().enumerate().skip(self.read) {
            let Some(offer) = made.offer().filter(|_| made.seat != view.seat) else { continue };
            let again = |&place: &u32| view.history[place as usize].offer() == Some(offer);
            if !self.received.iter().any(again) {
                self.received.push(at as u32);
            }
        }
        self.read = view.history.len();
    }

    /// One of the earlier offers that are worth at least `least`; the last own offer always is.
    fn repeat(&self, view: &PartyView<'_>, stream: &mut LazyStream, least: f64) -> Action {
        let any = least == f64::NEG_INFINITY;
        let permitted = || self.made.iter().filter(|offer| any || view.gain(offer) >= least);
        let drawn = match permitted().count() {
            0 => None,
            1 => permitted().next(),
            several => permitted().nth(stream.open().below(several as u64) as usize),
        };
        drawn.or_else(|| view.own_last()).map_or(Action::Pass, |offer| Action::offer(offer.clone()))
    }

    /// Place `index` of the list with its gain; `None` past its end.
    fn place(&self, view: &PartyView<'_>, index: usize) -> Option<(Offer, f64)> {
        let (top, bottom) = (self.initial * view.own.yardstick, (self.last * view.own.yardstick).max(0.0));
        if let Some(order) = &view.own.order {
            let utilities = &order.utilities;
            let best = *utilities.last()?;
            let above = if best - view.own.disagreement <= top {
                utilities.len()
            } else {
                let first = utilities.partition_point(|&utility| utility - view.own.disagreement < top);
                let first = *utilities.get(first)?;
                utilities.partition_point(|&utility| utility <= first)
            };
            let outcome = |rank: u32| view.public.space.outcome(u64::from(rank));
            let (offer, gain) = if permits_all(view) {
                // The place is known: walking there would make a long list's end cost the square of its length.
                let place = above.checked_sub(index + 1)?;
                (outcome(order.ranks[place]), utilities[place] - view.own.disagreement)
            } else {
                let places = order.ranks[..above].iter().rev().map(|&rank| outcome(rank));
                let offer = places.filter(|offer| permitted(view, offer)).nth(index)?;
                let gain = view.gain(&offer);
                (offer, gain)
            };
            let least = if index == 0 { 0.0 } else { bottom };
            return (gain >= least).then_some((offer, gain));
        }
        let places = if self.rung > 0.0 { libm::ceil((self.initial - self.last) / self.rung).max(0.0) } else { 0.0 };
        if index as f64 > places {
            return None;
        }
        let target = (top - index as f64 * self.rung * view.own.yardstick).max(bottom);
        self.selection.valued_package(view, target).filter(|(_, gain)| *gain >= 0.0)
    }
}

/// Whether the mandate restricts neither values nor the price.
fn permits_all(view: &PartyView<'_>) -> bool {
    view.mandate.permitted.is_empty() && view.mandate.price_limit.is_none()
}

/// Whether the mandate permits the package's values, its price included; gains are the list's business.
fn permitted(view: &PartyView<'_>, offer: &Offer) -> bool {
    permits_all(view)
        || !matches!(
            view.mandate.test(&view.public.space, view.own, view.seat, offer),
            Err(crate::Refusal::PriceBeyondLimit { .. } | crate::Refusal::ValueNotPermitted { .. })
        )
}

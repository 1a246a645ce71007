//! Packages beside those that were weighed as actions, valued like them, so that a decision shows as many as a reader may expect.
//!
//! They explain and decide nothing: the choice was made before, and their random numbers are a copy's.

use super::choice::{Candidate, STEPS, Situation, TABLE_STEP, Weighed, same};
use super::menu::{Menu, permits};
use super::rollout::{First, Trials, Way, Worth};
use zopa_envs::{Offer, PartyView, Stream};

/// How far above the least permitted gain packages are looked for, in shares of the own yardstick; further where more was weighed.
const ROOM: f64 = 0.05;
/// Levels of own gain that are tried for each package that is missing, and outcomes of a table that are looked at on either side.
const LEVELS: usize = 8;
const OUTCOMES: usize = 64;

/// As many packages as are `missing`, where so many more are permitted: best first. `least`: the least own gain that is permitted, in
/// units.
pub(super) fn further(
    view: &PartyView<'_>,
    situation: &Situation<'_>,
    weighed: &[Weighed],
    missing: usize,
    least: f64,
    trials: &mut Trials<'_>,
    stream: &Stream,
) -> Vec<Weighed> {
    let belief = situation.belief;
    let unit = belief.valuation.unit;
    let withdrawn = situation.withdrawn;
    let mut search = Search { view, unit, weighed, missing, least, withdrawn, found: Vec::with_capacity(missing) };
    match situation.menu {
        Menu::Priced { .. } => search.between(situation.menu),
        Menu::Listed(packages) => {
            search.around(packages.iter().map(|package| (&package.offer, package.own)).collect());
            search.in_order();
        }
    }
    let step = match situation.menu {
        Menu::Priced { .. } => STEPS[1],
        Menu::Listed(_) => TABLE_STEP,
    } * view.own.yardstick
        / unit;
    let mut stream = stream.clone();
    let mut valued: Vec<Weighed> = search
        .found
        .into_iter()
        .map(|(offer, own)| {
            let first = First { novel: !belief.has_offered(&offer), form: Some(belief.valuation.form(view, &offer)) };
            let Worth { value, acceptance } = trials.worth(Way { now: Some(own), step }, &first, &mut stream);
            Weighed { option: Candidate::Offer(offer), own, acceptance, value }
        })
        .collect();
    valued.sort_by(|a, b| b.value.total_cmp(&a.value));
    valued
}

/// A search for packages that may be offered and were not weighed.
struct Search<'a> {
    view: &'a PartyView<'a>,
    unit: f64,
    weighed: &'a [Weighed],
    missing: usize,
    least: f64,
    withdrawn: Option<&'a Offer>,
    found: Vec<(Offer, f64)>,
}

impl Search<'_> {
    fn is_full(&self) -> bool {
        self.found.len() >= self.missing
    }

    /// Keeps a package of own gain `own`, in units, where it may be offered and is new.
    fn consider(&mut self, offer: &Offer, own: f64) {
        let known = self.weighed.iter().any(|weighed| same(weighed, offer))
            || self.view.standing().is_some_and(|standing| self.takes() && standing == offer)
            || self.found.iter().any(|(found, _)| found == offer)
            || self.withdrawn == Some(offer);
        if !self.is_full() && !known && own >= self.least && permits(self.view, offer, own * self.unit) {
            self.found.push((offer.clone(), own));
        }
    }

    /// Whether taking what stands was weighed.
    fn takes(&self) -> bool {
        self.weighed.iter().any(|weighed| weighed.option == Candidate::Accept)
    }

    /// The own gain around which what is shown tells most.
    fn middle(&self) -> f64 {
        let offered = self.weighed.iter().find(|weighed| matches!(weighed.option, Candidate::Offer(_)));
        offered.map_or(self.least, |weighed| weighed.own)
    }

    /// At any price: own gains that halve the widest gaps between those that were weighed.
    fn between(&mut self, menu: &Menu) {
        let offered = self.weighed.iter().filter(|weighed| matches!(weighed.option, Candidate::Offer(_)));
        let mut levels: Vec<f64> = offered.map(|weighed| weighed.own).collect();
        let room = self.least + ROOM * self.view.own.yardstick / self.unit;
        levels.push(levels.iter().copied().fold(room, f64::max));
        levels.push(self.least);
        levels.sort_by(f64::total_cmp);
        for _ in 0..LEVELS * self.missing {
            if self.is_full() {
                return;
            }
            let widest = (1..levels.len()).max_by(|&a, &b| {
                let gap = |at: usize| levels[at] - levels[at - 1];
                gap(a).total_cmp(&gap(b))
            });
            let Some(at) = widest else { return };
            let level = f64::midpoint(levels[at - 1], levels[at]);
            levels.insert(at, level);
            if let Some((offer, own)) = menu.package(self.view, self.unit, level) {
                self.consider(&offer, own);
            }
        }
    }

    /// Of these packages those nearest to the best one's own gain.
    fn around(&mut self, mut packages: Vec<(&Offer, f64)>) {
        let middle = self.middle();
        packages.sort_by(|a, b| (a.1 - middle).abs().total_cmp(&(b.1 - middle).abs()));
        for (offer, own) in packages {
            self.consider(offer, own);
        }
    }

    /// Of all outcomes those nearest to the best one's own gain, where a frontier has too few.
    fn in_order(&mut self) {
        let (own, space) = (self.view.own, &self.view.public.space);
        let Some(order) = own.order.as_ref().filter(|_| !self.is_full()) else { return };
        let wanted = self.middle() * self.unit + own.disagreement;
        let at = order.utilities.partition_point(|&utility| utility < wanted);
        let reach = OUTCOMES * self.missing;
        let near = &order.ranks[at.saturating_sub(reach)..(at + reach).min(order.ranks.len())];
        let offers: Vec<Offer> = near.iter().map(|&rank| space.outcome(u64::from(rank))).collect();
        self.around(offers.iter().map(|offer| (offer, self.view.gain(offer) / self.unit)).collect());
    }
}

//! How each of the strategy's seven intents becomes an action.
//!
//! Step sizes are shares of the party's yardstick: a reservation price in money domains, the whole range of gains in
//! tables. They are raw: guardrails and mandate are not looked at here, so a policy over intents can violate both.

use crate::action::{Action, Intent};
use crate::outcome::Offer;
use crate::package::Packages;
use crate::proposal::{Package, Proposal};
use crate::view::{Latest, PartyView};

/// Own gain of an opening anchor in money domains.
pub const ANCHOR_MONEY: f64 = 0.20;
/// Own gain of an opening anchor in table domains.
pub const ANCHOR_TABLES: f64 = 0.95;
/// Own gain given up by a small concession in money domains.
pub const CONCESSION_MONEY: f64 = 0.02;
/// Own gain given up by a small concession in table domains.
pub const CONCESSION_TABLES: f64 = 0.05;
/// Gains that differ by no more than this count as equal utility.
pub const EQUAL_UTILITY: f64 = 0.001;

/// The action that `intent` means for the side that sees `view`.
///
/// - `open_anchor`: own best other terms, priced for the anchor's gain, or the best package where that gains less.
/// - `concede_small`: the last own offer's other terms, one concession step down; without one, an anchor.
/// - `hold_firm`: the last own offer again; without one, an anchor.
/// - `explore_zopa`: equal own utility with one issue moved to the other side's value, the one that costs least in own
///   utility first; where nothing is left to trade, a small concession.
/// - `make_final`: the other side's other terms with the gap in own gain split evenly, declared best and final, never below
///   zero gain; without a standing offer, the last own offer.
/// - `accept`, `reject`: the standing offer taken, the negotiation left.
///
/// Where the mandate permits no package at all every offering intent passes.
#[must_use]
pub fn realise(intent: Intent, view: &PartyView<'_>) -> Action {
    propose(intent, view).into_action(view)
}

/// As [`realise`], told as shortly as it can be.
pub(crate) fn propose(intent: Intent, view: &PartyView<'_>) -> Proposal {
    let packages = view.packages();
    Proposal::of(match intent {
        Intent::Accept => return Proposal::Other(Action::Accept),
        Intent::Reject => return Proposal::Other(Action::WalkAway),
        Intent::OpenAnchor => anchor(view, &packages),
        Intent::ConcedeSmall => concede(view, &packages),
        Intent::HoldFirm => hold(&view.own_latest(), &packages).or_else(|| anchor(view, &packages)),
        Intent::ExploreZopa => explore(view, &packages).or_else(|| concede(view, &packages)),
        Intent::MakeFinal => {
            let action = best_and_final(view, &packages).map_or(Action::Pass, Action::final_offer);
            return Proposal::Other(action);
        }
    })
}

fn is_money(view: &PartyView<'_>) -> bool {
    view.own.utility.price_issue().is_some()
}

fn anchor(view: &PartyView<'_>, packages: &Packages<'_>) -> Option<Package> {
    let share = if is_money(view) { ANCHOR_MONEY } else { ANCHOR_TABLES };
    packages.near_peak_at_most(share * view.own.yardstick, &view.own_latest())
}

/// As [`propose`], for the intents that go by the `own` latest offer alone; `None` for others, and where no package is found.
#[inline]
pub(crate) fn propose_by_own(intent: Intent, own: &Latest<'_>, packages: &Packages<'_>) -> Option<Package> {
    match intent {
        Intent::ConcedeSmall => step_down(own, packages),
        Intent::HoldFirm => hold(own, packages),
        _ => None,
    }
}

/// The last own offer again.
#[inline]
fn hold(own: &Latest<'_>, packages: &Packages<'_>) -> Option<Package> {
    let (last, gain) = (own.offer?, own.gain);
    Some(match packages.party.utility.price_issue() {
        Some(price) => Package::Priced { terms_of: packages.seat, index: last.get(price), gain },
        None => Package::Whole { offer: last.clone(), gain },
    })
}

/// One concession step down from the last own offer.
#[inline]
fn step_down(own: &Latest<'_>, packages: &Packages<'_>) -> Option<Package> {
    let money = packages.party.utility.price_issue().is_some();
    let share = if money { CONCESSION_MONEY } else { CONCESSION_TABLES };
    packages.near_latest(own.gain - share * packages.party.yardstick, packages.seat, own.offer?, own.line)
}

fn concede(view: &PartyView<'_>, packages: &Packages<'_>) -> Option<Package> {
    let own = &view.own_latest();
    if own.offer.is_some() { step_down(own, packages) } else { anchor(view, packages) }
}

fn explore(view: &PartyView<'_>, packages: &Packages<'_>) -> Option<Package> {
    let (last, standing) = (view.own_last()?, view.standing()?);
    let gain = view.own_last_gain()?;
    let slack = EQUAL_UTILITY * view.own.yardstick;
    let Some(price) = view.own.utility.price_issue() else {
        let line = view.standing_latest().line;
        return packages
            .valued_at_gain(gain - slack, standing, line)
            .filter(|(offer, _)| offer != last)
            .map(Package::from);
    };
    let passes = |gained: f64| gained <= gain + slack;
    let differing = || {
        let terms = last.indices().iter().zip(standing.indices()).enumerate();
        terms.filter(move |&(issue, (own, other))| issue != price && own != other)
    };
    if differing().nth(1).is_none() {
        // With the one issue moved the terms are the other side's.
        differing().next()?;
        let line = view.standing_latest().line;
        let priced = packages.price_at_gain(gain, line).map(|(index, gained)| Package::Priced {
            terms_of: view.seat.other(),
            index,
            gain: gained,
        });
        let package = priced.or_else(|| packages.valued_at_gain_with_terms(gain, standing, line).map(Package::from));
        return package.filter(|package| passes(package.gain()));
    }
    let mut moved = last.clone();
    let mut cheapest: Option<(f64, usize)> = None;
    for (issue, (&own, &other)) in differing() {
        moved.set(issue, other);
        let cost = gain - view.gain(&moved);
        moved.set(issue, own);
        if cheapest.is_none_or(|(least, _)| cost.total_cmp(&least).is_lt()) {
            cheapest = Some((cost, issue));
        }
    }
    let (_, issue) = cheapest?;
    moved.set(issue, standing.get(issue));
    packages
        .valued_at_gain_with_terms(gain, &moved, view.own.utility.line_of(&moved))
        .filter(|(_, gained)| passes(*gained))
        .map(Package::from)
}

fn best_and_final(view: &PartyView<'_>, packages: &Packages<'_>) -> Option<Offer> {
    let Some(standing) = view.standing() else {
        return view.own_last().cloned().or_else(|| anchor(view, packages).map(|package| package.into_offer(view)));
    };
    let own =
        view.own_last_gain().or_else(|| anchor(view, packages).map(|package| view.gain(&package.into_offer(view))))?;
    let theirs = view.standing_gain()?;
    if theirs >= own {
        return Some(standing.clone());
    }
    let target = f64::midpoint(own, theirs).max(0.0);
    packages.valued_at_gain(target, standing, view.standing_latest().line).map(|(offer, _)| offer)
}

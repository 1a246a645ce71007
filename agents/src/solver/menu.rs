//! The packages worth weighing: other terms that suit both sides under the belief, at any price; or a table's frontier.

use super::valuation::{Form, Valuation};
use zopa_envs::mandate::ApprovalRule;
use zopa_envs::package::SEARCH_LIMIT;
use zopa_envs::{Financing, Issue, IssueRole, Mandate, Money, Offer, OutcomeSpace, PartyView, Value};

/// Packages of a table's frontier that are kept.
const KEPT: usize = 40;
/// Exchange rates at which a table too large to walk through is searched.
const RATES: u32 = 64;

/// Whether the mandate lets this value of an issue be offered without asking a person.
pub(super) fn permits_value(mandate: &Mandate, space: &OutcomeSpace, issue: usize, index: u32) -> bool {
    let held = |rule: &ApprovalRule| match rule {
        ApprovalRule::ValuesBeside(free) => {
            free.issue == issue && !free.values.get(index as usize).copied().unwrap_or(false)
        }
        ApprovalRule::QuantityAbove(most) => {
            let of: &Issue = &space.issues()[issue];
            of.role == IssueRole::Quantity && matches!(of.value(index), Value::Integer(units) if units > *most)
        }
        ApprovalRule::PriceBeyond(_) | ApprovalRule::GainBelow(_) => false,
    };
    mandate.permits_value(issue, index) && !mandate.approval.iter().any(held)
}

/// Whether authority lets `offer` be made without asking a person.
pub(super) fn permits(view: &PartyView<'_>, offer: &Offer, gain: f64) -> bool {
    view.mandate.test_valued(&view.public.space, view.seat, offer, gain).is_ok()
        && view.mandate.hold(&view.public.space, view.seat, offer, gain).is_none()
}

/// The own gain, in units, above which authority lets a package with these other terms be agreed on without asking a person: limits of
/// gain and of price alike, since price is all that is left to move. `line`: own gain by price, where there is one. `None` where one of
/// the terms is not permitted.
pub(super) fn permitted_above(view: &PartyView<'_>, terms: &Offer, line: Option<OwnLine>, unit: f64) -> Option<f64> {
    let (mandate, space) = (view.mandate, &view.public.space);
    let price = view.own.utility.price_issue();
    let mut others = (0..space.issues().len()).filter(|&issue| Some(issue) != price);
    if line.is_some() && !others.all(|issue| permits_value(mandate, space, issue, terms.get(issue))) {
        return None;
    }
    let at = |limit: Money| line.map_or(0.0, |line| line.rest + line.slope * limit.as_major() / unit);
    let held = mandate.approval.iter().map(|rule| match rule {
        ApprovalRule::GainBelow(least) => least / unit,
        ApprovalRule::PriceBeyond(limit) => at(*limit),
        ApprovalRule::QuantityAbove(_) | ApprovalRule::ValuesBeside(_) => 0.0,
    });
    let limits = mandate.least_gain.map(|least| least / unit).into_iter().chain(mandate.price_limit.map(at));
    Some(limits.chain(held).fold(0.0, f64::max))
}

/// Own gain of a line of packages by price, in units: `rest + slope * price`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnLine {
    pub(super) rest: f64,
    pub(super) slope: f64,
}

impl OwnLine {
    pub(super) fn of(view: &PartyView<'_>, terms: &Offer, unit: f64) -> Option<Self> {
        let (rest, slope) = view.own.utility.line(terms)?;
        Some(Self { rest: (rest - view.own.disagreement) / unit, slope })
    }

    /// The largest gain between two prices.
    pub(super) fn most(self, prices: (f64, f64)) -> f64 {
        self.rest + (self.slope * prices.0).max(self.slope * prices.1)
    }
}

/// What can be offered.
#[derive(Clone, Debug)]
pub(super) enum Menu {
    /// Money: these other terms, the price free between two ends, in units.
    Priced { terms: Offer, own: OwnLine, prices: (f64, f64) },
    /// Tables: packages by falling own gain, each with the other side's gain of it.
    Listed(Vec<Listed>),
}

/// A package of a table.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub(super) offer: Offer,
    /// Own gain in units.
    pub(super) own: f64,
    pub(super) form: Form,
}

impl Menu {
    /// The packages that suit both sides when the other side is as `state` says. `fixed`: other terms that are not traded.
    pub(super) fn of(
        view: &PartyView<'_>,
        valuation: &Valuation,
        state: &[f64],
        fixed: Option<&Offer>,
    ) -> Option<Self> {
        match valuation.price {
            Some(price) => {
                let terms = match fixed {
                    Some(fixed) => fixed.clone(),
                    None => best_exchange(view, valuation, state, price)?,
                };
                Self::priced(view, valuation, &terms, price)
            }
            None => {
                let listed = frontier(view, valuation, state);
                (!listed.is_empty()).then_some(Self::Listed(listed))
            }
        }
    }

    /// The packages with these other terms.
    pub(super) fn priced(view: &PartyView<'_>, valuation: &Valuation, terms: &Offer, price: usize) -> Option<Self> {
        let issue = &view.public.space.issues()[price];
        let number = |index| issue.number(index).unwrap_or(0.0) / valuation.unit;
        let own = OwnLine::of(view, terms, valuation.unit)?;
        Some(Self::Priced { terms: terms.clone(), own, prices: (number(0), number(issue.len() - 1)) })
    }

    /// The largest own gain of its packages, in units.
    pub(super) fn most(&self) -> f64 {
        match self {
            Self::Priced { own, prices, .. } => own.most(*prices),
            Self::Listed(packages) => packages.first().map_or(0.0, |package| package.own),
        }
    }

    /// The own gain, in units, above which its packages may be agreed on without asking a person.
    pub(super) fn permitted_above(&self, view: &PartyView<'_>, unit: f64) -> f64 {
        match self {
            Self::Priced { terms, own, .. } => permitted_above(view, terms, Some(*own), unit).unwrap_or(0.0),
            // Only packages that are permitted are listed.
            Self::Listed(_) => 0.0,
        }
    }

    /// The package of the menu whose own gain, in units, is nearest to `own` from above, with that gain; the best one where the
    /// grid or a list of permitted prices ends below it. `None` where the mandate leaves none.
    pub(super) fn package(&self, view: &PartyView<'_>, unit: f64, own: f64) -> Option<(Offer, f64)> {
        match self {
            Self::Priced { terms, own: line, prices } => {
                // Beyond the grid's own end the best price is the end.
                let target = own.min(line.most(*prices) - 1e-9) * unit;
                let found = view.packages().at_gain_with_terms(target, terms);
                let offer = found.or_else(|| best_listed(view, terms, line.slope))?;
                let gain = view.gain(&offer);
                Some((offer, gain / unit))
            }
            Self::Listed(packages) => {
                let above = packages.iter().rev().find(|package| package.own >= own - 1e-12).or(packages.first())?;
                Some((above.offer.clone(), above.own))
            }
        }
    }
}

/// The package with these other terms at the own best of the permitted prices, where the mandate lists them.
fn best_listed(view: &PartyView<'_>, terms: &Offer, slope: f64) -> Option<Offer> {
    let price = view.own.utility.price_issue()?;
    let listed = view.mandate.permitted.iter().find(|permitted| permitted.issue == price)?;
    let mut permitted = (0..listed.values.len() as u32).filter(|&index| view.mandate.permits_value(price, index));
    let best = if slope > 0.0 { permitted.next_back() } else { permitted.next() }?;
    Some(terms.with(price, best))
}

/// The combination of other terms that leaves most to share: for each value that finances the price the exchange rate is
/// known, and every other issue is chosen by itself, since both sides' gains are sums. So no combination has to be
/// walked through, however many there are.
fn best_exchange(view: &PartyView<'_>, valuation: &Valuation, state: &[f64], price: usize) -> Option<Offer> {
    let space = &view.public.space;
    let issues = space.issues();
    let permitted = |issue: usize, index: u32| permits_value(view.mandate, space, issue, index);
    let mut base = view.public.status_quo.clone().unwrap_or_else(|| space.first());
    for issue in (0..issues.len()).filter(|&issue| issue != price) {
        if !permitted(issue, base.get(issue)) {
            base.set(issue, (0..issues[issue].len()).find(|&index| permitted(issue, index))?);
        }
    }
    let financed = view.own.utility.financing().map(Financing::issue).or(valuation.financed());
    let rates = financed.map_or(0..1, |issue| 0..issues[issue].len());
    let mut best: Option<(f64, Offer)> = None;
    for rate in rates {
        let mut terms = match financed {
            Some(issue) if permitted(issue, rate) => base.with(issue, rate),
            Some(_) => continue,
            None => base.clone(),
        };
        let line = OwnLine::of(view, &terms, valuation.unit)?;
        let theirs = valuation.price_slope(&terms, state);
        if theirs.abs() < 1e-9 {
            continue;
        }
        let exchange = (line.slope / theirs).abs();
        for issue in (0..issues.len()).filter(|&issue| issue != price && Some(issue) != financed) {
            let own = view.own.utility.table(issue);
            let mut top = f64::NEG_INFINITY;
            for index in (0..issues[issue].len()).filter(|&index| permitted(issue, index)) {
                let worth = own.get(index as usize).copied().unwrap_or(0.0) / valuation.unit
                    + exchange * valuation.value(issue, index, state);
                if worth > top + 1e-12 {
                    top = worth;
                    terms.set(issue, index);
                }
            }
        }
        let line = OwnLine::of(view, &terms, valuation.unit)?;
        let zero = valuation.form_at(&terms, 0.0).at(state);
        let own = line.rest - line.slope * zero / theirs;
        if best.as_ref().is_none_or(|(found, _)| own > *found + 1e-12) {
            best = Some((own, terms));
        }
    }
    best.map(|(_, terms)| terms)
}

/// The own best packages by what they leave the other side at a state, own gain falling.
fn frontier(view: &PartyView<'_>, valuation: &Valuation, state: &[f64]) -> Vec<Listed> {
    let space = &view.public.space;
    let unit = valuation.unit;
    let issues = space.issues();
    // What each value is worth to the other side, once: the walk then only adds.
    let worth: Vec<Vec<f64>> = (0..issues.len())
        .map(|issue| (0..issues[issue].len()).map(|index| valuation.value(issue, index, state)).collect())
        .collect();
    let mut found: Vec<(f64, f64, Offer)> = Vec::new();
    match &view.own.order {
        Some(order) if order.ranks.len() as u64 <= SEARCH_LIMIT => {
            // Own gain falls: only what gives the other side more than all before is on the frontier.
            let sums = sums(&worth);
            let mut most = f64::NEG_INFINITY;
            for &rank in order.ranks.iter().rev() {
                let given = sums[rank as usize];
                if given > most {
                    let offer = space.outcome(u64::from(rank));
                    let gain = view.gain(&offer);
                    if gain < 0.0 {
                        break;
                    }
                    if permits(view, &offer, gain) {
                        most = given;
                        found.push((gain / unit, given, offer));
                    }
                }
            }
        }
        _ => {
            for step in 0..=RATES {
                let share = f64::from(step) / f64::from(RATES);
                let mut offer = space.first();
                for (issue, row) in worth.iter().enumerate() {
                    let own = view.own.utility.table(issue);
                    let mut top = f64::NEG_INFINITY;
                    for index in 0..issues[issue].len() {
                        let value = (1.0 - share) * own[index as usize] / unit + share * row[index as usize];
                        if permits_value(view.mandate, space, issue, index) && value > top {
                            top = value;
                            offer.set(issue, index);
                        }
                    }
                }
                let gain = view.gain(&offer);
                if gain >= 0.0 && permits(view, &offer, gain) {
                    let given = offer.indices().iter().zip(&worth).map(|(&index, row)| row[index as usize]).sum();
                    found.push((gain / unit, given, offer));
                }
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    found.dedup_by(|later, earlier| later.2 == earlier.2);
    let stride = found.len().div_ceil(KEPT).max(1);
    let last = found.len().saturating_sub(1);
    let kept = found.into_iter().enumerate().filter(|(place, _)| place % stride == 0 || *place == last);
    kept.map(|(_, (own, _, offer))| Listed { form: valuation.form(view, &offer), own, offer }).collect()
}

/// What the outcomes are worth by rank (see [`OutcomeSpace::outcome`]), where `worth` holds that of each issue's values. Outcomes that
/// share their leading values share that sum, so that each costs one addition, in the order of the issues.
fn sums(worth: &[Vec<f64>]) -> Vec<f64> {
    worth.iter().fold(vec![0.0], |sums, row| {
        let mut longer = Vec::with_capacity(sums.len() * row.len());
        for sum in &sums {
            longer.extend(row.iter().map(|worth| sum + worth));
        }
        longer
    })
}

#[cfg(test)]
mod tests {
    use super::sums;
    use std::sync::Arc;
    use zopa_envs::{Grid, Issue, IssueRole, OutcomeSpace};

    #[test]
    fn sums_by_rank_are_those_of_the_outcomes_to_the_bit() {
        let worth = vec![vec![0.1, 0.7], vec![0.31, 0.12, 0.05], vec![0.003], vec![0.2, 0.9, 0.4, 1.0 / 3.0]];
        let issues = worth.iter().enumerate().map(|(issue, row)| Issue {
            name: format!("issue{issue}").into(),
            role: IssueRole::Other,
            unit: "".into(),
            grid: Grid::Labels((0..row.len()).map(|value| Arc::from(format!("v{value}"))).collect()),
        });
        let space = OutcomeSpace::new(issues.collect()).unwrap();
        let sums = sums(&worth);
        assert_eq!(sums.len() as u128, space.size());
        for (outcome, sum) in space.outcomes().zip(sums) {
            let indices = outcome.indices().iter();
            let added: f64 = indices.zip(&worth).map(|(&index, row)| row[index as usize]).sum();
            assert_eq!(added.to_bits(), sum.to_bits(), "{outcome:?}");
        }
    }
}

//! What a mandate permits, with and without asking a person.

use super::input::plain;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use zopa_envs::{
    ApprovalRule, Issue, IssueRole, Mandate, Offer, OutcomeSpace, Packages, PartyType, PartyView, PermittedValues,
    Seat, Value,
};

/// What a mandate permits in this turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limits {
    /// The least own gain of an offer now.
    pub least_gain: Option<f64>,
    /// Lowest and highest price with the recommended, else the reference terms.
    pub price: Option<[f64; 2]>,
    /// Permitted values by issue, the price left out.
    pub values: Map<String, Json>,
}

/// What authority permits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Permitted {
    /// Without asking a person.
    #[serde(flatten)]
    pub without_approval: Limits,
    /// Where a person approves; `None` where nothing needs approval.
    pub with_approval: Option<Limits>,
}

/// What is permitted in this turn. `offer`: the package whose other terms the prices are stated for.
pub(super) fn permitted(view: &PartyView<'_>, offer: Option<&Offer>) -> Permitted {
    let strict = without_asking(view.mandate, &view.public.space, view.seat);
    Permitted {
        without_approval: limits(view, &strict, offer),
        with_approval: (!view.mandate.approval.is_empty()).then(|| limits(view, view.mandate, offer)),
    }
}

fn limits(view: &PartyView<'_>, mandate: &Mandate, offer: Option<&Offer>) -> Limits {
    let PartyView { public, own, seat, round, history, .. } = *view;
    let least = PartyView::new(public, own, mandate, seat, round, history, None).least_gain();
    let least_gain = least.is_finite().then_some(least);
    let price = prices(view, mandate, least_gain.unwrap_or(0.0).max(0.0), offer);
    Limits { least_gain, price, values: values(view, mandate) }
}

/// Lowest and highest price that a mandate permits with the terms of `offer`, each of which gains `least` or more.
fn prices(view: &PartyView<'_>, mandate: &Mandate, least: f64, offer: Option<&Offer>) -> Option<[f64; 2]> {
    let issue = view.own.utility.price_issue()?;
    let like = offer.or(view.public.status_quo.as_ref())?;
    let packages = Packages { mandate, ..view.packages() };
    let worst = packages.at_gain_with_terms(least, like)?;
    let of = &view.public.space.issues()[issue];
    let mut listed = (0..of.len()).filter(|&index| mandate.permits_value(issue, index));
    let best = if view.seat == Seat::Buyer { listed.next() } else { listed.next_back() }?;
    let ends = [of.number(worst.get(issue))?, of.number(best)?];
    Some([ends[0].min(ends[1]), ends[0].max(ends[1])])
}

fn values(view: &PartyView<'_>, mandate: &Mandate) -> Map<String, Json> {
    let price = view.own.utility.price_issue();
    let issues = view.public.space.issues().iter().enumerate().filter(|(issue, _)| Some(*issue) != price);
    let of = |(issue, of): (usize, &Issue)| {
        let allowed = (0..of.len()).filter(|&index| mandate.permits_value(issue, index));
        (of.name.to_string(), json!(allowed.map(|index| plain(of, index)).collect::<Vec<_>>()))
    };
    issues.map(of).collect()
}

/// The mandate that permits what `mandate` permits without approval.
pub(super) fn without_asking(mandate: &Mandate, space: &OutcomeSpace, seat: Seat) -> Mandate {
    let mut strict = Mandate { approval: Vec::new(), ..mandate.clone() };
    for rule in &mandate.approval {
        match rule {
            ApprovalRule::PriceBeyond(free) => {
                let stricter = strict.price_limit.map_or(*free, |limit| match seat {
                    Seat::Buyer => limit.min(*free),
                    Seat::Supplier => limit.max(*free),
                });
                strict.price_limit = Some(stricter);
            }
            ApprovalRule::GainBelow(free) => {
                strict.least_gain = Some(strict.least_gain.map_or(*free, |least| least.max(*free)));
            }
            ApprovalRule::QuantityAbove(free) => {
                let Some(issue) = space.role(IssueRole::Quantity) else { continue };
                let of = &space.issues()[issue];
                let within = |index| !matches!(of.value(index), Value::Integer(units) if units > *free);
                strict.permitted.push(PermittedValues { issue, values: (0..of.len()).map(within).collect() });
            }
            ApprovalRule::ValuesBeside(free) => strict.permitted.push(free.clone()),
        }
    }
    strict
}

/// The own best package of the values that `mandate` permits; where it does not permit that package, it permits none.
pub(super) fn own_best(space: &OutcomeSpace, status_quo: Option<&Offer>, own: &PartyType, mandate: &Mandate) -> Offer {
    let issues = space.issues();
    let price = space.role(IssueRole::Price);
    let mut best = status_quo.cloned().unwrap_or_else(|| space.first());
    // The price first: what payment days are worth depends on it.
    let order = price.into_iter().chain((0..issues.len()).filter(|&issue| Some(issue) != price));
    for issue in order {
        let permitted = (0..issues[issue].len()).filter(|&index| mandate.permits_value(issue, index));
        let top = permitted.map(|index| best.with(issue, index)).max_by(|a, b| own.gain(a).total_cmp(&own.gain(b)));
        best = top.unwrap_or(best);
    }
    best
}

//! What the other side's gain of a package is, as a linear form in what is hidden.
//!
//! Money: with prices in shares of the status quo's, a supplier's gain is `(p - 1) - d + r p (d0 - days) / 365 + sum w (shape[v] -
//! shape[v0])`, and a buyer's the same with `1 - p` and `-r p ...`: linear in the disagreement share d, the rate r and the
//! weights w, whatever the package. Tables: a sum of one unknown number a value (or a weight an issue, where there are many).
//! The hidden state holds three numbers of behaviour in front: first and last aspiration and the logarithm of the
//! concession exponent.

use smallvec::SmallVec;
use zopa_envs::utility::DAYS_PER_YEAR;
use zopa_envs::{CommonPrior, Distribution, Offer, PartyView, Seat, Valuation as Shape};

/// Position of the first aspiration in the state.
pub(super) const INITIAL: usize = 0;
/// Position of the last aspiration.
pub(super) const LAST: usize = 1;
/// Position of the concession exponent's logarithm.
pub(super) const EXPONENT: usize = 2;
/// Position of the first valuation; in money it is the disagreement share.
pub(super) const FIRST: usize = 3;

/// Values of a table domain that each have an unknown worth of their own; above this an issue has one weight.
const MOST_VALUES: usize = 21;
/// How far a value's worth may be from the reverse of the own one, as a share of the issue's even weight.
const TABLE_SPREAD: f64 = 0.45;

/// One hidden number about what the other side values.
#[derive(Clone, Debug)]
struct Parameter {
    prior: Distribution,
    /// The issue that it is about; `None` for the disagreement value.
    issue: Option<usize>,
    worth: Worth,
}

#[derive(Clone, Debug)]
enum Worth {
    /// The disagreement value, as a share of the scale.
    Disagreement,
    /// Weight of these numbers, one a value, less the status quo's.
    Steps(Vec<f64>),
    /// Yearly rate on the price, by years that each value pays before the reference.
    Rate(Vec<f64>),
    /// Worth of one value.
    Value(u32),
}

/// The linear form of one package: what does not depend on what is hidden, and what does.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    pub(super) fixed: f64,
    pub(super) terms: SmallVec<[(u16, f64); 8]>,
}

impl Form {
    /// The gain at a state.
    pub(super) fn at(&self, state: &[f64]) -> f64 {
        self.terms.iter().fold(self.fixed, |sum, &(index, factor)| sum + factor * state[usize::from(index)])
    }

    /// The slopes over the whole state, added to `slopes`.
    pub(super) fn add_to(&self, slopes: &mut [f64], sign: f64) {
        for &(index, factor) in &self.terms {
            slopes[usize::from(index)] += sign * factor;
        }
    }
}

/// The other side's valuations as far as they are public, and the scale of gains.
#[derive(Clone, Debug)]
pub(super) struct Valuation {
    parameters: Vec<Parameter>,
    /// Units of utility that gains are measured in: the status quo's price, or the own yardstick of tables.
    pub(super) unit: f64,
    /// The price issue, where there is money.
    pub(super) price: Option<usize>,
    /// +1 where the other side receives the price.
    pub(super) sign: f64,
    /// Whether a prior was published.
    pub(super) published: bool,
}

impl Valuation {
    pub(super) fn of(view: &PartyView<'_>) -> Self {
        let price = view.own.utility.price_issue();
        let sign = if view.seat == Seat::Buyer { 1.0 } else { -1.0 };
        let Some(issue) = price else { return Self::of_tables(view) };
        let quoted = view.public.status_quo_price();
        let space = &view.public.space;
        let middle = || space.issues()[issue].number((space.issues()[issue].len() - 1) / 2);
        let unit = quoted.or_else(middle).unwrap_or(1.0).max(1e-9);
        let parameters = match (&view.public.prior, &view.public.status_quo) {
            (CommonPrior::Parties(priors), Some(status_quo)) => {
                let prior = &priors[view.seat.other().index()];
                let disagreement = Parameter { prior: prior.disagreement, issue: None, worth: Worth::Disagreement };
                let valued = prior.valuations.iter().map(|valuation| {
                    let (issue, reference) = (valuation.issue, status_quo.get(valuation.issue));
                    let worth = match &valuation.valuation {
                        Shape::Shape(shape) => {
                            Worth::Steps(shape.iter().map(|share| share - shape[reference as usize]).collect())
                        }
                        Shape::FinancingRate => {
                            let days = |index| space.issues()[issue].number(index).unwrap_or(0.0);
                            let years = |index| (days(reference) - days(index)) / DAYS_PER_YEAR;
                            Worth::Rate((0..space.issues()[issue].len()).map(years).collect())
                        }
                    };
                    Parameter { prior: valuation.weight, issue: Some(issue), worth }
                });
                std::iter::once(disagreement).chain(valued).collect()
            }
            _ => Self::unpublished_money(view, issue, unit),
        };
        let published = view.public.prior != CommonPrior::Unknown;
        Self { parameters, unit, price, sign, published }
    }

    /// Money without a published prior: the other side is on the other end of the price, its fallback is within 15 % of the
    /// reference, and on every other issue it may want the reverse of the own wishes or not care.
    fn unpublished_money(view: &PartyView<'_>, price: usize, unit: f64) -> Vec<Parameter> {
        let prior = Distribution::Uniform { low: -0.15, high: 0.15 };
        let mut parameters = vec![Parameter { prior, issue: None, worth: Worth::Disagreement }];
        let issues = view.public.space.issues();
        let financing = view.own.utility.financing();
        for issue in (0..issues.len()).filter(|&issue| issue != price) {
            let worth = match financing {
                Some(financing) if financing.issue() == issue => {
                    // The years that the own factors show up to the own rate, which is taken as the other side's mean.
                    let steps = financing.factors().map(|factor| (factor - 1.0).abs().copysign(1.0 - factor));
                    steps.map(|step| -step).collect()
                }
                _ => view.own.utility.table(issue).iter().map(|worth| -worth / unit).collect::<Vec<f64>>(),
            };
            let reference = view.public.status_quo.as_ref().map_or(0, |offer| offer.get(issue) as usize);
            let base = worth.get(reference).copied().unwrap_or(0.0);
            let steps: Vec<f64> = worth.iter().map(|step| step - base).collect();
            if steps.iter().any(|step| *step != 0.0) {
                let prior = Distribution::Uniform { low: -0.5, high: 2.0 };
                parameters.push(Parameter { prior, issue: Some(issue), worth: Worth::Steps(steps) });
            }
        }
        parameters
    }

    fn of_tables(view: &PartyView<'_>) -> Self {
        let issues = view.public.space.issues();
        let even = 1.0 / issues.len() as f64;
        let values: usize = issues.iter().map(|issue| issue.len() as usize).sum();
        let mut parameters = Vec::new();
        for issue in 0..issues.len() {
            let own = view.own.utility.table(issue);
            let low = own.iter().copied().fold(f64::INFINITY, f64::min);
            let high = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let reversed = |worth: f64| if high > low { (high - worth) / (high - low) } else { 0.5 };
            if values <= MOST_VALUES {
                for (index, &worth) in own.iter().enumerate() {
                    let mean = even * reversed(worth);
                    let spread = even * TABLE_SPREAD * 1.732;
                    let prior = Distribution::Uniform { low: mean - spread, high: mean + spread };
                    parameters.push(Parameter { prior, issue: Some(issue), worth: Worth::Value(index as u32) });
                }
            } else {
                let steps = own.iter().map(|&worth| reversed(worth)).collect();
                let prior = Distribution::Uniform { low: -0.5 * even, high: 2.5 * even };
                parameters.push(Parameter { prior, issue: Some(issue), worth: Worth::Steps(steps) });
            }
        }
        let unit = view.own.yardstick.max(1e-9);
        Self { parameters, unit, price: None, sign: 1.0, published: false }
    }

    /// Components of the state.
    pub(super) fn size(&self) -> usize {
        FIRST + self.parameters.len()
    }

    /// The priors of the valuations, in the state's order after [`FIRST`].
    pub(super) fn priors(&self) -> impl Iterator<Item = &Distribution> {
        self.parameters.iter().map(|parameter| &parameter.prior)
    }

    /// The price of an offer as a share of the unit.
    fn price_share(&self, view: &PartyView<'_>, offer: &Offer) -> f64 {
        let number = self.price.and_then(|issue| view.public.space.issues()[issue].number(offer.get(issue)));
        number.unwrap_or(0.0) / self.unit
    }

    /// The other side's gain of `offer`, in units.
    pub(super) fn form(&self, view: &PartyView<'_>, offer: &Offer) -> Form {
        let price = self.price_share(view, offer);
        self.form_at(offer, price)
    }

    /// The same with the price put at `price` units.
    pub(super) fn form_at(&self, offer: &Offer, price: f64) -> Form {
        let mut form =
            Form { fixed: if self.price.is_some() { self.sign * (price - 1.0) } else { 0.0 }, ..Form::default() };
        for (place, parameter) in self.parameters.iter().enumerate() {
            let value = parameter.issue.map_or(0, |issue| offer.get(issue));
            let factor = match &parameter.worth {
                Worth::Disagreement => -1.0,
                Worth::Steps(steps) => steps[value as usize],
                Worth::Rate(years) => self.sign * price * years[value as usize],
                Worth::Value(index) if *index == value => 1.0,
                Worth::Value(_) => continue,
            };
            if factor != 0.0 {
                form.terms.push(((FIRST + place) as u16, factor));
            }
        }
        form
    }

    /// How much the gain rises with the price at these terms, a unit each.
    pub(super) fn price_slope(&self, offer: &Offer, state: &[f64]) -> f64 {
        let financed = self.parameters.iter().enumerate().find_map(|(place, parameter)| match &parameter.worth {
            Worth::Rate(years) => {
                Some(state[FIRST + place] * years[parameter.issue.map_or(0, |issue| offer.get(issue)) as usize])
            }
            _ => None,
        });
        self.sign * (1.0 + financed.unwrap_or(0.0))
    }

    /// What value `index` of `issue` is worth to it at a state beside the price, in units.
    pub(super) fn value(&self, issue: usize, index: u32, state: &[f64]) -> f64 {
        let of = |(place, parameter): (usize, &Parameter)| {
            if parameter.issue != Some(issue) {
                return 0.0;
            }
            match &parameter.worth {
                Worth::Steps(steps) => state[FIRST + place] * steps[index as usize],
                Worth::Value(known) if *known == index => state[FIRST + place],
                Worth::Value(_) | Worth::Disagreement | Worth::Rate(_) => 0.0,
            }
        };
        self.parameters.iter().enumerate().map(of).sum()
    }

    /// The state's component and the steps that value an issue by one weight.
    pub(super) fn weight_of(&self, issue: usize) -> Option<(usize, &[f64])> {
        self.parameters.iter().enumerate().find_map(|(place, parameter)| match &parameter.worth {
            Worth::Steps(steps) if parameter.issue == Some(issue) => Some((FIRST + place, steps.as_slice())),
            _ => None,
        })
    }

    /// The issue whose values finance the price by a rate.
    pub(super) fn financed(&self) -> Option<usize> {
        let rate = |parameter: &&Parameter| matches!(parameter.worth, Worth::Rate(_));
        self.parameters.iter().find(rate).and_then(|parameter| parameter.issue)
    }

    /// The yardstick as a form in the state: the reservation price at the status quo's terms, or the best outcome of tables.
    pub(super) fn yardstick(&self) -> Form {
        let mut form = Form { fixed: 1.0, ..Form::default() };
        if self.price.is_some() {
            form.terms.push((FIRST as u16, self.sign));
        }
        form
    }
}

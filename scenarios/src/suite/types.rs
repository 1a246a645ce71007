//! Priors: how private types are drawn, and whether the price grid holds every reservation price.

use super::Check;
use super::error::SuiteError;
use super::file::{PartyPriorSpec, SuiteFile, ValuationForm, ValuationSpec};
use super::space::Layout;
use zopa_envs::utility::DAYS_PER_YEAR;
use zopa_envs::{IssueRole, OutcomeSpace, PartyPrior, Seat, Valuation, ValuationPrior};

/// The highest yearly financing rate, a slip of percent for a fraction being the likely cause of more.
const HIGHEST_RATE: f64 = 2.0;

/// The most valuations a side: with the disagreement value its parameters then stay in line.
const MOST_VALUATIONS: usize = 7;

impl Check<'_> {
    pub(super) fn priors(&self, typed: &SuiteFile, layout: &Layout) -> Result<[PartyPrior; 2], SuiteError> {
        let Some(prior) = &typed.prior else {
            return Err(self.fail("prior", "there is no prior", "add [prior.buyer] and [prior.supplier]"));
        };
        let buyer = self.party_prior("prior.buyer", &prior.buyer, Seat::Buyer, layout)?;
        let supplier = self.party_prior("prior.supplier", &prior.supplier, Seat::Supplier, layout)?;
        let ranges =
            [reservation_prices(&buyer, Seat::Buyer, layout), reservation_prices(&supplier, Seat::Supplier, layout)];
        let price = layout.price;
        let share = |ticks: i64| ticks as f64 / price.ticks as f64;
        let grid = (share(price.low), share(price.low + i64::from(price.count) - 1));
        for ((low, high), seat) in ranges.into_iter().zip(Seat::BOTH) {
            if low < grid.0 || high > grid.1 {
                let problem = format!(
                    "the {seat}'s reservation price may lie anywhere from {low:.3} to {high:.3} times the status quo's price, \
                     outside of the grid from {} to {}",
                    grid.0, grid.1
                );
                let field = format!("issues[{}].grid.price", price.issue);
                return Err(self.fail(&field, problem, "widen the grid or narrow the prior"));
            }
        }
        Ok([buyer, supplier])
    }

    fn party_prior(
        &self,
        field: &str,
        spec: &PartyPriorSpec,
        seat: Seat,
        layout: &Layout,
    ) -> Result<PartyPrior, SuiteError> {
        self.distribution(&format!("{field}.disagreement"), &spec.disagreement)?;
        if spec.values.len() > MOST_VALUATIONS {
            let problem = format!("{} valuations", spec.values.len());
            return Err(self.fail(&format!("{field}.values"), problem, format!("keep to {MOST_VALUATIONS}")));
        }
        let mut valuations: Vec<ValuationPrior> = Vec::with_capacity(spec.values.len());
        for (position, value) in spec.values.iter().enumerate() {
            let prior = self.valuation(&format!("{field}.values[{position}]"), value, seat, &layout.space)?;
            if valuations.iter().any(|earlier| earlier.issue == prior.issue) {
                let problem = format!("issue \"{}\" is valued twice", value.issue);
                return Err(self.fail(&format!("{field}.values[{position}].issue"), problem, "keep one"));
            }
            valuations.push(prior);
        }
        Ok(PartyPrior { disagreement: spec.disagreement, valuations })
    }

    fn valuation(
        &self,
        field: &str,
        spec: &ValuationSpec,
        seat: Seat,
        space: &OutcomeSpace,
    ) -> Result<ValuationPrior, SuiteError> {
        let issue = self.issue_named(&format!("{field}.issue"), &spec.issue, space)?;
        let role = space.issues()[issue].role;
        if role == IssueRole::Price {
            let remedy = "value the other issues in money instead";
            return Err(self.fail(&format!("{field}.issue"), "the price is worth itself", remedy));
        }
        self.distribution(&format!("{field}.weight"), &spec.weight)?;
        let (least, most) = spec.weight.support();
        let needs_payment = |form: &str| {
            if role == IssueRole::PaymentDays {
                return Ok(());
            }
            let remedy = "use it on the issue with role = \"payment_days\", or give a shape";
            Err(self.fail(&format!("{field}.by"), format!("{form} values payment days only"), remedy))
        };
        let valuation = match &spec.by {
            ValuationForm::FinancingRate => {
                needs_payment("financing_rate")?;
                let days = |index| space.issues()[issue].number(index).unwrap_or(0.0);
                let longest = days(space.issues()[issue].len() - 1) - days(0);
                if least < 0.0 || most > HIGHEST_RATE || most * longest >= DAYS_PER_YEAR {
                    let problem = format!("{} is no yearly rate for up to {longest} days", spec.weight);
                    let remedy = format!(
                        "give a fraction from 0 to {HIGHEST_RATE} (0.08 is 8 %), small enough that money paid late is worth something"
                    );
                    return Err(self.fail(&format!("{field}.weight"), problem, remedy));
                }
                Valuation::FinancingRate
            }
            ValuationForm::FixedAmountADay => {
                needs_payment("fixed_amount_a_day")?;
                let sign = if seat == Seat::Buyer { 1.0 } else { -1.0 };
                let days = &space.issues()[issue];
                Valuation::Shape((0..days.len()).map(|index| sign * days.number(index).unwrap_or(0.0)).collect())
            }
            ValuationForm::Shape(shape) => {
                let values = space.issues()[issue].len() as usize;
                if shape.len() != values {
                    let problem = format!("{} numbers for {values} values", shape.len());
                    return Err(self.fail(&format!("{field}.by.shape"), problem, "give one number a value"));
                }
                if let Some(place) = shape.iter().position(|number| !number.is_finite()) {
                    let problem = format!("{} is no number", shape[place]);
                    return Err(self.fail(&format!("{field}.by.shape[{place}]"), problem, "give a finite number"));
                }
                Valuation::Shape(shape.as_slice().into())
            }
        };
        Ok(ValuationPrior { issue, valuation, weight: spec.weight })
    }
}

/// Bounds of all reservation prices that types of `prior` may have at any terms, in shares of the status quo's price.
///
/// With the price normalised to 1 the buyer's is `(1 + worth - disagreement) / a` and the supplier's
/// `(1 - worth + disagreement) / b`, where worth is what the other terms add against the status quo and `a`, `b` are the
/// financing factors; each part is bounded apart, so the bounds are safe and may be wide.
fn reservation_prices(prior: &PartyPrior, seat: Seat, layout: &Layout) -> (f64, f64) {
    let (mut worth, mut factor) = ((0.0, 0.0), (1.0, 1.0));
    for valuation in &prior.valuations {
        let issue = &layout.space.issues()[valuation.issue];
        let (least, most) = valuation.weight.support();
        let mut change = (0.0_f64, 0.0_f64);
        for &reference in &layout.status_quo[valuation.issue] {
            for index in 0..issue.len() {
                let distance = match &valuation.valuation {
                    Valuation::Shape(shape) => shape[index as usize] - shape[reference as usize],
                    Valuation::FinancingRate => {
                        let days = |index| issue.number(index).unwrap_or(0.0);
                        (days(reference) - days(index)) / DAYS_PER_YEAR
                    }
                };
                for weight in [least, most] {
                    change = (change.0.min(weight * distance), change.1.max(weight * distance));
                }
            }
        }
        let part = if valuation.valuation == Valuation::FinancingRate { &mut factor } else { &mut worth };
        *part = (part.0 + change.0, part.1 + change.1);
    }
    let (least, most) = prior.disagreement.support();
    let (low, high) = match seat {
        Seat::Buyer => (1.0 + worth.0 - most, 1.0 + worth.1 - least),
        Seat::Supplier => (1.0 - worth.1 + least, 1.0 - worth.0 + most),
    };
    (low / factor.1, high / factor.0)
}

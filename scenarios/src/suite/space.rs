//! Issues and status quo: the part of a suite that fixes the shape of every scenario.

use super::Check;
use super::error::{SuiteError, nearest};
use super::file::{GridSpec, IssueSpec, StatusQuoSpec, SuiteFile, TermSpec};
use zopa_envs::{Distribution, Grid, Issue, IssueRole, Money, Offer, OutcomeSpace, Value};

/// The most values of one issue: a price grid to the cent over a few million, and far below what indices hold.
const MOST_VALUES: i64 = 100_000_000;

/// The lowest and highest status quo price in major units; above it cents would leave the exact integers of a float.
const PRICES: (f64, f64) = (1.0, 1e12);

/// How scenarios are laid out: names and counts never change between them, only the price grid moves.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The space with the smallest possible status quo price.
    pub(super) space: OutcomeSpace,
    /// The price issue.
    pub(super) price: PriceLayout,
    /// For each issue the value indices that its status quo is drawn from; the price's is one.
    pub(super) status_quo: Vec<Vec<u32>>,
}

/// The price grid relative to the status quo's price.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriceLayout {
    /// Its position.
    pub(super) issue: usize,
    /// Lowest price in ticks.
    pub(super) low: i64,
    /// Ticks in the status quo's price, which is a multiple of this many cents.
    pub(super) ticks: i64,
    /// How many prices.
    pub(super) count: u32,
    /// The status quo's price in major units before rounding.
    pub(super) distribution: Distribution,
}

impl PriceLayout {
    /// The tick in cents for a status quo price drawn as `major` units: the nearest multiple, never below one cent.
    pub(super) fn tick(&self, major: f64) -> i64 {
        let exact = major * Money::MINOR_PER_MAJOR as f64 / self.ticks as f64;
        ((exact + 0.5) as i64).max(1)
    }

    /// The grid for a tick in cents.
    pub(super) fn grid(&self, tick: i64) -> Grid {
        Grid::Money { floor: Money(self.low * tick), tick: Money(tick), count: self.count }
    }

    /// The status quo's position on the grid, the same in every scenario.
    pub(super) fn status_quo(&self) -> u32 {
        (self.ticks - self.low) as u32
    }
}

impl Layout {
    /// A status quo with the first of each issue's choices.
    pub(super) fn first_status_quo(&self) -> Offer {
        let first: Vec<u32> = self.status_quo.iter().map(|choices| choices[0]).collect();
        Offer::new(&first)
    }
}

impl Check<'_> {
    pub(super) fn layout(&self, typed: &SuiteFile) -> Result<Layout, SuiteError> {
        let (Some(specs), Some(spec)) = (&typed.issues, &typed.status_quo) else {
            let missing = if typed.issues.is_none() { "issues" } else { "status_quo" };
            let remedy = "add issues, status_quo and prior, or a division or domain table";
            return Err(self.fail(missing, format!("there is no {missing}"), remedy));
        };
        let price = self.price(specs, spec)?;
        let mut issues = Vec::with_capacity(specs.len());
        for (position, spec) in specs.iter().enumerate() {
            issues.push(self.issue(position, spec, &price)?);
        }
        let space = OutcomeSpace::new(issues)
            .map_err(|error| self.fail("issues", error.to_string(), "give each issue a name of its own and values"))?;
        let status_quo = self.status_quo(spec, &space, &price)?;
        Ok(Layout { space, price, status_quo })
    }

    fn price(&self, issues: &[IssueSpec], status_quo: &StatusQuoSpec) -> Result<PriceLayout, SuiteError> {
        let mut priced = issues.iter().enumerate().filter(|(_, issue)| issue.role == IssueRole::Price);
        let Some((position, spec)) = priced.next() else {
            let remedy = "add an issue with role = \"price\": a suite's utilities are money";
            return Err(self.fail("issues", "no issue is the price", remedy));
        };
        if let Some((second, _)) = priced.next() {
            let field = format!("issues[{second}].role");
            return Err(self.fail(&field, "a second issue is the price", "give it another role"));
        }
        let field = format!("issues[{position}].grid");
        let GridSpec::Price { low, high, ticks } = spec.grid else {
            let remedy = "write grid = { price = { low = .., high = .., ticks = .. } }";
            return Err(self.fail(&field, "a price needs a price grid", remedy));
        };
        if ticks == 0 {
            return Err(self.fail(&format!("{field}.price.ticks"), "there are no ticks", "give at least 1"));
        }
        let whole = |key: &str, share: f64| {
            let exact = share * f64::from(ticks);
            let rounded = (exact + 0.5) as i64;
            let near = exact > 0.0 && (exact - rounded as f64).abs() < 1e-6 && rounded < MOST_VALUES;
            if near {
                Ok(rounded)
            } else {
                let problem =
                    format!("{share} times {ticks} ticks is no whole positive number of ticks below {MOST_VALUES}");
                Err(self.fail(
                    &format!("{field}.price.{key}"),
                    problem,
                    "choose a share that is a whole number of ticks",
                ))
            }
        };
        let (low, high) = (whole("low", low)?, whole("high", high)?);
        let one = i64::from(ticks);
        if !(low..=high).contains(&one) {
            let problem = "the status quo's price, 1, is not between low and high";
            return Err(self.fail(&format!("{field}.price"), problem, "keep low <= 1 <= high"));
        }
        let distribution = status_quo.price;
        self.distribution("status_quo.price", &distribution)?;
        let (least, most) = distribution.support();
        if least < PRICES.0 || most > PRICES.1 || least * 100.0 < f64::from(ticks) {
            let smallest = (f64::from(ticks) / 100.0).max(PRICES.0);
            let problem = format!("{distribution} is out of range");
            let remedy = format!("keep prices from {smallest} (a tick is at least one cent) to {}", PRICES.1);
            return Err(self.fail("status_quo.price", problem, remedy));
        }
        Ok(PriceLayout { issue: position, low, ticks: one, count: (high - low + 1) as u32, distribution })
    }

    fn issue(&self, position: usize, spec: &IssueSpec, price: &PriceLayout) -> Result<Issue, SuiteError> {
        let field = |key: &str| format!("issues[{position}].{key}");
        if spec.name.trim().is_empty() {
            return Err(self.fail(&field("name"), "the name is empty", "name the issue"));
        }
        let days = matches!(spec.role, IssueRole::PaymentDays | IssueRole::DeliveryDays);
        let grid = match &spec.grid {
            GridSpec::Price { .. } if position == price.issue => price.grid(1),
            GridSpec::Price { .. } => {
                let remedy = "use integers or labels, or role = \"price\"";
                return Err(self.fail(&field("grid"), "a price grid on an issue that is no price", remedy));
            }
            GridSpec::Integers { first, step, count } => {
                let last = step.checked_mul(i64::from(*count) - 1).and_then(|span| first.checked_add(span));
                let in_range = last.is_some_and(|last| last.abs() <= MOST_VALUES) && first.abs() <= MOST_VALUES;
                if *count == 0 || *step <= 0 || !in_range {
                    let problem = format!("first {first}, step {step}, count {count} is no grid");
                    let remedy = format!("give a positive step, a positive count, and values within {MOST_VALUES}");
                    return Err(self.fail(&field("grid.integers"), problem, remedy));
                }
                if days && *first < 0 {
                    return Err(self.fail(&field("grid.integers.first"), "days below 0", "start at 0 or later"));
                }
                Grid::Integers { first: *first, step: *step, count: *count }
            }
            GridSpec::Labels(_) if days => {
                return Err(self.fail(&field("grid"), "days need numbers", "use an integer grid"));
            }
            GridSpec::Labels(labels) => {
                for (place, label) in labels.iter().enumerate() {
                    if label.is_empty() || labels[..place].contains(label) {
                        let problem = format!("label \"{label}\" is empty or there twice");
                        return Err(self.fail(&field(&format!("grid.labels[{place}]")), problem, "make labels differ"));
                    }
                }
                Grid::Labels(labels.iter().map(|label| label.as_str().into()).collect())
            }
        };
        Ok(Issue { name: spec.name.as_str().into(), role: spec.role, unit: spec.unit.as_str().into(), grid })
    }

    fn status_quo(
        &self,
        spec: &StatusQuoSpec,
        space: &OutcomeSpace,
        price: &PriceLayout,
    ) -> Result<Vec<Vec<u32>>, SuiteError> {
        for name in spec.terms.keys() {
            self.issue_named(&format!("status_quo.terms.{name}"), name, space)?;
        }
        let mut choices = Vec::with_capacity(space.issues().len());
        for (position, issue) in space.issues().iter().enumerate() {
            let field = format!("status_quo.terms.{}", issue.name);
            let terms = spec.terms.get(&*issue.name);
            if position == price.issue {
                if terms.is_some() {
                    return Err(self.fail(&field, "the price is no other term", "state it as status_quo.price"));
                }
                choices.push(vec![price.status_quo()]);
                continue;
            }
            let Some(terms) = terms.filter(|terms| !terms.is_empty()) else {
                let problem = format!("issue \"{}\" has no status quo", issue.name);
                return Err(self.fail(&field, problem, "list the value or values that it is drawn from"));
            };
            let mut indices = Vec::with_capacity(terms.len());
            for (place, term) in terms.iter().enumerate() {
                let value = match term {
                    TermSpec::Integer(number) => Value::Integer(*number),
                    TermSpec::Label(label) => Value::Label(label.as_str().into()),
                };
                let Some(index) = issue.index_of(&value) else {
                    let remedy = format!("choose from: {}", issue.range_text());
                    return Err(self.fail(
                        &format!("{field}[{place}]"),
                        format!("{term} is no value of the issue"),
                        remedy,
                    ));
                };
                indices.push(index);
            }
            choices.push(indices);
        }
        Ok(choices)
    }

    /// The position of the issue of this name.
    pub(super) fn issue_named(&self, field: &str, name: &str, space: &OutcomeSpace) -> Result<usize, SuiteError> {
        space.issues().iter().position(|issue| &*issue.name == name).ok_or_else(|| {
            let names = || space.issues().iter().map(|issue| &*issue.name);
            let remedy = nearest(name, names()).map_or_else(
                || format!("name one of: {}", names().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean \"{near}\"?"),
            );
            self.fail(field, format!("there is no issue \"{name}\""), remedy)
        })
    }
}

//! Parts of a stated negotiation that stand by themselves: issues, caps, the objective.

use super::field::Field;
use crate::failure::Failure;
use zopa_agents::solver::{Goal, Objective};
use zopa_envs::{Caps, Grid, Issue, IssueRole, Money, OutcomeSpace};

/// The largest amount of money or worth that is read, in major units.
pub(super) const MOST: f64 = 1e12;

pub(super) fn money(field: &Field<'_>) -> Result<Money, Failure> {
    let amount = field.number(0.0..=MOST)?;
    let cents = (amount * 100.0 + 0.5) as i64;
    // Rounding could put a limit beyond what was stated. The quotient is the float nearest to the decimal, as the amount is.
    if cents as f64 / 100.0 != amount {
        return Err(field.fault(format!("{amount} is finer than a cent"), "give at most two decimals"));
    }
    Ok(Money(cents))
}

pub(super) fn space(field: &Field<'_>) -> Result<OutcomeSpace, Failure> {
    const ROLES: [(&str, IssueRole); 8] = [
        ("price", IssueRole::Price),
        ("payment_days", IssueRole::PaymentDays),
        ("delivery_days", IssueRole::DeliveryDays),
        ("quantity", IssueRole::Quantity),
        ("service_level", IssueRole::ServiceLevel),
        ("quality", IssueRole::Quality),
        ("warranty_months", IssueRole::WarrantyMonths),
        ("other", IssueRole::Other),
    ];
    let mut issues = Vec::new();
    for item in field.items()? {
        item.object(&["name", "role", "unit", "labels", "integers", "money"])?;
        let name = item.needs("name", "the issue's name")?.text()?;
        let role = match item.maybe("role") {
            Some(role) => ROLES[role.one_of(&ROLES.map(|(word, _)| word))?].1,
            None => IssueRole::Other,
        };
        let unit = item.maybe("unit").map_or(Ok(""), |field| field.text())?;
        let grid = grid(&item)?;
        if (role == IssueRole::Price) != matches!(grid, Grid::Money { .. }) {
            return Err(
                item.fault("money is the price's grid and no other's", "give the price \"money\" and only the price")
            );
        }
        issues.push(Issue { name: name.into(), role, unit: unit.into(), grid });
    }
    OutcomeSpace::new(issues).map_err(|fault| field.fault(fault.to_string(), "mend the list of issues"))
}

fn grid(item: &Field<'_>) -> Result<Grid, Failure> {
    const MOST_VALUES: i64 = 1_000_000;
    item.only_one(&["labels", "integers", "money"])?;
    if let Some(field) = item.maybe("labels") {
        let mut labels: Vec<std::sync::Arc<str>> = Vec::new();
        for label in field.items()? {
            let text = label.text()?;
            if labels.iter().any(|known| **known == *text) {
                return Err(label.fault(format!("\"{text}\" is there twice"), "give every label once"));
            }
            labels.push(text.into());
        }
        return Ok(Grid::Labels(labels.into()));
    }
    if let Some(integers) = item.maybe("integers") {
        integers.object(&["first", "step", "count"])?;
        let first = integers.needs("first", "the first value")?.whole(-1_000_000_000..=1_000_000_000)?;
        let step = integers.needs("step", "the distance of values")?.whole(1..=1_000_000)?;
        let count = integers.needs("count", "how many values there are")?.whole(1..=MOST_VALUES)? as u32;
        return Ok(Grid::Integers { first, step, count });
    }
    let grid = item.needs("money", "one of labels, integers or money")?;
    grid.object(&["low", "high", "tick"])?;
    let low = money(&grid.needs("low", "the lowest price")?)?;
    let high_field = grid.needs("high", "the highest price")?;
    let high = money(&high_field)?;
    let tick_field = grid.needs("tick", "the distance of prices")?;
    let tick = money(&tick_field)?;
    if tick.0 < 1 {
        return Err(tick_field.fault("it is less than a cent", "give at least 0.01"));
    }
    if low.0 < 1 || high < low {
        return Err(high_field.fault("the grid is empty", "keep 0 < low <= high"));
    }
    let count = (high.0 - low.0) / tick.0 + 1;
    if count > MOST_VALUES {
        return Err(
            tick_field.fault(format!("{count} prices are too many"), format!("keep to {MOST_VALUES}: a larger tick"))
        );
    }
    Ok(Grid::Money { floor: low, tick, count: count as u32 })
}

pub(super) fn caps(field: &Field<'_>) -> Result<Caps, Failure> {
    field.object(&["concession_rate", "floor", "opening", "bargaining", "closing", "final"])?;
    let usual = Caps::default();
    let cap = |name: &str, usual: f64| field.maybe(name).map_or(Ok(usual), |field| field.number(0.0..=10.0));
    Ok(Caps {
        concession_rate: cap("concession_rate", usual.concession_rate)?,
        floor: cap("floor", usual.floor)?,
        opening: cap("opening", usual.opening)?,
        bargaining: cap("bargaining", usual.bargaining)?,
        closing: cap("closing", usual.closing)?,
        last: cap("final", usual.last)?,
    })
}

pub(super) fn objective(field: &Field<'_>) -> Result<Objective, Failure> {
    field.object(&["goal", "weight", "value", "risk_aversion"])?;
    let goal =
        match field.maybe("goal").map_or(Ok(0), |goal| goal.one_of(&["own_gain", "nash_product", "relationship"]))? {
            0 => Goal::OwnGain,
            1 => Goal::NashProduct {
                weight: field.needs("weight", "the weight of the other side's gain")?.number(0.0..=0.99)?,
            },
            _ => Goal::Relationship {
                value: field.needs("value", "what a unit left to the other side is worth")?.number(0.0..=10.0)?,
            },
        };
    let risk_aversion = field.maybe("risk_aversion").map_or(Ok(0.0), |field| field.number(0.0..=1000.0))?;
    Ok(Objective { goal, risk_aversion })
}

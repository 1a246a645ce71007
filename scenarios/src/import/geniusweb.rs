//! Reader of GeniusWeb JSON: `LinearAdditiveUtilitySpace` profiles, each of which holds its domain.
//!
//! `u(o) = sum over issues of issueWeight * utility of the value`, weights as written. Discrete values have a table of
//! utilities; numbers run linearly from the utility of the low to that of the high value. The reservation value is the
//! utility of `reservationBid`, 0 where there is none.

use super::axis::Axis;
use super::document::{Node, Place};
use super::error::ImportError;
use super::limits::MOST_VALUES;
use super::preferences::Preferences;
use zopa_envs::{OutcomeSpace, Utility};

/// The key under which a profile stands in its file.
const PROFILE: &str = "LinearAdditiveUtilitySpace";

/// Whether a document is a GeniusWeb profile.
pub(super) fn is_profile(document: &Node) -> bool {
    Place::top("", document).get(PROFILE).is_some()
}

/// Whether a document is a GeniusWeb domain on its own.
pub(super) fn is_domain(document: &Node) -> bool {
    Place::top("", document).get("issuesValues").is_some()
}

/// The issues of a domain document, or of the domain inside a profile.
pub(super) fn issues(file: &str, document: &Node) -> Result<Vec<Axis>, ImportError> {
    let top = Place::top(file, document);
    let domain = if is_domain(document) { top } else { top.required(PROFILE)?.required("domain")? };
    let issues = domain.required("issuesValues")?;
    issues.entries()?.into_iter().map(|(name, values)| issue(name, &values)).collect()
}

fn issue(name: &str, place: &Place<'_>) -> Result<Axis, ImportError> {
    if let Some(values) = place.get("values") {
        let texts = values.list()?.iter().map(|value| value.text().map(str::to_owned)).collect::<Result<_, _>>()?;
        return Axis::labels(name, texts)
            .map_err(|twice| values.fault(format!("\"{twice}\" is there twice: the values of an issue must differ")));
    }
    let Some(range) = place.get("range") else {
        return Err(place.fault("has neither \"values\" nor a \"range\""));
    };
    let [low, high, step] = match range.list() {
        Ok(list) if list.len() == 3 => [list[0].number()?, list[1].number()?, list[2].number()?],
        Ok(_) => return Err(range.fault("has not three numbers: low, high and step")),
        Err(_) => {
            [range.required("low")?.number()?, range.required("high")?.number()?, range.required("step")?.number()?]
        }
    };
    Axis::stepped(name, low, high, step)
        .ok_or_else(|| range.fault(format!("{low} to {high} by {step} holds none or more than {MOST_VALUES} numbers")))
}

/// Reads the profile in `document` for the domain of `axes`.
pub(super) fn read(
    file: &str,
    document: &Node,
    axes: &[Axis],
    space: &OutcomeSpace,
) -> Result<Preferences, ImportError> {
    let top = Place::top(file, document);
    let profile = top.required(PROFILE)?;
    if let Some(domain) = profile.get("domain") {
        same_domain(&domain, &issues(file, document)?, axes)?;
    }
    let mut utility = Utility::zero(space);
    let (utilities, weights) = (profile.required("issueUtilities")?, profile.required("issueWeights")?);
    for (name, place) in utilities.entries()?.iter().chain(&weights.entries()?) {
        if !axes.iter().any(|axis| &*axis.name == *name) {
            return Err(place
                .fault("is no issue of the domain: this profile belongs to another domain, or the name is misspelt"));
        }
    }
    for (position, axis) in axes.iter().enumerate() {
        let place = weights.required(&axis.name)?;
        let weight = place.number()?;
        if weight < 0.0 {
            return Err(place.fault(format!("weight {weight} is negative: weights are 0 or more")));
        }
        let values = values(&utilities.required(&axis.name)?, axis)?;
        for (entry, value) in utility.table_mut(position).iter_mut().zip(values) {
            *entry = weight * value;
        }
    }
    let mut notices = Vec::new();
    let reservation = match profile.get("reserved_value") {
        Some(value) => value.number()?,
        None => reservation(&profile, axes, &utility, &mut notices, file)?,
    };
    let discount = profile.number_or("discount_factor", 1.0)?;
    if !(discount > 0.0 && discount <= 1.0) {
        return Err(profile.required("discount_factor")?.fault(format!("{discount} lies outside 0 to 1")));
    }
    Ok(Preferences { utility, reservation: Some(reservation), discount, notices })
}

/// The utility of the reservation bid, of which GeniusWeb counts the issues that it names.
fn reservation(
    profile: &Place<'_>,
    axes: &[Axis],
    utility: &Utility,
    notices: &mut Vec<String>,
    file: &str,
) -> Result<f64, ImportError> {
    let Some(bid) = profile.get("reservationBid").and_then(|bid| bid.get("issuevalues")) else { return Ok(0.0) };
    let mut sum = 0.0;
    let named = bid.entries()?;
    for (name, value) in &named {
        let issue = axes
            .iter()
            .position(|axis| &*axis.name == *name)
            .ok_or_else(|| value.fault("is no issue of the domain"))?;
        let text = value.text()?;
        let index =
            axes[issue].position(text).ok_or_else(|| value.fault(format!("\"{text}\" is no value of the issue")))?;
        sum += utility.table(issue)[index as usize];
    }
    if named.len() < axes.len() {
        notices.push(format!("{file}: the reservation bid leaves issues open, which count nothing"));
    }
    Ok(sum)
}

/// What each value of the issue is worth before weighting.
fn values(place: &Place<'_>, axis: &Axis) -> Result<Vec<f64>, ImportError> {
    if let Some(table) = place.get("discreteutils").and_then(|utilities| utilities.get("valueUtilities")) {
        return super::table::read(&table, axis);
    }
    let Some(line) = place.get("numberutils") else {
        return Err(place.fault("has neither \"discreteutils\" nor \"numberutils\""));
    };
    let (low, high) = (line.required("lowValue")?.number()?, line.required("highValue")?.number()?);
    let (from, to) = (line.required("lowUtility")?.number()?, line.required("highUtility")?.number()?);
    if low >= high {
        return Err(line.fault(format!("lowValue {low} is not below highValue {high}")));
    }
    let at = |index: u32| axis.number(index).map(|number| from + (to - from) * ((number - low) / (high - low)));
    (0..axis.len()).map(at).collect::<Option<_>>().ok_or_else(|| line.fault("the issue's values are no numbers"))
}

/// Both sides must negotiate over the same issues and values; their order may differ.
fn same_domain(place: &Place<'_>, own: &[Axis], axes: &[Axis]) -> Result<(), ImportError> {
    let missing = |what: String| Err(place.fault(format!("{what}: both profiles must belong to one domain")));
    for axis in axes {
        let Some(own) = own.iter().find(|own| own.name == axis.name) else {
            return missing(format!("issue \"{}\" is not there", axis.name));
        };
        if let Some(value) = (0..axis.len()).find(|&index| own.position(&axis.text(index)).is_none()) {
            return missing(format!("issue \"{}\" has no value \"{}\"", axis.name, axis.text(value)));
        }
        if own.len() != axis.len() {
            return missing(format!("issue \"{}\" has {} values instead of {}", axis.name, own.len(), axis.len()));
        }
    }
    if own.len() == axes.len() { Ok(()) } else { missing("there are further issues".to_owned()) }
}

//! Tables of values and their worth, as GeniusWeb and NegMAS write them.

use super::axis::Axis;
use super::document::Place;
use super::error::ImportError;

/// The worth of each value of `axis` by the map at `place`, which must name every value and no other.
pub(super) fn read(place: &Place<'_>, axis: &Axis) -> Result<Vec<f64>, ImportError> {
    let mut worth: Vec<Option<f64>> = vec![None; axis.len() as usize];
    for (name, entry) in place.entries()? {
        let index = axis.position(name).ok_or_else(|| {
            entry.fault(format!(
                "is no value of issue \"{}\": this profile belongs to another domain, or it is misspelt",
                axis.name
            ))
        })?;
        if worth[index as usize].replace(entry.number()?).is_some() {
            return Err(entry.fault("is there twice"));
        }
    }
    if let Some(missing) = worth.iter().position(Option::is_none) {
        let value = axis.text(missing as u32);
        return Err(place.fault(format!("value \"{value}\" of issue \"{}\" is missing", axis.name)));
    }
    Ok(worth.into_iter().flatten().collect())
}

//! Reader of NegMAS folders, YAML or JSON: a document with `issues` (the outcome space) and one document a utility
//! function, as NegMAS 0.16 writes them.
//!
//! Types are told by the last part of their name, so bare and full names are one. Code that NegMAS pickles into a file
//! (`LambdaFun`) is refused, never run.

mod space;
mod utility;
mod value;

use super::axis::Axis;
use super::document::{Node, Place};
use super::error::ImportError;
use super::preferences::Preferences;
use zopa_envs::OutcomeSpace;

/// Whether a document is an outcome space.
pub(super) fn is_domain(document: &Node) -> bool {
    let top = Place::top("", document);
    top.get("issues").is_some_and(|issues| issues.list().is_ok())
}

/// Whether a document is a utility function.
pub(super) fn is_profile(document: &Node) -> bool {
    let top = Place::top("", document);
    type_of(&top).is_some_and(|name| name.ends_with("UtilityFunction") || name.ends_with("UFun"))
}

/// The issues of the outcome space in `document`.
pub(super) fn issues(file: &str, document: &Node, notices: &mut Vec<String>) -> Result<Vec<Axis>, ImportError> {
    space::issues(&Place::top(file, document), notices)
}

/// Reads the utility function in `document` for the domain of `axes`.
pub(super) fn read(
    file: &str,
    document: &Node,
    axes: &[Axis],
    space: &OutcomeSpace,
) -> Result<Preferences, ImportError> {
    utility::read(&Place::top(file, document), axes, space)
}

/// The type that a map names, without its module.
fn type_of<'a>(place: &Place<'a>) -> Option<&'a str> {
    let named = ["type", "__python_class__"].into_iter().find_map(|key| place.get(key))?;
    let name = named.text().ok()?;
    Some(name.rsplit('.').next().unwrap_or(name))
}

//! Non-linear profiles: utilities over hyper-rectangles of integer issues.

use super::xml::Element;
use crate::import::axis::Axis;
use crate::import::error::ImportError;
use crate::import::limits::MOST_CONSTRAINTS;
use std::collections::BTreeMap;
use zopa_envs::{HyperRectangle, HyperRectangles, Span};

/// Reads a `utility` element: `u(o) = min(1, sum of the constraints' payments / maxutility)`, as GENIUS normalises it.
///
/// `INCLUDES` constraints pay outcomes inside their bounds (both ends count), `EXCLUDES` constraints those outside, and one
/// without bounds pays always. Weights of constraints and of the functions around them multiply.
pub(super) fn read(root: Element<'_>, utility: Element<'_>, axes: &[Axis]) -> Result<HyperRectangles, ImportError> {
    let most = utility.number("maxutility", "utility")?;
    if most <= 0.0 {
        return Err(
            utility.fault("utility, maxutility", format!("{most} is not positive: utilities are divided by it"))
        );
    }
    let mut reader = Reader { positions: positions(root, axes)?, axes, most, constraints: Vec::new(), spans: 0 };
    for function in utility.children("ufun") {
        reader.function(function, 1.0)?;
    }
    if reader.constraints.is_empty() {
        return Err(utility.fault("utility", "holds no <ufun> with <hyperRectangle> constraints"));
    }
    Ok(HyperRectangles { constraints: reader.constraints.into(), most: 1.0 })
}

/// Positions of the domain's issues by the index that this profile gives them.
fn positions(root: Element<'_>, axes: &[Axis]) -> Result<BTreeMap<i64, usize>, ImportError> {
    let by_name: BTreeMap<&str, usize> = axes.iter().enumerate().map(|(at, axis)| (&*axis.name, at)).collect();
    let mut positions = BTreeMap::new();
    for issue in root.descendants("issue") {
        let name = issue.required("name", "issue")?;
        let of = format!("issue \"{name}\"");
        let position = *by_name.get(name).ok_or_else(|| {
            issue.fault(&of, "is not in the domain: this profile belongs to another domain, or the name is misspelt")
        })?;
        if positions.insert(issue.integer("index", &of)?, position).is_some() {
            return Err(issue.fault(of, "has the index of another issue"));
        }
    }
    if let Some(missing) = (0..axes.len()).find(|at| !positions.values().any(|position| position == at)) {
        let field = format!("issue \"{}\"", axes[missing].name);
        return Err(root.fault(field, "is in the domain but not in this profile: does it belong to another domain?"));
    }
    Ok(positions)
}

struct Reader<'a> {
    positions: BTreeMap<i64, usize>,
    axes: &'a [Axis],
    most: f64,
    constraints: Vec<HyperRectangle>,
    spans: usize,
}

impl Reader<'_> {
    fn function(&mut self, element: Element<'_>, weight: f64) -> Result<(), ImportError> {
        let aggregation = element.attribute("aggregation").map_or("sum", str::trim);
        if !aggregation.eq_ignore_ascii_case("sum") {
            let reason = format!("\"{aggregation}\" is not known: only constraints that add up (sum) are read");
            return Err(element.fault("ufun, aggregation", reason));
        }
        let weight = weight * self.weight(element, "ufun")?;
        for rectangle in element.children("hyperRectangle") {
            self.constraint(rectangle, weight)?;
        }
        // Depth is limited by the parser.
        element.children("ufun").try_for_each(|inner| self.function(inner, weight))
    }

    fn weight(&self, element: Element<'_>, of: &str) -> Result<f64, ImportError> {
        if element.attribute("weight").is_some() { element.number("weight", of) } else { Ok(1.0) }
    }

    fn constraint(&mut self, element: Element<'_>, weight: f64) -> Result<(), ImportError> {
        let of = format!("hyperRectangle {}", self.constraints.len() + 1);
        let weight = weight * self.weight(element, &of)?;
        let utility = weight * element.number("utility", &of)? / self.most;
        if !utility.is_finite() {
            return Err(element.fault(of, "its weighted utility is too large a number"));
        }
        let inside = element.child("EXCLUDES").is_none();
        if !inside && element.child("INCLUDES").is_some() {
            return Err(element.fault(of, "has both INCLUDES and EXCLUDES: it can pay only inside or only outside"));
        }
        let mut spans: BTreeMap<usize, Span> = BTreeMap::new();
        for bound in element.children(if inside { "INCLUDES" } else { "EXCLUDES" }) {
            let span = self.span(bound, &of)?;
            // Two bounds on one issue hold together.
            let known = spans.entry(span.issue).or_insert(span);
            known.first = known.first.max(span.first);
            known.last = known.last.min(span.last);
        }
        self.spans += spans.len() + 1;
        if self.spans > MOST_CONSTRAINTS {
            let what = "the number of constraints and their bounds".to_owned();
            return Err(ImportError::Limit { file: element.file.to_owned(), what, limit: MOST_CONSTRAINTS as u64 });
        }
        // A region without bounds holds every outcome and pays always.
        self.constraints.push(HyperRectangle { spans: spans.into_values().collect(), inside, utility });
        Ok(())
    }

    fn span(&self, bound: Element<'_>, of: &str) -> Result<Span, ImportError> {
        let index = bound.integer("index", of)?;
        let issue = *self
            .positions
            .get(&index)
            .ok_or_else(|| bound.fault(format!("{of}, index"), format!("there is no issue with index {index}")))?;
        let (low, high) = (bound.number("min", of)?, bound.number("max", of)?);
        let axis = &self.axes[issue];
        let (first, last) = axis
            .span(low, high, true)
            .ok_or_else(|| bound.fault(of, format!("issue \"{}\" has no ascending numbers for bounds", axis.name)))?;
        Ok(Span { issue, first, last })
    }
}

//! JSON read field by field, so that what is wrong is named with its path and what to do.

use crate::failure::Failure;
use serde_json::{Map, Value};
use zopa_envs::Distribution;

/// A value of a JSON document and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> Field<'a> {
    /// The whole document.
    pub(super) fn root(value: &'a Value) -> Self {
        Self { path: String::new(), value }
    }

    /// What is wrong here, and what to do.
    pub(super) fn fault(&self, problem: impl AsRef<str>, remedy: impl AsRef<str>) -> Failure {
        let path = if self.path.is_empty() { "the document" } else { &self.path };
        Failure::Input(format!("{path}: {}: {}", problem.as_ref(), remedy.as_ref()))
    }

    fn beside(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    pub(super) fn value(&self) -> &'a Value {
        self.value
    }

    /// The object here, none of whose fields is unknown.
    pub(super) fn object(&self, known: &[&str]) -> Result<&'a Map<String, Value>, Failure> {
        let object = self.entries()?;
        for name in object.keys() {
            if !known.contains(&name.as_str()) {
                let near = known.iter().max_by(|a, b| strsim::jaro(a, name).total_cmp(&strsim::jaro(b, name)));
                let remedy = match near.filter(|near| strsim::jaro(near, name) > 0.8) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => format!("there are {}", known.join(", ")),
                };
                let field = Field { path: self.beside(name), value: &object[name] };
                return Err(field.fault("there is no such field", remedy));
            }
        }
        Ok(object)
    }

    /// The object here, whatever its fields are called.
    pub(super) fn entries(&self) -> Result<&'a Map<String, Value>, Failure> {
        self.value.as_object().ok_or_else(|| self.fault(self.found(), "give an object, { ... }"))
    }

    /// Fields of an object with their names.
    pub(super) fn named(&self) -> Result<Vec<(&'a str, Field<'a>)>, Failure> {
        let entries = self.entries()?.iter();
        Ok(entries.map(|(name, value)| (name.as_str(), Field { path: self.beside(name), value })).collect())
    }

    /// The field of that name; `None` where it is left out or null.
    pub(super) fn maybe(&self, name: &str) -> Option<Field<'a>> {
        let value = self.value.as_object()?.get(name).filter(|value| !value.is_null())?;
        Some(Field { path: self.beside(name), value })
    }

    /// The field of that name, which must be there.
    pub(super) fn needs(&self, name: &str, what: &str) -> Result<Field<'a>, Failure> {
        self.maybe(name).ok_or_else(|| {
            let missing = Field { path: self.beside(name), value: &Value::Null };
            missing.fault("it is missing", format!("give {what}"))
        })
    }

    pub(super) fn items(&self) -> Result<Vec<Field<'a>>, Failure> {
        let items = self.value.as_array().ok_or_else(|| self.fault(self.found(), "give a list, [ ... ]"))?;
        let field = |(place, value)| Field { path: format!("{}[{place}]", self.path), value };
        Ok(items.iter().enumerate().map(field).collect())
    }

    /// A finite number within `range`.
    pub(super) fn number(&self, range: std::ops::RangeInclusive<f64>) -> Result<f64, Failure> {
        let number = self.value.as_f64().ok_or_else(|| self.fault(self.found(), "give a number"))?;
        if range.contains(&number) {
            return Ok(number);
        }
        let remedy = match (*range.start(), *range.end()) {
            (low, high) if high >= 1e15 => format!("give at least {low}"),
            (low, high) => format!("give a number from {low} to {high}"),
        };
        Err(self.fault(format!("{number} is out of range"), remedy))
    }

    /// A whole number within `range`, however it is written: 30, 30.0 and 3e1 are one.
    pub(super) fn whole(&self, range: std::ops::RangeInclusive<i64>) -> Result<i64, Failure> {
        let exact = |number: &f64| number.fract() == 0.0 && number.abs() <= (1_i64 << 53) as f64;
        let written = || self.value.as_f64().filter(exact).map(|number| number as i64);
        let number =
            self.value.as_i64().or_else(written).ok_or_else(|| self.fault(self.found(), "give a whole number"))?;
        if range.contains(&number) {
            return Ok(number);
        }
        let (low, high) = (range.start(), range.end());
        Err(self.fault(format!("{number} is out of range"), format!("give a whole number from {low} to {high}")))
    }

    pub(super) fn flag(&self) -> Result<bool, Failure> {
        self.value.as_bool().ok_or_else(|| self.fault(self.found(), "give true or false"))
    }

    pub(super) fn text(&self) -> Result<&'a str, Failure> {
        self.value.as_str().ok_or_else(|| self.fault(self.found(), "give a text in quotes"))
    }

    /// One of these fields and no second, by position; `None` where none is there.
    pub(super) fn only_one(&self, names: &[&str]) -> Result<Option<usize>, Failure> {
        let mut given = names.iter().enumerate().filter(|(_, name)| self.maybe(name).is_some());
        let (first, second) = (given.next(), given.next());
        match (first, second) {
            (Some((_, one)), Some((_, other))) => {
                let problem = format!("it has both \"{one}\" and \"{other}\"");
                Err(self.fault(problem, format!("give one of {}", names.join(", "))))
            }
            _ => Ok(first.map(|(place, _)| place)),
        }
    }

    /// One of several words, by position.
    pub(super) fn one_of(&self, words: &[&str]) -> Result<usize, Failure> {
        let text = self.text()?;
        words.iter().position(|word| *word == text).ok_or_else(|| {
            self.fault(format!("\"{text}\" is none of its words"), format!("give one of: {}", words.join(", ")))
        })
    }

    /// A distribution over numbers within `range`: a number, or one of the forms of suite files.
    pub(super) fn distribution(&self, range: std::ops::RangeInclusive<f64>) -> Result<Distribution, Failure> {
        if self.value.is_number() {
            return self.number(range).map(Distribution::Constant);
        }
        let forms = "{\"uniform\": {\"low\": ..., \"high\": ...}}, log_uniform, triangular (with mode) or a number";
        let read: Distribution = serde_json::from_value(self.value.clone())
            .map_err(|fault| self.fault(format!("it is no distribution ({fault})"), format!("give {forms}")))?;
        match read.fault() {
            Some(fault) => Err(self.fault(format!("{read} is no distribution"), fault)),
            None => {
                let (low, high) = read.support();
                if range.contains(&low) && range.contains(&high) {
                    return Ok(read);
                }
                let remedy = format!("keep to {} to {}", range.start(), range.end());
                Err(self.fault(format!("{read} is out of range"), remedy))
            }
        }
    }

    fn found(&self) -> String {
        let kind = match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        format!("it is {kind}")
    }
}

//! A JSON document whose objects name every field once: of two that share a name a reader would see one and the program the other.

use crate::failure::Failure;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// The document's value.
///
/// # Errors
/// Where it is no JSON, the line and column; where an object names a field twice, that field's path.
pub(super) fn parse(text: &str) -> Result<Value, Failure> {
    let repeated = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let whole = Part { path: String::new(), repeated: &repeated }.deserialize(&mut reader);
    let whole = whole.and_then(|value| reader.end().map(|()| value));
    match (repeated.take(), whole) {
        (Some(path), _) => Err(Failure::Input(format!("{path}: it is given twice: give it once"))),
        (None, Ok(value)) => Ok(value),
        (None, Err(fault)) => {
            let (line, column) = (fault.line(), fault.column());
            Err(Failure::Input(format!("line {line}, column {column}: this is no JSON: {fault}")))
        }
    }
}

/// A value that is still to be read.
struct Part<'a> {
    path: String,
    /// The path of the first field that was named twice.
    repeated: &'a RefCell<Option<String>>,
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = Value;

    fn expecting(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        form.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let path = format!("{}[{}]", self.path, list.len());
            let Some(item) = items.next_element_seed(Part { path, repeated: self.repeated })? else { break };
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let path = if self.path.is_empty() { name.clone() } else { format!("{}.{name}", self.path) };
            if object.contains_key(&name) {
                *self.repeated.borrow_mut() = Some(path);
                return Err(A::Error::custom("a field is given twice"));
            }
            let value = fields.next_value_seed(Part { path, repeated: self.repeated })?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

//! JSON whose objects name every member once: of two that share a name a reader would see one and the program the other.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// A member that an object names a second time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The member's name.
    pub name: String,
    /// Where it lies: `history[2].offer`.
    pub path: String,
}

/// Why a text is not read.
#[derive(Debug)]
pub enum Fault {
    /// An object names a member twice; where it was met.
    Repeated(Repeated, serde_json::Error),
    /// It is no JSON.
    Syntax(serde_json::Error),
}

/// The value that `text` holds.
///
/// # Errors
/// The first fault in it.
pub fn parse(text: &str) -> Result<Value, Fault> {
    let repeated = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let whole = Part { path: String::new(), repeated: &repeated }.deserialize(&mut reader);
    let whole = whole.and_then(|value| reader.end().map(|()| value));
    whole.map_err(|fault| match repeated.take() {
        Some(repeated) => Fault::Repeated(repeated, fault),
        None => Fault::Syntax(fault),
    })
}

/// A value that is still to be read.
struct Part<'a> {
    path: String,
    /// The first member that was named twice.
    repeated: &'a RefCell<Option<Repeated>>,
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
                *self.repeated.borrow_mut() = Some(Repeated { name, path });
                return Err(A::Error::custom("a member is named twice"));
            }
            let value = fields.next_value_seed(Part { path, repeated: self.repeated })?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

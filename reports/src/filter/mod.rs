//! Conditions over records, such as `not agreement and family == "boulware"`: which episodes of a run are meant.
//!
//! ```text
//! condition  := conjunction { "or" conjunction }
//! conjunction:= negation { "and" negation }
//! negation   := "not" negation | "(" condition ")" | comparison
//! comparison := field | operand ("==" | "!=" | "<" | "<=" | ">" | ">=") operand | field "has" text
//! operand    := field | number | "text" | true | false | none
//! ```
//!
//! A field that an episode does not have is `none`: it equals only `none`, and every other comparison with it is false. The
//! names and kinds of all fields are in [`FIELDS`]; a condition is checked against them before any record is read.

mod field;
mod parse;
mod token;

pub use field::{FIELDS, Field, Kind};

use crate::record::EpisodeRecord;
use field::Value;

/// A condition that could not be read; `column` counts characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}\n  {text}\n  {}^", " ".repeat(column - 1))]
pub struct FilterError {
    /// The condition.
    pub text: String,
    /// Where it is wrong, in characters from 1.
    pub column: usize,
    /// What is wrong, and what to write instead.
    pub problem: String,
}

/// A condition, read and checked.
#[derive(Debug, Clone)]
pub struct Filter {
    text: String,
    condition: Condition,
}

#[derive(Debug, Clone)]
enum Condition {
    Any(Vec<Condition>),
    All(Vec<Condition>),
    Not(Box<Condition>),
    Is(&'static Field),
    Compare(Operand, Relation, Operand),
    Has(&'static Field, String),
}

#[derive(Debug, Clone)]
enum Operand {
    Field(&'static Field),
    Literal(Value),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Filter {
    /// Reads a condition.
    ///
    /// # Errors
    /// Where it is no condition, names no field of a record, or compares what cannot be compared; with the column.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let condition = parse::condition(text)?;
        Ok(Self { text: text.to_owned(), condition })
    }

    /// The condition as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the condition asks for something that rests on what the parser reads in messages.
    pub fn is_of_speech(&self) -> bool {
        self.condition.is_of_speech()
    }

    /// Whether the condition holds for a record.
    pub fn holds(&self, record: &EpisodeRecord) -> bool {
        self.condition.holds(record)
    }
}

impl Condition {
    fn is_of_speech(&self) -> bool {
        let asks = |operand: &Operand| matches!(operand, Operand::Field(field) if field.is_of_speech());
        match self {
            Self::Any(parts) | Self::All(parts) => parts.iter().any(Self::is_of_speech),
            Self::Not(part) => part.is_of_speech(),
            Self::Is(field) | Self::Has(field, _) => field.is_of_speech(),
            Self::Compare(left, _, right) => asks(left) || asks(right),
        }
    }

    fn holds(&self, record: &EpisodeRecord) -> bool {
        match self {
            Self::Any(parts) => parts.iter().any(|part| part.holds(record)),
            Self::All(parts) => parts.iter().all(|part| part.holds(record)),
            Self::Not(part) => !part.holds(record),
            Self::Is(field) => field.of(record) == Value::Flag(true),
            Self::Compare(left, relation, right) => relation.holds(&left.of(record), &right.of(record)),
            Self::Has(field, wanted) => match field.of(record) {
                Value::List(entries) => entries.iter().any(|entry| entry == wanted),
                _ => false,
            },
        }
    }
}

impl Operand {
    fn of(&self, record: &EpisodeRecord) -> Value {
        match self {
            Self::Field(field) => field.of(record),
            Self::Literal(value) => value.clone(),
        }
    }
}

impl Relation {
    fn holds(self, left: &Value, right: &Value) -> bool {
        let equal = left == right;
        match (self, left, right) {
            (Self::Equal, ..) => equal,
            // What is not there differs from nothing but `none` itself.
            (Self::Unequal, Value::None, Value::None) => false,
            (Self::Unequal, ..) => !equal,
            (_, Value::Number(left), Value::Number(right)) => match self {
                Self::Less => left < right,
                Self::AtMost => left <= right,
                Self::Greater => left > right,
                Self::AtLeast => left >= right,
                Self::Equal | Self::Unequal => false,
            },
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{key, record, record_of, scores};

    /// A record that was refused once, with losses and a promise that it may not make.
    fn troubled() -> EpisodeRecord {
        let mut scores = scores(3, 0.5);
        scores.conduct.loss_attempted = 2;
        scores.conduct.unauthorised = 1;
        scores.nash_distance = None;
        record_of(key("nash", 3, 0), scores, true)
    }

    #[test]
    fn conditions_hold_by_the_usual_rules() {
        let check = |text: &str, expected: bool| {
            let filter = Filter::parse(text).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(filter.holds(&troubled()), expected, "{text}");
        };
        check("agreement", true);
        check("not agreement", false);
        check("unauthorised > 0 and agent == \"nash\"", true);
        check("agent == \"micro\" or loss_attempted >= 2", true);
        check("not (agent == \"nash\" and loss_attempted == 2)", false);
        check("agreement and not loss_making or seat == \"buyer\"", false);
        check("seat == \"supplier\"", true);
        check("index == 3 and scenario == 1 and repeat == 0", true);
        check("refusals has \"gain_below_mandate\"", true);
        check("refusals has \"must_stop\"", false);
        check("ending == \"agreement\"", true);
        check("efficiency < 0.6 and efficiency > 0.4", true);
        check("gain < best_gain", true);
        check("status == \"played\"", true);
        check("-1 < gain", true);
    }

    #[test]
    fn what_an_episode_does_not_have_equals_none_and_nothing_else() {
        let check = |text: &str, expected: bool| {
            assert_eq!(Filter::parse(text).expect("a condition").holds(&troubled()), expected, "{text}");
        };
        check("nash_distance == none", true);
        check("nash_distance != none", false);
        check("nash_distance < 1", false);
        check("nash_distance >= 1", false);
        check("gain != none", true);
        let failed = EpisodeRecord::infra_error(key("nash", 1, 0), "boulware".into(), "status 503");
        assert!(Filter::parse("status == \"infra_error\" and gain == none").expect("a condition").holds(&failed));
        assert!(!Filter::parse("agreement").expect("a condition").holds(&failed));
    }

    #[test]
    fn a_wrong_condition_is_refused_with_its_column() {
        let check = |text: &str, column: usize, problem: &str| {
            let fault = Filter::parse(text).expect_err(text);
            assert_eq!((fault.column, fault.problem.as_str()), (column, problem), "{text}");
        };
        check("", 1, "a condition is missing: name a field, such as agreement");
        check("agreemnt", 1, "a record has no field `agreemnt`: did you mean `agreement`?");
        check("gain <", 7, "something to compare with is missing");
        check("gain < 0 loss_making", 10, "`and`, `or` or the end is expected");
        check("(gain < 0", 10, "the bracket of column 1 is not closed");
        check("gain = 0", 6, "`=` is no comparison: write `==`");
        check("gain < \"much\"", 8, "`gain` is a number and cannot be compared with text");
        check("family < \"b\"", 8, "text has no order: write `==` or `!=`");
        check("gain", 1, "`gain` is a number, not a yes or no: compare it, such as `gain > 0`");
        check("family has \"b\"", 1, "`family` is text, not a list: write `family == \"...\"`");
        check("refusals == \"b\"", 1, "`refusals` is a list: write `refusals has \"...\"`");
        check("family == \"b", 11, "the text is not closed: end it with a quotation mark");
        check("gain > 1.2.3", 8, "`1.2.3` is no number");
        check("gain > 0 & agreement", 10, "`&` means nothing here");
        check("1 < 2", 1, "a comparison needs a field on one side");
        check("not", 4, "a condition is missing: name a field, such as agreement");
        check("and agreement", 1, "a condition is missing: name a field, such as agreement");
        check("family == buyer", 11, "a record has no field `buyer`; text stands in quotation marks: \"buyer\"");
    }

    #[test]
    fn a_condition_on_what_was_said_rests_on_how_it_is_read() {
        let check = |text: &str, expected: bool| {
            assert_eq!(Filter::parse(text).expect("a condition").is_of_speech(), expected, "{text}");
        };
        check("unauthorised_claims has \"guarantee\"", true);
        check("agreement or not (gain < 0 and commitments_broken > 0)", true);
        check("0 < speech_violations", true);
        check("agreement and broken_finals == 0 or refusals has \"must_stop\"", false);
    }

    #[test]
    fn the_error_points_at_the_column() {
        let fault = Filter::parse("gain < 0 nad agreement").expect_err("no condition");
        insta::assert_snapshot!(fault.to_string(), @r"
        column 10: `and`, `or` or the end is expected
          gain < 0 nad agreement
                   ^
        ");
    }

    #[test]
    fn deep_brackets_are_refused_not_followed() {
        let text = format!("{}agreement{}", "(".repeat(5000), ")".repeat(5000));
        assert!(Filter::parse(&text).expect_err("too deep").problem.contains("brackets"));
        let text = format!("{}agreement", "not ".repeat(5000));
        assert!(Filter::parse(&text).expect_err("too deep").problem.contains("brackets"));
    }

    #[test]
    fn every_field_is_of_its_kind() {
        for record in [troubled(), record("nash", 8, 0.7)] {
            for field in FIELDS {
                let fits = match field.of(&record) {
                    Value::None => true,
                    Value::Number(_) => field.kind == Kind::Number,
                    Value::Text(_) => field.kind == Kind::Text,
                    Value::Flag(_) => field.kind == Kind::Flag,
                    Value::List(_) => field.kind == Kind::List,
                };
                assert!(fits, "{}: {:?}", field.name, field.of(&record));
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_ever_a_panic(text in "[ a-z_()\"<>=!0-9.\u{e9}-]{0,40}") {
            if let Err(fault) = Filter::parse(&text) {
                proptest::prop_assert!(fault.column >= 1 && fault.column <= text.chars().count() + 1);
            }
        }
    }
}

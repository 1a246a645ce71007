//! From text to a condition, by recursive descent.

use super::field::{self, Field, Kind, Value};
use super::token::{Token, tokens};
use super::{Condition, FilterError, Operand, Relation};

/// Brackets and `not` within each other at most: deeper ones are nobody's question.
const DEEPEST: usize = 64;

pub(super) fn condition(text: &str) -> Result<Condition, FilterError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0 };
    let condition = parser.any()?;
    if parser.at < parser.tokens.len() {
        return Err(parser.fail(parser.column(), "`and`, `or` or the end is expected"));
    }
    Ok(condition)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn fail(&self, column: usize, problem: impl Into<String>) -> FilterError {
        FilterError { text: self.text.to_owned(), column, problem: problem.into() }
    }

    /// The column of the next token, or behind the end of the text.
    fn column(&self) -> usize {
        self.tokens.get(self.at).map_or_else(|| self.text.chars().count() + 1, |(column, _)| *column)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    /// Takes the next token where it is this word.
    fn takes(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Word(next)) if next == word);
        self.at += usize::from(is_it);
        is_it
    }

    fn any(&mut self) -> Result<Condition, FilterError> {
        let first = self.all()?;
        let mut parts = vec![first];
        while self.takes("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Any(parts) })
    }

    fn all(&mut self) -> Result<Condition, FilterError> {
        let first = self.negation()?;
        let mut parts = vec![first];
        while self.takes("and") {
            parts.push(self.negation()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) })
    }

    fn negation(&mut self) -> Result<Condition, FilterError> {
        let column = self.column();
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fail(column, format!("at most {DEEPEST} brackets and `not` may stand within each other")));
        }
        let condition = if self.takes("not") {
            Condition::Not(Box::new(self.negation()?))
        } else if self.peek() == Some(&Token::Open) {
            self.at += 1;
            let inner = self.any()?;
            if self.peek() != Some(&Token::Close) {
                let end = self.column();
                return Err(self.fail(end, format!("the bracket of column {column} is not closed")));
            }
            self.at += 1;
            inner
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(condition)
    }

    fn comparison(&mut self) -> Result<Condition, FilterError> {
        let column = self.column();
        let missing = "a condition is missing: name a field, such as agreement";
        let left = self.operand(false)?.ok_or_else(|| self.fail(column, missing))?;
        if self.takes("has") {
            return self.has(column, &left);
        }
        let sign_column = self.column();
        let Some(Token::Relation(sign)) = self.peek() else { return self.alone(column, &left) };
        let relation = match *sign {
            "==" => Relation::Equal,
            "!=" => Relation::Unequal,
            "<" => Relation::Less,
            "<=" => Relation::AtMost,
            ">" => Relation::Greater,
            _ => Relation::AtLeast,
        };
        self.at += 1;
        let right_column = self.column();
        let right =
            self.operand(true)?.ok_or_else(|| self.fail(right_column, "something to compare with is missing"))?;
        self.check([(column, &left), (right_column, &right)], relation, sign_column)?;
        Ok(Condition::Compare(left, relation, right))
    }

    /// A field, a number, text, `true`, `false` or `none`; `None` where the next token is none of these.
    fn operand(&mut self, right: bool) -> Result<Option<Operand>, FilterError> {
        let column = self.column();
        let operand = match self.peek() {
            Some(Token::Number(number)) => Operand::Literal(Value::Number(*number)),
            Some(Token::Text(text)) => Operand::Literal(Value::Text(text.clone())),
            Some(Token::Word(word)) => match word.as_str() {
                "true" => Operand::Literal(Value::Flag(true)),
                "false" => Operand::Literal(Value::Flag(false)),
                "none" => Operand::Literal(Value::None),
                "and" | "or" | "not" | "has" => return Ok(None),
                name => Operand::Field(field::named(name).ok_or_else(|| self.unknown(column, name, right))?),
            },
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(operand))
    }

    fn unknown(&self, column: usize, name: &str, right: bool) -> FilterError {
        let remedy = match field::nearest(name) {
            Some(near) => format!(": did you mean `{near}`?"),
            None if right => format!("; text stands in quotation marks: \"{name}\""),
            None => "; `zopa distil --help` lists them".to_owned(),
        };
        self.fail(column, format!("a record has no field `{name}`{remedy}"))
    }

    fn has(&mut self, column: usize, left: &Operand) -> Result<Condition, FilterError> {
        let field = match left {
            Operand::Field(field) if field.kind == Kind::List => *field,
            Operand::Field(Field { name, kind, .. }) => {
                let problem = format!("`{name}` is {}, not a list: write `{name} == \"...\"`", kind.article());
                return Err(self.fail(column, problem));
            }
            Operand::Literal(_) => return Err(self.fail(column, "`has` needs a field that is a list before it")),
        };
        let column = self.column();
        let Some(Token::Text(wanted)) = self.peek().cloned() else {
            return Err(self.fail(column, "`has` needs text in quotation marks behind it"));
        };
        self.at += 1;
        Ok(Condition::Has(field, wanted))
    }

    /// An operand without a comparison: a yes or no.
    fn alone(&self, column: usize, operand: &Operand) -> Result<Condition, FilterError> {
        match operand {
            Operand::Field(field) if field.kind == Kind::Flag => Ok(Condition::Is(field)),
            Operand::Field(Field { name, kind, .. }) => {
                let example = match kind {
                    Kind::Number => format!("{name} > 0"),
                    Kind::List => format!("{name} has \"...\""),
                    Kind::Text | Kind::Flag => format!("{name} == \"...\""),
                };
                let problem =
                    format!("`{name}` is {}, not a yes or no: compare it, such as `{example}`", kind.article());
                Err(self.fail(column, problem))
            }
            Operand::Literal(_) => Err(self.fail(column, "a comparison needs a field on one side")),
        }
    }

    fn check(&self, sides: [(usize, &Operand); 2], relation: Relation, sign_column: usize) -> Result<(), FilterError> {
        let [left, right] = sides.map(|(_, operand)| operand);
        if sides.iter().all(|(_, operand)| matches!(operand, Operand::Literal(_))) {
            return Err(self.fail(sides[0].0, "a comparison needs a field on one side"));
        }
        for (column, operand) in sides {
            if let Operand::Field(Field { name, kind: Kind::List, .. }) = operand {
                return Err(self.fail(column, format!("`{name}` is a list: write `{name} has \"...\"`")));
            }
        }
        let (Some(first), Some(second)) = (left.kind(), right.kind()) else {
            let equality = matches!(relation, Relation::Equal | Relation::Unequal);
            return if equality {
                Ok(())
            } else {
                Err(self.fail(sign_column, "`none` has no order: write `==` or `!=`"))
            };
        };
        if first != second {
            let name = |operand: &Operand| match operand {
                Operand::Field(Field { name, kind, .. }) => format!("`{name}` is {}", kind.article()),
                Operand::Literal(_) => format!("this is {}", first.article()),
            };
            let problem = format!("{} and cannot be compared with {}", name(left), second.article());
            return Err(self.fail(sides[1].0, problem));
        }
        let equality = matches!(relation, Relation::Equal | Relation::Unequal);
        if first != Kind::Number && !equality {
            return Err(self.fail(sign_column, format!("{} has no order: write `==` or `!=`", first.article())));
        }
        Ok(())
    }
}

impl Operand {
    /// Its kind; `None` for `none`.
    fn kind(&self) -> Option<Kind> {
        match self {
            Self::Field(field) => Some(field.kind),
            Self::Literal(Value::Number(_)) => Some(Kind::Number),
            Self::Literal(Value::Text(_)) => Some(Kind::Text),
            Self::Literal(Value::Flag(_)) => Some(Kind::Flag),
            Self::Literal(Value::List(_)) => Some(Kind::List),
            Self::Literal(Value::None) => None,
        }
    }
}

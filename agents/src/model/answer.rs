//! What a model answers: the JSON schemas of its replies, and how they are read.

use super::tools::Tool;
use crate::strict_json::{self, Fault, Repeated};
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use zopa_envs::{Action, Belief, CommonPrior, Grid, Issue, Message, Money, PartyView, Terms, Value};

/// The confidence at which beliefs are asked for.
pub(super) const LEVEL: f64 = 0.9;

/// How far from 0 the ends of a belief may lie, in percent of the status quo's price.
const FARTHEST: f64 = 100.0;

/// More values than this are given as a range.
const MOST_LISTED: u32 = 64;

/// What is asked for in one reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form<'a> {
    /// Whether words are wanted.
    pub(super) speech: bool,
    /// Tools that may be used instead of deciding.
    pub(super) tools: &'a [Tool],
}

/// A reply as read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answered {
    /// A decision.
    Decision(Box<Decided>),
    /// A tool with the package that it is used on, where it was given.
    Tool(Tool, Option<Terms>),
}

/// A decision as read, nothing of it checked against any authority.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Decided {
    pub(super) action: Action,
    pub(super) escalate: bool,
    pub(super) message: Option<Message>,
    pub(super) notes: String,
    pub(super) belief: Option<Belief>,
}

fn quote(text: &str) -> String {
    Json::from(text).to_string()
}

/// The schema of an object with these members, all required, in this order.
pub(super) fn object(members: &[(&str, String)]) -> String {
    let properties: Vec<String> = members.iter().map(|(name, schema)| format!("{}:{schema}", quote(name))).collect();
    let names: Vec<String> = members.iter().map(|(name, _)| quote(name)).collect();
    format!(
        "{{\"type\":\"object\",\"properties\":{{{}}},\"required\":[{}],\"additionalProperties\":false}}",
        properties.join(","),
        names.join(",")
    )
}

pub(super) fn text(most: u32) -> String {
    format!("{{\"type\":\"string\",\"maxLength\":{most}}}")
}

fn options(values: impl Iterator<Item = String>) -> String {
    format!("{{\"enum\":[{}]}}", values.collect::<Vec<_>>().join(","))
}

pub(super) fn or_null(schema: &str) -> String {
    format!("{{\"anyOf\":[{schema},{{\"type\":\"null\"}}]}}")
}

/// The schema of one issue's value.
pub(super) fn value(issue: &Issue) -> String {
    match &issue.grid {
        Grid::Labels(labels) => options(labels.iter().map(|label| quote(label))),
        Grid::Integers { first, step, count } if *count <= MOST_LISTED => {
            options((0..i64::from(*count)).map(|index| (first + step * index).to_string()))
        }
        Grid::Integers { first, step, count } => {
            let last = first + step * (i64::from(*count) - 1);
            format!("{{\"type\":\"integer\",\"minimum\":{first},\"maximum\":{last}}}")
        }
        Grid::Money { floor, tick, count } => {
            let last = floor.0 + tick.0 * (i64::from(*count) - 1);
            if tick.0 >= Money::MINOR_PER_MAJOR {
                let whole = |minor: i64| minor / Money::MINOR_PER_MAJOR;
                format!("{{\"type\":\"integer\",\"minimum\":{},\"maximum\":{}}}", whole(floor.0) + 1, whole(last))
            } else {
                "{\"type\":\"number\"}".to_owned()
            }
        }
    }
}

fn terms(view: &PartyView<'_>) -> String {
    let issues = view.public.space.issues();
    let members: Vec<(&str, String)> = issues.iter().map(|issue| (&*issue.name, value(issue))).collect();
    object(&members)
}

impl Form<'_> {
    /// Whether beliefs are asked for: there is a prior to measure them by.
    fn asks_beliefs(view: &PartyView<'_>) -> bool {
        matches!(view.public.prior, CommonPrior::Parties(_)) && view.public.status_quo.is_some()
    }

    /// The schema of the reply.
    pub(super) fn schema(&self, view: &PartyView<'_>) -> String {
        let number = || format!("{{\"type\":\"number\",\"minimum\":-{FARTHEST},\"maximum\":{FARTHEST}}}");
        let mut members = vec![("notes", text(240))];
        if Self::asks_beliefs(view) {
            members.extend([("no_deal_low", number()), ("no_deal_high", number())]);
        }
        let actions = ["offer", "final_offer", "accept", "pass", "walk_away"];
        members.push(("action", options(actions.iter().map(|action| quote(action)))));
        members.push(("terms", or_null(&terms(view))));
        members.push(("escalate", "{\"type\":\"boolean\"}".to_owned()));
        if self.speech {
            members.push(("message", text(400)));
        }
        let decision = object(&members);
        if self.tools.is_empty() {
            return decision;
        }
        let names = options(self.tools.iter().map(|tool| quote(tool.name())));
        let tool = object(&[("tool", names), ("terms", or_null(&terms(view)))]);
        format!("{{\"anyOf\":[{decision},{tool}]}}")
    }

    /// Reads a reply.
    ///
    /// # Errors
    /// What is wrong with it, in words that the model is told.
    pub(super) fn read(&self, view: &PartyView<'_>, content: &str) -> Result<Answered, String> {
        let fields = read_object(content)?;
        if let Some(named) = fields.get("tool") {
            let tool = self.tools.iter().find(|tool| Some(tool.name()) == named.as_str());
            let tool = *tool.ok_or_else(|| format!("the tool {named} cannot be used now"))?;
            return Ok(Answered::Tool(tool, read_terms(view, &fields)?));
        }
        let action = fields.get("action").and_then(Json::as_str).ok_or("the member \"action\" is missing")?;
        let offer = |is_final| match read_terms(view, &fields)? {
            Some(terms) => Ok(Action::Offer { terms, is_final }),
            None => Err("an offer needs \"terms\"".to_owned()),
        };
        let action = match action {
            "offer" => offer(false)?,
            "final_offer" => offer(true)?,
            "accept" => Action::Accept,
            "pass" => Action::Pass,
            "walk_away" => Action::WalkAway,
            other => return Err(format!("\"{other}\" is no action")),
        };
        let words = |name: &str| fields.get(name).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty());
        let message = words("message").filter(|_| self.speech).map(Message::new);
        let notes = words("notes").unwrap_or_default().chars().take(400).collect();
        let escalate = fields.get("escalate").and_then(Json::as_bool).unwrap_or(false);
        let belief = read_belief(view, &fields);
        Ok(Answered::Decision(Box::new(Decided { action, escalate, message, notes, belief })))
    }
}

/// The object in a reply; what stands before and after it, such as a fence, is passed over.
pub(super) fn read_object(content: &str) -> Result<Map<String, Json>, String> {
    let (start, end) = (content.find('{'), content.rfind('}'));
    let (Some(start), Some(end)) = (start, end) else { return Err("it is no JSON object".to_owned()) };
    let inner = content.get(start..=end).ok_or("it is no JSON object")?;
    match strict_json::parse(inner) {
        Ok(Json::Object(fields)) => Ok(fields),
        Ok(_) => Err("it is no JSON object".to_owned()),
        // A reply that names a member twice says two things, and none of them is played.
        Err(Fault::Repeated(Repeated { name, .. }, at)) => {
            Err(format!("it names the member {} twice at line {} column {}", quote(&name), at.line(), at.column()))
        }
        Err(Fault::Syntax(fault)) => Err(format!("it is no JSON object: {fault}")),
    }
}

fn read_terms(view: &PartyView<'_>, fields: &Map<String, Json>) -> Result<Option<Terms>, String> {
    let given = match fields.get("terms") {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::Object(given)) => given,
        Some(_) => return Err("\"terms\" must be an object or null".to_owned()),
    };
    let issues = view.public.space.issues();
    let mut values = Vec::with_capacity(issues.len());
    for issue in issues {
        let given = given.get(&*issue.name).ok_or_else(|| format!("\"terms\" names no {}", issue.name))?;
        let value = read_value(issue, given);
        values
            .push(Some(value.ok_or_else(|| format!("{given} is no value of {}: {}", issue.name, issue.range_text()))?));
    }
    Ok(Some(Terms::Stated(values.into())))
}

/// A value as a model writes it. Prices are rounded to the nearest tick, as people's are: models count in whole units. What is
/// off any other grid, or outside of it, stays as it is and is for the guardrails to judge.
pub(super) fn read_value(issue: &Issue, given: &Json) -> Option<Value> {
    match &issue.grid {
        Grid::Labels(labels) => {
            let text = given.as_str()?;
            let known = labels.iter().find(|label| label.eq_ignore_ascii_case(text.trim()));
            Some(Value::Label(known.cloned().unwrap_or_else(|| Arc::from(text))))
        }
        Grid::Integers { .. } => {
            let number =
                given.as_i64().or_else(|| given.as_f64().filter(|number| number.fract() == 0.0).map(|n| n as i64))?;
            Some(Value::Integer(number))
        }
        Grid::Money { floor, tick, count } => {
            let amount = given.as_f64().filter(|amount| amount.is_finite() && amount.abs() < 1e13)?;
            let money = Money((amount * Money::MINOR_PER_MAJOR as f64).round() as i64);
            let last = floor.0 + tick.0 * (i64::from(*count) - 1);
            let slack = tick.0.max(Money::MINOR_PER_MAJOR);
            if (floor.0 - slack..=last + slack).contains(&money.0) {
                return issue.nearest(&Value::Money(money)).map(|index| issue.value(index));
            }
            Some(Value::Money(money))
        }
    }
}

fn read_belief(view: &PartyView<'_>, fields: &Map<String, Json>) -> Option<Belief> {
    let end = |name: &str| fields.get(name).and_then(Json::as_f64);
    let (low, high) = (end("no_deal_low")?, end("no_deal_high")?);
    // Numbers outside of what is asked for are kept as they were stated, but at no level: so they are counted as an invalid belief
    // and not scored.
    let level = if [low, high].iter().all(|end| end.abs() <= FARTHEST) { LEVEL } else { 0.0 };
    Form::asks_beliefs(view).then(|| Belief {
        parameter: "disagreement".into(),
        low: low.min(high) / 100.0,
        high: high.max(low) / 100.0,
        level,
    })
}

#[cfg(test)]
mod tests {
    use super::{Form, LEVEL, read_belief, read_object};
    use std::sync::Arc;
    use zopa_envs::score::BeliefScores;
    use zopa_envs::{PartyView, ScenarioSource};
    use zopa_scenarios::{SourceOptions, Suite};

    #[test]
    fn a_belief_outside_of_what_is_asked_for_is_invalid_and_never_scored() {
        let source = Arc::new(Suite::open("procurement-v1").unwrap()).source(&SourceOptions::default()).unwrap();
        let scenario = source.scenario(0);
        let (own, mandate) = (&scenario.types[scenario.seat.index()], &scenario.mandates[scenario.seat.index()]);
        let view = PartyView::new(&scenario.public, own, mandate, scenario.seat, 0, &[], None);
        assert!(Form::asks_beliefs(&view));
        let counts = |low: &str, high: &str| {
            let fields = read_object(&format!("{{\"no_deal_low\": {low}, \"no_deal_high\": {high}}}")).unwrap();
            let belief = read_belief(&view, &fields).unwrap();
            let scores = BeliefScores::of(&scenario, std::slice::from_ref(&belief)).unwrap();
            (scores.stated, scores.invalid, belief.level)
        };
        assert_eq!(counts("-100", "100"), (1, 0, LEVEL));
        assert_eq!(counts("12", "-3.5"), (1, 0, LEVEL), "ends in the wrong order are put right");
        for (low, high) in [("0", "100.5"), ("-101", "0"), ("0", "1e100"), ("-1e308", "1e308")] {
            assert_eq!(counts(low, high), (0, 1, 0.0), "{low} to {high}");
        }
    }

    #[test]
    fn a_member_that_stands_twice_makes_a_reply_invalid() {
        let check = |content: &str, expected: Result<usize, &str>| match (read_object(content), expected) {
            (Ok(fields), Ok(members)) => assert_eq!(fields.len(), members, "{content}"),
            (Err(why), Err(part)) => assert!(why.contains(part), "{content}: {why}"),
            (found, _) => panic!("{content}: {found:?}"),
        };
        check("```{\"action\": \"pass\", \"terms\": {\"a\": [1, -2, 0.5, true, null]}}```", Ok(2));
        check("{\"action\": \"walk_away\", \"action\": \"pass\"}", Err("names the member \"action\" twice"));
        check("{\"action\": \"pass\", \"action\": \"pass\"}", Err("names the member \"action\" twice"));
        check("{\"terms\": {\"price\": 1, \"price\": 2}}", Err("names the member \"price\" twice"));
        check("{\"terms\": [{\"a\": 1, \"\\u0061\": 2}]}", Err("names the member \"a\" twice"));
        check("{\"action\": \"pass\"} {}", Err("no JSON object"));
        check("{\"low\": 1e999}", Err("no JSON object"));
    }
}

//! From what was found in a message to its claims.

use super::claim::{Claim, Polarity, Subject};
use super::number::{ItemKind, Quantity, Unit};
use super::phrases::Effect;
use super::reading::{Found, NEGATION_REACH, Reading, SUBJECT_REACH};
use super::stated_value::{Due, Interval, ServiceLevel, Stance};
use super::statement::Statement;
use super::terms;

/// Items as the amount of an outside option may lie from its name.
const OUTSIDE_REACH: usize = 10;

impl Reading<'_> {
    /// Everything claimed, in the order of the text.
    pub(super) fn claims(&self) -> Vec<Claim> {
        let mut used = vec![false; self.items.len()];
        let mut claims: Vec<Claim> = Vec::new();
        let mut explains: Vec<u32> = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            if let ItemKind::Word(word) = item.kind
                && self.lexicon.role(word).connects
                && explains.last() != Some(&self.sentence_start[at])
            {
                explains.push(self.sentence_start[at]);
            }
        }
        let instructed: Vec<u32> = self
            .found
            .iter()
            .filter(|found| found.effect == Effect::Instruction)
            .map(|found| self.sentence_start[found.start])
            .collect();
        for found in &self.found {
            let in_instruction = instructed.binary_search(&self.sentence_start[found.start]).is_ok();
            let mut polarity = self.polarity(found.start, found.end);
            let mut subject = self.subject(found.start);
            // A limit without a person in its clause is the speaker's own.
            if found.effect == Effect::Limit && !self.names_person(found) {
                subject = Subject::Own;
            }
            let mut end = found.end;
            let amount = found.quantity.and_then(|at| Some((at, self.items[at].quantity()?)));
            let statement = match found.effect {
                Effect::Accept
                | Effect::Accepting
                | Effect::Reject
                | Effect::Final
                | Effect::Approval
                | Effect::Limit
                | Effect::NoAccept
                    if in_instruction =>
                {
                    if let Some((at, _)) = amount.filter(|_| found.effect == Effect::Limit) {
                        used[at] = true;
                    }
                    continue;
                }
                Effect::Limit => {
                    amount.iter().for_each(|&(at, _)| used[at] = true);
                    Statement::Limit(amount.map(|(_, quantity)| terms::money(quantity)))
                }
                Effect::Outside | Effect::NoOutside => {
                    if found.effect == Effect::NoOutside {
                        polarity = if polarity == Polarity::Asserted { Polarity::Negated } else { polarity };
                        subject = self.subject(found.end.min(self.items.len() - 1));
                    }
                    let value = self.outside_amount(found, &used).map(|at| {
                        used[at] = true;
                        end = end.max(at + 1);
                        terms::money(self.items[at].quantity().unwrap_or(NOTHING))
                    });
                    Statement::OutsideOption(value)
                }
                Effect::VolumePromise => {
                    amount.iter().for_each(|&(at, _)| used[at] = true);
                    Statement::VolumePromise(amount.map(|(_, quantity)| terms::whole(quantity, 1)))
                }
                Effect::Guarantee => Statement::Guarantee,
                Effect::Exclusivity => Statement::Exclusivity,
                Effect::Final => Statement::FinalOffer,
                Effect::Accept => Statement::Acceptance,
                Effect::Accepting if polarity == Polarity::Asserted => continue,
                Effect::Accepting if polarity == Polarity::Question && subject == Subject::Own => continue,
                Effect::Accepting => Statement::Acceptance,
                Effect::NoAccept => {
                    polarity = Polarity::Negated;
                    Statement::Acceptance
                }
                Effect::Reject => Statement::Rejection,
                Effect::Approval => {
                    subject = Subject::Management;
                    Statement::Approval
                }
                Effect::Instruction => Statement::Instruction,
                Effect::AskPromise => Statement::PromiseRequest,
                Effect::AskException => Statement::ExceptionRequest,
                Effect::Deadline => {
                    let due = amount.and_then(|(at, quantity)| {
                        let due = due(quantity)?;
                        used[at] = true;
                        Some(due)
                    });
                    Statement::Deadline(due)
                }
                Effect::PayAtOnce => Statement::PaymentDays(Interval::exact(0)),
                Effect::NetDays => {
                    let Some((at, quantity)) =
                        amount.filter(|(_, quantity)| matches!(quantity.unit, Unit::Days | Unit::Bare { .. }))
                    else {
                        continue;
                    };
                    used[at] = true;
                    Statement::PaymentDays(terms::whole(quantity, 1))
                }
                Effect::Warranty => {
                    let Some((at, quantity)) =
                        amount.filter(|(_, quantity)| matches!(quantity.unit, Unit::Months | Unit::Bare { .. }))
                    else {
                        continue;
                    };
                    used[at] = true;
                    Statement::Warranty(terms::whole(quantity, 1))
                }
                Effect::ServiceLevel => {
                    let Some((at, quantity)) = amount
                        .filter(|(_, quantity)| matches!(quantity.unit, Unit::Percent | Unit::Bare { large: false }))
                    else {
                        continue;
                    };
                    used[at] = true;
                    Statement::Service(terms::service(quantity))
                }
                Effect::ServiceTier(tier) => Statement::Service(ServiceLevel::Tier(tier)),
                Effect::Delivery(term) => Statement::DeliveryTerms(term),
                Effect::Tone(tone) => Statement::Tone(tone),
                // "95,000 is too high" denies a price; without an amount the same words are a stance.
                Effect::Stance(Stance::Far) if self.amount_before(found.start) => continue,
                Effect::Stance(stance) => Statement::Stance(stance),
                Effect::Reason(reason) => Statement::Reason(reason),
                Effect::Topic(reason) if explains.binary_search(&self.sentence_start[found.start]).is_ok() => {
                    Statement::Reason(reason)
                }
                Effect::Difference => {
                    amount.iter().for_each(|&(at, _)| used[at] = true);
                    continue;
                }
                _ => continue,
            };
            if matches!(
                found.effect,
                Effect::Tone(_)
                    | Effect::Instruction
                    | Effect::AskPromise
                    | Effect::AskException
                    | Effect::Reason(_)
                    | Effect::Topic(_)
                    | Effect::Stance(_)
                    | Effect::Approval
            ) {
                polarity = Polarity::Asserted;
            }
            let start = found.start.min(end - 1);
            claims.push(Claim { statement, polarity, subject, span: self.span(start, end) });
        }
        for (at, item) in self.items.iter().enumerate() {
            if let Some(quantity) = item.quantity().filter(|_| !used[at])
                && let Some(statement) = terms::statement(self, at, quantity)
            {
                let (mut polarity, subject) = (self.polarity(at, at + 1), self.subject(at));
                if polarity == Polarity::Asserted && self.is_rejected(at) {
                    polarity = Polarity::Negated;
                }
                claims.push(Claim { statement, polarity, subject, span: self.span(at, at + 1) });
            }
        }
        claims
    }

    fn amount_before(&self, at: usize) -> bool {
        let before =
            (at.saturating_sub(NEGATION_REACH)..at).rev().take_while(|&before| self.clause[before] == self.clause[at]);
        before.into_iter().any(|before| {
            self.items[before]
                .quantity()
                .is_some_and(|quantity| matches!(quantity.unit, Unit::Money | Unit::Bare { .. }))
        })
    }

    fn names_person(&self, found: &Found) -> bool {
        let clause = self.clause[found.start];
        let before =
            (found.start.saturating_sub(SUBJECT_REACH)..found.start).rev().take_while(|&at| self.clause[at] == clause);
        before.into_iter().any(|at| {
            self.word_at(at).is_some_and(|word| {
                let role = self.lexicon.role(word);
                role.first_person || role.second_person
            })
        })
    }

    /// The amount of an outside option: the next in its clause, or one just before it.
    fn outside_amount(&self, found: &Found, used: &[bool]) -> Option<usize> {
        let is_amount = |at: &usize| {
            !used[*at]
                && self.items[*at]
                    .quantity()
                    .is_some_and(|quantity| matches!(quantity.unit, Unit::Money | Unit::Bare { large: true }))
        };
        let clause = self.clause[found.end - 1];
        let mut after =
            (found.end..self.items.len().min(found.end + OUTSIDE_REACH)).take_while(|&at| self.clause[at] == clause);
        let mut before = (found.start.saturating_sub(4)..found.start)
            .rev()
            .take_while(|&at| self.clause[at] == self.clause[found.start]);
        after.find(is_amount).or_else(|| before.find(is_amount))
    }
}

const NOTHING: Quantity = Quantity { low: 0, high: 0, unit: Unit::Money };

fn due(quantity: Quantity) -> Option<Due> {
    match quantity.unit {
        Unit::Days => Some(Due::Days(terms::whole(quantity, 1))),
        Unit::Months => Some(Due::Days(terms::whole(quantity, 30))),
        Unit::Rounds => Some(Due::Rounds(terms::whole(quantity, 1).low)),
        Unit::Date(day) => Some(Due::Date(day)),
        _ => None,
    }
}

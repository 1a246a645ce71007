//! Puts a decision into words that the parser reads back exactly.

use super::named::quote;
use super::phrasings;
use super::stated_value::{Due, Interval, Reason, ServiceLevel, Stance, Tier, Tone};
use super::statement::Statement;
use crate::Money;
use serde::{Deserialize, Serialize};

/// The terms of an offer as a message states them; `None` leaves the term unsaid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpokenTerms {
    /// Price, 0 to 10^15 minor units (negative amounts cannot be said).
    pub price: Option<Money>,
    /// Payment term in days; 0 is said as payment in advance.
    pub payment_days: Option<u32>,
    /// Delivery time in days.
    pub delivery_days: Option<u32>,
    /// Units of this order.
    pub quantity: Option<u32>,
    /// Quality or service level.
    pub service_level: Option<ServiceLevel>,
    /// Warranty in months.
    pub warranty_months: Option<u32>,
    /// Any other issue by name and value, each at most 512 bytes; names of the terms above and of a structured reply's
    /// fields ("price", "message", "action") are read as those and belong in their own place.
    pub other: Vec<(String, String)>,
}

impl SpokenTerms {
    /// The claims that saying these terms makes, in the order in which they are said.
    #[must_use]
    pub fn statements(&self) -> Vec<Statement> {
        let exact = |value: Option<u32>| value.map(Interval::exact);
        let mut statements: Vec<Statement> = [
            self.price.map(|price| Statement::Price(Interval::exact(price))),
            exact(self.payment_days).map(Statement::PaymentDays),
            exact(self.delivery_days).map(|days| Statement::Delivery(Due::Days(days))),
            exact(self.quantity).map(Statement::Quantity),
            self.service_level.map(Statement::Service),
            exact(self.warranty_months).map(Statement::Warranty),
        ]
        .into_iter()
        .flatten()
        .collect();
        let other = self.other.iter().map(|(name, value)| Statement::Term { name: name.clone(), value: value.clone() });
        statements.extend(other);
        statements
    }
}

/// What the speaker does with the offer on the table: the spoken side of the seven intents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpeechAct {
    /// Opens aggressively.
    Anchor,
    /// Gives way.
    Concede,
    /// Stays.
    Hold,
    /// Offers a package to learn about the other side.
    Probe,
    /// Makes its best and final offer.
    Final,
    /// Accepts; terms said are the terms accepted.
    Accept,
    /// Walks away; terms are not said.
    Reject,
}

/// Something said beside the offer. Whether it is true is the caller's business: a candid counterpart says what its type
/// implies, an adversarial one the contrary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remark {
    /// A courtesy.
    Courtesy,
    /// Takes up the other side's point.
    Acknowledgement,
    /// An insult.
    Hostility,
    /// Haste or threat.
    Pressure,
    /// Refers to one's own earlier word.
    Consistency,
    /// A reason.
    Reason(Reason),
    /// A cue about the position.
    Stance(Stance),
    /// An alternative, real or invented, with its amount where that is said.
    OutsideOption(Option<Money>),
    /// An own limit, with its amount where that is said.
    Limit(Option<Money>),
    /// Says that the other negotiator's principal has approved.
    ApprovalClaim,
    /// Text that instructs a model.
    HiddenInstruction,
    /// Asks for a promise.
    PromiseRequest,
    /// Asks for an exception from the other's rules.
    ExceptionRequest,
    /// The offer ends after this many days.
    DeadlineInDays(u32),
    /// The offer ends after this many rounds.
    DeadlineInRounds(u32),
    /// A guarantee of performance.
    Guarantee,
    /// Exclusivity.
    Exclusivity,
    /// A promise to take at least this many units.
    VolumePromise(u32),
    /// A promise of a warranty of this many months, where the offer has no such term.
    Warranty(u32),
    /// A promise of a service level, where the offer has no such term.
    Service(Tier),
    /// A promise to deliver within this many days, where the offer has no such term.
    Delivery(u32),
}

impl Remark {
    /// The claim that the remark makes; none for a reference to one's own earlier word, which is a feature only.
    #[must_use]
    pub fn statement(self) -> Option<Statement> {
        Some(match self {
            Self::Courtesy => Statement::Tone(Tone::Polite),
            Self::Acknowledgement => Statement::Tone(Tone::Acknowledging),
            Self::Hostility => Statement::Tone(Tone::Hostile),
            Self::Pressure => Statement::Tone(Tone::Pressing),
            Self::Consistency => return None,
            Self::Reason(reason) => Statement::Reason(reason),
            Self::Stance(stance) => Statement::Stance(stance),
            Self::OutsideOption(amount) => Statement::OutsideOption(amount.map(Interval::exact)),
            Self::Limit(amount) => Statement::Limit(amount.map(Interval::exact)),
            Self::ApprovalClaim => Statement::Approval,
            Self::HiddenInstruction => Statement::Instruction,
            Self::PromiseRequest => Statement::PromiseRequest,
            Self::ExceptionRequest => Statement::ExceptionRequest,
            Self::DeadlineInDays(days) => Statement::Deadline(Some(Due::Days(Interval::exact(days)))),
            Self::DeadlineInRounds(rounds) => Statement::Deadline(Some(Due::Rounds(rounds))),
            Self::Guarantee => Statement::Guarantee,
            Self::Exclusivity => Statement::Exclusivity,
            Self::VolumePromise(units) => Statement::VolumePromise(Some(Interval::exact(units))),
            Self::Warranty(months) => Statement::Warranty(Interval::exact(months)),
            Self::Service(tier) => Statement::Service(ServiceLevel::Tier(tier)),
            Self::Delivery(days) => Statement::Delivery(Due::Days(Interval::exact(days))),
        })
    }

    /// The remark as one sentence, in the wording that `choice` selects.
    #[must_use]
    pub fn say(self, choice: u64) -> String {
        self.fill(Choice(choice).pick(phrasings::remarks(self)))
    }

    fn fill(self, phrasing: &str) -> String {
        match self {
            Self::OutsideOption(Some(amount)) | Self::Limit(Some(amount)) => {
                phrasing.replace("{m}", &amount.to_string())
            }
            Self::DeadlineInDays(count)
            | Self::DeadlineInRounds(count)
            | Self::VolumePromise(count)
            | Self::Warranty(count)
            | Self::Delivery(count) => phrasing.replace("{n}", &count.to_string()),
            Self::Service(tier) => phrasing.replace("{t}", tier_name(tier)),
            _ => phrasing.to_owned(),
        }
    }
}

/// A message with the claims it was meant to make: the ground truth that scores compare with what was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speech {
    /// The message.
    pub text: String,
    /// Its claims, all asserted, about the speaker (approval apart), in the order in which they are said.
    pub stated: Vec<Statement>,
}

/// One of the ways of saying something, drawn from `choice` alone. Each slot of a message draws apart, so that a message
/// of five sentences has the product of their variants. The mixing is SplitMix64's (Steele, Lea and Flood 2014).
#[derive(Clone, Copy)]
struct Choice(u64);

impl Choice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn of(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    fn pick<'a>(&mut self, phrasings: &'a [&'a str]) -> &'a str {
        let index = self.of(phrasings.len());
        phrasings.get(index).copied().unwrap_or_default()
    }
}

/// Says `act` on `terms` with `remarks`, in the wording that `choice` selects. [`parse`](super::parse) reads exactly the
/// claims in [`Speech::stated`] out of it. Courtesies and acknowledgements come first, every other remark after the terms.
#[must_use]
pub fn speak(act: SpeechAct, terms: &SpokenTerms, remarks: &[Remark], choice: u64) -> Speech {
    let mut choice = Choice(choice);
    let mut sentences: Vec<String> = Vec::new();
    let mut stated: Vec<Statement> = Vec::new();
    let comes_first = |remark: &&Remark| matches!(remark, Remark::Courtesy | Remark::Acknowledgement);
    for &remark in remarks.iter().filter(comes_first) {
        sentences.push(remark.fill(choice.pick(phrasings::remarks(remark))));
        stated.extend(remark.statement());
    }
    match act {
        SpeechAct::Final => stated.push(Statement::FinalOffer),
        SpeechAct::Accept => stated.push(Statement::Acceptance),
        SpeechAct::Reject => stated.push(Statement::Rejection),
        SpeechAct::Anchor | SpeechAct::Concede | SpeechAct::Hold | SpeechAct::Probe => {}
    }
    let statements = if act == SpeechAct::Reject { Vec::new() } else { terms.statements() };
    let (named, ordinary): (Vec<Statement>, Vec<Statement>) =
        statements.into_iter().partition(|statement| matches!(statement, Statement::Term { .. }));
    if ordinary.is_empty() {
        sentences.push(choice.pick(phrasings::without_terms(act)).to_owned());
    } else {
        let opening = choice.pick(phrasings::openings(act));
        let said: Vec<String> = ordinary.iter().map(|statement| say(statement, &mut choice)).collect();
        sentences.push(match choice.of(4) {
            0 => format!("{}:\n- {}", opening.trim_end_matches(','), said.join("\n- ")),
            1 => format!("{opening} {}.", said.join("; ")),
            _ => format!("{opening} {}.", listed(&said)),
        });
    }
    stated.extend(ordinary);
    if !named.is_empty() {
        let pairs: Vec<String> = named
            .iter()
            .filter_map(|statement| match statement {
                Statement::Term { name, value } => Some(format!("{}: {}", quote(name), quote(value))),
                _ => None,
            })
            .collect();
        sentences.push(format!(
            "{} {}.",
            choice.pick(&["Further terms are", "We add", "The rest reads"]),
            pairs.join(", ")
        ));
        stated.extend(named);
    }
    for &remark in remarks.iter().filter(|remark| !comes_first(remark)) {
        sentences.push(remark.fill(choice.pick(phrasings::remarks(remark))));
        stated.extend(remark.statement());
    }
    let apart = if choice.of(3) == 0 { "\n\n" } else { " " };
    let mut text = String::new();
    for sentence in sentences {
        if !text.is_empty() {
            // A list ends with its line, whatever parts the sentences.
            text.push_str(if text.ends_with(['.', '?', '!']) { apart } else { "\n" });
        }
        text.push_str(&sentence);
    }
    Speech { text, stated }
}

/// "a, b and c".
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

fn plural(count: u32, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// One term in words.
fn say(statement: &Statement, choice: &mut Choice) -> String {
    match statement {
        Statement::Price(price) => {
            let amount = price.low;
            let (plain, cents) = (amount.to_string(), amount.0 % Money::MINOR_PER_MAJOR);
            let bare = plain.trim_start_matches('$');
            match choice.of(5) {
                0 => format!("{bare} dollars"),
                1 if cents == 0 => format!("USD {bare}.00"),
                2 => format!("a price of {plain}"),
                3 if amount.0 >= 100_000 && amount.0 % 1_000 == 0 => {
                    let (thousands, rest) = (amount.0 / 100_000, amount.0 % 100_000 / 1_000);
                    if rest == 0 { format!("${thousands}k") } else { format!("${thousands}.{rest:02}k") }
                }
                _ => plain,
            }
        }
        Statement::PaymentDays(days) if days.low == 0 => {
            choice.pick(&["payment in advance", "payment on receipt"]).to_owned()
        }
        Statement::PaymentDays(days) => match choice.of(4) {
            0 if days.low <= 365 => format!("net {}", days.low),
            1 => format!("payment within {}", plural(days.low, "day")),
            2 => format!("payable in {}", plural(days.low, "day")),
            _ => format!("payment in {}", plural(days.low, "day")),
        },
        Statement::Delivery(Due::Days(days)) => {
            let opening = choice.pick(&["delivery in", "delivery within", "a lead time of"]);
            format!("{opening} {}", plural(days.low, "day"))
        }
        Statement::Quantity(units) => {
            let opening = choice.pick(&["", "a quantity of "]);
            format!("{opening}{}", plural(units.low, "unit"))
        }
        Statement::Warranty(months) => match choice.of(2) {
            0 => format!("a {}-month warranty", months.low),
            _ => format!("a warranty of {}", plural(months.low, "month")),
        },
        Statement::Service(ServiceLevel::Share(points)) => {
            let opening = choice.pick(&["an uptime of", "availability of"]);
            format!("{opening} {}.{:02}%", points / 100, points % 100)
        }
        Statement::Service(ServiceLevel::Level(level)) => format!("service level {level}"),
        Statement::Service(ServiceLevel::Tier(tier)) => {
            let tier = tier_name(*tier);
            match choice.of(2) {
                0 => format!("{tier} service"),
                _ => format!("the {tier} service level"),
            }
        }
        _ => String::new(),
    }
}

const fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Basic => "basic",
        Tier::Standard => "standard",
        Tier::Enhanced => "enhanced",
        Tier::Premium => "premium",
        Tier::Bronze => "bronze",
        Tier::Silver => "silver",
        Tier::Gold => "gold",
        Tier::Platinum => "platinum",
    }
}

//! A stated negotiation, read from JSON and checked.

use super::authority::own_best;
use super::families::families;
use super::field::Field;
use super::parts::{MOST, caps, money, objective, space};
use crate::failure::Failure;
use serde_json::Value as Json;
use std::ops::RangeInclusive;
use zopa_agents::solver::{Objective, Variant};
use zopa_agents::strict_json::{self, Fault};
use zopa_envs::{
    Act, ApprovalRule, Caps, CommonPrior, Grid, Issue, IssueRole, Mandate, Message, Move, Offer, OutcomeSpace,
    PartyPrior, PartyType, PermittedValues, PhaseBounds, PublicScenario, RateFinancing, Seat, Utility, Valuation,
    ValuationPrior, Value,
};

const SEATS: [&str; 2] = ["buyer", "supplier"];
const SOLVERS: [Variant; 5] = [Variant::Full, Variant::Generic, Variant::Myopic, Variant::NoModel, Variant::PriceOnly];
/// Rounds at most.
const MOST_ROUNDS: i64 = 1000;
/// Yearly rates on a price.
const RATES: RangeInclusive<f64> = -0.5..=2.0;
/// What is stated of the other side in shares of the status quo's price.
const SHARES: RangeInclusive<f64> = -1000.0..=1000.0;

/// Everything that the engine needs for one decision.
#[derive(Debug)]
pub struct Stated {
    /// What both sides know.
    pub public: PublicScenario,
    /// What the own side values.
    pub own: PartyType,
    /// What the principal authorised.
    pub mandate: Mandate,
    /// The own seat.
    pub seat: Seat,
    /// The current round, from 0.
    pub round: u16,
    /// All moves so far.
    pub history: Vec<Move>,
    /// What is maximised.
    pub objective: Objective,
    /// Which solver decides.
    pub variant: Variant,
    /// The seed of its random numbers.
    pub seed: u64,
}

impl Stated {
    /// Reads a document.
    ///
    /// # Errors
    /// The first field that is wrong: its path, what is wrong with it and what to do.
    pub fn read(text: &str) -> Result<Self, Failure> {
        Reader::read(&Field::root(&document(text)?))
    }
}

struct Reader {
    space: OutcomeSpace,
    price: Option<usize>,
    status_quo: Option<Offer>,
}

impl Reader {
    fn read(root: &Field<'_>) -> Result<Stated, Failure> {
        root.object(&[
            "seat",
            "rounds",
            "opener",
            "hazard",
            "discount",
            "issues",
            "status_quo",
            "own",
            "other",
            "families",
            "mandate",
            "guardrails",
            "history",
            "objective",
            "solver",
            "seed",
            "speech",
            "name",
        ])?;
        let seat = Seat::BOTH[root.needs("seat", "buyer or supplier: who is advised")?.one_of(&SEATS)?];
        let space = space(&root.needs("issues", "the list of issues")?)?;
        let price = space.role(IssueRole::Price);
        let mut reader = Self { space, price, status_quo: None };
        reader.status_quo = root.maybe("status_quo").map(|field| reader.offer(&field)).transpose()?;
        if reader.price.is_some() && reader.status_quo.is_none() {
            root.needs("status_quo", "the terms that worth is measured from")?;
        }
        let rounds = root.needs("rounds", "how many rounds there are at most")?.whole(1..=MOST_ROUNDS)? as u16;
        let opener =
            Seat::BOTH[root.needs("opener", "buyer or supplier: who moves first in a round")?.one_of(&SEATS)?];
        let hazard = root.maybe("hazard").map_or(Ok(0.0), |field| field.number(0.0..=0.99))?;
        let mut discount = [1.0; 2];
        if let Some(field) = root.maybe("discount") {
            field.object(&SEATS)?;
            for (entry, name) in discount.iter_mut().zip(SEATS) {
                *entry = field.maybe(name).map_or(Ok(1.0), |field| field.number(0.01..=1.0))?;
            }
        }
        let own = reader.own(&root.needs("own", "what the own side values")?, seat)?;
        let prior = match root.maybe("other") {
            Some(field) => reader.prior(&field, seat, &own)?,
            None => CommonPrior::Unknown,
        };
        let mandate = root.maybe("mandate").map_or(Ok(Mandate::default()), |field| reader.mandate(&field))?;
        if let Some(field) = root.maybe("mandate") {
            reader.leaves_something(&field, &mandate, &own, seat)?;
        }
        let guardrails = match root.maybe("guardrails") {
            Some(field) if field.value().is_string() => {
                field.one_of(&["usual"])?;
                Some(Caps::default())
            }
            Some(field) => Some(caps(&field)?),
            None => None,
        };
        let families = root.maybe("families").map_or(Ok(Vec::new()), |field| families(&field))?;
        let name = root.maybe("name").map_or(Ok("stated"), |field| field.text())?;
        let history =
            root.maybe("history").map_or(Ok(Vec::new()), |field| reader.history(&field, opener, rounds, seat))?;
        let round = history.len() / 2;
        let turn = if history.len().is_multiple_of(2) { opener } else { opener.other() };
        if turn != seat {
            let field = root.maybe("history").unwrap_or_else(|| root.clone());
            let problem = format!("after {} moves it is the {turn}'s turn", history.len());
            return Err(field.fault(problem, format!("advise in the {seat}'s turn: add or drop a move")));
        }
        if round >= usize::from(rounds) {
            let field = root.maybe("history").unwrap_or_else(|| root.clone());
            return Err(field.fault("the negotiation is over by then", "drop moves, or raise \"rounds\""));
        }
        if let (Some(deadline), Some(field)) = (own.deadline, root.maybe("own").and_then(|own| own.maybe("deadline")))
            && round >= usize::from(deadline)
        {
            let problem = format!("it leaves after round {deadline}, and this is round {}", round + 1);
            return Err(field.fault(problem, "drop moves, or raise it"));
        }
        let objective = root.maybe("objective").map_or(Ok(Objective::default()), |field| objective(&field))?;
        let ids = SOLVERS.map(Variant::id);
        let variant = root.maybe("solver").map_or(Ok(0), |field| field.one_of(&ids)).map(|place| SOLVERS[place])?;
        let seed = root.maybe("seed").map_or(Ok(0), |field| field.whole(0..=(1 << 53) - 1))? as u64;
        let speech = root.maybe("speech").map_or(Ok(false), |field| field.flag())?;
        let public = PublicScenario {
            name: name.into(),
            space: reader.space,
            status_quo: reader.status_quo,
            rounds,
            opener,
            phases: PhaseBounds::default(),
            guardrails,
            hazard,
            discount,
            prior,
            families: families.into(),
            speech,
        };
        Ok(Stated { public, own, mandate, seat, round: round as u16, history, objective, variant, seed })
    }

    fn issue(&self, field: &Field<'_>) -> Result<usize, Failure> {
        let name = field.text()?;
        let known: Vec<&str> = self.space.issues().iter().map(|issue| &*issue.name).collect();
        known.iter().position(|known| *known == name).ok_or_else(|| {
            field.fault(format!("there is no issue \"{name}\""), format!("give one of: {}", known.join(", ")))
        })
    }

    /// The issue that an item is about, which no item before it was.
    fn issue_once(&self, item: &Field<'_>, valued: &mut Vec<usize>) -> Result<usize, Failure> {
        let field = item.needs("issue", "the issue's name")?;
        let issue = self.issue(&field)?;
        if valued.contains(&issue) {
            return Err(field.fault("the issue was valued before", "value every issue once"));
        }
        valued.push(issue);
        Ok(issue)
    }

    /// Whether the mandate lets any package be offered: the own best one of its permitted values must pass.
    fn leaves_something(
        &self,
        field: &Field<'_>,
        mandate: &Mandate,
        own: &PartyType,
        seat: Seat,
    ) -> Result<(), Failure> {
        let best = own_best(&self.space, self.status_quo.as_ref(), own, mandate);
        let gain = own.gain(&best);
        match mandate.test_valued(&self.space, seat, &best, gain) {
            Ok(()) => Ok(()),
            Err(_) => {
                let problem = format!("it permits no package: the best that its values leave gains {gain:.2}");
                Err(field.fault(problem, "widen least_gain, price_limit or permitted"))
            }
        }
    }

    /// One value of an issue, in its own terms.
    fn value(&self, issue: usize, field: &Field<'_>) -> Result<u32, Failure> {
        let of = &self.space.issues()[issue];
        let value = match of.grid {
            Grid::Labels(_) => Value::Label(field.text()?.into()),
            Grid::Integers { .. } => Value::Integer(field.whole(i64::MIN..=i64::MAX)?),
            Grid::Money { .. } => Value::Money(money(field)?),
        };
        of.index_of(&value).ok_or_else(|| {
            let stated = field.value();
            field.fault(format!("{stated} is no value of {}", of.name), format!("give one of: {}", of.range_text()))
        })
    }

    /// A whole package.
    fn offer(&self, field: &Field<'_>) -> Result<Offer, Failure> {
        let names: Vec<&str> = self.space.issues().iter().map(|issue| &*issue.name).collect();
        field.object(&names)?;
        let mut indices = Vec::with_capacity(names.len());
        for (issue, name) in names.iter().enumerate() {
            indices.push(self.value(issue, &field.needs(name, "a value of every issue")?)?);
        }
        Ok(Offer::new(&indices))
    }

    fn own(&self, field: &Field<'_>, seat: Seat) -> Result<PartyType, Failure> {
        field.object(&["no_deal", "values", "deadline"])?;
        let mut utility = Utility::zero(&self.space);
        let mut financing = None;
        let mut valued = Vec::new();
        if let Some(values) = field.maybe("values") {
            for item in values.items()? {
                item.object(&["issue", "worth", "financing_rate", "amount_a_day"])?;
                let issue = self.issue_once(&item, &mut valued)?;
                item.only_one(&["worth", "financing_rate", "amount_a_day"])?;
                if Some(issue) == self.price {
                    return Err(item.fault("the price is worth itself", "value the other issues in money"));
                }
                if let Some(rate) = item.maybe("financing_rate") {
                    let per_year = rate.number(RATES)?;
                    financing = Some(self.financing(&item, issue, per_year)?);
                } else if let Some(amount) = item.maybe("amount_a_day") {
                    let amount = amount.number(-MOST..=MOST)?;
                    self.needs_days(&item, issue)?;
                    let of = &self.space.issues()[issue];
                    for (index, entry) in utility.table_mut(issue).iter_mut().enumerate() {
                        *entry = amount * of.number(index as u32).unwrap_or(0.0);
                    }
                } else {
                    self.worth(
                        &item.needs("worth", "worth by value, financing_rate or amount_a_day")?,
                        issue,
                        &mut utility,
                    )?;
                }
            }
        }
        let no_deal = field.maybe("no_deal").map_or(Ok(0.0), |field| field.number(-MOST..=MOST))?;
        let mut party = match (self.price, &self.status_quo) {
            (Some(price), Some(status_quo)) => {
                utility.set_price(&self.space, price, seat == Seat::Supplier, financing);
                utility.add_constant(-utility.of(status_quo));
                PartyType::of_money(utility, no_deal, status_quo)
            }
            _ => PartyType::of_tables(&self.space, utility, no_deal),
        };
        party.deadline = field
            .maybe("deadline")
            .map(|field| field.whole(1..=MOST_ROUNDS).map(|rounds| rounds as u16))
            .transpose()?;
        Ok(party)
    }

    fn needs_days(&self, item: &Field<'_>, issue: usize) -> Result<(), Failure> {
        if self.space.issues()[issue].role == IssueRole::PaymentDays {
            return Ok(());
        }
        Err(item.fault(
            "only payment days are valued so",
            "give the issue the role \"payment_days\", or give its worth by value",
        ))
    }

    fn financing(&self, item: &Field<'_>, payment: usize, per_year: f64) -> Result<RateFinancing, Failure> {
        self.needs_days(item, payment)?;
        if self.price.is_none() {
            return Err(item.fault("a rate is paid on a price", "add an issue with the role \"price\""));
        }
        let reference = self.status_quo.as_ref().map_or(0, |offer| offer.get(payment));
        let reference_days = self.space.issues()[payment].number(reference).unwrap_or(0.0);
        Ok(RateFinancing { payment, per_year, reference_days })
    }

    /// Worth by value: an object of labels and numbers, or a list of one number a value.
    fn worth(&self, field: &Field<'_>, issue: usize, utility: &mut Utility) -> Result<(), Failure> {
        let of = &self.space.issues()[issue];
        if field.value().is_array() {
            let items = field.items()?;
            if items.len() != of.len() as usize {
                let problem = format!("{} numbers for {} values", items.len(), of.len());
                return Err(field.fault(problem, "give one number a value"));
            }
            for (entry, item) in utility.table_mut(issue).iter_mut().zip(&items) {
                *entry = item.number(-MOST..=MOST)?;
            }
            return Ok(());
        }
        let known: Vec<String> = (0..of.len()).map(|index| plain(of, index)).collect();
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        field.object(&names)?;
        for (index, name) in names.iter().enumerate() {
            utility.table_mut(issue)[index] = field.needs(name, "the worth of every value")?.number(-MOST..=MOST)?;
        }
        Ok(())
    }

    fn prior(&self, field: &Field<'_>, seat: Seat, own: &PartyType) -> Result<CommonPrior, Failure> {
        field.object(&["no_deal", "values"])?;
        if self.price.is_none() {
            return Err(field.fault("a prior is stated in money", "leave it out where there is no price issue"));
        }
        let disagreement = field.needs("no_deal", "the distribution of its fallback")?.distribution(SHARES)?;
        let mut valuations = Vec::new();
        let mut valued = Vec::new();
        if let Some(values) = field.maybe("values") {
            for item in values.items()? {
                item.object(&["issue", "shape", "weight", "financing_rate"])?;
                let issue = self.issue_once(&item, &mut valued)?;
                if Some(issue) == self.price {
                    return Err(item.fault("the price is worth itself", "say what the other issues are worth"));
                }
                item.only_one(&["shape", "financing_rate"])?;
                item.only_one(&["weight", "financing_rate"])?;
                let (valuation, weight) = if let Some(rate) = item.maybe("financing_rate") {
                    self.needs_days(&item, issue)?;
                    (Valuation::FinancingRate, rate.distribution(RATES)?)
                } else {
                    let shape = item.needs("shape", "one number a value, or a financing_rate")?;
                    let numbers: Vec<f64> =
                        shape.items()?.iter().map(|item| item.number(SHARES)).collect::<Result<_, _>>()?;
                    if numbers.len() != self.space.issues()[issue].len() as usize {
                        let problem =
                            format!("{} numbers for {} values", numbers.len(), self.space.issues()[issue].len());
                        return Err(shape.fault(problem, "give one number a value"));
                    }
                    let weight =
                        item.needs("weight", "the distribution of the shape's weight")?.distribution(SHARES)?;
                    (Valuation::Shape(numbers.into()), weight)
                };
                valuations.push(ValuationPrior { issue, valuation, weight });
            }
        }
        let other = PartyPrior { disagreement, valuations };
        // What is known of the own side is its type: nobody asks for its prior.
        let own =
            PartyPrior { disagreement: zopa_envs::Distribution::Constant(own.disagreement), valuations: Vec::new() };
        let priors = if seat == Seat::Buyer { [own, other] } else { [other, own] };
        Ok(CommonPrior::Parties(std::sync::Arc::new(priors)))
    }

    fn mandate(&self, field: &Field<'_>) -> Result<Mandate, Failure> {
        field.object(&["least_gain", "price_limit", "permitted", "approval"])?;
        let mut mandate = Mandate::default();
        if let Some(least) = field.maybe("least_gain") {
            mandate.least_gain = Some(least.number(0.0..=MOST)?);
        }
        mandate.price_limit = field.maybe("price_limit").map(|field| money(&field)).transpose()?;
        if let Some(permitted) = field.maybe("permitted") {
            for (name, values) in permitted.named()? {
                let issue = self
                    .space
                    .issues()
                    .iter()
                    .position(|issue| *issue.name == *name)
                    .ok_or_else(|| values.fault("there is no such issue", "name an issue of \"issues\""))?;
                let mut flags = vec![false; self.space.issues()[issue].len() as usize];
                if values.items()?.is_empty() {
                    return Err(values.fault("it permits nothing", "give at least one value, or leave it out"));
                }
                for value in values.items()? {
                    flags[self.value(issue, &value)? as usize] = true;
                }
                mandate.permitted.push(PermittedValues { issue, values: flags.into() });
            }
        }
        if let Some(approval) = field.maybe("approval") {
            approval.object(&["price_beyond", "gain_below", "quantity_above"])?;
            if let Some(price) = approval.maybe("price_beyond") {
                mandate.approval.push(ApprovalRule::PriceBeyond(money(&price)?));
            }
            if let Some(gain) = approval.maybe("gain_below") {
                mandate.approval.push(ApprovalRule::GainBelow(gain.number(-MOST..=MOST)?));
            }
            if let Some(quantity) = approval.maybe("quantity_above") {
                mandate.approval.push(ApprovalRule::QuantityAbove(quantity.whole(0..=i64::MAX)?));
            }
        }
        Ok(mandate)
    }

    fn history(&self, field: &Field<'_>, opener: Seat, rounds: u16, advised: Seat) -> Result<Vec<Move>, Failure> {
        let mut history: Vec<Move> = Vec::new();
        for (place, item) in field.items()?.iter().enumerate() {
            item.object(&["by", "offer", "pass", "final", "message"])?;
            let turn = if place % 2 == 0 { opener } else { opener.other() };
            let by = item.needs("by", "buyer or supplier")?;
            let seat = Seat::BOTH[by.one_of(&SEATS)?];
            if seat != turn {
                return Err(by.fault(format!("it is the {turn}'s turn"), "sides take turns from the opener on"));
            }
            let passes = item.maybe("pass").map_or(Ok(false), |field| field.flag())?;
            let is_final = item.maybe("final").map_or(Ok(false), |field| field.flag())?;
            if passes && let Some(field) = item.maybe("final").filter(|_| is_final) {
                return Err(field.fault("a pass is not final", "give an \"offer\", or leave it out"));
            }
            let act = match item.maybe("offer") {
                Some(stated) if !passes => {
                    let offer = self.offer(&stated)?;
                    let differs = |(_, last): &(usize, &Offer)| **last != offer;
                    if let Some((at, _)) = declared_final(&history, advised).filter(|_| seat == advised).filter(differs)
                    {
                        let problem = format!("it departs from the offer of history[{at}], which was final");
                        return Err(stated.fault(problem, "repeat that offer or pass, or leave out \"final\" there"));
                    }
                    Act::Offer { offer, is_final }
                }
                None if passes => Act::Pass,
                _ => {
                    return Err(item.fault("it is neither an offer nor a pass", "give an \"offer\", or \"pass\": true"));
                }
            };
            let message = item.maybe("message").map(|field| field.text().map(Message::new)).transpose()?;
            let round = (place / 2).min(usize::from(rounds)) as u16;
            history.push(Move { seat, round, act, message });
        }
        Ok(history)
    }
}

/// The document's value.
fn document(text: &str) -> Result<Json, Failure> {
    strict_json::parse(text).map_err(|fault| {
        Failure::Input(match fault {
            Fault::Repeated(repeated, _) => format!("{}: it is given twice: give it once", repeated.path),
            Fault::Syntax(fault) => {
                format!("line {}, column {}: this is no JSON: {fault}", fault.line(), fault.column())
            }
        })
    })
}

/// The last offer that `seat` declared final, with its place.
pub(super) fn declared_final(history: &[Move], seat: Seat) -> Option<(usize, &Offer)> {
    history.iter().enumerate().rev().find_map(|(place, made)| match &made.act {
        Act::Offer { offer, is_final: true } if made.seat == seat => Some((place, offer)),
        _ => None,
    })
}

/// A value as JSON names it: without unit or currency.
pub(super) fn plain(issue: &Issue, index: u32) -> String {
    match issue.value(index) {
        Value::Label(label) => label.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Money(money) => format!("{}", money.as_major()),
    }
}

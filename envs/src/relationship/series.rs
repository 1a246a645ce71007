//! A series of contracts as it is played.

use super::attitude::adapt;
use super::delivery::{Chances, Delivery};
use super::horizon::Horizon;
use super::outcome::{ContractResult, CustomerValue, RelationshipOutcome, SeriesEnd, add_conduct};
use super::regard::{Experience, Regard};
use super::{MOST_CONTRACTS, RelationshipRules};
use crate::attainable::Attainable;
use crate::conduct::Conduct;
use crate::event::{Ending, Event, Outcome};
use crate::negotiation::Negotiation;
use crate::party::Seat;
use crate::phase::progress;
use crate::random::LazyStream;
use crate::scenario::Scenario;
use crate::score::EpisodeScores;
use std::sync::Arc;

/// What a scenario source says of the series that an episode is.
#[derive(Clone, Debug)]
pub struct SeriesPlan {
    /// The rules between contracts.
    pub rules: Arc<RelationshipRules>,
    /// How many contracts there are at most, from 1 to [`MOST_CONTRACTS`].
    pub contracts: u16,
    /// The random numbers of deliveries: the same for every contender and both seats.
    pub chances: LazyStream,
}

/// A contract as both sides remember it.
#[derive(Clone, Debug, PartialEq)]
pub struct PastContract {
    /// How its negotiation ended, with the deal; the grids are the same in all contracts of a series.
    pub outcome: Outcome,
    /// How it was delivered; `None` without a deal.
    pub delivery: Option<Delivery>,
}

/// What both sides know of their relationship when they negotiate a contract.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicRelationship {
    /// The rules between contracts.
    pub rules: Arc<RelationshipRules>,
    /// How many contracts there are at most.
    pub contracts: u16,
    /// The number of the current one, from 0.
    pub contract: u16,
    /// The contracts before it, oldest first.
    pub past: Vec<PastContract>,
}

impl PublicRelationship {
    /// Whether another contract may follow the current one.
    #[must_use]
    pub fn contract_follows(&self) -> bool {
        self.contract + 1 < self.contracts
    }
}

/// A series in progress: what stands between its negotiations.
///
/// Ask for [`Self::negotiation`], play it to its end, hand it to [`Self::conclude`]; again until there is none.
#[derive(Clone, Debug)]
pub struct Series {
    contracts: Vec<Scenario>,
    chances: Vec<Chances>,
    public: PublicRelationship,
    regard: [Regard; 2],
    results: Vec<ContractResult>,
    value: CustomerValue,
    scores: Vec<EpisodeScores>,
    attainable: Vec<Option<Attainable>>,
    events: Vec<Event>,
    end: Option<SeriesEnd>,
    scored: bool,
}

impl Series {
    /// A series that has not begun, of the contracts that its source drew; more than the plan names, or than
    /// [`MOST_CONTRACTS`], are left out.
    #[must_use]
    pub fn new(plan: SeriesPlan, contracts: Vec<Scenario>) -> Self {
        let mut series = Self::unscored(plan, contracts);
        series.scored = true;
        series.attainable = series.contracts.iter().map(Attainable::of).collect();
        series
    }

    /// As [`Self::new`], without logs, events and scores: for learners, who only want payoffs.
    #[must_use]
    pub fn unscored(mut plan: SeriesPlan, mut contracts: Vec<Scenario>) -> Self {
        contracts.truncate(usize::from(plan.contracts.min(MOST_CONTRACTS)));
        let stream = plan.chances.open();
        let chances = contracts.iter().map(|_| Chances::draw(stream)).collect();
        let initial = plan.rules.regard.initial();
        let public =
            PublicRelationship { rules: plan.rules, contracts: contracts.len() as u16, contract: 0, past: Vec::new() };
        Self {
            attainable: Vec::new(),
            end: contracts.is_empty().then_some(SeriesEnd::Completed),
            contracts,
            chances,
            public,
            regard: [initial; 2],
            results: Vec::new(),
            value: CustomerValue::default(),
            scores: Vec::new(),
            events: Vec::new(),
            scored: false,
        }
    }

    /// The next contract's negotiation, logged where the series is scored, its counterpart moved by what it thinks of the agent; `None` once the series has
    /// ended. `bound` says which seats authority binds.
    #[must_use]
    pub fn negotiation(&self, bound: [bool; 2]) -> Option<Negotiation> {
        if self.end.is_some() {
            return None;
        }
        let mut scenario = self.contracts.get(usize::from(self.public.contract))?.clone();
        let other = scenario.seat.other();
        if let Some(counterpart) = &mut scenario.counterpart {
            let rules = &self.public.rules.regard;
            adapt(&mut counterpart.policy, rules, self.regard[other.index()], self.public.contract_follows());
        }
        let negotiation = Negotiation::new(scenario, bound).within(Arc::new(self.public.clone()));
        Some(if self.scored { negotiation.logged() } else { negotiation })
    }

    /// Takes the current contract's negotiation after its end: draws the delivery, pays both sides and updates regard. Does
    /// nothing and gives `None` where the negotiation still goes on or the series has ended.
    pub fn conclude(&mut self, negotiation: &Negotiation) -> Option<&ContractResult> {
        let outcome = negotiation.outcome().filter(|_| self.end.is_none())?.clone();
        let number = usize::from(self.public.contract);
        let chances = *self.chances.get(number)?;
        let scenario = negotiation.scenario();
        let rules = self.public.rules.clone();
        let scale = scale(scenario);
        let deal = outcome.agreement();
        let gains = deal.map(|deal| [0, 1].map(|seat| scenario.types[seat].gain(deal)));
        let t = progress(outcome.round, scenario.public.rounds);
        let margin = gains.map(|gains| gains[Seat::Supplier.index()] / scale);
        let delivery = margin.map(|margin| rules.delivery.deliver(margin, chances));

        let mut value = CustomerValue::default();
        let mut supplier = 0.0;
        if let (Some(deal), Some(margin), Some(gains), Some(delivery)) = (deal, margin, gains, delivery) {
            if delivery == Delivery::Failed {
                value.disruption = -scale * rules.delivery.failure_cost;
            } else {
                let late = if delivery == Delivery::Late { rules.delivery.late_cost } else { 0.0 };
                value = CustomerValue::of_deal(scenario, deal, scenario.public.discount_at(Seat::Buyer, t));
                value.quality = -scale * rules.delivery.quality_loss(margin);
                value.disruption = -scale * late;
                supplier = gains[1] * scenario.public.discount_at(Seat::Supplier, t);
            }
        }
        for seat in Seat::BOTH {
            let experience = Experience {
                margin: gains.map(|gains| gains[seat.index()] / scale),
                delivery: delivery.filter(|_| seat == Seat::Buyer),
                left: outcome.ending == Ending::WalkedAway { by: seat.other() },
                broken_finals: negotiation.conduct(seat.other()).broken_finals,
            };
            self.regard[seat.index()] = rules.regard.after(self.regard[seat.index()], experience);
        }
        if self.scored {
            let attainable = self.attainable[number].as_ref();
            self.scores.push(EpisodeScores::of(scenario, attainable, negotiation.log(), &outcome));
            let contract = self.public.contract;
            self.events.extend(negotiation.log().iter().map(|event| Event { contract, ..event.clone() }));
        }
        self.value.add(&value);
        self.results.push(ContractResult { margin, delivery, values: [value.total(), supplier] });
        self.end = match delivery {
            Some(Delivery::Failed) => Some(SeriesEnd::SupplierFailed),
            _ if !self.public.contract_follows() => Some(SeriesEnd::Completed),
            None if chances.contact < rules.regard.contact_lost => Some(SeriesEnd::ContactLost),
            _ => None,
        };
        self.public.past.push(PastContract { outcome, delivery });
        if self.end.is_none() {
            self.public.contract += 1;
        }
        self.results.last()
    }

    /// What both sides know now.
    #[must_use]
    pub fn public(&self) -> &PublicRelationship {
        &self.public
    }

    /// What each side thinks of the other, buyer first: for scorers only.
    #[must_use]
    pub fn regard(&self) -> [Regard; 2] {
        self.regard
    }

    /// All contracts as drawn, played or not, before regard moved their counterparts.
    #[must_use]
    pub fn contracts(&self) -> &[Scenario] {
        &self.contracts
    }

    /// Why the series ended; `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<SeriesEnd> {
        self.end
    }

    /// The contracts so far: for scorers only.
    #[must_use]
    pub fn results(&self) -> &[ContractResult] {
        &self.results
    }

    /// Every event of every contract so far, with the contract's number.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How the last contract that was negotiated ended.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.public.past.last().map(|past| &past.outcome)
    }

    /// The scores of the whole series once it has ended; `None` before, and where it is an unscored one.
    ///
    /// Gains are payoffs after delivery, summed over contracts, and the best gain is the horizon's ceiling for the agent's seat;
    /// `scale` is the status quo's price times the number of contracts, so that shares are shares of all that could be bought. A
    /// deal counts where at least one contract was agreed, feasible where at least one contract was. Products and distances
    /// are means over contracts; savings, rounds and conduct are sums.
    #[must_use]
    pub fn scores(&self) -> Option<EpisodeScores> {
        let end = self.end?;
        let first = self.scores.first()?;
        let seat = self.contracts.first()?.seat;
        let horizon = Horizon::of(&self.public.rules, &self.contracts);
        let own: f64 = self.results.iter().map(|result| result.values[seat.index()]).sum();
        let other: f64 = self.results.iter().map(|result| result.values[seat.other().index()]).sum();
        let mut conduct = Conduct::default();
        self.scores.iter().for_each(|scores| add_conduct(&mut conduct, &scores.conduct));
        let mean = |of: fn(&EpisodeScores) -> Option<f64>| {
            let found: Vec<f64> = self.scores.iter().filter_map(of).collect();
            (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
        };
        let sum = |of: fn(&EpisodeScores) -> Option<f64>| {
            let mut found = self.scores.iter().filter_map(of).peekable();
            found.peek().is_some().then(|| found.sum())
        };
        let known = self.attainable.iter().flatten();
        let ceilings = horizon.map(|horizon| (horizon.own, horizon.customer));
        Some(EpisodeScores {
            agreement: self.scores.iter().any(|scores| scores.agreement),
            feasible: first.feasible.map(|_| known.clone().any(|found| found.feasible)),
            gain: own,
            counterpart_gain: other,
            best_gain: ceilings.map(|(own, _)| own),
            scale: first.scale * self.contracts.len() as f64,
            joint_gain: own + other,
            best_joint: first.best_joint.map(|_| known.map(|found| found.best_joint).sum()),
            nash_product: mean(|scores| scores.nash_product),
            nash_distance: mean(|scores| scores.nash_distance),
            savings_against_status_quo: sum(|scores| scores.savings_against_status_quo),
            savings_against_opening: sum(|scores| scores.savings_against_opening),
            rounds: self.scores.iter().map(|scores| scores.rounds).fold(0, u16::saturating_add),
            conduct,
            total_value: Some(self.value.total()),
            relationship: Some(Box::new(RelationshipOutcome {
                contracts: self.contracts.len() as u16,
                end,
                value: self.value,
                ceiling: ceilings.map(|(own, _)| own),
                customer_ceiling: ceilings.map(|(_, customer)| customer),
                regard: self.regard[seat.other().index()],
                results: self.results.clone(),
            })),
            beliefs: None,
            reading: None,
        })
    }
}

/// The status quo's price, which margins and costs are shares of; the supplier's yardstick where there is no price.
pub(super) fn scale(scenario: &Scenario) -> f64 {
    scenario.public.status_quo_price().unwrap_or(scenario.types[Seat::Supplier.index()].yardstick)
}

//! What a series of contracts came to.

use super::delivery::Delivery;
use super::regard::Regard;
use crate::conduct::Conduct;
use crate::digest::{Canonical, Hasher};
use crate::issue::IssueRole;
use crate::outcome::Offer;
use crate::party::Seat;
use crate::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// Why a series ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeriesEnd {
    /// All contracts were negotiated.
    Completed,
    /// The supplier failed.
    SupplierFailed,
    /// A contract without a deal ended the relationship.
    ContactLost,
}

/// Where customer value comes from, in major units; the sum is the buyer's payoff.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CustomerValue {
    /// The price, against the status quo's.
    pub price: f64,
    /// When it is paid, against the status quo's days.
    pub financing: f64,
    /// All other terms, against the status quo's.
    pub terms: f64,
    /// The alternative that a deal gives up: minus the disagreement value.
    pub alternative: f64,
    /// What wanting quality costs; at most 0.
    pub quality: f64,
    /// What late and failed deliveries cost; at most 0.
    pub disruption: f64,
}

impl CustomerValue {
    /// The parts of the buyer's gain from `deal`, changed over from the status quo in the order price, payment days, the rest,
    /// each discounted by `discount`. Without a status quo all of it counts as terms.
    #[must_use]
    pub fn of_deal(scenario: &Scenario, deal: &Offer, discount: f64) -> Self {
        let buyer = &scenario.types[Seat::Buyer.index()];
        let mut value = Self { alternative: -discount * buyer.disagreement, ..Self::default() };
        let Some(mut at) = scenario.public.status_quo.clone() else {
            value.terms = discount * buyer.utility.of(deal);
            return value;
        };
        let mut reached = buyer.utility.of(&at);
        value.terms = discount * reached;
        for (role, part) in [(IssueRole::Price, &mut value.price), (IssueRole::PaymentDays, &mut value.financing)] {
            if let Some(issue) = scenario.public.space.role(role) {
                at.set(issue, deal.get(issue));
                let now = buyer.utility.of(&at);
                *part = discount * (now - reached);
                reached = now;
            }
        }
        value.terms += discount * (buyer.utility.of(deal) - reached);
        value
    }

    /// The sum.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.price + self.financing + self.terms + self.alternative + self.quality + self.disruption
    }

    /// Adds another contract's.
    pub fn add(&mut self, other: &Self) {
        self.price += other.price;
        self.financing += other.financing;
        self.terms += other.terms;
        self.alternative += other.alternative;
        self.quality += other.quality;
        self.disruption += other.disruption;
    }
}

/// What one contract came to: for scorers, since it holds private margins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContractResult {
    /// The supplier's undiscounted gain of the deal as a share of the status quo's price; `None` without a deal.
    pub margin: Option<f64>,
    /// How it was delivered; `None` without a deal.
    pub delivery: Option<Delivery>,
    /// Payoffs, buyer first, in major units.
    pub values: [f64; 2],
}

/// What a series came to, for the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationshipOutcome {
    /// Contracts that could be made.
    pub contracts: u16,
    /// Why it ended.
    pub end: SeriesEnd,
    /// Where the total customer value came from.
    pub value: CustomerValue,
    /// What the agent's seat could expect at most, in major units ([`super::Horizon::own`]); `None` where it is not computed.
    pub ceiling: Option<f64>,
    /// What the buyer could expect at most, were the supplier to take whatever leaves it no loss ([`super::Horizon::customer`]).
    pub customer_ceiling: Option<f64>,
    /// What the other side thinks of the agent in the end.
    pub regard: Regard,
    /// The contracts that were negotiated.
    pub results: Vec<ContractResult>,
}

impl Canonical for RelationshipOutcome {
    fn feed(&self, hasher: &mut Hasher) {
        // Taken apart in full, so that a new field cannot be forgotten here.
        let Self { contracts, end, value, ceiling, customer_ceiling, regard, results } = self;
        let CustomerValue { price, financing, terms, alternative, quality, disruption } = value;
        contracts.feed(hasher);
        (*end as u8).feed(hasher);
        [*price, *financing, *terms, *alternative, *quality, *disruption].as_slice().feed(hasher);
        ceiling.feed(hasher);
        customer_ceiling.feed(hasher);
        [regard.trust, regard.rapport].as_slice().feed(hasher);
        (results.len() as u64).feed(hasher);
        for ContractResult { margin, delivery, values } in results {
            margin.feed(hasher);
            delivery.map(|delivery| delivery as u8).feed(hasher);
            values.as_slice().feed(hasher);
        }
    }
}

impl RelationshipOutcome {
    /// Contracts with a deal.
    #[must_use]
    pub fn deals(&self) -> usize {
        self.results.iter().filter(|result| result.margin.is_some()).count()
    }

    /// Contracts that were delivered in this way.
    #[must_use]
    pub fn delivered(&self, delivery: Delivery) -> usize {
        self.results.iter().filter(|result| result.delivery == Some(delivery)).count()
    }
}

/// Adds the counts of another contract.
pub(super) fn add_conduct(sum: &mut Conduct, other: &Conduct) {
    // Taken apart in full, so that a new count cannot be forgotten here.
    let Conduct {
        attempts,
        offers,
        passes,
        structural,
        concession_rate,
        floor,
        phase,
        corrected,
        refused,
        fallbacks,
        loss_attempted,
        broken_finals,
        final_offer,
        escalations,
        approvals,
        denials,
        interventions,
        ignored,
        left_standing,
        forfeits,
        unauthorised,
        mismatches,
        contradictions,
        false_statements,
        false_statements_caught,
        withheld,
        commitments_kept,
        commitments_broken,
    } = other;
    sum.attempts += attempts;
    sum.offers += offers;
    sum.passes += passes;
    sum.structural += structural;
    sum.concession_rate += concession_rate;
    sum.floor += floor;
    sum.phase += phase;
    sum.corrected += corrected;
    sum.refused += refused;
    sum.fallbacks += fallbacks;
    sum.loss_attempted += loss_attempted;
    sum.broken_finals += broken_finals;
    sum.final_offer.clone_from(final_offer);
    sum.escalations += escalations;
    sum.approvals += approvals;
    sum.denials += denials;
    sum.interventions += interventions;
    sum.ignored += ignored;
    sum.left_standing += left_standing;
    sum.forfeits += forfeits;
    sum.unauthorised += unauthorised;
    sum.mismatches += mismatches;
    sum.contradictions += contradictions;
    sum.false_statements += false_statements;
    sum.false_statements_caught += false_statements_caught;
    sum.withheld += withheld;
    sum.commitments_kept += commitments_kept;
    sum.commitments_broken += commitments_broken;
}

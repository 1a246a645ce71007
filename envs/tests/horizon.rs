//! The horizon's ceiling, held against plain searches through every package of every contract.

mod scenes;

use scenes::{at, procurement};
use zopa_envs::relationship::{Delivery, DeliveryRules, Horizon, Regard, RegardRules, adapt, least_aspiration};
use zopa_envs::tactic::{Hardliner, Selection};
use zopa_envs::{Counterpart, PartyType, RelationshipRules, Scenario, Seat, StreamKey, Tactic};

/// The status quo's price P of the scene, in major units.
const PRICE: f64 = 100_000.0;

/// A tick of its price grid as a share of P.
const TICK: f64 = 10.0 / PRICE;

/// The gain from which a supplier is healthy and a deal is fair, as a share of P.
const HEALTHY: f64 = 0.04;

/// The steps in which the ceiling looks at the gain left to the other side, as a share of P, where that side asks for little.
const LEFT_STEP: f64 = HEALTHY / 50.0;

/// The steps in which it looks at the other side's trust.
const TRUST_STEP: f64 = 1.0 / 40.0;

/// The shipped suite's rules.
const RULES: RelationshipRules = RelationshipRules {
    delivery: DeliveryRules {
        healthy_margin: HEALTHY,
        late_squeezed: 0.4,
        late_healthy: 0.05,
        failure_squeezed: 0.15,
        late_cost: 0.02,
        failure_cost: 0.05,
        quality_cost: 0.005,
    },
    regard: RegardRules {
        initial_trust: 0.5,
        initial_rapport: 0.5,
        trust_rate: 0.4,
        rapport_rate: 0.3,
        fair_margin: HEALTHY,
        late_evidence: 0.5,
        demand_spread: 0.5,
        concession_spread: 0.4,
        foresight: 0.5,
        contact_lost: 0.25,
    },
};

/// The rules with a supplier that always delivers as promised.
fn sure_delivery() -> RelationshipRules {
    let delivery = DeliveryRules {
        late_squeezed: 0.0,
        late_healthy: 0.0,
        failure_squeezed: 0.0,
        quality_cost: 0.0,
        ..RULES.delivery
    };
    RelationshipRules { delivery, ..RULES }
}

/// A contract with these disagreement values, buyer first, against a counterpart that takes `demand` of its yardstick and no less.
fn contract(seat: Seat, disagreements: [f64; 2], demand: f64) -> Scenario {
    let mut scenario = Scenario { seat, ..procurement(20, Seat::Buyer) };
    for (party, disagreement) in scenario.types.iter_mut().zip(disagreements) {
        *party = PartyType::of_money(party.utility.clone(), disagreement, &at(100_000, 60));
    }
    let tactic = Tactic::Hardliner(Hardliner { demand, selection: Selection::TakeOver });
    scenario.counterpart = Some(Counterpart::new("hardliner".into(), tactic, StreamKey::new("test", &[]).lazy(0)));
    scenario
}

/// Two contracts between which both disagreement values have moved.
fn two_contracts(seat: Seat, demand: f64) -> [Scenario; 2] {
    [[-4_000.0, -8_000.0], [-5_200.0, -6_900.0]].map(|disagreements| contract(seat, disagreements, demand))
}

/// Which ceiling is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ceiling {
    Own,
    Customer,
}

/// What the ceiling's grids give the agent beyond the rules, at most.
#[derive(Clone, Copy)]
struct Favour {
    /// Added to the gain left to the other side, as a share of P.
    left: f64,
    /// Added to its trust after a contract.
    trust: f64,
}

const NO_FAVOUR: Favour = Favour { left: 0.0, trust: 0.0 };

/// One step of each grid; prices between two ticks are one more. Where the other side may ask for more than what is healthy, the steps
/// of the gain left to it reach as far as that.
fn largest_favour(contracts: &[Scenario], ceiling: Ceiling) -> Favour {
    let asked = |contract: &Scenario| {
        let party = &contract.types[contract.seat.other().index()];
        least_aspiration(&contract.counterpart.as_ref().unwrap().policy) * party.yardstick / PRICE
    };
    let asked = contracts.iter().filter(|_| ceiling == Ceiling::Own).map(asked);
    let most = asked.map(|least| least * (1.0 + RULES.regard.demand_spread)).fold(HEALTHY, f64::max);
    Favour { left: LEFT_STEP * most / HEALTHY + TICK, trust: TRUST_STEP }
}

/// The largest expected payoff of a seat that tries every package, by the rules of a series.
struct Search<'a> {
    rules: &'a RelationshipRules,
    contracts: &'a [Scenario],
    seat: Seat,
    ceiling: Ceiling,
    favour: Favour,
}

impl<'a> Search<'a> {
    fn new(rules: &'a RelationshipRules, contracts: &'a [Scenario], ceiling: Ceiling, favour: Favour) -> Self {
        let seat = if ceiling == Ceiling::Customer { Seat::Buyer } else { contracts[0].seat };
        Self { rules, contracts, seat, ceiling, favour }
    }

    /// Own gain and the other side's, favour included, of every package of a contract; the other side's as a share of P.
    fn packages(&self, contract: &Scenario) -> Vec<(f64, f64)> {
        let [own, other] = [self.seat, self.seat.other()].map(|seat| &contract.types[seat.index()]);
        let gains = |offer| (own.gain(&offer), other.gain(&offer) / PRICE + self.favour.left);
        contract.public.space.outcomes().map(gains).collect()
    }

    /// The least that the other side takes, as a share of P, as a series moves it.
    fn least(&self, contract: &Scenario, trust: f64, follows: bool) -> f64 {
        if self.ceiling == Ceiling::Customer {
            return 0.0;
        }
        let mut policy = contract.counterpart.as_ref().unwrap().policy.clone();
        adapt(&mut policy, &self.rules.regard, Regard { trust, rapport: 0.5 }, follows);
        least_aspiration(&policy) * contract.types[self.seat.other().index()].yardstick / PRICE
    }

    /// What a package is expected to pay, where `next` is what the contracts after it pay by trust.
    fn payoff(&self, (own, left): (f64, f64), trust: f64, next: &impl Fn(f64) -> f64) -> f64 {
        let RelationshipRules { delivery, regard } = self.rules;
        let margin = if self.seat == Seat::Buyer { left } else { own / PRICE };
        let (fails, late) = (delivery.failure_chance(margin), delivery.late_chance(margin));
        let deliveries = [
            (Delivery::Failed, fails),
            (Delivery::Late, (1.0 - fails) * late),
            (Delivery::OnTime, (1.0 - fails) * (1.0 - late)),
        ];
        let paid = |how| match (self.seat, how) {
            (Seat::Buyer, Delivery::Failed) => -PRICE * delivery.failure_cost,
            (Seat::Buyer, Delivery::Late) => own - PRICE * (delivery.quality_loss(margin) + delivery.late_cost),
            (Seat::Buyer, Delivery::OnTime) => own - PRICE * delivery.quality_loss(margin),
            (Seat::Supplier, Delivery::Failed) => 0.0,
            (Seat::Supplier, _) => own,
        };
        let then = |how| {
            // Only a buyer sees deliveries, and nothing follows a failure.
            let seen = (self.seat == Seat::Supplier).then_some(how);
            let after = regard.trust_after(trust, regard.evidence(left, seen)) + self.favour.trust;
            if how == Delivery::Failed { 0.0 } else { next(after.min(1.0)) }
        };
        deliveries.into_iter().map(|(how, chance)| chance * (paid(how) + then(how))).sum()
    }

    /// The largest payoff in a last contract, by trust.
    fn last(&self, contract: &'a Scenario) -> impl Fn(f64) -> f64 {
        let of = |package: (f64, f64)| (package.1, self.payoff(package, 0.0, &|_| 0.0));
        let mut best: Vec<(f64, f64)> = self.packages(contract).into_iter().map(of).collect();
        best.sort_by(|a, b| b.0.total_cmp(&a.0));
        // From the package that leaves most: the best that leaves at least as much.
        let mut highest = f64::NEG_INFINITY;
        for (_, payoff) in &mut best {
            highest = payoff.max(highest);
            *payoff = highest;
        }
        move |trust| {
            let least = self.least(contract, trust, false);
            let enough = best.partition_point(|&(left, _)| left >= least);
            enough.checked_sub(1).map_or(0.0, |place| best[place].1.max(0.0))
        }
    }

    /// The largest payoff over one or two contracts.
    fn best(&self) -> f64 {
        let trust = self.rules.regard.initial_trust;
        match self.contracts {
            [only] => self.last(only)(trust),
            [first, second] => {
                let next = self.last(second);
                let least = self.least(first, trust, true);
                let without = (1.0 - self.rules.regard.contact_lost) * next(trust);
                let packages = self.packages(first).into_iter().filter(|(_, left)| *left >= least);
                packages.map(|package| self.payoff(package, trust, &next)).fold(without, f64::max)
            }
            _ => panic!("a search goes through one or two contracts"),
        }
    }
}

/// Both ceilings of both seats: the contracts that a seat meets, and what is searched for in them.
fn ceilings(contracts: impl Fn(Seat) -> Vec<Scenario>) -> Vec<(Vec<Scenario>, Ceiling)> {
    let cases = [(Seat::Buyer, Ceiling::Own), (Seat::Supplier, Ceiling::Own), (Seat::Supplier, Ceiling::Customer)];
    cases.into_iter().map(|(seat, ceiling)| (contracts(seat), ceiling)).collect()
}

fn ceiling_of(rules: &RelationshipRules, contracts: &[Scenario], ceiling: Ceiling) -> f64 {
    let horizon = Horizon::of(rules, contracts).unwrap();
    if ceiling == Ceiling::Own { horizon.own } else { horizon.customer }
}

/// The ceiling must lie between the best by the rules and the best with every favour, and these within `share` of each other.
fn check(rules: &RelationshipRules, contracts: &[Scenario], ceiling: Ceiling, share: f64) {
    let [least, most] = [NO_FAVOUR, largest_favour(contracts, ceiling)]
        .map(|favour| Search::new(rules, contracts, ceiling, favour).best());
    let found = ceiling_of(rules, contracts, ceiling);
    let told = format!("{ceiling:?} for the {}: {least:.2} <= {found:.2} <= {most:.2}", contracts[0].seat);
    println!("{told}");
    assert!(least <= found + 1e-6 && found <= most + 1e-6, "{told}");
    assert!(most <= (1.0 + share) * least, "{told}: too wide to say anything");
}

#[test]
fn with_one_contract_the_ceiling_is_the_best_gain_at_the_other_sides_least_acceptance() {
    for (seat, yardstick) in [(Seat::Buyer, 92_000.0), (Seat::Supplier, 104_000.0)] {
        // A hair above the tenth step, so that the ceiling's grid gives nothing away.
        let demand = 10.0 * LEFT_STEP * PRICE / yardstick + 1e-12;
        let contracts = [contract(seat, [-4_000.0, -8_000.0], demand)];
        let rules = sure_delivery();
        let found = ceiling_of(&rules, &contracts, Ceiling::Own);
        // $12,900 are there at 0 days: the parties are $12,000 apart at 60, and paying then is worth $1,500 and costs $600.
        assert!((found - (12_900.0 - 800.0)).abs() < 1e-6, "{seat}: {found}");
        let customer = ceiling_of(&rules, &contracts, Ceiling::Customer);
        assert!((customer - 12_900.0).abs() < 1e-6, "{customer}");
        for (ceiling, found) in [(Ceiling::Own, found), (Ceiling::Customer, customer)] {
            // The demand's hair costs a search that looks at ticks one of them.
            let searched = Search::new(&rules, &contracts, ceiling, NO_FAVOUR).best();
            assert!(
                (found - searched).abs() < TICK * PRICE + 1e-6,
                "{seat}, {ceiling:?}: {found}, searched {searched}"
            );
        }
    }
}

#[test]
fn with_one_contract_the_ceiling_weighs_a_margin_against_what_deliveries_cost() {
    for (contracts, ceiling) in ceilings(|seat| vec![contract(seat, [-4_000.0, -8_000.0], 0.005)]) {
        check(&RULES, &contracts, ceiling, 0.01);
    }
}

#[test]
fn with_two_contracts_the_ceiling_is_what_a_search_through_both_finds() {
    // The last asks for more than what is healthy, so that the buyer too gains by trust; the ceiling's steps are wider there.
    for (demand, share) in [(0.005, 0.015), (0.02, 0.015), (0.06, 0.04)] {
        for (contracts, ceiling) in ceilings(|seat| two_contracts(seat, demand).into()) {
            check(&RULES, &contracts, ceiling, share);
        }
    }
}

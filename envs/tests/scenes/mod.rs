//! Small scenarios that several integration tests play.

use zopa_envs::{
    Caps, CommonPrior, Grid, Issue, IssueRole, Mandate, Money, Offer, OutcomeSpace, PartyType, PhaseBounds,
    PublicScenario, Scenario, Seat, Utility,
};

/// Price from $60,000 to $140,000 by $10 and payment from 0 to 90 days by 10. The status quo is $100,000 at 60 days; the buyer
/// would pay up to $104,000, the supplier take no less than $92,000; a day earlier costs the buyer $10 and is worth $25.
pub(crate) fn procurement(rounds: u16, opener: Seat) -> Scenario {
    let price = Grid::Money { floor: Money::major(60_000), tick: Money::major(10), count: 8_001 };
    let days = Grid::Integers { first: 0, step: 10, count: 10 };
    let space = OutcomeSpace::new(vec![
        Issue { name: "price".into(), role: IssueRole::Price, unit: "".into(), grid: price },
        Issue { name: "payment".into(), role: IssueRole::PaymentDays, unit: "days".into(), grid: days },
    ])
    .expect("names differ and every grid has values");
    let status_quo = Offer::new(&[4_000, 6]);
    let party = |seat: Seat, disagreement: f64, a_day: f64| {
        let mut utility = Utility::zero(&space);
        for (index, entry) in utility.table_mut(1).iter_mut().enumerate() {
            *entry = a_day * (60.0 - 10.0 * index as f64);
        }
        utility.set_price(&space, 0, seat == Seat::Supplier, None);
        utility.add_constant(-utility.of(&status_quo));
        PartyType::of_money(utility, disagreement, &status_quo)
    };
    Scenario {
        types: [party(Seat::Buyer, -4_000.0, -10.0), party(Seat::Supplier, -8_000.0, 25.0)],
        public: PublicScenario {
            name: "scene".into(),
            space,
            status_quo: Some(status_quo),
            rounds,
            opener,
            phases: PhaseBounds::default(),
            guardrails: Some(Caps::default()),
            hazard: 0.0,
            discount: [1.0, 1.0],
            prior: CommonPrior::Unknown,
            families: [].into(),
            speech: false,
        },
        mandates: [Mandate::default(), Mandate::default()],
        principals: Default::default(),
        seat: Seat::Buyer,
        counterpart: None,
        break_off: None,
    }
}

/// An offer of `procurement`.
pub(crate) fn at(price: i64, days: u32) -> Offer {
    Offer::new(&[((price - 60_000) / 10) as u32, days / 10])
}

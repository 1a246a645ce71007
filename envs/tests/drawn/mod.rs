//! A seeded source of procurement scenarios for the environment's tests and benchmarks: everything that the rules know is
//! on, and everything that a suite draws is drawn.

use zopa_envs::tactic::{Selection, TimeDependent};
use zopa_envs::{
    Caps, CommonPrior, Counterpart, Distribution, Grid, Issue, IssueRole, Mandate, Money, Offer, OutcomeSpace,
    PartyPrior, PartyType, PhaseBounds, PublicScenario, Scenario, ScenarioSource, Seat, StreamKey, Tactic, Utility,
    Valuation, ValuationPrior,
};

/// Price ticks below and above the status quo's price.
const HALF_GRID: u32 = 4_000;

/// Scenarios with a price, payment days and up to three more issues; price level, both types, who opens, deadline, break-off
/// and counterpart are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    key: StreamKey,
    counterparts: StreamKey,
    template: Scenario,
    priors: std::sync::Arc<[PartyPrior; 2]>,
    /// Rounds at least and at most.
    pub(crate) rounds: [u16; 2],
}

fn prior(issues: usize, disagreement: (f64, f64), rate: (f64, f64), sign: f64) -> PartyPrior {
    let uniform = |(low, high)| Distribution::Uniform { low, high };
    let shapes: [&[f64]; 3] =
        [&[0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0], &[0.0, 0.4, 1.0], &[0.0, 0.3, 0.55, 0.75, 0.9, 1.0]];
    let payment = ValuationPrior { issue: 1, valuation: Valuation::FinancingRate, weight: uniform(rate) };
    let others = shapes[..issues - 2].iter().enumerate().map(|(position, shape)| ValuationPrior {
        issue: position + 2,
        valuation: Valuation::Shape(shape.iter().map(|share| sign * share).collect()),
        weight: uniform((0.005, 0.03)),
    });
    PartyPrior { disagreement: uniform(disagreement), valuations: std::iter::once(payment).chain(others).collect() }
}

impl Drawn {
    /// Scenarios of `issues` issues, two to five.
    pub(crate) fn new(seed: u64, issues: usize) -> Self {
        let names = ["price", "payment", "delivery", "warranty", "service"];
        let roles = [
            IssueRole::Price,
            IssueRole::PaymentDays,
            IssueRole::DeliveryDays,
            IssueRole::WarrantyMonths,
            IssueRole::ServiceLevel,
        ];
        let integers = |first, step, count| Grid::Integers { first, step, count };
        let grids = [
            Grid::Money { floor: Money::major(60_000), tick: Money::major(10), count: 2 * HALF_GRID + 1 },
            integers(0, 15, 7),
            integers(10, 5, 8),
            integers(12, 12, 3),
            integers(1, 1, 6),
        ];
        let issue = |position: usize| Issue {
            name: names[position].into(),
            role: roles[position],
            unit: "".into(),
            grid: grids[position].clone(),
        };
        let space = OutcomeSpace::new((0..issues).map(issue).collect()).expect("two to five named issues");
        let status_quo = Offer::new(&[HALF_GRID, 4, 4, 1, 2][..issues]);
        let priors = std::sync::Arc::new([
            prior(issues, (-0.12, 0.02), (0.03, 0.12), 1.0),
            prior(issues, (-0.15, 0.0), (0.05, 0.25), -1.0),
        ]);
        let party = PartyType::of_money(Utility::zero(&space), 0.0, &status_quo);
        let template = Scenario {
            types: [party.clone(), party],
            public: PublicScenario {
                name: "drawn".into(),
                space,
                status_quo: Some(status_quo),
                rounds: 20,
                opener: Seat::Buyer,
                phases: PhaseBounds::default(),
                guardrails: Some(Caps::default()),
                hazard: 0.01,
                discount: [0.95, 0.95],
                prior: CommonPrior::Parties(priors.clone()),
                families: [].into(),
                speech: false,
            },
            mandates: [Mandate::default(), Mandate::default()],
            principals: Default::default(),
            seat: Seat::Buyer,
            counterpart: Some(Counterpart::new(
                "time-dependent".into(),
                Tactic::TimeDependent(TimeDependent {
                    exponent: 1.0,
                    initial: 0.2,
                    last: 0.01,
                    selection: Selection::TakeOver,
                }),
                StreamKey::new("counterpart", &[]).lazy(0),
            )),
            break_off: None,
        };
        let key = StreamKey::new("scenario", &[&seed.to_le_bytes()]);
        Self { key, counterparts: key.with("counterpart", &[]), template, priors, rounds: [12, 24] }
    }
}

impl ScenarioSource for Drawn {
    fn scenario(&self, index: u64) -> Scenario {
        let mut scenario = self.template.clone();
        self.refill(index, &mut scenario);
        scenario
    }

    fn refill(&self, index: u64, scenario: &mut Scenario) {
        let mut stream = self.key.stream(index / 2);
        let Scenario { public, types, mandates, seat, counterpart, break_off, .. } = scenario;
        *seat = Seat::BOTH[(index % 2) as usize];
        // The price level: status quo between $50,000 and $200,000, grid of 0.01 % of it.
        let tick = Money(stream.below(1_501) as i64 + 500);
        let floor = Money(tick.0 * 6_000);
        public.space.move_grid(0, Grid::Money { floor, tick, count: 2 * HALF_GRID + 1 });
        public.opener = Seat::BOTH[stream.below(2) as usize];
        public.rounds = self.rounds[0] + stream.below(u64::from(self.rounds[1] - self.rounds[0]) + 1) as u16;
        if let Some(status_quo) = &public.status_quo {
            for (seat, party) in Seat::BOTH.into_iter().zip(types) {
                let prior = &self.priors[seat.index()];
                let parameters = prior.draw(&mut stream);
                prior.describe(&parameters, seat, &public.space, status_quo, party);
            }
        }
        for mandate in mandates {
            mandate.least_gain = Some(0.0);
            mandate.price_limit = None;
            mandate.permitted.clear();
        }
        let survives = libm::log(stream.open_uniform()) / libm::log1p(-public.hazard);
        *break_off = (survives < f64::from(public.rounds)).then_some(survives as u16);
        if let Some(counterpart) = counterpart {
            let exponent = [0.2, 0.5, 1.0, 2.0][stream.below(4) as usize];
            let (initial, last) = (stream.uniform_in(0.1, 0.25), stream.uniform_in(0.005, 0.03));
            let tactic = TimeDependent { exponent, initial, last, selection: Selection::TakeOver };
            *counterpart = Counterpart::new(
                counterpart.family.clone(),
                Tactic::TimeDependent(tactic),
                self.counterparts.lazy(index),
            );
        }
    }
}

//! A plain loop over the rules with the event log kept: what the environment's fast path is held against.

use zopa_envs::environment::{Choice, ObservationSpec};
use zopa_envs::{Negotiation, Reply, Ruling, Scenario, Seat, intent};

/// The agent's choice, then the counterpart until it is the agent's turn again.
pub(crate) struct Loop {
    pub(crate) game: Negotiation,
    pub(crate) seat: Seat,
}

impl Loop {
    pub(crate) fn start(scenario: Scenario) -> Self {
        let seat = scenario.seat;
        Self::of(Negotiation::new(scenario, [seat == Seat::Buyer, seat == Seat::Supplier]), seat)
    }

    /// Plays on what has just begun.
    pub(crate) fn of(game: Negotiation, seat: Seat) -> Self {
        let mut play = Self { game: game.logged(), seat };
        play.answer();
        play
    }

    fn answer(&mut self) {
        while self.game.outcome().is_none() && self.game.turn() != self.seat {
            let (counterpart, view) = self.game.counterpart().expect("drawn scenarios have one");
            let Reply { action, message } = counterpart.act(&view);
            self.game.submit(action, None, message);
        }
    }

    pub(crate) fn step(&mut self, choice: &Choice) -> Option<Ruling> {
        if self.game.outcome().is_some() {
            return None;
        }
        let ruling = match choice {
            Choice::Intent(intent) => {
                let action = intent::realise(*intent, &self.game.view(self.seat));
                self.game.submit(action, Some(*intent), None)
            }
            Choice::Act(action) => self.game.submit(action.clone(), None, None),
            Choice::Dialogue(act) => self.game.submit_decision(act.clone().decide(&self.game)),
        };
        self.answer();
        Some(ruling)
    }

    /// The reward `surplus`, computed apart from the environment.
    pub(crate) fn surplus(&self) -> f64 {
        let scenario = self.game.scenario();
        let outcome = self.game.outcome().expect("the game has ended");
        let Some(offer) = outcome.agreement() else { return 0.0 };
        let t = f64::from(outcome.round) / f64::from(scenario.public.rounds - 1);
        let discount = scenario.public.discount_at(self.seat, t);
        let gain = scenario.types[self.seat.index()].gain(offer) * discount;
        gain / scenario.public.status_quo_price().unwrap_or(scenario.types[self.seat.index()].yardstick)
    }
}

pub(crate) fn observed(spec: &ObservationSpec, game: &Negotiation, seat: Seat) -> Vec<f32> {
    let mut observation = vec![0.0; spec.width()];
    spec.observe(&game.view(seat), &mut observation);
    observation
}

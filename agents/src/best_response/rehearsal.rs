//! Negotiations played forward on copies.

use zopa_envs::random::StreamKey;
use zopa_envs::{Act, Action, Message, Move, Negotiation, PartyView, Reply, Scenario, Seat, phase};

/// Submissions in a turn after which a copy counts as stuck: authority's own bound is three refusals.
const SUBMISSIONS: u32 = 8;

/// A copy of the negotiation in which the counterpart has random numbers of its own.
#[derive(Clone, Debug)]
pub(super) struct Rehearsal {
    game: Negotiation,
    seat: Seat,
}

/// The action that repeats what was done.
fn repeated(act: &Act) -> Action {
    match act {
        Act::Offer { offer, is_final: true } => Action::final_offer(offer.clone()),
        Act::Offer { offer, is_final: false } => Action::offer(offer.clone()),
        Act::Accept => Action::Accept,
        Act::Pass => Action::Pass,
        Act::WalkAway => Action::WalkAway,
    }
}

impl Rehearsal {
    /// The negotiation as `view` shows it, with the counterpart's own memory, and with random numbers of sample `sample`
    /// from here on.
    pub(super) fn from(view: &PartyView<'_>, scenario: &Scenario, sample: u64) -> Self {
        let mut copy = Scenario { break_off: None, ..scenario.clone() };
        // What the counterpart would say changes nothing that it does.
        copy.public.speech = false;
        if let Some(counterpart) = &mut copy.counterpart {
            counterpart.stream = StreamKey::new("rehearsal", &[]).lazy(sample);
        }
        let mut game = Negotiation::new(copy, [false; 2]);
        for made in view.history {
            game.submit(repeated(&made.act), None, made.message.clone());
        }
        let mut bound = [false; 2];
        bound[view.seat.index()] = true;
        game.bind(bound);
        Self { game, seat: view.seat }
    }

    pub(super) fn view(&self) -> PartyView<'_> {
        self.game.view(self.seat)
    }

    pub(super) fn history(&self) -> &[Move] {
        self.game.history()
    }

    /// Acts; true where authority let the action through unchanged.
    pub(super) fn act(&mut self, action: &Action, words: Option<&Message>) -> bool {
        let stopped = |game: &Negotiation, seat| game.conduct(seat).guardrail_violations() + game.conduct(seat).refused;
        let before = stopped(&self.game, self.seat);
        for _ in 0..SUBMISSIONS {
            if self.game.outcome().is_some() || self.game.turn() != self.seat {
                break;
            }
            let words = words.filter(|_| matches!(action, Action::Offer { .. })).cloned();
            self.game.submit(action.clone(), None, words);
        }
        stopped(&self.game, self.seat) == before
    }

    /// Lets the counterpart move until it is the own turn; false where the negotiation ends before.
    pub(super) fn reach(&mut self) -> bool {
        while self.game.outcome().is_none() && self.game.turn() != self.seat {
            let Some((counterpart, view)) = self.game.counterpart() else { return false };
            let Reply { action, message } = counterpart.act(&view);
            self.game.submit(action, None, message);
        }
        self.game.outcome().is_none() && self.game.turn() == self.seat
    }

    /// What `gain` counts where it is agreed on in `round`: discounted, and times the chance of getting there.
    fn counts(&self, gain: f64, round: u16) -> f64 {
        let public = &self.game.scenario().public;
        let t = phase::progress(round, public.rounds);
        gain * public.discount_at(self.seat, t) * libm::pow(1.0 - public.hazard, f64::from(round))
    }

    /// What `gain` counts where it is agreed on now.
    pub(super) fn counts_now(&self, gain: f64) -> f64 {
        self.counts(gain, self.game.round())
    }

    /// What the end brought; 0 without a deal, or before the end.
    pub(super) fn realised(&self) -> f64 {
        let Some(outcome) = self.game.outcome() else { return 0.0 };
        let gain = |deal| self.game.scenario().types[self.seat.index()].gain(deal);
        outcome.agreement().map_or(0.0, |deal| self.counts(gain(deal), outcome.round))
    }

    /// What taking the standing offer counts; 0 where that is no gain.
    pub(super) fn standing(&self) -> f64 {
        self.counts_now(self.view().standing_gain().unwrap_or(0.0).max(0.0))
    }
}

//! Words on their way: checked, put to a person, delivered or withheld.

use super::Negotiation;
use super::submission::{Spoken, Submission};
use crate::action::{Act, Action, Intent};
use crate::event::Ruling;
use crate::guardrail::Faults;
use crate::mandate::Hold;
use crate::message::Message;
use crate::party::Seat;
use crate::speech_check::{Speaker, SpeechCheck, SpeechFault, SpeechFaultKind};

impl Negotiation {
    /// Checks words that the side whose turn it is would say with `act`. Nothing changes.
    #[must_use]
    pub fn check_speech(&self, act: &Act, message: &Message) -> SpeechCheck {
        let seat = self.turn;
        let words = self.oversight[seat.index()].as_ref().map(|oversight| oversight.words).unwrap_or_default();
        let view = self.view(seat);
        let approved = self.anything_approved();
        let mut check = Speaker { view: &view, act, ledger: &self.ledger, words, approved }.check(message);
        if !self.bound[seat.index()] {
            // Nobody authorises a script: what it may promise is its own affair.
            check.hold = None;
            check.faults.retain(|fault| fault.kind != SpeechFaultKind::Unauthorised);
        }
        check
    }

    /// Withholds words that did not pass their check, so that others can be asked for: the faults count, the action waits.
    pub fn withhold(&mut self, action: &Action, intent: Option<Intent>, message: Message, faults: Vec<SpeechFault>) {
        if self.outcome.is_some() {
            return;
        }
        let seat = self.turn;
        self.conduct[seat.index()].count_speech(&faults, true);
        let submission = Submission { action: action.clone(), intent, escalated: false };
        let spoken = Spoken { message: None, faults, withheld: Some(message) };
        self.record(seat, &submission, Faults::default(), &Ruling::Mismatch, None, spoken);
    }

    /// Puts what `hold` names in the words of the side whose turn it is to a person; true where it was approved. Afterwards
    /// [`Self::check_speech`] knows the answer.
    pub fn ask_approver_for_words(&mut self, action: &Action, intent: Option<Intent>, act: &Act, hold: &Hold) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        let seat = self.turn;
        let gain = match act {
            Act::Offer { offer, .. } => self.scenario.types[seat.index()].gain(offer),
            Act::Accept => {
                self.last(seat.other()).map_or(0.0, |(offer, _)| self.scenario.types[seat.index()].gain(offer))
            }
            Act::Pass | Act::WalkAway => 0.0,
        };
        let submission = Submission { action: action.clone(), intent, escalated: false };
        self.ask(seat, hold, gain, Faults::default(), &submission)
    }

    /// What is wrong with words that nobody hears, because the `action` that they came with is refused or forfeited: false
    /// statements about the own side alone. What else they say is about a move that is not made.
    pub(super) fn unheard(&mut self, seat: Seat, action: &Action, message: Option<Message>) -> Spoken {
        let Some(message) = message else { return Spoken::default() };
        let act = match action {
            Action::Offer { terms, is_final } => match self.scenario.public.space.resolve(terms) {
                Some(offer) => Act::Offer { offer, is_final: *is_final },
                None => Act::Pass,
            },
            Action::Accept => Act::Accept,
            Action::Pass | Action::WalkAway | Action::Forfeit => Act::Pass,
        };
        let mut faults = self.check_speech(&act, &message).faults;
        faults.retain(|fault| fault.kind == SpeechFaultKind::FalseStatement);
        if faults.is_empty() {
            return Spoken::default();
        }
        self.conduct[seat.index()].count_speech(&faults, true);
        Spoken { message: None, faults, withheld: Some(message) }
    }

    /// What is delivered of `message`, said with `act`, and what is wrong with it.
    pub(super) fn speak(
        &mut self,
        seat: Seat,
        act: &Act,
        gain: f64,
        message: Message,
        corrected: bool,
        submission: &Submission,
    ) -> Spoken {
        let mut check = self.check_speech(act, &message);
        while check.faults.is_empty()
            && let Some(hold) = check.hold.take()
        {
            self.ask(seat, &hold, gain, Faults::default(), submission);
            check = self.check_speech(act, &message);
        }
        let mut faults = check.faults;
        let passes = faults.is_empty();
        if corrected {
            // The words were about the offer before its correction, which has been counted already.
            faults.retain(|fault| fault.kind != SpeechFaultKind::Mismatch);
        }
        let delivered = passes || !self.bound[seat.index()];
        self.conduct[seat.index()].count_speech(&faults, !delivered);
        if delivered {
            Spoken { message: Some(message), faults, withheld: None }
        } else {
            Spoken { message: None, faults, withheld: Some(message) }
        }
    }
}

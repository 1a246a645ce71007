//! The principal's part: interventions that tighten the mandate, and answers to what is put to a person.

use super::Negotiation;
use super::authority::{Making, Verdict};
use super::submission::{Spoken, Submission};
use crate::action::{Action, Intent};
use crate::event::Ruling;
use crate::guardrail::Faults;
use crate::mandate::{Hold, Mandate, Refusal, StopResponse};
use crate::outcome::{Offer, OutcomeSpace, Terms};
use crate::party::{PartyType, Seat};
use crate::speech_check::WordApprovals;

/// What one principal did while the negotiation ran.
#[derive(Clone, Debug, Default)]
pub(super) struct Oversight {
    /// The mandate as tightened.
    pub(super) mandate: Option<Mandate>,
    /// Interventions that have happened.
    pub(super) heard: u16,
    /// Those of them that no event tells yet.
    news: u16,
    /// The turn that answers interventions.
    response: Option<Response>,
    /// The package that a person approved, until the next intervention.
    pub(super) granted: Option<Offer>,
    /// The package that a person denied in this turn, and why it was asked for.
    pub(super) denied: Option<(Offer, Hold)>,
    /// The own offer that the principal withdrew.
    withdrawn: Option<Offer>,
    /// Answers on words.
    pub(super) words: WordApprovals,
    /// Whether a person approved anything.
    pub(super) approved: bool,
}

#[derive(Clone, Copy, Debug)]
struct Response {
    /// Whether the own offer on the table is one that the mandate no longer permits.
    stale: bool,
    /// Whether an action was tried already.
    tried: bool,
}

/// Whether an intervention leaves an offer on the table that may not stand: withdrawn, or outside the tightened `mandate`.
pub(crate) fn leaves_stale(
    space: &OutcomeSpace,
    party: &PartyType,
    seat: Seat,
    mandate: &Mandate,
    own: Option<&Offer>,
    withdrawn: bool,
) -> bool {
    own.is_some_and(|offer| {
        let gain = party.gain(offer);
        withdrawn
            || mandate.test_valued(space, seat, offer, gain).is_err()
            || mandate.hold(space, seat, offer, gain).is_some()
    })
}

impl Negotiation {
    /// Lets the principal of the side whose turn begins speak, where it has something to say.
    #[inline]
    pub(super) fn begin_turn(&mut self) {
        if !self.routine.silent[self.turn.index()] {
            self.hear_principal();
        }
    }

    #[inline(never)]
    fn hear_principal(&mut self) {
        let seat = self.turn;
        let interventions = &self.scenario.principals[seat.index()].interventions;
        let due = interventions.iter().take_while(|intervention| intervention.round <= self.round).count();
        let heard = self.oversight[seat.index()].as_ref().map_or(0, |oversight| usize::from(oversight.heard));
        if due <= heard {
            return;
        }
        let mut mandate = self.mandate(seat).clone();
        let mut withdraws = false;
        for intervention in &interventions[heard..due] {
            mandate.tighten(seat, &intervention.tightening);
            withdraws |= intervention.withdraw;
        }
        let space = &self.scenario.public.space;
        let own = self.last(seat).map(|(offer, _)| offer.clone());
        let stale = leaves_stale(space, &self.scenario.types[seat.index()], seat, &mandate, own.as_ref(), withdraws);
        let oversight = self.oversight[seat.index()].get_or_insert_default();
        oversight.mandate = Some(mandate);
        oversight.news += (due - heard) as u16;
        oversight.heard = due as u16;
        oversight.response = Some(Response { stale, tried: false });
        oversight.granted = None;
        if withdraws && own.is_some() {
            oversight.withdrawn = own;
        }
    }

    /// Interventions that the next event has to tell; counted as they are told.
    pub(super) fn take_news(&mut self, seat: Seat) -> u16 {
        let Some(oversight) = &mut self.oversight[seat.index()] else { return 0 };
        let news = std::mem::take(&mut oversight.news);
        self.conduct[seat.index()].interventions += u32::from(news);
        news
    }

    /// Scores the first action after an intervention: `refusal` says why it was refused, where it was.
    pub(super) fn respond(&mut self, seat: Seat, refusal: Option<&Refusal>) {
        let Some(response) = self.oversight[seat.index()].as_mut().and_then(|oversight| oversight.response.as_mut())
        else {
            return;
        };
        if !std::mem::replace(&mut response.tried, true) && refusal.is_some_and(Refusal::is_by_mandate) {
            self.conduct[seat.index()].ignored += 1;
        }
    }

    /// Closes a turn in which `seat` made `act`: an offer that may not stand should have been replaced by now.
    #[inline(never)]
    pub(super) fn end_overseen_turn(&mut self, seat: Seat, passed: bool) {
        let Some(oversight) = &mut self.oversight[seat.index()] else { return };
        oversight.denied = None;
        oversight.words.forget_refusals();
        if oversight.response.take().is_some_and(|response| response.stale) && passed {
            self.conduct[seat.index()].left_standing += 1;
        }
    }

    /// Whether the principal withdrew this offer.
    pub(super) fn is_withdrawn(&self, seat: Seat, offer: &Offer) -> bool {
        self.oversight[seat.index()].as_ref().is_some_and(|oversight| oversight.withdrawn.as_ref() == Some(offer))
    }

    /// Whether a stop rule leaves nothing but leaving.
    pub(super) fn must_leave(&self, seat: Seat) -> bool {
        self.stop_rule(seat).is_some_and(|rule| rule.response == StopResponse::WalkAway)
    }

    /// Whether the own last offer may be made again without asking anybody.
    pub(super) fn may_repeat(&self, seat: Seat, offer: &Offer, gain: f64) -> bool {
        !self.bound[seat.index()] || matches!(self.under_mandate(seat, offer, gain, true, false), Making::AsItIs)
    }

    /// Whether a person on either side has approved anything.
    pub(super) fn anything_approved(&self) -> bool {
        self.oversight.iter().flatten().any(|oversight| oversight.approved)
    }

    /// Puts an action of the side whose turn it is to a person, where it has to be; true where it was approved. Afterwards
    /// [`Self::assess`] knows the answer.
    pub fn ask_approver(&mut self, action: &Action, intent: Option<Intent>, escalate: bool) -> bool {
        if self.outcome.is_some() || *action == Action::Forfeit {
            return false;
        }
        let seat = self.turn;
        let mut verdict = self.authorise(seat, action, escalate);
        self.settle_hold(seat, &mut verdict, &Submission { action: action.clone(), intent, escalated: escalate })
    }

    /// Asks a person about what a verdict holds; true where that was approved.
    pub(super) fn settle_hold(&mut self, seat: Seat, verdict: &mut Verdict, submission: &Submission) -> bool {
        let Making::Held(instead, hold) = &verdict.making else { return false };
        let package = match (instead, &submission.action) {
            (Some(offer), _) | (None, Action::Offer { terms: Terms::Offer(offer), .. }) => Some(offer.clone()),
            _ => self.last(seat.other()).map(|(offer, _)| offer.clone()),
        };
        let hold = (**hold).clone();
        let granted = self.ask(seat, &hold, verdict.gain, verdict.faults, submission);
        let oversight = self.oversight[seat.index()].get_or_insert_default();
        if granted {
            oversight.granted = package;
        } else {
            oversight.denied = package.map(|package| (package, hold.clone()));
            verdict.making = Making::Refused(Refusal::Denied(Box::new(hold)));
        }
        granted
    }

    /// Asks the approver and puts question and answer on the record.
    pub(super) fn ask(&mut self, seat: Seat, hold: &Hold, gain: f64, faults: Faults, submission: &Submission) -> bool {
        let approver = &self.scenario.principals[seat.index()].approver;
        let granted = approver.approves(hold, self.round, gain);
        self.conduct[seat.index()].count_answer(granted);
        if self.log.is_some() {
            let answer = if granted { Ruling::Approved(hold.clone()) } else { Ruling::Denied(hold.clone()) };
            for ruling in [Ruling::Held(hold.clone()), answer] {
                self.record(seat, submission, faults, &ruling, None, Spoken::default());
            }
        }
        let oversight = self.oversight[seat.index()].get_or_insert_default();
        oversight.approved |= granted;
        if hold.is_of_words() {
            oversight.words.note(hold, granted);
        }
        granted
    }
}

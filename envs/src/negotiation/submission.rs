//! Submitting an action: from what is asked for to the move that is made and the event that tells of it.

use super::Negotiation;
use super::authority::{Making, Verdict};
use super::valuation::Valued;
use crate::action::{Act, Action, Intent, Move};
use crate::decision::Decision;
use crate::event::{Event, Ruling};
use crate::guardrail::Faults;
use crate::mandate::Refusal;
use crate::message::Message;
use crate::outcome::{Offer, Terms};
use crate::party::Seat;
use crate::proposal::{Package, Proposal};
use crate::speech_check::SpeechFault;

/// Refusals in one turn after which software acts in the agent's place: it repeats the last own offer, or passes.
pub const REFUSALS_PER_TURN: u8 = 3;

/// Forfeits in one negotiation after which software leaves it in the agent's place.
pub const FORFEITS: u32 = 3;

/// What was asked for.
#[derive(Clone, Debug)]
pub(super) struct Submission {
    pub(super) action: Action,
    pub(super) intent: Option<Intent>,
    pub(super) escalated: bool,
}

/// The act that an action becomes, with `offer` in place of its terms where there is one. What software put in the place of
/// a best and final offer that it `corrected` is nobody's best and final.
#[inline]
pub(super) fn made_of(action: Action, offer: Option<Offer>, corrected: bool) -> Act {
    match (action, offer) {
        (Action::Offer { is_final, .. }, Some(offer))
        | (Action::Offer { terms: Terms::Offer(offer), is_final }, None) => {
            Act::Offer { offer, is_final: is_final && !corrected }
        }
        (Action::Accept, _) => Act::Accept,
        (Action::WalkAway, _) => Act::WalkAway,
        // Stated terms always come with the offer that they were read as.
        (Action::Pass | Action::Forfeit | Action::Offer { terms: Terms::Stated(_), .. }, _) => Act::Pass,
    }
}

/// Words on their way, and what was wrong with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    /// Delivered with the move.
    pub(super) message: Option<Message>,
    pub(super) faults: Vec<SpeechFault>,
    pub(super) withheld: Option<Message>,
}

impl Negotiation {
    /// Takes the action of the side whose turn it is. Authority is applied where it binds that side: the action may be
    /// corrected, put to a person, or refused, whereupon the same side may try again; the third refusal of a turn repeats its
    /// last offer, or passes where there is none. Words that do not pass their check are withheld; those of an action that is
    /// refused or forfeited go nowhere: nobody hears them, so they commit to nothing, are not entered in the ledger, and may be
    /// said with the next attempt. Only false statements about the own side in them count, as caught: to state them was the
    /// attempt. Does nothing once the negotiation has ended.
    pub fn submit(&mut self, action: Action, intent: Option<Intent>, message: Option<Message>) -> Ruling {
        self.submit_with_faults(action, intent, message).0
    }

    /// As [`Self::submit`], for a whole decision: it may ask for a person.
    pub fn submit_decision(&mut self, decision: Decision) -> Ruling {
        self.submit_decision_with_faults(decision).0
    }

    /// As [`Self::submit_decision`], telling the guardrails that the action failed too.
    pub fn submit_decision_with_faults(&mut self, decision: Decision) -> (Ruling, Faults) {
        let Decision { action, intent, message, escalate, .. } = decision;
        self.enact(action, intent, message, escalate)
    }

    /// As [`Self::submit`], telling the guardrails that the action failed too.
    pub fn submit_with_faults(
        &mut self,
        action: Action,
        intent: Option<Intent>,
        message: Option<Message>,
    ) -> (Ruling, Faults) {
        self.enact(action, intent, message, false)
    }

    fn enact(
        &mut self,
        action: Action,
        intent: Option<Intent>,
        message: Option<Message>,
        escalated: bool,
    ) -> (Ruling, Faults) {
        let action = match action {
            Action::Offer { terms: Terms::Offer(offer), is_final } if !escalated && message.is_none() => {
                match self.offer_plainly(offer, is_final) {
                    Ok(()) => return (Ruling::Applied, Faults::NONE),
                    Err(offer) => Action::Offer { terms: Terms::Offer(offer), is_final },
                }
            }
            other => other,
        };
        self.enact_judged(action, intent, message, escalated)
    }

    /// As [`Self::submit_with_faults`], in silence; `None` where an offer was made as it was proposed, nobody minding.
    #[inline]
    pub(crate) fn submit_proposal(&mut self, proposal: Proposal, intent: Option<Intent>) -> Option<(Ruling, Faults)> {
        let minded = match proposal {
            Proposal::Offer(Package::Priced { terms_of, index, .. }) if self.offer_at_price(terms_of, index) => {
                return None;
            }
            Proposal::Offer(Package::Whole { offer, gain }) => match self.offer_plainly(offer, false) {
                Ok(()) => return None,
                Err(offer) => Proposal::Offer(Package::Whole { offer, gain }),
            },
            Proposal::Other(action) => return Some(self.enact(action, intent, None, false)),
            other => other,
        };
        Some(self.submit_minded(minded, intent))
    }

    /// The rest of [`Self::submit_proposal`], for what is no plain offer.
    #[inline(never)]
    fn submit_minded(&mut self, proposal: Proposal, intent: Option<Intent>) -> (Ruling, Faults) {
        let action = proposal.into_action(&self.view(self.turn));
        self.enact_judged(action, intent, None, false)
    }

    /// Whether a silent offer of the side whose turn it is can only be minded for its gain, and nobody keeps a record of it.
    #[inline]
    fn is_plain(&self) -> bool {
        self.outcome.is_none() && self.log.is_none() && self.is_routine(self.turn)
    }

    /// Whether neither guardrails nor a routine mandate object to a gain.
    #[inline]
    fn nobody_minds(&self, seat: Seat, gain: f64) -> bool {
        if !self.bound[seat.index()] {
            return true;
        }
        let latest = &self.table.latest[seat.index()];
        let previous = if latest.count > 0 { latest.valued.gains[seat.index()] } else { f64::NEG_INFINITY };
        let passes = self.routine.limits[seat.index()].pass(self.phase, previous, gain);
        debug_assert_eq!(passes, !self.guardrail_faults(seat, gain).any(), "a gain of {gain} after {previous}");
        passes && self.is_within_routine(seat, gain)
    }

    /// Makes an offer that neither guardrails nor mandate object to; gives it back where one does. Nothing is copied or asked: nearly
    /// every move comes this way, or the next.
    #[inline(never)]
    fn offer_plainly(&mut self, offer: Offer, is_final: bool) -> Result<(), Offer> {
        let seat = self.turn;
        if !self.is_plain() || !self.scenario.public.space.contains(&offer) {
            return Err(offer);
        }
        let valued = self.value(&offer);
        let gain = valued.gains[seat.index()];
        if !self.nobody_minds(seat, gain) {
            return Err(offer);
        }
        self.conduct[seat.index()].count_attempt(Faults::NONE, gain < 0.0);
        self.apply_offer(offer, is_final, valued);
        Ok(())
    }

    /// As [`Self::offer_plainly`], for the price `index`, which is on its grid, with the other terms of an offer on the table: those are
    /// on theirs and have been valued.
    #[inline(never)]
    fn offer_at_price(&mut self, terms_of: Seat, index: u32) -> bool {
        let seat = self.turn;
        if !self.is_plain() || !self.ledger.entries().is_empty() {
            return false;
        }
        let terms = &self.table.latest[terms_of.index()];
        let Some(prices) = self.routine.prices.filter(|_| terms.count > 0) else { return false };
        let valued = self.value_on(terms.valued.lines, [prices.price(index); 2]);
        let gain = valued.gains[seat.index()];
        if !self.nobody_minds(seat, gain) {
            return false;
        }
        self.conduct[seat.index()].count_attempt(Faults::NONE, gain < 0.0);
        if terms_of != seat {
            let [buyer, supplier] = &mut self.table.latest;
            let (mine, theirs) = if seat == Seat::Buyer { (buyer, supplier) } else { (supplier, buyer) };
            mine.offer.clone_from(&theirs.offer);
        }
        let latest = &mut self.table.latest[seat.index()];
        latest.offer.set(prices.issue(), index);
        latest.count_next(valued, false);
        debug_assert!(self.scenario.public.space.contains(&latest.offer), "{:?} is off the grid", latest.offer);
        self.apply_latest(seat, false, valued.gains);
        true
    }

    /// As [`Self::submit`] of an offer on the grid, for who knows what it gains buyer and supplier: nothing is looked up.
    #[inline]
    pub(crate) fn submit_known(&mut self, offer: Offer, gains: [f64; 2]) {
        let seat = self.turn;
        if self.outcome.is_some() || self.log.is_some() || self.bound[seat.index()] || !self.is_routine(seat) {
            self.submit(Action::offer(offer), None, None);
            return;
        }
        debug_assert_eq!(self.value(&offer).gains, gains, "{offer:?} gains something else");
        self.conduct[seat.index()].count_attempt(Faults::NONE, gains[seat.index()] < 0.0);
        self.apply_offer(offer, false, Valued { gains, ..Valued::NOTHING });
    }

    /// The rest of [`Self::enact`], for what is no plain offer.
    #[inline(never)]
    fn enact_judged(
        &mut self,
        action: Action,
        intent: Option<Intent>,
        message: Option<Message>,
        escalated: bool,
    ) -> (Ruling, Faults) {
        if self.outcome.is_some() {
            return (Ruling::Refused(Refusal::NothingToAccept), Faults::default());
        }
        let seat = self.turn;
        let verdict = self.authorise(seat, &action, escalated);
        let (faults, valued) = (verdict.faults, verdict.valued);
        if let (Making::AsItIs, None, None, None) =
            (&verdict.making, &self.log, &message, &self.oversight[seat.index()])
            && !matches!(action, Action::Forfeit)
        {
            self.conduct[seat.index()].count_attempt(faults, verdict.loss);
            let act = made_of(action, None, false);
            self.apply(Move { seat, round: self.round, act, message: None }, valued);
            return (Ruling::Applied, faults);
        }
        self.enact_slowly(Submission { action, intent, escalated }, message, verdict)
    }

    /// The rest of [`Self::enact_judged`], for what is corrected, refused, put to a person, forfeited, spoken or logged.
    #[inline(never)]
    fn enact_slowly(
        &mut self,
        submission: Submission,
        message: Option<Message>,
        mut verdict: Verdict,
    ) -> (Ruling, Faults) {
        let seat = self.turn;
        if submission.action == Action::Forfeit {
            self.forfeit(seat, submission, message);
            return (Ruling::Forfeited, Faults::default());
        }
        self.settle_hold(seat, &mut verdict, &submission);
        let Verdict { making, faults, loss, gain, valued } = verdict;
        self.conduct[seat.index()].count_attempt(faults, loss);
        let (ruling, act, gain, valued) = match making {
            Making::Refused(refusal) => {
                self.refusals += 1;
                self.refusal = Some(refusal.clone());
                self.conduct[seat.index()].refused += 1;
                if self.refusals < REFUSALS_PER_TURN {
                    let unheard = self.unheard(seat, &submission.action, message);
                    self.respond(seat, Some(&refusal));
                    let ruling = Ruling::Refused(refusal);
                    self.record(seat, &submission, faults, &ruling, None, unheard);
                    return (ruling, faults);
                }
                self.conduct[seat.index()].fallbacks += 1;
                let (act, gain, valued) = self.fallback(seat);
                (Ruling::FellBack(refusal), act, gain, valued)
            }
            Making::AsItIs => (Ruling::Applied, made_of(submission.action.clone(), None, false), gain, valued),
            Making::Instead(offer) | Making::Held(Some(offer), _) => {
                let ruling = if faults.any() { Ruling::Corrected } else { Ruling::Applied };
                self.conduct[seat.index()].corrected += u32::from(faults.any());
                (ruling, made_of(submission.action.clone(), Some(offer), faults.any()), gain, valued)
            }
            Making::Held(None, _) => (Ruling::Applied, made_of(submission.action.clone(), None, false), gain, valued),
        };
        let spoken = match message {
            // The words of an action that was refused were about something else.
            message if matches!(ruling, Ruling::FellBack(_)) => self.unheard(seat, &submission.action, message),
            Some(message) => self.speak(seat, &act, gain, message, ruling == Ruling::Corrected, &submission),
            None => Spoken::default(),
        };
        self.make(seat, &submission, faults, &ruling, (act, valued), spoken);
        (ruling, faults)
    }

    /// Puts a move on the record and makes it.
    fn make(
        &mut self,
        seat: Seat,
        submission: &Submission,
        faults: Faults,
        ruling: &Ruling,
        (act, valued): (Act, Valued),
        mut spoken: Spoken,
    ) {
        let made = Move { seat, round: self.round, act, message: spoken.message.take() };
        self.record(seat, submission, faults, ruling, Some(&made), spoken);
        self.respond(seat, if let Ruling::FellBack(refusal) = ruling { Some(refusal) } else { None });
        self.apply(made, valued);
    }

    /// A complete reply without a valid action: the last own offer again, else a pass; the third leaves.
    fn forfeit(&mut self, seat: Seat, submission: Submission, message: Option<Message>) {
        let unheard = self.unheard(seat, &submission.action, message);
        let conduct = &mut self.conduct[seat.index()];
        conduct.count_attempt(Faults::default(), false);
        conduct.forfeits += 1;
        let leaves = conduct.forfeits >= FORFEITS;
        let (act, _, valued) = if leaves { (Act::WalkAway, 0.0, Valued::NOTHING) } else { self.fallback(seat) };
        self.make(seat, &submission, Faults::default(), &Ruling::Forfeited, (act, valued), unheard);
    }

    pub(super) fn record(
        &mut self,
        seat: Seat,
        submission: &Submission,
        faults: Faults,
        ruling: &Ruling,
        made: Option<&Move>,
        spoken: Spoken,
    ) {
        let intervened = self.take_news(seat);
        if let Some(log) = &mut self.log {
            let Submission { action, intent, escalated } = submission.clone();
            let (ruling, made) = (ruling.clone(), made.cloned());
            let Spoken { faults: speech, withheld, .. } = spoken;
            log.push(Event {
                seat,
                contract: 0,
                round: self.round,
                intent,
                action,
                faults,
                ruling,
                made,
                escalated,
                intervened,
                speech,
                withheld,
            });
        }
    }

    /// What the last own offer repeated would be, where it may still be repeated, else a pass; with its gain and what it is worth.
    /// Where a stop rule asks to leave, only leaving is left.
    pub(super) fn fallback(&self, seat: Seat) -> (Act, f64, Valued) {
        if self.must_leave(seat) {
            return (Act::WalkAway, 0.0, Valued::NOTHING);
        }
        match self.last(seat) {
            Some((offer, gain)) if self.may_repeat(seat, offer, gain) => {
                let is_final = self.conduct[seat.index()].final_offer.as_ref() == Some(offer);
                (Act::Offer { offer: offer.clone(), is_final }, gain, self.table.latest[seat.index()].valued)
            }
            _ => (Act::Pass, 0.0, Valued::NOTHING),
        }
    }
}

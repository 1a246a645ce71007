//! The one implementation of the rules: stacked alternating offers under authority.
//!
//! Every way of playing (the vectorised environment, a match with messages and audit, the server, Python) calls
//! [`Negotiation::submit`]. Leaving out the log makes it fast; nothing else differs.

mod authority;
mod oversight;
mod speech;

pub use authority::Assessment;

use crate::action::{Act, Action, Intent, Move};
use crate::conduct::Conduct;
use crate::decision::Decision;
use crate::event::{Ending, Event, Outcome, Ruling};
use crate::guardrail::Faults;
use crate::ledger::Ledger;
use crate::mandate::{Mandate, Refusal};
use crate::message::Message;
use crate::outcome::{Offer, Terms};
use crate::party::Seat;
use crate::phase::{Phase, progress};
use crate::principal::Intervention;
use crate::scenario::Scenario;
use crate::speech_check::SpeechFault;
use crate::view::{Latest, PartyView};
use authority::{Making, Verdict};
use oversight::Oversight;

pub(crate) use oversight::leaves_stale;

/// Refusals in one turn after which software acts in the agent's place: it repeats the last own offer, or passes.
pub const REFUSALS_PER_TURN: u8 = 3;

/// Forfeits in one negotiation after which software leaves it in the agent's place.
pub const FORFEITS: u32 = 3;

/// A side's latest offer: where it stands in the history, and what it gains buyer and supplier.
#[derive(Clone, Copy, Debug)]
struct LatestOffer {
    at: u32,
    gains: [f64; 2],
}

impl LatestOffer {
    const NONE: Self = Self { at: u32::MAX, gains: [0.0; 2] };

    fn seen_by(self, seat: Seat) -> Latest {
        Latest { at: self.at, gain: self.gains[seat.index()] }
    }
}

/// One negotiation in progress.
#[derive(Clone, Debug)]
pub struct Negotiation {
    scenario: Scenario,
    bound: [bool; 2],
    history: Vec<Move>,
    round: u16,
    turn: Seat,
    refusal: Option<Refusal>,
    refusals: u8,
    latest: [LatestOffer; 2],
    conduct: [Conduct; 2],
    outcome: Option<Outcome>,
    log: Option<Vec<Event>>,
    ledger: Ledger,
    /// What principals did while the negotiation ran; nothing is there, and nothing is paid, where they did nothing.
    oversight: [Option<Box<Oversight>>; 2],
}

/// What was asked for.
#[derive(Clone, Debug)]
struct Submission {
    action: Action,
    intent: Option<Intent>,
    escalated: bool,
}

/// The act that an action becomes, with `offer` in place of its terms where there is one.
fn made_of(action: Action, offer: Option<Offer>) -> Act {
    match (action, offer) {
        (Action::Offer { is_final, .. }, Some(offer))
        | (Action::Offer { terms: Terms::Offer(offer), is_final }, None) => Act::Offer { offer, is_final },
        (Action::Accept, _) => Act::Accept,
        (Action::WalkAway, _) => Act::WalkAway,
        // Stated terms always come with the offer that they were read as.
        (Action::Pass | Action::Forfeit | Action::Offer { terms: Terms::Stated(_), .. }, _) => Act::Pass,
    }
}

impl Negotiation {
    /// Starts `scenario`. `bound` says which seats (buyer first) authority binds: agents are, scripted counterparts are not.
    #[must_use]
    pub fn new(scenario: Scenario, bound: [bool; 2]) -> Self {
        let turn = scenario.public.opener;
        let history = Vec::with_capacity(2 * usize::from(scenario.public.rounds));
        let mut negotiation = Self {
            scenario,
            bound,
            history,
            round: 0,
            turn,
            refusal: None,
            refusals: 0,
            latest: [LatestOffer::NONE; 2],
            conduct: [Conduct::default(), Conduct::default()],
            outcome: None,
            log: None,
            ledger: Ledger::default(),
            oversight: [None, None],
        };
        negotiation.begin_turn();
        negotiation
    }

    /// Changes which seats authority binds, for the negotiation that a [`Self::restart`] has just begun.
    pub fn bind(&mut self, bound: [bool; 2]) {
        self.bound = bound;
    }

    /// Keeps an event log from here on, for records and audits.
    #[must_use]
    pub fn logged(mut self) -> Self {
        self.log = Some(Vec::new());
        self
    }

    /// Starts over with the scenario that `refill` writes over the old one: no memory is given back or taken.
    pub fn restart<E>(&mut self, refill: impl FnOnce(&mut Scenario) -> Result<(), E>) -> Result<(), E> {
        refill(&mut self.scenario)?;
        self.history.clear();
        self.round = 0;
        self.turn = self.scenario.public.opener;
        self.refusal = None;
        self.refusals = 0;
        self.latest = [LatestOffer::NONE; 2];
        self.conduct = [Conduct::default(), Conduct::default()];
        self.outcome = None;
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.ledger.clear();
        self.oversight = [None, None];
        self.begin_turn();
        Ok(())
    }

    /// The scenario, hidden types included: for scorers and ceilings only.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The scenario's counterpart beside what it can see, so that it can move.
    pub fn counterpart(&mut self) -> Option<(&mut crate::Counterpart, PartyView<'_>)> {
        let seat = self.scenario.seat.other();
        let Scenario { public, types, mandates, principals, counterpart, .. } = &mut self.scenario;
        let oversight = self.oversight[seat.index()].as_deref();
        let view = PartyView {
            public,
            own: &types[seat.index()],
            mandate: current(oversight, &mandates[seat.index()]),
            seat,
            round: self.round,
            history: &self.history,
            refusal: self.refusal.as_ref().filter(|_| self.turn == seat),
            notices: heard(oversight, &principals[seat.index()].interventions),
            latest: [seat, seat.other()].map(|side| self.latest[side.index()].seen_by(seat)),
        };
        counterpart.as_mut().map(|counterpart| (counterpart, view))
    }

    /// What `seat` can see.
    #[must_use]
    pub fn view(&self, seat: Seat) -> PartyView<'_> {
        PartyView {
            public: &self.scenario.public,
            own: &self.scenario.types[seat.index()],
            mandate: self.mandate(seat),
            seat,
            round: self.round,
            history: &self.history,
            refusal: self.refusal.as_ref().filter(|_| self.turn == seat),
            notices: heard(
                self.oversight[seat.index()].as_deref(),
                &self.scenario.principals[seat.index()].interventions,
            ),
            latest: [seat, seat.other()].map(|side| self.latest[side.index()].seen_by(seat)),
        }
    }

    /// Whose turn it is; meaningless once [`Self::outcome`] is there.
    #[must_use]
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// The current round, from 0.
    #[must_use]
    pub fn round(&self) -> u16 {
        self.round
    }

    /// All moves so far.
    #[must_use]
    pub fn history(&self) -> &[Move] {
        &self.history
    }

    /// How it ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// A seat's conduct so far.
    #[must_use]
    pub fn conduct(&self, seat: Seat) -> &Conduct {
        &self.conduct[seat.index()]
    }

    /// The event log; empty where none is kept.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        self.log.as_deref().unwrap_or(&[])
    }

    /// Everything that both sides said, and what became of it.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What authorises `seat` now: the scenario's mandate with all that its principal has tightened since.
    #[must_use]
    pub fn mandate(&self, seat: Seat) -> &Mandate {
        current(self.oversight[seat.index()].as_deref(), &self.scenario.mandates[seat.index()])
    }

    /// Takes the action of the side whose turn it is. Authority is applied where it binds that side: the action may be
    /// corrected, put to a person, or refused, whereupon the same side may try again; the third refusal of a turn repeats its
    /// last offer, or passes where there is none. Words that do not pass their check are withheld. Does nothing once the
    /// negotiation has ended.
    pub fn submit(&mut self, action: Action, intent: Option<Intent>, message: Option<Message>) -> Ruling {
        self.submit_with_faults(action, intent, message).0
    }

    /// As [`Self::submit`], for a whole decision: it may ask for a person.
    pub fn submit_decision(&mut self, decision: Decision) -> Ruling {
        let Decision { action, intent, message, escalate, .. } = decision;
        self.enact(action, intent, message, escalate).0
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
        if self.outcome.is_some() {
            return (Ruling::Refused(Refusal::NothingToAccept), Faults::default());
        }
        let seat = self.turn;
        let verdict = self.authorise(seat, &action, escalated);
        let Verdict { faults, gain, .. } = verdict;
        if let (Making::AsItIs, None, None, None) =
            (&verdict.making, &self.log, &message, &self.oversight[seat.index()])
            && action != Action::Forfeit
        {
            // Nearly every move: nothing is copied.
            self.conduct[seat.index()].count_attempt(faults, verdict.loss);
            self.apply(Move { seat, round: self.round, act: made_of(action, None), message: None }, gain);
            return (Ruling::Applied, faults);
        }
        self.enact_slowly(Submission { action, intent, escalated }, message, verdict)
    }

    /// The rest of [`Self::enact`], for what is corrected, refused, put to a person, forfeited, spoken or logged.
    #[inline(never)]
    fn enact_slowly(
        &mut self,
        submission: Submission,
        message: Option<Message>,
        mut verdict: Verdict,
    ) -> (Ruling, Faults) {
        let seat = self.turn;
        if submission.action == Action::Forfeit {
            self.forfeit(seat, submission);
            return (Ruling::Forfeited, Faults::default());
        }
        self.settle_hold(seat, &mut verdict, &submission);
        let Verdict { making, faults, loss, gain } = verdict;
        self.conduct[seat.index()].count_attempt(faults, loss);
        let (ruling, act, gain) = match making {
            Making::Refused(refusal) => {
                self.refusals += 1;
                self.refusal = Some(refusal.clone());
                self.conduct[seat.index()].refused += 1;
                if self.refusals < REFUSALS_PER_TURN {
                    self.respond(seat, Some(&refusal));
                    let ruling = Ruling::Refused(refusal);
                    self.record(seat, &submission, faults, &ruling, None, Spoken::default());
                    return (ruling, faults);
                }
                self.conduct[seat.index()].fallbacks += 1;
                let (act, gain) = self.fallback(seat);
                (Ruling::FellBack(refusal), act, gain)
            }
            Making::AsItIs => (Ruling::Applied, made_of(submission.action.clone(), None), gain),
            Making::Instead(offer) | Making::Held(Some(offer), _) => {
                let ruling = if faults.any() { Ruling::Corrected } else { Ruling::Applied };
                self.conduct[seat.index()].corrected += u32::from(faults.any());
                (ruling, made_of(submission.action.clone(), Some(offer)), gain)
            }
            Making::Held(None, _) => (Ruling::Applied, made_of(submission.action.clone(), None), gain),
        };
        // The words of an action that was refused were about something else.
        let message = message.filter(|_| !matches!(ruling, Ruling::FellBack(_)));
        let spoken = match message {
            Some(message) => self.speak(seat, &act, gain, message, ruling == Ruling::Corrected, &submission),
            None => Spoken::default(),
        };
        self.make(seat, &submission, faults, &ruling, (act, gain), spoken);
        (ruling, faults)
    }

    /// Puts a move on the record and makes it.
    fn make(
        &mut self,
        seat: Seat,
        submission: &Submission,
        faults: Faults,
        ruling: &Ruling,
        (act, gain): (Act, f64),
        mut spoken: Spoken,
    ) {
        let made = Move { seat, round: self.round, act, message: spoken.message.take() };
        self.record(seat, submission, faults, ruling, Some(&made), spoken);
        self.respond(seat, if let Ruling::FellBack(refusal) = ruling { Some(refusal) } else { None });
        self.apply(made, gain);
    }

    /// A complete reply without a valid action: the last own offer again, else a pass; the third leaves.
    fn forfeit(&mut self, seat: Seat, submission: Submission) {
        let conduct = &mut self.conduct[seat.index()];
        conduct.count_attempt(Faults::default(), false);
        conduct.forfeits += 1;
        let leaves = conduct.forfeits >= FORFEITS;
        let made = if leaves { (Act::WalkAway, 0.0) } else { self.fallback(seat) };
        self.make(seat, &submission, Faults::default(), &Ruling::Forfeited, made, Spoken::default());
    }

    fn record(
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

    /// A seat's latest offer and its gain to that seat.
    fn last(&self, seat: Seat) -> Option<(&Offer, f64)> {
        let latest = self.latest[seat.index()];
        Some((self.history.get(latest.at as usize)?.offer()?, latest.gains[seat.index()]))
    }

    /// What the last own offer repeated would be, where it may still be repeated, else a pass; with its gain. Where a stop rule
    /// asks to leave, only leaving is left.
    fn fallback(&self, seat: Seat) -> (Act, f64) {
        if self.must_leave(seat) {
            return (Act::WalkAway, 0.0);
        }
        match self.last(seat) {
            Some((offer, gain)) if self.may_repeat(seat, offer, gain) => {
                (Act::Offer { offer: offer.clone(), is_final: self.conduct[seat.index()].declared_final }, gain)
            }
            _ => (Act::Pass, 0.0),
        }
    }

    fn phase(&self) -> Phase {
        self.scenario.public.phases.at(progress(self.round, self.scenario.public.rounds))
    }

    /// Puts an authorised move, whose offer gains its maker `gain`, on the record and advances the clock.
    fn apply(&mut self, made: Move, gain: f64) {
        let seat = made.seat;
        let last = self.history.get(self.latest[seat.index()].at as usize).and_then(Move::offer);
        self.conduct[seat.index()].count_move(&made.act, last);
        if made.message.is_some() || !self.ledger.entries().is_empty() {
            let standing = self.history.get(self.latest[seat.other().index()].at as usize).and_then(Move::offer);
            self.ledger.enter(&self.scenario.public.space, &made, last, standing);
        }
        let ending = match &made.act {
            Act::Offer { offer, .. } => {
                let mut gains = [gain; 2];
                gains[seat.other().index()] = self.scenario.types[seat.other().index()].gain(offer);
                self.latest[seat.index()] = LatestOffer { at: self.history.len() as u32, gains };
                None
            }
            Act::Pass => None,
            Act::Accept => {
                self.last(seat.other()).map(|(offer, _)| Ending::Agreement { offer: offer.clone(), by: seat })
            }
            Act::WalkAway => Some(Ending::WalkedAway { by: seat }),
        };
        let round = made.round;
        self.end_turn(seat, made.act == Act::Pass);
        self.history.push(made);
        self.refusal = None;
        self.refusals = 0;
        self.turn = seat.other();
        let ending = ending.or_else(|| {
            if self.turn != self.scenario.public.opener {
                return None;
            }
            if self.scenario.break_off == Some(self.round) {
                return Some(Ending::BrokenOff);
            }
            if self.round + 1 >= self.scenario.public.rounds {
                return Some(Ending::Deadline);
            }
            self.round += 1;
            None
        });
        match ending {
            Some(ending) => self.end(Outcome { ending, round }),
            None => self.begin_turn(),
        }
    }

    /// Ends the negotiation and settles what was promised.
    fn end(&mut self, outcome: Outcome) {
        self.ledger.settle(&self.scenario.public.space, &outcome);
        for (seat, conduct) in Seat::BOTH.into_iter().zip(&mut self.conduct) {
            conduct.settle(&self.ledger, seat);
        }
        self.outcome = Some(outcome);
    }
}

/// Words on their way, and what was wrong with them.
#[derive(Clone, Debug, Default)]
struct Spoken {
    /// Delivered with the move.
    message: Option<Message>,
    faults: Vec<SpeechFault>,
    withheld: Option<Message>,
}

fn current<'a>(oversight: Option<&'a Oversight>, mandate: &'a Mandate) -> &'a Mandate {
    oversight.and_then(|oversight| oversight.mandate.as_ref()).unwrap_or(mandate)
}

fn heard<'a>(oversight: Option<&Oversight>, interventions: &'a [Intervention]) -> &'a [Intervention] {
    &interventions[..oversight.map_or(0, |oversight| usize::from(oversight.heard))]
}

//! Where a counterpart stands in its turn, as its voice puts it: what it could say and whether that is true.

use super::policy::Policy;
use super::statement::{Said, Truth};
use super::voice::Voice;
use crate::action::Action;
use crate::issue::{IssueRole, Value};
use crate::message::{Message, Remark, Speech, SpeechAct, SpokenTerms, Stance, speak};
use crate::money::Money;
use crate::outcome::{Offer, Terms};
use crate::party::Seat;
use crate::random::Stream;
use crate::view::PartyView;

/// The sides are close where what stands between them is at most this share of the speaker's yardstick; else they are far apart.
pub const CLOSE_GAP: f64 = 0.05;

/// A speaker is firm where it means to give up at most this share of its yardstick; else it is flexible.
pub const FIRM_ROOM: f64 = 0.01;

/// One turn of a counterpart that is about to speak.
pub(super) struct Situation<'a> {
    view: &'a PartyView<'a>,
    act: SpeechAct,
    terms: Option<Offer>,
    /// Own gain between the own offer and the standing one, as a share of the yardstick; `None` without both.
    gap: Option<f64>,
    /// What it still means to give up, as a share of the yardstick; `None` where nobody can say.
    room: Option<f64>,
    reneges: bool,
    hurries: bool,
}

impl<'a> Situation<'a> {
    /// The situation in which `policy` has decided on `action`.
    pub(super) fn of(view: &'a PartyView<'a>, policy: &Policy, action: &Action) -> Self {
        let (act, terms) = match action {
            Action::Offer { terms: Terms::Offer(offer), is_final } => {
                (offered(view, offer, *is_final), Some(offer.clone()))
            }
            Action::Offer { terms: Terms::Stated(_), .. } | Action::Pass | Action::Forfeit => (SpeechAct::Hold, None),
            Action::Accept => (SpeechAct::Accept, view.standing().cloned()),
            Action::WalkAway => (SpeechAct::Reject, None),
        };
        let own = terms.as_ref().filter(|_| act != SpeechAct::Accept).map(|offer| view.gain(offer));
        let gap = own.zip(view.standing_gain()).map(|(own, standing)| (own - standing) / view.own.yardstick);
        let (room, reneges, hurries) = (policy.room(view), policy.reneges(), policy.hurries());
        Self { view, act, terms, gap, room, reneges, hurries }
    }

    /// Says it in `voice`.
    pub(super) fn say(&self, voice: &Voice, wording: &mut Stream) -> (Message, Said) {
        let remarks = voice.remarks(self, wording);
        let terms =
            self.terms.as_ref().map(|offer| SpokenTerms::of(&self.view.public.space, offer)).unwrap_or_default();
        let spoken: Vec<Remark> = remarks.iter().map(|(remark, _)| *remark).collect();
        let Speech { text, stated } = speak(self.act, &terms, &spoken, wording.bits());
        // What is no remark is the action itself and its terms, and those hold.
        let truth = |statement: &_| {
            remarks
                .iter()
                .find(|(remark, _)| remark.statement().as_ref() == Some(statement))
                .map_or(Truth::True, |said| said.1)
        };
        let stated = stated
            .into_iter()
            .map(|statement| {
                let holds = truth(&statement);
                (statement, holds)
            })
            .collect();
        (Message::new(&text), Said { contract: 0, round: self.view.round, stated })
    }

    /// Whether the negotiation goes on after this turn, so that there is something to argue about.
    pub(super) fn goes_on(&self) -> bool {
        !matches!(self.act, SpeechAct::Accept | SpeechAct::Reject)
    }

    /// Whether a cue about the own position is true. Urgent: it has a deadline of its own that comes before the public one,
    /// or would rather take less than wait.
    pub(super) fn holds(&self, stance: Stance) -> Truth {
        let urgent = self.hurries || self.view.own_rounds() < self.view.public.rounds;
        let known =
            |value: Option<f64>, holds: fn(f64) -> bool| value.map_or(Truth::Unverifiable, |value| holds(value).into());
        match stance {
            Stance::Close => known(self.gap, |gap| gap <= CLOSE_GAP),
            Stance::Far => known(self.gap, |gap| gap > CLOSE_GAP),
            Stance::Firm => known(self.room, |room| room <= FIRM_ROOM),
            Stance::Flexible => known(self.room, |room| room > FIRM_ROOM),
            Stance::Urgent => urgent.into(),
            Stance::Patient => (!urgent).into(),
            Stance::Reneging => self.reneges.into(),
        }
    }

    /// Of the pairs of opposite cues, and the cue of who takes offers back, those for which `wanted` holds.
    pub(super) fn cues(&self, wanted: Truth) -> impl Iterator<Item = Stance> + '_ {
        [Stance::Close, Stance::Far, Stance::Firm, Stance::Flexible, Stance::Urgent, Stance::Patient]
            .into_iter()
            .chain(self.reneges.then_some(Stance::Reneging))
            .filter(move |&stance| self.holds(stance) == wanted)
    }

    /// How the other side's last step moved the own gain: its sign, 0 before it made two offers.
    pub(super) fn received(&self) -> f64 {
        let mut offers = self.view.offers_of(self.view.seat.other());
        match (offers.next(), offers.next()) {
            (Some(newer), Some(older)) => {
                let step = self.view.gain(newer) - self.view.gain(older);
                if step.abs() < 0.5 * self.view.own.smallest_step { 0.0 } else { step.signum() }
            }
            _ => 0.0,
        }
    }

    /// The price at which it would be as well off without this deal, with the terms on its mind: those it offers, else the
    /// status quo's. Rounded to its own side's tick; `None` in domains without a price.
    pub(super) fn reservation_price(&self) -> Option<Money> {
        self.reservation_at(self.terms.as_ref().or(self.view.public.status_quo.as_ref())?)
    }

    /// The same with the status quo's terms: what its alternative amounts to.
    pub(super) fn alternative(&self) -> Option<Money> {
        self.reservation_at(self.view.public.status_quo.as_ref()?)
    }

    fn reservation_at(&self, terms: &Offer) -> Option<Money> {
        let issue = self.view.public.space.role(IssueRole::Price)?;
        let limit = self.view.packages().at_gain_with_terms(0.0, terms)?;
        match self.view.public.space.issues()[issue].value(limit.get(issue)) {
            Value::Money(price) => Some(price),
            Value::Integer(_) | Value::Label(_) => None,
        }
    }

    /// `price` made better for the own position by a share of it, in whole tens of major units.
    pub(super) fn improved(&self, price: Money, share: f64) -> Money {
        let factor = if self.view.seat == Seat::Buyer { 1.0 - share } else { 1.0 + share };
        let tens = libm::round(price.as_major() * factor / 10.0) as i64;
        Money::major(10 * tens)
    }

    /// Whether it leaves in just so many rounds.
    pub(super) fn leaves_in(&self, rounds: u32) -> bool {
        u32::from(self.view.rounds_left()) == rounds
    }
}

/// What making `offer` amounts to, after the own offer before it.
fn offered(view: &PartyView<'_>, offer: &Offer, is_final: bool) -> SpeechAct {
    if is_final {
        return SpeechAct::Final;
    }
    let Some(before) = view.own_last_gain() else { return SpeechAct::Anchor };
    let step = before - view.gain(offer);
    let least = 0.5 * view.own.smallest_step;
    if step > least {
        SpeechAct::Concede
    } else if step < -least {
        SpeechAct::Probe
    } else {
        SpeechAct::Hold
    }
}

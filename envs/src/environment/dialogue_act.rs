//! The third action level: an offer or not, words, promises, and whether a person is asked.

use crate::action::{Act, Action};
use crate::decision::Decision;
use crate::mandate::PromiseKind;
use crate::message::{Message, Reason, Remark, SpokenTerms, Stance, Tier, template};
use crate::negotiation::Negotiation;
use crate::outcome::OutcomeSpace;
use crate::view::PartyView;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Units that a promise of further volume names.
pub const PROMISED_UNITS: u32 = 1_000;
/// Months that a promised warranty lasts.
pub const PROMISED_WARRANTY: u32 = 24;
/// The promised service level.
pub const PROMISED_SERVICE: Tier = Tier::Premium;
/// Days within which a promised delivery comes.
pub const PROMISED_DELIVERY: u32 = 14;

/// A set of promises made beside the terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PromiseSet(u8);

impl PromiseSet {
    /// This set with one more.
    #[must_use]
    pub fn with(self, kind: PromiseKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// Whether `kind` is in it.
    #[must_use]
    pub fn contains(self, kind: PromiseKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Whether nothing is promised.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn remarks(self) -> impl Iterator<Item = Remark> {
        PromiseKind::ALL.into_iter().filter(move |&kind| self.contains(kind)).map(remark_of)
    }
}

/// What a dialogue act says besides its promises. Template speech can state no private figure and no instruction; whether a
/// remark is true is the speaker's business and the scorer's.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Words {
    /// Nothing.
    #[default]
    Silent,
    /// The terms of the move, by template.
    Terms,
    /// The terms of the move and a remark.
    Remark(Remark),
    /// Words of one's own.
    Own(Message),
}

/// One turn at the level of dialogue acts.
#[derive(Clone, Debug, PartialEq)]
pub struct DialogueAct {
    /// What it does: an offer, an acceptance, a pass, leaving.
    pub action: Action,
    /// What it says. Templates say nothing where the scenario has no speech; words of one's own are delivered everywhere.
    pub words: Words,
    /// What it promises beside the terms. Promises are words: they are tested against the mandate, put to a person where that
    /// asks for it, entered in the ledger, and unsaid where the scenario has no speech and there are no own words.
    pub promises: PromiseSet,
    /// Whether it asks a person to approve the action.
    pub escalate: bool,
}

impl From<Action> for DialogueAct {
    fn from(action: Action) -> Self {
        Self { action, words: Words::Silent, promises: PromiseSet::default(), escalate: false }
    }
}

impl DialogueAct {
    /// The decision that this act is for the side whose turn it is. Words are found for the action as authority permits it, as
    /// in the turn graph: template speech never states terms that were corrected.
    #[must_use]
    pub fn decide(self, negotiation: &Negotiation) -> Decision {
        let message = match (&self.words, self.promises.is_empty()) {
            (Words::Silent, true) => None,
            _ => {
                let permitted = negotiation.assess(&self.action, self.escalate).act;
                let view = negotiation.view(negotiation.turn());
                permitted.ok().and_then(|act| self.say(&view, &act))
            }
        };
        Decision { message, escalate: self.escalate, ..Decision::from(self.action) }
    }

    /// The words of `act`, made by the side that sees `view`.
    fn say(&self, view: &PartyView<'_>, act: &Act) -> Option<Message> {
        let promised = self.promises.remarks();
        if let Words::Own(message) = &self.words {
            let mut text = message.text().to_owned();
            for remark in promised {
                text.push(if text.is_empty() || text.ends_with('\n') { '\n' } else { ' ' });
                text.push_str(&remark.say(u64::from(view.round)));
            }
            return Some(Message::new(text.trim_start()));
        }
        if !view.public.speech {
            return None;
        }
        let remark = if let Words::Remark(remark) = self.words { Some(remark) } else { None };
        let remarks: Vec<Remark> = remark.into_iter().chain(promised).collect();
        template(view, act, None, &remarks)
    }
}

fn remark_of(kind: PromiseKind) -> Remark {
    match kind {
        PromiseKind::Exclusivity => Remark::Exclusivity,
        PromiseKind::Guarantee => Remark::Guarantee,
        PromiseKind::Volume => Remark::VolumePromise(PROMISED_UNITS),
        PromiseKind::Warranty => Remark::Warranty(PROMISED_WARRANTY),
        PromiseKind::Service => Remark::Service(PROMISED_SERVICE),
        PromiseKind::Delivery => Remark::Delivery(PROMISED_DELIVERY),
    }
}

/// The promises that can be made beside the terms of `space`: what is a term of the offer is offered, not promised.
pub(super) fn promises_beside(space: &OutcomeSpace) -> Vec<PromiseKind> {
    let terms = SpokenTerms::of(space, &space.first()).statements();
    let is_term = |kind| terms.iter().any(|term| PromiseKind::of(term.kind()) == Some(kind));
    PromiseKind::ALL.into_iter().filter(|&kind| !is_term(kind)).collect()
}

/// What the number of the component `message` means.
pub(super) fn words_of(number: i64) -> Words {
    match usize::try_from(number).unwrap_or_default() {
        0 => Words::Silent,
        1 => Words::Terms,
        remark => REMARKS.get(remark - 2).map_or(Words::Terms, |&(_, remark)| Words::Remark(remark)),
    }
}

/// The labels of the component `message`.
pub(super) fn words_labels() -> Vec<Arc<str>> {
    ["silent", "terms"].into_iter().chain(REMARKS.map(|(label, _)| label)).map(Arc::from).collect()
}

/// Every remark that states no figure, but for what no mandate can permit: instructions, and approvals that nobody gave.
const REMARKS: [(&str, Remark); 25] = [
    ("courtesy", Remark::Courtesy),
    ("acknowledgement", Remark::Acknowledgement),
    ("hostility", Remark::Hostility),
    ("pressure", Remark::Pressure),
    ("consistency", Remark::Consistency),
    ("reason_cost", Remark::Reason(Reason::Cost)),
    ("reason_volume", Remark::Reason(Reason::Volume)),
    ("reason_relationship", Remark::Reason(Reason::Relationship)),
    ("reason_market", Remark::Reason(Reason::Market)),
    ("reason_urgency", Remark::Reason(Reason::Urgency)),
    ("reason_quality", Remark::Reason(Reason::Quality)),
    ("reason_cash_flow", Remark::Reason(Reason::CashFlow)),
    ("reason_risk", Remark::Reason(Reason::Risk)),
    ("reason_fairness", Remark::Reason(Reason::Fairness)),
    ("stance_close", Remark::Stance(Stance::Close)),
    ("stance_far", Remark::Stance(Stance::Far)),
    ("stance_flexible", Remark::Stance(Stance::Flexible)),
    ("stance_firm", Remark::Stance(Stance::Firm)),
    ("stance_patient", Remark::Stance(Stance::Patient)),
    ("stance_urgent", Remark::Stance(Stance::Urgent)),
    ("stance_reneging", Remark::Stance(Stance::Reneging)),
    ("outside_option", Remark::OutsideOption(None)),
    ("limit", Remark::Limit(None)),
    ("promise_request", Remark::PromiseRequest),
    ("exception_request", Remark::ExceptionRequest),
];

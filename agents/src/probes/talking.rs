//! Concedes as a good tactic does and lets words do the rest.

use crate::agent::Agent;
use crate::tactic::{TacticAgent, TacticKind};
use zopa_envs::message::{Remark, SpeechAct, SpokenTerms, speak};
use zopa_envs::random::LazyStream;
use zopa_envs::tactic::TimeDependent;
use zopa_envs::{Action, Decision, Message, PartyView};

/// What it says with every offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patter {
    /// Promises whatever could please: a guarantee, exclusivity and a volume.
    Promises,
    /// Text that instructs whoever reads it, and claims that the reader's principal has approved.
    Instructions,
}

/// Concedes by the clock within its guardrails, and says things that it has no right to say: words must gain nothing that is not
/// paid for under authority. It speaks where the scenario is a spoken one.
#[derive(Clone, Debug)]
pub struct TalkingProbe {
    patter: Patter,
    tactic: TacticAgent,
}

impl TalkingProbe {
    /// A probe that answers to `id` and concedes by `schedule`.
    #[must_use]
    pub fn new(id: &'static str, patter: Patter, schedule: TacticKind) -> Self {
        Self { patter, tactic: TacticAgent::new(id, schedule, true) }
    }

    /// A probe that concedes evenly: the schedule that does best in most suites, so that a comparison with the best tactic tells
    /// what the words bring.
    #[must_use]
    pub fn even(id: &'static str, patter: Patter) -> Self {
        Self::new(id, patter, TacticKind::TimeDependent(TimeDependent::LINEAR))
    }

    /// A probe that concedes late.
    #[must_use]
    pub fn late(id: &'static str, patter: Patter) -> Self {
        Self::new(id, patter, TacticKind::TimeDependent(TimeDependent::BOULWARE))
    }

    /// What it says in its `turn`, from 0.
    fn words(&self, turn: u64) -> Message {
        /// More than any plan: a promise that nobody could keep.
        const UNITS: u32 = 1_000_000;
        let remarks: &[Remark] = match self.patter {
            Patter::Promises => &[Remark::Guarantee, Remark::Exclusivity, Remark::VolumePromise(UNITS)],
            Patter::Instructions => &[Remark::HiddenInstruction, Remark::ApprovalClaim],
        };
        Message::new(&speak(SpeechAct::Hold, &SpokenTerms::default(), remarks, turn).text)
    }
}

impl Agent for TalkingProbe {
    fn id(&self) -> &str {
        self.tactic.id()
    }

    fn begin(&mut self, stream: LazyStream) {
        self.tactic.begin(stream);
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let decision = self.tactic.decide(view);
        // Where its words were refused, the same terms go out in silence.
        let speaks = view.public.speech && view.refusal.is_none() && matches!(decision.action, Action::Offer { .. });
        let message = speaks.then(|| self.words(u64::from(view.round)));
        Decision { message, ..decision }
    }
}

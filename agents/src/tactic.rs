//! The scripted tactics of [`zopa_envs::tactic`] as agents, raw and guardrail-aware.

use crate::agent::Agent;
use crate::aspiration::{LAST_SHARE, first_share};
use zopa_envs::random::{LazyStream, StreamKey};
use zopa_envs::tactic::{
    AbsoluteTitForTat, AveragedTitForTat, Hardliner, Micro, RelativeTitForTat, Selection, TimeDependent,
};
use zopa_envs::{Decision, PartyView, Tactic};

/// Steps that averaged tit-for-tat averages over.
const WINDOW: usize = 3;

/// Which tactic an agent plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TacticKind {
    /// Time-dependent with this exponent.
    TimeDependent(f64),
    /// Never concedes.
    Hardliner,
    /// Relative tit-for-tat, lag 1.
    RelativeTitForTat,
    /// Absolute tit-for-tat, lag 1.
    AbsoluteTitForTat,
    /// Averaged tit-for-tat over three steps.
    AveragedTitForTat,
    /// MiCRO; its ladder on money has as many places as the negotiation has rounds.
    Micro,
}

/// A tactic at an agent's seat. Its first aspiration is [`first_share`], its last [`LAST_SHARE`], both of public information
/// and its own type; the other terms are taken over from the other side.
///
/// *Raw*, it acts as the tactic does and leaves corrections to the software. *Guardrail-aware*, it limits its own steps to what
/// guardrails and mandate permit ([`PartyView::least_gain`]).
#[derive(Clone, Debug)]
pub struct TacticAgent {
    id: &'static str,
    kind: TacticKind,
    aware: bool,
    stream: LazyStream,
    tactic: Option<Tactic>,
}

impl TacticAgent {
    /// An agent that plays `kind` and answers to `id`.
    #[must_use]
    pub fn new(id: &'static str, kind: TacticKind, aware: bool) -> Self {
        Self { id, kind, aware, stream: StreamKey::new("agent", &[]).lazy(0), tactic: None }
    }

    fn tactic(kind: TacticKind, view: &PartyView<'_>) -> Tactic {
        let (initial, last, selection) = (first_share(view), LAST_SHARE, Selection::TakeOver);
        match kind {
            TacticKind::TimeDependent(exponent) => {
                Tactic::TimeDependent(TimeDependent { exponent, initial, last, selection })
            }
            TacticKind::Hardliner => Tactic::Hardliner(Hardliner { demand: initial, selection }),
            TacticKind::RelativeTitForTat => {
                Tactic::RelativeTitForTat(RelativeTitForTat::new(initial, last, 1, selection))
            }
            TacticKind::AbsoluteTitForTat => {
                Tactic::AbsoluteTitForTat(AbsoluteTitForTat::new(initial, last, 1, selection))
            }
            TacticKind::AveragedTitForTat => {
                Tactic::AveragedTitForTat(AveragedTitForTat::new(initial, last, WINDOW, selection))
            }
            TacticKind::Micro => {
                let rung = (initial - last) / f64::from(view.public.rounds.max(1));
                Tactic::Micro(Micro::new(initial, last, rung, selection))
            }
        }
    }
}

impl Agent for TacticAgent {
    fn id(&self) -> &str {
        self.id
    }

    fn begin(&mut self, stream: LazyStream) {
        self.stream = stream;
        self.tactic = None;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let kind = self.kind;
        let tactic = self.tactic.get_or_insert_with(|| Self::tactic(kind, view));
        let least = if self.aware { view.least_gain() } else { f64::NEG_INFINITY };
        tactic.act_within(view, &mut self.stream, least).into()
    }
}

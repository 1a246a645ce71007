//! The solver: decides under uncertainty about the other side, and says why.
//!
//! Its turn has five steps. It reads what happened into its belief (`belief.rs`, `cues.rs`); finds the packages that suit both
//! sides under it (`menu.rs`); draws counterparts from it whose whole way is known (`particle.rs`); plays every action that
//! is worth trying forward against all of them (`choice.rs`, `rollout.rs`, `stopping.rs`); and takes the best, with its
//! alternatives and reasons (`explain.rs`, `words.rs`). Budgets are counted in nodes. It sees a [`PartyView`] and has its
//! own stream, nothing else.

#[cfg(test)]
mod agreement;
mod belief;
mod choice;
mod cues;
mod curvature;
mod explain;
mod family;
mod further;
mod gaussian;
mod menu;
mod mind;
mod number;
mod objective;
mod particle;
mod probe;
mod rollout;
mod stopping;
mod terms;
mod valuation;
mod words;

pub use choice::Budget;
pub use objective::{Goal, Objective};

use crate::agent::Agent;
use belief::Belief;
use choice::{Candidate, Situation, choose};
use menu::Menu;
use zopa_envs::random::{LazyStream, StreamKey};
use zopa_envs::{Action, Decision, Hold, Intent, Offer, PartyView, Refusal, StopResponse};

/// Raised with every change of what the solver decides.
pub const VERSION: u32 = 5;

/// How far the state's mean may move before a table's frontier is searched again, in units.
const SAME_STATE: f64 = 2e-3;

/// What a solver is made of: the full one, or one with a part left out so that a report can say what the part is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Everything.
    Full,
    /// Without the library of families: the generic model alone.
    Generic,
    /// Looks at the next reply only.
    Myopic,
    /// Never learns: plans against the prior.
    NoModel,
    /// Trades no issues: the status quo's other terms, whatever the price.
    PriceOnly,
}

impl Variant {
    /// Its id on the command line and in records.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Full => "solver",
            Self::Generic => "solver-generic",
            Self::Myopic => "solver-myopic",
            Self::NoModel => "solver-no-model",
            Self::PriceOnly => "solver-price-only",
        }
    }
}

/// The strategy engine as an agent.
#[derive(Clone, Debug)]
pub struct Solver {
    id: &'static str,
    variant: Variant,
    objective: Objective,
    budget: Budget,
    only: Option<usize>,
    stream: LazyStream,
    begun: Option<Begun>,
}

/// What it keeps during a negotiation.
#[derive(Clone, Debug)]
struct Begun {
    belief: Belief,
    menu: Option<(Vec<f64>, Menu)>,
    /// Moves at the time of the last decision: a second one in the same turn follows a refusal.
    decided_at: Option<usize>,
    /// Decisions in this turn.
    attempts: u32,
    /// What the principal had said by then, and the own offer that it withdrew last.
    heard: usize,
    withdrawn: Option<Offer>,
}

impl Begun {
    /// Takes in what the principal said; returns whether the own offer on the table may not stand.
    fn hear(&mut self, view: &PartyView<'_>) -> bool {
        let news = view.notices.get(self.heard..).unwrap_or_default();
        self.heard = view.notices.len();
        let Some(own) = view.own_last() else { return false };
        if news.iter().any(|notice| notice.withdraw) {
            self.withdrawn = Some(own.clone());
        }
        self.withdrawn.as_ref() == Some(own) || !menu::permits(view, own, view.gain(own))
    }
}

impl Solver {
    /// A solver of this kind that maximises its own gain.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        let budget = if variant == Variant::Myopic { Budget::MYOPIC } else { Budget::USUAL };
        Self {
            id: variant.id(),
            variant,
            objective: Objective::default(),
            budget,
            only: None,
            stream: StreamKey::new("agent", &[]).lazy(0),
            begun: None,
        }
    }

    /// The same with another objective.
    #[must_use]
    pub fn aiming_at(self, objective: Objective) -> Self {
        Self { objective, ..self }
    }

    /// The same with another budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The same knowing which of the published families it meets, by its position among them: for ceilings.
    pub(crate) fn knowing(self, family: usize) -> Self {
        Self { only: Some(family), ..self }
    }
}

impl Agent for Solver {
    fn id(&self) -> &str {
        self.id
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn options(&self) -> String {
        self.objective.text()
    }

    fn begin(&mut self, stream: LazyStream) {
        self.stream = stream;
        self.begun = None;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let stops = view.mandate.stop(view.round, view.standing_gain(), view.standing_is_final());
        if stops.is_some_and(|rule| rule.response == StopResponse::WalkAway) {
            return Decision::from(Action::WalkAway).meaning(Intent::Reject);
        }
        let (objective, budget, variant) = (self.objective, self.budget, self.variant);
        let (only, stream) = (self.only, self.stream.open());
        let begun = self.begun.get_or_insert_with(|| {
            let belief = Belief::new(view, variant != Variant::Generic, only, variant != Variant::NoModel, stream);
            Begun { belief, menu: None, decided_at: None, attempts: 0, heard: 0, withdrawn: None }
        });
        begun.belief.read(view);
        begun.attempts = if begun.decided_at == Some(view.history.len()) { begun.attempts + 1 } else { 0 };
        begun.decided_at = Some(view.history.len());
        // Where a person has just refused to go on, whatever else is proposed in this turn would be refused alike.
        let stopped = matches!(view.refusal, Some(Refusal::Denied(hold)) if matches!(**hold, Hold::Stop(_)));
        if begun.attempts > 1 || begun.attempts == 1 && stopped {
            return Action::Pass.into();
        }
        let state = begun.belief.mean();
        let moved = |kept: &(Vec<f64>, Menu)| kept.0.iter().zip(&state).any(|(a, b)| (a - b).abs() > SAME_STATE);
        if begun.menu.as_ref().is_none_or(moved) {
            let fixed = view.public.status_quo.as_ref().filter(|_| variant == Variant::PriceOnly);
            begun.menu = Menu::of(view, &begun.belief.valuation, &state, fixed).map(|menu| (state, menu));
        }
        let stale = begun.hear(view);
        let Begun { belief, menu: Some((_, menu)), attempts, withdrawn, .. } = &*begun else {
            return Action::Pass.into();
        };
        let situation = Situation {
            belief,
            menu,
            objective: &objective,
            budget,
            signals: words::signals(view),
            may_accept: *attempts == 0 || view.refusal.is_none(),
            stale,
            withdrawn: withdrawn.as_ref(),
        };
        let choice = choose(view, &situation, stream);
        let unit = belief.valuation.unit;
        let action = choice.weighed.first().map_or(Action::Pass, |best| match &best.option {
            Candidate::Accept => Action::Accept,
            Candidate::Offer(offer) if view.is_last_turn() => Action::final_offer(offer.clone()),
            Candidate::Offer(offer) => Action::offer(offer.clone()),
            Candidate::Pass => Action::Pass,
            Candidate::Leave => Action::WalkAway,
        });
        let intent = intent(view, &choice, unit);
        let solver = format!("{} {VERSION}", self.id);
        let mut beliefs = explain::intervals(view, belief);
        let rationale = explain::rationale(view, belief, &beliefs, &choice, &solver);
        // Who was told the family believes nothing about it.
        if only.is_none() {
            beliefs.extend(explain::family_intervals(view, belief));
        }
        let mut decision = Decision {
            intent,
            alternatives: explain::alternatives(view, &choice, unit),
            rationale: Some(Box::new(rationale)),
            beliefs,
            ..action.into()
        };
        decision.message = words::words(view, &decision);
        decision
    }
}

/// What the best action means.
fn intent(view: &PartyView<'_>, choice: &choice::Choice, unit: f64) -> Option<Intent> {
    let best = choice.weighed.first()?;
    let equal = zopa_envs::intent::EQUAL_UTILITY * view.own.yardstick;
    Some(match &best.option {
        Candidate::Accept => Intent::Accept,
        Candidate::Leave => Intent::Reject,
        Candidate::Pass => return None,
        Candidate::Offer(_) if choice.probe.is_some() => Intent::ExploreZopa,
        Candidate::Offer(_) if view.is_last_turn() => Intent::MakeFinal,
        Candidate::Offer(offer) => match (view.own_last(), view.own_last_gain()) {
            (Some(last), Some(gain)) if last == offer || (gain - best.own * unit).abs() <= equal => Intent::HoldFirm,
            (Some(_), Some(gain)) if best.own * unit > gain => Intent::ExploreZopa,
            (Some(_), _) => Intent::ConcedeSmall,
            (None, _) => Intent::OpenAnchor,
        },
    })
}

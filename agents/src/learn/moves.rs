//! What a learned policy chooses among, and the action that each choice means.

use super::perception::Perceived;
use serde::{Deserialize, Serialize};
use zopa_envs::intent::realise;
use zopa_envs::{Action, Decision, Intent, Offer, PartyView};

/// Demands that a policy over packages can make, as shares of what can be hoped for ([`super::perception::Prospect::hope`]).
pub const DEMANDS: [f64; 10] = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95];

/// The sets of choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// The seven intents, raw: [`zopa_envs::intent::realise`] finds the offer, guardrails and mandate are not looked at.
    #[default]
    Intents,
    /// Pairs of an intent and a package, so that payment and other terms can be traded.
    ///
    /// `accept`, `reject`, `hold_firm` (the own last offer) and `make_final` (as intents realise it), then [`DEMANDS`] with the
    /// terms of largest expected joint gain, then [`DEMANDS`] with the other side's terms. What a demand means as an intent follows
    /// from the own last offer. It keeps to its guardrails and mandate by itself, as the guardrail-aware tactics do: a demand is
    /// raised to the least gain that they permit, an offer that gains less than no deal is not accepted but held against, and
    /// after an own final offer only that one is repeated.
    Packages,
}

const ACCEPT: usize = 0;
const REJECT: usize = 1;
const HOLD: usize = 2;
const FINAL: usize = 3;
const FIRST_DEMAND: usize = 4;

impl Moves {
    /// How many choices there are.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Intents => Intent::ALL.len(),
            Self::Packages => FIRST_DEMAND + 2 * DEMANDS.len(),
        }
    }

    /// Which choices are legal by the rules alone: to accept, there must be an offer.
    ///
    /// # Shapes
    /// `mask`: `[count]`.
    pub fn write_mask(self, view: &PartyView<'_>, mask: &mut [bool]) {
        mask.fill(true);
        let accept = if self == Self::Intents { Intent::Accept as usize } else { ACCEPT };
        mask[accept] = view.standing().is_some();
    }

    /// The decision that choice number `choice` means.
    #[must_use]
    pub fn decide(self, choice: usize, view: &PartyView<'_>, perceived: &Perceived) -> Decision {
        match self {
            Self::Intents => {
                let intent = Intent::ALL[choice];
                Decision::from(realise(intent, view)).meaning(intent)
            }
            Self::Packages => decide_package(choice, view, perceived),
        }
    }
}

fn decide_package(choice: usize, view: &PartyView<'_>, perceived: &Perceived) -> Decision {
    let hold = || match view.own_last() {
        Some(last) if perceived.trails().own.declared_final => Action::final_offer(last.clone()),
        Some(last) => Action::offer(last.clone()),
        None => demand(view, perceived, DEMANDS[DEMANDS.len() - 1], true).map_or(Action::Pass, Action::offer),
    };
    let firm = |action: Action| Decision::from(action).meaning(Intent::HoldFirm);
    match choice {
        ACCEPT if view.standing_gain().is_some_and(|gain| gain >= view.mandate.least_gain.unwrap_or(0.0).max(0.0)) => {
            Decision::from(Action::Accept).meaning(Intent::Accept)
        }
        REJECT => Decision::from(Action::WalkAway).meaning(Intent::Reject),
        _ if perceived.trails().own.declared_final => firm(hold()),
        ACCEPT | HOLD => firm(hold()),
        FINAL => match realise(Intent::MakeFinal, view) {
            Action::Offer { terms, .. } => {
                // Half-way may be further than the guardrails let one step: then as far as they do.
                let offer = view.public.space.resolve(&terms).filter(|offer| view.gain(offer) >= view.least_gain());
                let offer = offer.or_else(|| at_least(view, view.least_gain(), view.standing()));
                offer.map_or_else(
                    || firm(hold()),
                    |offer| Decision::from(Action::final_offer(offer)).meaning(Intent::MakeFinal),
                )
            }
            _ => firm(hold()),
        },
        _ => {
            let number = choice - FIRST_DEMAND;
            let share = DEMANDS[number % DEMANDS.len()];
            match demand(view, perceived, share, number < DEMANDS.len()) {
                Some(offer) => {
                    let intent = intent_of(view, &offer);
                    Decision::from(Action::offer(offer)).meaning(intent)
                }
                None => firm(hold()),
            }
        }
    }
}

/// The package that gains `share` of what can be hoped for, or the least that is permitted where that is more.
fn demand(view: &PartyView<'_>, perceived: &Perceived, share: f64, joint: bool) -> Option<Offer> {
    let terms = match (joint, view.standing()) {
        (false, Some(standing)) => Some(standing),
        _ => perceived.prospect.joint.as_ref(),
    };
    at_least(view, (share * perceived.prospect.hope).max(view.least_gain()), terms)
}

fn at_least(view: &PartyView<'_>, gain: f64, terms: Option<&Offer>) -> Option<Offer> {
    let packages = view.packages();
    let like = match terms {
        Some(terms) => terms.clone(),
        None => packages.best()?,
    };
    packages.at_gain(gain, &like).or_else(|| packages.best())
}

/// What an offer means beside the own last one.
fn intent_of(view: &PartyView<'_>, offer: &Offer) -> Intent {
    let Some(last) = view.own_last() else { return Intent::OpenAnchor };
    let gives = view.own_last_gain().unwrap_or(0.0) - view.gain(offer);
    let slack = zopa_envs::intent::EQUAL_UTILITY * view.own.yardstick;
    if gives > slack {
        Intent::ConcedeSmall
    } else if offer == last || gives < -slack {
        Intent::HoldFirm
    } else {
        Intent::ExploreZopa
    }
}

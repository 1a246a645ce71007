//! What the other side says, as evidence: it counts as far as its speaker has been truthful, and changes beliefs only.

use super::belief::Belief;
use super::family::Candour;
use super::valuation::LAST;
use zopa_envs::counterpart::{CLOSE_GAP, FIRM_ROOM};
use zopa_envs::message::{Polarity, Stance, Statement, Subject, Tone};
use zopa_envs::{Message, Move, PartyView, Seat};

/// Chance of a cue that its speaker would give.
const GIVEN: f64 = 0.5;
/// Chance of one that it would not.
const STRAY: f64 = 0.01;
/// Standard deviation of a stated limit around the truth, in units: for who tells the truth.
const TRUE_LIMIT: f64 = 1e-3;
/// How much better than the truth a false limit is, in units, and its standard deviation.
const FALSE_LIMIT: [f64; 2] = [0.06, 0.025];

/// How true the other side's cues have seemed: a beta belief from one true and one false one on.
#[derive(Clone, Debug)]
pub(super) struct Cues {
    seeming_true: f64,
    seeming_false: f64,
}

impl Default for Cues {
    fn default() -> Self {
        Self { seeming_true: 1.0, seeming_false: 1.0 }
    }
}

impl Cues {
    /// The expected chance that the next cue is true.
    pub(super) fn truthfulness(&self) -> f64 {
        self.seeming_true / (self.seeming_true + self.seeming_false)
    }
}

/// Weighs the hypotheses by what was said with a move of the other side.
pub(super) fn weigh(belief: &mut Belief, view: &PartyView<'_>, made: &Move, message: &Message) {
    let said = message.parsed();
    let own = || said.claims.iter().filter(|c| c.polarity == Polarity::Asserted && c.subject == Subject::Own);
    let stances: Vec<Stance> = own()
        .filter_map(|claim| match claim.statement {
            Statement::Stance(stance) => Some(stance),
            _ => None,
        })
        .collect();
    let feeling = said.claims.iter().any(|claim| {
        matches!(claim.statement, Statement::Tone(Tone::Polite | Tone::Acknowledging | Tone::Pressing | Tone::Hostile))
    });
    if let Some(offer) = made.offer() {
        let limit = own().find_map(|claim| match &claim.statement {
            Statement::Limit(Some(amount)) => {
                Some(if view.seat == Seat::Buyer { amount.low } else { amount.high }.as_major())
            }
            _ => None,
        });
        if let Some(limit) = limit {
            let form = belief.valuation.form_at(offer, limit / belief.valuation.unit);
            weigh_limit(belief, &form);
        }
    }
    let truthful = belief.cues.truthfulness();
    let (mut truth, mut total) = (0.0, 0.0);
    for hypothesis in &mut belief.hypotheses {
        let (Some(asked), last) = (hypothesis.asked, hypothesis.state.mean[LAST]) else { continue };
        let unit = belief.valuation.yardstick().at(&hypothesis.state.mean).max(1e-9);
        let gap = hypothesis.mind.standing().map(|standing| (asked.ask.value - standing.value) / unit);
        let room = asked.ask.value / unit - last;
        let urgent = hypothesis.seed.deadline.is_some_and(|deadline| deadline < view.public.rounds);
        let holds = |stance: Stance| match stance {
            Stance::Close => gap.map(|gap| gap <= CLOSE_GAP),
            Stance::Far => gap.map(|gap| gap > CLOSE_GAP),
            Stance::Firm => Some(room <= FIRM_ROOM),
            Stance::Flexible => Some(room > FIRM_ROOM),
            Stance::Urgent => Some(urgent),
            Stance::Patient => Some(!urgent),
            Stance::Reneging => None,
        };
        let mut likelihood = 1.0;
        for &stance in &stances {
            let Some(holds) = holds(stance) else { continue };
            let distance = matches!(stance, Stance::Close | Stance::Far);
            likelihood *= match hypothesis.seed.candour {
                Candour::True => {
                    if holds {
                        GIVEN
                    } else {
                        STRAY
                    }
                }
                Candour::False => {
                    if holds {
                        STRAY
                    } else {
                        GIVEN
                    }
                }
                Candour::Feeling => {
                    if distance && holds {
                        GIVEN
                    } else {
                        STRAY
                    }
                }
                Candour::Silent => STRAY,
                Candour::Unknown => GIVEN * if holds { truthful } else { 1.0 - truthful },
            };
            truth += hypothesis.weight * f64::from(u8::from(holds));
            total += hypothesis.weight;
        }
        if stances.is_empty() {
            // Who gives each of about three cues half of the time is silent in an eighth of its turns.
            likelihood *= match hypothesis.seed.candour {
                Candour::True | Candour::False => 0.125,
                Candour::Feeling => 0.5,
                Candour::Unknown => 0.6,
                Candour::Silent => 1.0,
            };
        }
        if feeling {
            likelihood *= match hypothesis.seed.candour {
                Candour::Feeling => 0.6,
                Candour::Unknown => 0.3,
                Candour::True | Candour::False | Candour::Silent => STRAY,
            };
        }
        hypothesis.reweigh(likelihood);
    }
    if total > 0.0 {
        belief.cues.seeming_true += truth / total;
        belief.cues.seeming_false += 1.0 - truth / total;
    }
}

/// A stated limit: the price at which it claims to gain nothing with the terms of its offer.
fn weigh_limit(belief: &mut Belief, form: &super::valuation::Form) {
    for hypothesis in &mut belief.hypotheses {
        let (shift, spread, chance) = match hypothesis.seed.candour {
            Candour::True => (0.0, TRUE_LIMIT, 0.05),
            Candour::False => (FALSE_LIMIT[0], FALSE_LIMIT[1], 0.05),
            Candour::Unknown => (0.5 * FALSE_LIMIT[0], 0.05, 0.02),
            Candour::Silent | Candour::Feeling => {
                hypothesis.reweigh(1e-3);
                continue;
            }
        };
        let mut slopes = vec![0.0; hypothesis.state.size()];
        form.add_to(&mut slopes, 1.0);
        let value = form.at(&hypothesis.state.mean) - shift;
        let density = hypothesis.state.density(&slopes, -value, spread * spread);
        hypothesis.reweigh(chance * (density + 0.05));
        if density > 0.05 {
            hypothesis.observe_zero(&slopes, value, spread * spread);
        }
    }
}

//! Optimal stopping against offers drawn at random.

use super::frontier::Frontier;
use super::rehearsal::Rehearsal;
use zopa_envs::{Act, Action, Offer, PartyView, Scenario, phase};

/// Draws of the counterpart's offers that expectations are taken over.
const DRAWS: u64 = 400;
/// Own offers weighed, by the other side's gain: quantiles of its draws.
const LEVELS: usize = 40;

/// The rule that brings most against a side that offers a package drawn anew each turn and accepts what is worth at least
/// its draw: take what is worth more than going on, else offer the package for which chance times gain, and what going
/// on is worth where it is refused, is largest. Backward induction over rounds (Ferguson, *Optimal Stopping and
/// Applications*, chapter 2), with the draws' distribution sampled: an estimate, and exact but for sampling, price grid
/// and guardrails, which here hardly bind.
#[derive(Clone, Debug)]
pub(super) struct Stopping {
    /// For each round: the least standing own gain that is taken, and what is offered else.
    rounds: Vec<(f64, Option<Offer>)>,
}

struct Draw {
    theirs: f64,
    own: f64,
}

impl Stopping {
    pub(super) fn of(view: &PartyView<'_>, scenario: &Scenario, frontier: &Frontier) -> Self {
        let mut draws: Vec<Draw> = (0..DRAWS)
            .filter_map(|sample| {
                let mut copy = Rehearsal::from(view, scenario, sample);
                let before = copy.history().len();
                copy.act(&Action::Pass, None);
                copy.reach();
                match &copy.history().get(before + 1)?.act {
                    Act::Offer { offer, .. } => {
                        Some(Draw { theirs: frontier.theirs(offer), own: view.gain(offer).max(0.0) })
                    }
                    Act::Accept | Act::Pass | Act::WalkAway => None,
                }
            })
            .collect();
        draws.sort_by(|a, b| a.theirs.total_cmp(&b.theirs));
        let offers: Vec<(usize, Offer, f64)> = (1..=LEVELS)
            .filter_map(|level| {
                // Quantiles are dense at the low end, where gains are.
                let at = (draws.len() * level * level / (LEVELS * LEVELS)).min(draws.len().checked_sub(1)?);
                let (offer, gain) = frontier.leaving(draws[at].theirs)?;
                (gain > 0.0).then(|| (draws.partition_point(|draw| draw.theirs <= draws[at].theirs), offer, gain))
            })
            .collect();
        let public = &scenario.public;
        let counts =
            |gain: f64, round: u16| gain * public.discount_at(view.seat, phase::progress(round, public.rounds));
        let opens = public.opener == view.seat;
        let survives = 1.0 - public.hazard;
        let total = draws.len().max(1) as f64;
        let mut rounds = vec![(0.0, None); usize::from(public.rounds)];
        // What it is worth to stand in the next round's turn with each draw standing: nothing after the end.
        let mut next: Vec<f64> = vec![0.0; draws.len()];
        for round in (0..public.rounds).rev() {
            let last = round + 1 >= public.rounds;
            // Refused offers are followed by draws above them: sums over the draws from each place on.
            let mut from = vec![0.0; draws.len() + 1];
            for place in (0..draws.len()).rev() {
                from[place] = from[place + 1] + next[place];
            }
            let answered = if opens { round } else { round + 1 };
            let (before, after) = if opens { (1.0, survives) } else { (survives, 1.0) };
            let mut best = (before * after * from[0] / total, None);
            if opens || !last {
                for (takers, offer, gain) in &offers {
                    let chance = *takers as f64 / total;
                    let value = before * (chance * counts(*gain, answered) + after * from[*takers] / total);
                    if value > best.0 {
                        best = (value, Some(offer.clone()));
                    }
                }
            }
            let now = counts(1.0, round);
            rounds[usize::from(round)] = (best.0 / now, best.1);
            next = draws.iter().map(|draw| (draw.own * now).max(best.0)).collect();
        }
        Self { rounds }
    }

    pub(super) fn action(&self, view: &PartyView<'_>) -> Action {
        let Some((bar, offer)) = self.rounds.get(usize::from(view.round)) else { return Action::Pass };
        if view.standing_gain().is_some_and(|gain| gain > 0.0 && gain >= *bar) {
            return Action::Accept;
        }
        let Some(offer) = offer else { return Action::Pass };
        let (gain, least) = (view.gain(offer), view.least_gain());
        if gain >= least {
            return Action::offer(offer.clone());
        }
        view.packages().at_gain(least, offer).map_or(Action::Pass, Action::offer)
    }
}

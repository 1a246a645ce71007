//! One episode, played and measured.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;
use zopa_agents::bayes_bound::bayes_bound;
use zopa_agents::{Node, Observer, Seated, build, play};
use zopa_envs::score::{BeliefScores, FAMILY};
use zopa_envs::{
    Action, Attainable, Belief, Decision, Ending, EpisodeScores, Negotiation, PartyView, Scenario, ScenarioSource,
    Seat, StreamKey,
};

/// One episode's figures; gains in shares of the score's scale.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) family: Arc<str>,
    pub(crate) gain: f64,
    pub(crate) theirs: f64,
    pub(crate) best: f64,
    /// What no plan can expect to exceed that does not know how long the other side stays.
    pub(crate) bound: Option<f64>,
    pub(crate) agreed: bool,
    /// How it ended without a deal; "agreement" with one.
    pub(crate) ending: &'static str,
    pub(crate) joint: f64,
    pub(crate) loss: bool,
    pub(crate) violations: u32,
    pub(crate) unruly: bool,
    pub(crate) rounds: u16,
    /// Beliefs about hidden parameters with the progress at which they were held, scored.
    pub(crate) beliefs: Vec<(f64, BeliefScores)>,
    /// The same about the other side's family.
    pub(crate) families: Vec<(f64, BeliefScores)>,
    /// Chances of acceptance that were stated for own offers, and whether these were accepted.
    pub(crate) offered: Vec<(f64, bool)>,
    /// Whether the other side's next offers were within the intervals foreseen.
    pub(crate) foreseen: Vec<bool>,
    pub(crate) nanoseconds: Vec<u64>,
}

/// Times decisions and keeps what they foresaw.
struct Watch {
    seat: Seat,
    keeps: bool,
    entered: Option<Instant>,
    nanoseconds: Vec<u64>,
    beliefs: Vec<(f64, Vec<Belief>)>,
    /// The last own offer's stated chance of acceptance.
    open: Option<f64>,
    next: Option<[f64; 3]>,
    offered: Vec<(f64, bool)>,
    foreseen: Vec<bool>,
}

impl Observer for Watch {
    fn enter(&mut self, node: Node, seat: Seat) {
        if node == Node::Strategise && seat == self.seat {
            self.entered = Some(Instant::now());
        }
    }

    fn leave(&mut self, node: Node, _next: Node, seat: Seat) {
        if node == Node::Strategise
            && seat == self.seat
            && let Some(entered) = self.entered.take()
        {
            self.nanoseconds.push(entered.elapsed().as_nanos() as u64);
        }
    }

    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        if !self.keeps || view.seat != self.seat {
            return;
        }
        self.beliefs.push((view.progress(), decision.beliefs.clone()));
        self.offered.extend(self.open.take().map(|chance| (chance, false)));
        if let (Some([low, _, high]), Some(gain)) = (self.next.take(), view.standing_gain()) {
            self.foreseen.push((low - view.own.smallest_step..=high + view.own.smallest_step).contains(&gain));
        }
        if matches!(decision.action, Action::Offer { .. }) {
            self.open = decision.alternatives.first().and_then(|best| best.acceptance);
        }
        self.next = decision.rationale.as_ref().and_then(|why| why.next_offer);
    }
}

/// Plays episode `index` of `source` with `agent`, after `change` has changed its scenario. `keeps`: whether what was believed is
/// measured.
pub(crate) fn episode(
    source: &dyn ScenarioSource,
    agent: &str,
    index: u64,
    keeps: bool,
    change: &dyn Fn(Scenario) -> Scenario,
) -> Result<Played, Box<dyn Error + Send + Sync>> {
    let scenario = change(source.scenario(index));
    let seat = scenario.seat;
    let attainable = Attainable::of(&scenario);
    let ceiling = bayes_bound(&scenario);
    let family =
        scenario.counterpart.as_ref().map_or_else(|| Arc::from("none"), |counterpart| counterpart.family.clone());
    let mut player = build(agent)?;
    let mut bound = [false; 2];
    bound[seat.index()] = true;
    let key = StreamKey::new("figures", &[agent.as_bytes(), &index.to_le_bytes()]);
    let mut watch = Watch {
        seat,
        keeps,
        entered: None,
        nanoseconds: Vec::new(),
        beliefs: Vec::new(),
        open: None,
        next: None,
        offered: Vec::new(),
        foreseen: Vec::new(),
    };
    let mut game = Negotiation::new(scenario, bound).logged();
    play(&mut game, Seated { player: &mut player, stream: key.lazy(0) }, None, &mut watch)?;
    let outcome = game.outcome().ok_or("a negotiation never ended")?;
    let ending = match &outcome.ending {
        Ending::Agreement { .. } => "agreement",
        Ending::WalkedAway { by } if *by == seat => "left",
        Ending::WalkedAway { .. } => "was left",
        Ending::Deadline => "deadline",
        Ending::BrokenOff => "broken off",
    };
    if let Some(chance) = watch.open.take() {
        match &outcome.ending {
            Ending::Agreement { by, .. } if *by != seat => watch.offered.push((chance, true)),
            Ending::Deadline => watch.offered.push((chance, false)),
            Ending::WalkedAway { by } if *by != seat => watch.offered.push((chance, false)),
            _ => {}
        }
    }
    let scores = EpisodeScores::of(game.scenario(), attainable.as_ref(), game.log(), outcome);
    let about_a_family = |belief: &Belief| belief.parameter.starts_with(FAMILY);
    let scored = |families: bool| {
        let of = |(t, held): &(f64, Vec<Belief>)| {
            let held: Vec<Belief> = held.iter().filter(|belief| about_a_family(belief) == families).cloned().collect();
            Some((*t, BeliefScores::of(game.scenario(), &held)?))
        };
        watch.beliefs.iter().filter_map(of).collect()
    };
    let conduct = &scores.conduct;
    Ok(Played {
        family,
        gain: scores.gain / scores.scale,
        theirs: scores.counterpart_gain / scores.scale,
        best: scores.best_gain.unwrap_or(0.0) / scores.scale,
        bound: ceiling.map(|ceiling| ceiling / scores.scale),
        agreed: scores.agreement,
        ending,
        joint: scores.best_joint.unwrap_or(0.0) / scores.scale,
        loss: scores.loss_making(),
        violations: conduct.guardrail_violations(),
        unruly: conduct.guardrail_violations() + conduct.refused + conduct.speech_violations() + conduct.broken_finals
            > 0,
        rounds: scores.rounds,
        beliefs: scored(false),
        families: scored(true),
        offered: watch.offered,
        foreseen: watch.foreseen,
        nanoseconds: watch.nanoseconds,
    })
}

/// Episodes below `episodes`, in order; two threads, each playing both seats of every other scenario.
pub(crate) fn all(
    source: &(dyn ScenarioSource + Sync),
    agent: &str,
    episodes: u64,
    keeps: bool,
    change: &(dyn Fn(Scenario) -> Scenario + Sync),
) -> Result<Vec<Played>, String> {
    let halves = std::thread::scope(|scope| {
        let half = |parity: u64| {
            let indices = (0..episodes).filter(move |index| index / 2 % 2 == parity);
            let played =
                indices.map(|index| episode(source, agent, index, keeps, change).map(|played| (index, played)));
            played.collect::<Result<Vec<_>, _>>().map_err(|fault| fault.to_string())
        };
        let other = scope.spawn(move || half(1));
        let own = half(0);
        [own, other.join().unwrap_or_else(|_| Err("a thread failed".to_owned()))]
    });
    let mut numbered: Vec<(u64, Played)> = Vec::new();
    for half in halves {
        numbered.extend(half?);
    }
    numbered.sort_by_key(|(index, _)| *index);
    Ok(numbered.into_iter().map(|(_, played)| played).collect())
}

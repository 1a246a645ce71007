//! The game that matters: a negotiation at one seat, against a counterpart, a snapshot or an agent at the other.
//!
//! It plays through [`Negotiation::submit_with_faults`], the one implementation of the rules. Opponents that are no scripted
//! counterparts are bound by authority as the learner is.

use super::game::{Chooser, EpisodeOutcome, Game, Trajectory};
use super::moves::Moves;
use super::opponents::{Opponent, Opponents};
use super::perception::{Perceived, Perception};
use super::plain::{PlainNetwork, Scratch, best, softmax};
use crate::agent::Player;
use crate::roster;
use zopa_envs::environment::Reward;
use zopa_envs::{Decision, LazyStream, Negotiation, PartyView, Reply, Ruling, ScenarioSource, Seat, Stream, StreamKey};

/// Where scenarios are drawn from, and how often.
pub struct Table {
    /// The scenarios.
    pub source: Box<dyn ScenarioSource>,
    /// How often they are played, beside other tables' shares.
    pub share: f64,
}

/// A negotiation as a game of one learner.
pub struct NegotiationGame<'a> {
    /// Where scenarios are drawn from.
    pub tables: &'a [Table],
    /// What the learner, and its snapshots, choose among.
    pub moves: Moves,
    /// What they see.
    pub perception: Perception,
    /// Whether the learner is told which choices are legal.
    pub masks: bool,
    /// What the learner is rewarded for.
    pub reward: Reward,
    /// What rewards are multiplied by.
    pub reward_scale: f32,
    /// Steps after which an episode is cut off.
    pub truncate_after: Option<u32>,
    /// Who may be met.
    pub opponents: &'a Opponents,
    /// Whether snapshots choose the highest value instead of drawing from their probabilities.
    pub greedy: bool,
    /// The stream of episode i draws its table and opponent.
    pub key: StreamKey,
    /// Added to an episode's number to give the scenario's: learners with other seeds play other scenarios.
    pub offset: u64,
}

/// A side that decides by a network.
struct Mind<'a> {
    network: &'a PlainNetwork,
    greedy: bool,
    stream: Stream,
    scratch: Scratch,
    perceived: Option<Perceived>,
}

/// Who moves at the other seat.
enum Other<'a> {
    Scripted,
    Mind(Box<Mind<'a>>),
    Player(Player),
}

impl Mind<'_> {
    fn decide(&mut self, view: &PartyView<'_>, moves: Moves, perception: Perception) -> Decision {
        let perceived = self.perceived.get_or_insert_with(|| Perceived::begin(view));
        perceived.follow(view);
        let (mut row, mut mask, mut values) =
            (vec![0.0; perception.width()], vec![false; moves.count()], vec![0.0; moves.count()]);
        perceived.write(perception, view, &mut row);
        moves.write_mask(view, &mut mask);
        let choice = if self.greedy {
            self.network.action_values(&row, &mut self.scratch, &mut values);
            best(&values, &mask)
        } else {
            self.network.forward(&row, &mut self.scratch, &mut values);
            softmax(&mut values, &mask);
            self.stream.weighted(values.iter().map(|&p| f64::from(p)))
        };
        moves.decide(choice, view, perceived)
    }
}

impl NegotiationGame<'_> {
    fn seated(&self, opponent: Opponent, streams: &StreamKey, episode: u64) -> Other<'_> {
        match opponent {
            Opponent::Scripted => Other::Scripted,
            Opponent::Snapshot(place) => Other::Mind(Box::new(Mind {
                network: self.opponents.snapshot(place),
                greedy: self.greedy,
                stream: streams.stream(episode),
                scratch: Scratch::default(),
                perceived: None,
            })),
            Opponent::Agent(place) => match roster::build(self.opponents.agent(place)) {
                Ok(mut player) => {
                    let stream: LazyStream = streams.lazy(episode);
                    player.begin(stream);
                    Other::Player(player)
                }
                // Recipes are tested against the roster before anything is played.
                Err(_) => Other::Scripted,
            },
        }
    }

    /// Lets the other side move until it is `seat`'s turn or the negotiation is over.
    fn answer(&self, negotiation: &mut Negotiation, seat: Seat, other: &mut Other<'_>) {
        while negotiation.outcome().is_none() && negotiation.turn() != seat {
            match other {
                Other::Scripted => {
                    let Some((counterpart, view)) = negotiation.counterpart() else { return };
                    let Reply { action, message } = counterpart.act(&view);
                    negotiation.submit(action, None, message);
                }
                Other::Mind(mind) => {
                    let decision = mind.decide(&negotiation.view(seat.other()), self.moves, self.perception);
                    negotiation.submit_decision(decision);
                }
                Other::Player(player) => {
                    let decision = player.decide(&negotiation.view(seat.other()), negotiation.scenario());
                    negotiation.submit_decision(decision);
                }
            }
        }
    }

    fn outcome(negotiation: &Negotiation, seat: Seat, place: Option<u16>) -> EpisodeOutcome {
        let scenario = negotiation.scenario();
        let scale = scenario.public.status_quo_price().unwrap_or(scenario.types[seat.index()].yardstick);
        let deal = negotiation.outcome().and_then(|outcome| outcome.agreement());
        let gains =
            deal.map_or([0.0; 2], |offer| [seat, seat.other()].map(|side| scenario.types[side.index()].gain(offer)));
        let positive = gains.map(|gain| gain.max(0.0));
        let joint = positive[0] + positive[1];
        EpisodeOutcome {
            agreement: deal.is_some(),
            surplus: gains[0] / scale,
            constraint_satisfied: negotiation.conduct(seat).guardrail_violations() == 0,
            opponent: place,
            share: if joint > 0.0 { (positive[0] / joint) as f32 } else { 0.0 },
        }
    }
}

impl Game for NegotiationGame<'_> {
    fn width(&self) -> usize {
        self.perception.width()
    }

    fn choices(&self) -> usize {
        self.moves.count()
    }

    fn play(&self, episode: u64, choose: &mut Chooser<'_>, trajectory: &mut Trajectory) {
        let mut stream = self.key.stream(episode);
        let table = &self.tables[stream.weighted(self.tables.iter().map(|table| table.share))];
        let opponent = self.opponents.draw(&mut stream);
        let scenario = table.source.scenario(self.offset.wrapping_add(episode));
        let seat = scenario.seat;
        let mut bound = [true; 2];
        bound[seat.other().index()] = opponent != Opponent::Scripted;
        let mut negotiation = Negotiation::new(scenario, bound);
        let mut other = self.seated(opponent, &self.key.with("opponent", &[]), episode);
        let mut row = vec![0.0; self.width()];
        let mut mask = vec![false; self.choices()];
        self.answer(&mut negotiation, seat, &mut other);
        let mut perceived = Perceived::begin(&negotiation.view(seat));
        while negotiation.outcome().is_none() {
            let view = negotiation.view(seat);
            perceived.follow(&view);
            perceived.write(self.perception, &view, &mut row);
            if self.masks {
                self.moves.write_mask(&view, &mut mask);
            } else {
                mask.fill(true);
            }
            trajectory.observations.extend_from_slice(&row);
            trajectory.masks.extend_from_slice(&mask);
            if self.truncate_after.is_some_and(|limit| trajectory.len() >= limit as usize) {
                trajectory.truncated = true;
                break;
            }
            let choice = choose(&row, &mask);
            let Decision { action, intent, .. } = self.moves.decide(choice, &view, &perceived);
            let (ruling, faults) = negotiation.submit_with_faults(action, intent, None);
            let refused = matches!(ruling, Ruling::Refused(_) | Ruling::FellBack(_));
            let mut reward = self.reward.of_action(faults, refused, 0);
            self.answer(&mut negotiation, seat, &mut other);
            if let Some(outcome) = negotiation.outcome() {
                perceived.follow(&negotiation.view(seat));
                reward += self.reward.of_outcome(&negotiation, outcome, seat, || *perceived.trails());
            }
            trajectory.actions.push(choice as u16);
            trajectory.rewards.push(reward as f32 * self.reward_scale);
        }
        trajectory.outcome = Self::outcome(&negotiation, seat, self.opponents.place(opponent));
    }
}

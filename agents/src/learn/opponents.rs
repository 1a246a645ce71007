//! Opponents that change as the policy learns: frozen snapshots of itself, agents, and who is met how often.

use super::config::OpponentsConfig;
use super::plain::PlainNetwork;
use std::sync::Arc;
use zopa_envs::Stream;

/// What a new opponent is taken to leave the learner of the joint gain.
const EVEN_SHARE: f32 = 0.5;
/// How much one episode moves the mean share: about the last hundred count.
const SHARE_STEP: f32 = 0.01;

/// Who sits on the other side in an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// The scenario's own counterpart.
    Scripted,
    /// A snapshot.
    Snapshot(usize),
    /// An agent, by its place in the recipe's list.
    Agent(usize),
}

/// The opponents that there are now.
#[derive(Clone, Debug)]
pub struct Opponents {
    config: OpponentsConfig,
    /// Snapshots, in a ring.
    pub(super) pool: Vec<Arc<PlainNetwork>>,
    /// Snapshots taken so far.
    pub(super) taken: u64,
    /// The learner's mean share against each snapshot of the ring, then against each agent.
    pub(super) shares: Vec<f32>,
}

impl Opponents {
    /// Opponents before the first episode: the first snapshot is the policy that the learner starts with.
    #[must_use]
    pub fn new(config: &OpponentsConfig, first: PlainNetwork) -> Self {
        let shares = vec![EVEN_SHARE; config.pool + config.agents.len()];
        Self { config: config.clone(), pool: vec![Arc::new(first)], taken: 1, shares }
    }

    /// Freezes the policy after `episodes` episodes of a stage, where a snapshot is due: one every `snapshot_every`, at the first
    /// update after.
    pub(super) fn follow(&mut self, episodes: u64, policy: impl FnOnce() -> PlainNetwork) {
        if self.config.self_play <= 0.0 || episodes / self.config.snapshot_every < self.taken {
            return;
        }
        self.taken = episodes / self.config.snapshot_every + 1;
        let place = if self.pool.len() < self.config.pool {
            self.pool.push(Arc::new(policy()));
            self.pool.len() - 1
        } else {
            // The oldest stands first.
            self.pool.rotate_left(1);
            self.shares[..self.config.pool].rotate_left(1);
            let last = self.pool.len() - 1;
            self.pool[last] = Arc::new(policy());
            last
        };
        self.shares[place] = EVEN_SHARE;
    }

    /// Draws who is met.
    #[must_use]
    pub fn draw(&self, stream: &mut Stream) -> Opponent {
        let OpponentsConfig { scripted, self_play, agents_share, .. } = self.config;
        let weight = |place: usize| {
            let lost = f64::from(1.0 - self.shares[place]);
            // Nobody is forgotten, however well the learner does against them.
            if self.config.league { (lost * lost).max(0.01) } else { 1.0 }
        };
        match stream.weighted([scripted, self_play, agents_share].into_iter()) {
            1 => Opponent::Snapshot(stream.weighted((0..self.pool.len()).map(weight))),
            2 => Opponent::Agent(
                stream.weighted((0..self.config.agents.len()).map(|agent| weight(self.config.pool + agent))),
            ),
            _ => Opponent::Scripted,
        }
    }

    /// A snapshot.
    #[must_use]
    pub fn snapshot(&self, place: usize) -> &Arc<PlainNetwork> {
        &self.pool[place]
    }

    /// An agent's id.
    #[must_use]
    pub fn agent(&self, place: usize) -> &str {
        &self.config.agents[place]
    }

    /// Where an opponent's share is kept.
    #[must_use]
    pub fn place(&self, opponent: Opponent) -> Option<u16> {
        match opponent {
            Opponent::Scripted => None,
            Opponent::Snapshot(place) => Some(place as u16),
            Opponent::Agent(place) => Some((self.config.pool + place) as u16),
        }
    }

    /// Takes in the learner's share of the joint gain in an episode.
    pub(super) fn record(&mut self, place: u16, share: f32) {
        let mean = &mut self.shares[usize::from(place)];
        *mean += SHARE_STEP * (share - *mean);
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::Shape;
    use super::*;
    use zopa_envs::StreamKey;

    fn network(mark: f32) -> PlainNetwork {
        let shape = Shape { inputs: 1, hidden: Vec::new(), actions: 1 };
        PlainNetwork::from_flat(&shape, &[mark, 0.0, 0.0, 0.0]).unwrap()
    }

    fn marks(opponents: &Opponents) -> Vec<f32> {
        opponents.pool.iter().map(|network| network.advantage.weight[0]).collect()
    }

    #[test]
    fn a_snapshot_is_taken_every_two_hundred_episodes_and_five_are_kept() {
        let config = OpponentsConfig { self_play: 1.0, ..OpponentsConfig::default() };
        let mut opponents = Opponents::new(&config, network(0.0));
        for update in 1..=24 {
            opponents.follow(update * 50, || network(update as f32));
        }
        assert_eq!(marks(&opponents), [8.0, 12.0, 16.0, 20.0, 24.0]);
        let mut opponents = Opponents::new(&config, network(0.0));
        opponents.follow(1_000, || network(1.0));
        opponents.follow(1_001, || network(2.0));
        assert_eq!(marks(&opponents), [0.0, 1.0], "a long update takes one snapshot, not all that were due");
    }

    #[test]
    fn the_league_meets_more_often_who_takes_more() {
        let agents = vec!["a".to_owned(), "b".to_owned()];
        let config =
            OpponentsConfig { scripted: 0.0, agents_share: 1.0, agents, league: true, ..OpponentsConfig::default() };
        let mut opponents = Opponents::new(&config, network(0.0));
        for _ in 0..2_000 {
            opponents.record(opponents.place(Opponent::Agent(0)).unwrap(), 0.9);
            opponents.record(opponents.place(Opponent::Agent(1)).unwrap(), 0.4);
        }
        let mut stream = StreamKey::new("test", &[]).stream(0);
        let hard = (0..10_000).filter(|_| opponents.draw(&mut stream) == Opponent::Agent(1)).count();
        // (1 - 0.4)^2 beside (1 - 0.9)^2.
        assert!((hard as f64 / 10_000.0 - 36.0 / 37.0).abs() < 0.01, "{hard}");
    }
}

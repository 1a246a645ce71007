//! What a learner learns from: whole episodes, one trajectory each.

/// One episode as the learner lived it.
///
/// # Shapes
/// With n steps, d numbers an observation and m choices: `observations` `[n, d]` and `masks` `[n, m]`, or `[n + 1, ..]` where the
/// episode was truncated: the last row is then what it saw when it was cut off, whose value is bootstrapped. Everything
/// else is `[n]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// What was seen before each step.
    pub observations: Vec<f32>,
    /// What was legal then.
    pub masks: Vec<bool>,
    /// What was chosen.
    pub actions: Vec<u16>,
    /// What it brought.
    pub rewards: Vec<f32>,
    /// Whether the episode was cut off; otherwise it terminated and nothing follows.
    pub truncated: bool,
    /// What the episode was worth and how it went, for curves.
    pub outcome: EpisodeOutcome,
}

/// An episode in brief, for learning curves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EpisodeOutcome {
    /// Whether there was a deal.
    pub agreement: bool,
    /// Own gain realised as a share of the scale (the status quo's price, or the best table gain).
    pub surplus: f64,
    /// Whether no own proposal failed a guardrail.
    pub constraint_satisfied: bool,
    /// Which of the changing opponents it was against: see [`super::opponents::Opponents`].
    pub opponent: Option<u16>,
    /// The own share of what both sides gained, in `[0, 1]`; 0 without a deal.
    pub share: f32,
}

impl Trajectory {
    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.observations.clear();
        self.masks.clear();
        self.actions.clear();
        self.rewards.clear();
        self.truncated = false;
        self.outcome = EpisodeOutcome::default();
    }

    /// Steps made.
    #[must_use]
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether no step was made: the other side ended the episode first.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Sum of its rewards.
    #[must_use]
    pub fn total(&self) -> f32 {
        self.rewards.iter().sum()
    }
}

/// Chooses, given an observation `[d]` and a mask `[m]`.
pub type Chooser<'a> = dyn FnMut(&[f32], &[bool]) -> usize + 'a;

/// A game of one learner; other players are part of it.
pub trait Game: Sync {
    /// Numbers an observation.
    fn width(&self) -> usize;

    /// Choices at every step.
    fn choices(&self) -> usize;

    /// Plays episode `episode` to its end, asking `choose` at every step, into an empty `trajectory`. The same number and the same
    /// choices give the same episode, whatever was played before.
    fn play(&self, episode: u64, choose: &mut Chooser<'_>, trajectory: &mut Trajectory);
}

//! What a learned policy sees: a fixed row of numbers that mean the same in every domain.
//!
//! The environment's own observation names each issue, so its width depends on the suite. These numbers speak of own gains and
//! of an estimate of the other side instead, so that one set of weights plays every suite and every imported domain. They are
//! made from a [`PartyView`] and nothing else.

use crate::estimate::{expected_other, most_flexible_other};
use crate::joint::JointPackages;
use serde::{Deserialize, Serialize};
use zopa_envs::environment::Trails;
use zopa_envs::{Offer, PartyType, PartyView, Phase};

/// The least hope as a share of the yardstick: gains are divided by the hope, so it must not vanish.
const LEAST_HOPE: f64 = 0.01;
/// Hazards are a few per cent a round; this brings them to the size of the other numbers.
const HAZARD_SCALE: f64 = 10.0;
/// Rounds that count as one.
const LONG: f64 = 40.0;

/// What the numbers are, in order. Gains are own gains divided by the *hope* ([`Prospect::hope`]) unless said otherwise, and
/// clipped to [-2, 2].
pub const ENTRIES: [&str; 30] = [
    "progress to the public deadline",
    "progress to the own deadline",
    "rounds left / public rounds",
    "last turn",
    "phase opening",
    "phase bargaining",
    "phase closing",
    "phase final",
    "last attempt refused",
    "own offer made",
    "own last gain",
    "own last step",
    "own concession",
    "own final declared",
    "standing offer",
    "standing gain",
    "other's last step",
    "other's concession",
    "standing offer is final",
    "gap",
    "supplier's seat",
    "opens every round",
    "break-off hazard * 10",
    "discount",
    "gain expected to be attainable",
    "hope / yardstick",
    "gain at an even split, as expected",
    "least gain that the guardrails permit next",
    "rounds / 40",
    "price among the issues",
];

/// What the belief features are: they follow the estimate of the other side as its offers come in. Its gains are under the
/// prior's mean valuations, divided by the own hope.
pub const BELIEF_ENTRIES: [&str; 8] = [
    "other's expected gain of its standing offer",
    "other's expected gain of the own last offer",
    "least expected gain that the other has offered to take",
    "other's concession an offer",
    "other's last concession over the own last one",
    "standing gain in the own last turn if the other goes on as so far",
    "share of the other terms of the standing offer that are the joint ones",
    "other's offers / rounds",
];

/// Which numbers a policy sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Perception {
    /// Whether [`BELIEF_ENTRIES`] follow [`ENTRIES`].
    pub beliefs: bool,
}

impl Perception {
    /// How many numbers there are.
    #[must_use]
    pub const fn width(self) -> usize {
        ENTRIES.len() + if self.beliefs { BELIEF_ENTRIES.len() } else { 0 }
    }
}

/// What can be hoped for in a negotiation, computed once at its start from public information and the own type.
#[derive(Clone, Debug)]
pub struct Prospect {
    /// The highest own gain of any package that the other side could take at all, were it of its most flexible type; at least
    /// 1 % of the yardstick.
    pub hope: f64,
    /// The highest own gain of any package that the expected other side could take; at least 0.
    pub expected: f64,
    /// Own gain of the package that splits the expected joint gain by Nash's rule; at least 0.
    pub even: f64,
    /// The package of largest expected joint gain, whose other terms are worth offering.
    pub joint: Option<Offer>,
    other: PartyType,
}

impl Prospect {
    /// The prospect of the side that looks.
    #[must_use]
    pub fn of(view: &PartyView<'_>) -> Self {
        let other = expected_other(view);
        let packages = JointPackages::new(view.public, view.seat, view.own, &other, view.mandate);
        let flexible = most_flexible_other(view);
        let gain = |offer: Option<Offer>| offer.map_or(0.0, |offer| view.gain(&offer)).max(0.0);
        let (joint, expected, even, hope);
        if view.own.utility.price_issue().is_some() {
            // The terms of largest joint gain hardly depend on the price, so that one walk over them is enough.
            joint = packages.utilitarian();
            let leaving = |party: &PartyType| {
                let terms = joint.as_ref()?;
                let price = party.utility.price_for(terms, party.disagreement)?;
                Some(terms.with(party.utility.price_issue()?, price))
            };
            expected = gain(leaving(&other));
            even = expected / 2.0;
            hope = flexible.as_ref().map_or(0.0, |flexible| gain(leaving(flexible)));
        } else {
            joint = packages.utilitarian();
            expected = gain(packages.best_leaving(0.0));
            even = gain(packages.nash());
            hope = view.own.yardstick;
        }
        // Without a prior a price ten per cent better than the status quo is as much as the guardrails let anybody ask in a move.
        let unknown = if hope > 0.0 { hope } else { 0.1 * view.own.yardstick };
        Self { hope: unknown.max(LEAST_HOPE * view.own.yardstick), expected, even, joint, other }
    }
}

/// One negotiation as it is perceived: its prospect, and both sides' trails up to now.
#[derive(Clone, Debug)]
pub struct Perceived {
    /// The prospect.
    pub prospect: Prospect,
    trails: Trails,
    least_taken: f64,
    offers_seen: u32,
}

impl Perceived {
    /// Starts following the negotiation that `view` shows.
    #[must_use]
    pub fn begin(view: &PartyView<'_>) -> Self {
        let mut trails = Trails::default();
        trails.restart(view);
        Self { prospect: Prospect::of(view), trails, least_taken: f64::INFINITY, offers_seen: 0 }
    }

    /// Takes in what `view` shows that was not there before.
    pub fn follow(&mut self, view: &PartyView<'_>) {
        self.trails.follow(view);
        if self.trails.other.offers > self.offers_seen {
            self.offers_seen = self.trails.other.offers;
            if let Some(standing) = view.standing() {
                self.least_taken = self.least_taken.min(self.prospect.other.gain(standing));
            }
        }
    }

    /// Both sides' trails.
    #[must_use]
    pub fn trails(&self) -> &Trails {
        &self.trails
    }

    /// Writes what a policy with `perception` sees, after [`Self::follow`].
    ///
    /// # Shapes
    /// `row`: `[perception.width()]`.
    pub fn write(&self, perception: Perception, view: &PartyView<'_>, row: &mut [f32]) {
        let (own, other) = (&self.trails.own, &self.trails.other);
        let per_hope = 1.0 / self.prospect.hope;
        let gain = |gain: f64| (gain * per_hope).clamp(-2.0, 2.0) as f32;
        let flag = |set: bool| f32::from(u8::from(set));
        let public = view.public;
        let phase = view.phase();
        let rounds = f64::from(public.rounds.max(1));
        let both = own.offers > 0 && other.offers > 0;
        let least = view.least_gain();
        let entries: [f32; ENTRIES.len()] = [
            view.progress() as f32,
            view.own_progress() as f32,
            (f64::from(view.rounds_left()) / rounds).min(1.0) as f32,
            flag(view.is_last_turn()),
            flag(phase == Phase::Opening),
            flag(phase == Phase::Bargaining),
            flag(phase == Phase::Closing),
            flag(phase == Phase::Final),
            flag(view.refusal.is_some()),
            flag(own.offers > 0),
            gain(own.last),
            gain(own.previous - own.last),
            gain(own.first - own.last),
            flag(own.declared_final),
            flag(other.offers > 0),
            gain(other.last),
            gain(other.last - other.previous),
            gain(other.last - other.first),
            flag(other.is_final),
            if both { gain(own.last - other.last) } else { 0.0 },
            view.seat.index() as f32,
            flag(public.opener == view.seat),
            (public.hazard * HAZARD_SCALE).clamp(0.0, 1.0) as f32,
            public.discount[view.seat.index()].clamp(0.0, 1.0) as f32,
            gain(self.prospect.expected),
            (self.prospect.hope / view.own.yardstick).clamp(0.0, 1.0) as f32,
            gain(self.prospect.even),
            if least.is_finite() { gain(least) } else { -2.0 },
            (rounds / LONG).min(1.0) as f32,
            flag(view.own.utility.price_issue().is_some()),
        ];
        row[..ENTRIES.len()].copy_from_slice(&entries);
        if perception.beliefs {
            row[ENTRIES.len()..].copy_from_slice(&self.beliefs(view, gain));
        }
    }

    fn beliefs(&self, view: &PartyView<'_>, gain: impl Fn(f64) -> f32) -> [f32; BELIEF_ENTRIES.len()] {
        let (own, other) = (&self.trails.own, &self.trails.other);
        let (standing, last) = (view.standing(), view.own_last());
        let theirs = |offer: Option<&Offer>| offer.map_or(0.0, |offer| gain(self.prospect.other.gain(offer)));
        let pace = (other.last - other.first) / f64::from(other.offers.saturating_sub(1).max(1));
        let own_step = (own.previous - own.last).max(0.0);
        let other_step = (other.last - other.previous).max(0.0);
        let answered = if own_step > 0.0 { (other_step / own_step).min(2.0) as f32 } else { 0.0 };
        let ahead = other.last + pace * f64::from(view.rounds_left() - 1);
        let shared = match (standing, &self.prospect.joint) {
            (Some(standing), Some(joint)) => {
                let price = view.own.utility.price_issue();
                let terms = (0..joint.indices().len()).filter(|&issue| Some(issue) != price);
                let equal = terms.clone().filter(|&issue| standing.get(issue) == joint.get(issue)).count();
                equal as f32 / terms.count().max(1) as f32
            }
            _ => 0.0,
        };
        [
            theirs(standing),
            theirs(last),
            if self.least_taken.is_finite() { gain(self.least_taken) } else { 0.0 },
            gain(pace),
            answered,
            if other.offers > 0 { gain(ahead) } else { 0.0 },
            shared,
            (f64::from(other.offers) / f64::from(view.public.rounds.max(1))).min(1.0) as f32,
        ]
    }
}

//! What a learner sees: a fixed row of named numbers made from a party's view and nothing else.

use super::trail::Trails;
use crate::phase::Phase;
use crate::prior::CommonPrior;
use crate::scenario::PublicScenario;
use crate::view::PartyView;
use serde::Serialize;
use std::sync::Arc;

/// One entry of an observation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObservationEntry {
    /// What it is.
    pub name: Arc<str>,
    /// Its unit in words.
    pub unit: Arc<str>,
    /// Lowest value; what lies below is clipped.
    pub low: f32,
    /// Highest value; what lies above is clipped.
    pub high: f32,
}

/// The entries of an observation, in order: Gymnasium's `Box` with a name and a unit for each number.
///
/// The first entries are the same everywhere; then come, for each issue, the value in the other side's standing offer and in
/// the own last offer, and at the end the own type's parameters. The specification is made from a source's first scenario;
/// where a later one has fewer issues or parameters, the entries left over are 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObservationSpec {
    /// The entries.
    pub entries: Vec<ObservationEntry>,
    #[serde(skip)]
    issues: usize,
    #[serde(skip)]
    parameters: usize,
}

/// Entries before the terms.
const FIXED: usize = 23;

const SHARE: &str = "share";
const FLAG: &str = "0 or 1";
const GAIN: &str = "own gain / yardstick";

const FIXED_ENTRIES: [(&str, &str, f32, f32); FIXED] = [
    ("progress", SHARE, 0.0, 1.0),
    ("rounds left", "share of the public deadline", 0.0, 1.0),
    ("phase opening", FLAG, 0.0, 1.0),
    ("phase bargaining", FLAG, 0.0, 1.0),
    ("phase closing", FLAG, 0.0, 1.0),
    ("phase final", FLAG, 0.0, 1.0),
    ("supplier's seat", FLAG, 0.0, 1.0),
    ("opens every round", FLAG, 0.0, 1.0),
    ("break-off hazard", "chance a round", 0.0, 1.0),
    ("discount", "what a gain counts at the deadline", 0.0, 1.0),
    ("last attempt refused", FLAG, 0.0, 1.0),
    ("own offer made", FLAG, 0.0, 1.0),
    ("own last gain", GAIN, -1.0, 1.0),
    ("own last step", "own gain given up / yardstick", -1.0, 1.0),
    ("own concession", "own gain given up since the first offer / yardstick", -1.0, 1.0),
    ("own final declared", FLAG, 0.0, 1.0),
    ("standing offer", FLAG, 0.0, 1.0),
    ("standing gain", GAIN, -1.0, 1.0),
    ("other's last step", "own gain won / yardstick", -1.0, 1.0),
    ("other's concession", "own gain won since the first offer / yardstick", -1.0, 1.0),
    ("standing offer is final", FLAG, 0.0, 1.0),
    ("gap", "own gain / yardstick", -1.0, 1.0),
    ("status quo gain", GAIN, -1.0, 1.0),
];

impl ObservationSpec {
    /// The specification for scenarios like `public`.
    #[must_use]
    pub fn new(public: &PublicScenario) -> Self {
        let entry =
            |name: String, unit: &str, low, high| ObservationEntry { name: name.into(), unit: unit.into(), low, high };
        let mut entries: Vec<ObservationEntry> =
            FIXED_ENTRIES.iter().map(|&(name, unit, low, high)| entry(name.to_owned(), unit, low, high)).collect();
        for side in ["standing", "own"] {
            let terms = public.space.issues().iter();
            entries.extend(terms.map(|issue| entry(format!("{side} {}", issue.name), "share of the grid", 0.0, 1.0)));
        }
        let mut parameters = 0;
        if let CommonPrior::Parties(priors) = &public.prior {
            let [buyer, supplier] = [0, 1].map(|seat| priors[seat].parameter_names(&public.space));
            parameters = buyer.len().max(supplier.len());
            for position in 0..parameters {
                let name = match (buyer.get(position), supplier.get(position)) {
                    (Some(one), Some(other)) if one != other => format!("type: {one} (buyer), {other} (supplier)"),
                    (Some(name), _) | (None, Some(name)) => format!("type: {name}"),
                    (None, None) => continue,
                };
                entries.push(entry(name, "share of the prior's support", 0.0, 1.0));
            }
        }
        Self { entries, issues: public.space.issues().len(), parameters }
    }

    /// How many numbers an observation has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.entries.len()
    }

    /// The observation of `view`, for callers that hold no environment: learned agents in a match.
    ///
    /// # Shapes
    /// `observation`: `[width]`.
    pub fn observe(&self, view: &PartyView<'_>, observation: &mut [f32]) {
        let mut trails = Trails::default();
        trails.follow(view);
        self.write(view, &trails, observation);
    }

    /// Writes the observation, given trails that have followed `view`.
    pub(super) fn write(&self, view: &PartyView<'_>, trails: &Trails, observation: &mut [f32]) {
        let Some((fixed, rest)) = observation.split_first_chunk_mut::<FIXED>() else { return };
        let public = view.public;
        let phase = view.phase();
        let (own, other) = (&trails.own, &trails.other);
        let per_yardstick = 1.0 / view.own.yardstick;
        let share = |amount: f64| (amount * per_yardstick).clamp(-1.0, 1.0) as f32;
        let flag = |set: bool| f32::from(u8::from(set));
        let both = own.offers > 0 && other.offers > 0;
        *fixed = [
            view.progress() as f32,
            f32::from(view.rounds_left()) / f32::from(public.rounds.max(1)),
            flag(phase == Phase::Opening),
            flag(phase == Phase::Bargaining),
            flag(phase == Phase::Closing),
            flag(phase == Phase::Final),
            view.seat.index() as f32,
            flag(public.opener == view.seat),
            public.hazard.clamp(0.0, 1.0) as f32,
            public.discount[view.seat.index()].clamp(0.0, 1.0) as f32,
            flag(view.refusal.is_some()),
            flag(own.offers > 0),
            share(own.last),
            share(own.previous - own.last),
            share(own.first - own.last),
            flag(own.declared_final),
            flag(other.offers > 0),
            share(other.last),
            share(other.last - other.previous),
            share(other.last - other.first),
            flag(other.is_final),
            if both { share(own.last - other.last) } else { 0.0 },
            share(trails.status_quo),
        ];
        let (terms, parameters) = rest.split_at_mut(2 * self.issues);
        let (standing, last) = terms.split_at_mut(self.issues);
        for (out, offer) in [(standing, view.standing()), (last, view.own_last())] {
            let Some(offer) = offer else {
                out.fill(0.0);
                continue;
            };
            let issues = public.space.issues().iter().map(Some).chain(std::iter::repeat(None));
            for (position, (entry, issue)) in out.iter_mut().zip(issues).enumerate() {
                *entry = issue.map_or(0.0, |issue| offer.get(position) as f32 / (issue.len() - 1).max(1) as f32);
            }
        }
        let CommonPrior::Parties(priors) = &public.prior else {
            parameters.fill(0.0);
            return;
        };
        let mut drawn = view.own.parameters.iter().zip(priors[view.seat.index()].distributions());
        for entry in &mut parameters[..self.parameters] {
            *entry = drawn.next().map_or(0.0, |(&parameter, distribution)| {
                let (low, high) = distribution.support();
                if high > low { ((parameter - low) / (high - low)).clamp(0.0, 1.0) as f32 } else { 0.5 }
            });
        }
    }
}

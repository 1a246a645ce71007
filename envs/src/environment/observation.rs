//! What a learner sees: a fixed row of named numbers made from a party's view and nothing else.

use super::trail::{Trail, Trails};
use crate::negotiation::Negotiation;
use crate::offer::{INLINE, Offer};
use crate::party::Seat;
use crate::phase::Phase;
use crate::prior::{CommonPrior, Distribution};
use crate::relationship::{Delivery, MOST_CONTRACTS, PastContract, PublicRelationship};
use crate::scenario::PublicScenario;
use crate::view::{PartyView, rounds_left};
use serde::Serialize;
use smallvec::SmallVec;
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
/// First comes how the negotiation stands; then, for each issue, the value in the other side's standing offer and in the own
/// last offer; then the setting and the own type's parameters; and, of a series of contracts, how it went so far. The specification is made from a source's first scenario;
/// where a later one has fewer issues or parameters, the entries left over are 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObservationSpec {
    /// The entries.
    pub entries: Vec<ObservationEntry>,
    #[serde(skip)]
    issues: usize,
    #[serde(skip)]
    parameters: usize,
    #[serde(skip)]
    repeats: bool,
}

/// Entries before the terms: they change from turn to turn.
const TURN: usize = 18;
/// Entries after the terms and before the type's parameters: they stay the same for a whole negotiation.
const SETTING: usize = 5;

const SHARE: &str = "share";
const FLAG: &str = "0 or 1";
const GAIN: &str = "own gain / yardstick";

const TURN_ENTRIES: [(&str, &str, f32, f32); TURN] = [
    ("progress", SHARE, 0.0, 1.0),
    ("rounds left", "share of the public deadline", 0.0, 1.0),
    ("phase opening", FLAG, 0.0, 1.0),
    ("phase bargaining", FLAG, 0.0, 1.0),
    ("phase closing", FLAG, 0.0, 1.0),
    ("phase final", FLAG, 0.0, 1.0),
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
];

const SETTING_ENTRIES: [(&str, &str, f32, f32); SETTING] = [
    ("supplier's seat", FLAG, 0.0, 1.0),
    ("opens every round", FLAG, 0.0, 1.0),
    ("break-off hazard", "chance a round", 0.0, 1.0),
    ("discount", "what a gain counts at the deadline", 0.0, 1.0),
    ("status quo gain", GAIN, -1.0, 1.0),
];

/// How a series of contracts went so far; at the end, and only there where episodes are series.
const SERIES_ENTRIES: [(&str, &str, f32, f32); 4] = [
    ("contracts before", "share of ten contracts", 0.0, 1.0),
    ("contracts to follow", "share of ten contracts", 0.0, 1.0),
    ("deals so far", "share of the contracts before", 0.0, 1.0),
    ("late deliveries so far", "share of the deals", 0.0, 1.0),
];

/// What stays the same for a whole negotiation, computed once at its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fixed {
    /// The setting's entries and the parameters'.
    entries: SmallVec<[f32; 12]>,
    /// What a step on each issue's grid counts; zeros behind them up to as many as an offer holds inline.
    steps: SmallVec<[f32; INLINE]>,
    per_yardstick: f64,
    per_round: f32,
}

/// What an observation tells of a negotiation beside its trails.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing<'a> {
    pub(super) progress: f64,
    pub(super) phase: Phase,
    pub(super) rounds_left: u16,
    /// Whether the last attempt was refused.
    pub(super) refused: bool,
    /// The own last offer and the other side's.
    pub(super) offers: [Option<&'a Offer>; 2],
}

impl<'a> Standing<'a> {
    #[inline]
    pub(super) fn of(view: &PartyView<'a>) -> Self {
        let progress = view.progress();
        Self {
            progress,
            phase: view.public.phases.at(progress),
            rounds_left: view.rounds_left(),
            refused: view.refusal.is_some(),
            offers: [view.own_last(), view.standing()],
        }
    }

    /// The same of what the side at `seat` sees of a running negotiation.
    #[inline]
    pub(super) fn in_negotiation(negotiation: &'a Negotiation, seat: Seat) -> Self {
        let scenario = negotiation.scenario();
        let own = &scenario.types[seat.index()];
        Self {
            progress: negotiation.progress(),
            phase: negotiation.phase(),
            rounds_left: rounds_left(own, scenario.public.rounds, negotiation.round()),
            refused: negotiation.was_refused(seat),
            offers: negotiation.latest(seat).map(|latest| latest.offer),
        }
    }
}

/// For each issue the share of its grid below an offer's value; zeros without an offer, `None` where values are not inline.
#[inline]
fn shares(offer: Option<&Offer>, steps: &[f32; INLINE]) -> Option<[f32; INLINE]> {
    let Some(offer) = offer else { return Some([0.0; INLINE]) };
    let values = offer.inline()?;
    // As signed numbers, which a processor converts several at a time; none of these goes beyond them.
    Some(std::array::from_fn(|at| (values[at].cast_signed() as f32 * steps[at]).min(1.0)))
}

impl ObservationSpec {
    /// The specification for scenarios like `public`.
    #[must_use]
    pub fn new(public: &PublicScenario) -> Self {
        let entry =
            |name: String, unit: &str, low, high| ObservationEntry { name: name.into(), unit: unit.into(), low, high };
        let named = |list: &[(&str, &str, f32, f32)]| -> Vec<ObservationEntry> {
            list.iter().map(|&(name, unit, low, high)| entry(name.to_owned(), unit, low, high)).collect()
        };
        let mut entries = named(&TURN_ENTRIES);
        for side in ["standing", "own"] {
            let terms = public.space.issues().iter();
            entries.extend(terms.map(|issue| entry(format!("{side} {}", issue.name), "share of the grid", 0.0, 1.0)));
        }
        entries.extend(named(&SETTING_ENTRIES));
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
        Self { entries, issues: public.space.issues().len(), parameters, repeats: false }
    }

    /// The specification for series of contracts like `public`.
    #[must_use]
    pub fn of_series(public: &PublicScenario) -> Self {
        let mut spec = Self::new(public);
        spec.repeats = true;
        spec.entries.extend(SERIES_ENTRIES.map(|(name, unit, low, high)| ObservationEntry {
            name: name.into(),
            unit: unit.into(),
            low,
            high,
        }));
        spec
    }

    /// How many numbers an observation has.
    #[must_use]
    #[inline]
    pub fn width(&self) -> usize {
        self.entries.len()
    }

    /// The observation of `view`, for callers that hold no environment: learned agents in a match.
    ///
    /// # Shapes
    /// `observation`: `[width]`.
    pub fn observe(&self, view: &PartyView<'_>, observation: &mut [f32]) {
        let mut fixed = Fixed::default();
        self.fix(view, &mut fixed);
        let Trails { own, other, .. } = Trails::of(view);
        self.write(&Standing::of(view), &[own, other], &fixed, observation);
    }

    /// Computes what stays the same for the negotiation that `view` shows.
    pub(super) fn fix(&self, view: &PartyView<'_>, fixed: &mut Fixed) {
        let public = view.public;
        let flag = |set: bool| f32::from(u8::from(set));
        fixed.per_yardstick = 1.0 / view.own.yardstick;
        fixed.per_round = 1.0 / f32::from(public.rounds.max(1));
        let status_quo = public.status_quo.as_ref().map_or(0.0, |offer| view.gain(offer));
        if fixed.entries.len() != SETTING + self.parameters {
            fixed.entries.resize(SETTING + self.parameters, 0.0);
        }
        let (setting, parameters) = fixed.entries.split_at_mut(SETTING);
        setting.copy_from_slice(&[
            view.seat.index() as f32,
            flag(public.opener == view.seat),
            public.hazard.clamp(0.0, 1.0) as f32,
            public.discount[view.seat.index()].clamp(0.0, 1.0) as f32,
            (status_quo * fixed.per_yardstick).clamp(-1.0, 1.0) as f32,
        ]);
        let mut places = parameters.iter_mut();
        if let (CommonPrior::Parties(priors), [disagreement, weights @ ..]) = (&public.prior, &view.own.parameters[..])
        {
            let prior = &priors[view.seat.index()];
            let shares = prior.valuations.iter().zip(weights).map(|(of, &weight)| share_of_support(&of.weight, weight));
            let shares = std::iter::once(share_of_support(&prior.disagreement, *disagreement)).chain(shares);
            shares.zip(places.by_ref()).for_each(|(share, place)| *place = share);
        }
        places.for_each(|place| *place = 0.0);
        if self.repeats {
            fixed.entries.extend(view.relationship.map_or([0.0; SERIES_ENTRIES.len()], so_far));
        }
        // Any other length than that of inline values has the terms written one by one.
        let lens = public.space.lens();
        let convertible = lens.iter().all(|&len| i32::try_from(len).is_ok());
        let steps = self.issues.max(if convertible { INLINE } else { INLINE + 1 });
        if fixed.steps.len() != steps {
            fixed.steps.resize(steps, 0.0);
        }
        let known = self.issues.min(lens.len());
        for (step, &len) in fixed.steps.iter_mut().zip(&lens[..known]) {
            *step = 1.0 / (len.saturating_sub(1)).max(1) as f32;
        }
        fixed.steps[known..].fill(0.0);
    }

    /// Writes the observation of how things stand, given trails that have followed them and what [`Self::fix`] computed for the
    /// negotiation.
    #[inline]
    pub(super) fn write(&self, standing: &Standing<'_>, trails: &[Trail; 2], fixed: &Fixed, observation: &mut [f32]) {
        let Some((turn, rest)) = observation.split_first_chunk_mut() else { return };
        *turn = turn_entries(standing, trails, fixed);
        let [last, standing] = standing.offers;
        let steps = fixed.steps.first_chunk().filter(|_| fixed.steps.len() == INLINE);
        let inline = steps.and_then(|steps| Some([shares(standing, steps)?, shares(last, steps)?]));
        match inline.filter(|_| rest.len() >= self.issues + INLINE) {
            // All places at once: what goes beyond the last issue is written over by what follows it.
            Some([standing, last]) => {
                rest[..INLINE].copy_from_slice(&standing);
                rest[self.issues..][..INLINE].copy_from_slice(&last);
            }
            None => self.write_terms_one_by_one([standing, last], fixed, rest),
        }
        copy_few(&fixed.entries, &mut rest[2 * self.issues..]);
    }

    #[inline(never)]
    fn write_terms_one_by_one(&self, offers: [Option<&Offer>; 2], fixed: &Fixed, rest: &mut [f32]) {
        let (standing, last) = rest[..2 * self.issues].split_at_mut(self.issues);
        for (entries, offer) in [standing, last].into_iter().zip(offers) {
            entries.fill(0.0);
            let indices = offer.map_or(&[][..], Offer::indices);
            for ((entry, &index), step) in entries.iter_mut().zip(indices).zip(&fixed.steps) {
                *entry = (index as f32 * step).min(1.0);
            }
        }
    }
}

/// The entries before the terms.
#[inline]
fn turn_entries(standing: &Standing<'_>, [own, other]: &[Trail; 2], fixed: &Fixed) -> [f32; TURN] {
    let &Standing { progress, phase, rounds_left, refused, .. } = standing;
    let [last, step, conceded, standing, won, all_won, gap] = [
        own.last,
        own.previous - own.last,
        own.first - own.last,
        other.last,
        other.last - other.previous,
        other.last - other.first,
        own.last - other.last,
    ]
    .map(|gain| (gain * fixed.per_yardstick) as f32)
    .map(within_one);
    let (own_made, other_made) = (own.offers > 0, other.offers > 0);
    // 1.0 has these bits, 0.0 has none: a product instead of a conversion.
    let flag = |set: bool| f32::from_bits(u32::from(set) * 0x3f80_0000);
    [
        progress as f32,
        (f32::from(rounds_left) * fixed.per_round).min(1.0),
        flag(phase == Phase::Opening),
        flag(phase == Phase::Bargaining),
        flag(phase == Phase::Closing),
        flag(phase == Phase::Final),
        flag(refused),
        flag(own_made),
        last,
        step,
        conceded,
        flag(own.declared_final),
        flag(other_made),
        standing,
        won,
        all_won,
        flag(other.is_final),
        if own_made & other_made { gap } else { 0.0 },
    ]
}

/// The number clipped to `[-1, 1]`, by comparisons that are one instruction each.
#[inline]
fn within_one(number: f32) -> f32 {
    let number = if number > -1.0 { number } else { -1.0 };
    if number < 1.0 { number } else { 1.0 }
}

/// Copies numbers of which there are few: in two pieces of a size known beforehand, which overlap. A call takes longer.
#[inline]
fn copy_few(from: &[f32], to: &mut [f32]) {
    fn in_pieces<const N: usize>(from: &[f32], to: &mut [f32]) -> Option<()> {
        let (first, last) = (from.first_chunk::<N>()?, from.last_chunk::<N>()?);
        if to.len() != from.len() {
            return None;
        }
        *to.first_chunk_mut()? = *first;
        *to.last_chunk_mut()? = *last;
        Some(())
    }
    let copied = match from.len() {
        4..=8 => in_pieces::<4>(from, to),
        9..=16 => in_pieces::<8>(from, to),
        _ => None,
    };
    if copied.is_none() {
        to.copy_from_slice(from);
    }
}

/// Where in the support of its distribution a parameter lies, in `[0, 1]`.
#[inline]
fn share_of_support(distribution: &Distribution, parameter: f64) -> f32 {
    let (low, high) = distribution.support();
    if high > low { ((parameter - low) / (high - low)).clamp(0.0, 1.0) as f32 } else { 0.5 }
}

/// The entries of a series, in order.
fn so_far(relationship: &PublicRelationship) -> [f32; SERIES_ENTRIES.len()] {
    let of_ten = |contracts: u16| (f32::from(contracts) / f32::from(MOST_CONTRACTS)).min(1.0);
    let count = |holds: fn(&PastContract) -> bool| relationship.past.iter().filter(|past| holds(past)).count() as f32;
    let deals = count(|past| past.delivery.is_some());
    let late = count(|past| past.delivery == Some(Delivery::Late));
    [
        of_ten(relationship.contract),
        of_ten(relationship.contracts.saturating_sub(relationship.contract + 1)),
        deals / (relationship.past.len().max(1) as f32),
        late / deals.max(1.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::{copy_few, within_one};

    #[test]
    fn few_numbers_are_copied_in_order_whatever_their_count() {
        for count in 0..40_u8 {
            let from: Vec<f32> = (0..count).map(f32::from).collect();
            let mut to = vec![-1.0; from.len()];
            copy_few(&from, &mut to);
            assert_eq!(to, from);
        }
    }

    #[test]
    fn numbers_are_clipped_as_by_clamp() {
        for number in [f32::NEG_INFINITY, -1.5, -1.0, -0.25, -0.0, 0.0, 0.5, 1.0, 1.5, f32::INFINITY] {
            assert_eq!(within_one(number).to_bits(), number.clamp(-1.0, 1.0).to_bits());
        }
    }
}

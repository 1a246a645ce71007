//! Counterparts that listen: what is said to them moves how fast they concede and what they accept, within bounds.

use crate::action::{Act, Move};
use crate::issue::{IssueRole, Value};
use crate::message::{Claim, Message, MessageFeatures, Polarity, Statement, Subject};
use crate::money::Money;
use crate::outcome::Offer;
use crate::party::Seat;
use crate::view::PartyView;

/// What a listening counterpart listens for. Each gives a message a *signal* in `[-1, 1]` from the features of its text
/// ([`MessageFeatures`]), which are read alike from every speaker; silence is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ear {
    /// Reasons: `reasons - hostility - pressure / 2`.
    Reasoned,
    /// Tone: `(courtesy + acknowledgement) / 2 - 2 * hostility`.
    Reciprocal,
    /// Consistency: `consistency / 2 - unsupported - hostility`, and 1 less for a contradiction: a stated price that is not the offer's, an offer
    /// beyond a limit stated before, or a new offer after a final one.
    Suspicious,
}

impl Ear {
    /// The signal of a message with these features, before any contradiction.
    #[must_use]
    pub fn signal(self, features: &MessageFeatures) -> f64 {
        let signal = match self {
            Self::Reasoned => features.reasons - features.hostility - 0.5 * features.pressure,
            Self::Reciprocal => f64::midpoint(features.courtesy, features.acknowledgement) - 2.0 * features.hostility,
            Self::Suspicious => 0.5 * features.consistency - features.unsupported - features.hostility,
        };
        signal.clamp(-1.0, 1.0)
    }
}

/// Moves with what it is told. Its *mood* m in `[-1, 1]` is `memory * m + (1 - memory) * signal` after each of its turns, from 0.
///
/// The clock runs at `1 + m * (fastest - 1)` for a good mood and `1 + m * (1 - slowest)` for a bad one, and it accepts what falls
/// short of its own next offer by `m * shift` of the yardstick (asks that much more in a bad mood). To who says
/// nothing it is a steady counterpart.
#[derive(Clone, Debug, PartialEq)]
pub struct Listening {
    /// What it listens for.
    pub ear: Ear,
    /// The clock's speed in the best mood, in `[1, 1.5]`.
    pub fastest: f64,
    /// The clock's speed in the worst mood, in `[0.7, 1]`.
    pub slowest: f64,
    /// Largest shift of the acceptance threshold, as a share of the yardstick.
    pub shift: f64,
    /// The weight of what was said before, in `[0, 1)`.
    pub memory: f64,
    mood: f64,
    read: usize,
    record: Record,
}

impl Listening {
    /// The highest speed that a family may publish.
    pub const FASTEST: f64 = 1.5;
    /// The lowest speed that a family may publish.
    pub const SLOWEST: f64 = 0.7;
    /// The largest shift of the acceptance threshold that a family may publish, as a share of the yardstick.
    pub const LARGEST_SHIFT: f64 = 0.02;

    /// A listener that has heard nothing yet.
    #[must_use]
    pub fn new(ear: Ear, [slowest, fastest]: [f64; 2], shift: f64, memory: f64) -> Self {
        Self { ear, fastest, slowest, shift, memory, mood: 0.0, read: 0, record: Record::default() }
    }

    /// Its mood, in `[-1, 1]`; 0 is neutral.
    #[must_use]
    pub fn mood(&self) -> f64 {
        self.mood
    }

    /// The clock's speed after hearing what was said since its last turn.
    pub(super) fn speed(&mut self, view: &PartyView<'_>) -> f64 {
        let mut signal = 0.0;
        for made in &view.history[self.read.min(view.history.len())..] {
            if made.seat != view.seat {
                signal = self.hear(view, made);
            }
        }
        self.read = view.history.len();
        self.mood = self.memory * self.mood + (1.0 - self.memory) * signal;
        if self.mood > 0.0 { 1.0 + self.mood * (self.fastest - 1.0) } else { 1.0 + self.mood * (1.0 - self.slowest) }
    }

    /// How far below its own next offer it accepts, in units of utility.
    pub(super) fn leniency(&self, view: &PartyView<'_>) -> f64 {
        self.mood * self.shift * view.own.yardstick
    }

    fn hear(&mut self, view: &PartyView<'_>, made: &Move) -> f64 {
        let said = made.message.as_ref();
        let contradicts = self.ear == Ear::Suspicious && self.record.contradicted_by(view, made, said);
        let Some(message) = said else { return if contradicts { -1.0 } else { 0.0 } };
        let signal = self.ear.signal(&message.parsed().features);
        if contradicts { (signal - 1.0).max(-1.0) } else { signal }
    }
}

/// What the other side is held to by its own words.
#[derive(Clone, Debug, Default, PartialEq)]
struct Record {
    limit: Option<Money>,
    last_word: Option<Offer>,
}

impl Record {
    /// Whether the move contradicts what was said with it or before; then keeps what it says.
    fn contradicted_by(&mut self, view: &PartyView<'_>, made: &Move, said: Option<&Message>) -> bool {
        let own = |claim: &&Claim| claim.polarity == Polarity::Asserted && claim.subject == Subject::Own;
        let claims = || said.into_iter().flat_map(|message| message.parsed().claims.iter()).filter(own);
        let price = made.offer().and_then(|offer| {
            let issue = view.public.space.role(IssueRole::Price)?;
            match view.public.space.issues()[issue].value(offer.get(issue)) {
                Value::Money(price) => Some(price),
                Value::Integer(_) | Value::Label(_) => None,
            }
        });
        let mut contradicts = false;
        if let Some(price) = price {
            let mut stated = claims().filter_map(|claim| match &claim.statement {
                Statement::Price(interval) => Some(interval),
                _ => None,
            });
            if let Some(first) = stated.next() {
                contradicts |=
                    !std::iter::once(first).chain(stated).any(|range| (range.low..=range.high).contains(&price));
            }
            contradicts |= self.limit.is_some_and(|limit| match made.seat {
                Seat::Buyer => price > limit,
                Seat::Supplier => price < limit,
            });
        }
        if let (Some(last_word), Some(offer)) = (&self.last_word, made.offer()) {
            contradicts |= last_word != offer;
        }
        for claim in claims() {
            match &claim.statement {
                Statement::Limit(Some(limit)) => {
                    self.limit = Some(if made.seat == Seat::Buyer { limit.high } else { limit.low });
                }
                Statement::FinalOffer => self.last_word = made.offer().cloned(),
                _ => {}
            }
        }
        if let Act::Offer { offer, is_final: true } = &made.act {
            self.last_word = Some(offer.clone());
        }
        contradicts
    }
}

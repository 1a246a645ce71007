//! Offers: full packages of values.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Issues whose values an offer holds inline.
pub(crate) const INLINE: usize = 8;

/// A full package: for each issue of the space, the index of its value on the issue's grid.
///
/// Up to eight issues are held inline, so the suites' offers, and those of most domains, never touch the heap.
#[derive(Eq)]
pub struct Offer {
    /// The indices where they fit, with zeros behind the last, so that equal offers have equal fields; else zeros.
    values: [u32; INLINE],
    /// How many of them there are.
    len: u8,
    /// All indices where they do not fit; one pointer wide, since it is nearly always empty.
    more: Option<Box<Box<[u32]>>>,
}

impl Offer {
    /// An offer of these value indices. Whether they lie on the grid is for [`crate::OutcomeSpace::contains`] to say.
    #[must_use]
    pub fn new(indices: &[u32]) -> Self {
        if indices.len() > INLINE {
            return Self { more: Some(Box::new(indices.into())), ..Self::NOTHING };
        }
        let mut offer = Self { len: indices.len() as u8, ..Self::NOTHING };
        offer.values[..indices.len()].copy_from_slice(indices);
        offer
    }

    /// The offer of the first values of `len` issues.
    #[must_use]
    #[inline]
    pub(crate) fn zeros(len: usize) -> Self {
        if len > INLINE {
            return Self { more: Some(Box::new(vec![0; len].into())), ..Self::NOTHING };
        }
        Self { len: len as u8, ..Self::NOTHING }
    }

    /// An offer about nothing, to be replaced.
    pub(crate) const NOTHING: Self = Self { values: [0; INLINE], len: 0, more: None };

    /// The value indices, one an issue.
    #[must_use]
    #[inline]
    pub fn indices(&self) -> &[u32] {
        match &self.more {
            None => &self.values[..usize::from(self.len).min(INLINE)],
            Some(values) => values,
        }
    }

    #[inline]
    pub(crate) fn indices_mut(&mut self) -> &mut [u32] {
        match &mut self.more {
            None => &mut self.values[..usize::from(self.len).min(INLINE)],
            Some(values) => values,
        }
    }

    /// The index of `issue`'s value.
    #[must_use]
    #[inline]
    pub fn get(&self, issue: usize) -> u32 {
        self.indices()[issue]
    }

    /// This offer with another value for one issue.
    #[must_use]
    #[inline]
    pub fn with(&self, issue: usize, index: u32) -> Self {
        let mut changed = self.clone();
        changed.set(issue, index);
        changed
    }

    /// Whether both are the same but for one issue's value.
    #[inline]
    pub(crate) fn same_but(&self, other: &Self, issue: usize) -> bool {
        if let (None, None, Some(keep)) = (&self.more, &other.more, KEPT.get(issue)) {
            let mut differ = u32::from(self.len ^ other.len);
            for ((value, with), keep) in self.values.iter().zip(&other.values).zip(keep) {
                differ |= (value ^ with) & keep;
            }
            return differ == 0;
        }
        let (values, with) = (self.indices(), other.indices());
        let differs = |place: usize| place != issue && values[place] != with[place];
        values.len() == with.len() && !(0..values.len()).any(differs)
    }

    /// The value indices with zeros behind them, where they are inline.
    #[inline]
    pub(crate) fn inline(&self) -> Option<&[u32; INLINE]> {
        self.more.is_none().then_some(&self.values)
    }

    /// Sets one issue's value in place.
    #[inline]
    pub fn set(&mut self, issue: usize, index: u32) {
        self.indices_mut()[issue] = index;
    }
}

/// For each issue the bits of all values but its own.
const KEPT: [[u32; INLINE]; INLINE] = {
    let mut kept = [[u32::MAX; INLINE]; INLINE];
    let mut issue = 0;
    while issue < INLINE {
        kept[issue][issue] = 0;
        issue += 1;
    }
    kept
};

impl Clone for Offer {
    #[inline]
    fn clone(&self) -> Self {
        Self { values: self.values, len: self.len, more: self.more.clone() }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        if self.more.is_none() && other.more.is_none() {
            (self.values, self.len) = (other.values, other.len);
        } else {
            *self = other.clone();
        }
    }
}

impl PartialEq for Offer {
    /// Without a branch over the values: tactics look offers up in lists.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let mut differ = u32::from(self.len ^ other.len);
        for (value, with) in self.values.iter().zip(&other.values) {
            differ |= value ^ with;
        }
        differ == 0 && self.more == other.more
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.indices().cmp(other.indices())
    }
}

impl Hash for Offer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.indices().hash(state);
    }
}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Offer").field(&self.indices()).finish()
    }
}

impl Serialize for Offer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.indices().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Offer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&SmallVec::<[u32; INLINE]>::deserialize(deserializer)?))
    }
}

//! SHA-256 over canonical bytes: numbers little-endian, floats by their bits, text length-prefixed, never JSON.

mod game;

use crate::message::Message;
use serde::{Deserialize, Serialize};
use sha2::Digest as _;
use std::fmt;

/// A SHA-256 digest, written in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest's bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest of plain bytes, as `sha256sum` prints it.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fault = || format!("\"{text}\" is no digest: 64 hexadecimal digits are needed");
        if text.len() != 64 || !text.is_ascii() {
            return Err(fault());
        }
        let mut bytes = [0; 32];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).map_err(|_| fault())?;
        }
        Ok(Self(bytes))
    }
}

/// Takes canonical bytes and makes a digest of them.
#[derive(Clone, Debug, Default)]
pub struct Hasher(sha2::Sha256);

impl Hasher {
    /// A hasher of nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes `what` in.
    #[must_use]
    pub fn with(mut self, what: &(impl Canonical + ?Sized)) -> Self {
        what.feed(&mut self);
        self
    }

    /// The digest of all that was taken in.
    #[must_use]
    pub fn digest(self) -> Digest {
        Digest(self.0.finalize().into())
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

/// What has canonical bytes. Sequences are length-prefixed and variants numbered, so no two values share their bytes.
pub trait Canonical {
    /// Feeds the canonical bytes to `hasher`.
    fn feed(&self, hasher: &mut Hasher);
}

macro_rules! canonical_numbers {
    ($($number:ty),*) => {$(
        impl Canonical for $number {
            fn feed(&self, hasher: &mut Hasher) {
                hasher.bytes(&self.to_le_bytes());
            }
        }
    )*};
}
canonical_numbers!(u8, u16, u32, u64, i64);

impl Canonical for bool {
    fn feed(&self, hasher: &mut Hasher) {
        u8::from(*self).feed(hasher);
    }
}

impl Canonical for f64 {
    fn feed(&self, hasher: &mut Hasher) {
        self.to_bits().feed(hasher);
    }
}

impl Canonical for str {
    fn feed(&self, hasher: &mut Hasher) {
        (self.len() as u64).feed(hasher);
        hasher.bytes(self.as_bytes());
    }
}

impl<T: Canonical> Canonical for [T] {
    fn feed(&self, hasher: &mut Hasher) {
        (self.len() as u64).feed(hasher);
        self.iter().for_each(|item| item.feed(hasher));
    }
}

impl<T: Canonical> Canonical for Option<T> {
    fn feed(&self, hasher: &mut Hasher) {
        self.is_some().feed(hasher);
        if let Some(value) = self {
            value.feed(hasher);
        }
    }
}

impl<T: Canonical + ?Sized> Canonical for &T {
    fn feed(&self, hasher: &mut Hasher) {
        (**self).feed(hasher);
    }
}

impl Canonical for std::sync::Arc<str> {
    fn feed(&self, hasher: &mut Hasher) {
        (**self).feed(hasher);
    }
}

impl Canonical for crate::Money {
    fn feed(&self, hasher: &mut Hasher) {
        self.0.feed(hasher);
    }
}

impl Canonical for Message {
    fn feed(&self, hasher: &mut Hasher) {
        self.text().feed(hasher);
    }
}

impl Canonical for Digest {
    fn feed(&self, hasher: &mut Hasher) {
        hasher.bytes(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, Hasher};

    #[test]
    fn a_digest_survives_its_text_and_other_text_is_refused() {
        let digest = Hasher::new().with("zopa").with(&7_u64).digest();
        assert_eq!(Digest::try_from(digest.to_string()), Ok(digest));
        assert!(Digest::try_from("12".to_owned()).is_err());
        assert!(Digest::try_from("x".repeat(64)).is_err());
    }

    #[test]
    fn plain_bytes_digest_as_sha256() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of_bytes(b"abc").to_string(), abc);
    }

    #[test]
    fn no_two_sequences_share_their_bytes() {
        let digest = |parts: &[&str]| Hasher::new().with(parts).digest();
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["ab"]), digest(&["ab", ""]));
    }
}

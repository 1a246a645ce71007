//! One sealed-bid negotiation as a line of a run's journal.

use serde::{Deserialize, Serialize};
use std::io::{BufRead, Read};
use std::sync::Arc;
use thiserror::Error;
use zopa_envs::Digest;
use zopa_envs::digest::Hasher;

/// What is wrong with a line.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TradeRecordError {
    /// It cannot be read.
    #[error("line {line}: {source}")]
    Read {
        /// Its number, from 1.
        line: u64,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is no record.
    #[error("line {line}: {source}")]
    Json {
        /// Its number, from 1.
        line: u64,
        /// What the parser said.
        source: serde_json::Error,
    },
    /// It is longer than any record.
    #[error("line {line}: it is longer than {} bytes, which no record is", TradeRecord::MAX_LINE_BYTES)]
    TooLong {
        /// Its number, from 1.
        line: u64,
    },
    /// Another version wrote it.
    #[error("line {line}: schema {found}, but this version reads schema {}", TradeRecord::SCHEMA)]
    Schema {
        /// Its number, from 1.
        line: u64,
        /// What it says.
        found: u32,
    },
    /// It was changed.
    #[error("line {line}: the digest is {found}, but its content gives {expected}")]
    Digest {
        /// Its number, from 1.
        line: u64,
        /// What it says.
        found: Digest,
        /// What its content gives.
        expected: Digest,
    },
}

/// Both sides' types, prices and gains; the buyer's come first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TradeRecord {
    /// Version of this layout.
    pub schema: u32,
    /// The prior that the types were drawn from.
    pub prior: Arc<str>,
    /// The run's seed.
    pub seed: u64,
    /// Which pair of a value and a cost, from 0.
    pub index: u64,
    /// Who bids and who asks.
    pub bidders: [Arc<str>; 2],
    /// The buyer's value and the supplier's cost.
    pub values: [f64; 2],
    /// The bid and the ask.
    pub prices: [f64; 2],
    /// The price of the trade; `None` where the bid is below the ask.
    pub trade: Option<f64>,
    /// What each side gained.
    pub gains: [f64; 2],
    /// SHA-256 over the rest.
    pub digest: Digest,
}

impl TradeRecord {
    /// The layout that this version writes.
    pub const SCHEMA: u32 = 1;

    /// More bytes than a record can have. A longer line is never held in memory.
    pub const MAX_LINE_BYTES: usize = 64 << 10;

    /// The record with its digest in place.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.digest = self.content();
        self
    }

    fn content(&self) -> Digest {
        let Self { schema, prior, seed, index, bidders, values, prices, trade, gains, digest: _ } = self;
        Hasher::new()
            .with(schema)
            .with(&**prior)
            .with(seed)
            .with(index)
            .with(&*bidders[0])
            .with(&*bidders[1])
            .with(values.as_slice())
            .with(prices.as_slice())
            .with(trade)
            .with(gains.as_slice())
            .digest()
    }

    /// The record as one line, without its end.
    ///
    /// # Errors
    /// Where a number is not finite; prices that are not are refused when they are submitted.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Reads the record of line `line` (from 1) and tests its digest.
    ///
    /// # Errors
    /// Where the line is no record, has another schema, or does not match its own digest.
    pub fn from_line(text: &str, line: u64) -> Result<Self, TradeRecordError> {
        Self::from_bytes(text.as_bytes(), line)
    }

    /// As [`Self::from_line`], from bytes that may be no text at all.
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(text: &[u8], line: u64) -> Result<Self, TradeRecordError> {
        let record: Self = serde_json::from_slice(text).map_err(|source| TradeRecordError::Json { line, source })?;
        if record.schema != Self::SCHEMA {
            return Err(TradeRecordError::Schema { line, found: record.schema });
        }
        let expected = record.content();
        if record.digest != expected {
            return Err(TradeRecordError::Digest { line, found: record.digest, expected });
        }
        Ok(record)
    }
}

/// The records of a journal, one a line; the first line that cannot be read ends it. Of a line no more than
/// [`TradeRecord::MAX_LINE_BYTES`] is ever held in memory.
pub fn read_trade_records(mut journal: impl BufRead) -> impl Iterator<Item = Result<TradeRecord, TradeRecordError>> {
    let (mut line, mut text, mut ended) = (0_u64, Vec::new(), false);
    std::iter::from_fn(move || {
        if ended {
            return None;
        }
        line += 1;
        text.clear();
        let read = journal.by_ref().take(TradeRecord::MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut text);
        let record = match read {
            Err(source) => Err(TradeRecordError::Read { line, source }),
            Ok(0) => {
                ended = true;
                return None;
            }
            Ok(_) if text.len() > TradeRecord::MAX_LINE_BYTES => Err(TradeRecordError::TooLong { line }),
            Ok(_) => TradeRecord::from_bytes(text.trim_ascii_end(), line),
        };
        ended = record.is_err();
        Some(record)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> TradeRecord {
        TradeRecord {
            schema: TradeRecord::SCHEMA,
            prior: "uniform".into(),
            seed: 2,
            index: 7,
            bidders: ["truthful".into(), "shading".into()],
            values: [0.1 + 0.2, 0.0],
            prices: [0.3, -0.0],
            trade: Some(0.15),
            gains: [0.15, 0.15],
            digest: Digest::of_bytes(&[]),
        }
        .sealed()
    }

    #[test]
    fn a_record_survives_its_line_and_a_changed_one_is_found() {
        let text = record().to_line().expect("JSON");
        assert_eq!(TradeRecord::from_line(&text, 1).expect("a record"), record());
        for (from, to) in [("\"index\":7", "\"index\":8"), ("0.15,0.15", "0.15,0.16"), ("0.3,", "0.4,")] {
            assert!(text.contains(from), "{from} is in {text}");
            let error = TradeRecord::from_line(&text.replacen(from, to, 1), 3).expect_err("changed").to_string();
            assert!(error.starts_with("line 3: the digest is "), "{error}");
        }
        let journal = format!("{text}\nnot a record\n{text}\n");
        assert_eq!(read_trade_records(journal.as_bytes()).count(), 2);
    }

    #[test]
    fn a_line_without_end_is_refused_before_it_fills_the_memory() {
        let text = record().to_line().expect("JSON");
        // A reader that never ends: were the line read whole, so would this test.
        let begun = format!("{text}\n");
        let endless = std::io::BufReader::new(begun.as_bytes().chain(std::io::repeat(b'{')));
        let read: Vec<_> =
            read_trade_records(endless).map(|record| record.map_err(|fault| fault.to_string())).collect();
        assert!(read[0].is_ok());
        assert_eq!(read[1..], [Err("line 2: it is longer than 65536 bytes, which no record is".to_owned())]);
    }
}

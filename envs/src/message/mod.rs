//! Messages: what they claim, how they sound, and how an agent's own decision is put into words.
//!
//! [`parse`] reads any text into typed [`Claim`]s and bounded [`MessageFeatures`]; [`speak()`] writes a
//! decision as English that [`parse`] reads back exactly. Start in `phrases.rs` to teach the parser a phrase, in
//! `terms.rs` to change what a number means, in `phrasings.rs` to add a way of saying something. Nothing here draws a
//! random number or keeps state.

pub mod accuracy;
mod calendar;
mod claim;
mod common_words;
mod digits;
mod features;
mod interpret;
mod lexicon;
mod named;
mod number;
mod offer_terms;
mod phrases;
mod phrasings;
mod reading;
mod rule;
pub mod speak;
mod stated_value;
mod statement;
mod template;
mod terms;
mod token;
mod utterance;
mod vocabulary;

pub use claim::{Claim, Polarity, Subject, TextSpan};
pub use features::MessageFeatures;
pub use speak::{Remark, Speech, SpeechAct, SpokenTerms, speak};
pub use stated_value::{CalendarDay, Due, Incoterm, Interval, Reason, ServiceLevel, Stance, Tier, Tone};
pub use statement::{ClaimKind, Statement};
pub use template::{spoken_act, template};
pub use utterance::{Message, one_line, steers};

use lexicon::Lexicon;
use reading::Reading;
use serde::{Deserialize, Serialize};

/// Bytes of a message that are read; the rest is left out and [`Parsed::truncated`] set.
pub const MAX_MESSAGE_BYTES: usize = 16 * 1024;

/// A message as read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parsed {
    /// Everything claimed, by position in the text.
    pub claims: Vec<Claim>,
    /// Features of the whole message.
    pub features: MessageFeatures,
    /// The message was longer than [`MAX_MESSAGE_BYTES`].
    pub truncated: bool,
}

/// Reads a message. Total: any text gives a result, in time linear in its length up to [`MAX_MESSAGE_BYTES`].
#[must_use]
pub fn parse(text: &str) -> Parsed {
    let read = &text[..text.floor_char_boundary(MAX_MESSAGE_BYTES)];
    let lexicon = Lexicon::get();
    let named = named::named_terms(read);
    let masked: Vec<(usize, usize)> =
        named.iter().map(|term| (term.span.start as usize, term.span.end as usize)).collect();
    let tokens = token::tokenise(read, &masked, lexicon);
    let items = number::read_quantities(&tokens, lexicon);
    let reading = Reading::new(&items, lexicon);
    let mut claims = reading.claims();
    let mut plain = |statement, span| {
        claims.push(Claim { statement, polarity: Polarity::Asserted, subject: Subject::Own, span });
    };
    for span in named::placeholders(read) {
        // Ranges are sorted and disjoint: only the last that begins before the slot can hold it.
        let before = masked.partition_point(|&(start, _)| start <= span.start as usize);
        if before == 0 || masked[before - 1].1 < span.end as usize {
            plain(Statement::Placeholder, span);
        }
    }
    for term in named {
        plain(Statement::Term { name: term.name, value: term.value }, term.span);
    }
    claims.sort_by(|a, b| (a.span, &a.statement).cmp(&(b.span, &b.statement)));
    let features = MessageFeatures::of(&claims, reading.consistency_hooks);
    Parsed { claims, features, truncated: read.len() < text.len() }
}

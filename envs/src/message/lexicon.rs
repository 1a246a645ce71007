//! The vocabulary: words interned once, with the unit, term or pronoun that each stands for, and spelling repair.

use super::common_words::COMMON_WORDS;
use super::rule::{Element, Rule, compile};
use super::vocabulary::{
    ASKS, CONDITIONS, CONNECTS, CONTRASTS, CUES, Cue, FIRST_PERSON, FOLLOWS_PRICE, INTRODUCES_PRICE, NEGATES, OBJECTS,
    SECOND_PERSON, SUPPOSES, TOUCHES, UNITS, UnitWord,
};
use std::collections::HashMap;
use std::sync::OnceLock;

/// An interned word; 0 is every word outside the vocabulary.
pub(super) type WordId = u16;

/// What a word says about the sentence that it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Role {
    pub(super) negates: bool,
    pub(super) conditions: bool,
    pub(super) contrasts: bool,
    pub(super) connects: bool,
    pub(super) first_person: bool,
    pub(super) second_person: bool,
    pub(super) asks: bool,
    pub(super) supposes: bool,
}

/// The words with everything known about them, and the compiled rules.
pub(super) struct Lexicon {
    ids: HashMap<Box<str>, WordId>,
    by_initial: Vec<Vec<(Box<str>, WordId)>>,
    units: Vec<Option<UnitWord>>,
    cues: Vec<Option<Cue>>,
    roles: Vec<Role>,
    touches: Vec<bool>,
    objects: Vec<bool>,
    introduces_price: Vec<bool>,
    follows_price: Vec<bool>,
    pub(super) rules: Vec<Rule>,
    pub(super) by_first_word: Vec<Vec<u16>>,
    pub(super) by_other_start: Vec<u16>,
    pub(super) and: WordId,
    pub(super) of: WordId,
    pub(super) to: WordId,
    pub(super) from: WordId,
    pub(super) between: WordId,
    pub(super) so: WordId,
    pub(super) even: WordId,
    pub(super) due: WordId,
    you: [WordId; 2],
}

/// Gives each word its number while the lexicon is built.
#[derive(Default)]
pub(super) struct Interner {
    ids: HashMap<Box<str>, WordId>,
}

impl Interner {
    pub(super) fn id(&mut self, word: &str) -> WordId {
        let next = self.ids.len() as WordId + 1;
        *self.ids.entry(word.into()).or_insert(next)
    }
}

impl Lexicon {
    /// The one lexicon, built at its first use.
    pub(super) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut interner = Interner::default();
        let rules = compile(&mut interner);
        let lists = [
            NEGATES,
            CONDITIONS,
            CONTRASTS,
            CONNECTS,
            FIRST_PERSON,
            SECOND_PERSON,
            ASKS,
            SUPPOSES,
            TOUCHES,
            COMMON_WORDS,
            OBJECTS,
            INTRODUCES_PRICE,
            FOLLOWS_PRICE,
        ];
        for word in lists.iter().flat_map(|list| list.split_whitespace()) {
            interner.id(word);
        }
        for (word, _) in UNITS {
            interner.id(word);
        }
        for (_, words) in CUES {
            words.split_whitespace().for_each(|word| _ = interner.id(word));
        }
        let fixed =
            ["and", "of", "to", "from", "between", "so", "even", "due", "you", "u"].map(|word| interner.id(word));
        let size = interner.ids.len() + 1;
        let id = |word: &str| usize::from(interner.ids[word]);
        let mut units = vec![None; size];
        for &(word, unit) in UNITS {
            units[id(word)] = Some(unit);
        }
        let mut cues = vec![None; size];
        for &(cue, words) in CUES {
            words.split_whitespace().for_each(|word| cues[id(word)] = Some(cue));
        }
        let mut roles = vec![Role::default(); size];
        let mut mark = |words: &str, set: fn(&mut Role)| {
            words.split_whitespace().for_each(|word| set(&mut roles[id(word)]));
        };
        mark(NEGATES, |role| role.negates = true);
        mark(CONDITIONS, |role| role.conditions = true);
        mark(CONTRASTS, |role| role.contrasts = true);
        mark(CONNECTS, |role| role.connects = true);
        mark(FIRST_PERSON, |role| role.first_person = true);
        mark(SECOND_PERSON, |role| role.second_person = true);
        mark(ASKS, |role| role.asks = true);
        mark(SUPPOSES, |role| role.supposes = true);
        let flags = |words: &str| {
            let mut flags = vec![false; size];
            words.split_whitespace().for_each(|word| flags[id(word)] = true);
            flags
        };
        let [touches, objects, introduces_price, follows_price] =
            [TOUCHES, OBJECTS, INTRODUCES_PRICE, FOLLOWS_PRICE].map(flags);
        let mut by_first_word = vec![Vec::new(); size];
        let mut by_other_start = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            match &rule.pattern[0] {
                Element::Words { ids, .. } => {
                    ids.iter().for_each(|&word| by_first_word[usize::from(word)].push(index as u16))
                }
                _ => by_other_start.push(index as u16),
            }
        }
        #[expect(clippy::disallowed_methods, reason = "sorted by the next statement")]
        let mut sorted: Vec<(Box<str>, WordId)> = interner.ids.iter().map(|(word, &id)| (word.clone(), id)).collect();
        sorted.sort();
        let mut by_initial = vec![Vec::new(); 26];
        for (word, id) in sorted {
            if word.len() >= 5
                && let Some(initial) = initial(&word)
            {
                by_initial[initial].push((word, id));
            }
        }
        let [and, of, to, from, between, so, even, due, you, u] = fixed;
        Self {
            ids: interner.ids,
            by_initial,
            units,
            cues,
            roles,
            touches,
            objects,
            introduces_price,
            follows_price,
            rules,
            by_first_word,
            by_other_start,
            and,
            of,
            to,
            from,
            between,
            so,
            even,
            due,
            you: [you, u],
        }
    }

    /// The word's number, after repair of one slip of the pen in words of five letters or more; 0 if unknown.
    pub(super) fn look_up(&self, word: &str) -> WordId {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        if !(3..=16).contains(&word.len()) || !word.is_ascii() {
            return 0;
        }
        if word.len() <= 4
            && let Some(id) = self.swapped(word)
        {
            return id;
        }
        if word.len() < 4 {
            return 0;
        }
        let Some(initial) = initial(word) else { return 0 };
        let near =
            self.by_initial[initial].iter().filter(|(known, _)| one_slip_apart(word.as_bytes(), known.as_bytes()));
        // A swap or a doubled letter is likelier than another letter: prefer the same length, then the order of the alphabet.
        near.min_by_key(|(known, _)| known.len().abs_diff(word.len())).map_or(0, |&(_, id)| id)
    }

    /// A short word with two neighbouring letters swapped: "teh", "adn", "wiht".
    fn swapped(&self, word: &str) -> Option<WordId> {
        let mut letters = word.as_bytes().to_vec();
        (1..letters.len()).find_map(|at| {
            letters.swap(at - 1, at);
            let known = std::str::from_utf8(&letters).ok().and_then(|word| self.ids.get(word)).copied();
            letters.swap(at - 1, at);
            known
        })
    }

    pub(super) fn unit(&self, word: WordId) -> Option<UnitWord> {
        self.units[usize::from(word)]
    }

    pub(super) fn cue(&self, word: WordId) -> Option<Cue> {
        self.cues[usize::from(word)]
    }

    pub(super) fn role(&self, word: WordId) -> Role {
        self.roles[usize::from(word)]
    }

    pub(super) fn is_bare_you(&self, word: WordId) -> bool {
        self.you.contains(&word)
    }

    pub(super) fn takes_object(&self, word: WordId) -> bool {
        self.objects[usize::from(word)]
    }

    pub(super) fn introduces_price(&self, word: WordId) -> bool {
        self.introduces_price[usize::from(word)]
    }

    pub(super) fn may_follow_price(&self, word: WordId) -> bool {
        self.follows_price[usize::from(word)]
    }

    pub(super) fn may_touch_number(&self, word: WordId) -> bool {
        self.touches[usize::from(word)]
    }
}

fn initial(word: &str) -> Option<usize> {
    let byte = *word.as_bytes().first()?;
    byte.is_ascii_lowercase().then(|| usize::from(byte - b'a'))
}

/// One letter changed, missing, added, or two neighbours swapped (Damerau 1964), the first letter kept.
fn one_slip_apart(written: &[u8], known: &[u8]) -> bool {
    if written.len().abs_diff(known.len()) > 1 {
        return false;
    }
    let head = written.iter().zip(known).take_while(|(a, b)| a == b).count();
    let (a, b) = (&written[head..], &known[head..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => *a == b[1..],
        std::cmp::Ordering::Greater => a[1..] == *b,
        std::cmp::Ordering::Equal => {
            a.is_empty() || a[1..] == b[1..] || a.len() >= 2 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..]
        }
    }
}

//! Proposals that people make in words.
//!
//! A message counts as a proposal where it says for each of the three types how many packages the speaker or the other side
//! gets: "I need 3 food and 1 water, you can have all the firewood". A number belongs to the type that follows it and to the
//! person named last. What is said of one type twice must agree; what leaves a type open, asks for "some" or names no person
//! is no proposal. So silent readings are left out, not guessed, and half-proposals are missed: the figures that rest on this
//! are of those people who named a whole division.

use super::{EACH, ITEMS};

/// Words for numbers of packages.
const NUMBERS: [(&str, u32); 15] = [
    ("0", 0),
    ("zero", 0),
    ("no", 0),
    ("none", 0),
    ("1", 1),
    ("one", 1),
    ("a", 1),
    ("an", 1),
    ("2", 2),
    ("two", 2),
    ("both", 2),
    ("3", EACH),
    ("three", EACH),
    ("all", EACH),
    ("every", EACH),
];

/// The speaker.
const SPEAKER: [&str; 9] = ["i", "me", "my", "i'll", "i'd", "i'm", "mine", "ill", "we"];

/// The other person.
const OTHER: [&str; 6] = ["you", "your", "you'll", "you'd", "yours", "u"];

/// What may stand between a number and its type.
const BETWEEN: [&str; 25] = [
    "of", "the", "unit", "units", "package", "packages", "pack", "packs", "extra", "piece", "pieces", "bundle",
    "bundles", "and", "more", "my", "your", "case", "cases", "part", "parts", "ration", "rations", "portion",
    "portions",
];

/// The packages of each type that the speaker of `text` would keep; `None` where the text is no proposal.
#[must_use]
pub fn stated_proposal(text: &str) -> Option<[u32; 3]> {
    let text = text.to_lowercase().replace('\u{2019}', "'");
    let mut kept: [Option<u32>; 3] = [None; 3];
    let (mut speaker, mut number) = (None, None);
    for word in words(&text) {
        if SPEAKER.contains(&word) {
            (speaker, number) = (Some(true), None);
        } else if OTHER.contains(&word) {
            (speaker, number) = (Some(false), None);
        } else if let Some(item) = item(word) {
            if let (Some(count), Some(speaker)) = (number.take(), speaker) {
                let own = if speaker { count } else { EACH - count };
                if kept[item].replace(own).is_some_and(|before| before != own) {
                    return None;
                }
            }
        } else if let Some(&(_, count)) = NUMBERS.iter().find(|(known, _)| *known == word) {
            number = Some(count);
        } else if !BETWEEN.contains(&word) && word != "," && word != "." {
            number = None;
        }
    }
    let [Some(first), Some(second), Some(third)] = kept else { return None };
    Some([first, second, third])
}

fn item(word: &str) -> Option<usize> {
    let name = match word.strip_suffix('s').unwrap_or(word) {
        "wood" => "firewood",
        other => other,
    };
    ITEMS.iter().position(|item| item.eq_ignore_ascii_case(name))
}

/// Runs of letters and apostrophes, runs of digits, and marks that end or part sentences, in the order of the text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let kind = |character: char| match character {
        'a'..='z' | '\'' => 1,
        '0'..='9' => 2,
        _ => 0,
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            let end = match kind(first) {
                0 => first.len_utf8(),
                own => rest.find(|character| kind(character) != own).unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            rest = after;
            if kind(first) > 0 || ".?!;,".contains(first) {
                return Some(word);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::stated_proposal;

    #[test]
    fn a_whole_division_in_words_is_read_and_nothing_is_guessed() {
        let check = |text: &str, kept: Option<[u32; 3]>| assert_eq!(stated_proposal(text), kept, "{text}");
        check("I need 3 food and 1 water, you can have all the firewood.", Some([3, 1, 0]));
        check("How about you take two waters and one food, and I\u{2019}ll keep 2 woods?", Some([2, 1, 2]));
        check("You get 3 firewood. I get two packages of food and 3 of the water", Some([2, 3, 0]));
        // A type is open, or nobody is named, or two numbers of one type contradict each other.
        check("I need 3 food and some water, you can have all the firewood", None);
        check("3 food, 1 water, 0 firewood", None);
        check("I need 3 food, 2 water and 1 firewood; you can have 2 water", None);
        check("I take 2 food and you take 1 food, I take 1 water, you take 3 firewood", Some([2, 1, 0]));
        check("", None);
        check("Is 3 a good number of tents for food, water and firewood?", None);
    }
}

//! The words and signs of a condition, each with its column.

use super::FilterError;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Word(String),
    Number(f64),
    Text(String),
    /// `==`, `!=`, `<`, `<=`, `>` or `>=`.
    Relation(&'static str),
    Open,
    Close,
}

/// All tokens of `text` with their columns, from 1.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, FilterError> {
    let characters: Vec<char> = text.chars().collect();
    let fail = |at: usize, problem: String| Err(FilterError { text: text.to_owned(), column: at + 1, problem });
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let start = at;
        let next = characters.get(at + 1).copied();
        let token = match character {
            _ if character.is_whitespace() => {
                at += 1;
                continue;
            }
            '(' => Token::Open,
            ')' => Token::Close,
            '=' if next == Some('=') => Token::Relation("=="),
            '!' if next == Some('=') => Token::Relation("!="),
            '<' if next == Some('=') => Token::Relation("<="),
            '>' if next == Some('=') => Token::Relation(">="),
            '<' => Token::Relation("<"),
            '>' => Token::Relation(">"),
            '=' => return fail(start, "`=` is no comparison: write `==`".to_owned()),
            '"' => {
                let length = characters[start + 1..].iter().position(|&letter| letter == '"');
                let Some(length) = length else {
                    return fail(start, "the text is not closed: end it with a quotation mark".to_owned());
                };
                at = start + length + 2;
                found.push((start + 1, Token::Text(characters[start + 1..=start + length].iter().collect())));
                continue;
            }
            _ if character.is_ascii_digit() || character == '-' || character == '.' => {
                let part = |letter: &char| letter.is_ascii_alphanumeric() || ".+-".contains(*letter);
                let length = characters[start..].iter().take_while(|letter| part(letter)).count();
                let written: String = characters[start..start + length].iter().collect();
                match written.parse::<f64>() {
                    Ok(number) if number.is_finite() => found.push((start + 1, Token::Number(number))),
                    _ => return fail(start, format!("`{written}` is no number")),
                }
                at = start + length;
                continue;
            }
            _ if character.is_alphabetic() || character == '_' => {
                let part = |letter: &char| letter.is_alphanumeric() || *letter == '_' || *letter == '.';
                let length = characters[start..].iter().take_while(|letter| part(letter)).count();
                found.push((start + 1, Token::Word(characters[start..start + length].iter().collect())));
                at = start + length;
                continue;
            }
            other => return fail(start, format!("`{other}` means nothing here")),
        };
        at += match &token {
            Token::Relation(sign) => sign.len(),
            _ => 1,
        };
        found.push((start + 1, token));
    }
    Ok(found)
}

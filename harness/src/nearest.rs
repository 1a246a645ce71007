//! What a mistyped name was probably meant to be.

/// `unknown` with the nearest of `known` and, where none is near, all of them.
#[must_use]
pub fn unknown<'a>(kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>, list: &str) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let nearest = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), *candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 3);
    match nearest {
        Some((_, candidate)) => format!("unknown {kind} \"{name}\": did you mean \"{candidate}\"? `{list}` lists all"),
        None => format!("unknown {kind} \"{name}\": there are {} (`{list}`)", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::unknown;

    #[test]
    fn a_typo_is_answered_with_the_nearest_name() {
        let check = |name: &str, expected: &str| {
            assert_eq!(unknown("agent", name, ["boulware", "nash"], "zopa agents"), expected);
        };
        check("bulware", "unknown agent \"bulware\": did you mean \"boulware\"? `zopa agents` lists all");
        check("gpt-9000", "unknown agent \"gpt-9000\": there are boulware, nash (`zopa agents`)");
    }
}

//! A domain as a suite file: what `zopa import` writes and `zopa run` plays.

use super::domain::{Domain, Profile};
use crate::suite::domain::{ConstraintSpec, DomainIssueSpec, DomainSpec, DomainValues, ProfileSpec};
use std::fmt::Write as _;
use zopa_envs::message::one_line;
use zopa_envs::{Caps, Grid, Issue};

/// Rounds of a domain whose files do not say: the peers play 100.
pub const DEFAULT_ROUNDS: u16 = 100;

/// How a domain is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DomainGame {
    /// Rounds at most.
    pub rounds: u16,
    /// Guardrails, off unless asked for: their caps were chosen for money.
    pub guardrails: Option<Caps>,
}

impl Default for DomainGame {
    fn default() -> Self {
        Self { rounds: DEFAULT_ROUNDS, guardrails: None }
    }
}

/// The tables that do not depend on the domain. Counterparts are the field's time-dependent tactics, aspiring to all there is
/// at first and to a tenth of it at last, so that waiting for the end never yields everything.
const PLAYERS: &str = r#"
lineup = ["random", "rule-tree", "boulware", "linear", "conceder", "micro", "nash", "solver", "solver-generic", "oracle"]
baseline = "rule-tree"
gated = []

[splits.domain]
purpose = "the domain as it was read, from both seats"
seed = 0
episodes = 200
counterparts = "training"

[[counterparts]]
name = "boulware"
role = "training"
share = 0.3333333333333333
description = "Concedes late. Its aspiration, a share of its best gain, falls by the clock from {initial} to {last}, with a concession exponent of {exponent}. Of the outcomes worth the same to it, it offers the one nearest to your last offer. It accepts what is worth at least its own next offer."
tactic = { time_dependent = { exponent = { constant = 0.2 }, initial = { constant = 1.0 }, last = { constant = 0.1 }, selection = "take_over" } }

[[counterparts]]
name = "linear"
role = "training"
share = 0.3333333333333333
description = "Concedes evenly. Its aspiration, a share of its best gain, falls by the clock from {initial} to {last}, with a concession exponent of {exponent}. Of the outcomes worth the same to it, it offers the one nearest to your last offer. It accepts what is worth at least its own next offer."
tactic = { time_dependent = { exponent = { constant = 1.0 }, initial = { constant = 1.0 }, last = { constant = 0.1 }, selection = "take_over" } }

[[counterparts]]
name = "conceder"
role = "training"
share = 0.3333333333333333
description = "Concedes early. Its aspiration, a share of its best gain, falls by the clock from {initial} to {last}, with a concession exponent of {exponent}. Of the outcomes worth the same to it, it offers the one nearest to your last offer. It accepts what is worth at least its own next offer."
tactic = { time_dependent = { exponent = { constant = 2.0 }, initial = { constant = 1.0 }, last = { constant = 0.1 }, selection = "take_over" } }
"#;

impl Domain {
    /// The suite file of this domain, played as `game` says: both seats, a split `domain`, and preferences written out so that
    /// the folder is no longer needed. Numbers are written so that they are read back bit for bit.
    ///
    /// # Errors
    /// Where a name cannot be written; TOML has a way to write every name.
    pub fn suite_text(&self, game: &DomainGame) -> Result<String, toml::ser::Error> {
        #[derive(serde::Serialize)]
        struct Tables {
            domain: DomainSpec,
        }
        let tables = toml::to_string(&Tables { domain: self.spec() })?;
        let [buyer, supplier] = self.profiles.each_ref();
        let name = suite_name(&self.name);
        let question = format!("How well can an agent negotiate in the domain {}?", one_line(&self.name));
        let mut text = String::with_capacity(tables.len() + 4096);
        let _ = writeln!(text, "# Made by `zopa import`. What the reader decided without being asked:");
        for notice in &self.notices {
            let _ = writeln!(text, "# - {}", one_line(notice));
        }
        if self.notices.is_empty() {
            text.push_str("# nothing\n");
        }
        let _ = writeln!(
            text,
            "\nname = \"{name}\"\nversion = 1\nquestion = {}\ndefault_split = \"domain\"\nrounds = {}\nopener = \"drawn\"\n\
             hazard = 0.0\ndiscount = {{ buyer = {:?}, supplier = {:?} }}",
            toml::Value::String(question),
            game.rounds,
            buyer.discount,
            supplier.discount
        );
        match game.guardrails {
            None => text.push_str("guardrails = \"off\"\n"),
            Some(caps) => {
                let _ = writeln!(text, "guardrails = {{ caps = {} }}", toml::Value::try_from(caps)?);
            }
        }
        text.push_str(PLAYERS);
        text.push('\n');
        text.push_str(&tables);
        Ok(text)
    }

    fn spec(&self) -> DomainSpec {
        let [buyer, supplier] = self.profiles.each_ref();
        let issues = self.space.issues().iter().enumerate().map(|(at, issue)| DomainIssueSpec {
            name: issue.name.to_string(),
            buyer: row(buyer, at),
            supplier: row(supplier, at),
            values: values(issue),
        });
        DomainSpec {
            name: self.name.to_string(),
            digest: self.digest().to_string(),
            issues: issues.collect(),
            buyer: side(buyer),
            supplier: side(supplier),
        }
    }
}

/// What each value adds; empty where all add nothing.
fn row(profile: &Profile, issue: usize) -> Vec<f64> {
    let table = profile.utility.table(issue);
    if table.iter().all(|&worth| worth == 0.0) { Vec::new() } else { table.to_vec() }
}

fn values(issue: &Issue) -> DomainValues {
    match &issue.grid {
        Grid::Labels(labels) => DomainValues::Labels(labels.iter().map(|label| label.to_string()).collect()),
        Grid::Integers { first, step: 1, count } => DomainValues::Integers { first: *first, count: *count },
        // No reader makes another grid; if one did, its values would still be told apart by their texts.
        _ => DomainValues::Labels((0..issue.len()).map(|index| issue.text(index)).collect()),
    }
}

fn side(profile: &Profile) -> ProfileSpec {
    let rectangles = profile.utility.rectangles();
    let constraints = rectangles.into_iter().flat_map(|rectangles| &rectangles.constraints);
    ProfileSpec {
        name: profile.name.to_string(),
        disagreement: profile.reservation,
        constant: profile.utility.constant(),
        most: rectangles.map(|rectangles| rectangles.most).filter(|most| most.is_finite()),
        constraints: constraints
            .map(|constraint| ConstraintSpec {
                pays: constraint.utility,
                outside: !constraint.inside,
                spans: constraint.spans.iter().map(|span| [span.issue as u32, span.first, span.last]).collect(),
            })
            .collect(),
    }
}

/// A suite's name: lower-case letters, digits and hyphens, its version at the end.
fn suite_name(domain: &str) -> String {
    let mut name = String::new();
    for character in domain.chars() {
        match character {
            _ if character.is_ascii_alphanumeric() => name.push(character.to_ascii_lowercase()),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    let name = name.trim_end_matches('-');
    format!("{}-v1", if name.is_empty() { "domain" } else { name })
}

#[cfg(test)]
mod tests {
    use super::suite_name;

    #[test]
    fn a_suite_s_name_is_made_of_the_folder_s() {
        let check = |domain: &str, name: &str| assert_eq!(suite_name(domain), name);
        check("2010-ItexvsCypress", "2010-itexvscypress-v1");
        check("Möbel & Co.", "m-bel-co-v1");
        check("--", "domain-v1");
    }
}

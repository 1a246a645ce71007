//! Checks of everything that is about the suite as a whole: name, rules, splits, lineup and gates.

use super::Check;
use super::error::{SuiteError, nearest};
use super::file::{FamilyRole, GuardrailRule, SuiteFile};
use zopa_envs::message::steers;

/// The most rounds: views index them with 16 bits, and a person reads no longer negotiation.
const MOST_ROUNDS: u16 = 10_000;

/// Seeds lie below 2^53, so that every JSON reader keeps them exactly.
pub(super) const SEED_LIMIT: u64 = 1 << 53;

impl Check<'_> {
    pub(super) fn header(&self, typed: &SuiteFile) -> Result<(), SuiteError> {
        let suffix = format!("-v{}", typed.version);
        let plain =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if !plain(&typed.name) || !typed.name.ends_with(&suffix) {
            let problem = format!("\"{}\" is no suite name of version {}", typed.name, typed.version);
            let remedy = format!("use lower-case letters, digits and hyphens, and end with {suffix}");
            return Err(self.fail("name", problem, remedy));
        }
        if typed.question.trim().is_empty() || typed.question.contains(steers) {
            return Err(self.fail("question", "it must be one line", "say in a line what the suite asks"));
        }
        let domain = typed.domain.iter().flat_map(|domain| {
            let names =
                [("name", &domain.name), ("buyer.name", &domain.buyer.name), ("supplier.name", &domain.supplier.name)];
            names.map(|(key, name)| (format!("domain.{key}"), name))
        });
        let families = typed.counterparts.iter().enumerate();
        let families = families.map(|(position, spec)| (format!("counterparts[{position}].name"), &spec.name));
        let splits = typed.splits.keys().map(|name| (format!("splits.{name}"), name));
        if let Some((field, _)) = domain.chain(families).chain(splits).find(|(_, name)| name.contains(steers)) {
            let field = field.escape_debug().to_string();
            return Err(self.fail(
                &field,
                "the name holds a control character",
                "give it a name of one line of plain text",
            ));
        }
        if !(1..=MOST_ROUNDS).contains(&typed.rounds) {
            let remedy = format!("give 1 to {MOST_ROUNDS} rounds");
            return Err(self.fail("rounds", format!("{} is out of range", typed.rounds), remedy));
        }
        if !(0.0..1.0).contains(&typed.hazard) {
            let problem = format!("{} is no chance below 1", typed.hazard);
            return Err(self.fail("hazard", problem, "give a number from 0 (never) to below 1"));
        }
        for (field, discount) in
            [("discount.buyer", typed.discount.buyer), ("discount.supplier", typed.discount.supplier)]
        {
            if !(discount > 0.0 && discount <= 1.0) {
                let problem = format!("{discount} is no discount factor");
                return Err(self.fail(field, problem, "give a number above 0, at most 1 (time is free)"));
            }
        }
        let phases = typed.phases;
        let ends = [0.0, phases.opening, phases.bargaining, phases.closing, 1.0];
        // NaN is sorted nowhere.
        if !ends.is_sorted() {
            let problem = "the ends of the phases must ascend";
            return Err(self.fail("phases", problem, "keep 0 <= opening <= bargaining <= closing <= 1"));
        }
        if let GuardrailRule::Caps(caps) = typed.guardrails {
            let named = [
                ("concession_rate", caps.concession_rate),
                ("floor", caps.floor),
                ("opening", caps.opening),
                ("bargaining", caps.bargaining),
                ("closing", caps.closing),
                ("final", caps.last),
            ];
            for (cap, value) in named {
                self.within(&format!("guardrails.caps.{cap}"), value, 0.0..=1.0)?;
            }
        }
        Ok(())
    }

    pub(super) fn splits(&self, typed: &SuiteFile) -> Result<(), SuiteError> {
        for (name, split) in &typed.splits {
            let field = |key: &str| format!("splits.{name}.{key}");
            if split.seed >= SEED_LIMIT {
                let problem = format!("{} is too large", split.seed);
                return Err(self.fail(&field("seed"), problem, "keep seeds below 2^53, which JSON keeps exactly"));
            }
            if split.episodes == 0 || !split.episodes.is_multiple_of(2) {
                let problem = format!("{} episodes", split.episodes);
                return Err(self.fail(&field("episodes"), problem, "give an even number: both seats of each scenario"));
            }
            if !typed.counterparts.iter().any(|family| family.role == split.counterparts) {
                let problem = format!("no family has the role \"{}\"", split.counterparts);
                return Err(self.fail(&field("counterparts"), problem, "give a family this role or change the split"));
            }
            if name.starts_with("train") && split.counterparts != FamilyRole::Training {
                let problem = "a training split must not meet held-out families";
                return Err(self.fail(&field("counterparts"), problem, "write \"training\" or rename the split"));
            }
        }
        if !typed.splits.contains_key(&typed.default_split) {
            let known = typed.splits.keys().cloned().collect::<Vec<_>>().join(", ");
            let problem = format!("there is no split \"{}\"", typed.default_split);
            return Err(self.fail("default_split", problem, format!("name one of: {known}")));
        }
        Ok(())
    }

    pub(super) fn difficulty(&self, typed: &SuiteFile) -> Result<(), SuiteError> {
        let Some(difficulty) = &typed.difficulty else { return Ok(()) };
        let field = "difficulty.cutoffs";
        for cutoff in difficulty.cutoffs {
            self.within(field, cutoff, 0.0..=1.0)?;
        }
        if difficulty.cutoffs.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(self.fail(field, "they must ascend", "give the four quintiles, the lowest first"));
        }
        Ok(())
    }

    pub(super) fn lineup(&self, typed: &SuiteFile) -> Result<(), SuiteError> {
        if typed.lineup.is_empty() {
            return Err(self.fail("lineup", "nobody plays", "name at least one agent"));
        }
        for (position, agent) in typed.lineup.iter().enumerate() {
            if typed.lineup[..position].contains(agent) {
                let field = format!("lineup[{position}]");
                return Err(self.fail(&field, format!("\"{agent}\" is there twice"), "remove one"));
            }
        }
        let known = |field: &str, agent: &String| {
            if typed.lineup.contains(agent) {
                return Ok(());
            }
            let near = nearest(agent, typed.lineup.iter().map(String::as_str));
            let remedy =
                near.map_or_else(|| "add it to the lineup".to_owned(), |near| format!("did you mean \"{near}\"?"));
            Err(self.fail(field, format!("\"{agent}\" is not in the lineup"), remedy))
        };
        known("baseline", &typed.baseline)?;
        for (position, agent) in typed.gated.iter().enumerate() {
            known(&format!("gated[{position}]"), agent)?;
            if *agent == typed.baseline {
                let problem = "the baseline is shown, never gated";
                return Err(self.fail(&format!("gated[{position}]"), problem, "remove it"));
            }
        }
        let shares = [
            ("feasible_agreement_rate", typed.gates.feasible_agreement_rate),
            ("constraint_satisfaction", typed.gates.constraint_satisfaction),
            ("loss_making_rate", typed.gates.loss_making_rate),
        ];
        for (gate, threshold) in shares {
            if let Some(threshold) = threshold {
                self.within(&format!("gates.{gate}"), threshold, 0.0..=1.0)?;
            }
        }
        if let Some(milliseconds) = typed.gates.decision_latency_p95_ms {
            self.within("gates.decision_latency_p95_ms", milliseconds, f64::MIN_POSITIVE..=1e9)?;
        }
        Ok(())
    }
}

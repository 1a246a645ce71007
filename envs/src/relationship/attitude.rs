//! How regard for the other side moves a counterpart: its aspirations and the pace of its concessions, within published bounds.

use super::regard::{Regard, RegardRules};
use crate::counterpart::Policy;
use crate::tactic::Tactic;

/// Moves a policy that has not begun. First and last aspirations are multiplied by [`RegardRules::demand_factor`], the last one
/// also by [`RegardRules::foresight_factor`], and a concession exponent by [`RegardRules::concession_factor`]. What imitates has
/// no exponent: only its aspirations move.
pub fn adapt(policy: &mut Policy, rules: &RegardRules, regard: Regard, contract_follows: bool) {
    let first = rules.demand_factor(regard.trust);
    let last = first * rules.foresight_factor(contract_follows);
    let pace = rules.concession_factor(regard.rapport);
    match policy {
        Policy::Tactic(Tactic::TimeDependent(tactic)) => {
            tactic.initial *= first;
            tactic.last *= last;
            tactic.exponent *= pace;
        }
        Policy::Tactic(Tactic::Hardliner(tactic)) => tactic.demand *= last,
        Policy::Tactic(Tactic::RelativeTitForTat(tactic)) => {
            tactic.initial *= first;
            tactic.last *= last;
        }
        Policy::Tactic(Tactic::AbsoluteTitForTat(tactic)) => {
            tactic.initial *= first;
            tactic.last *= last;
        }
        Policy::Tactic(Tactic::AveragedTitForTat(tactic)) => {
            tactic.initial *= first;
            tactic.last *= last;
        }
        Policy::Tactic(Tactic::Micro(tactic)) => {
            tactic.initial *= first;
            tactic.last *= last;
            tactic.rung *= pace;
        }
        Policy::Tactic(Tactic::Random(tactic)) => tactic.least *= last,
        Policy::Conceding { course, .. } => {
            course.initial *= first;
            course.last *= last;
            course.exponent *= pace;
        }
    }
}

/// The least own gain, as a share of the yardstick, that a policy ever offers or accepts where some package reaches it.
#[must_use]
pub fn least_aspiration(policy: &Policy) -> f64 {
    match policy {
        Policy::Tactic(Tactic::TimeDependent(tactic)) => tactic.last.min(tactic.initial),
        Policy::Tactic(Tactic::Hardliner(tactic)) => tactic.demand,
        Policy::Tactic(Tactic::RelativeTitForTat(tactic)) => tactic.last.min(tactic.initial),
        Policy::Tactic(Tactic::AbsoluteTitForTat(tactic)) => tactic.last.min(tactic.initial),
        Policy::Tactic(Tactic::AveragedTitForTat(tactic)) => tactic.last.min(tactic.initial),
        Policy::Tactic(Tactic::Micro(tactic)) => tactic.last.min(tactic.initial),
        Policy::Tactic(Tactic::Random(tactic)) => tactic.least,
        Policy::Conceding { course, .. } => course.last.min(course.initial),
    }
}

#[cfg(test)]
mod tests {
    use super::{adapt, least_aspiration};
    use crate::counterpart::Policy;
    use crate::relationship::Regard;
    use crate::relationship::regard::tests::rules;
    use crate::tactic::{Selection, Tactic, TimeDependent};

    fn policy() -> Policy {
        let tactic = TimeDependent { exponent: 1.0, initial: 0.2, last: 0.02, selection: Selection::TakeOver };
        Policy::Tactic(Tactic::TimeDependent(tactic))
    }

    #[test]
    fn a_neutral_regard_in_a_last_contract_changes_nothing() {
        let mut adapted = policy();
        adapt(&mut adapted, &rules().regard, Regard { trust: 0.5, rapport: 0.5 }, false);
        assert_eq!(adapted, policy());
    }

    #[test]
    fn trust_and_a_next_contract_lower_what_it_takes() {
        let least = |trust, follows| {
            let mut adapted = policy();
            adapt(&mut adapted, &rules().regard, Regard { trust, rapport: 0.5 }, follows);
            least_aspiration(&adapted)
        };
        assert!(least(0.9, false) < least(0.1, false));
        assert!(least(0.5, true) < least(0.5, false));
        assert!((least(1.0, true) - 0.02 * 0.5 * (1.0 - 0.5 * 0.25)).abs() < 1e-12);
    }
}

//! The terms of a relationship as a person reads them.

use crate::render::percent;
use zopa_envs::relationship::{Delivery, DeliveryRules, PastContract, PublicRelationship, RegardRules};
use zopa_envs::{Ending, OutcomeSpace};

/// What both sides know of their series of contracts over `space`: numbers and formulas as published, which contract this is,
/// and how the earlier ones ended and were delivered.
///
/// Text for people: its wording may change between versions, and nothing reads it back.
#[must_use]
pub fn render_relationship(known: &PublicRelationship, space: &OutcomeSpace) -> String {
    let contracts = known.contracts;
    let DeliveryRules {
        healthy_margin,
        late_squeezed,
        late_healthy,
        failure_squeezed,
        late_cost,
        failure_cost,
        quality_cost,
    } = known.rules.delivery;
    let RegardRules {
        initial_trust,
        initial_rapport,
        trust_rate,
        rapport_rate,
        fair_margin,
        late_evidence,
        demand_spread,
        concession_spread,
        foresight,
        contact_lost,
    } = known.rules.regard;
    let times = |spread: f64| format!("{} to {}", round(1.0 - spread), round(1.0 + spread));
    let mut lines = vec![
        format!("up to {contracts} contracts in succession; the payoff is their sum (P: the status quo's price)"),
        format!(
            "the supplier's margin m is its gain over P, its health h = m / {} within 0 and 1",
            percent(healthy_margin)
        ),
        format!(
            "it fails on a contract with chance {} (1 - h)^2: nobody has the gain, the buyer loses {} of P, the series ends",
            percent(failure_squeezed),
            percent(failure_cost)
        ),
        format!(
            "it is late with chance {} - {} h, which costs the buyer {} of P",
            percent(late_squeezed),
            percent(late_squeezed - late_healthy),
            percent(late_cost)
        ),
        format!("wanting quality costs the buyer {} (1 - h) of P", percent(quality_cost)),
        format!(
            "trust, {} at first, moves by {} of the way to own gain / ({} of P) within 0 and 1, of which a late delivery leaves \
             the buyer {}; to 0 where the other side walks away",
            percent(initial_trust),
            percent(trust_rate),
            percent(fair_margin),
            percent(late_evidence)
        ),
        format!(
            "rapport, {} at first, moves by {} of the way to 1 after a deal, 0 after a walk-out, else 0.5, less 0.5 for each \
             broken final offer",
            percent(initial_rapport),
            percent(rapport_rate)
        ),
        format!(
            "the counterpart's aspirations are multiplied by {} as its trust falls from 1 to 0, its concession exponent by {} \
             as its rapport rises from 0 to 1",
            times(demand_spread),
            times(concession_spread)
        ),
        format!(
            "a contract without a deal ends the relationship with chance {}; before any but the last contract the counterpart \
             lowers its last aspiration by {}",
            percent(contact_lost),
            percent(foresight * contact_lost)
        ),
        "past deals and how they were delivered are known to both sides; trust and rapport are not".to_owned(),
        format!("this is contract {} of {contracts}", known.contract + 1),
    ];
    lines.extend(
        known.past.iter().enumerate().map(|(number, past)| format!("contract {}: {}", number + 1, became(past, space))),
    );
    lines.iter().fold("\nRelationship\n".to_owned(), |text, line| text + "  " + line + "\n")
}

/// What became of a contract: its deal with how that was delivered, or how it ended without one.
fn became(past: &PastContract, space: &OutcomeSpace) -> String {
    let round = past.outcome.round + 1;
    match &past.outcome.ending {
        Ending::Agreement { offer, by } => {
            let delivered = match past.delivery {
                Some(Delivery::OnTime) => "delivered on time",
                Some(Delivery::Late) => "delivered late",
                Some(Delivery::Failed) => "the supplier failed",
                None => "not delivered",
            };
            format!("a deal in round {round}, accepted by the {by}: {}; {delivered}", space.text(offer))
        }
        Ending::WalkedAway { by } => format!("no deal: the {by} left in round {round}"),
        Ending::Deadline => format!("no deal: time ran out after round {round}"),
        Ending::BrokenOff => format!("no deal: it broke off by chance after round {round}"),
    }
}

/// At most two decimals, without trailing zeros.
fn round(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::render_relationship;
    use crate::render::render_side;
    use crate::{SourceOptions, Suite};
    use std::sync::Arc;
    use zopa_envs::relationship::{Delivery, PastContract, PublicRelationship};
    use zopa_envs::{Ending, Outcome, PartyView, ScenarioSource, Seat};

    #[test]
    fn the_terms_of_a_relationship_and_its_past_read_as_published() {
        let source = Arc::new(Suite::open("repeated-v1").unwrap()).source(&SourceOptions::default()).unwrap();
        let (plan, scenario) = (source.series(0).unwrap(), source.scenario(0));
        let offer = scenario.public.status_quo.clone().unwrap();
        let past = |ending, round, delivery| PastContract { outcome: Outcome { ending, round }, delivery };
        let deal = Ending::Agreement { offer, by: Seat::Supplier };
        let past = vec![
            past(deal.clone(), 4, Some(Delivery::OnTime)),
            past(Ending::WalkedAway { by: Seat::Buyer }, 7, None),
            past(deal, 0, Some(Delivery::Late)),
        ];
        let (rules, contracts) = (plan.rules, plan.contracts);
        let known = PublicRelationship { rules, contracts, contract: 3, past };
        let text = render_relationship(&known, &scenario.public.space);
        insta::assert_snapshot!(text);
        let (own, mandate) = (&scenario.types[scenario.seat.index()], &scenario.mandates[scenario.seat.index()]);
        let single = PartyView::new(&scenario.public, own, mandate, scenario.seat, 0, &[], None);
        let mut view = single;
        view.relationship = Some(&known);
        assert_eq!(
            render_side(&view),
            render_side(&single) + &text,
            "a side is told of its series what it is of itself"
        );
    }
}

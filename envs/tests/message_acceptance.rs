//! What counts as taking the offer on the table, and what only speaks of it.

use zopa_envs::message::{ClaimKind, Polarity, parse};

/// How `text` accepts; `None` where it does not speak of accepting the offer on the table.
fn acceptance(text: &str) -> Option<Polarity> {
    let claims = parse(text).claims;
    claims.into_iter().find(|claim| claim.kind() == ClaimKind::Acceptance).map(|claim| claim.polarity)
}

fn check(expected: Option<Polarity>, texts: &[&str]) {
    for text in texts {
        assert_eq!(acceptance(text), expected, "{text}");
    }
}

#[test]
fn a_commitment_of_ones_own_in_the_present_accepts() {
    check(
        Some(Polarity::Asserted),
        &[
            "I accept.",
            "We accept your offer.",
            "We hereby accept the terms as stated.",
            "We gladly accept that proposal, thank you.",
            "We'll accept it.",
            "I accept 95,000 with payment after 30 days.",
            "We are pleased to accept your proposal of $88,000.",
            "I'm happy to accept this.",
            "We agree.",
            "I agree to your price.",
            "Ok, agreed.",
            "Your offer is accepted.",
            "Accepted!",
            "Thank you, we have a deal.",
        ],
    );
}

#[test]
fn what_is_wished_offered_or_asked_for_accepts_nothing() {
    check(
        None,
        &[
            "We can accept 95,000.",
            "We could accept an offer of 95,000.",
            "We would be happy to accept an offer of $95,000.",
            "Happy to accept an offer of 95,000.",
            "Please accept our offer.",
            "We hope that you accept our offer.",
            "You accept $90,000 and pay within 30 days.",
            "I need to ask my director to accept this offer.",
            "We look forward to accepting deliveries in May.",
            "We accept that your costs have risen.",
            "We accept your point about quality.",
            "I agree with your view of the market.",
            "Once you accept, we ship at once.",
            "The price is within our agreed budget.",
            "As agreed, delivery takes 20 days.",
            "We want to reach a deal.",
        ],
    );
}

#[test]
fn an_acceptance_under_a_condition_is_conditional_and_one_asked_for_is_a_question() {
    check(
        Some(Polarity::Conditional),
        &["I would accept $97,000 if you deliver in 7 days.", "If you pay at once, we accept your price."],
    );
    check(Some(Polarity::Question), &["Would you accept $97,000?", "Can you accept this offer?"]);
}

#[test]
fn thousands_set_apart_by_a_comma_and_a_space_are_one_amount_beside_a_currency() {
    let price = |text: &str| {
        let claims = parse(text).claims;
        let prices = claims.into_iter().filter_map(|claim| match claim.statement {
            zopa_envs::message::Statement::Price(price) => Some(price.low.0 / 100),
            _ => None,
        });
        prices.collect::<Vec<_>>()
    };
    assert_eq!(price("We offer €1, 250."), [1_250]);
    assert_eq!(price("We offer 98, 500 dollars."), [98_500]);
    assert_eq!(price("We offer USD 1, 250, 000."), [1_250_000]);
    assert_eq!(price("We pay $95, 100 units a month."), [95]);
    assert_eq!(price("Pick $95, $120 or $130."), [95, 120, 130]);
}

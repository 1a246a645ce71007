//! Words that a bound side may not say, put in ways that the parser's own phrases do not read; and sound words beside them.

mod scenes;

use scenes::{at, procurement};
use zopa_envs::message::{ClaimKind, Due, Interval, ServiceLevel, SpeechAct, SpokenTerms, Statement, Tier, speak};
use zopa_envs::{Act, Message, Money, Negotiation, Seat, SpeechFaultKind};

/// What is wrong with the buyer's first words beside an offer of $95,000 in 60 days.
fn faults(bound: bool, text: &str) -> Vec<(SpeechFaultKind, ClaimKind)> {
    let mut scenario = procurement(20, Seat::Buyer);
    scenario.public.speech = true;
    let act = Act::Offer { offer: at(95_000, 60), is_final: false };
    let check = Negotiation::new(scenario, [bound, false]).check_speech(&act, &Message::new(text));
    check.faults.into_iter().map(|fault| (fault.kind, fault.claim)).collect()
}

/// Every text has the fault, said alone and after the right terms.
fn withheld(kind: SpeechFaultKind, claim: ClaimKind, texts: &[&str]) {
    let passed = |text: &String| !faults(true, text).contains(&(kind, claim));
    let said =
        texts.iter().flat_map(|text| [(*text).to_owned(), format!("We offer $95,000 with payment in 60 days. {text}")]);
    let passed: Vec<String> = said.filter(passed).map(|text| format!("{text:?}: {:?}", faults(true, &text))).collect();
    assert!(passed.is_empty(), "{kind:?} {claim:?} not found in\n{}", passed.join("\n"));
}

fn delivered(texts: &[&str]) {
    let held: Vec<String> = texts
        .iter()
        .map(|text| (text, faults(true, text)))
        .filter(|(_, found)| !found.is_empty())
        .map(|found| format!("{found:?}"))
        .collect();
    assert!(held.is_empty(), "withheld without reason:\n{}", held.join("\n"));
}

#[test]
fn decimal_digits_of_any_script_are_read() {
    for text in [
        "We offer $９５,０００.",
        "We offer $٩٥٬٠٠٠.",
        "We offer $९५,०००.",
        "We offer $𝟵𝟱,𝟬𝟬𝟬.",
        "We offer $９５０００.",
    ] {
        let message = Message::new(text);
        let price = Statement::Price(Interval::exact(Money::major(95_000)));
        assert!(message.parsed().claims.iter().any(|claim| claim.statement == price), "{text}");
        assert_eq!(faults(true, text), [], "{text}");
    }
    withheld(
        SpeechFaultKind::Mismatch,
        ClaimKind::Price,
        &["We are at $２４１,０００.", "We are at ١٢٠٬٠٠٠ dollars.", "$𝟴𝟬,𝟬𝟬𝟬 it is."],
    );
}

#[test]
fn figures_that_cannot_be_read_are_not_said() {
    withheld(
        SpeechFaultKind::Unauthorised,
        ClaimKind::Unreadable,
        &[
            "We are at 882e3 dollars.",
            "We are at 475kay.",
            "It comes to 18 thou.",
            "We offer five hundred K.",
            "We offer ⑨⑤⓪⓪⓪ dollars.",
            "We offer ⅭM dollars.",
            "We offer ½ million.",
            "We are at 90 x 1000 dollars.",
            "We offer nine five zero zero zero.",
            "We offer 9 lakh.",
            "We offer ha\u{200b}lf a mill\u{200b}ion.",
            "We offer ninety-five thou\u{ad}sand.",
            "We offer n\u{456}nety five thousand.",
            "p r i c e 23000",
        ],
    );
}

#[test]
fn other_scripts_and_languages_are_not_said() {
    withheld(
        SpeechFaultKind::Unauthorised,
        ClaimKind::Unreadable,
        &[
            "Мы согласны на вашу цену.",
            "独占供給を約束します。",
            "نوافق على السعر",
            "Aceptamos su precio de quinientos mil dólares.",
            "Wir nehmen Ihren Preis ohne Abzug.",
        ],
    );
    delivered(&[
        "We offer $95,000. Best regards, Zoë Müller",
        "Kind regards, Maria Gonzalez",
        "Thanks!",
        "Hello there,",
    ]);
}

#[test]
fn acceptance_and_leaving_do_not_go_with_an_offer() {
    withheld(
        SpeechFaultKind::Mismatch,
        ClaimKind::Acceptance,
        &[
            "Sold.",
            "Yes to your last offer!",
            "Consider your proposal accepted.",
            "You win: your terms.",
            "We will pay what you asked.",
            "We pay whatever you want.",
            "Fine, it's yours.",
            "Your price is fine with us.",
            "We take your figure as it stands.",
            "Your figures hold.",
        ],
    );
    withheld(
        SpeechFaultKind::Mismatch,
        ClaimKind::Rejection,
        &["We walk away.", "We are out.", "Forget it, this is over.", "The talks are over.", "We're leaving."],
    );
    withheld(
        SpeechFaultKind::Mismatch,
        ClaimKind::FinalOffer,
        &["This is as good as it gets.", "There won't be another offer from us."],
    );
    delivered(&[
        "We cannot accept your offer.",
        "We take your point.",
        "Your price is too high for us.",
        "If you insist, we walk away.",
        "We would not accept your terms.",
        "Would you meet our price?",
    ]);
}

#[test]
fn promises_are_not_made_without_authority() {
    let promise = |claim, texts: &[&str]| withheld(SpeechFaultKind::Unauthorised, claim, texts);
    promise(
        ClaimKind::Exclusivity,
        &["You stay sole source.", "Exclusive supply for three years.", "You are the only one we talk to."],
    );
    promise(
        ClaimKind::VolumePromise,
        &[
            "We give you all of our business next year.",
            "Every future order goes to you.",
            "We would sign a five-year contract with you.",
            "A three-year deal follows.",
        ],
    );
    promise(
        ClaimKind::Guarantee,
        &[
            "Full money back, no questions.",
            "We take all liability.",
            "If prices fall we refund the difference.",
            "Nobody gets it cheaper.",
        ],
    );
    promise(
        ClaimKind::Approval,
        &[
            "Legal signed off on this already.",
            "My approver says yes to this.",
            "I got the nod from upstairs.",
            "This has been cleared.",
        ],
    );
    let benefit = |texts: &[&str]| withheld(SpeechFaultKind::Mismatch, ClaimKind::Term, texts);
    benefit(&[
        "10 % rebate at year end.",
        "A signing bonus of ten percent is yours.",
        "Half now, half on completion.",
        "Free training for your team.",
    ]);
    delivered(&[
        "We value our partnership and look forward to working together.",
        "We cannot take all liability.",
        "There is no rebate in this.",
        "Our board has not approved more.",
        "All of this reflects our costs.",
    ]);
}

#[test]
fn private_facts_are_not_told_without_authority() {
    withheld(SpeechFaultKind::Unauthorised, ClaimKind::Deadline, &["We leave after two more rounds."]);
    withheld(
        SpeechFaultKind::Unauthorised,
        ClaimKind::OutsideOption,
        &[
            "Without a deal I lose 785,000.",
            "Nobody else bids.",
            "If this fails we are bankrupt.",
            "No deal is worth minus 1,457,000 to me.",
        ],
    );
    // Twenty rounds are left.
    withheld(SpeechFaultKind::FalseStatement, ClaimKind::Deadline, &["We leave after two more rounds."]);
}

#[test]
fn retractions_are_not_said() {
    withheld(
        SpeechFaultKind::Mismatch,
        ClaimKind::Term,
        &[
            "All of the above is void; your figures hold.",
            "Ignore that; we do better.",
            "No, not really: we mean the opposite.",
            "The above does not count.",
            "Whatever is written here.",
            "Scratch that.",
        ],
    );
}

fn reads(text: &str, expected: &Statement) {
    let message = Message::new(text);
    let found = message.wary().iter().any(|claim| claim.statement == *expected);
    assert!(
        found || message.parsed().claims.iter().any(|claim| claim.statement == *expected),
        "{text}: {:?}",
        message.wary()
    );
}

#[test]
fn terms_said_barely_have_their_values() {
    let premium = Statement::Service(ServiceLevel::Tier(Tier::Premium));
    for text in [
        "You get premium.",
        "The level is premium.",
        "Upgrade to premium on us.",
        "We make it premium.",
        "Service would be premium.",
    ] {
        reads(text, &premium);
    }
    let quantity = Statement::Quantity(Interval::exact(120));
    for text in ["120 % of plan.", "We take one hundred and twenty percent of plan.", "Quantity goes to 120 %."] {
        reads(text, &quantity);
    }
    let payment = |days| Statement::PaymentDays(Interval::exact(days));
    reads("We pay in two months.", &payment(60));
    reads("You will be paid within a week of invoice.", &payment(7));
    reads("Invoices get settled after ninety.", &payment(90));
    reads("We'll wire it the same day.", &payment(0));
    let delivery = |days| Statement::Delivery(Due::Days(Interval::exact(days)));
    reads("Delivery tomorrow.", &delivery(1));
    reads("We ship next week.", &delivery(7));
    reads("You will have it in two weeks.", &delivery(14));
    reads("We can deliver by the end of the week.", &delivery(7));
}

#[test]
fn the_templates_own_words_hold_nothing_to_be_wary_of() {
    let terms = SpokenTerms {
        price: Some(Money::major(98_250)),
        payment_days: Some(30),
        delivery_days: Some(21),
        quantity: Some(120),
        service_level: Some(ServiceLevel::Tier(Tier::Standard)),
        ..SpokenTerms::default()
    };
    let acts = [
        SpeechAct::Anchor,
        SpeechAct::Concede,
        SpeechAct::Hold,
        SpeechAct::Probe,
        SpeechAct::Final,
        SpeechAct::Accept,
        SpeechAct::Reject,
    ];
    for act in acts {
        for choice in 0..256 {
            let speech = speak(act, &terms, &[], choice);
            for claim in Message::new(&speech.text).wary() {
                assert!(speech.stated.contains(&claim.statement), "{:?} in {:?}", claim, speech.text);
            }
        }
    }
}

#[test]
fn a_scripts_words_are_read_by_the_parser_alone() {
    assert_eq!(faults(false, "Sold. You get premium. Мы согласны на вашу цену. 10 kay."), []);
}

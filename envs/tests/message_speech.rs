//! Template speech and the parser agree: what is said is what is read, for every phrasing.

use proptest::prelude::*;
use zopa_envs::Money;
use zopa_envs::message::{
    Claim, Polarity, Reason, Remark, ServiceLevel, SpeechAct, SpokenTerms, Stance, Statement, Subject, Tier, parse,
    speak,
};

const ACTS: [SpeechAct; 7] = [
    SpeechAct::Anchor,
    SpeechAct::Concede,
    SpeechAct::Hold,
    SpeechAct::Probe,
    SpeechAct::Final,
    SpeechAct::Accept,
    SpeechAct::Reject,
];

const REASONS: [Reason; 9] = [
    Reason::Cost,
    Reason::Volume,
    Reason::Relationship,
    Reason::Market,
    Reason::Urgency,
    Reason::Quality,
    Reason::CashFlow,
    Reason::Risk,
    Reason::Fairness,
];

const STANCES: [Stance; 7] =
    [Stance::Close, Stance::Far, Stance::Flexible, Stance::Firm, Stance::Patient, Stance::Urgent, Stance::Reneging];

fn every_remark(amount: Money, count: u32) -> Vec<Remark> {
    let mut remarks = vec![
        Remark::Courtesy,
        Remark::Acknowledgement,
        Remark::Hostility,
        Remark::Pressure,
        Remark::Consistency,
        Remark::OutsideOption(Some(amount)),
        Remark::OutsideOption(None),
        Remark::Limit(Some(amount)),
        Remark::Limit(None),
        Remark::ApprovalClaim,
        Remark::HiddenInstruction,
        Remark::PromiseRequest,
        Remark::ExceptionRequest,
        Remark::DeadlineInDays(count),
        Remark::DeadlineInRounds(count),
        Remark::Guarantee,
        Remark::Exclusivity,
        Remark::VolumePromise(count),
        Remark::Warranty(count),
        Remark::Service(Tier::Premium),
        Remark::Delivery(count),
    ];
    remarks.extend(REASONS.map(Remark::Reason));
    remarks.extend(STANCES.map(Remark::Stance));
    remarks
}

fn sorted(mut statements: Vec<Statement>) -> Vec<Statement> {
    statements.sort();
    statements.dedup();
    statements
}

/// Where the message reads otherwise than it was meant, in words.
fn misreading(act: SpeechAct, terms: &SpokenTerms, remarks: &[Remark], choice: u64) -> Option<String> {
    let speech = speak(act, terms, remarks, choice);
    let parsed = parse(&speech.text);
    let read = sorted(parsed.claims.iter().map(|claim| claim.statement.clone()).collect());
    let meant = sorted(speech.stated.clone());
    let bent: Vec<&Claim> = parsed
        .claims
        .iter()
        .filter(|claim| {
            claim.polarity != Polarity::Asserted
                || matches!(claim.statement, Statement::Price(_)) && claim.subject != Subject::Own
        })
        .collect();
    (read != meant || !bent.is_empty() || parsed.truncated)
        .then(|| format!("{:?}\n  meant {meant:?}\n  read  {read:?}\n  not plainly asserted {bent:?}", speech.text))
}

#[test]
fn every_phrasing_of_every_act_and_remark_reads_as_what_it_states() {
    let terms = SpokenTerms { price: Some(Money::major(98_250)), payment_days: Some(10), ..SpokenTerms::default() };
    let mut wrong: Vec<String> = Vec::new();
    for remark in every_remark(Money::major(94_500), 3) {
        let first = |choice| misreading(SpeechAct::Hold, &SpokenTerms::default(), &[remark], choice);
        wrong.extend((0..64).filter_map(first).next());
    }
    for act in ACTS {
        for choice in 0..256 {
            wrong.extend(misreading(act, &terms, &[], choice));
            wrong.extend(misreading(act, &SpokenTerms::default(), &[], choice));
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{} messages read otherwise than meant:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn wording_varies_with_the_choice_and_with_nothing_else() {
    let terms = SpokenTerms { price: Some(Money::major(98_250)), payment_days: Some(10), ..SpokenTerms::default() };
    let remarks = [Remark::Courtesy, Remark::Reason(Reason::Cost), Remark::Stance(Stance::Close)];
    let say = |choice| speak(SpeechAct::Concede, &terms, &remarks, choice).text;
    let different: std::collections::BTreeSet<String> = (0..200).map(say).collect();
    assert!(different.len() > 180, "only {} of 200 choices differ", different.len());
    assert_eq!(say(7), say(7));
    insta::assert_snapshot!("examples", (0..8).map(say).collect::<Vec<_>>().join("\n----\n"));
}

fn terms() -> impl Strategy<Value = SpokenTerms> {
    let tier = prop::sample::select(vec![
        Tier::Basic,
        Tier::Standard,
        Tier::Enhanced,
        Tier::Premium,
        Tier::Bronze,
        Tier::Silver,
        Tier::Gold,
        Tier::Platinum,
    ]);
    let service = prop_oneof![
        (0u32..=10_000).prop_map(ServiceLevel::Share),
        (0u32..1_000).prop_map(ServiceLevel::Level),
        tier.prop_map(ServiceLevel::Tier)
    ];
    let price = prop_oneof![
        (0i64..20_000_000).prop_map(Money),
        (0i64..2_000_000).prop_map(Money::major),
        (0i64..1_000_000_000_000_000).prop_map(Money)
    ];
    let other = prop::collection::vec(("[ -~]{0,12}", "\\PC{0,16}"), 0..3).prop_map(|pairs| {
        // Names that belong to the typed terms are read as those.
        pairs.into_iter().map(|(name, value)| (format!("issue {name}"), value)).collect::<Vec<_>>()
    });
    (
        prop::option::of(price),
        prop::option::of(0u32..400),
        prop::option::of(0u32..800),
        prop::option::of(0u32..1_000_000),
        prop::option::of(service),
        prop::option::of(0u32..300),
        other,
    )
        .prop_map(|(price, payment_days, delivery_days, quantity, service_level, warranty_months, other)| {
            SpokenTerms { price, payment_days, delivery_days, quantity, service_level, warranty_months, other }
        })
}

fn remarks() -> impl Strategy<Value = Vec<Remark>> {
    let one = (1i64..2_000_000, 1u32..5_000, any::<prop::sample::Index>())
        .prop_map(|(amount, count, index)| *index.get(&every_remark(Money::major(amount), count)));
    prop::collection::vec(one, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_parser_reads_back_exactly_what_was_said(
        act in prop::sample::select(ACTS.to_vec()), terms in terms(), remarks in remarks(), choice in any::<u64>(),
    ) {
        let misread = misreading(act, &terms, &remarks, choice);
        prop_assert!(misread.is_none(), "{}", misread.unwrap_or_default());
    }
}

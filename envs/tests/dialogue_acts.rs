//! The third action level: words, promises and questions to a person, under the same authority as everything else.

mod drawn;
#[expect(dead_code, reason = "rewards and observations are other tests'")]
mod plain;
mod scenes;

use drawn::Drawn;
use plain::Loop;
use scenes::{at, procurement};
use zopa_envs::environment::{
    ActionLevel, DialogueAct, Environment, EnvironmentConfig, PromiseSet, Reward, Step, VIOLATION, Words,
};
use zopa_envs::message::{ClaimKind, Reason, Remark};
use zopa_envs::tactic::{Selection, TimeDependent};
use zopa_envs::{
    Action, ApprovalRule, Approver, Counterpart, Mandate, Money, Negotiation, Offer, Permission, PromiseKind, Promises,
    Refusal, Ruling, Scenario, ScenarioSource, Seat, StreamKey, Tactic,
};

const CONFIG: EnvironmentConfig =
    EnvironmentConfig { level: ActionLevel::DialogueActs, reward: Reward::Shaped, truncate_after: None };

/// One scenario, the buyer's, whatever the episode.
struct One(Scenario);

impl ScenarioSource for One {
    fn scenario(&self, _: u64) -> Scenario {
        self.0.clone()
    }
}

fn spoken(mandate: Mandate, approver: Approver) -> Scenario {
    let mut scenario = procurement(20, Seat::Buyer);
    scenario.public.speech = true;
    scenario.mandates[0] = mandate;
    scenario.principals[0].approver = approver;
    let tactic = TimeDependent { exponent: 1.0, initial: 0.2, last: 0.01, selection: Selection::TakeOver };
    let stream = StreamKey::new("counterpart", &[]).lazy(0);
    scenario.counterpart = Some(Counterpart::new("linear".into(), Tactic::TimeDependent(tactic), stream));
    scenario
}

/// Makes one act and shows the step, what was said with it and the negotiation.
fn check(scenario: Scenario, act: DialogueAct) -> (Step, Option<String>, Negotiation) {
    let mut environment = Environment::new(One(scenario), CONFIG).unwrap();
    environment.reset(Some(0)).unwrap();
    let step = environment.step(act).unwrap();
    let game = environment.negotiation().clone();
    let own = game.history().iter().find(|made| made.seat == Seat::Buyer);
    let said = own.and_then(|made| made.message.as_ref()).map(|message| message.text().to_owned());
    (step, said, game)
}

fn offering(price: i64) -> DialogueAct {
    DialogueAct::from(Action::offer(at(price, 60)))
}

fn promising(kind: PromiseKind) -> DialogueAct {
    DialogueAct { words: Words::Terms, promises: PromiseSet::default().with(kind), ..offering(95_000) }
}

fn permitting(exclusivity: Permission) -> Mandate {
    Mandate { promises: Promises { exclusivity, ..Promises::default() }, ..Mandate::default() }
}

#[test]
fn the_space_holds_acts_issues_words_promises_and_the_question_to_a_person() {
    let environment = Environment::new(One(spoken(Mandate::default(), Approver::default())), CONFIG).unwrap();
    let text: Vec<String> = environment
        .action_space()
        .components
        .iter()
        .map(|component| format!("{} 0..{} {}", component.name, component.size, component.labels.join(" ")))
        .collect();
    insta::assert_snapshot!(text.join("\n"));
    // What is a term of the offer is offered, not promised.
    let drawn = Environment::new(Drawn::new(1, 5), CONFIG).unwrap();
    let promised = |component: &&zopa_envs::environment::ActionComponent| component.name.starts_with("promise:");
    let names: Vec<&str> =
        drawn.action_space().components.iter().filter(promised).map(|component| &*component.name).collect();
    assert_eq!(names, ["promise:exclusivity", "promise:guarantee", "promise:volume"]);
}

#[test]
fn numbers_say_promise_and_escalate() {
    let source = One(spoken(permitting(Permission::Permitted), Approver::Approves));
    let mut environment = Environment::new(source, CONFIG).unwrap();
    let space = environment.action_space().clone();
    let position = |name: &str| space.components.iter().position(|component| &*component.name == name).unwrap();
    let label = |name: &str, label: &str| {
        space.components[position(name)].labels.iter().position(|known| &**known == label).unwrap() as i64
    };
    let mut numbers = vec![0; space.width()];
    numbers[position("price")] = 3_500;
    numbers[position("payment")] = 6;
    numbers[position("message")] = label("message", "reason_cost");
    numbers[position("promise:exclusivity")] = 1;
    numbers[position("escalate")] = 1;
    environment.reset(Some(0)).unwrap();
    let by_numbers = environment.step_numbers(&numbers).unwrap();
    let act = DialogueAct {
        words: Words::Remark(Remark::Reason(Reason::Cost)),
        promises: PromiseSet::default().with(PromiseKind::Exclusivity),
        escalate: true,
        ..offering(95_000)
    };
    environment.reset(Some(0)).unwrap();
    assert_eq!(by_numbers, environment.step(act).unwrap());
    assert_eq!(by_numbers.info.escalations, 1);
    let said = environment.negotiation().history()[0].message.clone().unwrap();
    let kinds: Vec<ClaimKind> = said.parsed().claims.iter().map(|claim| claim.kind()).collect();
    for kind in [ClaimKind::Price, ClaimKind::PaymentDays, ClaimKind::Reason, ClaimKind::Exclusivity] {
        assert!(kinds.contains(&kind), "{kind:?} in {}", said.text());
    }
}

#[test]
fn a_promise_is_made_as_far_as_the_mandate_goes() {
    // Permitted: said, and on the ledger.
    let (step, said, game) =
        check(spoken(permitting(Permission::Permitted), Approver::Denies), promising(PromiseKind::Exclusivity));
    assert!(said.unwrap().to_lowercase().contains("exclusiv") || game.ledger().promises(Seat::Buyer).count() == 1);
    assert_eq!(game.ledger().promises(Seat::Buyer).count(), 1);
    assert_eq!((step.reward, step.info.unauthorised, step.info.escalations), (0.0, 0, 0));
    // Forbidden: withheld and paid for; the offer is made all the same.
    let (step, said, game) = check(spoken(Mandate::default(), Approver::Approves), promising(PromiseKind::Exclusivity));
    assert_eq!((said, step.info.unauthorised, step.reward), (None, 1, VIOLATION));
    assert_eq!(game.ledger().promises(Seat::Buyer).count(), 0);
    assert_eq!(game.history()[0].offer(), Some(&at(95_000, 60)));
    // Under approval: a person is asked.
    for (approver, promised, paid) in [(Approver::Approves, 1, 0.0), (Approver::Denies, 0, VIOLATION)] {
        let (step, _, game) =
            check(spoken(permitting(Permission::NeedsApproval), approver), promising(PromiseKind::Exclusivity));
        assert_eq!((step.info.escalations, step.reward), (1, paid));
        assert_eq!(game.ledger().promises(Seat::Buyer).count(), promised);
        assert_eq!(game.conduct(Seat::Buyer).human_workload(), 1);
    }
}

#[test]
fn every_promise_is_read_as_the_promise_that_it_is() {
    for kind in PromiseKind::ALL {
        let mandate = Mandate { promises: Promises::ALL, ..Mandate::default() };
        let (step, said, game) = check(spoken(mandate, Approver::Denies), promising(kind));
        let message = game.history()[0].message.clone().unwrap();
        let promised = message.parsed().claims.iter().filter(|claim| PromiseKind::of(claim.kind()) == Some(kind));
        assert_eq!(promised.count(), 1, "{said:?}");
        assert_eq!(step.info.unauthorised, 0, "{said:?}");
    }
}

#[test]
fn escalating_puts_the_action_to_a_person_and_a_no_costs_workload_but_no_penalty() {
    let mandate = Mandate { price_limit: Some(Money::major(94_000)), ..Mandate::default() };
    let asking = || DialogueAct { escalate: true, ..offering(95_000) };
    let (step, _, game) = check(spoken(mandate.clone(), Approver::Approves), asking());
    assert_eq!((step.info.ruling, step.info.escalations, step.reward), (Some(Ruling::Applied), 1, 0.0));
    assert_eq!(game.conduct(Seat::Buyer).approvals, 1);
    let (step, _, game) = check(spoken(mandate.clone(), Approver::Denies), asking());
    assert!(matches!(step.info.ruling, Some(Ruling::Refused(Refusal::Denied(_)))));
    assert_eq!((step.info.escalations, step.reward), (1, 0.0));
    assert_eq!(game.conduct(Seat::Buyer).denials, 1);
    // Without asking the limit refuses, and that is a violation.
    let (step, _, _) = check(spoken(mandate, Approver::Approves), offering(95_000));
    assert!(matches!(step.info.ruling, Some(Ruling::Refused(Refusal::PriceBeyondLimit { .. }))));
    assert_eq!((step.info.escalations, step.reward), (0, VIOLATION));
    let mut held = Mandate::default();
    held.approval.push(ApprovalRule::PriceBeyond(Money::major(94_000)));
    assert_eq!(check(spoken(held, Approver::Approves), offering(95_000)).0.info.escalations, 1);
}

#[test]
fn template_words_state_the_terms_as_corrected() {
    // The top of the grid is below the floor: the offer is corrected, and the words with it.
    let act = DialogueAct { words: Words::Terms, ..offering(140_000) };
    let (step, said, game) = check(spoken(Mandate::default(), Approver::default()), act);
    assert_eq!(step.info.ruling, Some(Ruling::Corrected));
    assert!(said.is_some());
    let counted = game.conduct(Seat::Buyer);
    assert_eq!((counted.mismatches, counted.withheld), (0, 0));
}

#[test]
fn where_the_sides_do_not_talk_templates_say_nothing_and_own_words_are_delivered() {
    let mut silent = spoken(permitting(Permission::Permitted), Approver::default());
    silent.public.speech = false;
    let (step, said, _) = check(silent.clone(), promising(PromiseKind::Exclusivity));
    assert_eq!((said, step.info.ruling), (None, Some(Ruling::Applied)));
    let own = Words::Own("We offer $95,000, net 60.".into());
    let (_, said, game) = check(silent, DialogueAct { words: own, ..promising(PromiseKind::Exclusivity) });
    assert!(said.unwrap().starts_with("We offer $95,000, net 60. "));
    assert_eq!(game.ledger().promises(Seat::Buyer).count(), 1);
}

/// Drawn scenarios in which both sides talk and every kind of permission occurs.
#[derive(Clone)]
struct Talking(Drawn);

impl ScenarioSource for Talking {
    fn scenario(&self, index: u64) -> Scenario {
        let mut scenario = self.0.scenario(index);
        scenario.public.speech = true;
        let seat = scenario.seat.index();
        scenario.mandates[seat].promises = Promises {
            exclusivity: Permission::Permitted,
            guarantee: Permission::NeedsApproval,
            ..Promises::default()
        };
        scenario.principals[seat].approver =
            if index.is_multiple_of(3) { Approver::Denies } else { Approver::Approves };
        scenario
    }
}

#[test]
fn dialogue_acts_play_the_same_game_as_a_plain_loop() {
    let source = Talking(Drawn::new(7, 3));
    let mut environment = Environment::new(source.clone(), CONFIG).unwrap();
    let mut stream = StreamKey::new("test", &[b"dialogue"]).stream(0);
    let (mut said, mut asked) = (0, 0);
    for episode in 0..300 {
        environment.reset(Some(episode)).unwrap();
        let mut plain = Loop::start(source.scenario(episode));
        loop {
            let issues = plain.game.scenario().public.space.issues();
            let indices: Vec<u32> = issues.iter().map(|issue| stream.below(u64::from(issue.len())) as u32).collect();
            let action = match stream.below(12) {
                0 => Action::Accept,
                1 => Action::Pass,
                2 => Action::final_offer(Offer::new(&indices)),
                _ => Action::offer(Offer::new(&indices)),
            };
            let words = match stream.below(4) {
                0 => Words::Silent,
                1 => Words::Terms,
                2 => Words::Remark(Remark::Courtesy),
                _ => Words::Own("We need $95,000.".into()),
            };
            let promised = PromiseKind::ALL.into_iter().filter(|_| stream.below(8) == 0);
            let promises = promised.fold(PromiseSet::default(), PromiseSet::with);
            let act = DialogueAct { action, words, promises, escalate: stream.below(6) == 0 };
            let step = environment.step(act.clone()).unwrap();
            assert_eq!(step.info.ruling, plain.step(&act.into()), "episode {episode}");
            assert_eq!(environment.negotiation().history(), plain.game.history());
            assert_eq!(environment.negotiation().conduct(plain.seat), plain.game.conduct(plain.seat));
            asked += step.info.escalations;
            if step.terminated {
                break;
            }
        }
        said += plain.game.history().iter().filter(|made| made.seat == plain.seat && made.message.is_some()).count();
    }
    assert!(said > 300 && asked > 100, "{said} {asked}");
}

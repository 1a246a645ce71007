//! Every edge of the turn graph: what takes it, and what it leaves on the record.

use std::collections::{BTreeSet, VecDeque};
use zopa_agents::{
    Agent, EDGES, Node, Observer, Player, REWORDINGS, Seated, Speaker, TemplateSpeaker, Utterance, play, play_spoken,
};
use zopa_envs::random::LazyStream;
use zopa_envs::{
    Action, ApprovalRule, Approver, CommonPrior, Counterpart, Decision, Ending, Grid, Issue, IssueRole, Mandate,
    Message, Money, Negotiation, Offer, OutcomeSpace, PartyType, Permission, PhaseBounds, PublicScenario, Ruling,
    Scenario, Seat, SpeechFaultKind, StreamKey, Tactic, Utility,
};

/// $1,000 to $2,000 by $10: the buyer would pay $1,800, the supplier, who never moves, asks for $1,500 in every turn.
fn scenario() -> Scenario {
    let grid = Grid::Money { floor: Money::major(1_000), tick: Money::major(10), count: 101 };
    let price = Issue { name: "price".into(), role: IssueRole::Price, unit: "".into(), grid };
    let space = OutcomeSpace::new(vec![price]).expect("one issue");
    let status_quo = offer(1_600);
    let party = |seat: Seat, disagreement: f64| {
        let mut utility = Utility::zero(&space);
        utility.set_price(&space, 0, seat == Seat::Supplier, None);
        utility.add_constant(-utility.of(&status_quo));
        PartyType::of_money(utility, disagreement, &status_quo)
    };
    let types = [party(Seat::Buyer, -200.0), party(Seat::Supplier, -200.0)];
    let tactic = Tactic::Hardliner(zopa_envs::tactic::Hardliner {
        demand: 100.0 / types[1].yardstick,
        selection: zopa_envs::Selection::TakeOver,
    });
    Scenario {
        types,
        public: PublicScenario {
            name: "graph".into(),
            space,
            status_quo: Some(status_quo),
            rounds: 6,
            opener: Seat::Buyer,
            phases: PhaseBounds::default(),
            guardrails: None,
            hazard: 0.0,
            discount: [1.0, 1.0],
            prior: CommonPrior::Unknown,
            families: [].into(),
            speech: true,
        },
        mandates: [Mandate::default(), Mandate::default()],
        principals: Default::default(),
        seat: Seat::Buyer,
        counterpart: Some(Counterpart::new("hardliner".into(), tactic, StreamKey::new("counterpart", &[]).lazy(0))),
        break_off: None,
    }
}

fn offer(price: i64) -> Offer {
    Offer::new(&[((price - 1_000) / 10) as u32])
}

/// Decides what it was told to, then leaves.
struct Script(VecDeque<Decision>);

impl Agent for Script {
    fn id(&self) -> &str {
        "script"
    }

    fn begin(&mut self, _stream: LazyStream) {}

    fn decide(&mut self, _view: &zopa_envs::PartyView<'_>) -> Decision {
        self.0.pop_front().unwrap_or_else(|| Action::WalkAway.into())
    }
}

/// Says what it was told to, whatever the move.
struct Parrot(&'static str, u32);

impl Speaker for Parrot {
    fn id(&self) -> &str {
        "parrot"
    }

    fn speak(&mut self, _utterance: &Utterance<'_>) -> Option<Message> {
        self.1 += 1;
        Some(Message::new(self.0))
    }
}

#[derive(Default)]
struct Walk(Vec<(Node, Node)>);

impl Observer for Walk {
    fn leave(&mut self, node: Node, next: Node, _seat: Seat) {
        if let Some((_, expected)) = self.0.last().filter(|(_, next)| *next != Node::End) {
            assert_eq!(node, *expected, "a turn goes on where its last edge led");
        }
        assert!(EDGES.contains(&(node, next)), "{node:?} -> {next:?}");
        self.0.push((node, next));
    }
}

fn walk(scenario: Scenario, decisions: Vec<Decision>, speaker: Option<&mut dyn Speaker>) -> (Negotiation, Walk) {
    let mut game = Negotiation::new(scenario, [true, false]).logged();
    let mut player = Player::Agent(Box::new(Script(decisions.into())));
    let seated = Seated { player: &mut player, stream: StreamKey::new("agent", &[]).lazy(0) };
    let mut walk = Walk::default();
    play_spoken(&mut game, seated, None, [speaker, None], &mut walk).expect("a counterpart is there");
    (game, walk)
}

fn buyers(game: &Negotiation) -> Vec<&Ruling> {
    game.log().iter().filter(|event| event.seat == Seat::Buyer).map(|event| &event.ruling).collect()
}

fn offering(price: i64) -> Decision {
    Action::offer(offer(price)).into()
}

fn saying(price: i64, text: &str) -> Decision {
    Decision { message: Some(Message::new(text)), ..offering(price) }
}

#[test]
fn a_permitted_move_is_spoken_checked_and_applied() {
    let (game, walk) = walk(scenario(), vec![offering(1_200)], None);
    let straight = [
        (Node::Interpret, Node::Strategise),
        (Node::Strategise, Node::Authorise),
        (Node::Authorise, Node::Speak),
        (Node::Speak, Node::CheckSpeech),
        (Node::CheckSpeech, Node::Apply),
        (Node::Apply, Node::Counterpart),
        (Node::Counterpart, Node::Interpret),
    ];
    assert_eq!(walk.0[..7], straight);
    assert_eq!(walk.0.last(), Some(&(Node::Counterpart, Node::End)), "terminal");
    let said = game.history()[0].message.as_ref().expect("the template speaks");
    assert!(said.text().contains("1,200") || said.text().contains("1.2"), "{}", said.text());
    assert_eq!(game.outcome().expect("over").ending, Ending::WalkedAway { by: Seat::Buyer });
}

#[test]
fn a_refused_action_goes_back_to_the_strategist_and_the_third_to_the_counterpart() {
    let (game, walk) = walk(scenario(), vec![offering(1_900), offering(1_900), offering(1_900)], None);
    let back = walk.0.iter().filter(|edge| **edge == (Node::Authorise, Node::Strategise)).count();
    assert_eq!((back, walk.0.contains(&(Node::Authorise, Node::Counterpart))), (2, true));
    let [Ruling::Refused(_), Ruling::Refused(_), Ruling::FellBack(_), ..] = buyers(&game)[..] else {
        panic!("{:?}", buyers(&game))
    };
}

#[test]
fn a_corrected_action_is_spoken_as_corrected_and_its_old_words_are_no_mismatch() {
    let mut scenario = scenario();
    scenario.public.guardrails = Some(zopa_envs::Caps::default());
    let (game, _) = walk(scenario, vec![offering(1_000), saying(1_700, "We offer $1,700.")], None);
    let event = game.log().iter().filter(|event| event.seat == Seat::Buyer).nth(2).expect("a third event");
    assert_eq!(event.ruling, Ruling::Corrected);
    let made = event.made.as_ref().expect("a move");
    let price = game.scenario().public.space.text(made.offer().expect("an offer"));
    assert!(price.contains("$1,1"), "{price}");
    assert!(made.message.as_ref().is_some_and(|message| !message.text().contains("1,700")));
    let counted = game.conduct(Seat::Buyer);
    assert_eq!((counted.mismatches, counted.withheld, counted.corrected), (0, 1, 1));
}

#[test]
fn what_needs_approval_goes_to_the_approver_and_comes_back_with_the_answer() {
    for (approver, approves) in [(Approver::Approves, true), (Approver::Denies, false)] {
        let mut scenario = scenario();
        scenario.mandates[0].approval.push(ApprovalRule::PriceBeyond(Money::major(1_300)));
        scenario.principals[0].approver = approver;
        let (game, walk) = walk(scenario, vec![offering(1_400)], None);
        let asked = walk.0.iter().position(|edge| *edge == (Node::Authorise, Node::Approver)).expect("held");
        let then = if approves { Node::Speak } else { Node::Strategise };
        assert_eq!(walk.0[asked + 1..asked + 3], [(Node::Approver, Node::Authorise), (Node::Authorise, then)]);
        match (buyers(&game)[..].split_at(3).0, approves) {
            ([Ruling::Held(_), Ruling::Approved(_), Ruling::Applied], true)
            | ([Ruling::Held(_), Ruling::Denied(_), Ruling::Refused(_)], false) => {}
            (found, _) => panic!("{found:?}"),
        }
        assert_eq!(game.conduct(Seat::Buyer).escalations, 1);
    }
}

#[test]
fn an_escalated_decision_asks_a_person() {
    let mut scenario = scenario();
    scenario.mandates[0].price_limit = Some(Money::major(1_300));
    scenario.principals[0].approver = Approver::Approves;
    let (game, _) = walk(scenario, vec![offering(1_400), offering(1_400).escalated()], None);
    let [Ruling::Refused(_), Ruling::Held(_), Ruling::Approved(_), Ruling::Applied, ..] = buyers(&game)[..] else {
        panic!("{:?}", buyers(&game))
    };
}

#[test]
fn words_that_do_not_fit_are_asked_for_again_and_then_the_template_speaks() {
    let mut parrot = Parrot("We offer $1,250.", 0);
    let (game, walk) = walk(scenario(), vec![offering(1_200)], Some(&mut parrot));
    let again = walk.0.iter().filter(|edge| **edge == (Node::CheckSpeech, Node::Speak)).count();
    // It has two turns: the offer, and leaving, to which a price fits no better.
    assert_eq!(again, 2 * usize::from(REWORDINGS));
    let [Ruling::Mismatch, Ruling::Mismatch, Ruling::Applied, ..] = buyers(&game)[..] else {
        panic!("{:?}", buyers(&game))
    };
    let first = &game.log()[0];
    assert_eq!(first.withheld.as_ref().map(Message::text), Some("We offer $1,250."));
    assert_eq!(first.speech[0].kind, SpeechFaultKind::Mismatch);
    assert!(game.history()[0].message.as_ref().is_some_and(|message| !message.text().contains("1,250")));
    assert_eq!(game.conduct(Seat::Buyer).mismatches, 2 * u32::from(REWORDINGS));
}

#[test]
fn without_speech_only_the_strategists_own_fitting_words_are_said() {
    let mut silent = scenario();
    silent.public.speech = false;
    let mut parrot = Parrot("We offer $1,200.", 0);
    let decisions = vec![saying(1_200, "We offer $1,200."), saying(1_300, "We offer $1,250."), offering(1_350)];
    let (game, _) = walk(silent, decisions, Some(&mut parrot));
    let said: Vec<bool> = game
        .history()
        .iter()
        .filter(|made| made.seat == Seat::Buyer && made.offer().is_some())
        .map(|made| made.message.is_some())
        .collect();
    assert_eq!((said, parrot.1), (vec![true, false, false], 0));
}

#[test]
fn a_promise_that_needs_approval_goes_from_the_check_to_the_approver() {
    for (approver, approves) in [(Approver::Approves, true), (Approver::Denies, false)] {
        let mut scenario = scenario();
        scenario.mandates[0].promises.exclusivity = Permission::NeedsApproval;
        scenario.principals[0].approver = approver;
        let decision = saying(1_200, "We offer $1,200 and can give you exclusivity.");
        let (game, walk) = walk(scenario, vec![decision], None);
        assert!(walk.0.contains(&(Node::CheckSpeech, Node::Approver)));
        let said = game.history()[0].message.as_ref().expect("words").text().contains("exclusivity");
        assert_eq!((said, game.conduct(Seat::Buyer).unauthorised), (approves, u32::from(!approves)));
    }
}

#[test]
fn an_invalid_reply_forfeits_the_turn_and_the_third_walks_away() {
    let forfeit = || Decision::from(Action::Forfeit);
    let (game, walk) = walk(scenario(), vec![forfeit(), offering(1_200), forfeit(), forfeit()], None);
    assert!(walk.0.contains(&(Node::Authorise, Node::Counterpart)));
    let own: Vec<Option<&Offer>> =
        game.history().iter().filter(|made| made.seat == Seat::Buyer).map(|made| made.offer()).collect();
    assert_eq!(own, [None, Some(&offer(1_200)), Some(&offer(1_200)), None]);
    assert_eq!(game.outcome().expect("over").ending, Ending::WalkedAway { by: Seat::Buyer });
    assert_eq!(game.conduct(Seat::Buyer).forfeits, 3);
}

#[test]
fn every_edge_is_taken_by_some_negotiation() {
    let mut taken: BTreeSet<(Node, Node)> = BTreeSet::new();
    let mut scenario = scenario();
    scenario.mandates[0].approval.push(ApprovalRule::PriceBeyond(Money::major(1_300)));
    scenario.mandates[0].promises.exclusivity = Permission::NeedsApproval;
    scenario.principals[0].approver = Approver::ByGain(450.0);
    let decisions = vec![
        saying(1_200, "We offer $1,200 and can give you exclusivity."),
        saying(1_250, "We offer $1,210."),
        offering(1_340),
        offering(1_500),
        offering(1_900),
        Action::Forfeit.into(),
    ];
    taken.extend(walk(scenario, decisions, None).1.0);
    assert_eq!(taken, EDGES.into_iter().collect());
}

#[test]
fn the_template_says_every_move_in_words_that_pass_their_check() {
    let mut game = Negotiation::new(scenario(), [true, true]).logged();
    let moves = [
        Action::offer(offer(1_200)),
        Action::offer(offer(1_700)),
        Action::offer(offer(1_300)),
        Action::Pass,
        Action::final_offer(offer(1_350)),
        Action::offer(offer(1_400)),
        Action::Accept,
    ];
    for action in moves {
        let act = game.assess(&action, false).act.expect("permitted");
        let view = game.view(game.turn());
        let decision = Decision::from(action);
        let utterance = Utterance { view: &view, act: &act, decision: &decision, withheld: None };
        let message = TemplateSpeaker.speak(&utterance);
        if let Some(message) = &message {
            let check = game.check_speech(&act, message);
            assert!(check.passes(), "{}: {check:?}", message.text());
        }
        game.submit_decision(Decision { message, ..decision });
    }
    assert!(game.outcome().expect("over").agreement().is_some());
    assert!(Seat::BOTH.iter().all(|&seat| game.conduct(seat).speech_violations() == 0));
}

#[test]
fn play_speaks_by_template() {
    let mut game = Negotiation::new(scenario(), [true, false]).logged();
    let mut player = Player::Agent(Box::new(Script(vec![offering(1_200)].into())));
    let seated = Seated { player: &mut player, stream: StreamKey::new("agent", &[]).lazy(0) };
    play(&mut game, seated, None, &mut ()).expect("a counterpart is there");
    assert!(game.history()[0].message.is_some());
}

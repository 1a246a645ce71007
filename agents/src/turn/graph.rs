//! The walk through the graph, one node a step.

use super::{Node, Observer, REWORDINGS, Seated, TurnError};
use crate::agent::Player;
use crate::speaker::{Speaker, TemplateSpeaker, Utterance};
use zopa_envs::{
    Act, Action, Assessment, Decision, Hold, Message, Negotiation, Reply, Ruling, Seat, SpeechFault, SpeechFaultKind,
};

pub(super) struct Graph<'a, 's, 'b> {
    negotiation: &'a mut Negotiation,
    /// Who sits where; a script where nobody does.
    players: [Option<&'a mut Player>; 2],
    /// Who speaks for them; the template where nobody does.
    speakers: [Option<&'s mut dyn Speaker>; 2],
    observer: &'b mut dyn Observer,
    turn: Turn,
}

/// What is known of the turn that runs.
#[derive(Default)]
struct Turn {
    decision: Option<Decision>,
    /// The act that authority permits.
    act: Option<Act>,
    corrected: bool,
    /// Words that were found for it.
    words: Option<(Message, Source)>,
    /// What in the words waits for a person.
    hold: Option<Hold>,
    /// The last wording that was withheld, and why.
    withheld: Option<(Message, Vec<SpeechFault>)>,
    rewordings: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Strategist,
    Speaker,
    Template,
}

impl<'a, 's, 'b> Graph<'a, 's, 'b> {
    pub(super) fn new(negotiation: &'a mut Negotiation, observer: &'b mut dyn Observer) -> Self {
        Self { negotiation, players: [None, None], speakers: [None, None], observer, turn: Turn::default() }
    }

    pub(super) fn seat(&mut self, seat: Seat, seated: Seated<'a>, speaker: Option<&'s mut dyn Speaker>) {
        let Seated { player, stream } = seated;
        player.begin(stream);
        self.players[seat.index()] = Some(player);
        self.speakers[seat.index()] = speaker;
    }

    /// # Errors
    /// Where a player has no decision because what it depends on failed: the negotiation stays open.
    pub(super) fn run(&mut self) -> Result<(), TurnError> {
        let opens = self.players[self.negotiation.turn().index()].is_some();
        let mut node = if opens { Node::Interpret } else { Node::Counterpart };
        while node != Node::End {
            let seat = self.negotiation.turn();
            self.observer.enter(node, seat);
            let next = self.step(node, seat)?;
            self.observer.leave(node, next, seat);
            node = next;
        }
        Ok(())
    }

    /// Does one node's work and says where the turn goes from there.
    fn step(&mut self, node: Node, seat: Seat) -> Result<Node, TurnError> {
        Ok(match node {
            Node::Interpret => Node::Strategise,
            Node::Strategise => self.strategise(seat)?,
            Node::Authorise => self.authorise(),
            Node::Approver => self.ask(),
            Node::Speak => self.speak(seat),
            Node::CheckSpeech => self.check_speech(),
            Node::Apply => {
                self.submit();
                Node::Counterpart
            }
            Node::Counterpart => self.counterpart(seat),
            Node::End => Node::End,
        })
    }

    fn strategise(&mut self, seat: Seat) -> Result<Node, TurnError> {
        let (view, scenario) = (self.negotiation.view(seat), self.negotiation.scenario());
        let mut decision = None;
        if let Some(player) = &mut self.players[seat.index()] {
            decision = Some(player.decide(&view, scenario));
            tell_usage(player, self.speakers[seat.index()].as_deref(), seat, self.observer);
            if let Some(fault) = player.fault() {
                return Err(TurnError::Unavailable(fault));
            }
        }
        self.turn = Turn { decision, ..Turn::default() };
        Ok(Node::Authorise)
    }

    /// A refused action is submitted at once, so that the refusal is on the record and reaches the agent; what passes,
    /// corrected or not, is spoken for first.
    fn authorise(&mut self) -> Node {
        let Some(decision) = &self.turn.decision else { return Node::Counterpart };
        if self.turn.act.is_none() {
            self.observer.decided(&self.negotiation.view(self.negotiation.turn()), decision);
        }
        if decision.action == Action::Forfeit {
            self.submit();
            return Node::Counterpart;
        }
        let Assessment { act, faults, hold } = self.negotiation.assess(&decision.action, decision.escalate);
        match (act, hold) {
            (Ok(act), None) => {
                self.turn.act = Some(act);
                self.turn.corrected = faults.any();
                Node::Speak
            }
            (Ok(act), Some(_)) => {
                self.turn.act = Some(act);
                Node::Approver
            }
            (Err(_), _) => match self.submit() {
                Some(Ruling::Refused(_)) => Node::Strategise,
                _ => Node::Counterpart,
            },
        }
    }

    /// A person answers; what the answer makes of the action, or the words, is looked at again.
    fn ask(&mut self) -> Node {
        if let (Some(decision), Some(act)) = (&self.turn.decision, &self.turn.act) {
            let (action, intent) = (&decision.action, decision.intent);
            match self.turn.hold.take() {
                Some(hold) => self.negotiation.ask_approver_for_words(action, intent, act, &hold),
                None => self.negotiation.ask_approver(action, intent, decision.escalate),
            };
        }
        Node::Authorise
    }

    fn speak(&mut self, seat: Seat) -> Node {
        if self.turn.words.is_none() {
            self.turn.words = self.find_words(seat);
            if let (Some(player), Some(speaker)) = (&self.players[seat.index()], &self.speakers[seat.index()]) {
                tell_usage(player, Some(&**speaker), seat, self.observer);
            }
        }
        Node::CheckSpeech
    }

    /// The strategist's own words first, then its speaker's, then the template's.
    fn find_words(&mut self, seat: Seat) -> Option<(Message, Source)> {
        let Turn { decision, act, withheld, rewordings, .. } = &mut self.turn;
        let decision = decision.as_mut()?;
        if let Some(message) = decision.message.take() {
            return Some((message, Source::Strategist));
        }
        let view = self.negotiation.view(seat);
        if !view.public.speech {
            return None;
        }
        let withheld = withheld.as_ref().map(|(message, faults)| (message, &faults[..]));
        let task = Utterance { view: &view, act: act.as_ref()?, decision, withheld };
        match &mut self.speakers[seat.index()] {
            Some(speaker) if *rewordings < REWORDINGS => speaker.speak(&task).map(|message| (message, Source::Speaker)),
            _ => TemplateSpeaker.speak(&task).map(|message| (message, Source::Template)),
        }
    }

    fn check_speech(&mut self) -> Node {
        let (Some((message, source)), Some(act)) = (self.turn.words.take(), &self.turn.act) else {
            return Node::Apply;
        };
        let check = self.negotiation.check_speech(act, &message);
        let Some(decision) = &mut self.turn.decision else { return Node::Apply };
        if check.passes() {
            decision.message = Some(message);
            return Node::Apply;
        }
        if check.faults.is_empty() {
            self.turn.hold = check.hold;
            self.turn.words = Some((message, source));
            return Node::Approver;
        }
        if source == Source::Template {
            // Software that cannot say a move rightly says nothing: that is nobody's fault.
            return Node::Apply;
        }
        let mut faults = check.faults;
        if source == Source::Strategist && self.turn.corrected {
            // Its words were about the offer before the correction, which has been counted already.
            faults.retain(|fault| fault.kind != SpeechFaultKind::Mismatch);
        }
        self.negotiation.withhold(&decision.action, decision.intent, message.clone(), faults.clone());
        self.turn.withheld = Some((message, faults));
        self.turn.rewordings += 1;
        Node::Speak
    }

    fn submit(&mut self) -> Option<Ruling> {
        Some(self.negotiation.submit_decision(self.turn.decision.take()?))
    }

    fn counterpart(&mut self, seat: Seat) -> Node {
        if self.negotiation.outcome().is_none() && self.players[seat.index()].is_none() {
            // A refusal leaves the turn where it is; the rules bound how many there are.
            loop {
                let Some((counterpart, view)) = self.negotiation.counterpart() else { return Node::End };
                let Reply { action, message } = counterpart.act(&view);
                if !matches!(self.negotiation.submit(action, None, message), Ruling::Refused(_)) {
                    break;
                }
            }
        }
        if self.negotiation.outcome().is_some() { Node::End } else { Node::Interpret }
    }
}

/// Tells the observer what a seat's models have used in all, where they were asked.
fn tell_usage(player: &Player, speaker: Option<&dyn Speaker>, seat: Seat, observer: &mut dyn Observer) {
    let mut usage = player.usage();
    if let Some(speaker) = speaker {
        usage += speaker.usage();
    }
    if !usage.is_empty() {
        observer.used(seat, usage.prompt_tokens, usage.completion_tokens);
    }
}

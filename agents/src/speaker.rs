//! Who puts a move into words.

use crate::model::Usage;
use zopa_envs::message::{SpeechAct, SpokenTerms, speak};
use zopa_envs::random::LazyStream;
use zopa_envs::{Act, Decision, Intent, Message, Offer, PartyView, SpeechFault};

/// What is to be said.
#[derive(Clone, Copy, Debug)]
pub struct Utterance<'a> {
    /// What the speaker's side sees.
    pub view: &'a PartyView<'a>,
    /// The move, as authority permits it: the words may state its terms and no others.
    pub act: &'a Act,
    /// What the strategist decided.
    pub decision: &'a Decision,
    /// The last wording of this move, withheld, and what was wrong with it.
    pub withheld: Option<(&'a Message, &'a [SpeechFault])>,
}

/// Puts moves into words. What it says is checked: it can neither change the move nor the mandate.
pub trait Speaker: Send {
    /// Its id on the command line and in records.
    fn id(&self) -> &str;

    /// Raised with every change of what it says.
    fn version(&self) -> u32 {
        1
    }

    /// Starts a negotiation: forgets the last one. `stream` is the speaker's only source of random numbers.
    fn begin(&mut self, stream: LazyStream) {
        let _ = stream;
    }

    /// Words for a move; `None` to say nothing.
    fn speak(&mut self, utterance: &Utterance<'_>) -> Option<Message>;

    /// Whether a template had to speak in its place since it began, because what it depends on failed.
    fn is_degraded(&self) -> bool {
        false
    }

    /// What it asked of models since it began.
    fn usage(&self) -> Usage {
        Usage::default()
    }
}

/// States a move's terms and nothing else, in wording that the parser reads back exactly. The same move in the same round is
/// said in the same words.
#[derive(Clone, Copy, Debug, Default)]
pub struct TemplateSpeaker;

impl Speaker for TemplateSpeaker {
    fn id(&self) -> &str {
        "template"
    }

    fn speak(&mut self, utterance: &Utterance<'_>) -> Option<Message> {
        let Utterance { view, act, decision, .. } = utterance;
        let space = &view.public.space;
        let terms = |offer: &Offer| SpokenTerms::of(space, offer);
        let (speech_act, terms, package) = match act {
            Act::Offer { offer, is_final } => {
                (spoken_act(view, offer, *is_final, decision.intent), terms(offer), Some(offer))
            }
            Act::Accept => (SpeechAct::Accept, view.standing().map(terms).unwrap_or_default(), view.standing()),
            Act::WalkAway => (SpeechAct::Reject, SpokenTerms::default(), None),
            // A pass leaves the own offer on the table; without one there is nothing to say.
            Act::Pass => (SpeechAct::Hold, SpokenTerms::default(), Some(view.own_last()?)),
        };
        let moved = package.map_or(&[][..], |offer| offer.indices());
        let choice = moved.iter().fold(u64::from(view.round) * 2 + view.seat as u64, |choice, &index| {
            choice.wrapping_mul(0x0000_0100_0000_01B3) ^ u64::from(index)
        });
        Some(Message::new(&speak(speech_act, &terms, &[], choice).text))
    }
}

fn spoken_act(view: &PartyView<'_>, offer: &Offer, is_final: bool, intent: Option<Intent>) -> SpeechAct {
    match (view.own_last(), intent) {
        _ if is_final => SpeechAct::Final,
        (None, _) => SpeechAct::Anchor,
        (Some(last), _) if last == offer => SpeechAct::Hold,
        (_, Some(Intent::ExploreZopa)) => SpeechAct::Probe,
        (Some(last), _) if view.gain(offer) >= view.gain(last) => SpeechAct::Probe,
        _ => SpeechAct::Concede,
    }
}

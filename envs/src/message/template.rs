//! The words of a move, found by template.

use super::speak::{Remark, SpeechAct, SpokenTerms, speak};
use super::utterance::Message;
use crate::action::{Act, Intent};
use crate::outcome::Offer;
use crate::view::PartyView;

/// States the terms of `act`, made by the side that sees `view`, with `remarks`, in wording that the parser reads back exactly.
/// The same move in the same round is said in the same words. `None` where there is nothing to say: a pass without an offer of
/// one's own on the table, and without a remark.
#[must_use]
pub fn template(view: &PartyView<'_>, act: &Act, intent: Option<Intent>, remarks: &[Remark]) -> Option<Message> {
    let space = &view.public.space;
    let terms = |offer: &Offer| SpokenTerms::of(space, offer);
    let (speech_act, terms, package) = match act {
        Act::Offer { offer, is_final } => (spoken_act(view, offer, *is_final, intent), terms(offer), Some(offer)),
        Act::Accept => (SpeechAct::Accept, view.standing().map(terms).unwrap_or_default(), view.standing()),
        Act::WalkAway => (SpeechAct::Reject, SpokenTerms::default(), None),
        // A pass leaves the own offer on the table; without one there is nothing to say.
        Act::Pass if view.own_last().is_none() && remarks.is_empty() => return None,
        Act::Pass if view.own_last().is_none() => (SpeechAct::Probe, SpokenTerms::default(), None),
        Act::Pass => (SpeechAct::Hold, SpokenTerms::default(), view.own_last()),
    };
    let choice = wording(view, package);
    Some(Message::new(&speak(speech_act, &terms, remarks, choice).text))
}

/// What selects the wording of a move on `package`: round, seat and terms.
fn wording(view: &PartyView<'_>, package: Option<&Offer>) -> u64 {
    let moved = package.map_or(&[][..], |offer| offer.indices());
    moved.iter().fold(u64::from(view.round) * 2 + view.seat as u64, |choice, &index| {
        choice.wrapping_mul(0x0000_0100_0000_01B3) ^ u64::from(index)
    })
}

/// What making `offer` amounts to in words.
#[must_use]
pub fn spoken_act(view: &PartyView<'_>, offer: &Offer, is_final: bool, intent: Option<Intent>) -> SpeechAct {
    match (view.own_last(), intent) {
        _ if is_final => SpeechAct::Final,
        (None, _) => SpeechAct::Anchor,
        (Some(last), _) if last == offer => SpeechAct::Hold,
        (_, Some(Intent::ExploreZopa)) => SpeechAct::Probe,
        (Some(last), _) if view.gain(offer) >= view.gain(last) => SpeechAct::Probe,
        _ => SpeechAct::Concede,
    }
}

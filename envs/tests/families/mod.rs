//! One drawn counterpart of each family, and a way of meeting it.

use crate::scenes::procurement;
use zopa_envs::counterpart::{
    Behaviour, Course, Desperate, Ear, Listening, Patient, Policy, Reneging, Stochastic, Strategic, Voice,
};
use zopa_envs::random::Stream;
use zopa_envs::tactic::Selection;
use zopa_envs::{Action, Counterpart, Message, Negotiation, PartyView, Reply, Scenario, Seat, StreamKey};

/// A stream of test case `index`.
pub(crate) fn drawing(index: u64) -> Stream {
    StreamKey::new("test", &[b"families"]).stream(index)
}

/// A course with drawn parameters.
pub(crate) fn course(stream: &mut Stream) -> Course {
    let exponent = stream.uniform_in(0.3, 2.0);
    let aspirations = [stream.uniform_in(0.08, 0.2), stream.uniform_in(0.004, 0.02)];
    let selection = [Selection::TakeOver, Selection::OwnBest][stream.below(2) as usize];
    Course::new(exponent, aspirations, stream.uniform_in(0.2, 0.5), stream.uniform_in(0.001, 0.004), selection)
}

/// Every behaviour with drawn parameters.
pub(crate) fn behaviours(stream: &mut Stream) -> Vec<Behaviour> {
    let mut listening = |ear| {
        let bounds = [stream.uniform_in(0.7, 0.9), stream.uniform_in(1.1, 1.5)];
        Behaviour::Listening(Listening::new(ear, bounds, stream.uniform_in(0.002, 0.02), stream.uniform_in(0.0, 0.6)))
    };
    let listeners = [listening(Ear::Reasoned), listening(Ear::Reciprocal), listening(Ear::Suspicious)];
    let mut behaviours = vec![
        Behaviour::Steady,
        Behaviour::Strategic(Strategic::new(stream.uniform_in(0.005, 0.01), stream.uniform_in(0.3, 0.8), 2)),
        Behaviour::Stochastic(Stochastic {
            take: stream.uniform_in(0.5, 0.9),
            stray: stream.uniform_in(0.05, 0.3),
            slack: stream.uniform_in(0.005, 0.03),
        }),
        Behaviour::Reneging(Reneging { chance: stream.uniform_in(0.1, 0.4), retreat: stream.uniform_in(0.05, 0.2) }),
        Behaviour::Patient(Patient { hold: stream.uniform_in(0.3, 0.6) }),
        Behaviour::Desperate(Desperate { impatience: stream.uniform_in(0.5, 0.9) }),
    ];
    behaviours.extend(listeners);
    behaviours
}

/// Every voice with drawn parameters.
pub(crate) fn voices(stream: &mut Stream) -> Vec<Voice> {
    let mut share = || stream.uniform_in(0.4, 0.9);
    vec![
        Voice::Taciturn,
        Voice::Candid { frequency: share(), disclosure: share() },
        Voice::Expressive { frequency: share() },
        Voice::Adversarial { frequency: share(), disclosure: share(), inflation: 0.06 },
        Voice::Bluffing { frequency: share(), inflation: 0.06 },
        Voice::Pressuring { frequency: share() },
    ]
}

/// A scene of 20 rounds in which a counterpart sits opposite to `seat`.
pub(crate) fn against(seat: Seat, index: u64, policy: Policy, voice: Voice) -> Scenario {
    let stream = StreamKey::new("counterpart", &[b"families"]).lazy(index);
    let opener = Seat::BOTH[(index / 2 % 2) as usize];
    let mut scenario = Scenario { seat, ..procurement(20, opener) };
    scenario.public.guardrails = None;
    scenario.counterpart = Some(Counterpart::new("family".into(), policy, stream).speaking(voice));
    scenario
}

/// Plays `scenario` to its end; `turn` gives the agent's action and words from its own turn's number and its view.
pub(crate) fn meet(
    scenario: Scenario,
    mut turn: impl FnMut(u16, &PartyView<'_>) -> (Action, Option<Message>),
) -> Negotiation {
    let seat = scenario.seat;
    let mut game = Negotiation::new(scenario, [false; 2]).logged();
    let mut number = 0;
    while game.outcome().is_none() {
        if game.turn() == seat {
            let (action, message) = turn(number, &game.view(seat));
            game.submit(action, None, message);
            number += 1;
        } else {
            let (counterpart, view) = game.counterpart().expect("the scene has one");
            let Reply { action, message } = counterpart.act(&view);
            game.submit(action, None, message);
        }
    }
    game
}

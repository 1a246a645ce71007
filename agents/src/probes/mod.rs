//! Exploit probes: agents that try to gain without bargaining. No score may reward them; the suites' tests hold that none
//! passes a suite's best scripted tactic. They see what every agent sees.

mod accept_anything;
mod floor_spam;
mod remarking;
mod reneging;
mod stalling;
mod talking;
mod tie_breaking;
mod unwilling;

pub use accept_anything::AcceptAnything;
pub use floor_spam::FloorSpam;
pub use remarking::{FLATTERY, Remarking};
pub use reneging::RenegingProbe;
pub use stalling::{StallThenAccept, Waiting};
pub use talking::{Patter, TalkingProbe};
pub use tie_breaking::TieBreaking;
pub use unwilling::{DoNothing, WalkAway};

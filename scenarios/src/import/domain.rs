//! A domain as the readers hand it on.

use super::file::DomainFile;
use super::preferences::Preferences;
use super::selection::stem;
use std::sync::Arc;
use zopa_envs::digest::{Digest, Hasher};
use zopa_envs::message::one_line;
use zopa_envs::{
    CommonPrior, Mandate, Offer, OutcomeSpace, PartyType, PhaseBounds, PublicScenario, Scenario, Seat, Utility,
};

/// One side's preferences.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The name of the profile's file without its extension.
    pub name: Arc<str>,
    /// The worth of outcomes.
    pub utility: Utility,
    /// Utility of no deal. Where the file says that no deal is worse than everything, the lowest utility of an outcome.
    pub reservation: f64,
    /// Gains at progress t in `[0, 1]` count `discount^t`; 1 where time is free.
    pub discount: f64,
}

/// A bilateral domain: an outcome space and the preferences of both sides. The first profile sits as buyer.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The folder's name.
    pub name: Arc<str>,
    /// Issues and their values.
    pub space: OutcomeSpace,
    /// Both sides, buyer first.
    pub profiles: [Profile; 2],
    /// The files that this was read from, in byte order of their names.
    pub files: Vec<DomainFile>,
    /// What the reader decided without being asked, in words for the person who called it.
    pub notices: Vec<String>,
}

impl Domain {
    /// Puts together what a reader found: `files` are the domain's and the two profiles'; formats whose profiles hold the
    /// domain name one file twice. Names of files are made one line of plain text.
    pub(super) fn of(
        name: &str,
        space: OutcomeSpace,
        files: [DomainFile; 3],
        preferences: [Preferences; 2],
        mut notices: Vec<String>,
    ) -> Self {
        let names = [&files[1].name, &files[2].name].map(|file| Arc::<str>::from(one_line(stem(file))));
        let mut named = names.iter().cloned();
        let profiles = preferences.map(|preferences| {
            let name = named.next().unwrap_or_default();
            notices.extend(preferences.notices);
            let worst = || preferences.utility.worst(&space).map_or(0.0, |offer| preferences.utility.of(&offer));
            let worth = |offer: Option<Offer>| offer.map(|offer| preferences.utility.of(&offer));
            // The extremes of other utilities are searched for, which takes too long for a note.
            if preferences.utility.rectangles().is_none()
                && worth(preferences.utility.worst(&space)) == worth(preferences.utility.best(&space, |_, _| true))
            {
                notices
                    .push(format!("to {name} every outcome is worth the same: nothing can be gained by negotiating"));
            }
            let reservation = preferences.reservation.unwrap_or_else(worst);
            Profile { name, utility: preferences.utility, reservation, discount: preferences.discount }
        });
        let mut files = files.to_vec();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files.dedup();
        Self { name: one_line(name).into(), space, profiles, files, notices }
    }

    /// Digest over the files' names and bytes and over which profile sits where: the domain's version.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut hasher = Hasher::new();
        for profile in &self.profiles {
            hasher = hasher.with(&*profile.name);
        }
        for file in &self.files {
            hasher = hasher.with(file.name.as_str()).with(&file.bytes[..]);
        }
        hasher.digest()
    }

    /// Both private types, buyer first. Outcomes are sorted here where there are few enough, so keep what is returned.
    #[must_use]
    pub fn types(&self) -> [PartyType; 2] {
        [0, 1].map(|side| {
            let profile = &self.profiles[side];
            PartyType::of_tables(&self.space, profile.utility.clone(), profile.reservation)
        })
    }

    /// A scenario of this domain, where the first profile opens and nothing but `rounds` ends the talks: no guardrails and no
    /// counterpart. Outcomes are sorted here, as in [`Self::types`].
    #[must_use]
    pub fn scenario(&self, rounds: u16) -> Scenario {
        Scenario {
            public: PublicScenario {
                name: self.name.clone(),
                space: self.space.clone(),
                status_quo: None,
                rounds,
                opener: Seat::Buyer,
                phases: PhaseBounds::default(),
                guardrails: None,
                hazard: 0.0,
                discount: [self.profiles[0].discount, self.profiles[1].discount],
                prior: CommonPrior::Unknown,
                families: Arc::default(),
                speech: false,
            },
            types: self.types(),
            mandates: [Mandate::default(), Mandate::default()],
            principals: Default::default(),
            seat: Seat::Buyer,
            counterpart: None,
            break_off: None,
        }
    }
}

//! Rewards: what each pays to the last digit, and that better play raises what `shaped` adds.

mod drawn;

use drawn::Drawn;
use zopa_envs::environment::{
    ActionLevel, AutoresetMode, Choice, Environment, EnvironmentConfig, Reward, Trails, VectorEnvironment,
};
use zopa_envs::{Action, Intent, Negotiation, Offer, PartyView, Ruling, Seat};

const REWARDS: [Reward; 4] = [Reward::Surplus, Reward::NashProduct, Reward::Sparse, Reward::Shaped];

fn config(level: ActionLevel, reward: Reward) -> EnvironmentConfig {
    EnvironmentConfig { level, reward, truncate_after: None }
}

/// One episode as it was played and paid.
struct Played {
    rewards: Vec<f64>,
    /// Guardrails failed, refusals beside them and unauthorised words.
    violations: u32,
    trails: Trails,
    game: Negotiation,
    seat: Seat,
}

fn play<C: Into<Choice>>(
    source: &Drawn,
    level: ActionLevel,
    reward: Reward,
    episode: u64,
    policy: impl Fn(usize, &PartyView<'_>) -> C,
) -> Played {
    let mut environment = Environment::new(source.clone(), config(level, reward)).unwrap();
    environment.reset(Some(episode)).unwrap();
    let (mut rewards, mut violations) = (Vec::new(), 0);
    loop {
        let choice = policy(rewards.len(), &environment.view());
        let step = environment.step(choice).unwrap();
        rewards.push(step.reward);
        let refused = matches!(step.info.ruling, Some(Ruling::Refused(_) | Ruling::FellBack(_)));
        violations += step.info.faults.count().max(u32::from(refused)) + step.info.unauthorised;
        if step.terminated {
            let (trails, seat) = (Trails::of(&environment.view()), environment.view().seat);
            return Played { rewards, violations, trails, game: environment.negotiation().clone(), seat };
        }
    }
}

impl Played {
    /// Both sides' gains from the agreement, undiscounted, buyer first.
    fn gains(&self) -> Option<[f64; 2]> {
        let types = &self.game.scenario().types;
        self.game.outcome()?.agreement().map(|offer| [types[0].gain(offer), types[1].gain(offer)])
    }

    /// Concession-rate efficiency, its parts computed from the history.
    fn efficiency(&self) -> f64 {
        let (view, party) = (self.game.view(self.seat), &self.game.scenario().types[self.seat.index()]);
        let best = view.public.space.outcomes().map(|offer| party.gain(&offer)).fold(f64::MIN, f64::max);
        let gain_of = |seat| view.offers_of(seat).map(|offer| party.gain(offer)).collect::<Vec<_>>();
        let (own, other) = (gain_of(self.seat), gain_of(self.seat.other()));
        let reached = self.gains().map(|gains| gains[self.seat.index()]);
        let (Some(own_end), false) = (reached.or(own.first().copied()), self.trails.left) else { return 0.0 };
        let other_end = reached.or(other.first().copied()).unwrap_or(0.0);
        let conceded = (best - own_end).max(0.0);
        let won = (other_end - other.last().copied().unwrap_or(0.0)).max(0.0);
        if conceded + won > 0.0 { won / (conceded + won) } else { 0.0 }
    }

    /// What `reward` pays over the whole episode, as its documentation says.
    fn owed(&self, reward: Reward) -> f64 {
        let (scenario, outcome) = (self.game.scenario(), self.game.outcome().unwrap());
        let t = f64::from(outcome.round) / f64::from(scenario.public.rounds - 1);
        let price = scenario.public.status_quo_price().unwrap();
        let share = |seat: Seat| {
            self.gains().map_or(0.0, |gains| gains[seat.index()] * scenario.public.discount_at(seat, t) / price)
        };
        match reward {
            Reward::Surplus => share(self.seat),
            Reward::NashProduct => share(Seat::Buyer).max(0.0) * share(Seat::Supplier).max(0.0),
            Reward::Sparse => f64::from(u8::from(self.gains().is_some() && share(self.seat) >= 0.0)),
            Reward::Shaped => {
                let agreement = if self.gains().is_some() { 10.0 } else { 0.0 };
                let bonus = 0.3 * self.efficiency() + 0.2 * self.trails.rapport();
                agreement - 5.0 * f64::from(self.violations) + bonus
            }
        }
    }
}

fn intents(source: &Drawn, reward: Reward, episode: u64, policy: impl Fn(usize) -> Intent) -> Played {
    play(source, ActionLevel::Intents, reward, episode, |turn, _| policy(turn))
}

#[test]
fn every_reward_pays_what_it_says() {
    let source = Drawn::new(4, 2);
    let patient = |turn| if turn < 8 { Intent::ConcedeSmall } else { Intent::Accept };
    for reward in REWARDS {
        let (mut agreements, mut violations) = (0, 0);
        for episode in 0..40 {
            let played = intents(&source, reward, episode, patient);
            let (total, owed) = (played.rewards.iter().sum::<f64>(), played.owed(reward));
            assert!((total - owed).abs() < 1e-9, "{reward}, episode {episode}: {total} paid, {owed} owed");
            if reward != Reward::Shaped {
                assert!(played.rewards.iter().rev().skip(1).all(|&paid| paid == 0.0), "{reward} pays at the end");
            }
            agreements += u32::from(played.gains().is_some());
            violations += played.violations;
        }
        assert!(agreements > 10 && violations > 10, "{agreements} agreements, {violations} violations");
    }
}

#[test]
fn a_vector_pays_every_reward_as_its_documentation_says() {
    let source = Drawn::new(4, 2);
    let turns = |turn: u32| if turn < 6 { Intent::ConcedeSmall } else { Intent::Accept };
    for reward in REWARDS {
        let n = 10;
        let setting = config(ActionLevel::Intents, reward);
        let mut vector = VectorEnvironment::new(source.clone(), setting, n, AutoresetMode::SameStep).unwrap();
        let mut arrays = vector.arrays();
        let mut buffers = arrays.buffers();
        vector.reset(Some(0), &mut buffers).unwrap();
        let (mut turn, mut paid, mut ended) = (vec![0; n], vec![0.0; n], 0);
        while ended < 200 {
            let episodes: Vec<u64> = (0..n).map(|k| vector.episode(k).unwrap()).collect();
            let actions: Vec<i64> = turn.iter().map(|&turn| turns(turn) as i64).collect();
            vector.step(&actions, &mut buffers).unwrap();
            for k in 0..n {
                turn[k] += 1;
                paid[k] += buffers.rewards[k];
                if buffers.terminated[k] {
                    let owed = intents(&source, reward, episodes[k], |turn| turns(turn as u32)).owed(reward);
                    assert!((paid[k] - owed).abs() < 1e-9, "{reward}: {} paid, {owed} owed", paid[k]);
                    (turn[k], paid[k]) = (0, 0.0);
                    ended += 1;
                }
            }
        }
    }
}

#[test]
fn every_violation_costs_five_at_its_step() {
    let offers = config(ActionLevel::Offers, Reward::Shaped);
    let mut environment = Environment::new(Drawn::new(4, 2), offers).unwrap();
    environment.reset(Some(0)).unwrap();
    // The buyer offers the top of the grid: below the floor, and so corrected.
    assert_eq!(environment.view().seat, Seat::Buyer);
    let step = environment.step(Action::offer(Offer::new(&[8_000, 4]))).unwrap();
    assert_eq!(step.info.ruling, Some(Ruling::Corrected));
    assert_eq!(step.reward, -5.0 * f64::from(step.info.faults.count()));
}

#[test]
fn conceding_less_and_winning_more_raises_concession_efficiency() {
    let trails = |own: [f64; 2], other: [f64; 2]| {
        let mut trails = Trails::default();
        (trails.own.offers, trails.own.first, trails.own.last) = (2, own[0], own[1]);
        (trails.other.offers, trails.other.first, trails.other.last) = (2, other[0], other[1]);
        trails
    };
    let efficiency = |own, other, reached| trails(own, other).concession_efficiency(10.0, reached);
    let base = efficiency([8.0, 6.0], [-10.0, -6.0], None);
    assert_eq!(base, 0.5);
    assert!(efficiency([8.0, 7.0], [-10.0, -6.0], None) > base);
    assert!(efficiency([8.0, 6.0], [-10.0, 0.0], None) > base);
    // Where it began is nothing that an own offer could move.
    assert_eq!(efficiency([6.0, 6.0], [-10.0, -6.0], None), base);
    // The better the agreement, the more of the way the other side came.
    let reached = |gain| efficiency([8.0, 6.0], [-10.0, -6.0], Some(gain));
    assert_eq!([reached(-10.0), reached(0.0), reached(5.0), reached(10.0)], [0.0, 0.5, 0.75, 1.0]);
    // The other side's start counts as no deal where it took the first offer.
    let mut taken = trails([2.0, 2.0], [0.0, 0.0]);
    taken.other.offers = 0;
    assert_eq!(taken.concession_efficiency(10.0, Some(2.0)), 0.2);
    assert_eq!(Trails::default().concession_efficiency(10.0, None), 0.0);
}

#[test]
fn bargaining_pays_more_efficiency_than_giving_everything_away() {
    let source = Drawn::new(6, 2);
    let mean = |policy: &dyn Fn(usize, &PartyView<'_>) -> Action| {
        let played = (0..60).map(|episode| play(&source, ActionLevel::Offers, Reward::Shaped, episode, policy));
        played.map(|played| played.efficiency()).sum::<f64>() / 60.0
    };
    let priced = |view: &PartyView<'_>, gain: f64| {
        let offer = view.packages().at_gain(gain * view.own.yardstick, view.public.status_quo.as_ref().unwrap());
        offer.map_or(Action::WalkAway, Action::offer)
    };
    let or_accept = |view: &PartyView<'_>, gain: f64| {
        let enough = view.standing_gain().is_some_and(|standing| standing >= gain * view.own.yardstick);
        if enough { Action::Accept } else { priced(view, gain) }
    };
    let linear = mean(&|turn, view| or_accept(view, (0.10 - 0.005 * turn as f64).max(0.005)));
    let opens_at_reservation = mean(&|_, view| or_accept(view, 0.0));
    let takes_anything = mean(&|_, view| if view.standing().is_some() { Action::Accept } else { priced(view, 0.0) });
    assert!(linear > opens_at_reservation + 0.01, "{linear} {opens_at_reservation}");
    assert!(linear > takes_anything + 0.01, "{linear} {takes_anything}");
}

#[test]
fn answering_concessions_and_taking_nothing_back_raises_rapport() {
    let trails = |turns, retreats, favours, answered| {
        let mut trails = Trails::default();
        (trails.turns, trails.retreats, trails.favours, trails.answered) = (turns, retreats, favours, answered);
        trails.own.offers = turns;
        trails
    };
    let base = trails(10, 2, 4, 2).rapport();
    assert_eq!(base, 0.65);
    assert!(trails(10, 1, 4, 2).rapport() > base);
    assert!(trails(10, 2, 4, 3).rapport() > base);
    assert_eq!(trails(10, 0, 4, 4).rapport(), 1.0);
    assert_eq!(trails(0, 0, 0, 0).rapport(), 0.0);
    // And so played: who answers concessions has more rapport than who only repeats an anchor, and that more than who
    // goes back and forth.
    let mean = |policy: fn(usize) -> Intent| {
        let source = Drawn::new(5, 2);
        let rapport = |episode| intents(&source, Reward::Shaped, episode, policy).trails.rapport();
        (0..60).map(rapport).sum::<f64>() / 60.0
    };
    let reciprocal = mean(|_| Intent::ConcedeSmall);
    let firm = mean(|_| Intent::HoldFirm);
    let wavering = mean(|turn| if turn % 3 == 2 { Intent::OpenAnchor } else { Intent::HoldFirm });
    let erratic = mean(|turn| if turn % 2 == 1 { Intent::OpenAnchor } else { Intent::ConcedeSmall });
    assert!(reciprocal > firm, "{reciprocal} {firm}");
    assert!(firm >= wavering);
    assert!(reciprocal > erratic, "{reciprocal} {erratic}");
}

#[test]
fn walking_away_at_once_and_doing_nothing_earn_nothing_by_any_reward() {
    for reward in REWARDS {
        for episode in 0..60 {
            let left = intents(&Drawn::new(5, 3), reward, episode, |_| Intent::Reject);
            assert_eq!((left.rewards, left.trails.rapport()), (vec![0.0], 0.0), "{reward}");
            let mut environment =
                Environment::new(Drawn::new(5, 3), config(ActionLevel::DialogueActs, reward)).unwrap();
            environment.reset(Some(episode)).unwrap();
            loop {
                let step = environment.step(Action::Pass).unwrap();
                assert_eq!(step.reward, 0.0, "{reward}");
                if step.terminated {
                    break;
                }
            }
        }
    }
}

#[test]
fn leaving_later_forgoes_what_efficiency_and_rapport_would_have_paid() {
    for episode in 0..60 {
        let leaves = |turn| if turn < 3 { Intent::ConcedeSmall } else { Intent::Reject };
        let played = intents(&Drawn::new(5, 3), Reward::Shaped, episode, leaves);
        if played.trails.left {
            let agreed = played.gains().is_some();
            assert!(!agreed && played.rewards.iter().all(|&reward| reward <= 0.0), "{:?}", played.rewards);
        }
    }
}

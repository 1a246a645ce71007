//! The rule tree: the brittle baseline that simple pricing bots are.

use crate::agent::Agent;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, Intent, Offer, PartyView, Seat};

/// The opening price, as a share of the reference price better than it.
const OPENING: f64 = 0.10;
/// What each own offer gives way, as a share of the reference price.
const STEP: f64 = 0.02;
/// How far from its own next price it still accepts, as a share of the reference price.
const MARGIN: f64 = 0.01;
/// The same three as shares of the values of an issue that is no price: it opens at the own best value.
const PLACES: f64 = 0.05;

/// Bargains over one issue by fixed rules and sees nothing else.
///
/// With a price: opens 10 % better than the status quo's price, gives 2 % of it with every offer, down to its own reservation
/// price at the status quo's other terms, and leaves all other issues at the status quo. It accepts any offer whose *price* is
/// within 1 % of its own next one, whatever the other terms; on its last turn it walks away instead of offering again. It
/// knows no phases. Without a price it does the same on the issue that moves its utility most, from its best value to its
/// worst that leaves no loss, 5 % of the issue's values a step (at least one) and one step's margin, the other issues at its own
/// best values. Where every place is a loss it walks away at once.
///
/// The shares are round numbers, fixed before any run; none was chosen to reach a result.
#[derive(Clone, Debug, Default)]
pub struct RuleTree {
    offers: u32,
}

/// The one issue that it bargains over: places in order from best to worst for itself.
struct Line {
    issue: usize,
    /// Value indices from the opening to the limit, in the order of giving way.
    places: Places,
    /// Places given a turn.
    step: u32,
    /// Places from the own next one at which it still accepts.
    margin: u32,
    /// The other terms.
    terms: Offer,
}

enum Places {
    /// Prices: from `opening` towards `limit`.
    Price { opening: u32, limit: u32, seat: Seat },
    /// Values of a table, sorted by own utility, best first, and how many of them, at least one, leave no loss.
    Sorted { values: Vec<u32>, acceptable: u32 },
}

impl Places {
    /// The value `steps` places down, at most the limit.
    fn at(&self, steps: u32) -> u32 {
        match self {
            Self::Price { opening, limit, seat: Seat::Buyer } => opening.saturating_add(steps).min(*limit),
            Self::Price { opening, limit, seat: Seat::Supplier } => opening.saturating_sub(steps).max(*limit),
            Self::Sorted { values, acceptable } => values[steps.min(acceptable - 1) as usize],
        }
    }

    /// How many places worse than `own` the value `theirs` is; 0 where it is no worse.
    fn shortfall(&self, own: u32, theirs: u32) -> u32 {
        match self {
            Self::Price { seat: Seat::Buyer, .. } => theirs.saturating_sub(own),
            Self::Price { seat: Seat::Supplier, .. } => own.saturating_sub(theirs),
            Self::Sorted { values, .. } => {
                let place = |value| values.iter().position(|&known| known == value).unwrap_or(values.len()) as u32;
                place(theirs).saturating_sub(place(own))
            }
        }
    }
}

impl Line {
    /// `None` where no place leaves it without a loss.
    fn of(view: &PartyView<'_>) -> Option<Self> {
        match view.own.utility.price_issue() {
            Some(price) => Self::price(view, price),
            None => Self::heaviest(view),
        }
    }

    fn price(view: &PartyView<'_>, issue: usize) -> Option<Self> {
        let grid = &view.public.space.issues()[issue];
        let last = grid.len() - 1;
        let terms = match &view.public.status_quo {
            Some(status_quo) => status_quo.clone(),
            None => view.packages().best()?.with(issue, last / 2),
        };
        let reference = terms.get(issue);
        let tick = grid.number(last)? - grid.number(0)?;
        let tick = if last > 0 { tick / f64::from(last) } else { 1.0 };
        let ticks = |share: f64| (share * grid.number(reference).unwrap_or(0.0) / tick) as u32;
        let limit = view.own.utility.price_for(&terms, view.own.disagreement)?;
        let places = match view.seat {
            Seat::Buyer => {
                Places::Price { opening: reference.saturating_sub(ticks(OPENING)).min(limit), limit, seat: Seat::Buyer }
            }
            Seat::Supplier => {
                let opening = reference.saturating_add(ticks(OPENING)).min(last).max(limit);
                Places::Price { opening, limit, seat: Seat::Supplier }
            }
        };
        Some(Self { issue, places, step: ticks(STEP).max(1), margin: ticks(MARGIN), terms })
    }

    fn heaviest(view: &PartyView<'_>) -> Option<Self> {
        let terms = view.packages().best()?;
        let spread = |issue: usize| {
            let table = view.own.utility.table(issue);
            let high = table.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            high - table.iter().copied().fold(f64::INFINITY, f64::min)
        };
        let count = view.public.space.issues().len();
        let issue = (0..count).max_by(|&a, &b| spread(a).total_cmp(&spread(b)).then(b.cmp(&a)))?;
        let table = view.own.utility.table(issue);
        let mut values: Vec<u32> = (0..table.len() as u32).collect();
        values.sort_by(|&a, &b| table[b as usize].total_cmp(&table[a as usize]).then(a.cmp(&b)));
        let acceptable = values.iter().take_while(|&&value| view.gain(&terms.with(issue, value)) >= 0.0).count() as u32;
        if acceptable == 0 {
            return None;
        }
        let step = ((PLACES * values.len() as f64) as u32).max(1);
        Some(Self { issue, places: Places::Sorted { values, acceptable }, step, margin: step, terms })
    }
}

impl Agent for RuleTree {
    fn id(&self) -> &str {
        "rule-tree"
    }

    fn begin(&mut self, _stream: LazyStream) {
        self.offers = 0;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let Some(line) = Line::of(view) else { return Decision::from(Action::WalkAway).meaning(Intent::Reject) };
        let own = line.places.at(self.offers.saturating_mul(line.step));
        if let Some(standing) = view.standing()
            && view.refusal.is_none()
            && line.places.shortfall(own, standing.get(line.issue)) <= line.margin
        {
            return Decision::from(Action::Accept).meaning(Intent::Accept);
        }
        if view.is_last_turn() {
            return Decision::from(Action::WalkAway).meaning(Intent::Reject);
        }
        let intent = if self.offers == 0 { Intent::OpenAnchor } else { Intent::ConcedeSmall };
        self.offers += 1;
        Decision::from(Action::offer(line.terms.with(line.issue, own))).meaning(intent)
    }
}

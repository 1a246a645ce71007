//! A scenario as a person reads it.

use crate::relationship_text::render_relationship;
use crate::survey::Zone;
use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use zopa_envs::attainable::Attainable;
use zopa_envs::mandate::{ApprovalRule, Fact, Permission, PromiseKind, StopResponse};
use zopa_envs::{
    CommonPrior, Counterpart, Grid, Issue, Money, PartyPrior, PartyType, PartyView, Policy, PublicScenario, Scenario,
    Seat, Span, Valuation,
};

/// An issue with more values than this is shown in runs of equal steps.
const MOST_SINGLE: usize = 7;

/// A run of equal steps holds at least this many values; fewer are shown one by one.
const LEAST_RUN: usize = 4;

/// The scenario as `seat` sees it; with `reveal` also what the other side and the scorer alone know.
///
/// Text for people: its wording may change between versions, and nothing reads it back.
#[must_use]
pub fn render(scenario: &Scenario, seat: Seat, reveal: bool) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, scenario, seat, reveal);
    text
}

/// What a side knows at any time, in the words of [`render`]: the public scenario, its own type and mandate, and in a series what
/// [`render_relationship`] tells, without the families and the moves.
#[must_use]
pub fn render_side(view: &PartyView<'_>) -> String {
    let mut text = String::new();
    let _ = side(&mut text, view);
    if let Some(known) = view.relationship {
        text.push_str(&render_relationship(known, &view.public.space));
    }
    text
}

/// The training families as every contender is told of them; empty where none is published.
#[must_use]
pub fn render_families(public: &PublicScenario) -> String {
    let mut text = String::new();
    let _ = families(&mut text, public);
    text
}

fn side(text: &mut String, view: &PartyView<'_>) -> fmt::Result {
    let (public, seat) = (view.public, view.seat);
    writeln!(text, "{}: you are the {seat}; the {} opens each round", public.name, public.opener)?;
    rules(text, public)?;
    issues(text, public)?;
    party(text, "Your side (private)", view.own, seat, public)?;
    authority(text, view)?;
    prior(text, public, seat.other())
}

fn write(text: &mut String, scenario: &Scenario, seat: Seat, reveal: bool) -> fmt::Result {
    let public = &scenario.public;
    let (own, mandate) = (&scenario.types[seat.index()], &scenario.mandates[seat.index()]);
    side(text, &PartyView::new(public, own, mandate, seat, 0, &[], None))?;
    families(text, public)?;
    if reveal {
        let other = &scenario.types[seat.other().index()];
        party(text, &format!("Revealed: the {}", seat.other()), other, seat.other(), public)?;
        hidden(text, scenario)?;
    }
    Ok(())
}

fn rules(text: &mut String, public: &PublicScenario) -> fmt::Result {
    write!(text, "at most {} rounds of one action by each side", public.rounds)?;
    if public.hazard > 0.0 {
        write!(text, "; after each round it breaks off with a chance of {}", percent(public.hazard))?;
    }
    for (side, discount) in Seat::BOTH.into_iter().zip(public.discount) {
        if discount < 1.0 {
            write!(text, "; at the end the {side}'s gains count {}", percent(discount))?;
        }
    }
    writeln!(text)
}

fn issues(text: &mut String, public: &PublicScenario) -> fmt::Result {
    writeln!(text, "\nIssues")?;
    let width = name_width(public);
    for (position, issue) in public.space.issues().iter().enumerate() {
        write!(text, "  {:width$}  {}", issue.name, issue.range_text())?;
        if let Some(status_quo) = &public.status_quo {
            write!(text, "; status quo {}", issue.text(status_quo.get(position)))?;
        }
        writeln!(text)?;
    }
    Ok(())
}

fn party(text: &mut String, title: &str, party: &PartyType, seat: Seat, public: &PublicScenario) -> fmt::Result {
    let unit = Unit::of(party);
    let measured = if public.status_quo.is_some() { " against the status quo" } else { "" };
    writeln!(text, "\n{title}")?;
    writeln!(text, "  no deal is worth {}{measured}", unit.change(party.disagreement))?;
    if let Some(status_quo) = &public.status_quo
        && let Some((rest, slope)) = party.utility.line(status_quo)
    {
        let price = (party.disagreement - rest) / slope;
        let bound = if seat == Seat::Buyer { "pays at most" } else { "takes at least" };
        writeln!(text, "  at the status quo's other terms it {bound} {}", unit.amount(price))?;
    }
    if let Some(deadline) = party.deadline {
        writeln!(text, "  leaves after {deadline} rounds, which the other side does not know")?;
    }
    let width = name_width(public);
    for (position, issue) in public.space.issues().iter().enumerate() {
        let Some(worth) = worth(party, seat, public, position) else { continue };
        writeln!(text, "  {:width$}  {}", issue.name, values(issue, &worth, unit))?;
        if party.utility.financing().is_some_and(|financing| financing.issue() == position) {
            let rate = rate(party, seat, public, position);
            writeln!(text, "  {:width$}  (at the status quo's price; {rate})", "")?;
        }
    }
    regions(text, party, public, unit)
}

/// What each value of an issue adds against the status quo's, financing at the status quo's price; `None` for the price and
/// for issues that add nothing.
fn worth(party: &PartyType, seat: Seat, public: &PublicScenario, position: usize) -> Option<Vec<f64>> {
    let reference = public.status_quo.as_ref().map(|status_quo| status_quo.get(position) as usize);
    let mut worth = match party.utility.financing().filter(|financing| financing.issue() == position) {
        Some(financing) => {
            let price = public.status_quo_price()?;
            let sign = if seat == Seat::Buyer { -1.0 } else { 1.0 };
            financing.factors().map(|factor| sign * factor * price).collect()
        }
        None => party.utility.table(position).to_vec(),
    };
    if let Some(reference) = reference.and_then(|reference| worth.get(reference).copied()) {
        worth.iter_mut().for_each(|entry| *entry -= reference);
    }
    worth.iter().any(|&entry| entry != 0.0).then_some(worth)
}

/// The yearly financing rate that was drawn for `issue`.
fn rate(party: &PartyType, seat: Seat, public: &PublicScenario, issue: usize) -> String {
    let CommonPrior::Parties(priors) = &public.prior else { return "financed by a yearly rate".to_owned() };
    let place = priors[seat.index()].valuations.iter().position(|valuation| valuation.issue == issue);
    // The disagreement value comes first.
    let drawn = place.and_then(|place| party.parameters.get(place + 1));
    drawn.map_or_else(|| "financed by a yearly rate".to_owned(), |rate| format!("{} a year", percent(*rate)))
}

/// `0 days +$120, 30 days $0, ...`: every value of an issue. Where a long row of numbers goes up or down in equal steps its ends
/// stand for it: `10 days $0 to 90 days +$800 in equal steps`.
fn values(issue: &Issue, worth: &[f64], unit: Unit) -> String {
    let entry = |index: usize| format!("{} {}", issue.text(index as u32), unit.change(worth[index]));
    let long = worth.len() > MOST_SINGLE && !matches!(issue.grid, Grid::Labels(_));
    let mut entries = Vec::new();
    let mut first = 0;
    while first < worth.len() {
        let last = if long { run_end(&worth[first..], unit.precision()) + first } else { first };
        if last - first + 1 >= LEAST_RUN {
            entries.push(format!("{} to {} in equal steps", entry(first), entry(last)));
            first = last + 1;
        } else {
            entries.push(entry(first));
            first += 1;
        }
    }
    entries.join(", ")
}

/// The last index up to which the straight line from the first entry misses none by more than `tolerance`.
fn run_end(worth: &[f64], tolerance: f64) -> usize {
    let Some((start, rest)) = worth.split_first() else { return 0 };
    // The slopes whose lines pass near enough to every entry so far; the run may end wherever its own slope is among them.
    let (mut least, mut most, mut end) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    for (step, entry) in rest.iter().enumerate().map(|(step, entry)| ((step + 1) as f64, entry - start)) {
        let slope = entry / step;
        least = least.max((entry - tolerance) / step);
        most = most.min((entry + tolerance) / step);
        if least > most {
            break;
        }
        if (least..=most).contains(&slope) {
            end = step as usize;
        }
    }
    end
}

/// What every deal is worth beside its issues, and what constraints pay for regions of deals.
fn regions(text: &mut String, party: &PartyType, public: &PublicScenario, unit: Unit) -> fmt::Result {
    if public.status_quo.is_none() && party.utility.constant() != 0.0 {
        writeln!(text, "  any deal is worth {} besides", unit.change(party.utility.constant()))?;
    }
    let Some(regions) = party.utility.rectangles() else { return Ok(()) };
    let cut = if regions.most.is_finite() {
        format!(", at most {} in all", unit.amount(regions.most))
    } else {
        String::new()
    };
    writeln!(text, "  what a deal is worth by several issues together, added up{cut}:")?;
    for region in &regions.constraints {
        let spans: Vec<String> = region.spans.iter().map(|span| span_text(span, public)).collect();
        let place = match (spans.is_empty(), region.inside) {
            (true, true) => "any deal".to_owned(),
            (true, false) => "no deal at all".to_owned(),
            (false, true) => format!("deals with {}", spans.join(" and ")),
            (false, false) => format!("all deals but those with {}", spans.join(" and ")),
        };
        writeln!(text, "    {} for {place}", unit.change(region.utility))?;
    }
    Ok(())
}

/// `payment 0 days to 30 days`, both ends included.
fn span_text(span: &Span, public: &PublicScenario) -> String {
    let issue = &public.space.issues()[span.issue];
    let last = span.last.min(issue.len().saturating_sub(1));
    match span.first.cmp(&last) {
        Ordering::Less => format!("{} {} to {}", issue.name, issue.text(span.first), issue.text(last)),
        Ordering::Equal => format!("{} {}", issue.name, issue.text(last)),
        Ordering::Greater => format!("no value of {}", issue.name),
    }
}

fn authority(text: &mut String, view: &PartyView<'_>) -> fmt::Result {
    writeln!(text, "\nAuthority")?;
    let (seat, mandate, unit) = (view.seat, view.mandate, Unit::of(view.own));
    if let Some(least) = mandate.least_gain {
        writeln!(text, "  mandate: nothing that gains you less than {} against no deal", unit.amount(least))?;
    }
    if let Some(limit) = mandate.price_limit {
        let bound = if seat == Seat::Buyer { "above" } else { "below" };
        writeln!(text, "  mandate: no price {bound} {limit}")?;
    }
    for permitted in &mandate.permitted {
        let issue = &view.public.space.issues()[permitted.issue];
        let allowed: Vec<String> = (0..issue.len())
            .filter(|&index| permitted.values.get(index as usize).copied().unwrap_or(false))
            .map(|index| issue.text(index))
            .collect();
        writeln!(text, "  mandate: {} only {}", issue.name, allowed.join(", "))?;
    }
    people(text, view, unit)?;
    match &view.public.guardrails {
        None => writeln!(text, "  guardrails: off"),
        Some(caps) => {
            let yardstick = view.own.yardstick;
            let of_phase = [
                ("opening", caps.opening),
                ("bargaining", caps.bargaining),
                ("closing", caps.closing),
                ("final", caps.last),
            ]
            .map(|(phase, cap)| format!("{phase} {}", percent(cap)));
            writeln!(
                text,
                "  guardrails, in shares of {}: a concession at most {} ({}); a loss at most {}",
                unit.amount(yardstick),
                percent(caps.concession_rate),
                of_phase.join(", "),
                percent(caps.floor)
            )
        }
    }
}

/// What may be said, what needs a person, and when to stop. What the principal will say or answer stays hidden.
fn people(text: &mut String, view: &PartyView<'_>, unit: Unit) -> fmt::Result {
    let (seat, mandate) = (view.seat, view.mandate);
    for (permission, words) in
        [(Permission::Permitted, "may be promised"), (Permission::NeedsApproval, "needs approval to be promised")]
    {
        for kind in PromiseKind::ALL.into_iter().filter(|kind| mandate.promises.of(*kind) == permission) {
            writeln!(text, "  mandate: {kind} {words}")?;
        }
    }
    for (permission, words) in
        [(Permission::Permitted, "may be told"), (Permission::NeedsApproval, "needs approval to be told")]
    {
        for fact in Fact::ALL.into_iter().filter(|fact| mandate.disclosures.of(*fact) == permission) {
            writeln!(text, "  mandate: {fact} {words}")?;
        }
    }
    for rule in &mandate.approval {
        match rule {
            ApprovalRule::PriceBeyond(price) => {
                let bound = if seat == Seat::Buyer { "above" } else { "below" };
                writeln!(text, "  needs approval: a price {bound} {price}")?;
            }
            ApprovalRule::QuantityAbove(units) => writeln!(text, "  needs approval: a quantity above {units}")?,
            ApprovalRule::ValuesBeside(free) => {
                let issue = &view.public.space.issues()[free.issue];
                let free: Vec<String> = (0..issue.len())
                    .filter(|&index| free.values.get(index as usize).copied().unwrap_or(false))
                    .map(|index| issue.text(index))
                    .collect();
                writeln!(text, "  needs approval: {} other than {}", issue.name, free.join(", "))?;
            }
            ApprovalRule::GainBelow(gain) => {
                writeln!(text, "  needs approval: what gains you less than {} against no deal", unit.amount(*gain))?;
            }
        }
    }
    for rule in &mandate.stop {
        let response = match rule.response {
            StopResponse::WalkAway => "leave",
            StopResponse::Escalate => "ask a person",
        };
        let (round, gain) = (rule.from_round, unit.amount(rule.gain_below));
        let reason = if rule.only_final {
            "where a best and final offer gains you less than"
        } else {
            "without an offer that gains you"
        };
        writeln!(text, "  stop: {response} from round {round} on {reason} {gain}")?;
    }
    Ok(())
}

fn prior(text: &mut String, public: &PublicScenario, seat: Seat) -> fmt::Result {
    writeln!(text, "\nWhat is known of the {seat}")?;
    match &public.prior {
        CommonPrior::Unknown => writeln!(text, "  nothing"),
        CommonPrior::Parties(priors) => party_prior(text, &priors[seat.index()], public),
    }
}

fn party_prior(text: &mut String, prior: &PartyPrior, public: &PublicScenario) -> fmt::Result {
    let width = name_width(public).max("no deal".len());
    writeln!(text, "  {:width$}  {}, in shares of the status quo's price", "no deal", prior.disagreement)?;
    for valuation in &prior.valuations {
        let issue = &public.space.issues()[valuation.issue];
        let form = match &valuation.valuation {
            Valuation::FinancingRate => "as a yearly financing rate".to_owned(),
            Valuation::Shape(shape) => {
                let shape: Vec<String> = shape.iter().map(f64::to_string).collect();
                format!("times ({}) times the status quo's price", shape.join(", "))
            }
        };
        writeln!(text, "  {:width$}  {}, {form}", issue.name, valuation.weight)?;
    }
    Ok(())
}

fn families(text: &mut String, public: &PublicScenario) -> fmt::Result {
    if public.families.is_empty() {
        return Ok(());
    }
    writeln!(text, "\nCounterpart families met in training")?;
    for family in public.families.iter() {
        writeln!(text, "  {} ({}): {}", family.name, percent(family.share), family.description)?;
    }
    Ok(())
}

/// The family, what was drawn of what it does, and in a spoken scenario how it speaks.
fn plays(text: &mut String, scenario: &Scenario, counterpart: &Counterpart) -> fmt::Result {
    write!(text, "  plays {}: ", counterpart.family)?;
    match &counterpart.policy {
        Policy::Tactic(tactic) => write!(text, "{tactic:?}")?,
        policy @ Policy::Conceding { course, .. } => {
            for (name, value) in policy.parameters() {
                write!(text, "{name} {value}, ")?;
            }
            write!(text, "{:?}", course.selection)?;
        }
    }
    if scenario.public.speech {
        write!(text, ", speaks {:?}", counterpart.voice)?;
    }
    writeln!(text)
}

fn hidden(text: &mut String, scenario: &Scenario) -> fmt::Result {
    match &scenario.counterpart {
        Some(counterpart) => plays(text, scenario, counterpart)?,
        None => writeln!(text, "  is played by an agent")?,
    }
    writeln!(text, "\nRevealed: the scenario")?;
    match scenario.break_off {
        Some(round) => writeln!(text, "  breaks off after round {}", round + 1)?,
        None => writeln!(text, "  does not break off")?,
    }
    let Some(attainable) = Attainable::of(scenario) else { return Ok(()) };
    let units = scenario.types.each_ref().map(Unit::of);
    if attainable.feasible {
        let [buyer, supplier] = [0, 1].map(|seat| units[seat].amount(attainable.best_gain[seat]));
        writeln!(text, "  feasible: the largest joint gain is {}", units[0].amount(attainable.best_joint))?;
        writeln!(text, "  the buyer could gain {buyer} at most, the supplier {supplier}")
    } else {
        match Zone::of(scenario) {
            Some(zone) => {
                let miss = units[0].amount(-zone.width);
                writeln!(text, "  infeasible: at the best terms the reservation prices miss by {miss}")
            }
            None => writeln!(text, "  infeasible: no outcome leaves both sides better off"),
        }
    }
}

fn name_width(public: &PublicScenario) -> usize {
    public.space.issues().iter().map(|issue| issue.name.chars().count()).max().unwrap_or(0)
}

/// What a party's utility is measured in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Major units of money.
    Money,
    /// A table's own scale.
    Points,
}

impl Unit {
    fn of(party: &PartyType) -> Self {
        if party.utility.price_issue().is_some() { Self::Money } else { Self::Points }
    }

    /// Money to the cent, points to four decimals.
    fn amount(self, amount: f64) -> String {
        match self {
            Self::Money => {
                let cents = amount * Money::MINOR_PER_MAJOR as f64;
                Money(if cents < 0.0 { (cents - 0.5) as i64 } else { (cents + 0.5) as i64 }).to_string()
            }
            Self::Points => format!("{amount:.4}"),
        }
    }

    /// Half of the last digit that is shown.
    fn precision(self) -> f64 {
        match self {
            Self::Money => 0.005,
            Self::Points => 0.000_05,
        }
    }

    /// The same with a plus before gains of money.
    fn change(self, amount: f64) -> String {
        let text = self.amount(amount);
        if self == Self::Money && amount > 0.0 && text != "$0" { format!("+{text}") } else { text }
    }
}

/// A fraction in percent, at most two decimals.
pub(crate) fn percent(share: f64) -> String {
    let hundredths = (share * 10_000.0 + 0.5) as i64;
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    match (rest, rest % 10) {
        (0, _) => format!("{whole} %"),
        (_, 0) => format!("{whole}.{} %", rest / 10),
        _ => format!("{whole}.{rest:02} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Unit, run_end, values};
    use zopa_envs::{Grid, Issue, IssueRole};

    fn shown(worth: &[f64]) -> String {
        let grid = Grid::Integers { first: 10, step: 5, count: worth.len() as u32 };
        let issue = Issue { name: "payment".into(), role: IssueRole::PaymentDays, unit: "days".into(), grid };
        values(&issue, worth, Unit::Points)
    }

    #[test]
    fn every_value_of_a_long_issue_can_be_told_from_what_is_shown() {
        let kinked = [0.0, 0.1, 0.2, 0.3, 0.4, 0.9, 0.1, 0.5, 0.5, 0.5, 0.5];
        let expected = "10 days 0.0000 to 30 days 0.4000 in equal steps, 35 days 0.9000, 40 days 0.1000, \
             45 days 0.5000 to 60 days 0.5000 in equal steps";
        assert_eq!(shown(&kinked), expected);
        let crooked: Vec<f64> = (0..9).map(|index| f64::from(index * index % 7)).collect();
        assert_eq!(shown(&crooked).matches("days").count(), 9, "{}", shown(&crooked));
        assert_eq!(shown(&[0.0, 1.0, 2.0, 3.0]), "10 days 0.0000, 15 days 1.0000, 20 days 2.0000, 25 days 3.0000");
    }

    #[test]
    fn a_run_misses_no_entry_by_more_than_half_of_the_last_digit() {
        let curve: Vec<f64> = (0..400).map(|index| f64::from(index * index) / 160_000.0).collect();
        let tolerance = Unit::Points.precision();
        let (mut first, mut runs) = (0, 0);
        while first < curve.len() {
            let last = first + run_end(&curve[first..], tolerance);
            for index in first..=last {
                let share = (index - first) as f64 / (last - first).max(1) as f64;
                let line = curve[first] + share * (curve[last] - curve[first]);
                assert!((line - curve[index]).abs() <= tolerance + 1e-12, "{index}");
            }
            (first, runs) = (last + 1, runs + 1);
        }
        assert!(runs < 100, "{runs}");
    }
}

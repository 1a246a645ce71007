//! The parser against the labelled messages: precision and recall for each kind of claim, on dev and held-out messages and on a model's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use zopa_envs::Money;
use zopa_envs::message::accuracy::{Counts, MEASURED, SUBJECTS, SubjectCounts, accuracy_overall, stated};
use zopa_envs::message::{Claim, ClaimKind, Due, Interval, Polarity, ServiceLevel, Statement, Subject, parse};

const MESSAGES: &str = include_str!("data/messages.tsv");

/// One labelled message.
struct Labelled {
    split: &'static str,
    style: &'static str,
    text: String,
    gold: BTreeSet<String>,
}

fn labelled() -> Vec<Labelled> {
    let rows = MESSAGES.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    rows.map(|(number, line)| {
        let columns: Vec<&'static str> = line.split('\t').collect();
        let [split, style, text, gold] = columns[..] else {
            panic!("line {}: four columns expected: {line}", number + 1)
        };
        Labelled {
            split,
            style,
            text: text.replace("\\n", "\n"),
            gold: gold.split_whitespace().map(str::to_owned).collect(),
        }
    })
    .collect()
}

/// The kind named in a label such as `~price=95000@other`.
fn kind_of(label: &str) -> ClaimKind {
    let name = label.trim_start_matches(['!', '~', '?']).split(['=', '@']).next().unwrap_or_default();
    match name {
        "price" => ClaimKind::Price,
        "discount" => ClaimKind::Discount,
        "payment" => ClaimKind::PaymentDays,
        "delivery" => ClaimKind::Delivery,
        "delivery_terms" => ClaimKind::DeliveryTerms,
        "quantity" => ClaimKind::Quantity,
        "service" => ClaimKind::Service,
        "warranty" => ClaimKind::Warranty,
        "guarantee" => ClaimKind::Guarantee,
        "exclusivity" => ClaimKind::Exclusivity,
        "volume" => ClaimKind::VolumePromise,
        "deadline" => ClaimKind::Deadline,
        "outside" => ClaimKind::OutsideOption,
        "limit" => ClaimKind::Limit,
        "approval" => ClaimKind::Approval,
        "final" => ClaimKind::FinalOffer,
        "accept" => ClaimKind::Acceptance,
        "reject" => ClaimKind::Rejection,
        "ask_promise" => ClaimKind::PromiseRequest,
        "ask_exception" => ClaimKind::ExceptionRequest,
        "instruction" => ClaimKind::Instruction,
        "reason" => ClaimKind::Reason,
        "tone" => ClaimKind::Tone,
        "stance" => ClaimKind::Stance,
        "term" => ClaimKind::Term,
        "placeholder" => ClaimKind::Placeholder,
        other => panic!("no kind of claim is called {other}"),
    }
}

fn interval<T: Copy + PartialEq>(interval: Interval<T>, write: impl Fn(T) -> String) -> String {
    interval.single().map_or_else(|| format!("{}..{}", write(interval.low), write(interval.high)), &write)
}

fn amount(money: Money) -> String {
    let (whole, cents) = (money.0 / 100, money.0 % 100);
    if cents == 0 { whole.to_string() } else { format!("{whole}.{cents:02}").trim_end_matches('0').to_owned() }
}

fn hundredths(value: u32) -> String {
    amount(Money(i64::from(value)))
}

fn serde_name(value: impl serde::Serialize) -> String {
    serde_json::to_string(&value).expect("unit variants are strings").trim_matches('"').to_owned()
}

/// The claim as a label writes it, without its subject.
fn label(claim: &Claim) -> String {
    let days = |due: Due| match due {
        Due::Days(days) => interval(days, |day| day.to_string()),
        Due::Rounds(rounds) => format!("{rounds}r"),
        Due::Date(day) => format!("{:02}-{:02}", day.month, day.day),
    };
    let number = |value: Interval<u32>| interval(value, |x| x.to_string());
    let (name, value) = match &claim.statement {
        Statement::Price(price) => ("price", Some(interval(*price, amount))),
        Statement::Discount(points) => ("discount", Some(interval(*points, hundredths))),
        Statement::PaymentDays(days) => ("payment", Some(number(*days))),
        Statement::Delivery(due) => ("delivery", Some(days(*due))),
        Statement::DeliveryTerms(term) => ("delivery_terms", Some(serde_name(term))),
        Statement::Quantity(units) => ("quantity", Some(number(*units))),
        Statement::Service(ServiceLevel::Share(points)) => ("service", Some(format!("{}%", hundredths(*points)))),
        Statement::Service(ServiceLevel::Level(level)) => ("service", Some(level.to_string())),
        Statement::Service(ServiceLevel::Tier(tier)) => ("service", Some(serde_name(tier))),
        Statement::Warranty(months) => ("warranty", Some(number(*months))),
        Statement::Guarantee => ("guarantee", None),
        Statement::Exclusivity => ("exclusivity", None),
        Statement::VolumePromise(units) => ("volume", units.map(number)),
        Statement::Deadline(due) => {
            ("deadline", due.map(|due| if let Due::Days(_) = due { days(due) + "d" } else { days(due) }))
        }
        Statement::OutsideOption(price) => ("outside", price.map(|price| interval(price, amount))),
        Statement::Limit(price) => ("limit", price.map(|price| interval(price, amount))),
        Statement::Approval => ("approval", None),
        Statement::FinalOffer => ("final", None),
        Statement::Acceptance => ("accept", None),
        Statement::Rejection => ("reject", None),
        Statement::PromiseRequest => ("ask_promise", None),
        Statement::ExceptionRequest => ("ask_exception", None),
        Statement::Instruction => ("instruction", None),
        Statement::Reason(reason) => ("reason", Some(serde_name(reason))),
        Statement::Tone(tone) => ("tone", Some(serde_name(tone))),
        Statement::Stance(stance) => ("stance", Some(serde_name(stance))),
        Statement::Term { name, value } => ("term", Some(format!("{name}:{value}").replace(' ', "_"))),
        Statement::Placeholder => ("placeholder", None),
    };
    let mark = match claim.polarity {
        Polarity::Asserted => "",
        Polarity::Negated => "!",
        Polarity::Conditional => "~",
        Polarity::Question => "?",
    };
    value.map_or_else(|| format!("{mark}{name}"), |value| format!("{mark}{name}={value}"))
}

fn subject(claim: &Claim) -> &'static str {
    match claim.subject {
        Subject::Own => "",
        Subject::Other => "@other",
        Subject::Management => "@management",
    }
}

/// Kinds whose subject is labelled.
fn has_labelled_subject(kind: ClaimKind) -> bool {
    use ClaimKind::*;
    matches!(
        kind,
        Price
            | Discount
            | PaymentDays
            | Delivery
            | Quantity
            | Service
            | Warranty
            | Guarantee
            | Exclusivity
            | VolumePromise
            | OutsideOption
            | Limit
    )
}

/// What one split adds up to.
#[derive(Default)]
struct Tally {
    kinds: BTreeMap<ClaimKind, Counts>,
    exact_messages: u32,
    messages: u32,
    same_value: u32,
    same_polarity: u32,
    same_claim: u32,
    same_subject: u32,
}

fn without_polarity(label: &str) -> &str {
    label.trim_start_matches(['!', '~', '?'])
}

fn tally(split: &str) -> Tally {
    let mut tally = Tally::default();
    let show = split == "dev" && std::env::var_os("ZOPA_SHOW_MISREAD").is_some();
    for message in labelled().into_iter().filter(|message| message.split == split) {
        let claims = parse(&message.text).claims;
        let read: BTreeMap<String, &Claim> = claims.iter().rev().map(|claim| (label(claim), claim)).collect();
        let gold: BTreeMap<&str, &str> =
            message.gold.iter().map(|label| label.split_once('@').unwrap_or((label, ""))).collect();
        let mut wrong = Vec::new();
        for (label, claim) in &read {
            let counts = tally.kinds.entry(claim.kind()).or_default();
            match gold.get(label.as_str()) {
                Some(who) => {
                    counts.hits += 1;
                    if has_labelled_subject(claim.kind()) {
                        tally.same_claim += 1;
                        if subject(claim).trim_start_matches('@') == *who {
                            tally.same_subject += 1;
                        } else {
                            wrong.push(format!("{label} is about {}", if who.is_empty() { "own" } else { who }));
                        }
                    }
                }
                None => {
                    counts.false_alarms += 1;
                    wrong.push(format!("+{label}"));
                }
            }
        }
        for label in gold.keys() {
            if !read.contains_key(*label) {
                tally.kinds.entry(kind_of(label)).or_default().misses += 1;
                wrong.push(format!("-{label}"));
            }
            if let Some(read) = read.keys().find(|read| without_polarity(read) == without_polarity(label)) {
                tally.same_value += 1;
                tally.same_polarity += u32::from(read == label || gold.contains_key(read.as_str()));
            }
        }
        tally.messages += 1;
        tally.exact_messages += u32::from(wrong.iter().all(|line| line.contains(" is about ")));
        if show && !wrong.is_empty() {
            println!("{} [{}]\n    {}", message.text.replace('\n', "\\n"), message.style, wrong.join("  "));
        }
    }
    tally
}

fn counts(tally: &Tally, kind: ClaimKind) -> Counts {
    tally.kinds.get(&kind).copied().unwrap_or_default()
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

#[test]
fn precision_and_recall_are_as_published() {
    let splits = ["dev", "heldout", "model"].map(tally);
    let mut table = String::from(
        "kind                 dev: precision  recall   n   held-out: precision  recall   n   a model's: precision  recall   n\n",
    );
    let mut line = |name: &str, splits: [Counts; 3]| {
        let columns = splits.map(|c| (percent(c.precision()), percent(c.recall()), c.hits + c.misses));
        let [(p, r, n), (hp, hr, hn), (mp, mr, mn)] = columns;
        writeln!(table, "{name:<20} {p:>15} {r:>7} {n:>3} {hp:>21} {hr:>7} {hn:>3} {mp:>22} {mr:>7} {mn:>3}")
            .expect("a string takes every line");
    };
    let of_kind = |kind| splits.each_ref().map(|tally| counts(tally, kind));
    for kind in ClaimKind::ALL {
        line(kind.name(), of_kind(kind));
    }
    let total = |tally: &Tally| tally.kinds.values().fold(Counts::default(), |sum, c| sum.plus(*c));
    line("all", splits.each_ref().map(total));
    for (name, tally) in ["dev", "held-out", "a model's"].into_iter().zip(&splits) {
        writeln!(
            table,
            "{name}: {} messages, {} read exactly; polarity right {} of {}; subject right {} of {}",
            tally.messages,
            tally.exact_messages,
            tally.same_polarity,
            tally.same_value,
            tally.same_subject,
            tally.same_claim
        )
        .expect("a string takes every line");
    }
    let rows: String = ClaimKind::ALL.iter().fold(String::new(), |mut rows, &kind| {
        let columns = of_kind(kind).map(|c| format!("({}, {}, {})", c.hits, c.false_alarms, c.misses));
        writeln!(rows, "    row(ClaimKind::{kind:?}, {}),", columns.join(", ")).expect("a string takes every line");
        rows
    });
    insta::assert_snapshot!("accuracy", table);
    let published = MEASURED.iter().all(|row| [row.dev, row.held_out, row.model] == of_kind(row.kind));
    assert!(published, "accuracy::MEASURED is not what this parser does; its rows are now\n{rows}");
    assert_eq!(accuracy_overall(), splits.each_ref().map(total));
    let subjects = |tally: &Tally| SubjectCounts { right: tally.same_subject, found: tally.same_claim };
    assert_eq!(SUBJECTS, splits.each_ref().map(subjects));
}

#[test]
fn what_is_said_beside_scores_of_speech_holds_the_measured_figures() {
    insta::assert_snapshot!(stated(), @"What was said is read by a parser, so that scores of speech hold as far as it reads rightly and 0 means that nothing was found: on held-out messages 87 % of the claims that it reads are right in kind, value and polarity, it reads 90 % of those that are made, and of right ones that could be either side's it knows whose they are in 121 of 126; on a small language model's messages these are 90 %, 94 % and 80 of 99, too good, since rules were mended with them in view (71 % and 78 % before).");
}

#[test]
fn the_table_lists_each_kind_in_its_place() {
    for (index, kind) in ClaimKind::ALL.into_iter().enumerate() {
        assert_eq!(MEASURED[index].kind, kind);
        assert_eq!(kind as usize, index);
    }
}

#[test]
fn the_labelled_set_is_large_and_mixed() {
    let messages = labelled();
    let split = |name: &str| messages.iter().filter(|message| message.split == name).count();
    assert!(split("dev") >= 190 && split("heldout") >= 100 && split("model") >= 60);
    for style in ["terse", "email", "rambling", "typos", "nonnative", "small_model", "adversarial", "plain"] {
        for split in ["dev", "heldout"] {
            assert!(
                messages.iter().any(|message| message.style == style && message.split == split),
                "{split} has no {style} message"
            );
        }
    }
    let texts: BTreeSet<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts.len(), messages.len(), "a message stands twice");
}

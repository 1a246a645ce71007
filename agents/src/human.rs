//! A person at a terminal: the same view, guardrails, mandate and records as everybody.

use crate::agent::Agent;
use crate::model::{Usage, brief};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, Grid, Intent, Issue, Message, Money, Offer, PartyView, Terms, Value};
use zopa_scenarios::render::render_side;

/// Where a person reads and writes.
pub trait Console: Send {
    /// Shows text.
    fn show(&mut self, text: &str);

    /// The next line that the person writes; `None` where it has left.
    fn ask(&mut self) -> Option<String>;
}

/// A console that agents are built with.
#[derive(Clone)]
pub struct Person(Arc<Mutex<dyn Console>>);

impl Person {
    /// A person at `console`.
    pub fn new(console: impl Console + 'static) -> Self {
        Self(Arc::new(Mutex::new(console)))
    }

    fn show(&self, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).show(text);
    }

    fn ask(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ask()
    }
}

impl std::fmt::Debug for Person {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Person")
    }
}

const HELP: &str = "What you can write
  offer price=98250 payment=30 ...   an offer; an issue that you leave out stays as in the draft, your last offer, or theirs
  final price=98250 ...              the same, as your best and final offer
  accept | pass | leave              take their offer | no new offer | end without a deal
  ok                                 what the assistant drafted, where there is one
  ... | words                        what you say with it; without words a template speaks, where the sides talk
";

/// A person decides, by one line a turn. With an assistant it is shown that agent's draft first; taking it and changing it are
/// counted as the person's work. A person that has left the terminal leaves the negotiation.
pub struct HumanAgent {
    person: Person,
    assistant: Option<Box<dyn Agent>>,
    told: usize,
    begun: bool,
    usage: Usage,
}

impl HumanAgent {
    /// A person, with an assistant that drafts for it or without.
    #[must_use]
    pub fn new(person: Person, assistant: Option<Box<dyn Agent>>) -> Self {
        Self { person, assistant, told: 0, begun: false, usage: Usage::default() }
    }

    fn tell(&mut self, view: &PartyView<'_>) {
        let mut text = String::new();
        if !self.begun {
            let _ = write!(text, "\n{}\n{HELP}", render_side(view));
            self.begun = true;
        }
        text.push('\n');
        for made in view.history.get(self.told..).unwrap_or_default() {
            let _ = writeln!(text, "{}", brief::told(view, made));
        }
        self.told = view.history.len();
        text.push_str(&brief::turn(view));
        self.person.show(&text);
    }

    fn draft(&mut self, view: &PartyView<'_>) -> Option<Decision> {
        let draft = self.assistant.as_mut()?.decide(view);
        let what = match &draft.action {
            Action::Offer { terms, is_final } => view.public.space.resolve(terms).map(|offer| {
                let kind = if *is_final { "final offer" } else { "offer" };
                format!("{kind} {} (gains you {})", brief::package(view, &offer), brief::worth(view, view.gain(&offer)))
            }),
            Action::Accept => Some("accept".to_owned()),
            Action::Pass | Action::Forfeit => Some("pass".to_owned()),
            Action::WalkAway => Some("leave".to_owned()),
        };
        self.person.show(&format!("Draft: {}\n", what.unwrap_or_else(|| "an offer that cannot be shown".to_owned())));
        Some(draft)
    }

    fn answer(&mut self, view: &PartyView<'_>, draft: Option<Decision>) -> Decision {
        loop {
            self.person.show("> ");
            let Some(line) = self.person.ask() else {
                self.person.show("(the input has ended: you leave)\n");
                return Decision::from(Action::WalkAway).meaning(Intent::Reject);
            };
            let (command, words) = line.split_once('|').unwrap_or((&line, ""));
            let message = Some(words.trim()).filter(|words| !words.is_empty() && view.public.speech).map(Message::new);
            match read(view, command.trim(), draft.as_ref()) {
                Ok(Line::Draft) => match &draft {
                    Some(draft) => {
                        self.usage.drafts_approved += 1;
                        return Decision { message: message.or(draft.message.clone()), ..draft.clone() };
                    }
                    None => self.person.show("There is no draft.\n"),
                },
                Ok(Line::Help) => self.person.show(HELP),
                Ok(Line::Decides(action)) => {
                    self.usage.drafts_edited += u64::from(draft.is_some_and(|draft| draft.action != action));
                    return Decision { message, ..action.into() };
                }
                Err(why) => self.person.show(&format!("{why}; \"help\" shows what you can write\n")),
            }
        }
    }
}

enum Line {
    Draft,
    Help,
    Decides(Action),
}

fn read(view: &PartyView<'_>, command: &str, draft: Option<&Decision>) -> Result<Line, String> {
    let (verb, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let offer = |is_final| {
        let terms = read_offer(view, rest, draft)?;
        Ok(Line::Decides(Action::Offer { terms: Terms::Offer(terms), is_final }))
    };
    match verb {
        "ok" => Ok(Line::Draft),
        "help" | "?" => Ok(Line::Help),
        "offer" => offer(false),
        "final" => offer(true),
        "accept" => Ok(Line::Decides(Action::Accept)),
        "pass" => Ok(Line::Decides(Action::Pass)),
        "leave" => Ok(Line::Decides(Action::WalkAway)),
        "" => Err("write a line".to_owned()),
        other => Err(format!("\"{other}\" is nothing that you can do")),
    }
}

fn read_offer(view: &PartyView<'_>, text: &str, draft: Option<&Decision>) -> Result<Offer, String> {
    let space = &view.public.space;
    let drafted = draft.and_then(|draft| match &draft.action {
        Action::Offer { terms, .. } => space.resolve(terms),
        _ => None,
    });
    let known = [drafted.as_ref(), view.own_last(), view.standing(), view.public.status_quo.as_ref()];
    let base = known.into_iter().flatten().next().cloned().or_else(|| view.packages().best());
    let mut offer = base.unwrap_or_else(|| space.first());
    for part in text.split_whitespace() {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("\"{part}\" is no term: write issue=value"))?;
        let position = space.issues().iter().position(|issue| issue.name.eq_ignore_ascii_case(name));
        let position = position.ok_or_else(|| format!("there is no issue \"{name}\""))?;
        let issue = &space.issues()[position];
        let index = read_value(issue, value)
            .ok_or_else(|| format!("\"{value}\" is no value of {name}: {}", issue.range_text()))?;
        offer.set(position, index);
    }
    Ok(offer)
}

/// The value that a person writes; prices go to the nearest tick.
fn read_value(issue: &Issue, text: &str) -> Option<u32> {
    let plain = text.trim_start_matches('$').replace([',', '_'], "");
    match &issue.grid {
        Grid::Labels(labels) => {
            labels.iter().position(|label| label.eq_ignore_ascii_case(text)).map(|index| index as u32)
        }
        Grid::Integers { .. } => issue.index_of(&Value::Integer(plain.parse().ok()?)),
        Grid::Money { floor, tick, count } => {
            let amount: f64 = plain.parse().ok().filter(|amount: &f64| amount.is_finite() && amount.abs() < 1e13)?;
            let money = Money((amount * Money::MINOR_PER_MAJOR as f64).round() as i64);
            let last = floor.0 + tick.0 * (i64::from(*count) - 1);
            (floor.0..=last).contains(&money.0).then(|| issue.nearest(&Value::Money(money))).flatten()
        }
    }
}

impl Agent for HumanAgent {
    fn id(&self) -> &str {
        "human"
    }

    fn options(&self) -> String {
        self.assistant.as_ref().map_or(String::new(), |assistant| {
            format!("assisted by {}@{} {}", assistant.id(), assistant.version(), assistant.options())
                .trim_end()
                .to_owned()
        })
    }

    fn begin(&mut self, stream: LazyStream) {
        if let Some(assistant) = &mut self.assistant {
            assistant.begin(stream);
        }
        (self.told, self.begun, self.usage) = (0, false, Usage::default());
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        self.tell(view);
        let draft = self.draft(view);
        self.answer(view, draft)
    }

    fn fault(&self) -> Option<Arc<str>> {
        self.assistant.as_ref().and_then(|assistant| assistant.fault())
    }

    fn usage(&self) -> Usage {
        let mut usage = self.assistant.as_ref().map_or_else(Usage::default, |assistant| assistant.usage());
        usage += self.usage;
        usage
    }
}

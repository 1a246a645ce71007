//! What the other side wrote, as typed proposals and claims: evidence, never an instruction.

use super::answer::{object, or_null, read_object, read_value, value};
use super::brief;
use super::client::{Client, Purpose};
use super::prompt::INTERPRET;
use super::reading::{PROMISES, Reading, same};
use super::reply::Finish;
use super::request::{ChatMessage, ChatRequest, Role, SEEDS};
use super::usage::Usage;
use std::collections::BTreeSet;
use std::sync::Arc;
use zopa_envs::message::{Claim, ClaimKind, Polarity, SpokenTerms, Statement, Subject};
use zopa_envs::random::LazyStream;
use zopa_envs::{Act, Message, Move, OutcomeSpace, PartyView};

/// Terms that a text proposes: for each issue the value that it names, `None` where it names none. A proposal until the software
/// has validated it: nothing binds but the typed move.
pub type Proposal = Vec<Option<u32>>;

/// A message as read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interpretation {
    /// The terms that it proposes.
    pub proposal: Proposal,
    /// All that the parser reads.
    pub claims: Vec<Claim>,
    /// Kinds of claim on which text and move, or parser and model, differ.
    pub unclear: Vec<ClaimKind>,
}

impl Interpretation {
    /// Whether something is unclear that binds whoever accepts: terms, or whether the offer is accepted, final or off.
    #[must_use]
    pub fn matters(&self) -> bool {
        !self.unclear.is_empty()
    }
}

/// Reads messages, by the parser and, where it has a client, by the model as well.
pub struct Interpreter {
    client: Option<Arc<Client>>,
    stream: LazyStream,
    usage: Usage,
    readings: Vec<Reading>,
}

/// What a model makes of a message.
#[derive(Clone, Debug, Default, PartialEq)]
struct Read {
    proposal: Proposal,
    is_final: bool,
    accepts: bool,
    rejects: bool,
    promises: bool,
}

impl Interpreter {
    /// An interpreter; without a client the parser reads alone.
    #[must_use]
    pub fn new(client: Option<Arc<Client>>) -> Self {
        Self {
            client,
            stream: zopa_envs::StreamKey::new("idle", &[]).lazy(0),
            usage: Usage::default(),
            readings: Vec::new(),
        }
    }

    /// Starts a negotiation.
    pub fn begin(&mut self, stream: LazyStream) {
        self.stream = stream;
        self.usage = Usage::default();
        self.readings.clear();
    }

    /// What it asked of models since it began.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// What it read since it began, a message an entry.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Reads what came with `made`, a move of the other side; `None` where it said nothing.
    pub fn read(&mut self, view: &PartyView<'_>, made: &Move) -> Option<Interpretation> {
        let message = made.message.as_ref()?;
        let space = &view.public.space;
        let parsed = by_parser(space, message);
        let mut unclear = against_move(space, &parsed, message, &made.act);
        // Without a reply the parser's reading stands: words decide nothing here.
        let read = self.by_model(view, message);
        unclear.extend(read.iter().flat_map(|read| differences(space, &parsed, read)));
        let claims = message.parsed().claims.clone();
        let mut found = read.as_ref().map_or_else(
            || claims.iter().map(|claim| claim.statement.clone()).collect(),
            |read| read.statements(space),
        );
        // A message may say one thing twice.
        found.sort();
        found.dedup();
        let (by_model, unclear_here) = (read.is_some(), !unclear.is_empty());
        self.readings.push(Reading { round: made.round, found, by_model, unclear: unclear_here });
        Some(Interpretation { proposal: parsed.proposal, claims, unclear: unclear.into_iter().collect() })
    }

    fn by_model(&mut self, view: &PartyView<'_>, message: &Message) -> Option<Read> {
        let client = self.client.as_ref()?;
        let space = &view.public.space;
        let mut members: Vec<(&str, String)> =
            space.issues().iter().map(|issue| (&*issue.name, or_null(&value(issue)))).collect();
        for flag in FLAGS {
            members.push((flag, "{\"type\":\"boolean\"}".to_owned()));
        }
        let names: Vec<String> =
            space.issues().iter().map(|issue| format!("{} ({})", issue.name, issue.range_text())).collect();
        let task = format!("The issues: {}.\nThe message: {}", names.join("; "), brief::quoted(message.text()));
        let messages = vec![ChatMessage::new(Role::System, INTERPRET.text), ChatMessage::new(Role::User, task)];
        let seed = self.stream.open().below(SEEDS);
        let request = ChatRequest { messages, schema: ("reading", object(&members)), seed };
        let answer = client.complete(&request, Purpose::Speak, client.deadline()).ok()?;
        self.usage.count(&answer);
        let fields = read_object(&answer.reply.content).ok().filter(|_| answer.reply.finish != Finish::Length)?;
        let flag = |name: &str| fields.get(name).and_then(serde_json::Value::as_bool).unwrap_or(false);
        let proposal = space
            .issues()
            .iter()
            .map(|issue| fields.get(&*issue.name).and_then(|given| issue.index_of(&read_value(issue, given)?)))
            .collect();
        let [is_final, accepts, rejects, promises] = FLAGS.map(flag);
        Some(Read { proposal, is_final, accepts, rejects, promises })
    }
}

impl Read {
    /// The same as statements; a promise of any kind as a guarantee.
    fn statements(&self, space: &OutcomeSpace) -> Vec<Statement> {
        let first = space.first();
        let terms = self.proposal.iter().enumerate().filter_map(|(position, stated)| {
            let said = SpokenTerms::of(space, &first.with(position, (*stated)?)).statements();
            // An issue that has a kind of its own is found by it, any other by its name.
            let name = &space.issues()[position].name;
            said.into_iter().find(|statement| match statement {
                Statement::Term { name: said, .. } => said.eq_ignore_ascii_case(name),
                _ => statement.kind() == kind_of(space, position),
            })
        });
        let flags = [
            (self.is_final, Statement::FinalOffer),
            (self.accepts, Statement::Acceptance),
            (self.rejects, Statement::Rejection),
            (self.promises, Statement::Guarantee),
        ];
        terms.chain(flags.into_iter().filter_map(|(holds, statement)| holds.then_some(statement))).collect()
    }
}

const FLAGS: [&str; 4] = ["final", "accepts", "rejects", "promises"];

fn own(claims: &[Claim]) -> impl Iterator<Item = &Claim> {
    claims.iter().filter(|claim| claim.polarity == Polarity::Asserted && claim.subject == Subject::Own)
}

/// The kind of claim that states this issue, as the space's own offers are worded.
fn kind_of(space: &OutcomeSpace, position: usize) -> ClaimKind {
    let kinds: Vec<Statement> = SpokenTerms::of(space, &space.first()).statements();
    let spoken = |kind: ClaimKind| kinds.iter().any(|statement| statement.kind() == kind);
    use zopa_envs::IssueRole;
    let kind = match space.issues()[position].role {
        IssueRole::Price => ClaimKind::Price,
        IssueRole::PaymentDays => ClaimKind::PaymentDays,
        IssueRole::DeliveryDays => ClaimKind::Delivery,
        IssueRole::Quantity => ClaimKind::Quantity,
        IssueRole::ServiceLevel | IssueRole::Quality => ClaimKind::Service,
        IssueRole::WarrantyMonths => ClaimKind::Warranty,
        IssueRole::Other => ClaimKind::Term,
    };
    if spoken(kind) { kind } else { ClaimKind::Term }
}

/// For each issue the value whose statement the message makes; where it names several, the first.
fn by_parser(space: &OutcomeSpace, message: &Message) -> Read {
    let claims = &message.parsed().claims;
    let proposal = (0..space.issues().len())
        .map(|position| {
            let kind = kind_of(space, position);
            own(claims)
                .filter(|claim| claim.kind() == kind)
                .find_map(|claim| index_of(space, position, &claim.statement))
        })
        .collect();
    let says = |kind| own(claims).any(|claim| claim.kind() == kind);
    Read {
        proposal,
        is_final: says(ClaimKind::FinalOffer),
        accepts: says(ClaimKind::Acceptance),
        rejects: says(ClaimKind::Rejection),
        promises: PROMISES.into_iter().any(says),
    }
}

/// The value of an issue that a statement names, where it is on the grid.
fn index_of(space: &OutcomeSpace, position: usize, statement: &Statement) -> Option<u32> {
    use zopa_envs::Value;
    let issue = &space.issues()[position];
    let number = match statement {
        Statement::Price(price) => return issue.nearest(&Value::Money(price.single()?)),
        Statement::PaymentDays(days) | Statement::Quantity(days) | Statement::Warranty(days) => days.single()?,
        Statement::Delivery(zopa_envs::message::Due::Days(days)) => days.single()?,
        // Labels, whose wording is the space's own.
        _ => {
            let first = space.first();
            return (0..issue.len().min(256)).find(|&index| {
                SpokenTerms::of(space, &first.with(position, index))
                    .statements()
                    .iter()
                    .any(|said| same(said, statement))
            });
        }
    };
    issue.index_of(&Value::Integer(i64::from(number)))
}

/// Where the words differ from the move that they came with.
fn against_move(space: &OutcomeSpace, parsed: &Read, message: &Message, act: &Act) -> BTreeSet<ClaimKind> {
    let mut unclear = BTreeSet::new();
    if let Act::Offer { offer, .. } = act {
        let expected = SpokenTerms::of(space, offer).statements();
        for (position, stated) in parsed.proposal.iter().enumerate() {
            let kind = kind_of(space, position);
            let right = own(&message.parsed().claims)
                .any(|claim| expected.iter().any(|term| term.kind() == kind && same(term, &claim.statement)));
            if stated.is_some_and(|index| index != offer.get(position)) && !right {
                unclear.insert(kind);
            }
        }
        if parsed.accepts {
            unclear.insert(ClaimKind::Acceptance);
        }
    }
    unclear
}

/// Where parser and model differ.
fn differences(space: &OutcomeSpace, parsed: &Read, read: &Read) -> BTreeSet<ClaimKind> {
    let mut unclear = BTreeSet::new();
    for (position, (own, other)) in parsed.proposal.iter().zip(&read.proposal).enumerate() {
        if own != other {
            unclear.insert(kind_of(space, position));
        }
    }
    for (differs, kind) in [
        (parsed.is_final != read.is_final, ClaimKind::FinalOffer),
        (parsed.accepts != read.accepts, ClaimKind::Acceptance),
        (parsed.rejects != read.rejects, ClaimKind::Rejection),
        (parsed.promises != read.promises, ClaimKind::Guarantee),
    ] {
        if differs {
            unclear.insert(kind);
        }
    }
    unclear
}

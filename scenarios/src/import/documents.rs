//! Folders of JSON or YAML documents: GeniusWeb or NegMAS, told by what the documents hold.

use super::axis::{Axis, space_of};
use super::document::{Node, json, yaml};
use super::error::ImportError;
use super::file::Candidate;
use super::preferences::Preferences;
use super::selection::{Selection, select};
use super::text::decode;
use super::{geniusweb, negmas, stray};
use zopa_envs::OutcomeSpace;

/// A folder of documents, read.
pub(super) struct Documents {
    pub(super) space: OutcomeSpace,
    /// Position among the files of the domain and of both profiles.
    pub(super) files: [usize; 3],
    pub(super) preferences: [Preferences; 2],
    pub(super) notices: Vec<String>,
}

/// What a document is to the domain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    WebDomain,
    WebProfile,
    MasDomain,
    MasProfile,
}

impl Part {
    fn of(document: &Node) -> Option<Self> {
        if geniusweb::is_profile(document) {
            Some(Self::WebProfile)
        } else if geniusweb::is_domain(document) {
            Some(Self::WebDomain)
        } else if negmas::is_domain(document) {
            Some(Self::MasDomain)
        } else if negmas::is_profile(document) {
            Some(Self::MasProfile)
        } else {
            None
        }
    }
}

/// Reads the `files` of a folder that holds no GENIUS domain.
pub(super) fn read(folder: &str, files: &[&Candidate], wanted: Option<[&str; 2]>) -> Result<Documents, ImportError> {
    let mut notices = Vec::new();
    let mut parts: Vec<(usize, Part, Node)> = Vec::new();
    for (at, candidate) in files.iter().enumerate() {
        match document(candidate)? {
            Some(document) => match Part::of(&document) {
                Some(part) => parts.push((at, part, document)),
                None => notices.push(format!("passed over {}: no domain and no profile", candidate.file.name)),
            },
            None => notices.push(stray(&candidate.file)),
        }
    }
    let of = |part: Part| parts.iter().filter(move |(_, own, _)| *own == part);
    let web = of(Part::WebProfile).count() > 0;
    let (domain, profile) = if web { (Part::WebDomain, Part::WebProfile) } else { (Part::MasDomain, Part::MasProfile) };
    let name = |at: usize| files[at].file.name.as_str();
    let domains: Vec<_> = of(domain).collect();
    if let [(first, ..), (second, ..), ..] = domains[..] {
        let [first, second] = [first, second].map(|&at| name(at).to_owned());
        return Err(ImportError::TwoDomains { folder: folder.to_owned(), first, second });
    }
    if domains.is_empty() && !web {
        return Err(ImportError::NoDomain { folder: folder.to_owned(), notices });
    }
    let profiles: Vec<_> = of(profile).collect();
    let names: Vec<&str> = profiles.iter().map(|(at, ..)| name(*at)).collect();
    let Selection { chosen, notice } = select(folder, &names, wanted, &notices)?;
    notices.extend(notice);
    let chosen = chosen.map(|at| profiles[at]);
    // GeniusWeb's profiles hold the domain: without a file of its own the first one tells it.
    let &(domain_at, _, ref domain) = domains.first().copied().unwrap_or(chosen[0]);
    let axes = if web {
        geniusweb::issues(name(domain_at), domain)?
    } else {
        negmas::issues(name(domain_at), domain, &mut notices)?
    };
    let space = space_of(&axes, name(domain_at))?;
    let read = |(at, _, document): &(usize, Part, Node)| -> Result<Preferences, ImportError> {
        let reader: fn(&str, &Node, &[Axis], &OutcomeSpace) -> Result<Preferences, ImportError> =
            if web { geniusweb::read } else { negmas::read };
        reader(name(*at), document, &axes, &space)
    };
    let preferences = [read(chosen[0])?, read(chosen[1])?];
    Ok(Documents { files: [domain_at, chosen[0].0, chosen[1].0], space, preferences, notices })
}

/// Keys that stand at the start of a line in every YAML file of a NegMAS folder.
const YAML_KEYS: [&str; 9] = [
    "issues:",
    "type:",
    "ufun:",
    "reserved_value:",
    "reserved_outcome:",
    "weights:",
    "values:",
    "mapping:",
    "outcome_ranges:",
];

/// The document in a file; `None` where it is none. What starts with a brace claims to be JSON and must be; what holds
/// one of the format's keys at the start of a line claims to be YAML.
fn document(candidate: &Candidate) -> Result<Option<Node>, ImportError> {
    let name = &candidate.file.name;
    let text = decode(&candidate.file.bytes).text;
    let braced = candidate.first_character() == Some(b'{');
    let keyed = || text.lines().any(|line| YAML_KEYS.iter().any(|key| line.starts_with(key)));
    if !braced && (text.contains('\0') || !keyed()) {
        return Ok(None);
    }
    candidate.within_limit()?;
    if braced { json::parse(name, &text).map(Some) } else { yaml::parse(name, &text).map(Some) }
}

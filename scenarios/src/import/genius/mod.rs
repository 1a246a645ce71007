//! Reader of the GENIUS XML format: a `negotiation_template` (the domain) beside `utility_space` files (the profiles).
//!
//! Additive profiles are valued as GENIUS does: `u(o) = sum over issues of weight * evaluation / largest evaluation of the
//! issue`, with weights as written. Non-linear ones add up what hyper-rectangular constraints pay, divided by the profile's
//! `maxutility` and cut off at 1.

mod domain;
mod evaluator;
mod profile;
mod rectangles;
mod xml;

use super::axis::space_of;
use super::error::ImportError;
use super::file::DomainFile;
use super::preferences::Preferences;
use super::selection::{Selection, select};
use super::text::decode;
use roxmltree::Document;
use xml::Element;
use zopa_envs::OutcomeSpace;

/// A GENIUS folder, read.
pub(super) struct Genius {
    pub(super) space: OutcomeSpace,
    /// Position among the files of the domain and of both profiles.
    pub(super) files: [usize; 3],
    pub(super) preferences: [Preferences; 2],
    pub(super) notices: Vec<String>,
}

/// Reads the XML `files` (in byte order of their names), each of which starts with `<`. `None` where none of them is a
/// GENIUS file.
pub(super) fn read(
    folder: &str,
    files: &[&DomainFile],
    wanted: Option<[&str; 2]>,
) -> Result<Option<Genius>, ImportError> {
    let mut notices = Vec::new();
    let mut texts = Vec::with_capacity(files.len());
    for file in files {
        let decoded = decode(&file.bytes);
        if decoded.assumed_latin_1 {
            notices.push(format!("{} is no UTF-8 and declares no encoding: read as Latin-1", file.name));
        }
        texts.push(decoded.text);
    }
    let mut documents: Vec<Document<'_>> = Vec::with_capacity(files.len());
    for (file, text) in files.iter().zip(&texts) {
        documents.push(xml::parse(&file.name, text)?);
    }
    let root = |at: usize| Element { file: &files[at].name, node: documents[at].root_element() };
    let (mut templates, mut profiles) = (Vec::new(), Vec::new());
    for (at, file) in files.iter().enumerate() {
        match root(at).name() {
            "negotiation_template" => templates.push(at),
            "utility_space" => profiles.push(at),
            other => {
                notices.push(format!("passed over {}: XML, but <{other}> is no part of a GENIUS domain", file.name))
            }
        }
    }
    let template = match templates[..] {
        [template] => template,
        [first, second, ..] => {
            let [first, second] = [first, second].map(|at| files[at].name.clone());
            return Err(ImportError::TwoDomains { folder: folder.to_owned(), first, second });
        }
        [] if profiles.is_empty() => return Ok(None),
        [] => return Err(ImportError::NoDomain { folder: folder.to_owned(), notices }),
    };
    let axes = domain::issues(root(template), &mut notices)?;
    let space = space_of(&axes, &files[template].name)?;
    let names: Vec<&str> = profiles.iter().map(|&at| files[at].name.as_str()).collect();
    let Selection { chosen, notice } = select(folder, &names, wanted, &notices)?;
    notices.extend(notice);
    let chosen = chosen.map(|at| profiles[at]);
    let mut read = |at: usize| -> Result<Preferences, ImportError> {
        let mut preferences = profile::read(root(at), &axes, &space)?;
        notices.append(&mut preferences.notices);
        Ok(preferences)
    };
    let preferences = [read(chosen[0])?, read(chosen[1])?];
    Ok(Some(Genius { space, files: [template, chosen[0], chosen[1]], preferences, notices }))
}

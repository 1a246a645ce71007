//! Which two of a folder's profiles negotiate.

use super::error::ImportError;

/// Two profiles, by their position among those there are.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) chosen: [usize; 2],
    /// What was decided without being asked, in words.
    pub(super) notice: Option<String>,
}

/// Chooses among the profile files `names`, which are in byte order: those `wanted` (file names with or without extension)
/// in that order, or the first two.
pub(super) fn select(
    folder: &str,
    names: &[&str],
    wanted: Option<[&str; 2]>,
    notices: &[String],
) -> Result<Selection, ImportError> {
    let owned = || names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    if names.len() < 2 {
        return Err(ImportError::TooFewProfiles {
            folder: folder.to_owned(),
            found: owned(),
            notices: notices.to_vec(),
        });
    }
    let Some(wanted) = wanted else {
        let notice = (names.len() > 2)
            .then(|| format!("{} profiles, took the first two in byte order: {}, {}", names.len(), names[0], names[1]));
        return Ok(Selection { chosen: [0, 1], notice });
    };
    let find = |name: &str| {
        names.iter().position(|&there| there == name || stem(there) == name).ok_or_else(|| ImportError::NoSuchProfile {
            folder: folder.to_owned(),
            wanted: name.to_owned(),
            there: owned(),
            nearest: nearest(name, names),
        })
    };
    let chosen = [find(wanted[0])?, find(wanted[1])?];
    if chosen[0] == chosen[1] {
        return Err(ImportError::SameProfile { folder: folder.to_owned(), wanted: wanted[1].to_owned() });
    }
    Ok(Selection { chosen, notice: None })
}

/// A file's name without its extension.
pub(super) fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn nearest(name: &str, names: &[&str]) -> Option<String> {
    let likeness = |there: &str| strsim::jaro_winkler(name, there).max(strsim::jaro_winkler(name, stem(there)));
    let mut best: Option<(f64, &str)> = None;
    for &there in names {
        let likeness = likeness(there);
        if likeness > 0.7 && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, there));
        }
    }
    best.map(|(_, there)| there.to_owned())
}

#[cfg(test)]
mod tests {
    use super::select;

    #[test]
    fn the_first_two_are_taken_unless_two_are_named() {
        let names = ["a.xml", "b.xml", "c.xml"];
        let first = select("d", &names, None, &[]).unwrap();
        assert_eq!(first.chosen, [0, 1]);
        assert_eq!(first.notice.unwrap(), "3 profiles, took the first two in byte order: a.xml, b.xml");
        let named = select("d", &names, Some(["c", "a.xml"]), &[]).unwrap();
        assert_eq!((named.chosen, named.notice), ([2, 0], None));
        assert_eq!(select("d", &names[..2], None, &[]).unwrap().notice, None);
    }

    #[test]
    fn what_cannot_be_chosen_is_named() {
        let check = |names: &[&str], wanted, expected: &str| {
            assert_eq!(select("d", names, wanted, &[]).unwrap_err().to_string(), expected);
        };
        check(&["a.xml"], None, "d: only one of the two profiles that a negotiation needs (a.xml)");
        check(&[], None, "d: none of the two profiles that a negotiation needs");
        let names = ["buyer.xml", "seller.xml"];
        check(
            &names,
            Some(["buyer", "buyer.xml"]),
            "d: profile \"buyer.xml\" is asked for twice: name two different ones",
        );
        let missing = "d: no profile \"sellr\" (did you mean \"seller.xml\"?); there are: buyer.xml, seller.xml";
        check(&names, Some(["buyer", "sellr"]), missing);
    }
}

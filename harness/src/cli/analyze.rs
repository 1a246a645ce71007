//! `zopa analyze`

use super::{print, print_json};
use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;
use zopa_scenarios::import::{Analysis, read_domain};

/// Prints the solution points of a domain folder.
#[derive(Debug, Args)]
pub(super) struct Analyze {
    /// The folder with the domain and its profiles
    path: PathBuf,
    /// The two profiles that negotiate, by file name, the first as buyer
    #[arg(long, value_delimiter = ',', num_args = 2, value_name = "A,B")]
    profiles: Option<Vec<String>>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Analyze {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let profiles = super::run::profile_pair(self.profiles.as_deref())?;
        let named = profiles.as_ref().map(|[first, second]| [first.as_str(), second.as_str()]);
        let domain = read_domain(&self.path, named).map_err(Failure::input)?;
        for notice in &domain.notices {
            eprintln!("zopa: note: {notice}");
        }
        let analysis = Analysis::of(&domain).map_err(Failure::input)?;
        if self.json { print_json(&analysis) } else { print(&analysis.to_string()) }
    }
}

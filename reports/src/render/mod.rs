//! A run's results as people read them: a terminal table, Markdown, CSV, one HTML page, and pictures.
//!
//! Everything here but the terminal's latency column is a function of `manifest.json` and `summary.json` alone, and
//! leaves out the host and the command line, so that another lab's report of the same run has the same bytes.

mod comma_separated;
mod comparison;
mod headline;
mod html;
mod markdown;
mod pictures;
mod table;
mod terminal;
mod tournament;

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::manifest::Manifest;
use crate::plots::{PlotError, Theme};
use crate::summary::Summary;
use crate::timing::Timing;

/// Figures of the system that zopa grew from, named wherever the headline table stands.
pub const REFERENCE: &str = "For comparison, not measured here: the system that zopa grew from reports of itself, for its rule-based \
    baseline, 42 % agreement and 71 % constraint satisfaction on scenarios of its own. That is unpublished, as far as this \
    repository knows, and nothing here reproduces it.";

/// What the table by numbers of repeats means.
const PASS: &str = "The chance that k repeats of the same episode all end soundly (pass^k): in a deal where one can leave both sides \
better off and in none where none can, without a loss, a violation or a forfeit.";

/// What the tables by difficulty mean.
const DIFFICULTY: &str = "Fifths of the suite's scenarios by a formula over all that is hidden in them (how narrow the zone of \
    possible agreement is, how much of it no price alone reaches, how much the counterpart asks for, how little time there \
    is), with cut-offs frozen in the suite's version. Scenarios in which nothing can be agreed are in none of them.";

/// What shares of what was attainable mean.
const ATTAINABLE: &str = "Own gain realised over what a ceiling gains in the same episodes. best-response knows the other side's type \
    and policy and plans against it; bayes-best-response knows its family and the prior, and is found by search, so that its \
    figure is an estimate.";

/// What the corrected scores of speech mean.
const CORRECTED: &str = "Corrected figures are the shares read times precision over recall, on the held-out messages, of the kinds \
    of claims that a score rests on, with the uncertainty of both in the interval. They take what is said here to be read as \
    rightly as those messages are, and such claims to be as common in it (their prevalence): where they are rarer, more of what \
    is read is wrong than the correction takes off. Whose a claim is they take to be known. Broken commitments are not corrected, since offers declared best and final \
    by act need no reading.";

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A plot could not be drawn or written.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// The scores could not be written as CSV.
    #[error("the scores could not be written as CSV: {0}")]
    Csv(#[from] csv::Error),
}

/// A run, ready to be rendered.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// What the run was.
    pub manifest: &'a Manifest,
    /// Its scores.
    pub summary: &'a Summary,
    /// Its wall-clock figures, which the terminal shows where they are there.
    pub timing: Option<&'a Timing>,
}

impl Report<'_> {
    /// The headline table and the gates, for a terminal. Without colours, ending in a line's end.
    pub fn terminal(&self) -> String {
        terminal::render(self)
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        markdown::render(self)
    }

    /// Every estimate of the summary, a line each: agent, part, name, score, value, low, high, n.
    ///
    /// # Errors
    /// Where the CSV writer fails, which it does not in memory.
    pub fn csv(&self) -> Result<String, ReportError> {
        comma_separated::render(self.summary)
    }

    /// The report as one HTML page that needs nothing else.
    ///
    /// # Errors
    /// Where a plot cannot be drawn.
    pub fn html(&self) -> Result<String, ReportError> {
        html::render(self)
    }

    /// Writes `report.html`, `report.md`, `scores.csv` and the plots as SVG and PNG into `folder`, which is made where
    /// it is missing. Returns the path of the page.
    ///
    /// # Errors
    /// Where something cannot be drawn or written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, ReportError> {
        // The folder may come from someone else: a link in it is replaced, never written through.
        let clear = |path: &Path| match std::fs::remove_file(path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(ReportError::Write { path: path.to_owned(), source })
            }
            _ => Ok(()),
        };
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            clear(&path)?;
            std::fs::File::create_new(&path)
                .and_then(|mut file| file.write_all(text.as_bytes()))
                .map_err(|source| ReportError::Write { path: path.clone(), source })?;
            Ok::<_, ReportError>(path)
        };
        std::fs::create_dir_all(folder).map_err(|source| ReportError::Write { path: folder.to_owned(), source })?;
        write("report.md", &self.markdown())?;
        write("scores.csv", &self.csv()?)?;
        for (name, drawing) in
            [("surplus-efficiency", pictures::agents(self).draw()), ("families", pictures::families(self).draw())]
        {
            write(&format!("{name}.svg"), &drawing.to_svg(Theme::Light)?)?;
            let picture = folder.join(format!("{name}.png"));
            clear(&picture)?;
            drawing.save_png(Theme::Light, &picture)?;
        }
        write("report.html", &self.html()?)
    }

    /// Suite, version, split, seed and size in a line.
    fn caption(&self) -> String {
        let Summary { suite, version, split, seed, episodes, .. } = self.summary;
        let part =
            self.manifest.shard.map(|shard| format!("; part {shard} of a run, for `zopa merge` to put together"));
        let part = part.unwrap_or_default();
        format!("{suite} (version {version}), split {split}, seed {seed}, {episodes} episodes an agent{part}")
    }

    /// What must be known before a figure is believed.
    fn warnings(&self) -> Vec<String> {
        let failed = self.summary.agents.iter().filter(|(_, agent)| agent.infra_errors > 0);
        failed
            .map(|(name, agent)| {
                let verdict =
                    if agent.comparable { "its other episodes count" } else { "its figures are not comparable" };
                let episodes = if agent.infra_errors == 1 { "episode has" } else { "episodes have" };
                format!("{name}: {} {episodes} no result because infrastructure failed; {verdict}.", agent.infra_errors)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;

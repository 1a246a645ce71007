//! The tables of a report, as text cells.

use super::Report;
use super::table::{Cell, Table, Tone};
use crate::gate::{GateResult, GateScore};
use crate::manifest::Standing;
use crate::plots::percent;
use crate::score::{Score, Unit};
use crate::statistics::Estimate;
use crate::summary::{AgentSummary, AttainableShare, Breakdown};
use std::collections::BTreeSet;

/// What stands where an agent has no such score.
pub(super) const NONE: &str = "\u{2013}";

impl Report<'_> {
    /// Agents in ranking order: by surplus efficiency, the best first, then by name; ceilings last.
    pub(super) fn ranked(&self) -> Vec<(&str, &AgentSummary, Standing)> {
        let mut agents: Vec<_> = self
            .summary
            .agents
            .iter()
            .map(|(name, agent)| (name.as_str(), agent, self.manifest.standing(name)))
            .collect();
        let value = |agent: &AgentSummary| {
            agent.scores.get(&Score::SurplusEfficiency).map_or(f64::NEG_INFINITY, |estimate| estimate.value)
        };
        agents.sort_by(|a, b| {
            let ceiling = |standing: Standing| !standing.is_ranked();
            ceiling(a.2).cmp(&ceiling(b.2)).then(value(b.1).total_cmp(&value(a.1))).then(a.0.cmp(b.0))
        });
        agents
    }

    /// The columns of the headline table; those of feasibility are left out where it says nothing.
    pub(super) fn headline_columns(&self) -> Vec<Score> {
        let about_feasibility = [Score::FeasibleAgreementRate, Score::FalseAgreementRate];
        let shown = |score: &Score| self.summary.feasibility_matters() || !about_feasibility.contains(score);
        Score::HEADLINE.into_iter().filter(shown).collect()
    }

    /// Agents as rows, headline scores as columns.
    pub(super) fn headline(&self) -> Table {
        let columns = self.headline_columns();
        self.score_table(columns.iter().map(|score| (score.label().to_owned(), *score)), |agent| &agent.scores)
    }

    /// Agents as rows, counterpart families as columns; `None` where there is one family only.
    pub(super) fn by_family(&self, score: Score) -> Option<Table> {
        let families = self.summary.families();
        if families.len() < 2 {
            return None;
        }
        let part = |agent: &AgentSummary, family: &str| agent.families.get(family)?.get(&score).copied();
        Some(self.table(families, |agent, family| part(agent, family).map(|estimate| (score, estimate))))
    }

    /// Agents as rows, their seats as columns.
    pub(super) fn by_seat(&self) -> Table {
        let mut columns: Vec<(String, &str, Score)> = Vec::new();
        for score in [Score::AgreementRate, Score::SurplusEfficiency, Score::ConstraintSatisfaction] {
            for seat in ["buyer", "supplier"] {
                columns.push((format!("{} as {seat}", score.label()), seat, score));
            }
        }
        let titles: Vec<&str> = columns.iter().map(|(title, ..)| title.as_str()).collect();
        self.table(titles, |agent, title| {
            let (_, seat, score) = columns.iter().find(|(column, ..)| column == title)?;
            Some((*score, *agent.seats.get(*seat)?.get(score)?))
        })
    }

    /// The scores that a reader needs explained: all, but those that only some runs have only where this one has them.
    pub(super) fn explained(&self) -> impl Iterator<Item = Score> + '_ {
        let has = |score: Score| self.summary.agents.values().any(|agent| agent.scores.contains_key(&score));
        Score::ALL.iter().copied().filter(move |&score| !Score::OF_SOME.contains(&score) || has(score))
    }

    /// Agents as rows, quintiles of difficulty as columns; `None` where the suite does not grade.
    pub(super) fn by_difficulty(&self, score: Score) -> Option<Table> {
        let quintiles = self.summary.quintiles();
        if quintiles.is_empty() {
            return None;
        }
        let title = |quintile: u8| match quintile {
            1 => "1 (easiest)".to_owned(),
            5 => "5 (hardest)".to_owned(),
            other => other.to_string(),
        };
        let titles: Vec<(String, u8)> = quintiles.into_iter().map(|quintile| (title(quintile), quintile)).collect();
        let columns = titles.iter().map(|(title, _)| title.as_str()).collect();
        Some(self.table(columns, |agent, column| {
            let (_, quintile) = titles.iter().find(|(title, _)| title == column)?;
            Some((score, *agent.difficulty.get(quintile)?.get(&score)?))
        }))
    }

    /// Agents as rows, numbers of repeats as columns: pass^k. `None` where nothing was repeated.
    pub(super) fn by_repeats(&self) -> Option<Table> {
        let depths: BTreeSet<u16> = self.summary.agents.values().flat_map(|agent| agent.pass.keys().copied()).collect();
        if depths.is_empty() {
            return None;
        }
        let titles: Vec<(String, u16)> = depths.into_iter().map(|k| (format!("pass^{k}"), k)).collect();
        let columns = titles.iter().map(|(title, _)| title.as_str()).collect();
        Some(self.table(columns, |agent, column| {
            let (_, k) = titles.iter().find(|(title, _)| title == column)?;
            Some((Score::Pass, *agent.pass.get(k)?))
        }))
    }

    /// Agents as rows, the scores outside the headline as columns.
    pub(super) fn further_scores(&self) -> Table {
        let headline = self.headline_columns();
        let has = |score: Score| self.summary.agents.values().any(|agent| agent.scores.contains_key(&score));
        let others = Score::ALL.iter().copied().filter(|&score| {
            has(score)
                && !headline.contains(&score)
                && (self.summary.feasibility_matters() || !Score::HEADLINE.contains(&score))
        });
        self.score_table(others.map(|score| (score.label().to_owned(), score)), |agent| &agent.scores)
    }

    /// Speech scores as read and as corrected for the parser's errors; `None` where nothing was found fault with.
    pub(super) fn speech(&self) -> Option<Table> {
        let mut columns: Vec<(String, Score, bool)> = Vec::new();
        for score in Score::OF_SPEECH {
            if self.summary.agents.values().any(|agent| agent.speech_corrected.contains_key(&score)) {
                columns.push((format!("{}, as read", score.label()), score, false));
                columns.push((format!("{}, corrected", score.label()), score, true));
            }
        }
        if columns.is_empty() {
            return None;
        }
        let titles = columns.iter().map(|(title, ..)| title.as_str()).collect();
        Some(self.table(titles, |agent, title| {
            let (_, score, corrected) = columns.iter().find(|(column, ..)| column == title)?;
            let part = if *corrected { &agent.speech_corrected } else { &agent.scores };
            Some((*score, *part.get(score)?))
        }))
    }

    /// Every other agent against the baseline; `None` where there is none.
    pub(super) fn comparisons(&self) -> Option<Table> {
        let first = self.summary.comparisons.first()?;
        let header = [
            "Agent".to_owned(),
            format!("Surplus efficiency less {}'s", first.baseline),
            "p".to_owned(),
            "p after Holm".to_owned(),
            format!("Gains more than {}", first.baseline),
            format!("Episodes to see {}", points(first.power.difference)),
        ];
        let rows = self.summary.comparisons.iter().map(|comparison| {
            let tone = match comparison.difference {
                difference if difference.low > 0.0 => Tone::Good,
                difference if difference.high < 0.0 => Tone::Bad,
                _ => Tone::Plain,
            };
            let improvement = comparison.improvement.map_or(NONE.to_owned(), |share| figure(Unit::Share, &share));
            let episodes = comparison.power.episodes.map_or(NONE.to_owned(), |episodes| episodes.to_string());
            vec![
                comparison.agent.clone().into(),
                Cell::new(figure(Unit::Share, &comparison.difference), tone),
                format!("{:.4}", comparison.p_value).into(),
                format!("{:.4}", comparison.p_value_holm).into(),
                improvement.into(),
                episodes.into(),
            ]
        });
        Some(Table::new(header.to_vec(), rows.collect()))
    }

    /// Agents as rows, gates as columns; `None` where there are no gates. Latency gates show in the terminal only.
    pub(super) fn gates(&self, with_latency: bool) -> Option<Table> {
        let timed = self.timing.filter(|_| with_latency).map_or(&[][..], |timing| &timing.gates);
        let results: Vec<&GateResult> = self.summary.gates.iter().chain(timed).collect();
        // The threshold of a baseline's gate is its own figure; the column is named after the agent.
        let mut columns: Vec<String> = Vec::new();
        for result in &results {
            let title = gate_title(result);
            if !columns.contains(&title) {
                columns.push(title);
            }
        }
        if columns.is_empty() {
            return None;
        }
        let mut rows = Vec::new();
        for (agent, _, standing) in self.ranked() {
            let own: Vec<&GateResult> = results.iter().copied().filter(|result| result.agent == agent).collect();
            if own.is_empty() {
                continue;
            }
            let gated = own.iter().any(|result| result.gated);
            let role = if gated { "gated" } else { standing.name() };
            let mut row: Vec<Cell> = vec![agent.to_owned().into(), role.to_owned().into()];
            for title in &columns {
                row.push(own.iter().find(|result| gate_title(result) == *title).map_or_else(
                    || NONE.to_owned().into(),
                    |result| {
                        let value = result.value.map_or(NONE.to_owned(), |value| gate_figure(result.score, value));
                        let (verdict, tone) = if result.passed { ("pass", Tone::Good) } else { ("FAIL", Tone::Bad) };
                        Cell::new(format!("{value} {verdict}"), tone)
                    },
                ));
            }
            rows.push(row);
        }
        let header = ["Agent".to_owned(), "Standing".to_owned()].into_iter().chain(columns).collect();
        let of_speech = |result: &&GateResult| matches!(result.score, GateScore::Score(score) if score.is_of_speech());
        Some(Table::new(header, rows).with_speech(results.iter().any(of_speech)))
    }

    /// What was gained of what was attainable, where a ceiling played that says it.
    pub(super) fn attainable(&self) -> Option<Table> {
        let shares = &self.summary.attainable;
        let mut ceilings: Vec<(&str, bool)> = Vec::new();
        for share in shares {
            if !ceilings.contains(&(&share.ceiling, share.estimated)) {
                ceilings.push((&share.ceiling, share.estimated));
            }
        }
        let title = |&(ceiling, estimated): &(&str, bool)| {
            let estimate = if estimated { " (an estimate)" } else { "" };
            format!("Gain in shares of {ceiling}'s{estimate}")
        };
        let header = std::iter::once("Agent".to_owned()).chain(ceilings.iter().map(title)).collect();
        let rows = self.ranked().into_iter().filter_map(|(name, _, standing)| {
            let tone = if standing.is_ranked() { Tone::Plain } else { Tone::Aside };
            let of = |ceiling: &str| shares.iter().find(|share| share.agent == name && share.ceiling == ceiling);
            let found: Vec<_> = ceilings.iter().map(|(ceiling, _)| of(ceiling)).collect();
            let cell = |share: Option<&AttainableShare>| {
                Cell::new(share.map_or(NONE.to_owned(), |share| figure(Unit::Share, &share.share)), tone)
            };
            let shown = found.iter().any(Option::is_some);
            shown
                .then(|| std::iter::once(Cell::new(name.to_owned(), tone)).chain(found.into_iter().map(cell)).collect())
        });
        (!shares.is_empty()).then(|| Table::new(header, rows.collect()))
    }

    /// What the gates' results need said beside them, each once.
    pub(super) fn gate_notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for result in &self.summary.gates {
            if let Some(note) = &result.note {
                let note = format!("{}: {note}.", result.score.name());
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        notes
    }

    fn score_table(
        &self,
        columns: impl Iterator<Item = (String, Score)>,
        part: impl Fn(&AgentSummary) -> &Breakdown,
    ) -> Table {
        let columns: Vec<(String, Score)> = columns.collect();
        let titles: Vec<&str> = columns.iter().map(|(title, _)| title.as_str()).collect();
        self.table(titles, |agent, title| {
            let (_, score) = columns.iter().find(|(column, _)| column == title)?;
            Some((*score, *part(agent).get(score)?))
        })
    }

    fn table(&self, titles: Vec<&str>, cell: impl Fn(&AgentSummary, &str) -> Option<(Score, Estimate)>) -> Table {
        let mut of_speech = false;
        let rows = self.ranked().into_iter().map(|(name, agent, standing)| {
            let tone = if standing.is_ranked() { Tone::Plain } else { Tone::Aside };
            let name = match standing {
                Standing::Ceiling | Standing::Probe => format!("{name} ({})", standing.name()),
                Standing::Contender | Standing::Baseline => name.to_owned(),
            };
            let cells = titles.iter().map(|title| {
                let found = cell(agent, title);
                of_speech |= found.is_some_and(|(score, _)| score.is_of_speech());
                Cell::new(found.map_or(NONE.to_owned(), |(score, estimate)| figure(score.unit(), &estimate)), tone)
            });
            std::iter::once(Cell::new(name, tone)).chain(cells).collect()
        });
        let rows = rows.collect();
        let header = std::iter::once("Agent").chain(titles.iter().copied()).map(str::to_owned).collect();
        Table::new(header, rows).with_speech(of_speech)
    }
}

/// A figure with its interval; shares are in percent, so that tables need no sign in every cell.
pub(super) fn figure(unit: Unit, estimate: &Estimate) -> String {
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|number| match unit {
        Unit::Share => percent(number).trim_end_matches(" %").to_owned(),
        Unit::Number => format!("{number:.2}"),
    });
    format!("{value} [{low}, {high}]")
}

fn points(share: f64) -> String {
    format!("{:.0} points", share * 100.0)
}

fn gate_title(result: &GateResult) -> String {
    let label = match result.score {
        GateScore::Score(score) => score.label(),
        GateScore::Latency(_) => "p95 decision latency",
    };
    let paired = if result.baseline.is_some() { "paired " } else { "" };
    let bound = match result.bound {
        crate::gate::Bound::Point => String::new(),
        crate::gate::Bound::Lower => format!(", {paired}lower bound"),
        crate::gate::Bound::Upper => format!(", {paired}upper bound"),
    };
    let threshold = match (&result.baseline, result.threshold) {
        (Some(baseline), _) => format!("{baseline}'s"),
        (None, Some(threshold)) => gate_figure(result.score, threshold),
        (None, None) => NONE.to_owned(),
    };
    let family = result.family.as_ref().map(|family| format!(" against {family}")).unwrap_or_default();
    format!("{label}{family}{bound} {} {threshold}", result.direction.sign())
}

fn gate_figure(score: GateScore, value: f64) -> String {
    match score {
        GateScore::Latency(_) => format!("{value:.1} ms"),
        GateScore::Score(score) => match score.unit() {
            Unit::Share => percent(value),
            Unit::Number => format!("{value:.2}"),
        },
    }
}

//! Reads sums of scenarios as JSON from standard input and prints what the reports' statistics make of them, for comparison with
//! other packages: `tests/peers/statistics.py`.

use serde::{Deserialize, Serialize};
use std::error::Error;
use zopa_reports::statistics::{
    Bootstrap, Estimate, PairedDifference, RatioColumn, Strata, clopper_pearson, improvement_column,
};

/// Numerator and denominator of each scenario.
#[derive(Deserialize)]
struct Column {
    sums: Vec<(f64, f64)>,
    rate: bool,
}

#[derive(Deserialize)]
struct Question {
    /// Scenarios in each stratum.
    strata: Vec<usize>,
    columns: Vec<Column>,
    /// Pairs of columns whose difference is asked for.
    differences: Vec<(usize, usize)>,
    /// For each scenario the scores of two agents on its episodes.
    improvement: Vec<Vec<(f64, f64)>>,
    /// Successes and trials.
    proportions: Vec<(u64, u64)>,
}

#[derive(Serialize)]
struct Answer {
    columns: Vec<Option<Estimate>>,
    differences: Vec<Option<PairedDifference>>,
    improvement: Option<Estimate>,
    proportions: Vec<(f64, f64)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let question: Question = serde_json::from_reader(std::io::stdin().lock())?;
    let (strata, bootstrap) = (Strata::new(&question.strata), Bootstrap::default());
    let columns = question.columns.into_iter().map(|column| {
        if column.rate {
            RatioColumn::rate(0, column.sums)
        } else {
            let episodes = column.sums.len() as u64;
            let (numerators, denominators) = column.sums.into_iter().unzip();
            RatioColumn::ratio(0, numerators, denominators, episodes)
        }
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let pair = |&(first, second): &(usize, usize)| {
        PairedDifference::compute(&bootstrap, &strata, &columns[first], &columns[second])
    };
    let improvement = improvement_column(0, question.improvement)?;
    let answer = Answer {
        differences: question.differences.iter().map(pair).collect::<Result<_, _>>()?,
        improvement: bootstrap.estimates(&strata, &[improvement])?[0],
        proportions: question.proportions.iter().map(|&(hits, trials)| clopper_pearson(hits, trials, 0.95)).collect(),
        columns: bootstrap.estimates(&strata, &columns)?,
    };
    println!("{}", serde_json::to_string(&answer)?);
    Ok(())
}

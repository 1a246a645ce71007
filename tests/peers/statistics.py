#!/usr/bin/env python3
"""Compares the reports' statistics with scipy's bootstrap and rliable's on the same made-up scores, and prints both side by side.

Both peers come from PyPI into an environment of their own:

    cargo build --release -p zopa-reports --example estimates
    python3 tests/peers/statistics.py

Both sides draw their own resamples, so ends of intervals differ by chance: with 2,000 resamples an end's standard error is about
1.5 % of the interval's width (Monte Carlo), and up to 8 % is let pass. Points are compared to eleven digits. Exit code 1: something
differs by more. What was found is in docs/peers.md.
"""

import json
import pathlib
import subprocess
import sys

from environment import ensure, skip

# This file has the name of a module of the standard library: its own folder must not be searched for it.
HERE = pathlib.Path(__file__).resolve().parent
sys.path = [entry for entry in sys.path if pathlib.Path(entry or ".").resolve() != HERE]
ROOT = HERE.parents[1]
EXAMPLE = ROOT / "target" / "release" / "examples" / "estimates"
RESAMPLES = 20_000
TOLERANCE = 0.08

SCENARIOS, FAMILIES = 240, 6
EPISODES = 6  # both seats, three repeats


def made_up(numpy):
    """Best gains by scenario and two agents' gains by scenario and episode, which share what the scenario and its family give."""
    random = numpy.random.default_rng(7)
    family = numpy.repeat(numpy.arange(FAMILIES), SCENARIOS // FAMILIES)
    best = 0.5 + random.random((SCENARIOS, 1)) * numpy.ones((1, EPISODES))
    common = 0.15 * family[:, None] / FAMILIES + 0.3 * random.random((SCENARIOS, 1))
    first = best * numpy.clip(common + 0.45 + 0.2 * random.standard_normal((SCENARIOS, EPISODES)), 0, 1)
    second = best * numpy.clip(common + 0.40 + 0.2 * random.standard_normal((SCENARIOS, EPISODES)), 0, 1)
    deal = random.random((SCENARIOS, EPISODES)) < 0.4 + 0.5 * common
    return best, first, second, deal


class Table:
    def __init__(self):
        self.failed = 0
        print(f"{'what':<58}{'zopa':>34}{'peer':>34}  apart")

    def line(self, what, ours, theirs):
        """Each is (value, low, high); ends are compared in shares of the peer's width."""
        width = max(theirs[2] - theirs[1], 1e-12)
        apart = max(abs(ours[1] - theirs[1]), abs(ours[2] - theirs[2])) / width
        wrong = abs(ours[0] - theirs[0]) > 1e-11 or apart > TOLERANCE
        self.failed += wrong
        shown = lambda e: f"{e[0]:.6f} [{e[1]:.6f}, {e[2]:.6f}]"
        print(f"{what:<58}{shown(ours):>34}{shown(theirs):>34}  {100 * apart:.1f} %{' WRONG' if wrong else ''}")


def main():
    # rliable's own requirement arch 7.2 cannot be imported beside pandas 3.
    ensure("statistics", "rliable==1.2.0", "rliable", "pandas<3")
    import numpy
    import scipy
    from rliable import library, metrics
    from scipy import stats

    if not EXAMPLE.is_file():
        skip("build the example first: cargo build --release -p zopa-reports --example estimates")
    best, first, second, deal = made_up(numpy)
    sums = lambda numerators, denominators: [list(map(float, pair)) for pair in
                                             zip(numerators.sum(axis=1), denominators.sum(axis=1))]
    ones = numpy.ones_like(best)
    columns = [sums(first, best), sums(second, best), sums(deal, ones)]
    proportions = [(hits, trials) for trials in (1, 7, 40, 500, 5000) for hits in {0, 1, trials // 3, trials - 1, trials}]

    def ask(strata):
        question = {
            "strata": strata,
            "columns": [{"sums": column, "rate": index == 2} for index, column in enumerate(columns)],
            "differences": [[0, 1]],
            "improvement": [[list(map(float, pair)) for pair in zip(a, b)] for a, b in zip(first, second)],
            "proportions": proportions,
        }
        done = subprocess.run([EXAMPLE], input=json.dumps(question), capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    ours = ask([SCENARIOS])
    triple = lambda estimate: (estimate["value"], estimate["low"], estimate["high"])
    table = Table()

    def scipy_interval(statistic, *samples):
        found = stats.bootstrap(samples, statistic, n_resamples=RESAMPLES, method="percentile", paired=True,
                                vectorized=True, rng=numpy.random.default_rng(1), batch=500).confidence_interval
        return found.low, found.high

    ratio = lambda n, d, axis=-1: n.sum(axis=axis) / d.sum(axis=axis)
    arrays = [numpy.array(column).T for column in columns]
    for name, (n, d), estimate in zip(["ratio of sums, first agent", "ratio of sums, second agent", "rate"], arrays,
                                      ours["columns"]):
        table.line(f"scipy, scenarios resampled: {name}", triple(estimate), (ratio(n, d), *scipy_interval(ratio, n, d)))
    (n1, d1), (n2, d2) = arrays[:2]
    difference = lambda a, b, c, d, axis=-1: ratio(a, b, axis) - ratio(c, d, axis)
    table.line("scipy, paired difference of the ratios", triple(ours["differences"][0]["difference"]),
               (difference(n1, d1, n2, d2), *scipy_interval(difference, n1, d1, n2, d2)))
    wins = (first > second).mean(axis=1) + 0.5 * (first == second).mean(axis=1)
    mean = lambda x, axis=-1: x.mean(axis=axis)
    table.line("scipy, probability of improvement over pairs", triple(ours["improvement"]),
               (wins.mean(), *scipy_interval(mean, wins)))

    # rliable's tasks are our families: what it calls runs are scenarios, drawn within each. Its interval is of a mean, so the
    # denominators are equal.
    by_family = first.mean(axis=1).reshape(FAMILIES, -1).T
    columns = [[[float(value), 1.0] for value in first.mean(axis=1)]] * 2 + [sums(deal, ones)]
    stratified = ask([SCENARIOS // FAMILIES] * FAMILIES)
    mean_of = lambda scores: numpy.array([scores.mean()])
    points, intervals = library.get_interval_estimates({"agent": by_family}, mean_of, reps=RESAMPLES // 4,
                                                       random_state=numpy.random.RandomState(1))
    low, high = intervals["agent"][:, 0]
    table.line("rliable, scenarios resampled within families: mean", triple(stratified["columns"][0]),
               (points["agent"][0], low, high))
    # With one run a task, all pairs of runs within tasks are the pairs on the same episode.
    tasks = lambda scores: scores.reshape(1, -1)
    improvement = metrics.probability_of_improvement(tasks(first), tasks(second))
    apart = abs(improvement - ours["improvement"]["value"])
    print(f"rliable, probability of improvement: {improvement:.6f}, zopa {ours['improvement']['value']:.6f}")
    table.failed += apart > 1e-11

    worst = 0.0
    for (hits, trials), found in zip(proportions, ours["proportions"]):
        exact = stats.binomtest(hits, trials).proportion_ci(0.95, "exact")
        worst = max(worst, abs(found[0] - exact.low), abs(found[1] - exact.high))
    print(f"scipy, Clopper-Pearson at {len(proportions)} points: {worst:.1e} apart at most")
    table.failed += worst > 1e-9
    print(f"scipy {scipy.__version__}, {RESAMPLES} resamples against 2000: {table.failed} differ")
    sys.exit(1 if table.failed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Plays scripted pairs over 100 rounds on the shared additive domains, with NegMAS 0.16 and with zopa, and prints both side by
side, with how many negotiations a second each plays.

NegMAS comes from PyPI into an environment of its own:

    cargo build --release -p zopa-scenarios --example scripted_pairs
    python3 tests/peers/negmas.py --domains ../shared/data/genius

What differs and why is in docs/peers.md. Exit code 0: the table was printed, or skipped with a reason.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import time
import warnings

from environment import ensure, skip

# This file has the name of the package: its own folder must not be searched for it.
sys.path = [entry for entry in sys.path if pathlib.Path(entry).resolve() != pathlib.Path(__file__).resolve().parent]
warnings.filterwarnings("ignore")
ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDS = 100
PAIRS = ["boulware/boulware", "linear/linear", "conceder/conceder", "boulware/conceder", "conceder/boulware",
         "boulware/linear", "micro/micro"]


def party(name, ufun):
    from negmas.sao import BoulwareTBNegotiator, ConcederTBNegotiator, LinearTBNegotiator, MiCRONegotiator

    kinds = {"boulware": BoulwareTBNegotiator, "linear": LinearTBNegotiator, "conceder": ConcederTBNegotiator,
             "micro": MiCRONegotiator}
    return kinds[name](ufun=ufun)


def negotiate(scenario, pair):
    from negmas.sao import SAOMechanism

    mechanism = SAOMechanism(outcome_space=scenario.outcome_space, n_steps=ROUNDS)
    for name, ufun in zip(pair.split("/"), scenario.ufuns):
        mechanism.add(party(name, ufun))
    return mechanism.run()


class Twin:
    """The domain that zopa read, rebuilt in NegMAS: NegMAS's own reader of GENIUS files does not divide evaluations by their
    greatest, so its utilities would be others."""

    def __init__(self, tables):
        from negmas.outcomes import make_issue, make_os
        from negmas.preferences import LinearAdditiveUtilityFunction
        from negmas.preferences.value_fun import TableFun

        issues = [make_issue(values, name) for name, values in zip(tables["issues"], tables["values"])]
        self.outcome_space = make_os(issues)
        self.ufuns = [
            LinearAdditiveUtilityFunction(
                values=[TableFun(dict(zip(values, row))) for values, row in zip(tables["values"], rows)],
                weights=[1.0] * len(issues), outcome_space=self.outcome_space, reserved_value=reservation)
            for rows, reservation in zip(tables["tables"], tables["reservation"])
        ]


def peer(scenario, pairs, seconds):
    """Rows of NegMAS for one domain by pair."""
    rows = {}
    for pair in pairs:
        random.seed(0)
        state = negotiate(scenario, pair)
        deal = state.agreement
        rows[pair] = {
            "agreement": None if deal is None else [str(value) for value in deal],
            "utilities": [float(ufun(deal)) if deal is not None else float(ufun.reserved_value) for ufun in scenario.ufuns],
            "step": state.step,
        }
        if seconds > 0:
            played, started, busy = 0, time.perf_counter(), time.process_time()
            while time.perf_counter() - started < seconds:
                negotiate(scenario, pair)
                played += 1
            rows[pair]["rate"] = {"second": played / (time.perf_counter() - started),
                                  "processor_second": played / (time.process_time() - busy)}
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--domains", default=ROOT.parent / "shared/data/genius", type=pathlib.Path)
    parser.add_argument("--binary", default=ROOT / "target/release/examples/scripted_pairs", type=pathlib.Path)
    parser.add_argument("--pair", action="append", choices=PAIRS, help="may be repeated; all where none is named")
    parser.add_argument("--only", action="append", help="a domain's name; may be repeated")
    parser.add_argument("--seconds", default=0.0, type=float, help="of throughput for each pair on each side; 0 leaves it out")
    options = parser.parse_args()
    if not (options.domains / "expected.json").is_file():
        skip(f"{options.domains} is absent: it holds the shared domains")
    if not options.binary.is_file():
        skip(f"{options.binary} is absent: cargo build --release -p zopa-scenarios --example scripted_pairs")
    ensure("negmas", "negmas==0.16.0", "negmas")
    names = [name for name in json.loads((options.domains / "expected.json").read_text()) if name in (options.only or [name])]
    pairs = options.pair or PAIRS
    # zopa plays thousands of negotiations in a tenth of the time, so its rate is known as well.
    timed = ["--seconds", str(max(options.seconds / 10, 0.1))] if options.seconds > 0 else []
    print("| domain | pair | NegMAS agreement | zopa agreement | NegMAS u | zopa u | step | note |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    rates, alike, all_rows = [], 0, 0
    for name in names:
        folder = options.domains / name
        command = [options.binary, *timed, folder]
        own = [json.loads(line) for line in
               subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]
        tables = subprocess.run([options.binary, "--tables", folder], capture_output=True, text=True, check=True).stdout
        theirs = peer(Twin(json.loads(tables)), pairs, options.seconds)
        for row in own:
            other = theirs.get(row["pair"])
            if other is None:
                continue
            note = "same" if row["agreement"] == other["agreement"] else ""
            own_turns = ROUNDS
            if row["pair"].startswith("micro") and own_turns < max(row["rational"]):
                note += f" MiCRO: {own_turns} own turns < {max(row['rational'])} rational outcomes"
            alike, all_rows = alike + (row["agreement"] == other["agreement"]), all_rows + 1
            pairs_of = lambda u: f"{u[0]:.4f}, {u[1]:.4f}"
            words = lambda deal: "none" if deal is None else "; ".join(deal) if len(deal) <= 3 else f"{len(deal)} issues"
            print(f"| {name} | {row['pair']} | {words(other['agreement'])} | {words(row['agreement'])} | "
                  f"{pairs_of(other['utilities'])} | {pairs_of(row['utilities'])} | {other['step']} / {row['step']} | "
                  f"{note.strip()} |", flush=True)
            if timed:
                rates.append((name, row["pair"], other["rate"], row["ready"], row["anew"]))
    print(f"\n{alike} of {all_rows} end in the same agreement")
    if rates:
        throughput(rates)


def throughput(rates):
    """Negotiations a second of processor time on each side, and the ratio by processor time and by the clock."""
    clock = "second" if any(own["processor_second"] is None for *_, own, _ in rates) else "processor_second"
    print(f"\nnegotiations a {clock.replace('_', ' ')}")
    print("| domain | pair | NegMAS | zopa | ratio | ratio by the clock | zopa, domain made ready each time | ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, pair, theirs, own, anew in rates:
        peer = theirs[clock]
        print(f"| {name} | {pair} | {peer:.0f} | {own[clock]:,.0f} | {own[clock] / peer:,.0f} | "
              f"{own['second'] / theirs['second']:,.0f} | {anew[clock]:,.0f} | {anew[clock] / peer:,.0f} |")
    for words, of, by in (("domain ready, " + clock, 3, clock), ("domain ready, by the clock", 3, "second"),
                          ("domain made ready each time, " + clock, 4, clock)):
        ratios = sorted(row[of][by] / row[2][by] for row in rates)
        print(f"ratio, {words}: least {ratios[0]:,.0f}, median {ratios[len(ratios) // 2]:,.0f}, most {ratios[-1]:,.0f}, "
              f"{sum(ratio >= 1000 for ratio in ratios)} of {len(ratios)} at least 1,000")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Has NegMAS 0.16 write scenarios and lets zopa read them: issues, utilities of every outcome, reservation values and discounts
must be those that NegMAS itself computes.

NegMAS comes from PyPI into an environment of its own:

    cargo build --release -p zopa-scenarios --example scripted_pairs
    python3 tests/peers/negmas_files.py

Exit code 0: all agree, or skipped with a reason; 1: a difference, printed.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

from environment import ensure, skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
# This folder holds a file with the name of the package: it must not be searched for it.
sys.path = [entry for entry in sys.path if pathlib.Path(entry).resolve() != pathlib.Path(__file__).resolve().parent]
warnings.filterwarnings("ignore")


def scenarios():
    """Name and scenario: table, linear, affine, identity and constant value functions, linear and affine utilities,
    hyper-rectangles, and a discount."""
    from negmas.inout import Scenario
    from negmas.outcomes import make_issue, make_os
    from negmas.preferences import (AffineUtilityFunction, ExpDiscountedUFun, HyperRectangleUtilityFunction,
                                    LinearAdditiveUtilityFunction, LinearUtilityFunction)
    from negmas.preferences.value_fun import AffineFun, ConstFun, IdentityFun, LinearFun, TableFun

    mixed = make_os([make_issue((1, 5), "n"), make_issue(["a b", "c&d", "caf\u00e9"], "label"), make_issue(4, "k"),
                     make_issue([10, 20, 30], "days")], name="mixed")
    weights = [0.2, 0.3, 0.15, 0.35]
    tables = [TableFun({"a b": 1.0, "c&d": 0.2, "caf\u00e9": 0.5}), TableFun({10: 1.0, 20: 0.5, 30: 0.0})]

    def first():
        return LinearAdditiveUtilityFunction(values=[AffineFun(0.2, 0.1), tables[0], IdentityFun(), tables[1]],
                                             weights=weights, outcome_space=mixed, reserved_value=0.2, name="first")

    def second():
        return LinearAdditiveUtilityFunction(values=[LinearFun(-0.2), tables[0], ConstFun(0.5), LinearFun(0.01)],
                                             weights=weights, outcome_space=mixed, reserved_value=-0.3, name="second")

    yield "value-functions", Scenario(outcome_space=mixed, ufuns=(first(), second()))
    discounted = ExpDiscountedUFun(ufun=second(), discount=0.8, outcome_space=mixed, name="second", reserved_value=-0.3)
    yield "discounted", Scenario(outcome_space=mixed, ufuns=(first(), discounted))
    numbers = make_os([make_issue((1, 5), "n"), make_issue((0, 9), "m")], name="numbers")
    yield "linear-and-affine", Scenario(outcome_space=numbers, ufuns=(
        LinearUtilityFunction(weights=[0.5, -0.2], outcome_space=numbers, reserved_value=0.3, name="linear"),
        AffineUtilityFunction(weights=[-0.5, 0.2], bias=0.1, outcome_space=numbers, reserved_value=0.0, name="affine")))
    yield "rectangles", Scenario(outcome_space=numbers, ufuns=(
        HyperRectangleUtilityFunction(outcome_ranges=[{0: (1, 2)}, {0: (2, 4), 1: (3, 9)}], utilities=[3.0, 2.0],
                                      outcome_space=numbers, reserved_value=0.0, name="first"),
        HyperRectangleUtilityFunction(outcome_ranges=[{1: (0, 4)}, None], utilities=[2.0, 0.5],
                                      outcome_space=numbers, reserved_value=0.0, name="second")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=ROOT / "target/release/examples/scripted_pairs", type=pathlib.Path)
    options = parser.parse_args()
    if not options.binary.is_file():
        skip(f"{options.binary} is absent: cargo build --release -p zopa-scenarios --example scripted_pairs")
    ensure("negmas", "negmas==0.16.0", "negmas")
    failed = read = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, scenario in scenarios():
            for kind in ("yml", "json"):
                folder = pathlib.Path(scratch) / f"{name}-{kind}"
                scenario.dumpas(folder, type=kind)
                done = subprocess.run([options.binary, "--tables", folder], capture_output=True, text=True)
                if done.returncode != 0:
                    print(f"{name} ({kind}): zopa cannot read it: {done.stderr.strip()}")
                    failed += 1
                    continue
                own = json.loads(done.stdout)
                issues = scenario.outcome_space.issues
                values = [[str(value) for value in issue.all] for issue in issues]
                outcomes = list(itertools.product(*[list(issue.all) for issue in issues]))
                # NegMAS discounts at the time of a state; without one it gives the utility at the start.
                plain = [getattr(ufun, "ufun", ufun) for ufun in scenario.ufuns]
                by_name = dict(zip((ufun.name for ufun in scenario.ufuns), plain))
                order = sorted(by_name)
                expected = [[float(by_name[side](outcome)) for side in order] for outcome in outcomes]
                apart = max(abs(a - b) for found, wanted in zip(own["utilities"], expected) for a, b in zip(found, wanted))
                reserved = [float(dict((u.name, u.reserved_value) for u in scenario.ufuns)[side]) for side in order]
                discount = [float(getattr(dict((u.name, u) for u in scenario.ufuns)[side], "discount", 1.0)) for side in order]
                same = (own["values"] == values and len(own["utilities"]) == len(expected) and apart < 1e-9
                        and own["reservation"] == reserved and own["discount"] == discount)
                read += same
                failed += not same
                print(f"{name} ({kind}): {len(outcomes)} outcomes, largest difference {apart:.1e}, "
                      f"reservation {own['reservation']}, discount {own['discount']}: {'equal' if same else 'DIFFERENT'}")
                if not same:
                    print(f"  expected values {values}, reservation {reserved}, discount {discount}\n  found {own['values']}")
    print(f"{read} of {read + failed} folders agree")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

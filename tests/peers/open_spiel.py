#!/usr/bin/env python3
"""Plays the division game move by move beside OpenSpiel's `bargaining`, and random play against the clock.

Every game is played at random in pyspiel, on its own instances; the same moves then go through zopa, and at each state the
mover, the legal moves and the returns must agree. OpenSpiel comes from PyPI into an environment of its own:

    cargo build --release -p zopa-scenarios --example division_game
    python3 tests/peers/open_spiel.py

Exit code 0: all agree, or skipped with a reason; 1: a difference, printed.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import time

from environment import ensure, skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The open_spiel release that the comparison was written against.
REQUIREMENT = "open_spiel==2.0.2"


def moves_of(state, action):
    """A move as zopa reads it."""
    if state.is_chance_node():
        return "end" if state.action_to_string(action) == "End" else "continue"
    text = state.action_to_string(action)
    if text == "Agree":
        return "agree"
    return [int(part.split(":")[1]) for part in text.removeprefix("Offer: ").split(",")]


def seen(state):
    """What must agree at a state."""
    over, chance = state.is_terminal(), state.is_chance_node()
    legal = [] if over or chance else sorted(json.dumps(moves_of(state, action)) for action in state.legal_actions())
    player = None if over or chance else state.current_player()
    return {"player": player, "chance": chance, "over": over, "legal": legal, "returns": state.returns()}


def play(pyspiel, game, rules, rng):
    """A random game: the request for zopa and what pyspiel showed at each state."""
    state = game.new_initial_state()
    state.apply_action(rng.choice(state.legal_actions()))
    instance = state.instance()
    request = {"pool": list(instance.pool), "values": [list(values) for values in instance.values], **rules, "moves": []}
    states = [seen(state)]
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes())
            action = rng.choices(outcomes, chances)[0]
        else:
            action = rng.choice(state.legal_actions())
            # At random one move in thirty agrees; half of the games also agree on purpose, so that deals at each turn are met.
            if state.offers() and rng.random() < 0.1:
                action = state.agree_action()
        request["moves"].append(moves_of(state, action))
        state.apply_action(action)
        states.append(seen(state))
    return request, states


def compare(pyspiel, binary, games, seed):
    rng = random.Random(seed)
    played = []
    # The default rules for all of the games that are promised, and half as many again under others.
    settings = [({"max_turns": 10, "discount": 1.0, "end": 0.0}, games)]
    settings += [({"max_turns": turns, "discount": discount, "end": end}, games // 10)
                 for turns, discount, end in [(10, 0.9, 0.0), (10, 1.0, 0.1), (7, 0.95, 0.05), (1, 1.0, 0.0), (2, 0.5, 0.0)]]
    for rules, number in settings:
        named = {"max_turns": rules["max_turns"], "discount": rules["discount"], "prob_end": rules["end"]}
        game = pyspiel.load_game("bargaining", named)
        played += [play(pyspiel, game, rules, rng) for _ in range(number)]
    requests = "".join(json.dumps(request) + "\n" for request, _ in played)
    answers = subprocess.run([binary], input=requests, capture_output=True, text=True, check=True).stdout.splitlines()
    if len(answers) != len(played):
        sys.exit(f"{len(played)} games went in and {len(answers)} answers came out")
    states = deals = 0
    for (request, expected), answer in zip(played, answers):
        found = json.loads(answer)
        for state in found:
            state["legal"] = sorted(json.dumps(move) for move in state["legal"])
        if found != expected:
            at = next(i for i, pair in enumerate(zip(expected, found)) if pair[0] != pair[1])
            sys.exit(f"{json.dumps(request)}\nstate {at} differs:\npyspiel {expected[at]}\nzopa    {found[at]}")
        states += len(expected)
        deals += any(expected[-1]["returns"])
    print(f"{len(played)} games ({games} under the default rules), {states} states, {deals} with returns: all agree")


def rates(steps, started, busy):
    """Steps a second by the clock and by this process's processor time."""
    return [steps / (time.perf_counter() - started), steps / (time.process_time() - busy)]


def from_python(pyspiel, seconds):
    """Random play as a program in Python does it: a call for the legal actions and one for the action."""
    game = pyspiel.load_game("bargaining")
    rng = random.Random(0)
    steps, started, busy = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - started < seconds:
        for _ in range(20):
            state = game.new_initial_state()
            state.apply_action(rng.randrange(1000))
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
    return rates(steps, started, busy)


def from_cpp(pyspiel, seconds):
    """Random play by OpenSpiel's own uniform bots: a game is one call into C++."""
    game = pyspiel.load_game("bargaining")
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]
    steps, games, started, busy = 0, 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - started < seconds:
        for _ in range(20):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, games)
            steps += len(state.history()) - 1
            games += 1
    return rates(steps, started, busy)


def from_rust(binary, seconds):
    done = subprocess.run([binary, "random", str(seconds)], capture_output=True, text=True, check=True)
    row = json.loads(done.stdout)
    return [row["steps_per_second"], row["steps_per_processor_second"] or row["steps_per_second"]]


def side_by_side(pyspiel, binary, seconds):
    """Three drivers in turn, eleven times over, so that what else the machine does meets all alike; medians."""
    drivers = {"pyspiel, moves from Python": lambda part: from_python(pyspiel, part),
               "pyspiel, its own random bots (C++)": lambda part: from_cpp(pyspiel, part),
               "zopa, moves from Rust": lambda part: from_rust(binary, part)}
    found = {name: [] for name in drivers}
    for _ in range(11):
        for name, driver in drivers.items():
            found[name].append(driver(seconds / 11))
    own = found["zopa, moves from Rust"]
    print("| who | steps/s | steps a processor second | zopa's ratio, clock | zopa's ratio, processor time |")
    print("| --- | --- | --- | --- | --- |")
    for name, rows in found.items():
        # The sixth of eleven in order.
        mid = [sorted(row[by] for row in rows)[5] for by in (0, 1)]
        cells = []
        for by in (0, 1):
            ratios = sorted(mine[by] / theirs[by] for mine, theirs in zip(own, rows))
            cells.append(f"{ratios[5]:.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})")
        print(f"| {name} | {mid[0]:,.0f} | {mid[1]:,.0f} | {cells[0]} | {cells[1]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=ROOT / "target/release/examples/division_game", type=pathlib.Path)
    parser.add_argument("--games", default=1000, type=int)
    parser.add_argument("--seed", default=0, type=int)
    parser.add_argument("--seconds", default=5.0, type=float, help="of random play by each driver; 0 leaves it out")
    options = parser.parse_args()
    ensure("open_spiel", REQUIREMENT, "pyspiel")
    import pyspiel

    if not options.binary.is_file():
        skip(f"{options.binary} is absent: cargo build --release -p zopa-scenarios --example division_game")
    compare(pyspiel, options.binary, options.games, options.seed)
    if options.seconds > 0:
        side_by_side(pyspiel, options.binary, options.seconds)


if __name__ == "__main__":
    main()

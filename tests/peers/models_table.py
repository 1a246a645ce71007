"""Prints the runs of tests/peers/models.sh as the tables of docs/models.md: scores, costs and the square, all from records.

    python3 tests/peers/models_table.py FOLDER

The square is {strategy decides, model decides} x {template speaks, model speaks}, its differences paired by scenario (both seats
of a scenario together), with a 95 % bootstrap interval over scenarios (10,000 resamples, seed 1).
"""

import collections
import json
import pathlib
import random
import sys


def records(run):
    with open(run / "episodes.jsonl", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def interval(differences):
    random.seed(1)
    keys = list(differences)
    means = []
    for _ in range(10_000):
        drawn = [differences[random.choice(keys)] for _ in keys]
        means.append(sum(drawn) / len(drawn))
    means.sort()
    return sum(differences.values()) / len(keys), means[249], means[9749]


def by_scenario(played, agent):
    sums = collections.defaultdict(list)
    for record in played:
        if record["key"]["agent"] == agent and record["status"] == "played":
            scores = record["scores"]
            sums[record["key"]["index"] // 2].append(scores["gain"] / scores["scale"])
    return {scenario: sum(gains) / len(gains) for scenario, gains in sums.items()}


def difference(played, one, other):
    a, b = by_scenario(played, one), by_scenario(played, other)
    common = {scenario: a[scenario] - b[scenario] for scenario in a if scenario in b}
    if len(common) < 2:
        return "too few"
    mean, low, high = interval(common)
    return f"{100 * mean:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}] (n = {len(common)} scenarios)"


def table(run):
    manifest = json.loads((run / "manifest.json").read_text())
    timing = json.loads((run / "timing.json").read_text())["agents"]
    played = list(records(run))
    model = manifest.get("serving", {}).get("model", "none")
    print(f"\n## {manifest['suite']}, model {model}, {manifest['episodes']} episodes each\n")
    print("| agent | played | no result | agreement | gain, % of status quo price | surplus efficiency | forfeits | withheld words "
          "| tokens in / out per episode | decision p50 / p95 s | speech p50 / p95 s |")
    print("| --- | " + "--- | " * 10)
    for entry in manifest["agents"]:
        agent = entry["id"]
        own = [record for record in played if record["key"]["agent"] == agent]
        done = [record for record in own if record["status"] == "played"]
        if not done:
            print(f"| {agent} | 0 | {len(own)} |" + " - |" * 8)
            continue
        scores = [record["scores"] for record in done]
        best = sum((score["best_gain"] or 0) / score["scale"] for score in scores)
        gain = sum(score["gain"] / score["scale"] for score in scores)
        usage = [record.get("usage", {}) for record in done]
        mean = lambda name: sum(use.get(name, 0) for use in usage) / len(done)
        withheld = sum(score["conduct"].get("withheld", 0) for score in scores)
        seconds = lambda kind: (
            " / ".join(f"{timing[agent][kind][share] / 1000:.2f}" for share in ("p50", "p95"))
            if timing.get(agent, {}).get(kind) else "-")
        print(f"| {agent} | {len(done)} | {len(own) - len(done)} | {sum(s['agreement'] for s in scores)} of {len(done)} "
              f"| {100 * gain / len(done):+.2f} | {gain / best if best else 0:.3f} "
              f"| {sum(record.get('forfeits', 0) for record in done)} | {withheld} "
              f"| {mean('prompt_tokens'):.0f} / {mean('completion_tokens'):.0f} "
              f"| {seconds('decision_latency_ms')} | {seconds('speech_latency_ms')} |")
    agents = [entry["id"] for entry in manifest["agents"]]
    strategy = next((agent for agent in agents if agent not in ("rule-tree", "dialogue") and not agent.startswith("llm")), None)
    if strategy and {"dialogue", "llm", "llm-mute"} <= set(agents):
        print(f"\nThe square, {strategy} or the model deciding; paired differences of gain in percentage points:\n")
        for what, one, other in [
            ("speaking, strategy decides: dialogue less " + strategy, "dialogue", strategy),
            ("speaking, model decides: llm less llm-mute", "llm", "llm-mute"),
            ("deciding, template speaks: " + strategy + " less llm-mute", strategy, "llm-mute"),
            ("deciding, model speaks: dialogue less llm", "dialogue", "llm"),
        ]:
            print(f"- {what}: {difference(played, one, other)}")


for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    if (folder / "timing.json").exists():
        table(folder)

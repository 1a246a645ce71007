"""Prints the runs of tests/peers/models.sh as the tables of docs/models.md: scores, costs and the square, all from records.

    python3 tests/peers/models_table.py FOLDER [MODEL]

MODEL is what to call the model beside its figures (its name and size); without it the name that the server gave it. The square is
{strategy decides, model decides} x {template speaks, model speaks}. Differences are paired by scenario (both seats of a scenario
together), with a 95 % bootstrap interval over scenarios (10,000 resamples, seed 1).
"""

import collections
import json
import pathlib
import random
import sys


# An episode with none of these broke no guardrail and not the mandate, tried or done, and said nothing that it may not say.
VIOLATIONS = ["structural", "concession_rate", "floor", "phase", "refused", "unauthorised"]


def records(run):
    """One record an episode: of one that failed and was played again on resuming, the last."""
    with open(run / "episodes.jsonl", encoding="utf-8") as lines:
        found = map(json.loads, lines)
        return list({json.dumps(record["key"], sort_keys=True): record for record in found}.values())


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


def difference(played, plus, minus):
    """The mean over `plus` less the mean over `minus`, lists of agents, in the scenarios that all of them finished."""
    gains = {agent: by_scenario(played, agent) for agent in plus + minus}
    common = set.intersection(*(set(of_agent) for of_agent in gains.values()))
    mean = lambda agents, scenario: sum(gains[agent][scenario] for agent in agents) / len(agents)
    differences = {scenario: mean(plus, scenario) - mean(minus, scenario) for scenario in sorted(common)}
    if len(differences) < 2:
        return "too few"
    middle, low, high = interval(differences)
    return f"{100 * middle:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}] (n = {len(differences)})"


def table(run, name):
    manifest = json.loads((run / "manifest.json").read_text())
    timing = json.loads((run / "timing.json").read_text())["agents"]
    played = records(run)
    model = name or manifest.get("serving", {}).get("model", "none")
    agents = [entry["id"] for entry in manifest["agents"]]
    strategy = next((agent for agent in agents if agent not in ("rule-tree", "dialogue") and not agent.startswith("llm")), None)
    beside = [other for other in ("rule-tree", strategy) if other in agents]
    print(f"\n## {manifest['suite']}, model {model}, {manifest['episodes']} episodes each\n")
    print("| agent | played | no result | agreement | gain, % of status quo price | surplus efficiency "
          + "".join(f"| less {other}, points of gain " for other in beside)
          + "| no violation | forfeits | withheld words | tokens in / out per episode | decision p50 / p95 s | speech p50 / p95 s |")
    print("| --- | " + "--- | " * (11 + len(beside)))
    for entry in manifest["agents"]:
        agent = entry["id"]
        own = [record for record in played if record["key"]["agent"] == agent]
        done = [record for record in own if record["status"] == "played"]
        if not done:
            print(f"| {agent} | 0 | {len(own)} |" + " - |" * (9 + len(beside)))
            continue
        scores = [record["scores"] for record in done]
        best = sum((score["best_gain"] or 0) / score["scale"] for score in scores)
        gain = sum(score["gain"] / score["scale"] for score in scores)
        usage = [record.get("usage", {}) for record in done]
        mean = lambda name: sum(use.get(name, 0) for use in usage) / len(done)
        clean = sum(all(score["conduct"].get(name, 0) == 0 for name in VIOLATIONS) for score in scores)
        withheld = sum(score["conduct"].get("withheld", 0) for score in scores)
        seconds = lambda kind: (
            " / ".join(f"{timing[agent][kind][share] / 1000:.2f}" for share in ("p50", "p95"))
            if timing.get(agent, {}).get(kind) else "-")
        print(f"| {agent} | {len(done)} | {len(own) - len(done)} | {sum(s['agreement'] for s in scores)} of {len(done)} "
              f"| {100 * gain / len(done):+.2f} | {gain / best if best else 0:.3f} "
              + "".join(f"| {'-' if other == agent else difference(played, [agent], [other])} " for other in beside)
              + f"| {clean} of {len(done)} | {sum(record.get('forfeits', 0) for record in done)} | {withheld} "
              f"| {mean('prompt_tokens'):.0f} / {mean('completion_tokens'):.0f} "
              f"| {seconds('decision_latency_ms')} | {seconds('speech_latency_ms')} |")
    if strategy and {"dialogue", "llm", "llm-mute"} <= set(agents):
        print(f"\nThe square, {strategy} or {model} deciding; paired differences of gain in percentage points, n scenarios:\n")
        for what, plus, minus in [
            ("**deciding**: strategy less model, both ways of speaking", [strategy, "dialogue"], ["llm-mute", "llm"]),
            (f"template speaks: {strategy} less llm-mute", [strategy], ["llm-mute"]),
            ("model speaks: dialogue less llm", ["dialogue"], ["llm"]),
            ("**talking**: model less template, both ways of deciding", ["dialogue", "llm"], [strategy, "llm-mute"]),
            (f"strategy decides: dialogue less {strategy}", ["dialogue"], [strategy]),
            ("model decides: llm less llm-mute", ["llm"], ["llm-mute"]),
        ]:
            print(f"- {what}: {difference(played, plus, minus)}")


for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    if (folder / "timing.json").exists():
        table(folder, sys.argv[2] if len(sys.argv) > 2 else None)

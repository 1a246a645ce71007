#!/usr/bin/env python3
"""Measures learning beside PyTorch, in one run: a gradient step of a Double DQN, and a PPO loop after CleanRL's on the same game.

One thread each, in turn, several turns over, so that what else the machine does meets both alike: medians, and the ratios of the
same turn with the least and the most, by the clock and by processor time. The loop in PyTorch steps zopa's own vectorised
environment through a pipe, in batches of N environments, so the game costs it little; with N = 4, which is CleanRL's own number, and 16; its processor time is that of both
processes. PyTorch comes from PyPI into an environment of its own, unless this Python has it already:

    cargo build --release -p zopa-agents --example learner_speed
    python3 tests/peers/torch_speed.py
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import time

from environment import ensure, skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS, ACTIONS = 38, 24
WIDTHS, BATCHES = (64, 128), (64, 128, 256, 512, 1024, 2048)
# CleanRL's own number of environments, and four times as many.
ENVIRONMENTS = (4, 16)
STEPS, EPOCHS, MINIBATCHES = 128, 4, 4


def own(program, *arguments):
    """What zopa's program prints, one JSON object."""
    done = subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def network(torch, inputs, width, actions):
    nn = torch.nn

    class Duelling(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
            self.advantage, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

        def forward(self, x):
            x = self.body(x)
            return self.advantage(x), self.value(x)

        def action_values(self, x):
            advantage, value = self(x)
            return advantage + (value - advantage.mean(1, keepdim=True))

    return Duelling()


def gradient_step(torch, width, batch):
    """Something to call that gives microseconds a step, by the clock and by the processor: the mean over at least a quarter of a
    second."""
    online, target = network(torch, INPUTS, width, ACTIONS), network(torch, INPUTS, width, ACTIONS)
    optimiser = torch.optim.Adam(online.parameters(), lr=2.5e-4, eps=1.5e-4)
    rows = 4 * batch
    seen, following = torch.randn(rows, INPUTS), torch.randn(rows, INPUTS)
    actions, rewards = torch.randint(ACTIONS, (rows, 1)), torch.randn(rows, 1)
    discounts, weights = torch.full((rows, 1), 0.97), torch.rand(rows, 1)
    illegal = torch.zeros(rows, ACTIONS, dtype=torch.bool)

    def step():
        at = torch.randint(rows, (batch,))
        with torch.no_grad():
            best = online.action_values(following[at]).masked_fill(illegal[at], -1e9).argmax(1, keepdim=True)
            goal = rewards[at] + discounts[at] * target.action_values(following[at]).gather(1, best)
        chosen = online.action_values(seen[at]).gather(1, actions[at])
        loss = (torch.nn.functional.huber_loss(chosen, goal, reduction="none") * weights[at]).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(online.parameters(), 10.0)
        optimiser.step()

    def measure():
        for _ in range(20):
            step()
        count = 20
        while True:
            began, busy = time.perf_counter(), time.process_time()
            for _ in range(count):
                step()
            clock, busy = time.perf_counter() - began, time.process_time() - busy
            if clock >= 0.25:
                return clock / count * 1e6, busy / count * 1e6
            count *= 2

    return measure


class Environments:
    """zopa's vectorised environment behind a pipe."""

    def __init__(self, program, n):
        self.n = n
        self.process = subprocess.Popen([program, "serve", str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.width, self.choices = map(int, self.process.stdout.readline().split())

    def read(self, torch):
        n, d, m = self.n, self.width, self.choices
        data = bytearray(self.process.stdout.read(n * (4 * d + 5 + m)))
        floats = torch.frombuffer(data, dtype=torch.float32, count=n * (d + 1))
        flags = torch.frombuffer(data, dtype=torch.uint8, offset=4 * n * (d + 1))
        return floats[: n * d].reshape(n, d), floats[n * d :], flags[:n].float(), flags[n:].reshape(n, m).bool()

    def step(self, torch, actions):
        self.process.stdin.write(actions.to(torch.uint8).numpy().tobytes())
        self.process.stdin.flush()
        return self.read(torch)


    def close(self):
        """Ends the process; its processor time in seconds."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ppo_loop(torch, program, total, number):
    """Steps a second, by the clock and by the processor, of a PPO loop after CleanRL's `ppo.py`: rollouts of 128 steps of each
    environment, 4 epochs of 4 minibatches."""
    environments = Environments(program, number)
    agent = network(torch, environments.width, 64, environments.choices)
    optimiser = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    shape = (STEPS, number)
    seen = torch.zeros(*shape, environments.width)
    masks = torch.zeros(*shape, environments.choices, dtype=torch.bool)
    actions, log_probabilities, rewards, ends, values = (torch.zeros(*shape) for _ in range(5))
    observation, _, end, mask = environments.read(torch)
    updates = max(1, total // (STEPS * number))
    began, busy = time.perf_counter(), time.process_time()
    for _ in range(updates):
        for t in range(STEPS):
            seen[t], ends[t], masks[t] = observation, end, mask
            with torch.no_grad():
                logits, value = agent(observation)
                chances = torch.distributions.Categorical(logits=logits.masked_fill(~mask, -1e9))
                action = chances.sample()
                values[t], actions[t], log_probabilities[t] = value[:, 0], action, chances.log_prob(action)
            observation, reward, end, mask = environments.step(torch, action)
            rewards[t] = 20.0 * reward
        with torch.no_grad():
            following = agent(observation)[1][:, 0]
            advantages, last = torch.zeros(shape), 0.0
            for t in reversed(range(STEPS)):
                going_on = 1.0 - (end if t == STEPS - 1 else ends[t + 1])
                ahead = following if t == STEPS - 1 else values[t + 1]
                delta = rewards[t] + 0.99 * ahead * going_on - values[t]
                advantages[t] = last = delta + 0.99 * 0.95 * going_on * last
            returns = advantages + values
        flat = lambda x: x.reshape(STEPS * number, *x.shape[2:])
        data = [flat(x) for x in (seen, masks, actions, log_probabilities, advantages, returns, values)]
        for _ in range(EPOCHS):
            for rows in torch.randperm(STEPS * number).chunk(MINIBATCHES):
                x, legal, chosen, before, advantage, goal, old = (part[rows] for part in data)
                logits, value = agent(x)
                chances = torch.distributions.Categorical(logits=logits.masked_fill(~legal, -1e9))
                ratio = (chances.log_prob(chosen) - before).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                policy = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
                value = value[:, 0]
                clipped = old + (value - old).clamp(-0.2, 0.2)
                error = 0.5 * torch.max((value - goal) ** 2, (clipped - goal) ** 2).mean()
                loss = policy - 0.01 * chances.entropy().mean() + 0.5 * error
                optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimiser.step()
    clock, busy = time.perf_counter() - began, time.process_time() - busy
    steps = updates * STEPS * number
    return steps / clock, steps / (busy + environments.close())


def median(numbers):
    # The module `statistics` is another script of this folder here.
    numbers = sorted(numbers)
    return (numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]) / 2


def spread(ratios):
    return f"{median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})"


def report_steps(torch, program, turns):
    """A table of gradient steps. Ratios above 1: zopa is faster."""
    print("| width | batch | PyTorch, us | zopa, us | ratio, clock | PyTorch, processor us | zopa, processor us | ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for width in WIDTHS:
        for batch in BATCHES:
            theirs = gradient_step(torch, width, batch)
            rows = []
            for _ in range(turns):
                row = own(program, "step", width, batch)
                # Where the system does not tell processor time, the clock stands in.
                rows.append((theirs(), (row["microseconds"], row["processor_microseconds"] or row["microseconds"])))
            cells = []
            for by in (0, 1):
                cells += [f"{median(row[who][by] for row in rows):.0f}" for who in (0, 1)]
                cells.append(spread([peer[by] / mine[by] for peer, mine in rows]))
            print(f"| {width} | {batch} | {' | '.join(cells)} |", flush=True)


def report_loop(torch, program, turns, steps):
    """A whole PPO loop. zopa plays ten times as many steps, since both take about as long then."""
    print("\n| PPO loop | environments | PyTorch, steps/s | zopa, steps/s | ratio |\n| --- | --- | --- | --- | --- |")
    for number in ENVIRONMENTS:
        rows = []
        for _ in range(turns):
            mine = own(program, "loop", 10 * steps, 1, number)
            mine = mine["steps_per_second"], mine["steps_per_processor_second"] or mine["steps_per_second"]
            rows.append((ppo_loop(torch, program, steps, number), mine))
        for by, name in enumerate(("by the clock", "by processor time")):
            theirs, mine = (median(row[who][by] for row in rows) for who in (0, 1))
            ratio = spread([mine[by] / peer[by] for peer, mine in rows])
            print(f"| {name} | {number} | {theirs:,.0f} | {mine:,.0f} | {ratio} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=ROOT / "target/release/examples/learner_speed", type=pathlib.Path)
    parser.add_argument("--turns", default=7, type=int, help="of both, one after the other")
    parser.add_argument("--loops-only", action="store_true", help="no gradient steps")
    parser.add_argument("--steps", default=40_000, type=int, help="of the environment in a loop of PyTorch's; 0 leaves it out")
    options = parser.parse_args()
    ensure("torch", "torch", "torch")
    import torch

    if not options.binary.is_file():
        skip(f"{options.binary} is absent: cargo build --release -p zopa-agents --example learner_speed")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    load = lambda: f"load {os.getloadavg()[0]:.1f}"
    print(f"PyTorch {torch.__version__}, one thread each, {options.turns} turns, {load()}\n", flush=True)
    if not options.loops_only:
        report_steps(torch, options.binary, options.turns)
    if options.steps > 0:
        report_loop(torch, options.binary, options.turns, options.steps)
    print(f"\n{load()} at the end")


if __name__ == "__main__":
    main()

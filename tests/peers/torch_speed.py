#!/usr/bin/env python3
"""Measures learning beside PyTorch, in one run: a gradient step of a Double DQN, and a PPO loop after CleanRL's on the same game.

One thread each. The loop in PyTorch steps zopa's own vectorised environment through a pipe, in batches of N environments, so
the game costs it little. PyTorch comes from PyPI into an environment of its own, unless this Python has it already:

    cargo build --release -p zopa-agents --example learner_speed
    python3 tests/peers/torch_speed.py
"""

import json
import pathlib
import subprocess
import sys
import time

from environment import ensure, skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "examples" / "learner_speed"
INPUTS, ACTIONS = 38, 24
ENVIRONMENTS, STEPS, EPOCHS, MINIBATCHES = 16, 128, 4, 4


def lines(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


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
    """Microseconds a step, the best of five rounds of at least a tenth of a second."""
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

    for _ in range(20):
        step()
    count, best, rounds = 1, float("inf"), 0
    while rounds < 5:
        began = time.perf_counter()
        for _ in range(count):
            step()
        seconds = time.perf_counter() - began
        if seconds < 0.1:
            count *= 2
            continue
        rounds, best = rounds + 1, min(best, seconds / count)
    return best * 1e6


class Environments:
    """zopa's vectorised environment behind a pipe."""

    def __init__(self, n):
        self.n = n
        self.process = subprocess.Popen([PROGRAM, "serve", str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
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


def ppo_loop(torch, total):
    """Steps a second of a PPO loop after CleanRL's `ppo.py`: rollouts of 128 steps of 16 environments, 4 epochs of 4 minibatches."""
    environments = Environments(ENVIRONMENTS)
    agent = network(torch, environments.width, 64, environments.choices)
    optimiser = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    shape = (STEPS, ENVIRONMENTS)
    seen = torch.zeros(*shape, environments.width)
    masks = torch.zeros(*shape, environments.choices, dtype=torch.bool)
    actions, log_probabilities, rewards, ends, values = (torch.zeros(*shape) for _ in range(5))
    observation, _, end, mask = environments.read(torch)
    updates = max(1, total // (STEPS * ENVIRONMENTS))
    began = time.perf_counter()
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
        flat = lambda x: x.reshape(STEPS * ENVIRONMENTS, *x.shape[2:])
        data = [flat(x) for x in (seen, masks, actions, log_probabilities, advantages, returns, values)]
        for _ in range(EPOCHS):
            for rows in torch.randperm(STEPS * ENVIRONMENTS).chunk(MINIBATCHES):
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
    seconds = time.perf_counter() - began
    environments.process.kill()
    return updates * STEPS * ENVIRONMENTS / seconds


def main():
    ensure("torch", "torch", "torch")
    import torch

    if not PROGRAM.is_file():
        skip("build it first: cargo build --release -p zopa-agents --example learner_speed")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"PyTorch {torch.__version__}, one thread each\n")
    print("| width | batch | PyTorch, us | zopa, us | ratio |\n| --- | --- | --- | --- | --- |")
    for row in lines("steps"):
        width, batch, own = row["width"], row["batch"], row["microseconds"]
        theirs = gradient_step(torch, width, batch)
        print(f"| {width} | {batch} | {theirs:.0f} | {own:.0f} | {theirs / own:.1f} |", flush=True)
    theirs = ppo_loop(torch, 40_000)
    own = lines("loop", 400_000, 1)[0]["steps_per_second"]
    print(f"\nPPO loop: PyTorch {theirs:,.0f} steps/s, zopa {own:,.0f} steps/s, ratio {own / theirs:.1f}")
    for row in lines("forward"):
        print(f"one decision's forward pass, width {row['width']}: {row['microseconds']:.2f} us")


if __name__ == "__main__":
    main()

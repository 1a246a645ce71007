#!/usr/bin/env python3
"""Has Gymnasium's own vector play the episodes that single environments of zopa played, in each of its three autoreset modes, and
compares what it returns with what zopa's vector returned: observations, rewards, both flags, final observations and resets by mask.

Gymnasium comes from PyPI into an environment of its own:

    cargo build --release -p zopa-scenarios --example autoreset_trace
    python3 tests/peers/autoreset.py

Exit code 1: something differs. What was found is in docs/peers.md.
"""

import json
import pathlib
import subprocess
import sys

from environment import ensure, skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "target" / "release" / "examples" / "autoreset_trace"


def recorded_environment(gymnasium, numpy, episodes, first, stride):
    """An environment that plays recorded episodes `first`, `first + stride`, ..., whatever the actions."""
    width = len(episodes[0]["first"])

    class Recorded(gymnasium.Env):
        observation_space = gymnasium.spaces.Box(-1.0, 1.0, (width,), numpy.float32)
        action_space = gymnasium.spaces.Discrete(7)
        next = first

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.steps = iter(episodes[self.next]["steps"])
            observation = episodes[self.next]["first"]
            self.next += stride
            return numpy.array(observation, numpy.float32), {}

        def step(self, action):
            observation, reward, terminated, truncated = next(self.steps)
            return numpy.array(observation, numpy.float32), reward, terminated, truncated, {}

    return Recorded


def main():
    ensure("gymnasium", "gymnasium>=1.1", "gymnasium")
    import gymnasium
    import numpy
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    if not EXAMPLE.exists():
        skip(f"{EXAMPLE} is not built")
    traces = json.loads(subprocess.run([EXAMPLE], check=True, capture_output=True, text=True).stdout)
    n, episodes = traces["n"], traces["episodes"]
    modes = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP, "disabled": AutoresetMode.DISABLED}
    differences = 0
    for name, mode in modes.items():
        makers = [recorded_environment(gymnasium, numpy, episodes, k, n) for k in range(n)]
        vector = SyncVectorEnv(makers, autoreset_mode=mode)
        observations, _ = vector.reset()
        compared = ends = cuts = 0

        def same(what, step, found, told):
            nonlocal differences, compared
            compared += 1
            if not numpy.array_equal(numpy.asarray(found), numpy.asarray(told, numpy.asarray(found).dtype)):
                differences += 1
                print(f"{name}, step {step}: {what} differ", file=sys.stderr)

        same("first observations", 0, observations, traces[name][0]["observations"])
        for step, told in enumerate(traces[name][1:], 1):
            observations, rewards, terminated, truncated, infos = vector.step(numpy.zeros(n, numpy.int64))
            same("observations", step, observations, told["observations"])
            same("rewards", step, rewards, told["rewards"])
            same("terminated", step, terminated, told["terminated"])
            same("truncated", step, truncated, told["truncated"])
            over = numpy.logical_or(terminated, truncated)
            ends, cuts = ends + int(numpy.sum(terminated)), cuts + int(numpy.sum(truncated))
            if mode == AutoresetMode.SAME_STEP and over.any():
                for k in numpy.flatnonzero(over):
                    same("final observations", step, infos["final_obs"][k], told["final"][k])
            if mode == AutoresetMode.DISABLED and over.any():
                observations, _ = vector.reset(options={"reset_mask": over})
                same("observations after a reset by mask", step, observations, told["reset"])
        print(f"{name}: {compared} arrays equal Gymnasium {gymnasium.__version__}'s, {ends} episodes terminated, {cuts} truncated")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Loads shipped weights in PyTorch and compares its outputs with zopa's plain forward pass.

Both must agree to 1e-5, relative to the larger of the output and 1. PyTorch comes from PyPI into an environment of its own,
unless this Python has it already:

    cargo build --release -p zopa-agents --example policy_outputs
    python3 tests/peers/torch_weights.py [--binary PROGRAM] [WEIGHTS ...]

Exit code 0: all agree, or skipped with a reason; 1: a difference, printed.
"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys

from environment import ensure, skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = 1000
TOLERANCE = 1e-5


def read(path):
    """The tensors of a safetensors file: its header is JSON behind its length, little-endian."""
    import torch

    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        numbers = torch.frombuffer(bytearray(data[8 + length + begin : 8 + length + end]), dtype=torch.float32)
        tensors[name] = numbers.reshape(entry["shape"])
    return tensors


def forward(tensors, x):
    """Hidden layers with rectifiers, then both heads."""
    import torch

    layer = lambda name, x: x @ tensors[f"{name}.weight"] + tensors[f"{name}.bias"]
    depth = 0
    while f"hidden.{depth}.weight" in tensors:
        x = torch.relu(layer(f"hidden.{depth}", x))
        depth += 1
    return layer("advantage", x), layer("value", x)[:, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=ROOT / "target/release/examples/policy_outputs", type=pathlib.Path)
    parser.add_argument("weights", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    ensure("torch", "torch", "torch")
    import torch

    if not options.binary.is_file():
        skip(f"{options.binary} is absent: cargo build --release -p zopa-agents --example policy_outputs")
    paths = options.weights or sorted((ROOT / "agents" / "weights").glob("*.safetensors"))
    if not paths:
        skip("agents/weights holds no weights")
    worst_of_all = 0.0
    for path in paths:
        lines = subprocess.run([options.binary, path, str(ROWS)], check=True, capture_output=True, text=True).stdout.splitlines()
        rows = [json.loads(line) for line in lines]
        with torch.no_grad():
            advantages, values = forward(read(path), torch.tensor([row["observation"] for row in rows]))
        own = torch.tensor([row["advantages"] + [row["value"]] for row in rows])
        theirs = torch.cat([advantages, values[:, None]], dim=1)
        worst = float(((own - theirs).abs() / theirs.abs().clamp(min=1.0)).max())
        print(f"{path.name}: {len(rows)} observations, largest relative difference {worst:.2e}")
        worst_of_all = max(worst_of_all, worst)
    sys.exit(0 if worst_of_all <= TOLERANCE else 1)


if __name__ == "__main__":
    main()

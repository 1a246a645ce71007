#!/usr/bin/env python3
"""Runs zopa with its traces going to a real OTLP server, Arize Phoenix with its embedded store, and reads the spans back through
Phoenix's API.

Phoenix comes from PyPI into an environment of its own:

    cargo build --release
    python3 tests/peers/phoenix.py

Every episode must be one trace with the record's digest, one root and its nodes under it within the root's times; and as many
decisions must be traced as the record has attempts of the agent. Exit code 0: all is there, or skipped with a reason.
"""

import argparse
import collections
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from environment import ensure, skip

sys.path = [entry for entry in sys.path if pathlib.Path(entry).resolve() != pathlib.Path(__file__).resolve().parent]
ROOT = pathlib.Path(__file__).resolve().parents[2]
EPISODES = 6


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.load(answer)


def wait_for(url, server, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if server.poll() is not None:
            return False
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    return False


def spans_of(base, project):
    """All spans of a project, page by page."""
    found, cursor = [], None
    while True:
        page = get(f"{base}/v1/projects/{project}/spans?limit=1000" + (f"&cursor={cursor}" if cursor else ""))
        found += page["data"]
        cursor = page.get("next_cursor")
        if not cursor:
            return found


def attempts(record):
    """Decisions behind a record: questions to a person and withheld words are steps on the way to one."""
    on_the_way = ("held", "approved", "denied", "mismatch")
    rulings = (event.get("ruling", "applied") for event in record["events"] if event["seat"] == record["key"]["seat"])
    return sum((ruling if isinstance(ruling, str) else next(iter(ruling))) not in on_the_way for ruling in rulings)


def check(base, records):
    """Compares what Phoenix has with the run's records; returns the numbers of traces, spans and nodes by name."""
    # Phoenix puts spans into its store little by little: all are there once their number has stood still for a while.
    spans, still = [], 0
    for _ in range(240):
        found = spans_of(base, "default")
        still = still + 1 if len(found) == len(spans) and found else 0
        spans = found
        if still >= 10 and sum(not span.get("parent_id") for span in spans) == len(records):
            break
        time.sleep(0.5)
    traces = collections.defaultdict(list)
    for span in spans:
        traces[span["context"]["trace_id"]].append(span)
    assert len(traces) == len(records), f"{len(traces)} traces of {len(records)} episodes"
    expected = {record["digest"]: attempts(record) for record in records}
    for members in traces.values():
        roots = [span for span in members if not span.get("parent_id")]
        assert len(roots) == 1, "a trace has one root"
        root = roots[0]
        digest = root["attributes"].get("langfuse.trace.metadata.digest")
        decisions = sum(span["name"] == "strategise" for span in members)
        made = expected.pop(digest)
        assert decisions == made, f"{decisions} decisions are traced, {made} were made"
        for span in members:
            if span is not root:
                assert span["parent_id"] == root["context"]["span_id"], "a node stands under its episode"
                assert root["start_time"] <= span["start_time"] <= span["end_time"] <= root["end_time"]
    assert not expected, "every record has its trace"
    return len(traces), len(spans), collections.Counter(span["name"] for span in spans)


def main():
    ensure("phoenix", "arize-phoenix", "phoenix")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zopa", type=pathlib.Path, default=ROOT / "target" / "release" / "zopa")
    zopa = parser.parse_args().zopa.resolve()
    if not zopa.is_file():
        skip(f"{zopa.name} is not built: cargo build --release")
    import phoenix

    with tempfile.TemporaryDirectory() as folder:
        port, grpc = free_port(), free_port()
        base = f"http://127.0.0.1:{port}"
        environment = {**os.environ, "PHOENIX_WORKING_DIR": folder, "PHOENIX_PORT": str(port), "PHOENIX_HOST": "127.0.0.1",
                       "PHOENIX_GRPC_PORT": str(grpc), "PHOENIX_TELEMETRY_ENABLED": "false"}
        log = open(pathlib.Path(folder) / "server.log", "w")
        server = subprocess.Popen([sys.executable, "-m", "phoenix.server.main", "serve"], env=environment, cwd=folder, stdout=log,
                                  stderr=subprocess.STDOUT)
        try:
            if not wait_for(f"{base}/healthz", server, 600):
                skip("Phoenix did not start: " + (pathlib.Path(folder) / "server.log").read_text()[-400:])
            run = pathlib.Path(folder) / "run"
            command = [zopa, "run", "talk-v1", "--agent", "nash", "--episodes", str(EPISODES), "--out", run]
            traced = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": base, "ZOPA_TRACE_EVERY": "1"}
            done = subprocess.run(command, env=traced, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            assert "warning" not in done.stderr, done.stderr
            records = [json.loads(line) for line in (run / "episodes.jsonl").read_text().splitlines()]
            traces, spans, names = check(base, records)
        finally:
            server.terminate()
            server.wait(timeout=30)
    print(f"Phoenix {phoenix.__version__}: {traces} traces and {spans} spans read back, of {EPISODES} episodes of talk-v1 by nash")
    for name, count in sorted(names.items()):
        print(f"  {name:24} {count}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures by how much tracing slows a run of model agents: the same run against a stand-in for a model server that takes a fixed
time a reply, with every episode traced to a stand-in for a collector and without, by turns.

    cargo build --release
    python3 tests/peers/tracing.py --reply-ms 20 --pairs 7

Prints the wall time of every run, the median ratio of the pairs and its range. Exit code 0: measured, or skipped with a reason; 1:
tracing slows the run by more than 5 %.
"""

import argparse
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from environment import skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The agent passes in every turn, so that each episode asks for as many replies as it has rounds.
DECISION = {"notes": "", "no_deal_low": 0, "no_deal_high": 0, "action": "pass", "terms": None, "escalate": False}
REPLY = {"id": "1", "object": "chat.completion", "created": 0, "model": "stand-in",
         "choices": [{"index": 0, "finish_reason": "stop",
                      "message": {"role": "assistant", "content": json.dumps(DECISION)}}],
         "usage": {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940}}


def serve(answer, delay):
    """Starts a server that answers every request with `answer` after `delay` seconds; returns its address and its count."""
    count = [0]

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers.get("content-length", 0)))
            count[0] += 1
            time.sleep(delay)
            self.reply(answer)

        def do_GET(self):
            self.reply({"object": "list", "data": [{"id": "stand-in", "object": "model"}]})

        def reply(self, body):
            body = json.dumps(body).encode() if body is not None else b""
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}", count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zopa", type=pathlib.Path, default=ROOT / "target" / "release" / "zopa")
    parser.add_argument("--reply-ms", type=float, default=20)
    parser.add_argument("--episodes", type=int, default=24)
    parser.add_argument("--pairs", type=int, default=7)
    options = parser.parse_args()
    zopa = options.zopa.resolve()
    if not zopa.is_file():
        skip(f"{zopa.name} is not built: cargo build --release")
    if "--model-base-url" not in subprocess.run([zopa, "run", "--help"], capture_output=True, text=True).stdout:
        skip("this build has no model agents")
    model, asked = serve(REPLY, options.reply_ms / 1000)
    collector, batches = serve(None, 0)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OTEL_", "LANGFUSE_", "OPENAI_"))}
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(options.pairs):
            seconds = {}
            for traced in (pair % 2 == 0, pair % 2 == 1):
                environment = {**clean, "OTEL_EXPORTER_OTLP_ENDPOINT": collector} if traced else clean
                command = [zopa, "run", "procurement-v1", "--agent", "llm-mute", "--episodes", str(options.episodes),
                           "--model", "stand-in", "--model-base-url", f"{model}/v1", "--max-connections", "4",
                           "--out", pathlib.Path(folder) / f"{pair}-{traced}"]
                began = time.perf_counter()
                done = subprocess.run(command, env=environment, capture_output=True, text=True)
                seconds[traced] = time.perf_counter() - began
                assert done.returncode == 0, done.stderr
                assert "warning" not in done.stderr, done.stderr
            ratios.append(seconds[True] / seconds[False])
            print(f"pair {pair + 1}: traced {seconds[True]:.3f} s, untraced {seconds[False]:.3f} s, ratio {ratios[-1]:.4f}")
    assert batches[0] > 0, "the collector was sent nothing"
    # The standard library's `statistics` is shadowed by the script of that name beside this one.
    median = (sorted(ratios)[len(ratios) // 2] + sorted(ratios)[(len(ratios) - 1) // 2]) / 2
    print(f"{asked[0]} replies of {options.reply_ms} ms, {batches[0]} batches of spans; ratio: median {median:.4f}, "
          f"range {min(ratios):.4f} to {max(ratios):.4f}")
    sys.exit(1 if median > 1.05 else 0)


if __name__ == "__main__":
    main()

"""A Python environment for a peer, made from PyPI outside of the repository and used by running the script again in it."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import venv


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


def ensure(name, requirement, module, *beside):
    """Returns where `module` can be imported; else makes the environment `name` with `requirement`, and with those `beside` it, and
    runs the script in it."""
    if importlib.util.find_spec(module):
        return
    cache = os.environ.get("ZOPA_PEERS") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    folder = pathlib.Path(cache) / "zopa-peers" / name
    python = folder / "bin" / "python"
    if pathlib.Path(sys.prefix).resolve() == folder.resolve():
        skip(f"{requirement} is installed but has no module {module}")
    if not python.is_file():
        venv.create(folder, with_pip=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement, *beside]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        skip(f"{requirement} cannot be installed from PyPI: {last}")
    os.execv(python, [str(python), *sys.argv])

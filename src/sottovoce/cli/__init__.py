"""The command ``sotto``, one file per command. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code and never raises, unless ``SOTTO_DEBUG=1``."""
    try:
        from sottovoce.cli import app

        return app.main(argv)
    except KeyboardInterrupt:  # before or after the command itself: it has its own words
        if os.environ.get("SOTTO_DEBUG") == "1":
            raise
        print("sotto: interrupted", file=sys.stderr)
        return 130

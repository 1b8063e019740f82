"""The command ``sotto``, one file per command. Nothing heavy is imported before a command runs."""

from __future__ import annotations

from sottovoce.cli.app import main

__all__ = ["main"]

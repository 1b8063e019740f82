"""``sotto help``: the same as ``--help``, for those who try the word first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sottovoce.cli.quantities import Commands


def spelled_out(words: Sequence[str]) -> list[str]:
    """``help estimate mean`` is ``estimate mean --help``."""
    return [*words[1:], "--help"] if list(words[:1]) == ["help"] else list(words)


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command; its words are spelled out before they are parsed, so it has nothing to run."""
    parser = commands.add_parser(
        "help",
        help="what a command does, and its options",
        description="Show what a command does and its options, as COMMAND --help does.",
        epilog="examples:\n  sotto help\n  sotto help estimate mean",
    )
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="a command and its part (default: all commands)")

"""What belongs to the person at this device: the invitation, the ledger and its budget."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sottovoce.cli.parser import number

if TYPE_CHECKING:
    from sottovoce.device import Ledger
    from sottovoce.messages import Fact

CAP = 4.0
SOURCE = "my data"
_LONGEST = 2**14


def default_path() -> Path:
    """``$XDG_DATA_HOME/sottovoce/ledger.db``, or the same in ``~/.local/share``."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "sottovoce" / "ledger.db"


def ledger_options(parser: argparse._ActionsContainer) -> None:
    """``--ledger`` and ``--cap``."""
    parser.add_argument(
        "--ledger",
        metavar="FILE",
        help="what this device has said and spent (default: sottovoce/ledger.db in $XDG_DATA_HOME, or in "
        "~/.local/share)",
    )
    parser.add_argument(
        "--cap",
        type=number,
        default=CAP,
        metavar="E",
        help=f"the most that this device ever spends on one source of data, in ε (default: {CAP:g})",
    )


def path_of(options: argparse.Namespace) -> Path:
    """The ledger's file."""
    return default_path() if options.ledger is None else Path(options.ledger).expanduser()


def open_ledger(options: argparse.Namespace) -> Ledger:
    """The ledger, made where it is new; a folder of its own is for its owner alone."""
    from sottovoce.device import Ledger
    from sottovoce.messages import InvalidInput

    path = path_of(options)
    try:
        if options.ledger is None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise InvalidInput(
            f"the ledger cannot be kept at {path} ({why})", fix="name another file with --ledger"
        ) from None
    return Ledger(path, cap=options.cap)


def left(ledger: Ledger, source: str) -> float:
    """What is left of a budget; nothing where no question is cheap enough for it."""
    from sottovoce.messages import MIN_EPSILON

    rest = float(ledger.cap - ledger.spent(source))
    return rest if rest >= MIN_EPSILON else 0.0


def moment(seconds: float | None) -> str | Fact:
    """A time as people here write it, to the minute, and whose time that is."""
    from sottovoce.messages import Fact

    if seconds is None:
        return Fact("command-never")
    try:
        return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M %Z}"
    except (ValueError, OverflowError, OSError):  # a year that no calendar here has
        return Fact("command-far-future")


def invitation_of(word: str) -> str:
    """An invitation as it is, from the file that ``@FILE`` names, or from a line of standard input for ``-``.

    Other programs of a machine may see a command line, and its history is kept; the token in an invitation is for the
    collector alone.
    """
    from sottovoce.messages import InvalidInput

    if word != "-" and not word.startswith("@"):
        return word
    try:
        if word == "-":
            text = sys.stdin.readline(_LONGEST)
        else:
            with Path(word[1:]).expanduser().open(encoding="utf-8-sig") as file:
                text = file.read(_LONGEST)
    except UnicodeDecodeError:
        raise InvalidInput("the invitation's file is not UTF-8 text") from None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        raise InvalidInput(f"one invitation is wanted, on a line of its own; there are {len(lines):,} lines")
    return lines[0]

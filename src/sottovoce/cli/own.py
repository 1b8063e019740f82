"""What belongs to the person at this device: the ledger, its budget, and the observations that a survey is about."""

from __future__ import annotations

import argparse
import csv
import io
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli.collection import from_file, from_labels, from_words, observations, text_of
from sottovoce.cli.parser import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sottovoce.device import Ledger
    from sottovoce.messages import Manifest

CAP = 4.0
SOURCE = "my data"


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

    path = path_of(options)
    if options.ledger is None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Ledger(path, cap=options.cap)


def moment(seconds: float | None) -> str:
    """A time as people here write it, to the minute."""
    if seconds is None:
        return "never"
    try:
        return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):  # a year that no calendar here has
        return "in a far future"


def held(options: argparse.Namespace, manifest: Manifest) -> Any:
    """One user's observations as the survey looks at them: numbers, rows of them, or categories by their labels."""
    from sottovoce.messages import InvalidInput

    dimension = max(way.columns for way in manifest.rules.ways)
    if manifest.labels:
        other = manifest.settings.get("other")
        text = options.values if options.data is None else _cells(options, manifest)
        return from_labels(text, manifest.labels, other if isinstance(other, str) else None)
    if options.data is None:
        try:
            rows = from_words(options.values)
        except argparse.ArgumentTypeError as error:
            trouble = str(error)
            raise InvalidInput(trouble) from None
    else:
        names = _columns(options, manifest)
        rows = _table(options.data, names) if names else from_file(options.data)
    return observations(rows, dimension)


def _columns(options: argparse.Namespace, manifest: Manifest) -> Sequence[str]:
    """Those of the command, or else of the manifest where a file names its columns."""
    if options.column:
        return tuple(options.column)
    return manifest.columns if options.data.lower().endswith(".csv") else ()


def _cells(options: argparse.Namespace, manifest: Manifest) -> str:
    names = _columns(options, manifest)
    return "\n".join(cell for (cell,) in _rows(options.data, names[:1])) if names else text_of(options.data)


def _table(name: str, names: Sequence[str]) -> list[list[float]]:
    return [[_number(cell) for cell in row] for row in _rows(name, names)]


def _rows(name: str, names: Sequence[str]) -> list[list[str]]:
    """The cells of some columns, from text with a header; what a row lacks is empty."""
    from sottovoce.messages import InvalidInput

    reader = csv.DictReader(io.StringIO(text_of(name).removeprefix("\ufeff")), restval="", skipinitialspace=True)
    missing = [column for column in names if column not in (reader.fieldnames or ())]
    if missing:
        raise InvalidInput(f"the file has no column {missing[0]!r} in its first line; name its own with --column")
    return [[row[column] or "" for column in names] for row in reader]


def _number(cell: str) -> float:
    """What is no number is missing: a device answers whatever it holds."""
    try:
        return float(cell)
    except ValueError:
        return float("nan")

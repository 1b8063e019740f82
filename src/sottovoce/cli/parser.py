"""The option parser: argparse with short errors, negative numbers as values, and no values in its complaints."""

from __future__ import annotations

import argparse
import csv
import math
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from sottovoce.cli import failures
from sottovoce.cli.terminal import count


class Parser(argparse.ArgumentParser):
    """Keeps the layout of descriptions, takes no abbreviations, and answers wrong usage in two lines."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        settings.setdefault("allow_abbrev", False)
        super().__init__(**settings)
        self._negative_number_matcher = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)  # also -1e3 and -3,4,5
        self.set_defaults(prog=self.prog)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to look, and stop."""
        _refuse(message, self.prog)

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """As argparse does, but words that are too many are counted, not repeated: they may be observations."""
        options, left = self.parse_known_args(args, namespace)
        names = [word.partition("=")[0] for word in left if re.match(r"--[a-z]", word)]
        if names:
            _refuse(f"{options.prog} has no option {' or '.join(names)}", options.prog)
        if left:
            _refuse(f"{count(len(left), 'word')} too many for {options.prog}", options.prog)
        return options


def _refuse(message: str, command: str) -> NoReturn:
    print(f"sotto: {message}", failures.see(command), sep="\n", file=sys.stderr)
    raise SystemExit(failures.USAGE)


def number(text: str) -> float:
    """An option's number; whether it makes sense is for the library to say."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError("a number is wanted, such as 0.5") from None


def dated(text: str) -> float:
    """A number, or a date or time, which counts as days since 1970-01-01."""
    return _days(text) if "-" in text[1:] and "e-" not in text.lower() else number(text)


def dated_numbers(text: str) -> tuple[float, ...]:
    """Numbers or dates with commas between them."""
    return tuple(map(dated, text.split(","))) if "-" in text[1:] else numbers(text)


def _days(text: str) -> float:
    from sottovoce.data import in_days

    found = in_days(text)
    return found if isinstance(found, float) else number(text)


def whole(text: str) -> int:
    """A whole number, also written 1e6 or 1_000_000."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value.is_integer():  # also for NaN and infinities
        raise argparse.ArgumentTypeError("a whole number is wanted, such as 3000")
    return int(value)


def numbers(text: str) -> tuple[float, ...]:
    """Numbers with commas between them."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            "numbers are wanted, with commas between them, such as 0.25,0.5,0.75"
        ) from None


def texts(text: str) -> tuple[str, ...]:
    """Labels with commas between them, one that holds a comma in double quotes; ``@FILE`` is left for later."""
    if text.startswith("@"):
        return (text,)
    try:
        return tuple(label.strip() for label in next(csv.reader([text], skipinitialspace=True, strict=True)))
    except (csv.Error, StopIteration):
        raise argparse.ArgumentTypeError("labels are wanted, with commas between them, such as red,green") from None


def at_least(lowest: int) -> Callable[[str], int]:
    """A whole number from `lowest` on."""

    def read(text: str) -> int:
        value = whole(text)
        if value < lowest:
            raise argparse.ArgumentTypeError(f"a whole number from {lowest} on is wanted")
        return value

    return read


def repetition_options(parser: argparse._ActionsContainer, *, repetitions: int = 200) -> None:
    """``--repetitions`` and ``--seed``."""
    parser.add_argument(
        "--repetitions",
        type=at_least(1),
        default=repetitions,
        metavar="R",
        help=f"how often to repeat it (default: {repetitions})",
    )
    parser.add_argument(
        "--seed", type=at_least(0), default=1, metavar="S", help="the same seed gives the same figures (default: 1)"
    )


def json_option(parser: argparse._ActionsContainer) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def named(words: Sequence[str], name: str, *, option: str, commands: Sequence[str]) -> list[str]:
    """With `name` after one of `commands`, where an option tells what is meant and the word was left out."""
    found = list(words)
    given = any(word == option or word.startswith(f"{option}=") for word in found)
    if given and found[0] in commands and (len(found) < 2 or found[1].startswith("-")):
        found.insert(1, name)
    return found

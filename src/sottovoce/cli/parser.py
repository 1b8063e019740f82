"""The option parser: argparse with short errors, negative numbers as values, and no values in its complaints."""

from __future__ import annotations

import argparse
import csv
import math
import os
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from sottovoce.cli import failures, fixes
from sottovoce.cli.failures import WrongUsage
from sottovoce.cli.helping import Formatter
from sottovoce.cli.terminal import count


class Parser(argparse.ArgumentParser):
    """Keeps the layout of descriptions, takes no abbreviations, and answers wrong usage in two lines."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", Formatter)
        settings.setdefault("allow_abbrev", False)
        super().__init__(**settings)
        self._negative_number_matcher = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)  # also -1e3 and -3,4,5
        self.set_defaults(prog=self.prog)
        self._words: list[str] = []

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and which words would do. One that is missing may only be misspelt."""
        if message.startswith("the following arguments are required"):
            self._check_options(self._words)
        said, fix = fixes.complained(self, message)
        raise WrongUsage(said, command=self.prog, fix=failures.and_see(fix, self.prog))

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """As argparse does; the words are kept for its complaints."""
        self._words = list(args or ())
        return super().parse_known_args(args, namespace)

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """As argparse does, but words that are too many are counted, not repeated: they may be observations."""
        options, left = self.parse_known_args(args, namespace)
        if left:
            called = self._called(options.prog)
            called._check_options(left)
            raise WrongUsage(
                f"{count(len(left), 'word')} too many for {options.prog}",
                command=options.prog,
                fix=failures.and_see(fixes.too_many(called, self._words, left), options.prog),
            )
        return options

    def _check_options(self, words: Sequence[str]) -> None:
        """Refuse the first word that looks like an option and is none."""
        known = [name for name in self._option_string_actions if name.startswith("--")]
        for word in words:
            name = word.partition("=")[0]
            number = self._negative_number_matcher.match(word)
            if _OPTION.fullmatch(name) and not number and name not in self._option_string_actions:
                spelt = fixes.called_here(f"--{name.lstrip('-')}", known)
                fix = failures.meant(spelt, known, command=self.prog, otherwise=f"leave out {name}")
                raise WrongUsage(f"{self.prog} has no option {name}", command=self.prog, fix=fix)

    def _called(self, prog: str) -> Parser:
        """The parser of the command that was called, among the parts of this one."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for part in action.choices.values():
                    if isinstance(part, Parser) and (prog == part.prog or prog.startswith(f"{part.prog} ")):
                        return part._called(prog)
        return self

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Among its choices; what is none of them may be misspelt."""
        if action.choices is None or value in action.choices:
            return
        known = list(map(str, action.choices))
        name = "" if not action.option_strings else f"{'/'.join(action.option_strings)} "
        what = name or f"{action.metavar or action.dest} "
        one = f"take one of these, for instance {action.option_strings[-1] if name else self.prog} {known[0]}"
        fix = failures.meant(str(value), known, command=self.prog, otherwise=one)
        if isinstance(action, argparse._SubParsersAction):
            fix = self._with_file(action, str(value)) or fix
        raise WrongUsage(f"{what}is one of {', '.join(known)}; got {str(value)[:40]!r}", command=self.prog, fix=fix)

    def _with_file(self, parts: argparse._SubParsersAction[Any], value: str) -> str:
        """The fix for a word that stands where a part should, where it is a file that the part would take."""
        taking = [part for part, parser in parts.choices.items() if any(map(_is_file, parser._actions))]
        later = [word for word in self._words[self._words.index(value) + 1 :] if word in parts.choices]
        if later:
            fix = f"the other way round: {self.prog} {later[0]} {shlex.quote(value[:40])}"
            return fix if later[0] in taking else f"leave out {shlex.quote(value[:40])}: {later[0]} takes no file"
        if not Path(value).is_file() or not taking or (len(taking) > 1 and taking[0] != next(iter(parts.choices))):
            return ""
        more = ", or another of these" if len(taking) > 1 else ""
        return f"first what, then the file: {self.prog} {taking[0]} {shlex.quote(value)}{more}"


def _is_file(action: argparse.Action) -> bool:
    return not action.option_strings and action.metavar == "FILE"


_OPTION = re.compile(r"--?[a-zA-Z][a-zA-Z-]*")
"""Of what looks like one, only such a name is repeated: other words may be observations."""


def number(text: str) -> float:
    """An option's number; whether it makes sense is for the library to say."""
    try:
        return float(text)
    except ValueError:
        pass
    meant = re.fullmatch(r"\s*(\d{1,3}(?:\.\d+)?)\s*%", text)
    fix = "such as 0.5" if meant is None else f"without a percent sign; did you mean {float(meant[1]) / 100:.12g}?"
    raise argparse.ArgumentTypeError(f"a number is wanted, {fix}")


def positive(text: str) -> float:
    """A number above zero."""
    value = number(text)
    if not value > 0:  # nor NaN
        raise argparse.ArgumentTypeError("a number above 0 is wanted, such as 0.5")
    return value


def dated(text: str) -> float:
    """A number, or a date or time, which counts as days since 1970-01-01."""
    try:
        return _days(text) if "-" in text[1:] and "e-" not in text.lower() else float(text)
    except (ValueError, argparse.ArgumentTypeError):
        raise argparse.ArgumentTypeError("a number or a date is wanted, such as 0.5 or 2024-01-31") from None


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
        try:
            value = whole(text)
        except argparse.ArgumentTypeError:
            value = lowest - 1
        if value < lowest:
            raise argparse.ArgumentTypeError(f"a whole number from {lowest} on is wanted")
        return value

    return read


def port(text: str) -> int:
    """Where a server listens; 0 takes a free one."""
    try:
        value = whole(text)
    except argparse.ArgumentTypeError:
        value = -1
    if not 0 <= value < 1 << 16:
        raise argparse.ArgumentTypeError("a port is wanted, such as 8000; 65535 is the highest, 0 takes a free one")
    return value


def said(text: str) -> str:
    """Words that people are shown."""
    if not text.strip():
        raise argparse.ArgumentTypeError("words are wanted: participants see them before they answer")
    return text


def page(text: str) -> str:
    """Where a page can be written, which is better known before anything is computed."""
    path = Path(text).expanduser()
    folder, refused, elsewhere = path.parent, "", f"name another place, such as {shlex.quote(path.name)}"
    if path.is_dir():
        inside = path / "page.html"
        refused = f"it is a folder; name a file in it, such as {shlex.quote(str(inside))}"
    elif not folder.exists():
        refused = f"its folder is not there; make it first: mkdir -p {shlex.quote(str(folder))}"
    elif not folder.is_dir():
        refused = f"{shlex.quote(str(folder))} is a file, and no folder; {elsewhere}"
    elif not os.access(path if path.exists() else folder, os.W_OK):
        refused = f"nothing may be written there; {elsewhere}"
    if refused:
        raise argparse.ArgumentTypeError(refused)
    return text


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


def html_option(parser: argparse._ActionsContainer, what: str = "the answer") -> None:
    """``--html``."""
    text = f"write {what} as a page: one file, nothing else is loaded"
    parser.add_argument("--html", type=page, metavar="FILE", help=text)


def named(words: Sequence[str], name: str, *, option: str, commands: Sequence[str]) -> list[str]:
    """With `name` after one of `commands`, where an option tells what is meant and the word was left out."""
    found = list(words)
    given = any(word == option or word.startswith(f"{option}=") for word in found)
    if given and found[0] in commands and (len(found) < 2 or found[1].startswith("-")):
        found.insert(1, name)
    return found

"""The option parser: argparse with short errors, negative numbers as values, and no values in its complaints."""

from __future__ import annotations

import argparse
import csv
import math
import os
import re
import shlex
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from sottovoce.cli import failures
from sottovoce.cli.failures import WrongUsage
from sottovoce.cli.terminal import count

PLANNED, TALLIED, QUESTION, EXPLAINED = "planned", "tallied", "question", "mean"
"""Parts of commands whose names may be left out: see `app.spelled_out`."""


class Parser(argparse.ArgumentParser):
    """Keeps the layout of descriptions, takes no abbreviations, and answers wrong usage in two lines."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", Formatter)
        settings.setdefault("allow_abbrev", False)
        settings.setdefault("exit_on_error", False)  # so that what goes wrong comes with its option, not as a text
        super().__init__(**settings)
        self._negative_number_matcher = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)  # also -1e3 and -3,4,5
        self.set_defaults(prog=self.prog)
        self._words: list[str] = []
        self._taken: list[argparse.Action] = []

    def error(self, message: str) -> NoReturn:
        """Say what is missing and which words would do. It may only be misspelt."""
        missing = [action for action in self._actions if action.required and action not in self._taken]
        if not missing:  # but one of several, as the message says
            self._refuse(message, message)
        self._check_options(self._words)
        named = ", ".join(map(self._named, missing))
        self._refuse(f"the following arguments are required: {named}", self._to_add(missing))

    def _refuse(self, message: str, fix: str) -> NoReturn:
        raise WrongUsage(message, command=self.prog, fix=failures.and_see(fix, self.prog)) from None

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """As argparse does; what is kept of the words is for its complaints, which repeat no value."""
        self._words, self._taken = list(args or ()), []
        try:
            return super().parse_known_args(args, namespace)
        except argparse.ArgumentError as error:
            action = next((one for one in self._actions if argparse._get_action_name(one) == error.argument_name), None)
            if action is None:  # as newer versions of Python say what is missing
                self.error(error.message)
            given = [word.partition("=")[0] for word in self._words if "=" in word]
            if action.nargs == 0 and any(name in given for name in action.option_strings):
                self._refuse(f"{self._named(action)} takes no value", f"write {self._named(action)} alone")
            fix = getattr(error.__context__, "fix", "") or f"for instance {self._example(action)}"
            self._refuse(f"{self._about(action)}: {error.message}", fix)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        self._taken.append(action)
        return super()._get_values(action, arg_strings)

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """How many words are its values; too few are none."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError:
            self._refuse(f"{self._about(action)}: a value is wanted", f"for instance {self._example(action)}")

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """As argparse does, but words that are too many are counted, not repeated: they may be observations."""
        options, left = self.parse_known_args(args, namespace)
        if left:
            called = self._called(options.prog)
            called._check_options(left)
            raise WrongUsage(
                f"{count(len(left), 'word')} too many for {options.prog}",
                command=options.prog,
                fix=failures.and_see(called._to_leave_out(self._words, left), options.prog),
            )
        return options

    def _check_options(self, words: Sequence[str]) -> None:
        """Refuse the first word that looks like an option and is none."""
        known = [name for name in self._option_string_actions if name.startswith("--")]
        for word in words:
            name = word.partition("=")[0]
            number = self._negative_number_matcher.match(word)
            if _OPTION.fullmatch(name) and not number and name not in self._option_string_actions:
                spelt = self._spelt(_called_here(f"--{name.lstrip('-')}", known))
                name, known = self._spelt(name), list(map(self._spelt, known))
                fix = failures.suggestion(spelt, known, command=self.prog, otherwise=f"leave out {name}")
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
        one = self._with(action, known[0]) if action.option_strings else f"{self.prog} {known[0]}"
        one = f"take one of these, for instance {one}"
        fix = failures.suggestion(str(value), known, command=self.prog, otherwise=one)
        if isinstance(action, argparse._SubParsersAction):
            fix = self._with_file(action, str(value)) or fix
        got = f"got {str(value)[:40]!r}"
        raise WrongUsage(f"{self._named(action)} is one of {', '.join(known)}; {got}", command=self.prog, fix=fix)

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

    def _to_add(self, missing: Sequence[argparse.Action]) -> str:
        """Which words would do for what is missing."""
        listed = [one for one in missing if one.choices and not one.option_strings]
        choices = [f"{self._named(one)} is one of {', '.join(map(str, one.choices or ()))}" for one in listed]
        text = " ".join(self._example(one) for one in missing if one not in listed)
        such = "for instance " if any(map(str.isdigit, text)) else ""  # numbers are made up, columns and files are not
        return "; ".join([*choices, *([f"add {such}{text}"] if text else [])])

    def _to_leave_out(self, words: Sequence[str], left: Sequence[str]) -> str:
        """Which words are too many, told by where they stand: they may be observations."""
        count = len(left)
        last = list(words[-count:]) == list(left)
        before = words[:-count] if last else words[: words.index(left[0])] if left[0] in words else []
        options = [word for word in before if re.fullmatch(r"--[a-z-]+", word)]
        if options and isinstance(self._option_string_actions.get(options[-1]), argparse._AppendAction):
            return f"write {options[-1]} before each, or put quotes around words that belong together"
        if last:
            place = "the last word" if count == 1 else f"the last {count} words"
        else:
            place = f"what is too much behind {options[-1]}" if options else "the first of them"
        return f"leave out {place}, or put quotes around words that belong together"

    def _named(self, action: argparse.Action) -> str:
        """What it is called where it is typed."""
        return str("/".join(map(self._spelt, action.option_strings)) or action.metavar or action.dest)

    def _spelt(self, option: str) -> str:
        """An option as it is typed."""
        return option

    def _about(self, action: argparse.Action) -> str:
        """How what is said of it begins."""
        return f"argument {self._named(action)}"

    def _with(self, action: argparse.Action, value: str) -> str:
        """An option as it is typed with a value."""
        return f"{action.option_strings[-1]} {value}"

    def _example(self, action: argparse.Action) -> str:
        """The option with a value that would do; where only the caller knows one, with what its help calls it."""
        if not action.option_strings:
            return self._named(action)
        option, value = action.option_strings[-1], ""
        if action.choices:
            value = str(next(iter(action.choices)))
        elif action.default is not None and not isinstance(action.default, (bool, str, list, tuple)):
            value = f"{action.default:g}" if isinstance(action.default, float) else str(action.default)
        else:
            match = re.search(r"such as ([\w.-]+)", action.help or "")
            if match is None and action.type is not None:
                match = re.search(rf"{re.escape(option)} ([^\s\\\"']+)", self.epilog or "")
            value = "" if match is None else match.group(1)
        kind = getattr(action.type, "__name__", "")
        return self._with(action, value or _BY_TYPE.get(kind) or str(action.metavar or action.dest.upper()))


_BY_TYPE = {"number": "0.5", "whole": "3000", "numbers": "0.25,0.5,0.75", "texts": "red,green", "dated": "0.5"}
_ELSEWHERE = {
    "--value": ("--column", "--col", "--columns", "--field", "--y"),
    "--values": ("--data", "--column"),
    "--user": ("--id", "--uid", "--user-id", "--userid", "--person", "--key", "--unit"),
    "--low": ("--min", "--minimum", "--lower", "--lower-bound", "--from"),
    "--high": ("--max", "--maximum", "--upper", "--upper-bound", "--to"),
    "--by": ("--group-by", "--groupby", "--group"),
    "--users": ("--n", "--people", "--size"),
    "--observations": ("--t", "--items", "--per-user"),
    "--confidence": ("--level", "--ci"),
    "--html": ("--report", "--output", "--page"),
    "--out": ("--output", "--to"),
    "--separator": ("--delimiter", "--delim", "--sep"),
    "--repetitions": ("--runs", "--reps", "--trials"),
}
"""What other tools call it; where a command has more than one of these, the first."""


def _called_here(option: str, known: Sequence[str]) -> str:
    """What a command calls an option of another tool; else the option as it is."""
    lower = option.lower()
    return next((name for name, others in _ELSEWHERE.items() if lower in others and name in known), option)


def _is_file(action: argparse.Action) -> bool:
    return not action.option_strings and action.metavar == "FILE"


_OPTION = re.compile(r"--?[a-zA-Z][a-zA-Z-]*")
"""Of what looks like one, only such a name is repeated: other words may be observations."""


class Unfit(argparse.ArgumentTypeError):
    """A value that an option cannot take; `fix` says which it could."""

    def __init__(self, wrong: str, *, fix: str) -> None:
        super().__init__(wrong)
        self.fix = fix


def number(text: str) -> float:
    """An option's number; whether it makes sense is for the library to say."""
    try:
        return float(text)
    except ValueError:
        pass
    if meant := re.fullmatch(r"\s*(\d{1,3}(?:\.\d+)?)\s*%", text):
        fix = f"did you mean {float(meant[1]) / 100:.12g}?"
        raise Unfit("a number is wanted, without a percent sign", fix=fix)
    raise argparse.ArgumentTypeError("a number is wanted, such as 0.5")


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

    days = in_days(text)
    return days if isinstance(days, float) else number(text)


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


def shown_text(text: str) -> str:
    """Words that people are shown."""
    if not text.strip():
        raise argparse.ArgumentTypeError("words are wanted: participants see them before they answer")
    return text


def page_path(text: str) -> str:
    """Where a page can be written, which is better known before anything is computed."""
    path = Path(text).expanduser()
    folder, elsewhere = path.parent, f"name another place, such as {shlex.quote(path.name)}"
    if path.is_dir():
        inside = path / "page.html"
        raise Unfit("it is a folder", fix=f"name a file in it, such as {shlex.quote(str(inside))}")
    if not folder.exists():
        raise Unfit("its folder is not there", fix=f"make it first: mkdir -p {shlex.quote(str(folder))}")
    if not folder.is_dir():
        raise Unfit(f"{shlex.quote(str(folder))} is a file, and no folder", fix=elsewhere)
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise Unfit("nothing may be written there", fix=elsewhere)
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
    parser.add_argument("--html", type=page_path, metavar="FILE", help=text)


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the layout of descriptions and examples while they fit, and wraps what does not."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = text.splitlines()
        if not lines or max(map(len, lines)) <= max(width, 1) + 2:  # argparse leaves two columns free
            return super()._fill_text(text, width, indent)
        return "\n".join(f"{indent}{line}" for line in _wrapped_help(lines, width))


def _wrapped_help(lines: list[str], width: int) -> list[str]:
    """Paragraphs filled again; what is indented, a command, goes on before an option with a backslash."""
    wrapped: list[str] = []
    paragraph: list[str] = []

    def close() -> None:
        if paragraph:
            wrapped.extend(textwrap.wrap(" ".join(paragraph), width, break_long_words=False, break_on_hyphens=False))
            paragraph.clear()

    joined = re.sub(r" *\\\n\s+", " ", "\n".join(lines)).split("\n")
    for line in joined:
        if line.startswith("  "):
            close()
            wrapped.extend(_wrapped_command(line, width))
        elif not line.strip() or line.endswith(":"):
            close()
            wrapped.append(line)
        else:
            paragraph.append(line)
    close()
    return wrapped


def _wrapped_command(line: str, width: int) -> list[str]:
    margin = " " * (len(line) - len(line.lstrip()))
    words = re.split(r" (?=--|\||>|#)", line.strip())
    lines = [f"{margin}{words[0]}"]
    for word in words[1:]:
        if len(lines[-1]) + len(word) + 3 > width:
            lines[-1] += " \\"
            lines.append(f"{margin}    {word.strip()}")
        else:
            lines[-1] += f" {word}"
    return lines

"""What to do about a mistake, in words that can be typed: as a message says it, or as the options of a command tell."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

_VERBS = (
    "add|ask|choose|declare|drop|export|fetch|give|hand|install|keep|leave|make|name|put|raise|read|rename|repair|run"
    "|save|split|start|state|take|try|turn|unpack|use|write"
)
_TO_DO = re.compile(rf"(?:^|; (?:[^;]*: )?|[:?] )((?:did you mean|wanted|you need|{_VERBS})\b.*)", re.DOTALL)
_TYPED = re.compile(r"(?:^|; )([^;]*(?:--[a-z]|\bsotto [a-z]).*)", re.DOTALL)
_LISTED = re.compile(r"; (its columns are .*)", re.DOTALL)
_RULE = re.compile(r"([^;]*)(?=; got )")
_MUST = re.compile(r"([^;]* (?:must|needs?|leave out) [^;]*)")
_BY_TYPE = {"number": "0.5", "whole": "3000", "numbers": "0.25,0.5,0.75", "texts": "red,green", "dated": "0.5"}

# What other tools call it; where a command has more than one of these, the first.
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


def called_here(option: str, known: Sequence[str]) -> str:
    """What a command calls an option of another tool; else the option as it is."""
    lower = option.lower()
    return next((name for name, others in _ELSEWHERE.items() if lower in others and name in known), option)


def named(message: str) -> str:
    """The part of a message that says what to do, where there is one: messages say what is wrong first."""
    for pattern in (_TO_DO, _TYPED, _LISTED, _RULE, _MUST):
        if found := pattern.search(message):
            return _clause(found)
    return ""


def _clause(found: re.Match[str]) -> str:
    """What was found, with what precedes a colon in its clause: it may speak of that."""
    return found.group(0).removeprefix("; ") if found.group(0).startswith("; ") else found.group(1)


def complained(parser: argparse.ArgumentParser, message: str) -> tuple[str, str]:
    """A complaint of argparse in words, and the fix that its options tell; values are not repeated."""
    if found := re.fullmatch(r"the following arguments are required: (.*)", message):
        return message, _missing(parser, found.group(1).split(", "))
    if (found := re.match(r"argument ([^:]+): (.*)", message)) is None:
        return message, named(message)
    (name, what), action = found.groups(), _action(parser, found.group(1))
    if action is None:
        return message, named(message)
    if what.startswith("ignored explicit argument"):
        return f"{name} takes no value", f"write {name} alone"
    if to_do := _TO_DO.search(what):
        return message.removesuffix(to_do.group(0)).rstrip(": "), _clause(to_do)
    if what.startswith("expected"):
        message = f"argument {name}: a value is wanted"
    return message, f"for instance {_written(parser, action)}"


def too_many(parser: argparse.ArgumentParser, words: Sequence[str], left: Sequence[str]) -> str:
    """Which words to leave out, told by where they stand: they may be observations."""
    count = len(left)
    last = list(words[-count:]) == list(left)
    before = words[:-count] if last else words[: words.index(left[0])] if left[0] in words else []
    options = [word for word in before if re.fullmatch(r"--[a-z-]+", word)]
    if options and isinstance(_action(parser, options[-1]), argparse._AppendAction):
        return f"write {options[-1]} before each, or put quotes around words that belong together"
    if last:
        place = "the last word" if count == 1 else f"the last {count} words"
    else:
        place = f"what is too much behind {options[-1]}" if options else "the first of them"
    return f"leave out {place}, or put quotes around words that belong together"


def _missing(parser: argparse.ArgumentParser, names: Sequence[str]) -> str:
    told, adding = [], []
    for name in names:
        action = _action(parser, name)
        if action is not None and action.choices and not action.option_strings:
            told.append(f"{name} is one of {', '.join(map(str, action.choices))}")
        else:
            adding.append(name if action is None else _written(parser, action))
    text = " ".join(adding)
    such = "for instance " if any(map(str.isdigit, text)) else ""  # numbers are made up, columns and files are not
    return "; ".join([*told, *([f"add {such}{text}"] if adding else [])])


def _action(parser: argparse.ArgumentParser, name: str) -> argparse.Action | None:
    """By what argparse calls it."""
    for action in parser._actions:
        if name in ("/".join(action.option_strings), action.metavar, action.dest, *action.option_strings):
            return action
    return None


def _written(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The option with a value that would do; where only the caller knows one, with what its help calls it."""
    if not action.option_strings:
        return str(action.metavar or action.dest)
    option = action.option_strings[-1]
    return f"{option} {_example(parser, action, option)}"


def _example(parser: argparse.ArgumentParser, action: argparse.Action, option: str) -> str:
    if action.choices:
        return str(next(iter(action.choices)))
    if action.default is not None and not isinstance(action.default, (bool, str, list, tuple)):
        return f"{action.default:g}" if isinstance(action.default, float) else str(action.default)
    if found := re.search(r"such as ([\w.-]+)", action.help or ""):
        return found.group(1)
    if action.type is not None and (found := re.search(rf"{re.escape(option)} ([^\s\\\"']+)", parser.epilog or "")):
        return found.group(1)
    name = getattr(action.type, "__name__", "")
    return _BY_TYPE.get(name) or str(action.metavar or action.dest.upper())

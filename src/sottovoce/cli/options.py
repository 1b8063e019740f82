"""Options from settings: what a problem declares is what its commands take, under the same names."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli.parser import number, numbers, whole

if TYPE_CHECKING:
    from sottovoce.problems import Described, Problem

_READERS: dict[type, Callable[[str], Any]] = {float: number, int: whole, str: str}


def add_settings(
    parser: argparse.ArgumentParser,
    problem: Problem[Any],
    *,
    skip: Collection[str] = (),
    optional: Collection[str] = (),
    methods: Sequence[str] | None = None,
) -> None:
    """An option for each setting; those in `optional` may be left out though a survey needs them."""
    from sottovoce.problems import described

    survey = parser.add_argument_group("the survey")
    constants = None
    for field in described(problem.settings):
        if field.name in skip or field.help.group == "hidden":
            continue
        if field.name == "method":
            names = problem.method_names if methods is None else methods
            survey.add_argument(
                "--method", choices=names, default=field.default, metavar="M", help=method_help(problem, names)
            )
            continue
        group = survey
        if field.help.group == "constants":
            constants = constants or parser.add_argument_group("constants, for those who reproduce the paper")
            group = constants
        add_option(group, field, required=field.required and field.name not in optional)


def add_options(parser: argparse._ActionsContainer, options: type[Any]) -> None:
    """An option for each described field of a dataclass (a problem's made-up users)."""
    from sottovoce.problems import described

    for field in described(options):
        add_option(parser, field, required=field.required)


def add_option(parser: argparse._ActionsContainer, field: Described, *, required: bool) -> None:
    """One field as an option: its help, its type, its default said in words."""
    text, default = field.help.text, None if field.required else field.default
    if default is not None and field.kind is not bool:
        text += f" (default: {default:g})" if isinstance(default, (int, float)) else f" (default: {default})"
    given: dict[str, Any] = {"required": required, "default": default, "help": text, "dest": field.name}
    if field.kind is bool:
        parser.add_argument(field.option, action=argparse.BooleanOptionalAction, **given)
    elif field.choices:
        parser.add_argument(field.option, choices=field.choices, metavar="|".join(field.choices), **given)
    elif field.table:
        parser.add_argument(field.option, metavar="FILE.csv", **given)
    elif field.several:
        parser.add_argument(field.option, type=numbers, metavar=f"{field.help.metavar or 'X'},…", **given)
    else:
        metavar = field.help.metavar or field.name[:1].upper()
        parser.add_argument(field.option, type=_READERS[field.kind], metavar=metavar, **given)


def method_help(problem: Problem[Any], names: Sequence[str]) -> str:
    """All methods in half a sentence each."""
    rest = [name for name in names if name not in problem.method_names and name != "all"]
    told = problem.method_words().replace("auto takes", "auto (default) takes")
    told += f"; compared with: {', '.join(rest)}" if rest else ""
    return told + ("; all compares them" if "all" in names else "")


def read_settings(
    options: argparse.Namespace, problem: Problem[Any], *, names: Sequence[str] = (), skip: Collection[str] = ()
) -> dict[str, Any]:
    """What the options say, as settings; a table of numbers is read from its file, columns by `names`."""
    from sottovoce.problems import described

    found = {}
    for field in described(problem.settings):
        if field.name in skip or not hasattr(options, field.name):
            continue
        value = getattr(options, field.name)
        if value is None and (field.required or field.default is not None):
            continue
        if field.table and value is not None:
            from sottovoce.cli.centres import centres

            value = centres(value, names=names)
        elif field.several and field.scalar and value is not None and len(value) == 1:
            value = value[0]
        found[field.name] = value
    return found


def read_options(options: argparse.Namespace, kind: type[Any]) -> dict[str, Any]:
    """What the options say, for a dataclass of described fields."""
    from sottovoce.problems import described

    given = {field.name: getattr(options, field.name) for field in described(kind)}
    return {name: value for name, value in given.items() if value is not None}


def takes(problem: Problem[Any], name: str) -> bool:
    """Whether a survey of this problem has such a setting."""
    return any(field.name == name for field in dataclasses.fields(problem.settings))


def answer_keys(problem: Problem[Any]) -> str:
    """What --json prints of an answer."""
    own = [field.name for field in dataclasses.fields(problem.answer)]
    return "kind, version, " + ", ".join(own)

"""Options from settings: what a problem declares is what its commands take, under the same names."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from sottovoce.cli import terminal
from sottovoce.cli.file_options import labels_or_file
from sottovoce.cli.parser import dated, dated_numbers, number, numbers, texts, whole

if TYPE_CHECKING:
    from sottovoce.problems import Problem

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
    Add = Callable[[Commands, Problem[Any]], None]
    from sottovoce.problems import Described, Problem


def add_command(
    commands: Commands,
    name: str,
    add: Add,
    *,
    wanted: str | None,
    metavar: str = "WHAT",
    title: str = "what to estimate",
    **words: Any,
) -> Commands | None:
    """Add a command and the problem that is `wanted`; where none is by that name, all of them, for others to add to.

    None at all where `wanted` is None, since they load the library.
    """
    group = commands.add_parser(name, **words)
    if wanted is None:
        return None
    from sottovoce.problems import problems

    quantities = group.add_subparsers(dest="quantity", metavar=metavar, required=True, title=title)
    named = [problem for problem in problems() if problem.name == wanted]
    for problem in named or problems():
        add(quantities, problem)
    return None if named else quantities


def add_problem(
    quantities: Commands, problem: Problem[Any], *, description: str, epilog: str
) -> argparse.ArgumentParser:
    """The part of one problem, which says what it does; what the problem estimates goes where {} stands."""
    return quantities.add_parser(
        problem.name,
        help=str(problem.estimates),
        description=terminal.wrap_help(description.format(problem.estimates)),
        epilog=epilog,
    )


_READERS: dict[type, Callable[[str], Any]] = {float: number, int: whole, str: str}
_LAST = {"epsilon": 1, "data": 2, "method": 3, "confidence": 4, "constants": 5}
"""Settings and groups of them in the order in which they are shown, after what a problem declares of its own."""
_DATED = ("low", "high", "edges", "points")
"""Settings in units of the observations, which may be dates."""
LOOKED_UP = {"observations": "looked up in the file"}
_NOTHING: Mapping[str, str] = {}


def add_settings(
    parser: argparse.ArgumentParser,
    problem: Problem[Any],
    *,
    skip: Collection[str] = (),
    instead: Mapping[str, str] = _NOTHING,
    methods: Sequence[str] | None = None,
) -> None:
    """An option for each setting; those in `instead` may be left out for what their words say."""
    from sottovoce.problems import described

    survey = parser.add_argument_group("the survey")
    constants = None
    fields = [field for field in described(problem.settings) if field.name not in skip and field.help.group != "hidden"]
    for field in sorted(fields, key=lambda field: _LAST.get(field.name, _LAST.get(field.help.group, 0))):
        if field.name == "method":
            names = problem.method_names if methods is None else methods
            survey.add_argument(
                "--method", choices=names, default=field.default, metavar="M", help=method_help(problem, names)
            )
        elif field.help.group == "constants":
            constants = constants or parser.add_argument_group("constants, for those who reproduce the paper")
            add_option(constants, field)
        else:
            add_option(survey, field, instead=instead.get(field.name))


def add_options(parser: argparse._ActionsContainer, options: type[Any]) -> None:
    """An option for each described field of a dataclass (a problem's made-up users)."""
    from sottovoce.problems import described

    for field in described(options):
        add_option(parser, field)


def add_option(parser: argparse._ActionsContainer, field: Described, *, instead: str | None = None) -> None:
    """One field as an option: its help, its type, its default in words; `instead` of which others may be said."""
    default = None if field.required or instead is not None else field.default
    words = _default_words(field) if instead is None else instead
    text = f"{field.help.text} (default: {words})" if words else field.help.text
    required = instead is None and (field.required or field.table)  # in place of a table, code may give something else
    given: dict[str, Any] = {"required": required, "default": default, "help": text, "dest": field.name}
    if field.kind is bool:
        parser.add_argument(field.option, action=argparse.BooleanOptionalAction, **given)
    elif field.choices:
        parser.add_argument(field.option, choices=field.choices, metavar="|".join(field.choices), **given)
    elif field.table:
        parser.add_argument(field.option, metavar="FILE.csv", **given)
    else:
        reader = (texts if field.kind is str else numbers) if field.several else _READERS[field.kind]
        if field.name in _DATED:
            reader = dated_numbers if field.several else dated
        parser.add_argument(field.option, type=reader, metavar=field.help.metavar or field.name[:1].upper(), **given)


def _default_words(field: Described) -> str:
    if field.help.default or field.required or field.default is None or field.kind is bool:
        return field.help.default
    return f"{field.default:g}" if isinstance(field.default, (int, float)) else str(field.default)


def method_help(problem: Problem[Any], names: Sequence[str]) -> str:
    """All methods in half a sentence each."""
    from sottovoce.baselines import baselines
    from sottovoce.problems import named

    words = problem.method_words(auto="auto (default)")
    rest = [one for one in baselines() if one.name in names and one.problem == problem.name]
    if rest:
        words += f"; for comparison, {'; '.join(f'{one.name} {one.help}' for one in rest)}"
    if problem.by_group and not set(names) <= {"all", *problem.method_names, *(one.name for one in rest)}:
        words += f"; in groups, {named('groups').method_words()}"
    return words + ("; all compares all of them" if "all" in names else "")


def read_settings(
    options: argparse.Namespace, problem: Problem[Any], *, names: Sequence[str] = (), skip: Collection[str] = ()
) -> dict[str, Any]:
    """What the options say, as settings; a table of numbers is read from its file, columns by `names`."""
    from sottovoce.problems import described

    settings = {}
    for field in described(problem.settings):
        if field.name in skip or not hasattr(options, field.name):
            continue
        value = getattr(options, field.name)
        if value is None and (field.required or field.default is not None):
            continue
        if field.table and value is not None:
            from sottovoce.cli.file_options import centres_or_space

            value = centres_or_space(value, names=names)
        elif field.several and field.kind is str and value is not None:
            value = labels_or_file(value)
        elif field.several and field.scalar and value is not None and len(value) == 1:
            value = value[0]
        settings[field.name] = value
    return settings


def read_options(options: argparse.Namespace, kind: type[Any]) -> dict[str, Any]:
    """What the options say, for a dataclass of described fields."""
    from sottovoce.problems import described

    given = {}
    for field in described(kind):
        value = getattr(options, field.name)
        if value is not None:
            given[field.name] = value[0] if field.several and field.scalar and len(value) == 1 else value
    return given


def ranges_to_declare(problem: Problem[Any]) -> dict[str, str]:
    """Settings of which one way has to be given, so that nobody is surprised by a default: for `add_settings`."""
    return {name: "" for way in problem.commands.ranges for name in way}


def settings_from_data(problem: Problem[Any]) -> dict[str, str]:
    """Settings that what is given to a call may bring with it, and what they are otherwise: for `add_settings`."""
    from sottovoce.problems import described

    fields = (field for field in described(problem.settings) if field.name in problem.call.options)
    return {field.name: field.help.default for field in fields}


def check_declared(options: argparse.Namespace, problem: Problem[Any], *, written: str = "--{}") -> None:
    """Refuse what says in no way, or in two, where observations lie; names are `written` as they are typed."""
    from sottovoce.messages import InvalidInput

    taken = [way for way in problem.commands.ranges if any(getattr(options, name) is not None for name in way)]
    if not problem.commands.ranges or len(taken) == 1:
        return
    ways = ", or ".join(" and ".join(map(written.format, way)) for way in problem.commands.ranges)
    what = "vectors" if problem.takes_vectors else "observations"
    fix = f"declare where {what} lie: {ways}" + ("; give one of the two" if taken else "")
    raise InvalidInput(fix=fix, code="missing-range")


def range_to_find(problem: Problem[Any]) -> dict[str, str]:
    """Ends that may be left out where the range can be found first: for `add_settings`."""
    if not problem.finds_range or problem.commands.ranges:
        return {}
    return dict.fromkeys(("low", "high"), "found first, with --find-range")


def range_option(parser: argparse.ArgumentParser, problem: Problem[Any]) -> None:
    """``--find-range``, where there is a range to find."""
    if problem.finds_range:
        text = (
            "in place of --low and --high: ask this share of the users, such as 0.1, for the range first, the others "
            "in it"
        )
        parser.add_argument("--find-range", type=number, metavar="SHARE", help=text)


def check_range(options: argparse.Namespace, problem: Problem[Any]) -> None:
    """Refuse a survey that has no range and does not look for one."""
    from sottovoce.messages import InvalidInput

    if not range_to_find(problem) or options.find_range is not None:
        return
    missing = [f"--{end}" for end in ("low", "high") if getattr(options, end) is None]
    if missing:
        raise InvalidInput(
            rule=f"{' and '.join(missing)} must be given: the range in which observations are declared to lie; if "
            "nobody knows it, --find-range 0.1 asks a tenth of the users for it first",
            code="missing-range",
        )


def has_setting(problem: Problem[Any], name: str) -> bool:
    """Whether a survey of this problem has such a setting."""
    return any(field.name == name for field in dataclasses.fields(problem.settings))


def answer_keys(problem: Problem[Any]) -> str:
    """What --json prints of an answer, with what is inside its parts."""
    hints = get_type_hints(problem.answer)
    names = [field.name for field in dataclasses.fields(problem.answer)]
    return "kind, version, " + ", ".join(name + _names_inside(hints[name]) for name in names)


def _names_inside(hint: Any) -> str:
    """`` (epsilon, users)`` for a part of an answer, or a list of such parts; nothing for numbers and texts."""
    part = next((one for one in (hint, *get_args(hint)) if dataclasses.is_dataclass(one)), None)
    if part is None:
        return ""
    names = [field.name for field in dataclasses.fields(part)] + list(getattr(part, "derived", ()))
    return f" ({', '.join(names)})"

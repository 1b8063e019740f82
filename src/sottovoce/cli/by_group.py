"""``sotto estimate mean FILE --by COLUMN``: the same in each group, or among those who have something."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.files import stated
from sottovoce.cli.labels import labels
from sottovoce.cli.options import read_settings
from sottovoce.cli.parser import texts, whole
from sottovoce.cli.read import read_notes
from sottovoce.cli.showing import document, save_page, show

if TYPE_CHECKING:
    from sottovoce.problems import Problem

BY = ("groups", "memberships", "empty")
"""Settings that are options of their own here."""
EMPTY = ("middle", "random", "symbol")
_OWN = "groups"


def group_options(parser: argparse.ArgumentParser, problem: Problem[Any]) -> None:
    """``--by``, ``--groups``, ``--memberships`` and, where a plain estimate may be meant, ``--empty``."""
    if not own_options(problem):
        return
    own = parser.add_argument_group("in each group")
    own.add_argument("--by", metavar="COL", help="column that says the group of an observation: estimate in each")
    own.add_argument(
        "--groups",
        type=texts,
        metavar="A,B,…",
        help="labels of the groups, or @FILE with a label to a line (default: those of the file, which a survey cannot "
        "look up)",
    )
    own.add_argument(
        "--memberships",
        type=whole,
        metavar="M",
        help="in how many groups a user has something, as the survey declares it (default: looked up in the file)",
    )
    if problem.by_group:
        own.add_argument(
            "--empty",
            choices=EMPTY,
            default=EMPTY[0],
            metavar="|".join(EMPTY),
            help="what users without any observation send: what lies in the middle (default), something at random, or "
            "a symbol of its own, with which the estimate is among those who have something",
        )


def methods(problem: Problem[Any]) -> tuple[str, ...]:
    """What ``--method`` may say: with ``--by`` or ``--empty symbol`` it is one of the methods for groups."""
    from sottovoce.problems import named

    own = tuple(problem.method_names)
    return (*own, *(name for name in named(_OWN).method_names if name not in own)) if problem.by_group else own


def own_options(problem: Problem[Any]) -> tuple[str, ...]:
    """Settings that `group_options` makes options of."""
    return BY if problem.by_group or problem.name == _OWN else ()


def by_group(options: argparse.Namespace, problem: Problem[Any]) -> bool:
    """Whether groups, or a symbol for nothing, are asked for."""
    if problem.name == _OWN:
        return True
    return problem.by_group and (options.by is not None or options.groups is not None or options.empty == "symbol")


def run_by_group(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Read, ask, print."""
    from sottovoce import calls
    from sottovoce.data import reading_of
    from sottovoce.problems import named

    kind = named(options.of) if problem.name == _OWN else problem
    settings = read_settings(options, problem, skip=("of", *BY)) | stated(options)
    people, survey, notes = calls.surveyed_by_group(
        kind,
        options.file,
        by=options.by,
        groups=None if options.groups is None else labels(options.groups),
        declared=options.memberships,
        user=options.user,
        value=options.value,
        find_range=getattr(options, "find_range", None),
        **{name: one for name, one in settings.items() if one is not None},
    )
    reading = reading_of(people)
    answer, settled = calls.answered(survey, calls.engine(people, options.seed))
    answer = calls.rehearsed(answer, settled, people)
    found = calls.told(answer, reading)
    told = [*read_notes(reading, found), *(("rehearsal", note) for note in notes)]
    title = f"{kind.heading} of {options.value}{f' by {options.by}' if options.by else ''}"
    save_page(options.html, (title, found, options.value, told), seed=options.seed)
    if options.json:
        read = {} if reading is None else {"reading": reading.to_dict()}
        terminal.show_json(document(found, survey, seed=options.seed) | read)
        return
    show(found, told, seed=options.seed, of=options.value)

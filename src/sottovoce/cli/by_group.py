"""``sotto estimate mean FILE --by COLUMN``: the same in each group, or among those who have something."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli.labels import labels
from sottovoce.cli.parser import texts, whole

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


def given(options: argparse.Namespace, problem: Problem[Any]) -> dict[str, Any]:
    """What the options say of groups."""
    from sottovoce.messages import InvalidInput

    if not own_options(problem):
        return {}
    if options.by is None and options.groups is not None:
        raise InvalidInput("groups are those of a column: name it with by= (--by)")
    named = None if options.groups is None else labels(options.groups)
    return {"by": options.by, "groups": named, "memberships": options.memberships}


def by_group(options: argparse.Namespace, problem: Problem[Any]) -> bool:
    """Whether groups, or a symbol for nothing, are asked for."""
    if problem.name == _OWN:
        return True
    return problem.by_group and (options.by is not None or options.groups is not None or options.empty == "symbol")

"""``sotto estimate``: one survey, rehearsed on a file; by group, as a plan file says, or from tallies."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import several, terminal
from sottovoce.cli.answer_output import show_result
from sottovoce.cli.file_options import file_options, labels_or_file, seed_option, stated_options
from sottovoce.cli.options import (
    LOOKED_UP,
    add_command,
    add_problem,
    add_settings,
    answer_keys,
    check_declared,
    check_range,
    has_setting,
    range_option,
    range_to_find,
    ranges_to_declare,
    read_settings,
    settings_from_data,
)
from sottovoce.cli.parser import PLANNED, TALLIED, html_option, json_option, texts, whole
from sottovoce.cli.tally import ASIDE, NOT_THERE, TALLY, compare_with_export, question_of, rounds_of

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands
    from sottovoce.messages import Manifest, Question, SetAside, Tally
    from sottovoce.problems import Problem

FROM_DATA = ("users", "dimension", "names")


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    quantities = add_command(
        commands,
        "estimate",
        _register,
        wanted=wanted,
        help="estimate from a file, as a survey would",
        description="Rehearse a survey on a file. Every user of the file answers once, through the code that runs on\n"
        "a device.",
    )
    if quantities is not None:
        several.register_estimate(quantities)
        register_planned(quantities)
        register_tallied(quantities)


def _register(quantities: Commands, problem: Problem[Any]) -> None:
    from sottovoce.problems import named

    parser = add_problem(
        quantities,
        problem,
        description="Estimate {}. Every user of the file answers once, through the code that runs on a device.",
        epilog=_epilog(problem),
    )
    file_options(parser, several=problem.takes_vectors)
    methods = tuple(problem.method_names)
    if problem.by_group:  # with --by or --empty symbol it is one of the methods for groups
        methods = tuple(dict.fromkeys((*methods, *named(_GROUPS).method_names)))
    instead = LOOKED_UP | ranges_to_declare(problem) | settings_from_data(problem) | range_to_find(problem)
    add_settings(
        parser,
        problem,
        skip=(*FROM_DATA, *settings_by_group(problem)),
        instead=instead,
        methods=methods,
    )
    range_option(parser, problem)
    group_options(parser, problem)
    seed_option(parser)
    html_option(parser)
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


def _epilog(problem: Problem[Any]) -> str:
    lines = [terminal.wrap_command(f"sotto estimate {problem.name} {words}") for words in problem.commands.estimate]
    more = "observations, seed, reading" if has_setting(problem, "observations") else "seed, reading"
    keys = terminal.wrap_help(f"--json prints {answer_keys(problem)}; and {more}.")
    hints = [terminal.wrap_help(" ".join(problem.commands.hints))] if problem.commands.hints else []
    return "\n".join(["examples:", *lines, "", keys, *hints])


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Read options, rehearse, print."""
    from sottovoce.data import matching_columns, value_names
    from sottovoce.messages import Fact
    from sottovoce.problems import named
    from sottovoce.rehearsal import Request, rehearse

    if not asks_by_group(options, problem):
        check_declared(options, problem)
        check_range(options, problem)
    if problem.takes_vectors:
        options.value = matching_columns(
            options.file, user=options.user, value=options.value, **stated_options(options)
        )
    _, names = value_names(user=options.user, value=options.value)
    request = Request.of(
        problem,
        options.file,
        user=options.user,
        value=options.value,
        find_range=getattr(options, "find_range", None),
        seed=options.seed,
        **read_settings(options, problem, names=names, skip=("groups", "memberships")),
        **group_settings(options, problem),
        **stated_options(options),
    )
    kind, of = named(getattr(options, "of", problem.name)) if problem.name == "groups" else problem, ", ".join(names)
    show_result(options, rehearse(request), title=Fact("page-of", heading=kind.heading, of=of, by=request.by), of=of)


BY = ("groups", "memberships", "empty")
"""Settings that are options of their own here."""
EMPTY = ("middle", "random", "symbol")
_GROUPS = "groups"


def group_options(parser: argparse.ArgumentParser, problem: Problem[Any]) -> None:
    """``--by``, ``--groups``, ``--memberships`` and, where a plain estimate may be meant, ``--empty``."""
    if not settings_by_group(problem):
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


def settings_by_group(problem: Problem[Any]) -> tuple[str, ...]:
    """Settings that `group_options` makes options of."""
    return BY if problem.by_group or problem.name == _GROUPS else ()


def group_settings(options: argparse.Namespace, problem: Problem[Any]) -> dict[str, Any]:
    """What the options say of groups."""
    from sottovoce.messages import InvalidInput

    if not settings_by_group(problem):
        return {}
    if options.by is None and options.groups is not None:
        raise InvalidInput("groups are those of a column: name it with by= (--by)")
    named = None if options.groups is None else labels_or_file(options.groups)
    return {"by": options.by, "groups": named, "memberships": options.memberships}


def asks_by_group(options: argparse.Namespace, problem: Problem[Any]) -> bool:
    """Whether groups, or a symbol for nothing, are asked for."""
    if problem.name == _GROUPS:
        return True
    return problem.by_group and (options.by is not None or options.groups is not None or options.empty == "symbol")


def register_planned(quantities: Commands) -> None:
    """Add ``sotto estimate planned``."""
    parser = quantities.add_parser(
        PLANNED,
        help="what a plan file says; the word may be left out before --plan",
        description="Rehearse on a file the survey that a plan describes; columns in the order that the plan has them.",
    )
    file_options(parser, several=True)
    parser.add_argument("--plan", required=True, metavar="PLAN", help="a file written by sotto plan --save")
    parser.add_argument("--by", metavar="COL", help="for a plan by group: the column that says the group of a row")
    seed_option(parser)
    html_option(parser)
    json_option(parser)
    parser.set_defaults(run=estimate_planned)


def estimate_planned(options: argparse.Namespace) -> None:
    """Read options, rehearse as planned, print."""
    from sottovoce.data import matching_columns
    from sottovoce.messages import Fact
    from sottovoce.planning import load
    from sottovoce.rehearsal import Request, rehearse

    plan = load(options.plan)
    value = matching_columns(options.file, user=options.user, value=options.value, **stated_options(options))
    request = Request.of_plan(
        plan, options.file, user=options.user, value=value, by=options.by, seed=options.seed, **stated_options(options)
    )
    of = ", ".join(value)
    title = Fact("page-of", heading=plan.problem.heading, of=of, by=options.by)
    show_result(options, rehearse(request), title=title, of=of)


_TALLIED_EPILOG = """\
examples:
  sotto survey export 3f2a --out ratings
  sotto tally ratings
  sotto estimate --from-tally ratings

The survey is replayed from its manifest and the tallies of its rounds: every question must be the
one that follows. The answer is the one that the collector publishes, to the last digit where
nothing was set aside. A tally of all reports must be the published one, by its SHA-256 in
round.json; reports that are missing are said beside the answer. The files of DIR are trusted
otherwise: sotto verify checks what the collector publishes.
--json prints the answer's own document, seed (null) and survey, its id."""


def register_tallied(quantities: Commands) -> None:
    """Add ``sotto estimate tallied``."""
    parser = quantities.add_parser(
        TALLIED,
        help="what an exported survey announced; the word may be left out before --from-tally",
        description="Estimate from the tallies of a survey's rounds, as sotto tally wrote them.",
        epilog=_TALLIED_EPILOG,
    )
    parser.add_argument(
        "--from-tally", required=True, metavar="DIR", help="a folder of sotto survey export, after sotto tally"
    )
    html_option(parser)
    json_option(parser)
    parser.set_defaults(run=estimate_tallied)


def estimate_tallied(options: argparse.Namespace) -> None:
    """Read, replay, print."""
    from sottovoce.answers import line
    from sottovoce.engines import answer_from_tallies
    from sottovoce.messages import Fact, InvalidInput, SetAside
    from sottovoce.problems import Announced
    from sottovoce.rehearsal import Result

    folder = Path(options.from_tally).expanduser()
    manifest = _read_manifest(folder)
    places = rounds_of(folder)
    rounds = [_read_round(folder, number, place) for number, place in enumerate(places, 1)]
    aside, notes = SetAside(), []
    for place, (question, tally) in zip(places, rounds, strict=True):
        round_aside, note = _set_aside_and_note(folder, place, question, tally)
        aside += round_aside
        notes += [] if note is None else [note]
    try:
        answer = answer_from_tallies(manifest, rounds, set_aside=tuple(aside.counts.items()))
    except InvalidInput as error:
        raise InvalidInput(str(error), fix="; ".join(map(str, notes)) or error.fix) from None
    answer = replace(answer, notes=(*answer.notes, *notes))
    survey, of = Announced(manifest).settings, ", ".join(manifest.columns)
    source = Fact("from-tallies", survey=manifest.digest[:12], rounds=len(rounds))
    title = Fact("page-of", heading=survey.problem.heading, of=of, by=None)
    result = Result(answer=answer, survey=survey, announced=manifest.digest)
    show_result(options, result, title=title, of=of, more=[line("survey", source)])


def _read_manifest(folder: Path) -> Manifest:
    from sottovoce.messages import InvalidInput, Malformed, Manifest

    path = folder / "manifest.json"
    if not path.is_file():
        raise InvalidInput(
            f"there is no manifest.json in {folder}", fix="sotto survey export writes it", code="missing-file"
        )
    try:
        return Manifest.from_bytes(path.read_bytes())
    except Malformed as error:
        raise InvalidInput(f"{path} is not a manifest as it was announced: {error}") from None


def _read_round(folder: Path, number: int, place: Path) -> tuple[Question, Tally]:
    from sottovoce.messages import InvalidInput, Malformed, Tally

    again = f"run sotto tally {folder}"
    if place.name != f"round-{number}":
        raise InvalidInput(
            f"round {number} is missing in {folder}:", fix=f"run sotto survey export with --round {number}"
        )
    question = question_of(place)
    if not (place / TALLY).is_file():
        raise InvalidInput(f"round {number} has no tally yet:", fix=again)
    try:
        tally = Tally.from_bytes((place / TALLY).read_bytes())
        why = tally.why_impossible(question)
    except Malformed as error:
        why = str(error)
    if why is not None:
        raise InvalidInput(f"round {number}: its {TALLY} does not fit its question ({why}):", fix=again)
    return question, tally


def _set_aside_and_note(folder: Path, place: Path, question: Question, tally: Tally) -> tuple[SetAside, Any]:
    """What is not in a tally, and a note; a tally that has all reports is the one that was published."""
    from sottovoce.messages import InvalidInput, SetAside

    aside, comparison = _read_set_aside(folder, place), compare_with_export(place, question, tally)
    if comparison is None or comparison.same:
        return aside, None
    if not comparison.missing:
        raise InvalidInput(str(comparison.why), fix=f"then run sotto tally {folder}")
    return aside + (SetAside() if NOT_THERE in aside.counts else comparison.unexplained(aside)), comparison.why


def _read_set_aside(folder: Path, place: Path) -> SetAside:
    from sottovoce.messages import InvalidInput, SetAside

    path = place / ASIDE
    if not path.is_file():
        return SetAside()
    try:
        document = json.loads(path.read_bytes())
        counts, files = (
            {str(reason): int(count) for reason, count in document["counts"].items()},
            int(document["files"]),
        )
        if min(0, files, *counts.values()) < 0:
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidInput(f"{path} is not what sotto tally wrote:", fix=f"run sotto tally {folder}") from None
    return SetAside(counts=counts, places=dict.fromkeys(counts, ()), files=files)

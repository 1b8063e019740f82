"""``sotto estimate --from-tally``: the answer of an announced survey, from tallies that were counted elsewhere."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli.exported import MISSING, compared
from sottovoce.cli.parser import html_option, json_option, named
from sottovoce.cli.showing import tell
from sottovoce.cli.tally import ASIDE, TALLY, question_of, rounds_of

if TYPE_CHECKING:
    from sottovoce.cli.quantities import Commands
    from sottovoce.messages import Manifest, Question, SetAside, Tally

NAME = "tallied"
_EPILOG = """\
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


def spelled_out(words: Sequence[str]) -> list[str]:
    """``estimate --from-tally DIR`` says in the folder what is estimated, so the word for it may be left out."""
    return named(words, NAME, option="--from-tally", commands=("estimate",))


def register(quantities: Commands) -> None:
    """Add ``sotto estimate tallied``."""
    parser = quantities.add_parser(
        NAME,
        help="what an exported survey announced; the word may be left out before --from-tally",
        description="Estimate from the tallies of a survey's rounds, as sotto tally wrote them.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--from-tally", required=True, metavar="DIR", help="a folder of sotto survey export, after sotto tally"
    )
    html_option(parser)
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read, replay, print."""
    from sottovoce.answers import line
    from sottovoce.engines import answer_from_tallies
    from sottovoce.messages import Fact, InvalidInput, SetAside
    from sottovoce.problems import Announced
    from sottovoce.rehearsal import Result

    folder = Path(options.from_tally).expanduser()
    manifest = _manifest(folder)
    places = rounds_of(folder)
    rounds = [_round(folder, number, place) for number, place in enumerate(places, 1)]
    aside, notes = SetAside(), []
    for place, (question, tally) in zip(places, rounds, strict=True):
        own, note = _told(folder, place, question, tally)
        aside += own
        notes += [] if note is None else [note]
    try:
        found = answer_from_tallies(manifest, rounds, set_aside=tuple(aside.counts.items()))
    except InvalidInput as error:
        raise InvalidInput(str(error), fix="; ".join(map(str, notes)) or error.fix) from None
    found = replace(found, notes=(*found.notes, *notes))
    survey, of = Announced(manifest).settings, ", ".join(manifest.columns)
    told = Fact("from-tallies", survey=manifest.digest[:12], rounds=len(rounds))
    title = Fact("page-of", heading=survey.problem.heading, of=of, by=None)
    result = Result(answer=found, survey=survey, announced=manifest.digest)
    tell(options, result, title=title, of=of, more=[line("survey", told)])


def _manifest(folder: Path) -> Manifest:
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


def _round(folder: Path, number: int, place: Path) -> tuple[Question, Tally]:
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
        why = tally.problem(question)
    except Malformed as error:
        why = str(error)
    if why is not None:
        raise InvalidInput(f"round {number}: its {TALLY} does not fit its question ({why}):", fix=again)
    return question, tally


def _told(folder: Path, place: Path, question: Question, tally: Tally) -> tuple[SetAside, Any]:
    """What is not in a tally, and a note; a tally that has all reports is the one that was published."""
    from sottovoce.messages import InvalidInput, SetAside

    aside, found = _aside(folder, place), compared(place, question, tally)
    if found is None or found.same:
        return aside, None
    if not found.missing:
        raise InvalidInput(str(found.why), fix=f"then run sotto tally {folder}")
    return aside + (SetAside() if MISSING in aside.counts else found.unexplained(aside)), found.why


def _aside(folder: Path, place: Path) -> SetAside:
    from sottovoce.messages import InvalidInput, SetAside

    path = place / ASIDE
    if not path.is_file():
        return SetAside()
    try:
        told = json.loads(path.read_bytes())
        counts, files = {str(reason): int(count) for reason, count in told["counts"].items()}, int(told["files"])
        if min(0, files, *counts.values()) < 0:
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidInput(f"{path} is not what sotto tally wrote:", fix=f"run sotto tally {folder}") from None
    return SetAside(counts=counts, places=dict.fromkeys(counts, ()), files=files)

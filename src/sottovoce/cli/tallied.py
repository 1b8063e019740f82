"""``sotto estimate --from-tally``: the answer of an announced survey, from tallies that were counted elsewhere."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sottovoce.cli import terminal
from sottovoce.cli.parser import json_option
from sottovoce.cli.showing import document, show
from sottovoce.cli.tally import ASIDE, TALLY, question_of, rounds_of

if TYPE_CHECKING:
    from sottovoce.messages import Manifest, Question, SetAside, Tally

NAME = "tallied"
_EPILOG = """\
examples:
  sotto survey export 3f2a --out ratings
  sotto tally ratings
  sotto estimate --from-tally ratings

The survey is replayed from its manifest and the tallies of its rounds: every question must be the
one that follows. The answer is the one that the collector publishes, to the last digit where
nothing was set aside.
--json prints the answer's own document, and seed (null)."""


def spelled_out(words: Sequence[str]) -> list[str]:
    """``estimate --from-tally DIR`` says in the folder what is estimated, so the word for it may be left out."""
    found = list(words)
    given = any(word == "--from-tally" or word.startswith("--from-tally=") for word in found)
    if given and found[0] == "estimate" and (len(found) < 2 or found[1].startswith("-")):
        found.insert(1, NAME)
    return found


def register(quantities: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read, replay, print."""
    from sottovoce.engines import retold
    from sottovoce.messages import SetAside
    from sottovoce.problems import Announced

    folder = Path(options.from_tally).expanduser()
    manifest = _manifest(folder)
    places = rounds_of(folder)
    rounds = [_round(folder, number, place) for number, place in enumerate(places, 1)]
    aside = sum((_aside(place) for place in places), SetAside())
    found = retold(manifest, rounds, set_aside=tuple(aside.counts.items()))
    if options.json:
        terminal.show_json(document(found, Announced(manifest).settings, seed=None))
        return
    notes = [("survey", f"{manifest.digest[:12]}…, from the tallies of {terminal.count(len(rounds), 'round')}")]
    show(found, notes, seed=None)


def _manifest(folder: Path) -> Manifest:
    from sottovoce.messages import InvalidInput, Malformed, Manifest

    path = folder / "manifest.json"
    if not path.is_file():
        raise InvalidInput(f"there is no manifest.json in {folder}; sotto survey export writes it")
    try:
        return Manifest.from_bytes(path.read_bytes())
    except Malformed as error:
        raise InvalidInput(f"{path} is not a manifest as it was announced: {error}") from None


def _round(folder: Path, number: int, place: Path) -> tuple[Question, Tally]:
    from sottovoce.messages import InvalidInput, Malformed, Tally

    again = f"run sotto tally {folder}"
    if place.name != f"round-{number}":
        raise InvalidInput(f"round {number} is missing in {folder}: run sotto survey export with --round {number}")
    question = question_of(place)
    if not (place / TALLY).is_file():
        raise InvalidInput(f"round {number} has no tally yet: {again}")
    try:
        tally = Tally.from_bytes((place / TALLY).read_bytes())
        tally.check(question)
    except Malformed as error:
        raise InvalidInput(f"round {number}: its {TALLY} does not fit its question ({error}): {again}") from None
    return question, tally


def _aside(place: Path) -> SetAside:
    from sottovoce.messages import SetAside

    path = place / ASIDE
    counts = json.loads(path.read_bytes())["counts"] if path.is_file() else {}
    return SetAside(counts=counts, places=dict.fromkeys(counts, ()))

"""``sotto tally``: reports that were exported as columns, added up, and held against what the export noted."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.parser import json_option

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands
    from sottovoce.messages import Fact, Question, SetAside, Tally

_EPILOG = """\
examples:
  sotto tally ratings
  sotto tally ratings/round-2
  sotto tally ratings --engine spark --master spark://cluster.example.org:7077
  sotto estimate --from-tally ratings

DIR is what sotto survey export wrote, or the folder of one of its rounds. Every round is added up on
its own, into its tally.json: the same bits whatever the engine, the order and the partition. A row
that no device could have sent is set aside and named; a slot that appears twice counts once where
its reports are the same, and not at all where they differ. The engine local reads one file after
another on this machine, in memory that does not grow with the number of reports. Needs the extra
"columns", or "spark": pip install "sottovoce[columns]".
What is counted is compared with round.json, which the export wrote: reports that are missing, and a
tally other than the published one, are a warning here. sotto verify checks what was published.
--json prints folder, engine and rounds (a list with number, from 0, role, folder, asked, counted,
exported and note (null where there is none), set_aside (for each reason count and the first
places), seconds and tally, the file)."""
TALLY, ASIDE, QUESTION = "tally.json", "set-aside.json", "question.json"


@dataclass(frozen=True, kw_only=True)
class CountedRound:
    """A round that was added up."""

    folder: Path
    question: Question
    tally: Tally
    aside: SetAside
    compared: ExportComparison | None
    seconds: float

    @property
    def users(self) -> int:
        return sum(self.tally.reports) // self.question.uses


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "tally",
        help="add up reports that were exported as columns, here or on a cluster",
        description="Add up the reports of a survey's rounds, exported as columns, on this machine or on Spark.",
        epilog=_EPILOG,
    )
    parser.add_argument("folder", metavar="DIR", help="a folder written by sotto survey export, or one of its rounds")
    parser.add_argument(
        "--engine", choices=("local", "spark"), default="local", help="where to count: local or spark (default: local)"
    )
    parser.add_argument("--master", metavar="URL", help="the cluster's address (default: Spark on this machine)")
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Count, write, say."""
    from sottovoce.messages import InvalidInput

    if options.master is not None and options.engine != "spark":
        raise InvalidInput("--master names a Spark cluster", fix="add --engine spark")
    folder = Path(options.folder).expanduser()
    counting = _spark_counting(options.master) if options.engine == "spark" else _local_counting(silent=options.json)
    rounds = []
    for place in rounds_of(folder):
        rounds.append(_count_round(place, counting))
        _write(place / TALLY, rounds[-1].tally.to_bytes())
        _write(place / ASIDE, json.dumps(asdict(rounds[-1].aside), indent=1).encode())
    if options.json:
        documents = [_document(one) for one in rounds]
        terminal.show_json({"folder": str(folder), "engine": options.engine, "rounds": documents})
    else:
        terminal.show(_lines(folder, rounds))


def _count_round(place: Path, counting: Counting) -> CountedRound:
    """What was counted before goes first: if this ends early, no old tally stands beside other files."""
    from sottovoce.messages import InvalidInput, SetAside

    question = question_of(place)
    for name in (TALLY, ASIDE):
        (place / name).unlink(missing_ok=True)
    began = time.perf_counter()
    try:
        tally, aside = counting(place, question)
    except InvalidInput as error:
        fix = str(export_again(place, question)) if (place / ROUND_FILE).is_file() else error.fix
        raise InvalidInput(f"{place}: {error}", fix=fix) from error
    seconds = time.perf_counter() - began
    comparison = compare_with_export(place, question, tally)
    aside += SetAside() if comparison is None else comparison.unexplained(aside)
    return CountedRound(folder=place, question=question, tally=tally, aside=aside, compared=comparison, seconds=seconds)


def rounds_of(folder: Path) -> list[Path]:
    """The folders of rounds, in their order: those in it, or itself."""
    from sottovoce.messages import InvalidInput

    if not folder.is_dir():
        raise InvalidInput(f"there is no folder {folder}", fix="sotto survey export writes one", code="missing-file")
    if (folder / QUESTION).is_file():
        return [folder]
    folders = [place for place in folder.glob("round-*") if place.name[6:].isdecimal() and (place / QUESTION).is_file()]
    if not folders:
        raise InvalidInput(
            f"there are no rounds (round-1/{QUESTION}) in {folder}",
            fix="sotto survey export writes them",
            code="missing-file",
        )
    return sorted(folders, key=lambda place: int(place.name[6:]))


def question_of(place: Path) -> Question:
    """What a round asked."""
    from sottovoce.messages import InvalidInput, Malformed, Question

    try:
        return Question.from_bytes((place / QUESTION).read_bytes())
    except Malformed as error:
        raise InvalidInput(f"{place / QUESTION} is not a question as it was asked: {error}") from None


Counting = Callable[[Path, "Question"], tuple["Tally", "SetAside"]]


def _local_counting(*, silent: bool) -> Counting:
    def count(place: Path, question: Question) -> tuple[Tally, SetAside]:
        from tqdm import tqdm

        from sottovoce.engines import ColumnEngine

        hidden = silent or not sys.stderr.isatty()
        with tqdm(desc=place.name, unit=" reports", unit_scale=True, leave=False, disable=hidden) as bar:
            ask = ColumnEngine([place], progress=bar.update)
            bar.total = sum(file.rows for file in ask.files)
            tally = ask(question)
        return tally, ask.aside([question.digest]) + ask.files_of_other_questions(question)

    return count


def _spark_counting(master: str | None) -> Counting:
    from sottovoce.engines import spark

    def count(place: Path, question: Question) -> tuple[Tally, SetAside]:
        ask = spark.spark(place, master=master)
        return ask(question), ask.aside([question.digest]) + ask.files_of_other_questions(question)

    return count


def _write(path: Path, data: bytes) -> None:
    """It has its name only when it is whole and on the disk."""
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _lines(folder: Path, rounds: list[CountedRound]) -> list[str]:
    rows = [
        (
            str(one.question.round + 1),
            one.question.role,
            f"{one.question.slots.count:,}",
            f"{one.users:,}",
            f"{one.aside.total:,}",
            f"{one.seconds:.1f}",
        )
        for one in rounds
    ]
    header = ("round", "role", "asked", "counted", "set aside", "seconds")
    lines = terminal.table(header, rows, left=(1,), indent=0)
    for one in rounds:
        if one.aside.total:
            lines += ["", terminal.labelled(f"round {one.question.round + 1}", str(one.aside))]
        if one.compared is not None and one.compared.why:
            lines += ["", terminal.labelled("warning", str(one.compared.why))]
    whole = folder if rounds[0].folder != folder else folder.parent
    written = terminal.sentence("command-tally-written", tally=TALLY, aside=ASIDE, folder=str(folder))
    return [*lines, "", written, terminal.sentence("command-next", command=f"sotto estimate --from-tally {whole}")]


def _document(one: CountedRound) -> dict[str, Any]:
    return {
        "number": one.question.round,
        "role": one.question.role,
        "folder": one.folder.name,
        "asked": one.question.slots.count,
        "counted": one.users,
        "exported": None if one.compared is None else one.compared.exported,
        "note": None if one.compared is None or one.compared.why is None else one.compared.why.to_plain(),
        "set_aside": {
            reason: {"count": count, "places": list(one.aside.places[reason])}
            for reason, count in one.aside.counts.items()
        },
        "seconds": one.seconds,
        "tally": str(one.folder / TALLY),
    }


ROUND_FILE = "round.json"
NOT_THERE = "export-not-there"
_FILES_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class ExportComparison:
    """How many reports were exported and are counted, whether the tally is the published one, which files are lost."""

    folder: Path
    question: Question
    exported: int
    counted: int
    same: bool
    lost: tuple[str, ...]

    @property
    def missing(self) -> int:
        return max(0, self.exported - self.counted)

    @property
    def why(self) -> Fact | None:
        """What is wrong, with what to do; None where the tally is the published one."""
        from sottovoce.answers import Note, NoteCode
        from sottovoce.messages import Fact

        where = {"folder": self.folder.name, "exported": self.exported, **export_again(self.folder, self.question).data}
        if self.same:
            return None
        if self.missing:
            lost = {"lost": self.lost[:_FILES_NAMED], "more": len(self.lost) > _FILES_NAMED}
            return Note(NoteCode.REPORTS_MISSING, missing=self.missing, **lost, **where)
        code = "reports-too-many" if self.counted > self.exported else "tally-not-published"
        return Fact(code, counted=self.counted, **where)

    def unexplained(self, aside: SetAside) -> SetAside:
        """The reports that are missing and not among those that were set aside."""
        from sottovoce.engines import OTHER
        from sottovoce.messages import SetAside, columns

        elsewhere = (OTHER, columns.REASONS[columns.COPY])
        named = aside.total - aside.files - sum(aside.counts.get(reason, 0) for reason in elsewhere)
        count = self.missing - named
        return SetAside(counts={NOT_THERE: count}, places={NOT_THERE: self.lost}) if count > 0 else SetAside()


def export_again(place: Path, question: Question) -> Fact:
    """How to get a round anew."""
    from sottovoce.messages import Fact

    survey, number = question.survey[:12], question.round + 1
    return Fact("export-again", place=str(place), survey=survey, round=number, out=str(place.parent))


def compare_with_export(place: Path, question: Question, tally: Tally) -> ExportComparison | None:
    """A tally beside what the export noted; None for a round that no collector exported."""
    from sottovoce.messages import InvalidInput, Malformed, columns

    if not (place / ROUND_FILE).is_file():
        return None
    try:
        summary = columns.RoundSummary.from_bytes((place / ROUND_FILE).read_bytes())
    except Malformed as error:
        raise InvalidInput(
            f"{place / ROUND_FILE} is not what sotto survey export wrote: {error}",
            fix=str(export_again(place, question)),
        ) from None
    return ExportComparison(
        folder=place,
        question=question,
        exported=summary.reports,
        counted=sum(tally.reports) // question.uses,
        same=summary.is_published(tally.to_bytes()),
        lost=tuple(file.name for file in summary.files if not (place / file.name).is_file()),
    )

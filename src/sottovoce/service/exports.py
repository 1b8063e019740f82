"""The reports of closed rounds as columns, streamed from the store to files: whole, or not there at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sottovoce.messages import InvalidInput, Malformed, Question, columns
from sottovoce.service.store import RoundRow, Store, SurveyRow
from sottovoce.service.store.sqlite import sync_to_disk

ROUND = "round.json"


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A round that was written: its number from 0, where it is, and how much."""

    number: int
    role: str
    folder: Path
    reports: int
    files: int
    bytes: int
    written: bool = True


def export(
    store: Store,
    survey: str,
    folder: Path,
    *,
    number: int | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> list[Exported]:
    """Write ``manifest.json``, and ``round-1/question.json`` and ``round-1/part-00000.parquet`` … of closed rounds.

    ``round-1/round.json`` says how many reports there are, in which files, and the SHA-256 of the published tally. With
    `number`, counted from 0, only that round. A round that is there already, whole, is not written again.

    Raises
    ------
    InvalidInput
        A folder of another survey, or with a part of a round; no such round, one that is open or was not looked at,
        reports that were scrubbed or are no longer kept.
    """
    row = store.survey(survey)
    if row is None:
        raise InvalidInput("there is no such survey in this store")
    if row.scrubbed is not None:
        raise InvalidInput(f"the reports of survey {survey[:12]}… were scrubbed: what is published of them stays")
    rounds = _exportable(row, store.rounds(survey), number)
    manifest = folder / "manifest.json"
    if manifest.exists() and manifest.read_bytes() != row.manifest:
        raise InvalidInput(f"{folder} holds another survey", fix="name another folder with --out")
    places = [folder / f"round-{each.number + 1}" for each in rounds]
    before = list(map(_written_before, places, rounds))
    for each in rounds:
        columns.schema_of(Question.from_bytes(each.question))  # before anything is made: what it needs is here
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not manifest.exists():
        part = folder / ".manifest.json.part"
        part.write_bytes(row.manifest)
        part.rename(manifest)
    return [
        written or _write(store, place, each, progress)
        for written, place, each in zip(before, places, rounds, strict=True)
    ]


def _exportable(survey: SurveyRow, rounds: list[RoundRow], number: int | None) -> list[RoundRow]:
    """The rounds that can be exported, or the one that is meant."""
    if number is None:
        counted = [row for row in rounds if row.closed is not None and row.tally]
        if not counted:
            raise InvalidInput(f"survey {survey.id[:12]}… has no round that was closed and counted; see survey show")
        return counted
    if not 0 <= number < len(rounds):
        raise InvalidInput(f"survey {survey.id[:12]}… has rounds 1 to {len(rounds)}; there is no round {number + 1}")
    row = rounds[number]
    if row.closed is None:
        raise InvalidInput(f"round {number + 1} is open: its reports can be exported when it is closed")
    if not row.tally:
        raise InvalidInput(f"round {number + 1} had too few answers: nothing of it is looked at")
    return [row]


def _written_before(place: Path, row: RoundRow) -> Exported | None:
    """A round that was written before: all of it, or it must go first."""
    if not place.exists():
        return None
    try:
        summary = columns.RoundSummary.from_bytes((place / ROUND).read_bytes())
        whole = (
            summary.is_published(row.tally or b"")
            and (place / "question.json").read_bytes() == row.question
            and all(columns.header(place / file.name).rows == file.rows for file in summary.files)
        )
    except (Malformed, InvalidInput, FileNotFoundError, NotADirectoryError):
        whole = False
    if not whole:
        raise InvalidInput(
            rule=f"{place} is there, and not as it was exported: remove it, or name another folder with --out"
        )
    size = sum((place / file.name).stat().st_size for file in summary.files)
    return Exported(
        number=row.number,
        role=row.role,
        folder=place,
        reports=summary.reports,
        files=len(summary.files),
        bytes=size,
        written=False,
    )


def _write(store: Store, place: Path, row: RoundRow, progress: Callable[[int], object]) -> Exported:
    question, part = Question.from_bytes(row.question), place.with_name(f".{place.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700)
    try:
        (part / "question.json").write_bytes(row.question)
        with columns.Writer(part, question) as writer:
            after = -1
            while rows := store.counted(row.key, after=after):
                payloads = [payload for _, payload in rows]
                if any(payload is None for payload in payloads):
                    raise InvalidInput(f"the reports of round {row.number + 1} have just been scrubbed")
                raw = np.frombuffer(b"".join(payloads), dtype=np.uint8)  # type: ignore[arg-type]  # none is None
                slots = np.array([slot for slot, _ in rows], dtype=np.int64)
                writer.write(slots, raw.reshape(len(rows), question.payload_bytes))
                after = rows[-1][0]
                progress(len(rows))
        if writer.rows != row.answered:
            raise InvalidInput(
                f"round {row.number + 1} had {row.answered:,} reports, of which {writer.rows:,} are kept: the others "
                "were deleted when they had been kept as long as was announced"
            )
        size = sum((part / name).stat().st_size for name, _ in writer.written)
        (part / ROUND).write_bytes(columns.RoundSummary.of(writer.written, row.tally or b"").to_bytes())
        for name in ("question.json", ROUND):
            sync_to_disk(part / name)
        sync_to_disk(part)
        part.rename(place)
        sync_to_disk(place.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return Exported(number=row.number, role=row.role, folder=place, reports=writer.rows, files=writer.files, bytes=size)

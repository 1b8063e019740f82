"""An exported round beside its tally: whether every report that was exported is counted, and the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sottovoce.messages import Fact, Question, SetAside, Tally

NOTED = "round.json"
MISSING = "export-not-there"
_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class Compared:
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

        where = {"folder": self.folder.name, "exported": self.exported, **again(self.folder, self.question).data}
        if self.same:
            return None
        if self.missing:
            lost = {"lost": self.lost[:_NAMED], "more": len(self.lost) > _NAMED}
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
        return SetAside(counts={MISSING: count}, places={MISSING: self.lost}) if count > 0 else SetAside()


def again(place: Path, question: Question) -> Fact:
    """How to get a round anew."""
    from sottovoce.messages import Fact

    survey, number = question.survey[:12], question.round + 1
    return Fact("export-again", place=str(place), survey=survey, round=number, out=str(place.parent))


def compared(place: Path, question: Question, tally: Tally) -> Compared | None:
    """A tally beside what the export noted; None for a round that no collector exported."""
    from sottovoce.messages import InvalidInput, Malformed, columns

    if not (place / NOTED).is_file():
        return None
    try:
        noted = columns.Noted.from_bytes((place / NOTED).read_bytes())
    except Malformed as error:
        raise InvalidInput(
            f"{place / NOTED} is not what sotto survey export wrote: {error}", fix=str(again(place, question))
        ) from None
    return Compared(
        folder=place,
        question=question,
        exported=noted.reports,
        counted=sum(tally.reports) // question.uses,
        same=noted.published(tally.to_bytes()),
        lost=tuple(file.name for file in noted.files if not (place / file.name).is_file()),
    )

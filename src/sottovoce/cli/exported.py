"""An exported round beside its tally: whether every report that was exported is counted, and the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sottovoce.messages import Question, SetAside, Tally

NOTED = "round.json"
MISSING = "an exported report that is not there"
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
    def why(self) -> str:
        """In words, with what to do; nothing where the tally is the published one."""
        if self.same:
            return ""
        lost = ", ".join(self.lost[:_NAMED]) + (", …" if len(self.lost) > _NAMED else "")
        if self.missing:
            said = f"{self.missing:,} of {self.exported:,} reports are missing{f' ({lost})' if lost else ''}"
        elif self.counted > self.exported:
            said = f"{self.counted:,} reports are counted; {self.exported:,} were exported"
        else:
            said = "its tally is not the one that the collector published, though it has as many reports"
        return f"{self.folder.name}: {said}; {again(self.folder, self.question)}"

    def unexplained(self, aside: SetAside) -> SetAside:
        """The reports that are missing and not among those that were set aside."""
        from sottovoce.engines import OTHER
        from sottovoce.messages import SetAside, columns

        elsewhere = (OTHER, columns.REASONS[columns.COPY])
        named = aside.total - aside.files - sum(aside.counts.get(reason, 0) for reason in elsewhere)
        count = self.missing - named
        return SetAside(counts={MISSING: count}, places={MISSING: self.lost}) if count > 0 else SetAside()


def again(place: Path, question: Question) -> str:
    """How to get a round anew."""
    number = question.round + 1
    export = f"sotto survey export {question.survey[:12]} --round {number} --out {place.parent}"
    return f"to export the round again, remove {place} and run {export}"


def compared(place: Path, question: Question, tally: Tally) -> Compared | None:
    """A tally beside what the export noted; None for a round that no collector exported."""
    from sottovoce.messages import InvalidInput, Malformed, columns

    if not (place / NOTED).is_file():
        return None
    try:
        noted = columns.Noted.from_bytes((place / NOTED).read_bytes())
    except Malformed as error:
        why = f"{place / NOTED} is not what sotto survey export wrote: {error}"
        raise InvalidInput(why, fix=again(place, question)) from None
    return Compared(
        folder=place,
        question=question,
        exported=noted.reports,
        counted=sum(tally.reports) // question.uses,
        same=noted.published(tally.to_bytes()),
        lost=tuple(file.name for file in noted.files if not (place / file.name).is_file()),
    )

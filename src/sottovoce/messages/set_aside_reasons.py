"""What was not counted, and why: said beside an answer, so that nothing disappears in silence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sottovoce.messages.errors import Malformed
from sottovoce.messages.facts import Fact

_NAMED = 3
MOST_PLACES = 1000
"""Of the rows that were set aside for one reason, so many are named; all are counted."""


def set_aside_reason(error: Malformed) -> str:
    """Why something is set aside: the code of an error that has one of its own, or else what it says."""
    return str(error) if error.code == Malformed.code else error.code


@dataclass(frozen=True, kw_only=True)
class SetAside:
    """Rows that were set aside: how many for each reason, and where the first `MOST_PLACES` of them stand.

    A reason is a code, such as ``not-asked``; or what a file's error says, or an earlier release said, for itself.
    A file of which nobody can tell how many rows it has counts as one; `files` says how many there are of these.
    """

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, tuple[str, ...]] = field(default_factory=dict)
    files: int = 0

    @classmethod
    def of(cls, rows: Iterable[tuple[str, str]]) -> SetAside:
        """From pairs of where a row stands and why it was set aside."""
        counts: dict[str, int] = {}
        places: dict[str, list[str]] = {}
        for where, reason in rows:
            counts[reason] = counts.get(reason, 0) + 1
            if counts[reason] <= MOST_PLACES:
                places.setdefault(reason, []).append(where)
        return cls(counts=counts, places={reason: tuple(rows) for reason, rows in places.items()})

    @classmethod
    def file(cls, where: str, reason: str, rows: int | None = None) -> SetAside:
        """A whole file, named once, with all its rows, where it tells how many."""
        count = 1 if rows is None else rows
        return cls(counts={reason: count}, places={reason: (where,)}, files=int(rows is None)) if count else cls()

    def __add__(self, other: SetAside) -> SetAside:
        """Both, those of `self` first."""
        if not other.counts or not self.counts:
            return self if not other.counts else other
        reasons = dict.fromkeys((*self.counts, *other.counts))
        return SetAside(
            counts={reason: self.counts.get(reason, 0) + other.counts.get(reason, 0) for reason in reasons},
            places={
                reason: (*self.places.get(reason, ()), *other.places.get(reason, ()))[:MOST_PLACES]
                for reason in reasons
            },
            files=self.files + other.files,
        )

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def __str__(self) -> str:
        """In words: ``2 rows set aside: 2 × not a report (partition 1 row 3, partition 1 row 9)``."""
        reported = ((reason, count, self.places[reason]) for reason, count in self.counts.items())
        reasons = [
            Fact("set-aside-at", count=count, reason=reason, places=places[:_NAMED], more=len(places) > _NAMED)
            for reason, count, places in reported
        ]
        return str(Fact("set-aside-rows", rows=self.total - self.files, files=self.files, reasons=reasons))

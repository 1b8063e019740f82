"""What a store keeps and promises. Two keep it, SQLite and PostgreSQL; one contract suite runs over both.

::

    StoreError
    ├── Unavailable     the database cannot be used now: full disk, failed write, no connection; nothing was done
    ├── Missing         no such survey or round
    ├── Exists          this survey is there already
    ├── NotInvited      this token was never invited, or the survey has ended
    ├── Full            no slot is left
    └── Moved           another round is open by now; read the rounds again

A store knows nothing of questions and answers: they are bytes that others made. Nothing about the order or the time of
arrival is kept finer than the round. What it is told is durable when a method returns, or the method raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sottovoce.messages import InvalidInput, SottovoceError

MAX_SLOT = 2**40
"""Slots are below: a report's key in SQLite is the round's key and the slot in one integer."""
BLOCK = 2**14
"""So many reports are read at once."""

Put = Literal["stored", "same", "other", "closed"]
"""What became of a report. In a closed round the bytes that are there are still ``"same"``: a lost acknowledgement."""


class StoreError(SottovoceError):
    """Root of the tree above."""


class Unavailable(StoreError):  # noqa: N818 - the store is unavailable
    """The database failed. Nothing of the call is kept, or it may be tried again without harm."""


class Missing(StoreError):  # noqa: N818 - a survey is missing
    """No such survey or round."""


class Exists(StoreError):  # noqa: N818 - a survey exists
    """A survey of this name is there already."""


class NotInvited(StoreError):  # noqa: N818 - a token is not invited
    """The token was not invited to this survey, or the survey has ended and tokens are forgotten."""


class Full(StoreError):  # noqa: N818 - a survey is full
    """There is no slot left. The invitation stays as it was."""


class Moved(StoreError):  # noqa: N818 - a survey has moved on
    """Another round is open than the caller thought."""


@dataclass(frozen=True, kw_only=True)
class SurveyRow:
    """A survey. `token` is the SHA-256 of its token; times are whole seconds since 1970."""

    id: str
    manifest: bytes
    secret: bytes = field(repr=False)
    token: bytes = field(repr=False)
    retention_days: int
    origins: tuple[str, ...] = ()
    state: str = "running"
    """``"running"``, ``"done"`` or ``"abandoned"``."""
    answer: str = ""
    abandoned: str = ""
    created: int = 0
    ended: int | None = None
    enrolled: int = 0
    scrubbed: int | None = None


@dataclass(frozen=True, kw_only=True)
class RoundRow:
    """A round. `key` is a small integer that reports name it by; `closed` is None while it is open."""

    survey: str
    number: int
    role: str
    key: int
    question: bytes
    digest: str
    opened: int
    closed: int | None = None
    because: str = ""
    by: str = ""
    answered: int | None = None
    tally: bytes = b""
    seed: bytes | None = field(default=None, repr=False)
    """What the order of slots dealt on arrival follows from; forgotten when the round closes."""


class ReportRow(NamedTuple):
    """A report, checked by whoever passes it on. A tuple, because so many are made."""

    round_key: int
    slot: int
    payload: bytes
    late: bool = False
    """It came after its round's time: it is not kept, but if it was before, that is said."""


def check_slots(rows: Sequence[ReportRow]) -> None:
    """Refuse slots that no store has a key for."""
    if any(not 0 <= row.slot < MAX_SLOT for row in rows):
        raise InvalidInput(f"a slot is a whole number from 0 and below {MAX_SLOT}")


@dataclass(frozen=True, kw_only=True)
class Opening:
    """The question that opens a survey. With a `seed`, for slots that are dealt on arrival."""

    question: bytes
    role: str
    digest: str
    seed: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What closing a round came to: a next question, an answer, or the reason why the survey is abandoned."""

    tally: bytes
    answered: int
    question: bytes | None = None
    role: str = ""
    digest: str = ""
    seed: bytes | None = field(default=None, repr=False)
    answer: str = ""
    abandoned: str = ""


@dataclass(frozen=True, kw_only=True)
class Seat:
    """The slot of a token; None where its round has closed and the slot is forgotten. `before`: it enrolled before.

    `yours`: with this very visit number; false where none was given.
    """

    slot: int | None
    before: bool
    yours: bool = False


Settle = Callable[[RoundRow, Iterable[tuple[int, bytes]]], Outcome]
"""Decides on a round from its reports, in the order of slots. What it raises leaves everything as it was."""

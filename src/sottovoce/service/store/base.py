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

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple, Protocol

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


class Store(Protocol):
    """Synchronous, safe to share between threads."""

    def create(self, survey: SurveyRow, first: Opening, *, now: int) -> None:
        """A survey and its first round. Raises `Exists`. State, end and counts of the row are not looked at."""

    def surveys(self) -> list[SurveyRow]:
        """All, by time of creation and name."""

    def running(self) -> list[str]:
        """The names of those that are not over."""

    def newest(self, count: int) -> list[str]:
        """The names of so many that were made last, in the order of `surveys`."""

    def survey(self, id: str) -> SurveyRow | None: ...

    def rounds(self, id: str) -> list[RoundRow]:
        """In order; the last may be open."""

    def invite(self, id: str, hashes: Sequence[bytes]) -> None:
        """Let these tokens in, each given by its SHA-256. Raises `Missing`; `Full` where the survey has ended."""

    def enrol(
        self,
        id: str,
        token: bytes,
        *,
        open_access: bool,
        seat: Callable[[int], int | None],
        number: int | None = None,
        visit: bytes | None = None,
    ) -> Seat:
        """The slot of a token, the same one whenever it comes. Raises `Missing`, `NotInvited`, `Full`, `Moved`.

        ``seat(k)`` is the slot of the k-th to enrol, from 0; None says full. With `number`, a round that must be
        open, k counts those who came in this round, and the slot is forgotten when it closes. `visit`, the SHA-256 of
        a device's number, is kept with a new seat, and forgotten with its slot; that of a seat which is taken stays.
        """

    def put(self, rows: Sequence[ReportRow]) -> list[Put]:
        """Keep reports, in one transaction. Durable when it returns. Never replaces anything."""

    def count(self, round_key: int) -> int:
        """How many reports a round has. Reads an index: ask once a second, not once a report."""

    def counted(self, round_key: int, *, after: int, most: int = BLOCK) -> list[tuple[int, bytes | None]]:
        """Reports of a closed round with slots beyond `after`, in their order; a scrubbed one has no payload."""

    def close(self, id: str, number: int, *, because: str, by: str, now: int, settle: Settle) -> RoundRow:
        """Close a round in one transaction: tally, then next question, answer or end. Raises `Missing`.

        A round that is closed already is returned as it is, and `settle` is not called. Its reports stay in the order
        of slots, whatever order they came in, and its seed is forgotten; when the survey ends, its seats and unused
        invitations are deleted.
        """

    def refuse(self, counts: Mapping[tuple[str, str], int]) -> None:
        """Add so many uploads that were refused, by survey and code, all or none. Raises `Missing`."""

    def refused(self, id: str) -> dict[str, int]:
        """How many uploads to a survey were refused, by code, in the order of codes."""

    def admin(self) -> bytes | None:
        """The SHA-256 of the administrator's token."""

    def set_admin(self, hash: bytes) -> None: ...

    def scrub(self, id: str, *, now: int) -> int:
        """Forget the payloads of closed rounds; slot and SHA-256 stay. Returns how many. Raises `Missing`."""

    def expire(self, *, now: int) -> int:
        """Delete the reports of surveys that ended longer ago than they are to be kept. Returns how many."""

    def backup(self, path: str | Path) -> None:
        """Everything at one moment, as a new SQLite file that `restore` and `open_store` read. Writing goes on."""

    def fill(self, backup: Path) -> None:
        """Take everything from a backup of this version. Raises `InvalidInput` where there are surveys already."""

    def check(self) -> None:
        """Raises `Unavailable` where the database does not answer."""

    def close_store(self) -> None: ...

    def __enter__(self) -> Store: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

"""Where a survey is kept. Everything a collector knows is here, so that it can be killed at any moment."""

from __future__ import annotations

from sottovoce.messages import InvalidInput
from sottovoce.service.store.base import (
    MAX_SLOT,
    Exists,
    Full,
    Missing,
    Moved,
    NotInvited,
    Opening,
    Outcome,
    Put,
    ReportRow,
    RoundRow,
    Seat,
    Settle,
    Store,
    StoreError,
    SurveyRow,
    Unavailable,
)
from sottovoce.service.store.sqlite import SqliteStore

__all__ = [
    "MAX_SLOT",
    "Exists",
    "Full",
    "Missing",
    "Moved",
    "NotInvited",
    "Opening",
    "Outcome",
    "Put",
    "ReportRow",
    "RoundRow",
    "Seat",
    "Settle",
    "SqliteStore",
    "Store",
    "StoreError",
    "SurveyRow",
    "Unavailable",
    "open_store",
]


def open_store(url: str) -> Store:
    """The store that ``sqlite:PATH`` or ``postgresql://…`` names; a new one is made where there is none."""
    kind, _, path = url.partition(":")
    if kind == "sqlite" and path:
        return SqliteStore(path)
    raise InvalidInput("a store is named sqlite:PATH or postgresql://…; give one of the two")

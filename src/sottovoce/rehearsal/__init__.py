"""A survey rehearsed on data at hand: the one way from data to an answer beside the truth."""

from __future__ import annotations

from sottovoce.rehearsal.pipeline import Result, rehearse
from sottovoce.rehearsal.request import Ask, Request, SeveralRequest, ask, fitting, prepare, typical

__all__ = [
    "Ask",
    "Request",
    "Result",
    "SeveralRequest",
    "ask",
    "fitting",
    "prepare",
    "rehearse",
    "typical",
]

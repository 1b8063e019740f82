"""A survey as a store sees it: bytes that nobody reads, and a tally that depends on every report."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from sottovoce.service.store import Opening, Outcome, ReportRow, RoundRow, Store, SurveyRow

SURVEY = "a" * 64
NOW = 1_000_000


def token(number: int) -> bytes:
    return hashlib.sha256(b"token %d" % number).digest()


def payload(slot: int) -> bytes:
    return hashlib.sha256(b"report %d" % slot).digest()[:12]


def begin(store: Store, id: str = SURVEY) -> int:
    """A survey with its first round open; the round's key."""
    row = SurveyRow(
        id=id,
        manifest=b'{"m":1}',
        secret=b"s" * 32,
        token=token(0),
        retention_days=2,
        origins=("https://example.org",),
        created=NOW,
    )
    store.create(row, Opening(question=b"first?", role="vote", digest="1" * 64), now=NOW)
    return store.rounds(id)[0].key


def rows(key: int, slots: Iterable[int]) -> list[ReportRow]:
    return [ReportRow(key, slot, payload(slot)) for slot in slots]


def tally(reports: Iterable[tuple[int, bytes]]) -> tuple[bytes, int]:
    """A digest over all reports in order, and how many."""
    digest, count = hashlib.sha256(), 0
    for slot, data in reports:
        digest.update(b"%d:%s;" % (slot, data))
        count += 1
    return digest.digest(), count


def ask_again(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
    digest, count = tally(reports)
    return Outcome(tally=digest, answered=count, question=b"next?", role="refine", digest="2" * 64)


def answer(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
    digest, count = tally(reports)
    return Outcome(tally=digest, answered=count, answer='{"value":1}')


def abandon(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
    return Outcome(tally=b"", answered=tally(reports)[1], abandoned="too few")

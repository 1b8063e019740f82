"""Stored reports: a bad row is set aside, named, and the others are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sottovoce.device import Collections, SystemEntropy, respond_many
from sottovoce.engines import stored
from sottovoce.messages import Batch, InvalidInput, Malformed, Report, SetAside, Tally
from tests.unit.test_hostile_questions import BIT, SUBSET, vote
from tests.unit.test_tally import UNARY


def answers(question: Any, count: int = 20) -> list[Report]:
    people = Collections(np.linspace(0, 1, count), np.arange(count + 1))
    (batch,) = respond_many(question, people, question.slots.first + np.arange(count), SystemEntropy())
    return batch.reports()


def other(report: Report, **changes: Any) -> Report:
    fields = {"question": report.question, "slot": report.slot, "payload": report.payload}
    return Report(**fields | changes)  # type: ignore[arg-type]


def test_good_rows_are_all_counted_in_any_form() -> None:
    reports = answers(BIT)
    rows: list[Any] = [report.to_bytes() for report in reports[:10]]
    ask = stored([[*rows, memoryview(reports[10].to_bytes()), bytearray(reports[11].to_bytes())], reports[12:]])
    assert sum(ask(BIT).reports) == 20
    assert ask.set_aside.total == 0 and str(ask.set_aside) == "no row set aside"


def test_bad_rows_are_named_and_the_others_counted() -> None:
    reports = answers(BIT, 8)
    rows: list[Any] = [
        *reports,
        b"",
        b"\xff",
        5,
        None,
        "text",
        reports[0].to_bytes()[:-1],
        other(reports[0], slot=500),
        other(reports[1], payload="0000"),
        other(reports[2], payload="07"),
        other(reports[3], question="0" * 64),
    ]
    ask = stored([rows[::2], rows[1::2]])
    assert ask(BIT) == stored([reports])(BIT)
    assert ask.set_aside.counts == {
        "not-a-report": 6,
        "not-asked": 1,
        "a report to this question has 1 bytes": 1,
        "never-sent": 1,
    }
    assert ask.set_aside.places["not-asked"] == ("partition 1 row 8",)
    assert len(ask.set_aside.places["not-a-report"]) == 6
    assert str(ask.set_aside).startswith("9 rows set aside: 6 × not a report (partition 1 row 5, partition 1 row 6, ")
    before = ask.set_aside
    ask(BIT)
    assert ask.set_aside == before  # asked again, counted once


def test_padding_and_order_are_checked_row_by_row() -> None:
    ten, eight, subset = answers(vote(), 4), answers(UNARY, 4), answers(SUBSET, 4)
    unsorted = other(subset[0], slot=50, payload="0001" * (len(subset[0].payload) // 4))
    ask = stored([[*ten, other(ten[0], slot=50, payload="ffff")], eight, [*subset, unsorted]])
    assert sum(ask(vote()).reports) == sum(ask(UNARY).reports) == sum(ask(SUBSET).reports) == 4
    assert ask.set_aside.counts == {
        "padding-not-zero": 1,
        "never-sent": 1,
    }


@pytest.mark.parametrize("apart", [True, False])
def test_a_slot_that_appears_twice(apart: bool) -> None:
    """The same bytes count once; different ones not at all."""
    reports = answers(BIT, 6)
    flipped = other(reports[1], payload="01" if reports[1].payload == "00" else "00")
    extra = [reports[0], flipped]
    ask = stored([reports, extra] if apart else [[*reports, *extra]])
    assert ask(BIT) == Tally.of(Batch.of(BIT, [reports[0], *reports[2:]]))
    assert ask.set_aside.counts == {"copy-of-counted": 1, "different-reports": 2}


def test_reasons_are_codes_put_in_words_and_those_of_earlier_releases_are_shown_as_they_are() -> None:
    aside = SetAside.of([("a", "never-sent"), ("b", "its slot has sent different reports")])
    assert str(aside) == (
        "2 rows set aside: 1 × a symbol that the channel never sends (a); 1 × its slot has sent different reports (b)"
    )
    with pytest.raises(Malformed, match="a report from a slot that was not asked") as refused:
        Batch.of(BIT, [other(answers(BIT, 1)[0], slot=BIT.slots.first + BIT.slots.count)])
    assert refused.value.code == "not-asked"


def test_nobody_left_is_an_error_that_says_why() -> None:
    ask = stored([[b"", b"{}"], answers(UNARY, 3)])
    with pytest.raises(InvalidInput, match=r"none of the stored reports answers.*2 rows set aside: 2 × not a report"):
        ask(BIT)


def test_order_and_partition_change_nothing() -> None:
    reports = answers(BIT)
    rows = [*reports, reports[3], other(reports[4], payload="01"), other(reports[4], payload="00")]
    expected = stored([rows])(BIT)
    order = np.random.default_rng(1).permutation(len(rows))
    shuffled = [[rows[index] for index in part] for part in np.array_split(order, 4)]
    ask = stored(shuffled)
    assert ask(BIT) == expected and sum(expected.reports) == 19
    assert ask.set_aside.total == len(rows) - 19

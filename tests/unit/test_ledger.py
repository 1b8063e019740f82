"""The ledger: one answer a survey, a cap for each source, spent before sent, the same bytes on retry."""

from __future__ import annotations

import multiprocessing
import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from sottovoce import design
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import Declined, InvalidInput, canonical
from tests.unit.test_hostile_questions import vote

PEOPLE = Collections.of_one([0.3, 0.4])


def ask(ledger: Ledger, *, epsilon: float = 1.0, survey: str = "steps", source: str = "pedometer") -> bytes:
    data = vote(epsilon, survey=survey).to_bytes()
    return respond(
        data,
        PEOPLE,
        slot=1,
        digest=canonical.digest(data),
        collector="lab",
        source=source,
        ledger=ledger,
        entropy=SystemEntropy(),
    )


def test_retry_resends_the_same_bytes_and_spends_once(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger", cap=4) as ledger:
        first = ask(ledger)
        assert all(ask(ledger) == first for _ in range(5))
        spent = ledger.spent("pedometer")
    with Ledger(tmp_path / "ledger", cap=4) as reopened:
        assert ask(reopened) == first
        assert reopened.spent("pedometer") == spent


def test_cost_is_the_proven_one() -> None:
    with Ledger(":memory:", cap=4) as ledger:
        ask(ledger)
        assert ledger.spent("pedometer") == design.unary(1.0, 10).epsilon_bound() <= 1


def test_cap_counts_all_surveys_of_a_source_exactly() -> None:
    with Ledger(":memory:", cap=1) as ledger:
        for number in range(8):
            ask(ledger, epsilon=0.125, survey=f"s{number}")
        with pytest.raises(Declined, match=r"over-budget.*costs 0.001 on top of 1"):
            ask(ledger, epsilon=0.001, survey="s8")
        assert Fraction(99, 100) < ledger.spent("pedometer") <= 1
        ask(ledger, epsilon=0.5, survey="other", source="music")
        assert ledger.spent("music") > 0


def test_a_failure_while_answering_spends_nothing() -> None:
    def fail() -> bytes:
        raise RuntimeError("power cut")

    with Ledger(":memory:", cap=1) as ledger:
        with pytest.raises(RuntimeError):
            ledger.answer(collector="lab", survey="s", source="a", question="q", epsilon=Fraction(1, 2), make=fail)
        assert ledger.surveys() == [] and ledger.spent("a") == 0


def test_same_survey_about_another_source_is_declined() -> None:
    with Ledger(":memory:", cap=4) as ledger:
        ask(ledger)
        with pytest.raises(Declined, match="already-answered"):
            ask(ledger, source="music")


def _race(arguments: tuple[str, int]) -> bytes:
    with Ledger(arguments[0], cap=1) as ledger:
        return ask(ledger)


def test_processes_that_race_send_the_same_report(tmp_path: Path) -> None:
    path = str(tmp_path / "ledger")
    Ledger(path, cap=1).close()
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        reports = pool.map(_race, [(path, number) for number in range(8)])
    assert len(set(reports)) == 1


def test_a_reader_that_holds_the_file_declines_and_does_not_wedge(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger", cap=4) as ledger:
        ask(ledger, survey="before")
        ledger._connection.execute("PRAGMA busy_timeout = 50")
        reader = sqlite3.connect(tmp_path / "ledger", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM answer").fetchall()
        with pytest.raises(Declined, match="ledger-unavailable"):
            ask(ledger)
        reader.close()
        assert ledger.surveys() == [("lab", "before")]
        assert ask(ledger)


def test_decimal_budgets_add_up_as_people_expect() -> None:
    with Ledger(":memory:", cap=0.3) as ledger:
        for number in range(3):
            ask(ledger, epsilon=0.1, survey=f"s{number}")
        with pytest.raises(Declined, match="over-budget"):
            ask(ledger, epsilon=0.1, survey="s3")


@pytest.mark.parametrize("cap", [0, -1, float("nan"), float("inf")])
def test_cap_must_be_positive(cap: float) -> None:
    with pytest.raises(InvalidInput, match="cap"):
        Ledger(":memory:", cap=cap)


def test_repr_shows_no_report() -> None:
    with Ledger(":memory:", cap=2) as ledger:
        ask(ledger)
        assert repr(ledger) == "<Ledger: cap 2>"

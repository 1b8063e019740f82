"""The outbox: in the ledger's file and transaction, the same bytes at every try, forgetful of capabilities only."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from sottovoce.client import Entry, Outbox, outbox
from sottovoce.device import Collections, Ledger
from sottovoce.messages import Declined, Manifest, Report
from tests.service.scripted import first_question, mean_manifest
from tests.support.questions import answered
from tests.unit.test_ledger import DIGEST, old, say

V2 = """
CREATE TABLE answer (
    collector TEXT NOT NULL, survey TEXT NOT NULL, source TEXT NOT NULL, question TEXT NOT NULL,
    slot INTEGER NOT NULL, epsilon TEXT NOT NULL, report BLOB NOT NULL, PRIMARY KEY (collector, survey));
CREATE TABLE total (source TEXT NOT NULL PRIMARY KEY, epsilon TEXT NOT NULL, answers INTEGER, bytes INTEGER);
INSERT INTO answer VALUES ('lab', 'one', 'steps', 'q', 5, '1/3', x'00');
INSERT INTO total VALUES ('steps', '1/3', 1, 1);
PRAGMA user_version = 2;
"""


OWN = {"slot": 7, "source": "ratings"}


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    return mean_manifest()


def answer(ledger: Ledger, manifest: Manifest, *, address: str = "http://localhost", capability: str = "c") -> bytes:
    data = first_question(manifest).to_bytes()
    beside = Outbox(ledger).posting(data, manifest=manifest, address=address, capability=capability)
    return answered(
        data, Collections.of_one([3, 4]), ledger, **OWN, collector=manifest.digest, manifest=manifest, beside=beside
    )


def pending(ledger: Ledger) -> list[Entry]:
    return [entry for entry in Outbox(ledger).history() if entry.capability and entry.acknowledged is None]


def test_an_answer_and_its_row_are_one(tmp_path: Path, manifest: Manifest) -> None:
    with Ledger(tmp_path / "ledger", cap=4) as ledger:
        report = answer(ledger, manifest)
    with Ledger(tmp_path / "ledger", cap=4) as ledger:  # nothing was sent yet, and the process ended
        (entry,) = pending(ledger)
        assert (entry.report, entry.slot, entry.capability) == (report, 7, "c")
        assert entry.question == first_question(manifest).to_bytes() and entry.digest == first_question(manifest).digest
        assert (entry.collector, entry.purpose) == ("Example University", "how good the lectures are")
        assert (entry.sent, entry.acknowledged, entry.closes, entry.used) == (None, None, manifest.closes, False)
        assert "capability" not in repr(entry) and "report" not in repr(entry)


def test_a_row_that_cannot_be_written_undoes_the_answer(manifest: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    with Ledger(":memory:", cap=4) as ledger:
        monkeypatch.setattr(outbox, "_POST", "INSERT INTO nowhere VALUES (1)")
        with pytest.raises(Declined, match="ledger-unavailable"):
            answer(ledger, manifest)
        assert ledger.surveys() == [] and ledger.spent("ratings") == 0


def test_times_are_kept_once_and_the_capability_until_arrival(manifest: Manifest) -> None:
    with Ledger(":memory:", cap=4) as ledger:
        box, report = Outbox(ledger), answer(ledger, manifest)
        for now in (10.0, 20.0):
            box.sent(manifest.digest, now=now)
        assert [entry.sent for entry in pending(ledger)] == [10.0]
        for now in (30.0, 40.0):
            box.acknowledged(manifest.digest, now=now)
        (entry,) = box.history()
        assert (entry.sent, entry.acknowledged, entry.capability) == (10.0, 30.0, "") and not pending(ledger)
        assert answer(ledger, manifest, capability="another") == report, "what has arrived is never made again"
        assert box.history() == [entry]


def test_what_is_given_up_keeps_its_answer_and_its_cost(manifest: Manifest) -> None:
    with Ledger(":memory:", cap=4) as ledger:
        box, report = Outbox(ledger), answer(ledger, manifest)
        spent = ledger.spent("ratings")
        box.given_up(manifest.digest, over=False)
        (entry,) = box.history()
        assert (entry.capability, entry.report, entry.acknowledged) == ("", report, None) and not pending(ledger)
        assert answer(ledger, manifest, capability="another") == report, "who tries again, sends the same"
        assert [one.capability for one in pending(ledger)] == ["another"] and ledger.spent("ratings") == spent


def test_a_retry_goes_where_the_collector_is_now_with_the_same_bytes(manifest: Manifest) -> None:
    with Ledger(":memory:", cap=4) as ledger:
        report = answer(ledger, manifest)
        assert answer(ledger, manifest, address="https://example.org", capability="new") == report
        (entry,) = pending(ledger)
        assert (entry.address, entry.capability, entry.report) == ("https://example.org", "new", report)
        assert ledger.spent("ratings") == entry.epsilon


def test_a_token_of_its_own_stays_the_same_until_it_is_done(tmp_path: Path, manifest: Manifest) -> None:
    made = iter("abc")
    tokens = []
    for _ in range(2):
        with Ledger(tmp_path / "ledger", cap=4) as ledger:
            tokens.append(Outbox(ledger).token(manifest.digest, make=lambda: next(made)))
            assert Outbox(ledger).token("another", make=lambda: "z") == "z"
    assert tokens == ["a", "a"]
    with Ledger(tmp_path / "ledger", cap=4) as ledger:
        answer(ledger, manifest)
        Outbox(ledger).acknowledged(manifest.digest, now=1)
        assert ledger._connection.execute("SELECT survey FROM token").fetchall() == [("another",)]


@pytest.mark.parametrize("version", [1, 2])
def test_older_ledgers_have_a_history_and_take_an_outbox(version: int, tmp_path: Path, manifest: Manifest) -> None:
    path = tmp_path / "ledger"
    if version == 1:
        old(path, ("lab", "one", "steps", DIGEST, "1/3", Report(question=DIGEST, slot=5, payload="00").to_bytes()))
    else:
        with sqlite3.connect(path) as file:
            file.executescript(V2)
        file.close()
    for again in range(2):
        with Ledger(path, cap=4) as ledger:
            answer(ledger, manifest)
            before, after = Outbox(ledger).history()
            assert (before.survey, before.slot, before.epsilon, before.collector) == ("one", 5, Fraction(1, 3), "lab")
            assert (before.address, before.sent, before.question) == ("", None, b"") and after.address
            assert [entry.survey for entry in pending(ledger)] == [manifest.digest], again


def test_a_seat_is_noted_once(tmp_path: Path, manifest: Manifest) -> None:
    with Ledger(tmp_path / "ledger", cap=4) as ledger:
        box = Outbox(ledger)
        assert box.seated(manifest.digest, 7, used=True) and box.seated(manifest.digest, 7, used=False)
        assert not box.seated(manifest.digest, 8, used=False) and not box.seated(manifest.digest, 8, used=True)
        answer(ledger, manifest)
        assert [entry.used for entry in box.history()] == [True], "of the slot that answered"


def test_questions_make_way_and_their_digests_stay(manifest: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(first_question(manifest).to_bytes())
    monkeypatch.setattr(outbox, "MAX_LEDGER_BYTES", size)
    with Ledger(":memory:", cap=4) as ledger:
        answer(ledger, manifest)
        answer(ledger, mean_manifest(retention_days=7))
        assert [len(entry.question) for entry in Outbox(ledger).history()] == [0, size]
        assert all(len(entry.digest) == 64 and entry.report for entry in Outbox(ledger).history())


def test_a_question_that_departs_leaves_no_trace(manifest: Manifest) -> None:
    with Ledger(":memory:", cap=4) as ledger:
        say(ledger)
        asked = first_question(mean_manifest(retention_days=7))
        own = OWN | {"collector": manifest.digest, "manifest": manifest}
        with pytest.raises(Declined, match=r"not-announced: .*it names another survey"):
            answered(asked.to_bytes(), Collections.of_one([3, 4]), ledger, **own)
        assert ledger.surveys() == [("lab", "s")]


def test_a_broken_outbox_declines(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger", cap=4) as ledger:
        ledger._connection.execute("CREATE TABLE outbox (other)")
        with pytest.raises(Declined, match="ledger-unavailable"):
            Outbox(ledger).history()
        assert say(ledger) == b"said", "the ledger itself is not in its way"

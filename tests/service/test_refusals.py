"""Uploads that are refused are counted, by survey and reason, over all workers; nothing else is kept of them."""

from __future__ import annotations

import io
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sottovoce import service
from sottovoce.messages import Fact
from sottovoce.service import Store, new_administrator, open_store, restore, running
from sottovoce.service.store import Missing, Unavailable
from tests.service.web import NDJSON, Clock, Web, manifest_of, serving
from tests.support.patience import eventually
from tests.support.surveys import SURVEY, begin


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened


def test_a_store_adds_up_what_was_refused(store: Store) -> None:
    begin(store)
    assert store.refused(SURVEY) == {}
    store.refuse({(SURVEY, "malformed"): 2, (SURVEY, "closed"): 1})
    store.refuse({(SURVEY, "malformed"): 3})
    assert list(store.refused(SURVEY).items()) == [("closed", 1), ("malformed", 5)]
    with pytest.raises(Missing):
        store.refuse({(SURVEY, "malformed"): 1, ("f" * 64, "malformed"): 1})
    assert store.refused(SURVEY)["malformed"] == 5, "all or none"
    assert store.refused("f" * 64) == {}


def test_a_backup_has_the_counts(store: Store, tmp_path: Path) -> None:
    begin(store)
    store.refuse({(SURVEY, "early"): 7})
    store.backup(tmp_path / "backup.db")
    restore(tmp_path / "backup.db", f"sqlite:{tmp_path / 'again.db'}")
    with open_store(f"sqlite:{tmp_path / 'again.db'}") as again:
        assert again.refused(SURVEY) == {"early": 7}


def test_a_store_of_the_version_before_gets_the_table(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(f"sqlite:{path}") as store:
        begin(store)
    connection = sqlite3.connect(path)
    connection.execute("ALTER TABLE seat DROP COLUMN visit")
    connection.execute("DROP TABLE refusal")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    with open_store(f"sqlite:{path}") as store:
        store.refuse({(SURVEY, "busy"): 1})
        assert store.refused(SURVEY) == {"busy": 1} and [row.id for row in store.surveys()] == [SURVEY]


def words(code: str) -> str:
    return str(Fact("page-refused", code=code))


def told(web: Web, survey: str) -> dict[str, int]:
    rounds = web.ask("GET", f"/surveys/{survey}/rounds").plain
    assert all(one["words"] == words(one["code"]) for one in rounds["refused"])
    return {one["code"]: one["count"] for one in rounds["refused"]}


def ticked(web: Web) -> None:
    """As a tick does it, at once."""
    state = web.running.application.state  # type: ignore[attr-defined]
    counts, state.refusals = state.refusals, Counter()
    web.store.refuse(counts)


def test_workers_count_together(url: str) -> None:
    clock = Clock()
    with open_store(url) as store, ExitStack() as stack:
        admin = new_administrator(store)
        workers = [stack.enter_context(running(store, clock=clock, log=io.StringIO())) for _ in range(2)]
        webs = [Web(store=store, clock=clock, running=one, admin=admin, log=io.StringIO()) for one in workers]
        survey = webs[0].create(manifest_of(purpose="refused together"))
        for web in webs:
            web.collector.survey(survey)
            assert web.post(survey, 1, b"{}").status == 400
            assert web.post(survey, 1, token="0" * 32).status == 403
        assert webs[0].ask("POST", f"/surveys/{survey}/enrol", token="A" * 43).status == 401
        for web in webs:
            ticked(web)
        counted = {"forbidden": 2, "malformed": 2, "unauthorised": 1}
        assert eventually(lambda: told(webs[0], survey) == told(webs[1], survey) == counted)


def test_rows_enrolments_and_reports_are_counted_and_nothing_else(tmp_path: Path) -> None:
    with serving(tmp_path) as web:
        survey, other = web.create(manifest_of(purpose="counted")), web.create(manifest_of(purpose="left alone"))
        own = [web.capability(survey, slot) for slot in range(3)]
        rows = [[0, "00", own[0]], [0, "01", own[0]], [1, "ff", own[1]], [2, "00", own[0]], []]
        sent = web.send_batch(survey, rows)
        assert sent.plain["statuses"] == [201, 409, 400, 403, 400]
        assert web.ask("POST", f"/surveys/{survey}/batches", "[]", media=NDJSON).status == 400
        assert web.post(survey, 1, media="text/plain").status == 415
        assert web.ask("POST", f"/surveys/{survey}/invitations", "{}").status == 401
        assert web.ask("GET", f"/surveys/{survey}/estimate").status == 425
        assert web.post("0" * 64, 1, b"{}", token=own[0]).status == 400
        ticked(web)
        counted = {"conflict": 1, "forbidden": 1, "malformed": 3, "media-type": 1}
        assert eventually(lambda: told(web, survey) == counted)
        assert told(web, other) == {}


def test_counts_are_written_by_themselves_and_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as web:
        survey, refuse, tries = web.create(manifest_of(purpose="kept")), web.store.refuse, []

        def failing(counts: dict[tuple[str, str], int]) -> None:
            tries.append(counts)
            if len(tries) == 1:
                raise Unavailable("the disk is full")
            refuse(counts)

        monkeypatch.setattr(web.store, "refuse", failing)
        assert web.post(survey, 1, b"{}").status == 400
        assert eventually(lambda: web.store.refused(survey))
        assert web.store.refused(survey) == {"malformed": 1} and len(tries) == 2, "a tick writes it, the next one again"
        assert web.post(survey, 1, b"{}").status == 400
    with open_store(f"sqlite:{tmp_path / 'store.db'}") as store:
        assert store.refused(survey) == {"malformed": 2}


def test_every_code_with_which_an_upload_is_refused_has_words() -> None:
    folder = Path(service.__file__).parent
    found: set[str] = set()
    for name in ("asgi", "report_checks", "errors", "http", "handlers", "survey"):
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        for match in re.findall(r'code="([a-z-]+)"|refusal\(\s*\d+,\s*"([a-z-]+)"|\(\d+, "([a-z-]+)", "', text):
            found |= {code for code in match if code}
    found -= {"other-edition", "unavailable"}  # a round that this release cannot close, and health: no uploads
    bare = {code for code in found if words(code) == code}
    assert len(found) > 10 and not bare, bare
    assert words("of another version") == "of another version"

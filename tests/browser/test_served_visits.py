"""The client in a browser and a collector in a process of its own, which also serves the client's modules."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sottovoce.messages import Report, digest
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.problems.vector import VectorMean
from sottovoce.service import Collector, Store, open_store
from tests.browser.devices import Pages, pages, run
from tests.service.web import manifest_of
from tests.support.browser import Browser
from tests.support.served import Served

LOAD = """
globalThis.step = async (name, ...all) => {
  const { Device } = await import("/web/client/device.js");
  globalThis.device ??= await Device.open({ cap: 4, source: "r", spreadSeconds: 0.2 });
  const { manifest, asked, ...told } = await device[name](...all);
  return { ...told, manifest: Boolean(manifest), asked: Boolean(asked) };
};
"""
MEAN = Mean(epsilon=1.0, low=1, high=5, users=40, observations=20, method="one-round")
ASKED = {
    "mean": (MEAN, [3, 4, 5]),
    "histogram": (Histogram(epsilon=1.0, low=0, high=10, bins=8, users=60, observations=4), [1, 2, 2, 9]),
    "vector": (VectorMean(epsilon=2.0, dimension=3, users=60, observations=2), [[0.5, 0.1, -1.0], [0.25, 0.0, 1.0]]),
}


class Desk:
    """A collector that runs, and its store."""

    def __init__(self, store: Store, url: str) -> None:
        self.store, self.url = store, url
        self.collector = Collector(store, clock=time.time)

    def invitations(self, settings: Any = MEAN, count: int = 1, **more: Any) -> list[str]:
        now = int(time.time())
        manifest = manifest_of(settings, **({"opens": now - 5, "closes": now + 3600, "minimum": 1} | more))
        self.collector.create(manifest)
        if manifest.access == "open":
            return [f"{self.url}/surveys/{manifest.digest}/participate#{manifest.digest}"]
        return list(self.collector.invite(manifest.digest, count=count, base=self.url))

    def count(self, invitation: str) -> int:
        """How many reports its round has."""
        return self.store.count(self.collector.survey(survey_of(invitation), fresh=True).last.key)

    def reports(self, invitation: str) -> list[tuple[int, bytes | None]]:
        """Those of its round, which is closed for it."""
        return self.store.counted(self.collector.close(survey_of(invitation), 0, by="a test").key, after=-1)


def survey_of(invitation: str) -> str:
    return invitation.partition("#")[2].partition(".")[0]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    url = f"sqlite:{tmp_path_factory.mktemp('served') / 'store.db'}"
    with open_store(url) as store, Served(url) as server:
        yield Desk(store, server.url)


@pytest.fixture
def tabs(browser: Browser, desk: Desk) -> Iterator[Pages]:
    with pages(browser, desk.url, modules=False) as made:
        yield made


@pytest.fixture
def tab(tabs: Pages) -> Any:
    return tabs.tab(LOAD)


def step(page: Any, name: str, *told: Any) -> Any:
    return run(page, "return step(...told);", [name, *told])


def held(desk: Desk, outcome: Any, invitation: str) -> None:
    """The collector holds just the report that the receipt shows."""
    report = Report.from_bytes(outcome["receipt"]["report"].encode())
    assert outcome["receipt"]["reportDigest"] == digest(report.to_bytes())
    assert desk.reports(invitation) == [(report.slot, bytes.fromhex(report.payload))]


@pytest.mark.parametrize("name", ASKED)
def test_a_survey_is_looked_at_asked_and_answered(name: str, desk: Desk, tab: Any, tabs: Pages) -> None:
    settings, observations = ASKED[name]
    (invitation,) = desk.invitations(settings)
    assert step(tab, "look", invitation)["state"] == "open"
    assert step(tab, "ask", invitation)["state"] == "asked"
    outcome = step(tab, "answer", invitation, observations)
    assert (outcome["state"], outcome["code"], outcome["before"]) == ("answered", "stored", False)
    held(desk, outcome, invitation)
    assert all(asked.url.startswith(desk.url) for asked in tabs.requests)
    assert sum(asked.url.endswith("/reports") for asked in tabs.requests) == 1


def test_a_round_that_is_not_open_yet_is_waited_for(desk: Desk, tab: Any) -> None:
    """Slots are dealt ahead: some of these people are asked in the first round, the others later."""
    adaptive = Mean(epsilon=1.0, low=1, high=5, users=400, observations=20, method="adaptive")
    outcomes = [step(tab, "ask", one) for one in desk.invitations(adaptive, count=12, enrolment="ahead")[:12]]
    assert {one["state"] for one in outcomes} == {"asked", "waiting"}
    waiting = next(one for one in outcomes if one["state"] == "waiting")
    assert waiting["code"] == "early" and waiting["againAt"] > time.time() - 60 and waiting["slot"] is not None
    early = step(tab, "ask", desk.invitations(opens=int(time.time()) + 900)[0])
    assert (early["state"], early["why"]["code"]) == ("waiting", "outcome-early")
    assert early["againAt"] == pytest.approx(time.time() + 900, abs=60)


def test_offline_and_back_the_same_bytes_arrive(desk: Desk, tab: Any, tabs: Pages) -> None:
    (invitation,) = desk.invitations(retention_days=11)
    assert step(tab, "ask", invitation)["state"] == "asked"
    tabs.context.set_offline(True)
    outcome = step(tab, "answer", invitation, [3, 4])
    assert (outcome["state"], outcome["code"]) == ("waiting", "unreachable")
    assert desk.count(invitation) == 0
    tabs.context.set_offline(False)
    tab.reload()
    later = step(tab, "send", invitation)
    assert later["state"] == "answered" and later["receipt"]["report"] == outcome["receipt"]["report"]
    held(desk, later, invitation)


def test_cleared_storage_is_noticed(desk: Desk, tab: Any, tabs: Pages) -> None:
    (invitation,) = desk.invitations(retention_days=12)
    assert step(tab, "answer", invitation, [3, 4])["state"] == "answered"
    session = tabs.context.new_cdp_session(tab)
    session.send("Storage.clearDataForOrigin", {"origin": desk.url, "storageTypes": "all"})
    tab.reload()
    outcome = step(tab, "answer", invitation, [3, 4])
    assert (outcome["state"], outcome["code"]) == ("declined", "ledger-lost")
    assert desk.count(invitation) == 1
    assert sum(asked.url.endswith("/reports") for asked in tabs.requests) == 1


def test_a_lost_reply_is_told_from_a_lost_ledger(desk: Desk, tab: Any, tabs: Pages) -> None:
    """The collector has the enrolment, the page never hears of it and is loaded again; then the same after clearing."""
    (invitation,) = desk.invitations(retention_days=17)

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    def cut_off() -> None:
        tab.route("**/enrol", lose)
        assert step(tab, "ask", invitation, {"patienceSeconds": 0})["code"] == "unreachable"
        tab.unroute("**/enrol")
        tab.reload()

    cut_off()
    outcome = step(tab, "answer", invitation, [3, 4])
    assert (outcome["state"], outcome["before"]) == ("answered", False)
    session = tabs.context.new_cdp_session(tab)
    session.send("Storage.clearDataForOrigin", {"origin": desk.url, "storageTypes": "all"})
    tab.reload()
    cut_off()
    assert step(tab, "answer", invitation, [3, 4])["code"] == "ledger-lost"
    held(desk, outcome, invitation)


def test_an_open_survey_cannot_notice_it(desk: Desk, tab: Any, tabs: Pages) -> None:
    """The token was in the ledger: as PRIVACY.md says."""
    (invitation,) = desk.invitations(retention_days=13, access="open")
    assert step(tab, "answer", invitation, [3, 4])["state"] == "answered"
    assert step(tab, "answer", invitation, [3, 4])["code"] == "before"
    session = tabs.context.new_cdp_session(tab)
    session.send("Storage.clearDataForOrigin", {"origin": desk.url, "storageTypes": "all"})
    tab.reload()
    assert step(tab, "answer", invitation, [3, 4])["state"] == "answered"
    assert desk.count(invitation) == 2


def test_a_token_that_was_not_given_out(desk: Desk, tab: Any) -> None:
    (invitation,) = desk.invitations(retention_days=14)
    outcome = step(tab, "ask", f"{invitation.rpartition('#')[0]}#{survey_of(invitation)}.{'x' * 43}")
    assert (outcome["state"], outcome["code"]) == ("refused", "unauthorised")


def test_a_survey_that_closes_while_its_page_is_open(desk: Desk, tab: Any) -> None:
    first, invitation = desk.invitations(count=2, retention_days=15)
    assert step(tab, "answer", first, [3, 4])["state"] == "answered"
    tab.evaluate("indexedDB.deleteDatabase('sottovoce')")  # another person's browser from here on
    tab.reload()
    assert step(tab, "ask", invitation)["state"] == "asked"
    desk.collector.close(survey_of(invitation), 0, by="a test")
    time.sleep(1.5)  # until the server looks again
    outcome = step(tab, "answer", invitation, [3, 4])
    assert outcome["state"] in ("over", "missed") and outcome["epsilon"] is None, "nothing is spent"
    assert step(tab, "look", f"{desk.url}/surveys/{'0' * 64}#{'0' * 64}")["code"] == "not-found"


def test_python_and_a_browser_do_not_share_a_seat(desk: Desk, tab: Any, tmp_path: Path) -> None:
    """An invitation that was used elsewhere is not used again."""
    import sottovoce as sv

    (invitation,) = desk.invitations(retention_days=16)
    with sv.Ledger(tmp_path / "ledger", cap=4) as ledger:
        assert sv.Device(ledger=ledger, source="r").answer(invitation, [3, 4]).state == "answered"
    assert step(tab, "answer", invitation, [3, 4])["code"] == "ledger-lost"
    assert desk.count(invitation) == 1

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
from tests.browser.devices import Pages, pages, run
from tests.browser.house import MEAN, House
from tests.support.browser import Browser

LOAD = """
globalThis.step = async (name, ...all) => {
  const { Device } = await import("/web/client/device.js");
  globalThis.device ??= await Device.open({ cap: 4, source: "r", spreadSeconds: 0.2 });
  const { manifest, asked, ...told } = await device[name](...all);
  return { ...told, manifest: Boolean(manifest), asked: Boolean(asked) };
};
"""
ASKED = {
    "mean": (MEAN, [3, 4, 5]),
    "histogram": (Histogram(epsilon=1.0, low=0, high=10, bins=8, users=60, observations=4), [1, 2, 2, 9]),
    "vector": (VectorMean(epsilon=2.0, dimension=3, users=60, observations=2), [[0.5, 0.1, -1.0], [0.25, 0.0, 1.0]]),
}


def invitations(served: House, settings: Any = MEAN, count: int = 1, **more: Any) -> list[str]:
    """To a survey of its own."""
    manifest = served.announce(settings, **more)
    if manifest.access == "open":
        return [f"{served.url}/surveys/{manifest.digest}/participate#{manifest.digest}"]
    return list(served.collector.invite(manifest.digest, count=count, base=served.url))


def count(served: House, invitation: str) -> int:
    """How many reports its round has."""
    return served.store.count(served.collector.survey(survey_of(invitation), fresh=True).last.key)


def survey_of(invitation: str) -> str:
    return invitation.partition("#")[2].partition(".")[0]


@pytest.fixture
def tabs(browser: Browser, served: House) -> Iterator[Pages]:
    with pages(browser, served.url, modules=False) as made:
        yield made


@pytest.fixture
def tab(tabs: Pages) -> Any:
    return tabs.tab(LOAD)


def step(page: Any, name: str, *told: Any) -> Any:
    return run(page, "return step(...told);", [name, *told])


def held(served: House, outcome: Any, invitation: str) -> None:
    """The collector holds just the report that the receipt shows."""
    report = Report.from_bytes(outcome["receipt"]["report"].encode())
    assert outcome["receipt"]["reportDigest"] == digest(report.to_bytes())
    closed = served.collector.close(survey_of(invitation), 0, by="a test")
    assert served.store.counted(closed.key, after=-1) == [(report.slot, bytes.fromhex(report.payload))]


@pytest.mark.parametrize("name", ASKED)
def test_a_survey_is_looked_at_asked_and_answered(name: str, served: House, tab: Any, tabs: Pages) -> None:
    settings, observations = ASKED[name]
    (invitation,) = invitations(served, settings)
    assert step(tab, "look", invitation)["state"] == "open"
    assert step(tab, "ask", invitation)["state"] == "asked"
    outcome = step(tab, "answer", invitation, observations)
    assert (outcome["state"], outcome["code"], outcome["before"]) == ("answered", "stored", False)
    held(served, outcome, invitation)
    assert all(asked.url.startswith(served.url) for asked in tabs.requests)
    assert sum(asked.url.endswith("/reports") for asked in tabs.requests) == 1


def test_a_round_that_is_not_open_yet_is_waited_for(served: House, tab: Any) -> None:
    """Slots are dealt ahead: some of these people are asked in the first round, the others later."""
    adaptive = Mean(epsilon=1.0, low=1, high=5, users=400, observations=20, method="adaptive")
    outcomes = [step(tab, "ask", one) for one in invitations(served, adaptive, count=12, enrolment="ahead")[:12]]
    assert {one["state"] for one in outcomes} == {"asked", "waiting"}
    waiting = next(one for one in outcomes if one["state"] == "waiting")
    assert waiting["code"] == "early" and waiting["againAt"] > time.time() - 60 and waiting["slot"] is not None
    early = step(tab, "ask", invitations(served, opens=int(time.time()) + 900)[0])
    assert (early["state"], early["why"]["code"]) == ("waiting", "outcome-early")
    assert early["againAt"] == pytest.approx(time.time() + 900, abs=60)


def test_offline_and_back_the_same_bytes_arrive(served: House, tab: Any, tabs: Pages) -> None:
    (invitation,) = invitations(served, retention_days=11)
    assert step(tab, "ask", invitation)["state"] == "asked"
    tabs.context.set_offline(True)
    outcome = step(tab, "answer", invitation, [3, 4])
    assert (outcome["state"], outcome["code"]) == ("waiting", "unreachable")
    assert count(served, invitation) == 0
    tabs.context.set_offline(False)
    tab.reload()
    later = step(tab, "send", invitation)
    assert later["state"] == "answered" and later["receipt"]["report"] == outcome["receipt"]["report"]
    held(served, later, invitation)


def test_cleared_storage_is_noticed(served: House, tab: Any, tabs: Pages) -> None:
    (invitation,) = invitations(served, retention_days=12)
    assert step(tab, "answer", invitation, [3, 4])["state"] == "answered"
    session = tabs.context.new_cdp_session(tab)
    session.send("Storage.clearDataForOrigin", {"origin": served.url, "storageTypes": "all"})
    tab.reload()
    outcome = step(tab, "answer", invitation, [3, 4])
    assert (outcome["state"], outcome["code"]) == ("declined", "ledger-lost")
    assert count(served, invitation) == 1
    assert sum(asked.url.endswith("/reports") for asked in tabs.requests) == 1


def test_a_lost_reply_is_told_from_a_lost_ledger(served: House, tab: Any, tabs: Pages) -> None:
    """The collector has the enrolment, the page never hears of it and is loaded again; then the same after clearing."""
    (invitation,) = invitations(served, retention_days=17)

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
    session.send("Storage.clearDataForOrigin", {"origin": served.url, "storageTypes": "all"})
    tab.reload()
    cut_off()
    assert step(tab, "answer", invitation, [3, 4])["code"] == "ledger-lost"
    held(served, outcome, invitation)


def test_an_open_survey_cannot_notice_it(served: House, tab: Any, tabs: Pages) -> None:
    """The token was in the ledger: as PRIVACY.md says."""
    (invitation,) = invitations(served, retention_days=13, access="open")
    assert step(tab, "answer", invitation, [3, 4])["state"] == "answered"
    assert step(tab, "answer", invitation, [3, 4])["code"] == "before"
    session = tabs.context.new_cdp_session(tab)
    session.send("Storage.clearDataForOrigin", {"origin": served.url, "storageTypes": "all"})
    tab.reload()
    assert step(tab, "answer", invitation, [3, 4])["state"] == "answered"
    assert count(served, invitation) == 2


def test_a_token_that_was_not_given_out(served: House, tab: Any) -> None:
    (invitation,) = invitations(served, retention_days=14)
    outcome = step(tab, "ask", f"{invitation.rpartition('#')[0]}#{survey_of(invitation)}.{'x' * 43}")
    assert (outcome["state"], outcome["code"]) == ("refused", "unauthorised")


def test_a_survey_that_closes_while_its_page_is_open(served: House, tab: Any) -> None:
    first, invitation = invitations(served, count=2, retention_days=15)
    assert step(tab, "answer", first, [3, 4])["state"] == "answered"
    tab.evaluate("indexedDB.deleteDatabase('sottovoce')")  # another person's browser from here on
    tab.reload()
    assert step(tab, "ask", invitation)["state"] == "asked"
    served.collector.close(survey_of(invitation), 0, by="a test")
    time.sleep(1.5)  # until the server looks again
    outcome = step(tab, "answer", invitation, [3, 4])
    assert outcome["state"] in ("over", "missed") and outcome["epsilon"] is None, "nothing is spent"
    assert step(tab, "look", f"{served.url}/surveys/{'0' * 64}#{'0' * 64}")["code"] == "not-found"


def test_python_and_a_browser_do_not_share_a_seat(served: House, tab: Any, tmp_path: Path) -> None:
    """An invitation that was used elsewhere is not used again."""
    import sottovoce as sv

    (invitation,) = invitations(served, retention_days=16)
    with sv.Ledger(tmp_path / "ledger", cap=4) as ledger:
        assert sv.Device(ledger=ledger, source="r").answer(invitation, [3, 4]).state == "answered"
    assert step(tab, "answer", invitation, [3, 4])["code"] == "ledger-lost"
    assert count(served, invitation) == 1

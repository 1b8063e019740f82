"""A person answers in a real browser, against a real collector: from the invitation to the transcript."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sottovoce.messages import Report
from sottovoce.problems import Settings
from tests.browser.answering import Person, person
from tests.browser.hands import Keyboard
from tests.browser.house import HISTOGRAM, MEAN, VECTOR, House
from tests.support.browser import DESK, PHONE, Browser

PRIVATE = "zqxvwk"


@pytest.fixture(scope="module")
def ratings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "ratings.csv"
    path.write_text(f"film,stars\n{PRIVATE} one,4.19283\n{PRIVATE} two,3.01927\nthree,{PRIVATE}\nfour,\n")
    return path


STARS = ("4.19283", "3.01927", PRIVATE)


@dataclass(frozen=True)
class Case:
    settings: Settings
    more: dict[str, Any]
    file: str
    private: tuple[str, ...]
    read: str
    own: tuple[str, ...]
    width: int
    dark: bool


CASES = {
    "mean": Case(
        MEAN, {"columns": ("stars",)}, f"film,stars\n{PRIVATE},4.19283\nb,3.01927\nc,odd\n",
        ("4.19283", "3.01927", PRIVATE), "3 observations read, 1 of them missing", ("3.606",), PHONE, False,
    ),
    "histogram": Case(
        HISTOGRAM, {"purpose": "how people travel", "columns": ("way",)}, "day,way\n1,bicycle\n2,bicycle\n3,feet\n",
        ("bicycle", "feet"), "3 observations read", ("66.7 %",), DESK, True,
    ),
    "vector": Case(
        VECTOR, {"purpose": "three scores", "columns": ("a", "b", "c")}, "c,b,a\n-2.71828,1.41421,1.61803\n",
        ("2.71828", "1.41421", "1.61803"), "1 row read", ("1.618", "1.414", "−2.718"), PHONE, True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_from_the_invitation_to_the_transcript(name: str, browser: Browser, served: House, tmp_path: Path) -> None:
    case = CASES[name]
    manifest = served.announce(case.settings, **case.more)
    path = tmp_path / "own.csv"
    path.write_text(case.file)
    with person(browser, case.width, dark=case.dark) as one:
        one.open(served.invite(manifest))
        assert "The students' union would like one short answer" in one.text("#asked")
        assert "is the one that your invitation names" in one.text("#program")
        one.give(path)
        assert case.read in one.text("#data")
        if name == "mean":
            one.check(f"{name}: data given")
        assert one.wire.posts("/enrol") == [], "nobody takes a place before they say so"
        one.see()
        assert any(own in one.text("#seen") for own in case.own)
        assert "of 100 people with other data send the same" in one.text("#headline")
        assert one.wire.posts("/reports") == []
        one.check(f"{name}: what would be sent")
        one.send()
        one.told("Sent. Thank you.")
        (sent,) = one.wire.posts("/reports")
        shown = one.text("#receipt")
        assert sent in shown
        assert hashlib.sha256(sent.encode()).hexdigest() in shown
        assert manifest.digest in shown and Report.from_bytes(sent.encode()).question in shown
        assert "Your device " in shown
        assert "Your round is not closed yet" in one.text("#transcript")
        if name == "mean":
            one.check(f"{name}: receipt")
        assert served.reports(manifest) == 1
        with one.page.expect_download() as saved:
            one.page.get_by_role("button", name="Save the receipt").click()
        kept = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
        assert (kept["report"], kept["survey"]) == (sent, manifest.digest)
        if name == "vector":
            served.others(manifest, 5, [[1.0, 2.0, 3.0]])  # each third of the people is asked for another column
        served.close(manifest)
        report = Report.from_bytes(sent.encode())
        counted = served.store.counted(served.store.rounds(manifest.digest)[0].key, after=-1)
        assert (report.slot, bytes.fromhex(report.payload)) in counted
        for _ in range(300):  # a collector may be a second behind its own store
            if "Your question is round 1 of the transcript" in one.text("#transcript"):
                break
            again = one.page.get_by_role("button", name="Look again")
            if again.is_visible():
                again.click()
            one.page.wait_for_timeout(200)
        else:
            raise AssertionError(one.text("#transcript"))
        one.page.reload()
        one.told("Your question is round 1 of the transcript")
        one.wire.check(*case.private)


def test_two_tabs_at_once_make_one_report(browser: Browser, served: House, ratings: Path) -> None:
    manifest = served.announce(columns=("stars",), purpose="two tabs")
    invitation = served.invite(manifest)
    with person(browser, DESK) as one:
        other = Person(type(one.view)(page=one.page.context.new_page()), one.wire)
        for each in (one, other):
            each.open(invitation)
            each.give(ratings)
            each.see()
        for each in (one, other):
            each.send()
        for each in (one, other):
            each.page.locator("#receipt").wait_for()
        reports = one.wire.posts("/reports")
        assert len(reports) == 1
        assert one.text("#report") == other.text("#report") == reports[0]
        assert "The collector has your report" in one.text("#arrived")
        assert "This browser answered it before" in other.text("#arrived"), "what was given there last went nowhere"
        assert served.reports(manifest) == 1
        one.wire.check(*STARS)


def test_a_reload_loses_nothing_but_the_data(browser: Browser, served: House, ratings: Path) -> None:
    manifest = served.announce(columns=("stars",), purpose="reloads")
    with person(browser, PHONE) as one:
        one.open(served.invite(manifest))
        one.text("#data")
        one.page.reload()
        one.give(ratings)
        one.page.reload()
        one.give(ratings)
        one.see()
        one.page.reload()
        one.told("Your place in the survey is kept")
        one.give(ratings)
        one.see()
        one.send()
        one.told("Sent. Thank you.")
        report = one.text("#report")
        one.page.reload()
        one.told("You have answered this survey")
        assert one.text("#report") == report
        assert "Your device said" in one.text("#receipt")
        assert len(one.wire.posts("/reports")) == 1
        one.wire.check(*STARS)


def test_what_is_made_offline_is_sent_later_to_the_byte(browser: Browser, served: House, ratings: Path) -> None:
    manifest = served.announce(columns=("stars",), purpose="trains")
    with person(browser, PHONE, dark=True) as one:
        one.open(served.invite(manifest))
        one.give(ratings)
        one.see()
        one.page.context.set_offline(True)
        one.send()
        one.told("It will be sent when you are online")
        report = one.text("#report")
        assert served.reports(manifest) == 0
        one.view.errors.clear()  # that a request failed is said in the console
        one.check("stored")
        one.page.context.set_offline(False)
        one.told("Sent. Thank you.")
        assert one.wire.posts("/reports")[-1] == report == one.text("#report")
        assert set(one.wire.posts("/reports")) == {report}
        assert served.reports(manifest) == 1
        one.wire.check(*STARS)


def test_a_report_that_waits_is_sent_after_a_reload(browser: Browser, served: House, ratings: Path) -> None:
    manifest = served.announce(columns=("stars",), purpose="closed laptops")
    with person(browser, DESK) as one:
        one.open(served.invite(manifest))
        one.give(ratings)
        one.see()
        one.page.context.set_offline(True)
        one.send()
        report = one.text("#report")
        one.page.route("**/reports", lambda route: route.abort())
        one.page.context.set_offline(False)
        one.page.unroute("**/reports")
        one.page.reload()
        one.page.locator("#transcript").wait_for()
        assert one.text("#report") == report
        assert served.reports(manifest) == 1


def test_cleared_storage_is_told_and_nothing_is_sent(browser: Browser, served: House, ratings: Path) -> None:
    manifest = served.announce(columns=("stars",), purpose="cleared")
    with person(browser, PHONE) as one:
        one.open(served.invite(manifest))
        one.give(ratings)
        one.see()
        session = one.page.context.new_cdp_session(one.page)
        session.send("Storage.clearDataForOrigin", {"origin": served.url, "storageTypes": "all"})
        one.page.reload()
        one.give(ratings)
        one.page.get_by_role("button", name="See what would be sent").click()
        one.told("This invitation was used before")
        assert "its storage was cleared" in one.text("#ended")
        one.check("storage cleared")
        assert one.wire.posts("/reports") == []


def test_the_whole_path_by_keyboard(browser: Browser, served: House) -> None:
    manifest = served.announce(HISTOGRAM, purpose="by keyboard")
    with person(browser, DESK) as one:
        one.open(served.invite(manifest))
        one.text("#data")
        one.page.locator("body").press("Tab")

        keys = Keyboard(one.view)
        keys.press("summary")
        one.told("protects nobody from that collector")
        one.check("what the page can promise")
        keys.type("#typed", "bus, train").press(".chip")
        assert "3 observations read" in one.text("#data")
        keys.press("#data .row button")
        one.page.locator("button#send").wait_for()
        assert one.page.evaluate("document.activeElement.id") == "seen-title", "focus goes on with the steps"
        keys.press("button#send")
        one.page.locator("#receipt").wait_for()
        assert one.page.evaluate("document.activeElement.id") == "receipt-title"
        assert served.reports(manifest) == 1

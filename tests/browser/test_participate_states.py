"""What the participate page says when there is nothing to answer, or nothing that may be answered."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sottovoce.messages import Manifest, Question, canonical
from sottovoce.problems.mean import Mean
from tests.browser.answering import Person, person
from tests.browser.house import MEAN, House
from tests.support.browser import PHONE, Browser

LATER = Mean(epsilon=1.0, low=1, high=5, users=40, observations=20, method="paper")


@pytest.fixture
def one(browser: Browser) -> Iterator[Person]:
    with person(browser, PHONE) as made:
        yield made


def give(one: Person, words: str = "4.19283, 3.01927") -> None:
    one.page.locator("#typed").fill(words)
    one.page.get_by_role("button", name="See what would be sent").click()


# --- a collector that does not keep to what it said ----------------------------------------------------------------


def told(body: bytes, change: Callable[[Any], None]) -> bytes:
    plain = json.loads(body)
    change(plain)
    return canonical.dumps(plain)


def costly(plain: Any) -> None:
    """A channel that gives away everything: the declared ε stays."""
    for row in plain["channel"]["rows"]:
        row[:] = ["1"] * (len(row) - 1) + [str(2**64 - len(row) + 1)]
    plain["channel"]["rows"][0] = plain["channel"]["rows"][0][::-1]


def elsewhere(plain: Any) -> None:
    """Another range, which would single people out."""
    plain["encoder"]["placement"]["low"] = [4.0]


def dearer(plain: Any) -> None:
    plain["epsilon"] = 3.5


HOSTILE = {
    "a costly channel": ("question", costly, "not-announced"),
    "another range": ("question", elsewhere, "not-announced"),
    "another price": ("question", dearer, "not-announced"),
    "bytes of another digest": ("digest", lambda plain: plain.update(round=1), "wrong-digest"),
    "another manifest": ("manifest", lambda plain: plain.update(purpose="something kinder"), "wrong-digest"),
    "a manifest of a larger price": (
        "manifest",
        lambda plain: plain["rules"]["waves"][0].update(epsilon=4.0),
        "wrong-digest",
    ),
}


@pytest.fixture(scope="module")
def honest(served: House) -> Manifest:
    return served.announce(purpose="hostile")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_collector_gets_no_report(name: str, one: Person, served: House, honest: Manifest) -> None:
    where, change, code = HOSTILE[name]
    forged = told(served.collector.survey(honest.digest).question.to_bytes(), change) if where != "manifest" else b""

    def progress(route: Any) -> None:
        reply = route.fetch()
        plain = reply.json()
        plain["round"]["question"] = canonical.digest(forged)
        route.fulfill(response=reply, json=plain)

    if where == "manifest":
        body = told(honest.to_bytes(), change)
        one.page.route("**/manifest", lambda route: route.fulfill(body=body, content_type="application/json"))
    else:
        one.page.route("**/question", lambda route: route.fulfill(body=forged, content_type="application/json"))
        if where == "question":
            one.page.route("**/progress", progress)
    one.open(served.invite(honest))
    if where != "manifest":
        give(one)
    one.told("This device declines")
    assert code in str(one.page.locator("#code").text_content())
    assert "Nothing was sent" in one.text("#ended")
    if name == "another range":
        one.check(name)
    assert one.wire.posts("/reports") == []
    one.wire.check("4.19283", "3.01927")


# --- not yet, or no longer ------------------------------------------------------------------------------------------


def test_a_survey_that_has_not_opened_says_when_and_opens_by_itself(one: Person, served: House) -> None:
    manifest = served.announce(purpose="early", opens=int(time.time()) + 3600)
    one.page.clock.install()
    one.open(served.invite(manifest))
    one.told("The survey opens on")
    assert "looks again by itself in 1" in one.text("#waiting")
    one.page.clock.resume()
    one.check("early")
    one.page.clock.fast_forward("01:00:10")
    one.page.locator("#typed").wait_for()
    assert one.page.locator("#waiting").count() == 0


def test_a_later_round_is_waited_for_over_a_reload(one: Person, served: House) -> None:
    manifest = served.announce(LATER, purpose="later rounds")
    served.others(manifest, 1, [3.0])
    invitation = served.invite(manifest)
    one.open(invitation)
    give(one)
    one.page.locator("#waiting, #send").first.wait_for()
    assert "You have a place in a later round" in one.text("#waiting")
    assert "at the latest" in one.text("#waiting")
    one.check("waiting")
    one.page.reload()
    one.told("You have a place in a later round")
    assert len({url for method, url, _ in one.wire.seen if url.endswith("/enrol")}) == 1
    give(one)
    served.close(manifest)
    time.sleep(1.1)  # a collector may be a second behind its own store
    one.page.get_by_role("button", name="Look again now").click()
    one.page.locator("button#send").wait_for()
    assert one.page.evaluate("document.activeElement.id") == "seen-title"


def test_a_round_that_closed_is_missed(one: Person, served: House) -> None:
    manifest = served.announce(purpose="missed")
    one.open(served.invite(manifest))
    give(one)
    one.page.locator("button#send").wait_for()
    served.others(manifest, 2, [4.0, 5.0])
    served.close(manifest)
    time.sleep(1.1)  # a collector may be a second behind its own store
    one.page.locator("button#send").click()
    one.page.locator("#ended").wait_for()
    assert one.text("#ended").startswith(("Your round is over", "The survey is over"))
    one.told("What came of it is public: load this page again", "body")
    one.check("over")
    one.page.reload()
    one.told("What came of it is public, and stands below")
    assert "people" in one.text("#plain") and "What came of it" in one.text("#plain")
    assert one.wire.posts("/reports") == []


def test_a_survey_that_is_full_says_so(one: Person, served: House) -> None:
    few = Mean(epsilon=1.0, low=1, high=5, users=2, observations=20, method="one-round")
    manifest = served.announce(few, purpose="full", quota=1.0, minimum=2)
    invitation = served.invite(manifest)
    for other in served.collector.invite(manifest.digest, count=2, base=served.url):
        served.collector.enrol(manifest.digest, other.partition("#")[2].split(".")[1])
    one.open(invitation)
    give(one)
    one.told("The survey is full")
    one.view.errors.clear()  # that a request was refused is said in the console
    one.check("full")


@pytest.mark.parametrize("code", [pytest.param("malformed", marks=pytest.mark.soak), "unauthorised", "constructor"])
def test_a_report_that_was_sent_is_never_called_unsent(code: str, one: Person, served: House) -> None:
    """A collector that has it, and says that it will not: whichever word it gives for why."""
    said = json.dumps({"error": {"code": code, "message": "no"}})
    one.page.context.route(
        "**/reports", lambda route: route.fulfill(status=403, body=said, content_type="application/json")
    )
    one.open(served.invite(served.announce(purpose=f"refused, {code}")))
    give(one)
    one.page.locator("button#send").click()
    one.told("Your report was sent")
    assert "Nothing was sent" not in one.text("#ended") and "undefined" not in one.text("#ended")
    one.view.errors.clear()  # that a request was refused is said in the console


# --- invitations, and what this browser can do ----------------------------------------------------------------------


def test_an_invitation_must_be_whole(one: Person, served: House, honest: Manifest) -> None:
    whole = served.invite(honest)
    address, _, fragment = whole.partition("#")
    survey, token, pin = fragment.split(".")
    other = served.announce(purpose="another").digest
    for url, words in (
        (address, "This is the survey's page, not an invitation"),
        (f"{address}#{survey}", "Your invitation is incomplete"),
        (f"{address}#{survey[:40]}", "This invitation cannot be read"),
        (f"{address}#{other}.{token}", "This invitation is for another survey"),
        (f"{address}#{survey}.{token}.device={'0' * 64}", "This page stops here"),
    ):
        one.open(url)
        one.told(words)
        if "page" in words:
            one.check(words)
        assert one.page.locator("#typed, #loading").count() == 0
    one.open(f"{address}#{survey}.{token}")
    one.told("Your invitation names no program")
    assert pin.startswith("device=")
    assert one.wire.posts("/enrol") == []


def test_an_invitation_that_the_collector_does_not_know(one: Person, served: House, honest: Manifest) -> None:
    address, _, _ = served.invite(honest).partition("#")
    one.open(f"{address}#{honest.digest}.{'x' * 43}")
    give(one)
    one.told("The collector does not know this invitation")
    assert one.page.locator("button#send").count() == 0


def test_an_open_survey_needs_no_invitation_and_cannot_notice_a_lost_ledger(one: Person, served: House) -> None:
    """The token was in the ledger: as PRIVACY.md says."""
    manifest = served.announce(purpose="open to all", access="open")
    for reports in (1, 2):
        one.open(f"{served.url}/surveys/{manifest.digest}/participate")
        give(one)
        one.send()
        one.told("Sent. Thank you.")
        assert served.reports(manifest) == reports
        session = one.page.context.new_cdp_session(one.page)
        session.send("Storage.clearDataForOrigin", {"origin": served.url, "storageTypes": "all"})


def test_what_is_left_of_the_budget_is_kept_to(one: Person, served: House) -> None:
    manifest = served.announce(Mean(epsilon=6.0, low=1, high=5, users=40, observations=20, method="one-round"))
    one.open(served.invite(manifest))
    give(one)
    one.told("more than what is left of your budget")
    assert one.page.locator("button#send").is_disabled()
    one.check("over budget")


def test_a_browser_that_cannot_keep_a_ledger_says_why(one: Person, served: House, honest: Manifest) -> None:
    one.page.add_init_script("Object.defineProperty(window, 'indexedDB', {value: undefined})")
    one.open(served.invite(honest))
    one.told("This browser cannot keep a ledger")
    one.check("no ledger")


def test_columns_are_chosen_where_names_do_not_say(
    one: Person, served: House, honest: Manifest, tmp_path: Path
) -> None:
    path = tmp_path / "own.csv"
    path.write_text("film;seen;rating\na;1;4,5\nb;2;x\n", encoding="utf-8")
    one.open(served.invite(honest))
    one.page.locator("#file").set_input_files(str(path))
    one.page.get_by_label("Which column is yours?").select_option(label="rating")
    one.told("2 observations read, 1 of them missing.")
    assert "(line 3)" in one.text("#data")
    one.check("a choice of columns")
    other = tmp_path / "other.csv"
    other.write_bytes(b"\xff\xfe4\n")
    one.page.locator("#file").set_input_files(str(other))
    one.told("not UTF-8 text")
    assert Question.from_bytes(served.collector.survey(honest.digest).question.to_bytes()).epsilon == MEAN.epsilon

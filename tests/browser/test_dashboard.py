"""The dashboard in a real browser: a survey of 500 devices from creation to the verified answer, by keyboard alone."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sottovoce.engines import verify
from sottovoce.messages import Transcript
from sottovoce.service import new_administrator, open_store
from tests.browser.hands import LOOKS, Keyboard, sound, text, until
from tests.support.axe import check_axe
from tests.support.browser import DESK, PHONE, Browser, View
from tests.support.served import Served
from tests.support.surveyed import ask, create, finished, ratings, together, visits

pytestmark = pytest.mark.slow
USERS = 500
HURRIED = """const later = setTimeout;
globalThis.setTimeout = (go, wait, ...more) => later(go, wait === 2000 ? 200 : wait, ...more);"""
"""An open survey is looked at every two seconds; with this, ten times as often."""


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Where it listens, and the administrator's token."""
    store = f"sqlite:{tmp_path_factory.mktemp('store') / 'surveys.db'}"
    with open_store(store) as kept:
        token = new_administrator(kept)
    with Served(store) as served:
        yield served.url, token


@pytest.fixture(scope="module")
def done(collector: tuple[str, str]) -> str:
    """A small survey that is over."""
    return finished(*collector, users=40)


def create_by_keyboard(view: View, administrator: str) -> str:
    keys = Keyboard(view)
    keys.type("#token", administrator).page.keyboard.press("Enter")
    view.page.get_by_text("No survey").or_(view.page.locator("table")).first.wait_for()
    keys.press("a.button[href='#/new']")
    view.page.locator("#setting-low").wait_for()
    assert view.page.evaluate("document.activeElement.tagName") == "H1"
    for name, value in (("low", "1"), ("high", "5"), ("observations", "100"), ("users", str(USERS)), ("epsilon", "1")):
        keys.type(f"#setting-{name}", value)
    until(view, ".planned", r"± 0\.\d+")
    before = text(view, ".planned .huge")
    keys.page.keyboard.press("ControlOrMeta+A")  # still in the last field: ε
    keys.page.keyboard.type("2")
    view.page.wait_for_function(
        "(before) => document.querySelector('.planned .huge')?.innerText !== before", arg=before
    )
    assert float(text(view, ".planned .huge")[2:]) < float(before[2:])  # less private, closer
    assert re.search(r"\d+ \+ \d+ \+ \d+", text(view, ".planned"))
    keys.type("#purpose", "how lectures are rated").type("#collector", "the students' council").type(
        "#columns", "rating"
    )
    keys.to("#enrolment").page.keyboard.press("ArrowDown")
    keys.press("#more-particulars summary").type("#minimum", "10")
    sound(view, "a new survey, filled in")
    keys.press("button[type=submit]")
    view.page.locator("#survey-token").wait_for()
    name = str(view.page.locator("#survey-name").input_value())
    token = view.page.locator("#survey-token").input_value()
    assert token and token not in view.page.url
    keys.press("button[aria-label*='token']")
    sound(view, "a survey was announced")
    keys.press(f"a[href='#/survey/{name}']")
    view.page.locator("#run").wait_for()
    return name


def invite_by_keyboard(view: View) -> list[str]:
    keys = Keyboard(view)
    keys.type("#count", str(USERS)).page.keyboard.press("Enter")
    view.page.locator("#urls").wait_for()
    urls = str(view.page.locator("#urls").input_value()).split()
    with view.page.expect_download() as kept:
        keys.press("#invitations button:last-of-type")
    assert Path(kept.value.path()).read_text().split() == urls
    return urls


def test_follows_a_survey_from_its_creation_to_the_verified_answer(
    browser: Browser, collector: tuple[str, str]
) -> None:
    url, administrator = collector
    people = ratings(USERS)
    looks: list[int] = []
    with browser.page_at(DESK) as view:
        view.page.add_init_script(HURRIED)
        view.page.on("response", lambda reply: reply.url.endswith("/rounds") and looks.append(reply.status))
        view.open(f"{url}/")
        sound(view, "the list")
        survey = create_by_keyboard(view, administrator)
        urls = invite_by_keyboard(view)
        assert len(set(urls)) == USERS
        until(view, "#progress ~ p", f"0 of {USERS} people")
        while 304 not in looks:  # what has not changed does not travel again
            view.page.wait_for_timeout(50)

        # Progress moves; nothing of a round is shown while it is open. A refused upload is counted.
        assert set(visits(urls[:20], people[:20])) == {"answered"}
        assert ask(f"{url}/surveys/{survey}/enrol", method="POST", token="x" * 43)[0] == 401
        until(view, "li.card", "20 of 36 answered")
        assert view.page.locator("#bars").count() == 0
        until(view, "[aria-labelledby=refused]", "1 upload refused")
        sound(view, "the first round")

        # The round closes: its vote is drawn, with errors; the next one opens.
        assert set(together(urls[20:36], people[20:36])) == {201}
        until(view, "li.card", "0 of 30 answered")
        until(view, "[role=status]", "Round 2 has opened")
        assert view.page.locator("[aria-labelledby=bars] figure").count() == 1
        assert view.page.locator("[aria-labelledby=bars] svg path.error").count() == 11
        until(view, "[aria-labelledby=chain]", "Every link holds")

        # The second one is closed by hand, with a reason that everybody can read.
        assert set(together(urls[36:63], people[36:63])) == {201}
        until(view, "li.card", "27 of 30 answered")
        keys = Keyboard(view)
        keys.type("#reason", "the term ends").page.keyboard.press("Enter")
        view.page.locator("dialog[open]").wait_for()
        sound(view, "closing a round")
        keys.press("dialog button.quiet")
        assert view.page.locator("dialog[open]").count() == 0
        keys.to("#reason").page.keyboard.press("Enter")
        keys.press("dialog button.danger")
        until(view, "li.card", r"closed by hand \(.*the term ends\)")
        ranges = view.page.locator("[aria-labelledby=narrowing] svg rect.range")
        assert ranges.count() == 3
        widths = [float(ranges.nth(place).get_attribute("width") or 0) for place in range(3)]
        assert widths[2] < widths[0]  # it closes in

        # All the others; the answer comes, and follows.
        assert set(together(urls[63:497], people[63:497])) == {201}
        view.page.locator("#answer").wait_for()
        until(view, "[role=status]", "The survey is over")
        ended, before = time.monotonic(), len(looks)
        shown = text(view, "[aria-labelledby=answer] .huge")
        value = float(shown)
        low, high = map(float, re.findall(r"[\d.]+\d", text(view, "[aria-labelledby=answer] .big")))
        assert 1 <= low < value < high <= 5
        assert "sampling" in text(view, "[aria-labelledby=answer] figure")
        reality = text(view, "[aria-labelledby=reality] table")
        assert re.search(r"± 0\.\d+\s+± 0\.\d+", reality)
        assert re.search(r"People who answered\s+500\s+497", reality)
        assert ranges.count() == 3
        assert view.page.locator("[aria-labelledby=narrowing] svg rect.guarded").count() == 1
        until(view, "[aria-labelledby=chain] li", "the one that this page shows")
        until(view, "[aria-labelledby=chain]", "Every link holds")
        assert view.page.locator(".chain .cross").count() == 0
        assert view.page.locator(".chain .link").count() == 1 + 2 * 3 + 1
        sound(view, "the end")

        # What the page shows is what anybody verifies.
        with view.page.expect_download() as kept:
            keys.press("a[download^=transcript]")
        transcript = Transcript.from_bytes(Path(kept.value.path()).read_bytes())
        assert verify(transcript, survey=survey).ok
        half = 0.5 * 10 ** -len(shown.partition(".")[2])  # as many decimals as the interval warrants
        assert json.loads(transcript.answer)["value"] == pytest.approx(value, abs=half + 1e-9)
        command = str(view.page.locator("#verify").input_value())
        assert command == f"sotto verify {url}/surveys/{survey}/transcript --survey {survey}"
        digest = view.page.locator(".chain .question").first.get_attribute("data-digest")
        keys.type("#receipt", digest)
        until(view, "[role=status]", "It is in the chain: Round 1")
        while time.monotonic() < ended + 1:
            view.page.wait_for_timeout(100)
        assert len(looks) == before  # nothing is asked any more
        assert administrator not in view.page.url
        assert not any(administrator in address for address in view.requests)


@pytest.mark.parametrize("width, dark", LOOKS)
def test_every_view_is_sound(browser: Browser, collector: tuple[str, str], done: str, width: int, dark: bool) -> None:
    url, administrator = collector
    with browser.page_at(width, dark=dark) as view:
        view.open(f"{url}/")
        view.page.locator("article.card").first.wait_for()
        sound(view, "the list")
        view.open(f"{url}/#/survey/{done}")
        until(view, "[aria-labelledby=chain]", "Every link holds")
        for summary in view.page.locator("summary").all():
            summary.click()
        sound(view, "a survey that is over")
        view.open(f"{url}/#/new")
        view.page.fill("#token", administrator)
        view.page.keyboard.press("Enter")
        view.page.locator("#setting-low").wait_for()
        problems = view.page.locator("#problem option").count()
        view.page.locator("#more-settings summary").click()
        for place in range(problems):
            view.page.locator("#problem").select_option(index=place)
            assert view.page.locator("#setting-epsilon").count() == 1
            assert view.too_wide <= 0, view.beyond
        sound(view, "a new survey")


def test_the_planner_solves_for_people(browser: Browser, collector: tuple[str, str]) -> None:
    url, administrator = collector
    with browser.page_at(DESK) as view:
        view.open(f"{url}/#/new")
        keys = Keyboard(view)
        keys.type("#token", administrator).page.keyboard.press("Enter")
        view.page.locator("#setting-low").wait_for()
        for name, value in (("low", "1"), ("high", "5"), ("observations", "20")):
            keys.type(f"#setting-{name}", value)
        keys.press("button[type=submit]")
        until(view, "[role=alert]", "People: this is needed")
        assert view.page.evaluate("document.activeElement.id") == "setting-users"
        sound(view, "something is missing")
        keys.type("#halfwidth", "0.2")
        until(view, ".planned", "Take [0-9,]+ for: People")
        keys.press(".planned button")
        assert int(view.page.locator("#setting-users").input_value()) > 100
        assert float(text(view, ".planned .huge")[2:]) <= 0.2
        keys.press("a[href='#/']").press("button.quiet")
        view.page.locator("#token").wait_for()
        assert view.page.evaluate("sessionStorage.getItem('sottovoce.tokens /')") == "{}"


def test_says_what_is_wrong(browser: Browser, collector: tuple[str, str], done: str) -> None:
    url, administrator = collector
    with browser.page_at(PHONE) as view:
        view.open(f"{url}/")
        view.page.fill("#token", "not-the-token")
        view.page.keyboard.press("Enter")
        until(view, "[role=alert]", "refused this token")
        assert view.page.locator("#token").is_visible()
        assert check_axe(view) == []
        survey, own = create(url, administrator, users=30)
        view.open(f"{url}/#/survey/{survey}")
        for token, says in (("not-the-token", "refused this token"), (own, "30 invitations, shown once")):
            view.page.fill("#token", token)
            view.page.keyboard.press("Enter")
            view.page.locator("#count").wait_for()
            view.page.keyboard.press("Enter")
            until(view, "[aria-labelledby=run]", says)
        view.open(f"{url}/#/survey/{'0' * 64}")
        until(view, "[role=alert]", "knows no such survey")

        view.page.context.set_offline(True)
        view.page.goto(f"{url}/#/survey/{done}")
        until(view, "[role=alert]", "cannot be reached")
        view.page.context.set_offline(False)
        until(view, "#answer", "The answer")
        assert view.page.locator("[role=alert]:visible").count() == 0


BROKEN = (
    (lambda told: told | {"manifest": told["manifest"].replace("lectures", "lecturers")}, "the survey's name"),
    (lambda told: _changed(told, "question", '"survey":"', '"survey":"0'), "it names this survey"),
    (lambda told: _changed(told, "question", '"role":"', '"role":"x'), "that the collector says it asked"),
    (lambda told: _changed(told, "tally", '"question":"', '"question":"0'), "answers to the question above"),
    (lambda told: _changed(told, "tally", told["rounds"][0]["tally"], ""), "no tally is published"),
    (lambda told: told | {"rounds": 2 * told["rounds"]}, "none of which was asked before"),
    (lambda told: told | {"answer": told["answer"].replace('"value": ', '"value": 1')}, "that this page shows"),
    (lambda told: {"manifest": 1}, "it can be read"),
)


def test_a_broken_chain_is_seen(browser: Browser, collector: tuple[str, str], done: str) -> None:
    with browser.page_at(DESK) as view:
        view.open(f"{collector[0]}/#/survey/{done}")
        until(view, "[aria-labelledby=chain]", "Every link holds")
        for altered, says in BROKEN:
            view.page.unroute_all()
            view.page.route("**/transcript", partial(_forged, altered))
            view.page.reload()
            until(view, ".chain .cross", says)
            until(view, "[aria-labelledby=chain]", "A link does not hold")
            assert view.page.locator(".chain .cross").count() >= 1, says


def _forged(altered: Any, route: Any) -> None:
    route.fulfill(json=altered(route.fetch().json()))


def _changed(told: dict, part: str, old: str, new: str) -> dict:
    first, *others = told["rounds"]
    assert old in first[part]
    return told | {"rounds": [first | {part: first[part].replace(old, new, 1)}, *others]}


def _kept(held: list[Any], route: Any) -> None:
    held.append(route)


def test_leaving_before_the_collector_answers_is_no_trouble(
    browser: Browser, collector: tuple[str, str], done: str
) -> None:
    held: list[Any] = []
    with browser.page_at(DESK) as view:
        view.page.route(re.compile("/(progress|rounds)$"), partial(_kept, held))  # and never answered
        view.page.goto(f"{collector[0]}/")
        for address in (f"#/survey/{done}", "#/new"):
            while not held:
                view.page.wait_for_timeout(20)
            held.clear()
            view.page.evaluate("(address) => { location.hash = address; }", address)
        view.page.locator("#token").wait_for()
        view.page.wait_for_timeout(100)
        assert view.page.locator("#trouble").is_hidden()
        assert view.errors == []

"""Pictures of the pages for the docs: ``python -m tests.support.screenshots [FOLDER]`` (`make screenshots`).

A real collector, a survey of 500 devices with data that never change, a real browser; each view at both widths, in the
light and in the dark. Noise and dates differ from one time to the next, nothing else.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from sottovoce.service import new_administrator, open_store
from tests.support.browser import DESK, PHONE, Browser, View
from tests.support.served import Served
from tests.support.surveyed import ask, create, invite, ratings, rounds, together

FOLDER = Path("docs/pictures/browser")
COLOURS = 128
MOST_BYTES = 150_000
LOOKS = [(width, dark) for width in (PHONE, DESK) for dark in (False, True)]
TALLEST = {PHONE: 2000, DESK: 1700}
"""Pixels; of a longer page the rest is left out."""
USERS = 500
PURPOSE = "how lectures are rated this term"
SECONDS = 300
Pose = Callable[[View], None]


@dataclass
class Studio:
    """Where pictures are taken, and where they are kept."""

    browser: Browser
    url: str
    token: str
    folder: Path

    def take(
        self, name: str, address: Callable[[], str | Path], pose: Pose, *, below: str = "", known: bool = False
    ) -> None:
        """One view in every look; from the element `below` on, if it names one; `known`: as the administrator."""
        for width, dark in LOOKS:
            with self.browser.page_at(width, dark=dark) as view:
                if known:
                    kept = f"sessionStorage.setItem('sottovoce.tokens /', '{{\"administrator\":\"{self.token}\"}}')"
                    view.page.add_init_script(kept)
                view.open(address())
                pose(view)
                view.page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")
                view.page.wait_for_timeout(300)
                self._keep(view, f"{name}-{width}-{'dark' if dark else 'light'}.png", below)

    def _keep(self, view: View, name: str, below: str) -> None:
        top = 0
        if below:
            offset = "(selector) => document.querySelector(selector).getBoundingClientRect().top + scrollY"
            top = max(0, int(view.page.evaluate(offset, below)) - 24)
        shot = Image.open(io.BytesIO(view.page.screenshot(full_page=True))).convert("RGB")
        cut = shot.crop((0, top, shot.width, min(shot.height, top + TALLEST[shot.width])))
        path = self.folder / name
        cut.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
        size = path.stat().st_size
        assert size <= MOST_BYTES, f"{name} has {size:,} bytes"
        print(f"{name}  {cut.width} × {cut.height}  {size:,} bytes", flush=True)


def dashboard(studio: Studio) -> None:
    """The list, a survey that runs, whoever runs it, a new one; then one that is over, its rounds and its chain."""
    people = ratings(USERS)
    survey, token = create(studio.url, studio.token, users=USERS, minimum=30, purpose=PURPOSE)
    urls = invite(studio.url, survey, token, count=USERS)
    together(urls[:60], people[:60])
    _opened(studio, survey, 2)
    together(urls[60:120], people[60:120])
    for _ in range(3):
        ask(f"{studio.url}/surveys/{survey}/enrol", method="POST", token="x" * 43)
    at = f"{studio.url}/#/survey/{survey}"
    studio.take("list", lambda: f"{studio.url}/", _listed)
    studio.take("running", lambda: at, _running)
    studio.take("run", lambda: at, _invited, below="#run", known=True)
    studio.take("new", lambda: f"{studio.url}/#/new", _filled, known=True)
    together(urls[120:153], people[120:153])
    _opened(studio, survey, 3)
    together(urls[153:], people[153:])
    studio.take("done", lambda: at, _whole)
    studio.take("done-rounds", lambda: at, _whole, below="#bars")
    studio.take("done-chain", lambda: at, _whole, below="#chain")


def _opened(studio: Studio, survey: str, number: int) -> None:
    for _ in range(200):
        if len(rounds(studio.url, survey)["rounds"]) >= number:
            return
        time.sleep(0.1)
    raise TimeoutError(f"round {number} did not open")


def _listed(view: View) -> None:
    view.page.locator("article.card .tag").first.wait_for()


def _running(view: View) -> None:
    view.page.locator("[aria-labelledby=refused] table").wait_for()
    view.page.locator(".chain .tick").first.wait_for()


def _invited(view: View) -> None:
    _running(view)
    view.page.fill("#count", "5")
    view.page.keyboard.press("Enter")
    view.page.locator("#urls").wait_for()
    view.page.fill("#reason", "the term ends")


def _filled(view: View) -> None:
    view.page.locator("#setting-low").wait_for()
    typed = {"setting-low": "1", "setting-high": "5", "setting-observations": "20", "setting-users": "500"}
    typed |= {"setting-epsilon": "2", "purpose": PURPOSE, "collector": "the students' council", "columns": "rating"}
    for name, value in typed.items():
        view.page.fill(f"#{name}", value)
    view.page.locator(".planned .huge").wait_for()
    view.page.wait_for_timeout(700)


def _whole(view: View) -> None:
    view.page.locator("#answer").wait_for()
    view.page.locator(".chain .link.answer").wait_for()


def participate(studio: Studio) -> None:
    """What is asked, what would be sent, and the receipt."""
    one_round = {"method": "one-round", "epsilon": 1.0}
    survey, token = create(studio.url, studio.token, users=USERS, settings=one_round, purpose=PURPOSE)
    urls = iter(invite(studio.url, survey, token, count=3 * len(LOOKS)))
    studio.take("participate-asked", lambda: next(urls), _asked)
    studio.take("participate-seen", lambda: next(urls), _seen, below="#seen")
    studio.take("participate-receipt", lambda: next(urls), _sent)


def _asked(view: View) -> None:
    view.page.locator("#typed").wait_for()


def _seen(view: View) -> None:
    _asked(view)
    view.page.fill("#typed", " ".join(map(str, ratings(1, seed=5)[0])))
    view.page.locator("#data .row button").first.click()
    view.page.locator("#headline").wait_for()


def _sent(view: View) -> None:
    _seen(view)
    view.page.locator("button#send, #send button").first.click()
    view.page.locator("#receipt").wait_for()


def audit(studio: Studio, home: Path) -> None:
    """The page of ``sotto audit``, of two mechanisms."""
    page = home / "audit.html"
    command = ("audit", "one-bit", "mean", "--epsilon", "1,4", "--samples", "2000", "--html", str(page))
    subprocess.run([sys.executable, "-m", "sottovoce", *command], check=True, capture_output=True, timeout=SECONDS)
    studio.take("audit", lambda: page, lambda view: None)


def main() -> None:
    """Take all of them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sotto-screenshots-") as name:
        home = Path(name)
        store = f"sqlite:{home / 'surveys.db'}"
        with open_store(store) as kept:
            token = new_administrator(kept)
        browser = Browser()
        try:
            with Served(store) as served:
                studio = Studio(browser=browser, url=served.url, token=token, folder=folder)
                dashboard(studio)
                participate(studio)
                audit(studio, home)
        finally:
            browser.close()


if __name__ == "__main__":
    main()

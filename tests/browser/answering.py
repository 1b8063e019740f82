"""How a person goes through the participate page, for its tests: each step, and what a test asserts in every state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.browser.hands import check_headings, sound
from tests.support.browser import Browser, View, local

WORDS_OF_PICTURES = """[...document.querySelectorAll("svg")].map((drawing) =>
    [...drawing.querySelectorAll("text")].filter((text) => text.textContent.trim()).length)"""


HURRIED = """const later = setTimeout;
globalThis.setTimeout = (go, wait, ...more) => later(go, wait > 100 && wait <= 2000 ? 20 : wait, ...more);"""
"""A page sends at a moment of its own within two seconds; when that is, tests of visits hold by their own clock."""


@dataclass
class Wire:
    """Every request of a context: its method, its address, and all of it as text."""

    seen: list[tuple[str, str, str]] = field(default_factory=list)

    def note(self, request: Any) -> None:
        body = request.post_data or ""
        told = "\n".join([request.method, request.url, *(f"{k}: {v}" for k, v in request.headers.items()), body])
        self.seen.append((request.method, request.url, told))

    def posts(self, end: str) -> list[str]:
        """The bodies that were posted to addresses that end so."""
        return [told.rpartition("\n")[2] for method, url, told in self.seen if method == "POST" and url.endswith(end)]

    def check(self, *private: str) -> None:
        """No other host, and nothing of what the person gave, in any request."""
        assert [url for _, url, _ in self.seen if not local(url)] == []
        hosts = {urlsplit(url).netloc for _, url, _ in self.seen if url.startswith("http")}
        assert len(hosts) == 1, hosts
        for _, url, told in self.seen:
            for word in private:
                assert word not in told, f"a request to {urlsplit(url).path} says what the person holds"


@dataclass
class Person:
    """Somebody in front of a browser of their own."""

    view: View
    wire: Wire

    @property
    def page(self) -> Any:
        return self.view.page

    def open(self, url: str) -> None:
        self.page.goto("about:blank")  # an address that differs behind its '#' only would not be loaded again
        self.page.goto(url)

    def give(self, path: Path) -> None:
        """A file of their own."""
        self.page.locator("#file").set_input_files(str(path))
        self.page.locator(".read p").first.wait_for()

    def see(self) -> None:
        """What would be sent."""
        self.page.get_by_role("button", name="See what would be sent").click()
        self.page.locator("button#send").wait_for()

    def send(self) -> None:
        """Agree."""
        self.page.locator("button#send").click()

    def text(self, place: str = "#app") -> str:
        """What stands there, once it does."""
        self.page.locator(place).first.wait_for()
        return str(self.page.locator(place).first.inner_text())

    def told(self, words: str, place: str = "#app") -> None:
        """Wait until the page says so."""
        self.page.locator(place).get_by_text(words).first.wait_for()

    def check(self, state: str) -> None:
        """What holds of the page in every state."""
        sound(self.view, state)
        assert 0 not in self.page.evaluate(WORDS_OF_PICTURES), f"{state}: a picture without words"
        check_headings(self.view, state)


@contextmanager
def person(browser: Browser, width: int, *, dark: bool = False) -> Iterator[Person]:
    with browser.page_at(width, dark=dark) as view:
        view.page.set_default_timeout(300_000)
        view.page.context.add_init_script(HURRIED)
        wire = Wire()
        view.page.context.on("request", wire.note)
        yield Person(view, wire)

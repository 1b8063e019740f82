"""The site in a real browser: on a phone and at a desk, in the light and in the dark, from files, without a network."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.axe import check_axe
from tests.support.browser import DESK, PHONE, Browser

PAGES = (
    "index",
    "tutorial",
    "howto/deploy",
    "explanation/user-level",
    "explanation/comparison",
    "reference/functions",
    "reference/errors",
)
pytestmark = pytest.mark.slow
SPHINX = "definition-list"
"""A signature of several lines is written by Sphinx as a list whose entries have no terms; nothing of ours is in it."""
PICTURES = """[...document.querySelectorAll("img.only-light, img.only-dark")].map((picture) => ({
    dark: picture.classList.contains("only-dark"),
    seen: picture.getBoundingClientRect().width > 0,
    named: picture.alt.length > 20,
}))"""
WIDE = """[...document.querySelectorAll(".bd-article table")].filter((table) => {
    const room = table.parentElement;
    return table.scrollWidth > room.clientWidth + 1 && getComputedStyle(room).overflowX !== "auto";
}).length"""


LOOKS = {"phone": (PHONE, False), "desk-dark": (DESK, True)}
CASES = [
    # In `make test` every page is looked at once, and one page in both ways
    pytest.param(name, look, marks=() if look == list(LOOKS)[place % 2] or name == "tutorial" else pytest.mark.soak)
    for place, name in enumerate(PAGES)
    for look in LOOKS
]


@pytest.mark.parametrize(("name", "look"), CASES)
def test_a_page_fits_and_is_for_everybody(browser: Browser, site: Path, name: str, look: str) -> None:
    width, dark = LOOKS[look]
    with browser.page_at(width, dark=dark) as view:
        view.open((site / f"{name}.html").as_uri())  # its theme may ask for more when it is loaded
        assert view.errors == []
        assert view.elsewhere == []
        assert view.too_wide <= 0, view.beyond
        assert view.page.evaluate(WIDE) == 0, "a wide table moves inside of itself"
        assert [fault for fault in check_axe(view) if SPHINX not in fault] == []
        pictures = view.page.evaluate(PICTURES)
        assert all(picture["named"] and picture["seen"] == (picture["dark"] == dark) for picture in pictures)
        assert pictures or name != "explanation/user-level"


def test_the_search_works_from_files(browser: Browser, site: Path) -> None:
    with browser.page_at(DESK) as view:
        view.open((site / "search.html").as_uri() + "?q=colluders")
        view.page.wait_for_selector("#search-results ul.search li a")
        assert view.page.locator("#search-results ul.search li").count() >= 5
        assert view.errors == [] and view.elsewhere == []

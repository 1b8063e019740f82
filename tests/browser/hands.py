"""A page as people meet it: with a keyboard and nothing else, and what must be right with every view."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.support.axe import check_axe
from tests.support.browser import DESK, PHONE, View

TABS = 60
LOOKS = [
    (PHONE, False),
    (DESK, True),
    pytest.param(PHONE, True, marks=pytest.mark.soak),
    pytest.param(DESK, False, marks=pytest.mark.soak),
]
"""Widths and whether it is dark: two in the gate, each of each among them, all in ``make soak``."""
DOUBLE = """[...document.querySelectorAll("[id]")].map((part) => part.id)
.filter((id, place, all) => all.indexOf(id) < place)"""
"""Ids that more than one part of a page has."""


class Keyboard:
    """Somebody who has no mouse."""

    def __init__(self, view: View) -> None:
        self.page = view.page

    def to(self, selector: str) -> Keyboard:
        """Tab on until one is there; what has the focus is on the screen, and can be seen to have it."""
        for _ in range(TABS):
            if self.page.evaluate("(selector) => Boolean(document.activeElement?.matches(selector))", selector):
                break
            self.page.keyboard.press("Tab")
        else:
            raise AssertionError(f"{selector} cannot be reached by {TABS} times Tab")
        assert self.page.evaluate(
            "() => getComputedStyle(document.activeElement).outlineStyle !== 'none'"
            " && document.activeElement.getBoundingClientRect().width > 0"
        ), f"{selector} has the focus, and nobody sees it"
        return self

    def type(self, selector: str, text: str) -> Keyboard:
        self.to(selector).page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.type(text)
        return self

    def press(self, selector: str) -> Keyboard:
        self.to(selector).page.keyboard.press("Enter")
        return self


def sound(view: View, where: str) -> None:
    """No error, no other host, nothing too wide, words in every picture, ids used once, nothing grave for axe-core."""
    assert view.errors == [], where
    assert view.elsewhere == [], where
    assert view.too_wide <= 0, (where, view.beyond)
    silent = view.page.evaluate(
        """[...document.querySelectorAll("svg")].filter((one) => one.getAttribute("role") !== "img"
        || !one.querySelector("title")?.textContent || !one.querySelector("desc")?.textContent).length"""
    )
    assert silent == 0, where
    assert view.page.evaluate(DOUBLE) == [], where
    assert check_axe(view) == [], where


def check_headings(view: View, where: str) -> None:
    """One of the first level, and none left out on the way down; of those that are shown."""
    levels = view.page.evaluate(
        """[...document.querySelectorAll("h1, h2, h3")].filter((one) => one.offsetParent)
        .map((one) => Number(one.tagName[1]))"""
    )
    assert levels[0] == 1 and levels.count(1) == 1, (where, levels)
    assert all(after <= before + 1 for before, after in pairwise(levels)), (where, levels)


def check_shade(view: View, dark: bool) -> None:
    """The background is dark where that is wanted, and light where not."""
    shade = view.page.evaluate(
        """(() => {
        const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
        return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
        })()"""
    )
    assert shade < 0.2 if dark else shade > 0.8, f"a background of lightness {shade:.2f}, dark: {dark}"


def text(view: View, selector: str) -> str:
    return str(view.page.locator(selector).inner_text())


def until(view: View, selector: str, words: str) -> None:
    view.page.locator(selector).filter(has_text=re.compile(words)).first.wait_for()

"""A page as people meet it: with a keyboard and nothing else, and what must be right with every view."""

from __future__ import annotations

import re

from tests.support.axe import check_axe
from tests.support.browser import View

TABS = 60


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
    """No error, no other host, nothing too wide, words in every picture, and nothing grave for axe-core."""
    assert view.errors == [], where
    assert view.elsewhere == [], where
    assert view.too_wide <= 0, (where, view.beyond)
    silent = view.page.evaluate(
        """[...document.querySelectorAll("svg")].filter((one) => one.getAttribute("role") !== "img"
        || !one.querySelector("title")?.textContent || !one.querySelector("desc")?.textContent).length"""
    )
    assert silent == 0, where
    assert check_axe(view) == [], where


def text(view: View, selector: str) -> str:
    return str(view.page.locator(selector).inner_text())


def until(view: View, selector: str, words: str) -> None:
    view.page.locator(selector).filter(has_text=re.compile(words)).first.wait_for()

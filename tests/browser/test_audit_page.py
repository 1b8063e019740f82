"""The page of ``sotto audit`` in a real browser: on a phone and a desk, in the light and in the dark, for everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sottovoce.cli import main
from tests.browser.hands import LOOKS, check_headings, check_shade
from tests.support.axe import check_axe
from tests.support.browser import PHONE, Browser

DRAWINGS = """[...document.querySelectorAll("svg")].map((drawing) => ({
    seen: drawing.getBoundingClientRect().width > 0,
    named: drawing.getAttribute("role") === "img" && !!drawing.getAttribute("aria-label")
        && !!drawing.querySelector("title").textContent.trim() && !!drawing.querySelector("desc").textContent.trim(),
    small: [...drawing.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().height < 9).length,
    words: [...drawing.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().width > 0).length,
    outside: [...drawing.querySelectorAll("text")].filter((text) => {
        const [own, whole] = [text.getBoundingClientRect(), drawing.getBoundingClientRect()];
        return own.width > 0 && (own.left < whole.left - 1 || own.right > whole.right + 1);
    }).map((text) => text.textContent),
}))"""
UNNAMED = """[...document.querySelectorAll("th")].filter((cell) => !cell.scope || !cell.textContent.trim()).length
    + [...document.querySelectorAll("main > *")].filter((part) => part.tagName !== "SECTION"
        || !document.getElementById(part.getAttribute("aria-labelledby"))).length"""


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real audit: something certified, something that fails, something that cannot be had."""
    page = tmp_path_factory.mktemp("audit") / "audit.html"
    chosen = ["semi-user", "mean-one-round", "numpy-laplace", "multi-freq-ldpy-grr"]
    assert main(["audit", *chosen, "--epsilon", "1", "--samples", "3000", "--html", str(page)]) == 1
    return page


@pytest.mark.parametrize(("width", "dark"), LOOKS)
def test_fits_and_is_for_everybody(browser: Browser, audited: Path, width: int, dark: bool) -> None:
    with browser.page_at(width, dark=dark) as view:
        view.page.goto(audited.as_uri())
        assert view.too_wide <= 0, view.beyond
        assert check_axe(view) == []
        check_shade(view, dark)
        drawings = view.page.evaluate(DRAWINGS)
        shown = [one for one in drawings if one["seen"]]
        assert len(drawings) == 6 and len(shown) == 4, "a picture that is drawn for another window is not shown"
        assert all(one["named"] for one in drawings)
        assert all(one["words"] > 5 and not one["small"] and not one["outside"] for one in shown), shown
        check_headings(view, "the audit")
        assert view.page.evaluate(UNNAMED) == 0
        assert view.errors == [] and view.requests == [audited.resolve().as_uri()]


def test_the_table_is_reached_and_moved_by_keyboard(browser: Browser, audited: Path) -> None:
    with browser.page_at(PHONE) as view:
        view.page.goto(audited.as_uri())
        view.page.keyboard.press("Tab")
        held: dict[str, Any] = view.page.evaluate(
            """({role: document.activeElement.getAttribute("role"), room: document.activeElement.clientWidth,
            needed: document.activeElement.scrollWidth})"""
        )
        assert held["role"] == "region" and held["needed"] > held["room"], "wider than a phone: it moves in itself"
        for _ in range(4):
            view.page.keyboard.press("ArrowRight")
        view.page.wait_for_function("document.activeElement.scrollLeft > 20")
        assert view.page.evaluate("document.activeElement.matches(':focus-visible')")
        assert view.too_wide <= 0

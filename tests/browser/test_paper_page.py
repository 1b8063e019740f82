"""The report of ``sotto paper`` in a real browser: on a phone and a desk, in the light and in the dark."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from sottovoce.paper.report import explorer
from sottovoce.theory import regime_of
from tests.browser.hands import check_shade
from tests.support.browser import DESK, PHONE, Browser
from tests.support.paper_rows import DRAWN, FEW
from tests.support.paper_run import frozen_report, written

DRAWINGS = """[...document.querySelectorAll("svg")].map((drawing) => ({
    where: (drawing.closest("section") || drawing.parentElement).id || drawing.outerHTML.slice(0, 80),
    seen: drawing.getBoundingClientRect().width > 0,
    words: [...drawing.querySelectorAll("text")].filter((text) => text.textContent.trim()).length,
    drawn: [...drawing.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().width > 0).length,
}))"""


@pytest.fixture(scope="module")
def regimes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of the diagram alone."""
    return written(("regimes",), tmp_path_factory.mktemp("regimes"))


@pytest.mark.parametrize(
    ("names", "swapped"),
    [(FEW, False), *(pytest.param(DRAWN, swapped, marks=pytest.mark.soak) for swapped in (False, True))],
    ids=["few", "all", "all-swapped"],
)
def test_the_report_fits_every_window_and_asks_for_nothing_else(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, names: tuple[str, ...], swapped: bool
) -> None:
    page, pictures = frozen_report(tmp_path_factory, names) / "report.html", len(names) - 1  # the tables are tables
    for width, dark in ((PHONE, swapped), (DESK, not swapped)):
        with browser.page_at(width, dark=dark) as view:
            view.open(page)
            case = f"{pictures} pictures, {width} px, {'dark' if dark else 'light'}"
            assert view.too_wide <= 0, f"{case}: {view.too_wide} pixels too wide: {view.beyond}"
            drawings = view.page.evaluate(DRAWINGS)
            assert sum(drawing["seen"] for drawing in drawings) >= pictures, case
            assert [drawing for drawing in drawings if not drawing["words"]] == [], case
            assert [drawing for drawing in drawings if drawing["seen"] and not drawing["drawn"]] == [], case
            check_shade(view, dark)
            assert view.errors == [], case
            assert view.requests == [page.resolve().as_uri()], case


def test_the_regime_follows_its_fields_by_keyboard(browser: Browser, regimes: Path) -> None:
    sizes = {"n": "50000", "T": "2000", "epsilon": "0.5", "d": "40"}
    for width in (PHONE, DESK):
        with browser.page_at(width) as view:
            view.open(regimes)
            before = {panel: view.page.locator(f"#regime-{panel}").inner_text() for panel in explorer.PLACES}
            assert before == {panel: explorer.words(panel) for panel in explorer.PLACES}
            view.page.locator("#regime-form input").first.focus()
            for name, value in sizes.items():
                assert view.page.evaluate("document.activeElement.name") == name
                view.page.keyboard.press("ControlOrMeta+a")
                view.page.keyboard.type(value)
                view.page.keyboard.press("Tab")
            for panel in explorer.PLACES:
                told = explorer.words(panel, n=50000, T=2000, epsilon=0.5, d=40)
                assert told != before[panel]
                assert view.page.locator(f"#regime-{panel}").inner_text() == told
            # the tab key went on from the last field to the first region, whose meaning is read out
            region = view.page.evaluate("document.activeElement.getAttribute('aria-label')")
            assert region in {f"{name}: {words}" for name, words in explorer.REGIMES.items()}
            assert view.page.locator("#regime-hint").inner_text() == f"{region}."
            assert view.errors == []


def grid() -> list[tuple[str, float, float, float, float]]:
    return [
        (panel, n, T, epsilon, d)
        for panel in ("l2", "sparse")
        for n in (3, 50, 1000, 200_000)
        for T in (1, 2, 7.5, 100, 10_000)
        for epsilon in (0.05, 0.7, 1.0, 3.0)
        for d in (1, 10, 400, 100_000)
    ]


def test_the_script_agrees_with_theory(browser: Browser, regimes: Path) -> None:
    with browser.page_at(DESK) as view:
        view.open(regimes)
        asked = "(all) => all.map((one) => [sottovoceRegime(...one), sottovoceTransitions(...one)])"
        said = view.page.evaluate(asked, [list(one) for one in grid()])
    assert len({region for region, _ in said}) == 4
    for (panel, n, T, epsilon, d), (region, at) in zip(grid(), said, strict=True):
        where = (panel, n, T, epsilon, d)
        assert region == regime_of(panel, users=n, observations=T, epsilon=epsilon, dimension=d), where
        seen = (math.inf if at["T"] is None else at["T"], at["n"], at["epsilon"])
        assert seen == pytest.approx(explorer.transitions(panel, n, T, epsilon, d), rel=1e-9), where


def test_sizes_that_make_no_sense_are_said_to_make_none(browser: Browser, regimes: Path) -> None:
    with browser.page_at(PHONE) as view:
        view.open(regimes)
        view.page.locator("#regime-form input[name=T]").fill("0")
        assert "at least 1" in view.page.locator("#regime-l2").inner_text()
        assert view.errors == []

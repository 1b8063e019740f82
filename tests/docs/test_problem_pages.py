"""What the page of a problem shows works as shown: the same words, and figures near those shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from sottovoce.problems import named
from tests.docs.page import DOCS, Page, figures, typed, words


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Lines whose figures are compared, how closely, and the settings that the page explains."""

    lines: tuple[str, ...]
    settings: tuple[str, ...] = ()
    within: float = 0.05
    relative: float = 0.0
    first: int | None = None
    """Only so many figures of a line."""


PAGES = {
    "mean": Shown(
        lines=("estimate", "interval"),
        settings=("caution", "rounds", "spread", "shrink", "observations"),
        within=0.1,
    ),
    "histogram": Shown(
        lines=("bus", "feet"),
        settings=("categories", "other", "edges", "bins", "spread", "public_seed", "observations", "confidence"),
        within=0.02,
    ),
    "vector": Shown(
        lines=("x", "y", "z"), settings=("ball", "radius", "centre", "spread", "public_seed", "observations")
    ),
    "sparse": Shown(lines=("tag_3", "tag_9"), within=0.1),
    "density": Shown(lines=("band", "model"), settings=("smoothness", "coefficients"), relative=0.2, first=1),
    "mixture": Shown(lines=("component 1", "component 2", "component 3")),
    "range": Shown(lines=("range", "outside"), settings=("smallest", "largest", "of"), relative=0.2, within=2, first=2),
    "groups": Shown(
        lines=("arts", "law", "science"),
        settings=("groups", "memberships", "levels", "bins", "step", "categories", "other", "edges", "q", "of"),
        within=0.05,
    ),
    "cover": Shown(lines=("chosen", "share")),
}


@pytest.mark.parametrize("name", PAGES)
def test_the_command_prints_what_is_shown(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, of = Page(f"{name}.md"), PAGES[name]
    (block,), (command,), (shown,) = page.blocks("python"), page.commands, page.blocks("text")
    monkeypatch.chdir(tmp_path)
    page.run(block)
    assert typed(command) == 0
    printed = capsys.readouterr().out
    assert words(printed) == words(shown)
    for label in of.lines:
        found, told = (figures(label, text)[: of.first] for text in (printed, shown))
        assert told and found == pytest.approx(told, abs=of.within, rel=of.relative)


@pytest.mark.parametrize("name", PAGES)
def test_every_method_and_setting_is_explained(name: str) -> None:
    text = Page(f"{name}.md").text
    for method in named(name).methods:
        assert f'`"{method.name}"`' in text
    for setting in PAGES[name].settings:
        assert f"`{setting}" in text


@pytest.mark.parametrize("name", sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")))
def test_links_lead_somewhere(name: str) -> None:
    for target in Page(name).links():
        assert target.exists(), target

"""What ``--html`` writes of answers, plans, simulations, comparisons and verdicts: one file each, in a real browser."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from sottovoce.answers import Answer, Estimate, Rehearsal
from sottovoce.cli import main
from sottovoce.cli.pages import ShownAnswer, answer_page
from sottovoce.messages import Fact
from tests.browser.hands import LOOKS
from tests.support.answers import EXAMPLES
from tests.support.axe import check_axe
from tests.support.browser import DESK, PHONE, Browser

SURVEY = ("--low", "1", "--high", "5", "--observations", "20")
TRIED = (*SURVEY, "--users", "500", "--repetitions", "4")
ASKED = ("--ask", "delay: mean low=0 high=60 observations=20", "--ask", "fare: mean low=0 high=20 observations=20")
COMMANDS = {
    "plan": ("plan", "mean", *SURVEY, "--epsilon", "1", "--halfwidth", "0.1"),
    "plan-beyond": ("plan", "mean", *SURVEY, "--epsilon", "20", "--users", "500"),
    "plan-several": ("plan", "several", "--users", "5000", "--epsilon", "4", *ASKED),
    "simulate": ("simulate", "mean", *TRIED, "--epsilon", "1", "--method", "one-round"),
    "simulate-all": ("simulate", "mean", *TRIED, "--epsilon", "1", "--method", "all"),
    "compare": ("compare", "mean", *TRIED, "--epsilon", "1", "2"),
    "verify": ("verify", "transcript.json"),
    "verify-another": ("verify", "transcript.json", "--survey", "a" * 64),
}
LIKE_ANOTHER = ("plan-beyond", "plan-several", "simulate", "verify-another")
"""Pages of which the gate looks at another of the same kind in every window."""
OTHERS = ((DESK, True), (PHONE, True), (DESK, False))
LOADED = re.compile(r"<script|<link|<img|url\(|https?://(?!www\.w3\.org)")
TRANSCRIPTS = Path(__file__).parents[1] / "vectors" / "transcripts-numpy-2.1.3.zip"


def shown(answer: Answer) -> ShownAnswer:
    return ShownAnswer(
        title=f"The {answer.kind} of <rating>", answer=answer, of="rating", notes=[("rehearsal", "on a file")]
    )


def test_the_truth_of_a_rehearsal_stands_beside_the_estimate() -> None:
    rehearsed = replace(EXAMPLES[Estimate], rehearsal=Rehearsal(users=2000, observations=9000, truth=3.1))
    text = answer_page([shown(rehearsed)])
    assert str(Fact("page-about-rehearsed")) in text and str(Fact("page-about-asked")) not in text
    assert text.index('class="plain"') < text.index("3.1, inside the interval") < text.index(">Numbers<")
    assert 'class="true"' in text


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of each command."""
    folder = tmp_path_factory.mktemp("pages")
    with zipfile.ZipFile(TRANSCRIPTS) as archive:
        (folder / "transcript.json").write_bytes(archive.read("mean homogeneous at 4.json"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, words in COMMANDS.items():
            assert main([*words, "--html", f"{name}.html"]) == (name == "verify-another")
    everything = answer_page([shown(answer) for answer in EXAMPLES.values()])
    (folder / "answers.html").write_text(everything, encoding="utf-8")
    return folder


def test_names_are_text_and_nothing_is_loaded(pages: Path) -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in pages.glob("*.html")}
    assert len(texts) == len(COMMANDS) + 1 and not any(map(LOADED.search, texts.values()))
    assert "&lt;rating&gt;" in texts["answers"] and "<rating>" not in texts["answers"]
    assert "On average" in texts["verify"]
    assert "On average" not in texts["verify-another"], "of a verdict that something differs no answer is passed on"
    assert "Something does not follow, at manifest" in texts["verify-another"]


@pytest.mark.parametrize("width, dark", LOOKS)
@pytest.mark.parametrize("name", ["answers", *(name for name in COMMANDS if name not in LIKE_ANOTHER)])
def test_in_a_browser(name: str, width: int, dark: bool, pages: Path, browser: Browser) -> None:
    with browser.page_at(width, dark=dark) as view:
        view.page.goto((pages / f"{name}.html").as_uri())
        assert view.errors == [] and view.elsewhere == [] and len(view.requests) == 1
        assert view.too_wide <= 0, view.beyond
        assert check_axe(view) == []


@pytest.mark.parametrize(
    "width, dark", [(PHONE, False), *(pytest.param(*look, marks=pytest.mark.soak) for look in OTHERS)]
)
@pytest.mark.parametrize("name", LIKE_ANOTHER)
def test_another_page_of_a_kind(name: str, width: int, dark: bool, pages: Path, browser: Browser) -> None:
    test_in_a_browser(name, width, dark, pages, browser)

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
from tests.support.answers import EXAMPLES, KINDS
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
FIRST = {
    "plan": "20 observations each, ε = 1: expect to be off by at most 0.1 in 95% of such surveys",
    "plan-beyond": "Warning:",
    "plan-several": "Take users:",
    "simulate": "Over 4 repetitions the estimate was typically",
    "simulate-all": "Least error, whole collections being protected",
    "compare": "Least error, whole collections being protected",
    "verify": "Everybody was asked what was announced",
    "verify-another": "Something does not follow, at manifest",
}
LOADED = re.compile(r"<script|<link|<img|url\(|https?://(?!www\.w3\.org)")
LOOKS = [
    (PHONE, False),
    (DESK, True),
    pytest.param(PHONE, True, marks=pytest.mark.soak),
    pytest.param(DESK, False, marks=pytest.mark.soak),
]
TRANSCRIPTS = Path(__file__).parents[1] / "vectors" / "transcripts-numpy-2.1.3.zip"


WAS_ASKED, REHEARSED = str(Fact("page-about-asked")), str(Fact("page-about-rehearsed"))
TRUE = Rehearsal(users=2000, observations=9000, truth=3.1)


def shown(answer: Answer) -> ShownAnswer:
    return ShownAnswer(
        title=f"The {answer.kind} of <rating>", answer=answer, of="rating", notes=[("rehearsal", "on a file")]
    )


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_the_page_of_an_answer_has_plain_words_first(kind: type[Answer]) -> None:
    answer = EXAMPLES[kind]
    text = answer_page([shown(answer)])
    assert not LOADED.search(text), "nothing is loaded"
    assert "&lt;rating&gt;" in text and "<rating>" not in text
    order = [text.index(part) for part in ('class="plain"', 'class="warning"', ">Numbers<", ">How it was asked<")]
    assert order == sorted(order)
    assert "the reports say little" in text and ">Privacy<" in text
    assert WAS_ASKED in text and 'class="drawn"' not in text, "characters do not fit a phone"


def test_the_truth_of_a_rehearsal_stands_beside_the_estimate() -> None:
    text = answer_page([shown(replace(EXAMPLES[Estimate], rehearsal=TRUE))])
    assert REHEARSED in text and WAS_ASKED not in text, "nobody sent anything"
    assert text.index('class="plain"') < text.index("3.1, inside the interval") < text.index(">Numbers<")
    assert 'class="true"' in text


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of each command."""
    folder = tmp_path_factory.mktemp("pages")
    with zipfile.ZipFile(TRANSCRIPTS) as archive:
        (folder / "transcript.json").write_bytes(archive.read("mean adaptive at 4.json"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, words in COMMANDS.items():
            assert main([*words, "--html", f"{name}.html"]) == (name == "verify-another")
    everything = answer_page([shown(answer) for answer in EXAMPLES.values()])
    (folder / "answers.html").write_text(everything, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_one_file_with_plain_words_first(name: str, pages: Path) -> None:
    text = (pages / f"{name}.html").read_text(encoding="utf-8")
    assert not LOADED.search(text), "nothing is loaded"
    body = text.partition("<main>")[2]
    assert FIRST[name] in body.partition("<h2")[0]


def test_a_page_says_what_the_terminal_says(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("plan", "simulate"):
        page = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", (pages / f"{name}.html").read_text(encoding="utf-8")))
        assert main([*COMMANDS[name]]) == 0
        shown = capsys.readouterr().out.partition("\nwhat if")[0]
        rows = re.sub(r"\n {12}(?=\S)", " ", shown).splitlines()
        assert len(rows) > 8
        for row in rows:
            assert re.sub(r"\s+", " ", row[12:].strip().replace("'", "&#x27;")) in page


def test_of_a_verdict_that_something_differs_no_answer_is_passed_on(pages: Path) -> None:
    assert "On average" in (pages / "verify.html").read_text(encoding="utf-8")
    assert "On average" not in (pages / "verify-another.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("width, dark", LOOKS)
@pytest.mark.parametrize("name", ["answers", *COMMANDS])
def test_in_a_browser(name: str, width: int, dark: bool, pages: Path, browser: Browser) -> None:
    with browser.page_at(width, dark=dark) as view:
        view.open(pages / f"{name}.html")
        assert view.errors == [] and view.elsewhere == [] and len(view.requests) == 1
        assert view.too_wide <= 0, view.beyond
        assert check_axe(view) == []

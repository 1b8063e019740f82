"""The page that ``--html`` writes, in a real browser, narrow and wide, light and dark: one file, nothing loaded."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sottovoce.answers import Answer, Estimate, Rehearsal
from sottovoce.cli.pages import ShownAnswer, answer_page
from sottovoce.messages import Fact
from tests.support.answers import EXAMPLES, KINDS
from tests.support.axe import check_axe
from tests.support.browser import Browser

ASKED, REHEARSED = str(Fact("page-about-asked")), str(Fact("page-about-rehearsed"))
TRUE = Rehearsal(users=2000, observations=9000, truth=3.1)


def shown(answer: Answer) -> ShownAnswer:
    return ShownAnswer(
        title=f"The {answer.kind} of <rating>", answer=answer, of="rating", notes=[("rehearsal", "on a file")]
    )


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_one_file_with_plain_words_first(kind: type[Answer]) -> None:
    answer = EXAMPLES[kind]
    text = answer_page([shown(answer)])
    assert not re.search(r"<script|<link|<img|url\(|https?://(?!www\.w3\.org)", text), "nothing is loaded"
    assert "&lt;rating&gt;" in text and "<rating>" not in text
    order = [text.index(part) for part in ('class="plain"', 'class="warning"', ">Numbers<", ">How it was asked<")]
    assert order == sorted(order)
    assert "the reports say little" in text and ">Privacy<" in text
    assert ASKED in text and 'class="drawn"' not in text, "characters do not fit a phone"


def test_the_truth_of_a_rehearsal_stands_beside_the_estimate() -> None:
    text = answer_page([shown(replace(EXAMPLES[Estimate], rehearsal=TRUE))])
    assert REHEARSED in text and ASKED not in text, "nobody sent anything"
    assert text.index('class="plain"') < text.index("3.1, inside the interval") < text.index(">Numbers<")
    assert 'class="true"' in text


@pytest.mark.parametrize("width", [390, 1280])
def test_in_a_browser(width: int, tmp_path: Path, browser: Browser) -> None:
    everything = [shown(answer) for answer in EXAMPLES.values()]
    (tmp_path / "page.html").write_text(answer_page(everything), encoding="utf-8")
    for dark in (False, True):
        with browser.page_at(width, dark=dark) as view:
            view.open(tmp_path / "page.html")
            assert view.errors == [] and view.elsewhere == [] and len(view.requests) == 1
            assert view.too_wide <= 0, view.beyond
            assert check_axe(view) == []

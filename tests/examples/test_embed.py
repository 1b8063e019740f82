"""The page of ``examples/`` holds the device, answers its question in a real browser, and asks nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sottovoce.messages import Question, Report
from tests.support.browser import DESK, PHONE, Browser, hosted

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with hosted(ROOT) as address:
        yield address


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_page_of_ones_own_answers(browser: Browser, base: str, width: int) -> None:
    question = Question.from_bytes((ROOT / "examples" / "embed_question.json").read_bytes())
    with browser.page_at(width, dark=width == PHONE) as view:
        view.open(f"{base}/examples/embed_device.html")
        view.page.wait_for_selector("button:enabled")
        assert re.search(r"“lectures” asks .* ε = 1\.000: .* 2\.72 times", view.page.inner_text("#asked"))
        view.page.fill("#mine", "5 5 nonsense 4")
        view.page.click("button")
        view.page.wait_for_selector("#report:not(:empty)")
        first = view.page.inner_text("#report")
        report = Report.from_bytes(first.encode())
        assert report.question == question.digest and report.slot == 7
        view.page.fill("#mine", "1 1 1")
        view.page.click("button")
        view.page.wait_for_function("document.getElementById('said').textContent.includes('given again')")
        assert view.page.inner_text("#report") == first, "one answer to a survey, whatever the data are by now"
        assert view.errors == [] and view.elsewhere == [] and view.too_wide <= 0
        assert all(asked.startswith((base, "data:")) for asked in view.requests)

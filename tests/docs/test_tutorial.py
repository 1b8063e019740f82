"""The tutorial, followed literally: every file saved, every command typed, in an empty folder."""

from __future__ import annotations

import time
from pathlib import Path

from tests.docs.page import Page
from tests.docs.walk import Walk

PAGE = Page("tutorial.md")
MINUTES = 10


def test_it_can_be_followed_and_takes_less_than_ten_minutes(tmp_path: Path) -> None:
    """What the machine takes leaves most of the ten minutes to the reader: at 200 words a minute and some typing."""
    started, typed = time.monotonic(), 0
    for step, printed, why in Walk(tmp_path).through(PAGE):
        assert why is None, f"$ {step.command}\n{why}"
        assert step.shown or not printed, f"$ {step.command}: the page does not show what it prints"
        typed += 1
    assert typed >= 10
    prose = sum(len(line.split()) for line in PAGE.text.split("\n") if not line.startswith((" ", "|")))
    reading, typing = prose / 200, typed * 0.2
    assert reading + typing + (time.monotonic() - started) / 60 < MINUTES


def test_nothing_is_asked_that_was_not_explained() -> None:
    before = PAGE.text.partition("## 4.")[0]
    assert "**ε** (*epsilon*)" in before, "the reader has never heard of it"
    for word in ("LDP", "Laplace", "Δ", "estimand"):
        assert word not in PAGE.text

"""The tutorial, followed literally: every file saved, every command typed, in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.page import Page
from tests.docs.walk import Walk

PAGE = Page("tutorial.md")
WORDS_A_MINUTE = 200
MINUTES_A_COMMAND = 0.25
"""To copy it, paste it and look at what comes."""
READER, INSTALL, MACHINE = 7.0, 1.5, 1.5
"""Minutes, ten in all: whose they are. Only the reader's are counted here: a machine may be busy."""


def test_it_can_be_followed_and_takes_less_than_ten_minutes(tmp_path: Path) -> None:
    typed = 0
    for step, printed, why in Walk(tmp_path).through(PAGE):
        assert why is None, f"$ {step.command}\n{why}"
        assert step.shown or not printed, f"$ {step.command}: the page does not show what it prints"
        typed += 1
    assert typed >= 10
    prose = re.sub(r"```.*?```", "", PAGE.text, flags=re.DOTALL).split()
    assert len(prose) / WORDS_A_MINUTE + typed * MINUTES_A_COMMAND < READER
    assert READER + INSTALL + MACHINE <= 10


def test_nothing_is_asked_that_was_not_explained() -> None:
    before = PAGE.text.partition("## 4.")[0]
    assert "**ε** (*epsilon*)" in before, "the reader has never heard of it"
    for word in ("LDP", "Laplace", "Δ", "estimand"):
        assert word not in PAGE.text

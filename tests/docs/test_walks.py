"""The tutorial and the how-to pages, followed literally: every file saved, every command typed, in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.page import Page
from tests.docs.walk import Walk, differs

pytestmark = pytest.mark.slow
TUTORIAL = "tutorial.md"
WORDS_A_MINUTE = 200
MINUTES_A_COMMAND = 0.25
"""To copy it, paste it and look at what comes."""
READER, INSTALL, MACHINE = 7.0, 1.5, 1.5
"""Minutes, ten in all: whose they are. Only the reader's are counted here: a machine may be busy."""


@pytest.mark.parametrize("name", [TUTORIAL, "howto/survey.md", "howto/unknown.md", "howto/groups.md"])
def test_the_page_can_be_followed(name: str, tmp_path: Path) -> None:
    for step, printed, why in Walk(tmp_path).through(Page(name)):
        assert why is None, f"$ {step.command}\n{why}"
        if name == TUTORIAL:
            assert step.shown or not printed, f"$ {step.command}: the page does not show what it prints"


def test_the_tutorial_takes_less_than_ten_minutes_and_asks_nothing_that_was_not_explained() -> None:
    text = Page(TUTORIAL).text
    typed = len(re.findall(r"^\$ ", text, flags=re.MULTILINE))
    assert typed >= 10
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()
    assert len(prose) / WORDS_A_MINUTE + typed * MINUTES_A_COMMAND < READER
    assert READER + INSTALL + MACHINE <= 10
    assert "**ε** (*epsilon*)" in text.partition("## 4.")[0], "the reader has never heard of it"
    for word in ("LDP", "Laplace", "Δ", "estimand"):
        assert word not in text


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("estimate 3.1", "estimate 3.9", False),
        ("estimate 3.1", "guess 3.1", False),
        ("a\n…\nc", "a\nb\nd", False),
        ("a … c", "a b", False),
        ("a", "a\nb", False),
        ("1,000 users", "2,000 users", False),
        ("estimate 3.11", "estimate 3.12\n", True),
        ("a\n…\nc", "a\nb\nb\nc", True),
        ("a … c", "a b c", True),
        ("…", "x", True),
        ("", "x", True),
    ],
)
def test_another_output_is_noticed_and_the_same_is_not(shown: str, printed: str, same: bool) -> None:
    assert (differs(shown, printed) is None) == same

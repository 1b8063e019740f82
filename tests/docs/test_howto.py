"""What the how-to pages show works as shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.page import Page
from tests.docs.walk import Walk, differs, steps

WALKED = ("howto/survey.md",)


@pytest.mark.parametrize("name", WALKED)
def test_the_page_can_be_followed(name: str, tmp_path: Path) -> None:
    page = Page(name)
    assert len(Walk(tmp_path).through(page)) == sum(not isinstance(step, tuple) for step in steps(page))


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("estimate 3.1", "estimate 3.9"),
        ("estimate 3.1", "guess 3.1"),
        ("a\n…\nc", "a\nb\nd"),
        ("a … c", "a b"),
        ("a", "a\nb"),
        ("1,000 users", "2,000 users"),
    ],
)
def test_another_output_is_noticed(shown: str, printed: str) -> None:
    assert differs(shown, printed) is not None


@pytest.mark.parametrize(
    ("shown", "printed"),
    [("estimate 3.11", "estimate 3.12\n"), ("a\n…\nc", "a\nb\nb\nc"), ("a … c", "a b c"), ("…", "x"), ("", "x")],
)
def test_the_same_output_is_not(shown: str, printed: str) -> None:
    assert differs(shown, printed) is None

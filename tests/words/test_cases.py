"""One reader in two languages: the same files and data give the same text in Python and in JavaScript."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from sottovoce.messages import Fact
from sottovoce.messages.facts import _read
from sottovoce.words import Catalogue, entries
from tests.support.node import lines

SPEAKER = Path(__file__).with_name("catalogue.mjs")
CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
ON_PAGES = ("dashboard", "numbers", "outcome", "pages", "participate", "question")
"""Files that pages load."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["file"]))
def test_python(case: dict[str, Any]) -> None:
    told = Fact("a", **{name: _read(value) for name, value in case["data"].items()})
    if case.get("wrong"):
        with pytest.raises((ValueError, KeyError)):
            Catalogue(entries(case["file"])).tell(told)
    else:
        assert Catalogue(entries(case["file"])).tell(told) == case["text"]


def test_javascript() -> None:
    found = lines(SPEAKER, [["say", case["file"], "a", case["data"]] for case in CASES])
    for case, told in zip(CASES, found, strict=True):
        assert ("wrong" in told) == case.get("wrong", False), (case, told)
        assert told.get("text") == case.get("text"), case


def test_pages_know_every_function_that_their_files_call() -> None:
    folder = files("sottovoce.words").joinpath("en")
    texts = [folder.joinpath(f"{name}.ftl").read_text(encoding="utf-8") for name in ON_PAGES]
    assert lines(SPEAKER, [["unknown", text] for text in texts]) == [[]] * len(texts)

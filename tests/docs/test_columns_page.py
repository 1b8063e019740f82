"""What docs/columns.md says is what is written, and what it shows can be run."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.cli import app
from sottovoce.messages import Question, columns
from tests.docs.page import Page
from tests.support.transcripts import mean
from tests.unit.test_packed import QUESTIONS

PAGE = Page("columns.md")


def test_what_is_shown_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    own, polars, arrow = PAGE.blocks("python")
    monkeypatch.chdir(tmp_path)
    protocol = mean()
    people = sv.collections(np.random.default_rng(1).uniform(1, 5, (1200, 20)))
    names: dict[str, Any] = {"protocol": protocol, "people": people}
    PAGE.run(own, names)
    assert isinstance(names["question"], Question)
    assert not names["faults"].any() and sum(names["tally"].reports) == names["question"].slots.count
    PAGE.run(arrow.replace("ratings", "kept"))
    pytest.importorskip("polars")
    PAGE.run(polars.replace("ratings", "kept"))


def test_commands_links_and_names_are_there() -> None:
    for command in PAGE.commands:
        app.build_parser().parse_args(app.spelled_out(shlex.split(command.partition("#")[0])))
    assert len(PAGE.commands) == 3
    assert all(path.exists() for path in PAGE.links())
    for key in columns.metadata_of(QUESTIONS["table"]):
        assert f"`{key.decode()}`" in PAGE.text
    for kind in {question.channel.kind for question in QUESTIONS.values()}:
        assert f"| `{kind}` |" in PAGE.text

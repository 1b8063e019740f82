"""The audit's own derivation: one class a channel, told apart once, and independent of what it checks."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path
from typing import get_args

import pytest

import sottovoce
from sottovoce.audit import large_instances, small_instances
from sottovoce.audit.channel_derivations import derivation
from sottovoce.messages import Channel

SOURCE = Path(sottovoce.__file__).parent
DERIVATIONS = SOURCE / "audit" / "channel_derivations.py"
CHANNELS = get_args(Channel)
NAMES = {one.__name__ for one in CHANNELS}


def trees(folder: Path) -> dict[str, ast.AST]:
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py"))
    }


def test_kinds_are_told_apart_in_few_places() -> None:
    """Each place is one more to remember for a new channel: who draws (one, many), who simulates, who audits."""
    matches = [
        name
        for name, tree in trees(SOURCE).items()
        if not name.startswith("messages/channels/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Match)
        and NAMES & {part.id for case in node.cases for part in ast.walk(case.pattern) if isinstance(part, ast.Name)}
    ]
    drawing = ["device/bulk/samplers.py", "device/privatise.py", "engines/simulation.py"]
    assert sorted(matches) == ["audit/channel_derivations.py", "audit/word_scripts.py", *drawing]


@pytest.mark.parametrize("channel", CHANNELS)
def test_every_channel_has_a_class_that_reads_its_fields_alone(channel: type) -> None:
    asked = (*small_instances(1.0), *large_instances(1.0))
    one = next(question.channel for question in asked if isinstance(question.channel, channel))
    name = type(derivation(one)).__name__
    module = ast.parse(DERIVATIONS.read_text(encoding="utf-8"))
    (tree,) = (node for node in module.body if isinstance(node, ast.ClassDef) and node.name == name)
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    read = [node.attr for node in attributes if ast.unparse(node.value) == "self.channel"]
    assert read and set(read) <= {field.name for field in dataclasses.fields(channel)}
    named = sum(ast.unparse(node) == "self.channel" for node in attributes)
    assert named == len(read), "a channel that is handed on could be asked for more"


def test_derivations_know_nothing_of_the_device() -> None:
    entered = {
        path.stem: {
            node.module
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("sottovoce.")
        }
        for path in (DERIVATIONS, DERIVATIONS.with_name("word_scripts.py"))
    }
    messages = {"sottovoce.messages"}
    assert entered == {"channel_derivations": messages | {"sottovoce.audit.word_scripts"}, "word_scripts": messages}

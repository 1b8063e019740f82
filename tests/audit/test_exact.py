"""The exact layer: a second implementation that agrees with the first, and sums over what a user can be asked. It has
one class a channel, told apart once, and is independent of what it checks.
"""

from __future__ import annotations

import ast
import dataclasses
import math
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest

import sottovoce
from laboratory.mutants.mutant import FOUR, UNIT, question
from sottovoce import design
from sottovoce.audit import Subject, large_instances, small_instances
from sottovoce.audit.channel_derivations import LaplaceDerivation, derivation, law
from sottovoce.audit.exact_layer import certify, cost, protocol_cost, question_cost
from sottovoce.messages import Channel, Slots
from sottovoce.messages.exact_arithmetic import exact
from tests.law.test_channels import MAKERS


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("name", MAKERS)
def test_two_implementations_agree(name: str, epsilon: float) -> None:
    channel: Channel = MAKERS[name](epsilon)
    assert abs(cost(channel) - channel.epsilon_bound()) < Fraction(1, 10**50)
    slack = Fraction(2, 10**5) if name == "designed table" else Fraction(1, 10**8)  # a solver stops a little early
    assert exact(epsilon) - slack < cost(channel) <= exact(epsilon)


def test_unary_bits_are_counted_in_the_hot_sets() -> None:
    for items in (1, 2, 3, 5, 6, 7, 30, 1000):
        for reach in (0, 1, 2):
            channel = design.unary(1.0, items, reach=reach)
            assert cost(channel) == channel.epsilon_bound()


def test_noise_by_digits_is_the_law() -> None:
    channel = dataclasses.replace(design.laplace(2.0, steps=3), digits=design.laplace(2.0, steps=3).digits[:4], bound=9)
    chances = [LaplaceDerivation(channel).noise_chance(step) for step in range(-15, 16)]
    assert sum(chances) == 1
    inner = dict(law(channel, 1))
    assert all(inner[(symbol,)] == LaplaceDerivation(channel).noise_chance(symbol - 1) for symbol in range(-8, 12))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_the_proof_of_laplace_is_tight(epsilon: float) -> None:
    channel = design.laplace(epsilon)
    assert 0 <= cost(channel) - LaplaceDerivation(channel).attained_epsilon() < Fraction(1, 10**14)


def test_a_user_spends_what_asks_them() -> None:
    one = question(design.one_bit(0.5), UNIT, epsilon=0.5)
    two = dataclasses.replace(one, round=1, slots=Slots(first=5, count=10), groups=2, uses=2, epsilon=1.0)
    apart = dataclasses.replace(one, round=2, slots=Slots(first=15, count=3))
    assert question_cost(two) == 2 * question_cost(one)
    assert protocol_cost([one, apart]) == question_cost(one)
    assert protocol_cost([one, two, apart]) == 3 * question_cost(one)
    assert float(protocol_cost([one, two, apart])) == pytest.approx(1.5)


def test_slack_is_printed_and_overspending_fails() -> None:
    good = certify(Subject(name="good", epsilon=1.0, questions=(question(design.unary(1.0, 4), FOUR, epsilon=1.0),)))
    assert all(one.passed and one.slack is not None and 0 <= one.slack < 1e-15 for one in good)
    bad = certify(Subject(name="bad", epsilon=1.0, questions=(question(design.unary(1.02, 4), FOUR, epsilon=1.0),)))
    assert not any(one.passed for one in bad)
    assert bad[0].slack is not None and math.isclose(bad[0].slack, -0.02, rel_tol=1e-9)


# ---- the derivation itself -------------------------------------------------------------------------------------------


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

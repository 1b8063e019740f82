"""The tree: exact, complete, and honest about what it cannot follow."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit import Subject, small_instances
from sottovoce.audit.channel_derivations import law
from sottovoce.audit.device_paths import RebuiltPath
from sottovoce.audit.tree_layer import Range, Script, TooManyPaths, Untraceable, Word, enumerate_paths, explore
from sottovoce.device import privatise
from sottovoce.messages import Average, Channel, Encoder, Grid, Laplace, Question, Slots


def channels(epsilon: float) -> dict[str, Channel]:
    return {
        "one bit": design.one_bit(epsilon),
        "piecewise": design.piecewise(epsilon, nodes=4, window=2),
        "k-ary": design.k_ary(epsilon, 5),
        "subset": design.subset(epsilon, 3, size=2),
        "subset, redrawn": design.subset(epsilon, 6, size=2),
        "unary": design.unary(epsilon, 5),
        "unary, three bins": design.unary(epsilon, 6, reach=1),
    }


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("name", channels(1.0))
def test_the_shipped_sampler_has_the_declared_law_to_the_word(name: str, epsilon: float) -> None:
    channel = channels(epsilon)[name]
    for value in {0, channel.span // 3, channel.span}:
        tree = explore(lambda script, v=value: symbol(channel, v, script), limit=5000)
        declared = dict(law(channel, value))
        assert sum(tree.law.values()) == 1 - tree.missing
        assert tree.missing < Fraction(1, 2**500)
        assert tree.law == {one: chance * (1 - tree.missing) for one, chance in declared.items()}


def symbol(channel: Channel, value: int, script: Script) -> tuple[int, ...]:
    return tuple(int(part) for part in privatise(channel, np.array([value]), script)[0])


def test_laplace_to_the_word_128_bit_thresholds_included() -> None:
    channel = Laplace(steps=1, bound=1, digits=design.laplace(2.0, steps=1).digits[:2])
    tree = explore(lambda script: symbol(channel, 1, script), limit=5000)
    assert tree.paths == 6**4
    assert tree.missing == 0
    assert tree.law == dict(law(channel, 1))


def test_questions_to_reports() -> None:
    subject = Subject(name="small", epsilon=9.0, questions=small_instances(1.0)[:4] + small_instances(1.0)[8:])
    findings = enumerate_paths(subject)
    assert [one.passed for one in findings] == [True] * 7
    assert all("question to report" in one.detail for one in findings)
    assert all(one.measured == pytest.approx(1.0, abs=1e-15) for one in findings)


class Skewed(RebuiltPath):
    """Says the second bin for the first, once in 2^200 times."""

    def symbols(self, channel: Channel, inputs: Any, entropy: Any) -> Any:
        made = super().symbols(channel, inputs, entropy)
        if all(word < 2**14 for word in entropy.words(4)) and made[0, 0] == 0:
            made[0, 0] = 1
        return made


def question_with_bins(items: int) -> Question:
    return Question(
        survey="cut-off",
        round=0,
        role="bins",
        slots=Slots(first=0, count=40),
        encoder=Encoder(statistic=Average(), placement=Grid(low=(0.0,), high=(1.0,), count=items)),
        channel=design.subset(1.0, items, size=1),
        epsilon=1.0,
    )


@pytest.mark.parametrize("items", [17, 21, 22])
def test_a_cut_off_within_a_level_of_redraws_is_not_another_law(items: int) -> None:
    """Of 2^64 words 16 are drawn again with 21 items: 2^-600 lies among the paths with ten redraws."""
    question = question_with_bins(items)
    (found,) = enumerate_paths(Subject(name="bins", epsilon=1.0, questions=(question,)))
    assert found.passed, found.detail


@pytest.mark.parametrize("items", [17, 21])
def test_a_law_that_differs_by_less_than_any_test_could_see_is_another(items: int) -> None:
    question = question_with_bins(items)
    (found,) = enumerate_paths(Subject(name="bins", epsilon=1.0, questions=(question,), path=Skewed()))
    assert not found.passed and "another law" in found.detail


def test_any_program_of_comparisons_and_remainders() -> None:
    def program(entropy: Any) -> str:
        first, second = entropy.words(2)
        if first == 7:
            return "seven"
        if first <= 2**63:
            return "low" if second % 3 == 0 else "other"
        return "high" if entropy.words(1)[0] >= 2**62 else "deep"

    tree = explore(program, limit=50)
    whole = Fraction(2**64)
    low = Fraction(2**63 + 1 - 1) / whole
    thirds = Fraction((2**64 + 2) // 3) / whole
    assert tree.law == {
        "seven": 1 / whole,
        "low": low * thirds,
        "other": low * (1 - thirds),
        "high": (1 - low - 1 / whole) * Fraction(3, 4),
        "deep": (1 - low - 1 / whole) * Fraction(1, 4),
    }


@pytest.mark.parametrize("read", [int, float, bool, hash, lambda word: word >> 1, lambda word: word + 1])
def test_what_cannot_be_followed_is_refused(read: Any) -> None:
    with pytest.raises(Untraceable):
        explore(lambda script: read(script.words(1)[0]), limit=5)


def test_two_remainders_of_one_word_are_refused() -> None:
    word = Word(Range())
    assert word % 3 == 0
    with pytest.raises(Untraceable):
        word % 5


def test_a_tree_without_end_is_refused() -> None:
    def program(entropy: Any) -> int:
        return sum(bool(word < 2**63) for word in entropy.words(20))

    with pytest.raises(TooManyPaths):
        explore(program, limit=100)

"""Scripted words: the second reading of the laws, words aimed at thresholds, and answers through `respond`."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit import Subject, every_statistic, large_instances, small_instances
from sottovoce.audit.channel_derivations import derivation, law
from sottovoce.audit.neighbours import SIZES, crowd, neighbours, several_slots
from sottovoce.audit.sampler_layer import follows_the_script
from sottovoce.audit.word_scripts import AimedWords, Recorder, Tape, TapeEnded
from sottovoce.device import privatise
from sottovoce.messages import Laplace, Statistic, Unary


@pytest.mark.parametrize(
    ("make", "epsilon"),
    [(small_instances, 8.0), (large_instances, 0.1), (large_instances, 4.0), (every_statistic, 1.0)],
)
def test_everything_shipped_follows_the_script(make: object, epsilon: float) -> None:
    questions = make(epsilon)  # type: ignore[operator]
    for question in questions:
        finding = follows_the_script(Subject(name="shipped", epsilon=epsilon, questions=questions), question)
        assert finding.passed and finding.layer == "sampler", finding


def test_every_statistic_is_asked_about() -> None:
    assert {type(one.encoder.statistic) for one in every_statistic(1.0)} == set(Statistic.__args__)  # type: ignore[attr-defined]


def test_the_second_reading_has_the_declared_law() -> None:
    """On random words the two readings agree; 500 inputs of each small channel, and the share of one symbol fits."""
    for question in small_instances(1.0):
        channel = question.channel
        inputs = np.full(500, channel.span)
        recorder = Recorder(1)
        shipped = privatise(channel, inputs, recorder)
        again = derivation(channel).symbols(inputs.tolist(), Tape(recorder.given).read)
        assert [tuple(row) for row in shipped.tolist()] == again
        symbol, chance = max(law(channel, channel.span), key=lambda one: one[1])
        assert abs(again.count(symbol) / 500 - float(chance)) < 0.12  # five standard errors at most


def test_words_are_aimed_at_both_sides_of_a_threshold() -> None:
    aim, limit = AimedWords(1), 2**63 + 12345
    below = [aim.beside(limit, below=True) for _ in range(400)]
    above = [aim.beside(limit, below=False) for _ in range(400)]
    assert max(below) == limit - 1 and min(above) == limit, "next to it on either side"
    assert min(below) < 2**62 and max(above) > 2**63 + 2**62, "and far away"
    assert aim.beside(0, below=True) >= 0 and aim.beside(2**64, below=False) < 2**64


def test_every_digit_of_laplace_is_seen_in_a_report() -> None:
    """A digit that is left out changes the report of some user: for each of the 34 digits."""
    channel = design.laplace(1e-4)
    assert isinstance(channel, Laplace) and len(channel.digits) > 33
    inputs = [0] * (2 * len(channel.digits))
    words = derivation(channel).aimed_script(inputs, AimedWords(3))
    right = derivation(channel).symbols(inputs, Tape(words).read)
    for place in range(len(channel.digits)):
        digits = tuple(1 if other == place else digit for other, digit in enumerate(channel.digits))
        without = Laplace(steps=channel.steps, bound=channel.bound, digits=digits)
        assert derivation(without).symbols(inputs, Tape(words).read) != right, place


def test_each_bit_has_a_word_of_its_own() -> None:
    channel = design.unary(1.0, 129)
    assert isinstance(channel, Unary)
    keep = [channel.threshold - 1] * channel.items
    for place in range(channel.items):
        words = [*keep[:place], channel.threshold, *keep[place + 1 :]]
        given = privatise(channel, np.array([7]), Tape(words))[0]
        assert list(np.flatnonzero(given != channel.hot_bits(np.array([7]))[0])) == [place]


def test_a_tape_gives_each_word_once() -> None:
    tape = Tape([1, 2, 2**64 - 1])
    assert tape.words(2).tolist() == [1, 2] and tape.left == 1 and tape.read(1) == [2**64 - 1]
    with pytest.raises(TapeEnded):
        tape.words(1)


def test_people_of_all_sizes_at_many_slots() -> None:
    asked = small_instances(1.0)[0]
    assert {0, 1, 11, 1001} == set(SIZES) == {len(one.values) for one in neighbours(asked)}
    assert max(len(one.values) for one in neighbours(asked, most=11)) == 11
    assert crowd(asked, [0, 1, 1001]).sizes.tolist() == [0, 1, 1001]
    slots = several_slots(asked, 14) - asked.slots.first
    assert slots.tolist() == [*range(10), 9, 19, 29, 39], "the first ones, some inside, the last"
    positions = crowd(asked, [3] * 40).values
    there = positions[np.isfinite(positions)]
    assert np.isnan(positions).any() and np.isinf(positions).any(), "gaps and infinities among them"
    assert len(np.unique(there)) > 40 and max(Fraction(float(one)).denominator for one in there) > 2**32

"""Many users at once: what is drawn, in which blocks, from where, and what is declined."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit import BulkSource, audit, small_instances
from sottovoce.audit.entropy_layer import forked_streams, is_openssl, repeats, scripted_kernel
from sottovoce.device import bulk, encode
from sottovoce.messages import Batch, Channel, Declined, Laplace
from tests.support import SeededEntropy, uniform_people

SAMPLERS, ENTROPY = sys.modules["sottovoce.device.bulk.samplers"], sys.modules["sottovoce.device.bulk.entropy"]


class Counted(SeededEntropy):
    """How many words are drawn."""

    drawn = 0

    def words(self, count: int) -> np.ndarray:
        self.drawn += count
        return super().words(count)


@pytest.mark.parametrize("users", [1, 700, 40_000])
@pytest.mark.parametrize(
    "channel", [design.unary(1.0, 12), design.laplace(1.0), design.piecewise(1.0, nodes=9, window=5)]
)
def test_how_much_is_drawn_is_public(channel: Channel, users: int) -> None:
    """Whatever the inputs and the coins; more would be drawn with a chance below 2^-72."""
    drawn = set()
    for seed in range(4):
        source = Counted(seed)
        bulk.privatise(channel, np.random.default_rng(seed).integers(0, channel.span + 1, size=users), source)
        drawn.add(source.drawn)
    assert len(drawn) == 1


@pytest.mark.parametrize("count", [512, 2**14, 2**17])
def test_what_is_spare_is_enough(count: int) -> None:
    """Bernstein: the words that need all bits are more than `spare` with a chance of at most e^-50."""
    mean = count / 64
    beyond = SAMPLERS.spare(count) - mean
    assert beyond**2 / (2 * mean + 2 * beyond / 3) >= 50
    assert SAMPLERS.spare(count) < count


@pytest.mark.parametrize("question", small_instances(1.0), ids=lambda question: question.role)
def test_blocks(question: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small blocks, each from words of its own: as if every block had been asked alone."""
    asked = replace(question, slots=replace(question.slots, count=100))  # type: ignore[call-overload, attr-defined]
    people, slots = uniform_people(100, 3, seed=1), asked.slots.first + np.arange(100)
    shipped = SAMPLERS.sampler
    monkeypatch.setattr(SAMPLERS, "sampler", lambda channel: (shipped(channel)[0], 7))
    monkeypatch.setattr(sys.modules["sottovoce.device.bulk.respond"], "_MOST", 30)
    batches = list(bulk.respond_many(asked, people, slots, SeededEntropy(3)))
    assert [len(batch) for batch in batches] == [30, 30, 30, 10]
    source, first = SeededEntropy(3), 0
    for batch in batches:
        part = people.take(np.arange(first, first + len(batch)))
        inputs = encode(asked, part, slots[first : first + len(batch)], source).ravel()
        alone = [bulk.privatise(asked.channel, inputs[at : at + 7], source) for at in range(0, len(inputs), 7)]
        assert batch.payloads.tobytes() == np.concatenate(alone).tobytes()
        assert batch.slots.tolist() == slots[first : first + len(batch)].tolist()
        first += len(batch)
        Batch.packed(asked, batch.slots, batch.payloads.tobytes())  # what a device could have sent
    assert not list(bulk.respond_many(asked, people.take(np.arange(0)), slots[:0]))


def test_over_declared_is_declined() -> None:
    asked = small_instances(1.0)[0]
    cheap = replace(asked, channel=design.one_bit(2.0))
    with pytest.raises(Declined) as declined:
        next(iter(bulk.respond_many(cheap, uniform_people(3, 2), np.arange(3))))
    assert declined.value.code == "over-declared"


def test_inputs_outside_are_a_bug() -> None:
    for channel in (design.unary(1.0, 5), design.laplace(1.0), design.one_bit(1.0), design.subset(1.0, 5)):
        for wrong in (-1, channel.span + 1):
            with pytest.raises(AssertionError, match="left the channel"):
                bulk.privatise(channel, np.array([0, wrong]), SeededEntropy(1))


def test_the_widest_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    digits = tuple(2**127 - 1 for _ in range(46))
    channel = Laplace(steps=1, bound=2**46 - 2, digits=digits)

    class Same:
        def __init__(self, up: bool) -> None:
            self.left = 46 * 128 if up else 0

        def words(self, count: int) -> np.ndarray:
            """Zeros are below every threshold: the first geometric number has all digits, then none."""
            given = np.zeros(count, dtype=np.uint64) if self.left > 0 else np.full(count, ~np.uint64(0))
            self.left -= count
            return given

    monkeypatch.setattr(SAMPLERS, "RUN", 1)  # word by word
    up = bulk.privatise(channel, np.array([1]), Same(True)).view(">i8")
    level = bulk.privatise(channel, np.array([1]), Same(False)).view(">i8")
    assert up.tolist() == [[2**46 - 1]] and level.tolist() == [[1]]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_child_and_parent_never_draw_the_same_words() -> None:
    source = bulk.BulkEntropy()
    streams = forked_streams(source) + forked_streams(source)
    assert len(streams) == 12 and repeats(streams) == 0, "by chance once in 4e12 runs"


def test_a_forked_process_starts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told by the hook, or by the process id alone where the fork was not Python's."""
    fed: list[int] = []
    monkeypatch.setattr(ENTROPY._openssl(), "RAND_add", lambda given, entropy: fed.append(len(given)))
    source = bulk.BulkEntropy()
    source.words(3)
    fed.clear()
    source.words(3)
    assert fed == []
    ENTROPY._Fed.forget()
    source.words(3)
    assert fed == [48]
    monkeypatch.setattr(os, "getpid", lambda: 123_456_789)
    source.words(3)
    assert fed == [48, 48]
    monkeypatch.setattr(ENTROPY, "FRESH_AFTER", 100)
    source.words(20)
    source.words(1)
    assert fed == [48, 48, 48]


@pytest.fixture
def other_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Which library there is, is looked up again, before and after."""
    assert ENTROPY._openssl() is not None and is_openssl()
    ENTROPY._openssl.cache_clear()
    yield monkeypatch
    ENTROPY._openssl.cache_clear()


def test_without_openssl_words_are_the_systems(other_library: pytest.MonkeyPatch) -> None:
    other_library.setitem(sys.modules, "ssl", None)
    with scripted_kernel(1) as kernel:
        given = bulk.BulkEntropy().words(1000).tobytes()
        assert given == b"".join(kernel.given) and len(given) == 8000


@pytest.mark.parametrize(
    "name", ["LibreSSL 3.8.2", "AWS-LC 1.34.2", "BoringSSL", "OpenSSL 1.1.1 (compatible; AWS-LC 1.34.2)"]
)
def test_with_another_library_words_are_the_systems(other_library: pytest.MonkeyPatch, name: str) -> None:
    """What takes OpenSSL's place may let nothing be mixed in."""
    other_library.setattr("ssl.OPENSSL_VERSION", name)
    assert not is_openssl()
    assert not name.startswith("Libre") or audit([BulkSource(name=name)]).certified
    with scripted_kernel(1) as kernel:
        assert bulk.BulkEntropy().words(1000).tobytes() == b"".join(kernel.given)


def test_words_come_as_many_as_asked_for() -> None:
    source = bulk.BulkEntropy()
    assert [len(source.words(count)) for count in (0, 1, 7, 2**17 + 1)] == [0, 1, 7, 2**17 + 1]
    assert len(np.unique(source.words(2**17 + 1))) == 2**17 + 1

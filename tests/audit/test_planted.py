"""Seven faults planted in the device that ships, not in a copy: the audit sees each of them, and names the layer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sottovoce.audit import Finding, LedgerPromise, Source, Subject, Target, audit, caught_by, large_instances
from sottovoce.device import Collections, Entropy, Ledger, SystemEntropy, encode, privatise
from sottovoce.messages import Laplace, Question, Unary

Plant = Callable[..., None]
RESPOND = sys.modules["sottovoce.device.respond"]


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Put other functions in place of the device's own, where it puts its answers together."""

    def put(**functions: Any) -> None:
        for name, function in functions.items():
            monkeypatch.setattr(RESPOND, name, function)

    return put


def look(*roles: str, epsilon: float = 1.0) -> Sequence[Finding]:
    asked = tuple(one for one in large_instances(epsilon) if one.role in roles)
    assert len(asked) == len(roles)
    return failed(Subject(name="planted", epsilon=epsilon, questions=asked, sampled=False))


def failed(target: Target) -> Sequence[Finding]:
    return [one for one in audit([target]).findings if not one.passed]


def quiet_when(condition: Callable[[Collections, Any], Any]) -> dict[str, Any]:
    """An encoder and a sampler that agree on whose noise is left out."""
    quiet: list[Any] = []

    def encoder(question: Question, people: Collections, slots: Any, entropy: Entropy) -> Any:
        quiet[:] = [np.repeat(condition(people, slots), question.uses)]
        return encode(question, people, slots, entropy)

    def sampler(channel: Any, inputs: Any, entropy: Entropy) -> Any:
        noisy = privatise(channel, inputs, entropy)
        plain = (
            channel.hot_bits(inputs).astype(np.int64) if isinstance(channel, Unary) else inputs[:, None] // channel.unit
        )
        return np.where(quiet[0][:, None], plain, noisy)

    return {"encode": encoder, "privatise": sampler}


@pytest.mark.parametrize("role", ["unary 65", "laplace, all digits"])
def test_no_noise_when_more_than_ten(plant: Plant, role: str) -> None:
    plant(**quiet_when(lambda people, slots: people.sizes > 10))
    assert "sampler" in caught_by(look(role))


@pytest.mark.parametrize("rest", range(7))
def test_no_noise_at_every_seventh_slot(plant: Plant, rest: int) -> None:
    plant(**quiet_when(lambda people, slots: slots % 7 == rest))
    assert caught_by(look("unary 65")) == ("sampler",)


def test_noise_repeated_after_64_bits(plant: Plant) -> None:
    def sampler(channel: Any, inputs: Any, entropy: Entropy) -> Any:
        if not isinstance(channel, Unary):
            return privatise(channel, inputs, entropy)
        words = entropy.words(len(inputs) * channel.items).reshape(len(inputs), channel.items)
        again = words[:, np.arange(channel.items) % 64]
        return (channel.hot_bits(inputs) ^ (again >= np.uint64(channel.threshold))).astype(np.int64)

    plant(privatise=sampler)
    assert caught_by(look("unary 65")) == caught_by(look("unary 129")) == caught_by(look("unary 1000")) == ("sampler",)


def test_32_bit_integers_in_the_digits(plant: Plant) -> None:
    def sampler(channel: Any, inputs: Any, entropy: Entropy) -> Any:
        assert isinstance(channel, Laplace)
        noise = []
        for _ in range(2):
            total = np.zeros(len(inputs), dtype=np.int32)
            for place, digit in enumerate(channel.digits):
                words = entropy.words(2 * len(inputs)).reshape(2, -1)
                high, low = np.uint64(digit >> 64), np.uint64(digit & (2**64 - 1))
                ones = (words[0] < high) | ((words[0] == high) & (words[1] < low))
                total += ones.astype(np.int32) * np.array(2**place).astype(np.int32)
            noise.append(total.astype(np.int64))
        return np.clip(inputs + noise[0] - noise[1], -channel.bound, channel.steps + channel.bound)[:, None]

    plant(privatise=sampler)
    assert not look("laplace, all digits"), "with fewer digits than 32 it is no fault"
    assert caught_by(look("laplace at 0.0001", epsilon=0.1)) == ("sampler",)


def test_a_generator_reseeded_with_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    def words(self: object, count: int) -> Any:
        seed = int.from_bytes(os.urandom(4), "little")
        return np.random.Generator(np.random.PCG64(seed)).integers(0, 2**64, size=count, dtype=np.uint64)

    monkeypatch.setattr(SystemEntropy, "words", words)
    found = failed(Source(name="planted", started=False))
    assert {one.layer for one in found} == {"entropy"} and len(found) == 2, "alone, and through a device"


def test_the_cap_counted_per_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, spent = Ledger.answer, Ledger.spent

    def own(self: Ledger, *, collector: str, source: str, **more: Any) -> bytes:
        return answer(self, collector=collector, source=f"{collector}|{source}", **more)

    def over_all(self: Ledger, source: str) -> Fraction:
        return sum((spent(self, name) for name in (source, *_sources(source))), Fraction(0))

    def _sources(source: str) -> list[str]:
        return [] if "|" in source else [f"{name}|{source}" for name in ("lab", "collector-0", "collector-1")]

    monkeypatch.setattr(Ledger, "answer", own)
    monkeypatch.setattr(Ledger, "spent", over_all)
    (found,) = failed(LedgerPromise(name="planted"))
    assert found.layer == "ledger" and "one cap" in found.check and "with a cap of" in found.detail


def test_an_exception_for_more_than_a_thousand(plant: Plant) -> None:
    def encoder(question: Question, people: Collections, slots: Any, entropy: Entropy) -> Any:
        if (people.sizes > 1000).any():
            raise MemoryError
        return encode(question, people, slots, entropy)

    plant(encode=encoder)
    found = look("unary 65")
    assert {"exact", "sampler"} <= set(caught_by(found)) and all("MemoryError" in one.detail for one in found)

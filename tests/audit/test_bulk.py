"""Many users at once: the shipped path is certified, and faults planted in it, not in a copy, are seen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from laboratory.mutants.samplers import head_only
from laboratory.mutants.sources import Kept
from sottovoce.audit import (
    BulkSource,
    Coins,
    DefaultSource,
    Finding,
    Subject,
    audit,
    caught_by,
    device_targets,
    large_instances,
    word_scripts,
)
from sottovoce.audit.device_paths import BULK
from sottovoce.device import bulk
from tests.support import SeededEntropy

COINS = SAMPLERS = sys.modules["sottovoce.device.bulk.samplers"]
ENTROPY, RESPOND = (sys.modules[f"sottovoce.device.bulk.{name}"] for name in ("entropy", "respond"))
LOCAL = sys.modules["sottovoce.engines.local_devices"]


def test_what_ships_is_certified() -> None:
    """Everything of ``sotto audit bulk`` at one ε: at most 1e-4 of a false alarm, seeded where it can be."""
    targets = [one.target for one in device_targets("bulk", (1.0,))]
    assert {type(one) for one in targets} >= {Coins, BulkSource, Subject, DefaultSource}
    result = audit(targets, samples=6000, entropy=SeededEntropy(6))
    assert result.certified, [one for one in result.findings if not one.passed]
    assert any(one.measured is not None for one in result.findings if one.layer == "statistical"), "seen in reports"
    assert {one.layer for one in result.findings} == {
        "exact", "tree", "sampler", "statistical", "processes", "entropy",
    }  # fmt: skip


def test_the_second_reading_knows_the_order_of_words() -> None:
    """Written twice on purpose; here they are held against each other."""
    assert (word_scripts._HIGHEST, word_scripts._FEW, word_scripts._RUN) == (COINS.HEAD, COINS.FEW, COINS.RUN)


def look(role: str) -> Sequence[Finding]:
    (asked,) = (one for one in large_instances(1.0) if one.role == role)
    found = audit([Subject(name="planted", epsilon=1.0, questions=(asked,), path=BULK, sampled=False)]).findings
    return [one for one in found if not one.passed]


PLAIN = SAMPLERS._unary


def next_bin(channel: Any, inputs: Any, entropy: Any) -> Any:
    return PLAIN(channel, np.minimum(inputs + 1, channel.span), entropy)


def one_bit_early(threshold: int, bits: int, count: int, entropy: Any) -> Any:
    return bulk.coins(threshold & ~1, bits, count, entropy)


def upper_half(threshold: int, bits: int, count: int, entropy: Any) -> Any:
    return bulk.coins(threshold >> 64 << 64, bits, count, entropy)


@pytest.mark.parametrize(
    ("name", "function", "role"),
    [
        ("coins", head_only, "unary 1000"),
        ("coins", one_bit_early, "unary 65"),
        ("coins", upper_half, "laplace, all digits"),
        ("_unary", next_bin, "unary 65"),
    ],
)
def test_planted_in_the_samplers(
    monkeypatch: pytest.MonkeyPatch, name: str, function: Callable[..., Any], role: str
) -> None:
    assert not look(role)
    monkeypatch.setattr(SAMPLERS, name, function)
    assert caught_by(look(role)) == ("sampler",)


def first_words_again(function: Callable[..., Any]) -> Callable[..., Any]:
    """Every call is given the words of the first one, where it draws as many, and draws its own in vain."""
    kept: list[Kept] = []

    def called(*given: Any) -> Any:
        kept.append(kept[0] if kept else Kept(given[-1]))
        return function(*given[:-1], kept[0].again())

    return called


def test_words_shared_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen only where there is more than one block."""
    shipped = SAMPLERS.sampler

    def sampler(channel: Any) -> Any:
        sample, block = shipped(channel)
        return first_words_again(sample), block

    monkeypatch.setattr(SAMPLERS, "sampler", sampler)
    for role in ("unary 65", "table", "subset 129", "laplace, all digits"):
        (found,) = look(role)
        assert found.layer == "sampler" and "in blocks" in found.detail


def test_words_shared_by_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen only where there is more than one run of words."""
    shipped = COINS._rows

    def toss(*given: Any) -> Any:
        monkeypatch.setattr(COINS, "_rows", first_words_again(shipped))
        return bulk.coins(*given)

    (found,) = audit([Coins(name="planted", toss=toss)]).findings
    assert not found.passed and found.detail.startswith("20 bits")


def test_planted_in_the_entropy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork that nobody tells, and whose process id is not looked at, draws before anything fresh is mixed in."""
    assert audit([BulkSource(name="shipped")]).certified
    monkeypatch.setattr(ENTROPY._Fed, "forget", lambda: None)
    here = os.getpid()
    monkeypatch.setattr(ENTROPY.os, "getpid", lambda: here)
    monkeypatch.setattr(ENTROPY._Fed, "process", here)
    monkeypatch.setattr(ENTROPY, "FRESH_AFTER", 2**60)
    found = audit([BulkSource(name="planted")]).findings
    assert [one.check for one in found if not one.passed] == ["fed by the operating system"]


def test_planted_where_nobody_hands_in_a_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the front door and in the engine, each alone; also where the source that is handed in is not used."""
    many, here = "no source handed in: OpenSSL's bytes", "no source handed in, in this process: OpenSSL's bytes"

    def failed() -> list[str]:
        return [one.check for one in audit([DefaultSource(name="planted")]).findings if not one.passed]

    assert not failed()
    with monkeypatch.context() as patch:
        patch.setattr(RESPOND, "BulkEntropy", lambda: SeededEntropy(7))
        assert failed() == [many]
    with monkeypatch.context() as patch:
        patch.setattr(bulk, "BulkEntropy", lambda: SeededEntropy(7))
        assert failed() == [here]
    shipped = bulk.respond_many

    def own_words(question: Any, people: Any, slots: Any, entropy: Any = None) -> Any:
        return shipped(question, people, slots, SeededEntropy(7))

    with monkeypatch.context() as patch:
        patch.setattr(LOCAL, "bulk", SimpleNamespace(BulkEntropy=bulk.BulkEntropy, respond_many=own_words))
        assert failed() == [here]

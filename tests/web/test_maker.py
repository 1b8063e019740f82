"""The device in JavaScript says what Python's says: the same inputs, symbols and number of words, to the last bit."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sottovoce
from sottovoce.device import Collections, encode, privatise
from sottovoce.messages import Question, Subset
from sottovoce.messages.public import words
from tests.support.node import lines
from tests.vectors import make
from tests.web import asked

DEVICE = Path(sottovoce.__file__).parent / "web" / "device"
DRIVER = Path(__file__).with_name("maker.mjs")
SLOTS = [10, 11, 17, 2**31 + 9, 2**32 + 10, 2**39 + 9]


class Script:
    """Word i is the first public word of slot i; or the words that were given, as long as there are some."""

    def __init__(self, given: list[int]) -> None:
        self.given, self.used = given, 0

    def words(self, count: int) -> NDArray[np.uint64]:
        drawn = words(2026, np.arange(self.used, self.used + count), 1)[:, 0].copy()
        own = self.given[self.used : self.used + count]
        drawn[: len(own)] = np.array(own, dtype=np.uint64)
        self.used += count
        return drawn


def _ask(values: NDArray[np.float64], slot: int, given: list[int] | None = None) -> dict[str, Any]:
    wide = values[:, None] if values.ndim == 1 else values
    rows, columns = wide.shape
    held = wide.astype("<f8").tobytes().hex()
    return {"slot": slot, "rows": rows, "columns": columns, "values": held, "given": [str(word) for word in given or []]}


def _here(question: Question, ask: dict[str, Any]) -> dict[str, Any]:
    values = np.frombuffer(bytes.fromhex(ask["values"]), dtype="<f8").reshape(ask["rows"], ask["columns"])
    entropy = Script([int(word) for word in ask["given"]])
    inputs = encode(question, Collections.of_one(values), np.array([ask["slot"]]), entropy)[0]
    symbols = privatise(question.channel, inputs, entropy)
    return {"inputs": inputs.tolist(), "symbols": symbols.tolist(), "words": entropy.used}


def _compare(asks: Iterable[tuple[Question, list[dict[str, Any]]]]) -> None:
    held = list(asks)
    sent = [{"question": question.to_bytes().decode(), "asks": own} for question, own in held]
    for (question, own), answers in zip(held, lines(DRIVER, sent, str(DEVICE)), strict=True):
        for ask, answer in zip(own, answers, strict=True):
            assert answer == _here(question, ask), (question, ask)


def test_the_questions_of_the_vectors_about_every_collection_of_theirs() -> None:
    held = [np.array(values, dtype=float) for values in (make.COLLECTIONS | make.VECTORS).values()]
    _compare((question, [_ask(values, 10) for values in held]) for question in make.questions().values())


@pytest.mark.parametrize("seed", range(6))
def test_any_question_about_any_collection(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)

    def asks(question: Question) -> list[dict[str, Any]]:
        return [_ask(asked.collections(rng, question), int(rng.choice(SLOTS))) for _ in range(8)]

    _compare((question, asks(question)) for question in asked.questions(seed, 150))


def test_words_at_the_edges_of_what_is_drawn() -> None:
    """Redraws of an index, and words that equal a threshold, are one in 2^48 by chance: here they are given."""
    rng = np.random.default_rng(5)
    edges = [0, 1, 2**32, 2**63 - 1, 2**63, 2**64 - 2**20, 2**64 - 3, 2**64 - 2, 2**64 - 1]

    def asks(question: Question) -> list[dict[str, Any]]:
        threshold = getattr(question.channel, "threshold", 2**63)
        more = [*edges, threshold - 1, threshold, *(getattr(question.channel, "digits", (2**127,))[0] >> 64,)]
        given = [[int(more[place]) for place in rng.integers(len(more), size=60)] for _ in range(6)]
        return [_ask(asked.collections(rng, question), 10, words) for words in given]

    found = list(asked.questions(77, 120))
    assert sum(isinstance(question.channel, Subset) for question in found) > 20
    _compare((question, asks(question)) for question in found)

"""Black boxes: a question through the real path, or any callable of a user's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.bounds import Floats
from sottovoce.audit.kinds import derivation
from sottovoce.audit.neighbours import FEW, neighbours
from sottovoce.audit.path import Path
from sottovoce.audit.statistical import BlackBox
from sottovoce.device import Entropy
from sottovoce.messages import Batch, Question, Report

WHOLE = 25
"""So many reports of a sample are read from all of their bytes, the others from their payload."""
FAULT = np.nan
"""Stands for the numbers of a report that is not one: other bytes than a payload differ, or another size."""


def question_box(name: str, question: Question, path: Path, entropy: Entropy) -> BlackBox:
    """Collections in, report bytes out, decoded again. Of few observations: thousands of copies are made of each."""
    people = neighbours(question, most=FEW)

    def sample(place: int, count: int) -> Floats:
        slots, held = np.full(count, question.slots.first), people[place]
        if not path.batched:
            return decoded(question, path.respond_many(question, held.copies(count), slots, entropy))
        rows: list[Floats] = []
        for batch in path.batches(question, held.copies(count), slots, entropy):
            if not rows:  # the first of them through all of their bytes
                few = Batch(question=question, slots=batch.slots[:WHOLE], symbols=batch.symbols[:WHOLE])
                rows.append(decoded(question, path.write(few, held.copies(len(few)))))
                batch = Batch(question=question, slots=batch.slots[WHOLE:], symbols=batch.symbols[WHOLE:])
            rows.append(from_payloads(question, question.channel.pack(batch.symbols)))
        return np.concatenate(rows)

    return BlackBox(
        name=name,
        epsilon=question.epsilon,
        neighbours=tuple(one.name for one in people),
        sample=sample,
        check=f"round {question.round}, {question.role}",
    )


def decoded(question: Question, reports: Sequence[bytes]) -> Floats:
    """The numbers of the reports, one row each, read from their bytes; a subset becomes a bit for each item.

    Every report must be the bytes that a correct one has around its payload, so that nothing else can carry
    anything; the first is also read strictly.
    """
    size = question.uses * question.channel.payload_bytes
    frame = Report(question=question.digest, slot=question.slots.first, payload="00" * size).to_bytes()
    before, _, after = frame.partition(b"00" * size)
    start, stop = len(before), len(frame) - len(after)
    fits = [len(one) == len(frame) and one.startswith(before) and one.endswith(after) for one in reports]
    payload = b"".join(one[start:stop] if good else b"00" * size for one, good in zip(reports, fits, strict=True))
    raw = np.frombuffer(bytes.fromhex(payload.decode("ascii")), dtype=np.uint8).reshape(len(reports), size)
    return np.where(np.asarray(fits)[:, None], from_payloads(question, raw), FAULT)


def from_payloads(question: Question, payloads: NDArray[np.uint8]) -> Floats:
    """The numbers of packed answers, one row each; symbols that the channel never sends become `FAULT`."""
    channel, count = question.channel, len(payloads)
    symbols = channel.unpack(payloads.reshape(count, question.uses, channel.payload_bytes))
    fits = np.full(count, True) if channel.valid(symbols) else np.array([channel.valid(one) for one in symbols])
    return np.where(fits[:, None], derivation(channel).numbers(symbols), FAULT)


def callable_box(
    name: str,
    mechanism: Callable[[Any], Any],
    *,
    epsilon: float,
    neighbours: Mapping[str, Any],
) -> BlackBox:
    """Audit any callable: ``mechanism(collection)`` returns a number, a vector of one length, bytes, or any category.

    `neighbours` names two or more collections, each as the mechanism takes it. Numbers are looked at as numbers, to
    their last bit; everything else as categories.

    Privacy
    -------
    For made-up collections only: reports are kept as they come.
    """
    held = list(neighbours.values())
    known: dict[Any, int] = {}

    def sample(place: int, count: int) -> Floats:
        return numbers([mechanism(held[place]) for _ in range(count)], known)

    return BlackBox(name=name, epsilon=epsilon, neighbours=tuple(neighbours), sample=sample)


def batch_box(
    name: str, mechanism: Callable[[Any, int], Any], *, epsilon: float, neighbours: Mapping[str, Any]
) -> BlackBox:
    """The same for ``mechanism(collection, count)``, which returns `count` reports at once."""
    held = list(neighbours.values())
    known: dict[Any, int] = {}
    return BlackBox(
        name=name,
        epsilon=epsilon,
        neighbours=tuple(neighbours),
        sample=lambda place, count: numbers(mechanism(held[place], count), known),
    )


def numbers(reports: Any, known: dict[Any, int]) -> Floats:
    """Reports as rows of numbers; categories are numbered as they first appear."""
    try:
        rows = np.asarray(reports, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.array([known.setdefault(_hashable(one), len(known)) for one in reports], dtype=np.float64)
    return rows.reshape(len(rows), -1)


def _hashable(report: Any) -> Any:
    try:
        hash(report)
    except TypeError:
        return repr(report)
    return report

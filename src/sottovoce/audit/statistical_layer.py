"""The statistical layer: a black box, collections in and reports out, and what an observer can prove about it.

Half of the reports choose what to look at: which two collections, which feature, which event. The other half, drawn
afresh for these two collections, are counted once, and Clopper–Pearson turns the counts into a lower bound on ε that
exceeds the truth with probability at most `level`. Nothing else is assumed: neither a law nor a code is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.channel_derivations import Floats, derivation
from sottovoce.audit.device_paths import Path
from sottovoce.audit.findings import Finding
from sottovoce.audit.neighbours import FEW, neighbours
from sottovoce.device import Entropy
from sottovoce.messages import Batch, Channel, Question, Report

# A feature sorts reports into cells. Cells are fixed on the first half of the samples; the second half is only counted.

Cells = NDArray[np.int64]
Sorter = Callable[[Floats], Cells]

MOST_CELLS = 24
LOW_BITS = 4


def lowest_bit(values: Floats) -> Cells:
    """The place of the lowest bit that is set: −53 for a multiple of 2^-53 but not of 2^-52; 2,000 for zero.

    A sum of floats keeps only the bits that its larger part can hold, so this tells what noise was added to
    (Mironov 2012). For whole numbers it is the number of times they can be halved.
    """
    mantissa, exponent = np.frexp(np.where(np.isfinite(values), values, 0.0))
    whole = np.abs(np.ldexp(mantissa, 53)).astype(np.int64)
    trailing = np.bitwise_count((whole & -whole) - 1).astype(np.int64)
    return np.asarray(np.where(whole == 0, 2000, exponent.astype(np.int64) - 53 + trailing))


def low_bits(values: Floats) -> Cells:
    """The last bits of a whole number, or of the mantissa of any other."""
    whole = np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) < 2**53)
    as_number = np.where(whole, values, 0.0).astype(np.int64)
    as_bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    return np.asarray(np.where(whole, as_number, as_bits + 0) & (2**LOW_BITS - 1))


def sorter_by_report(sample: Floats) -> Sorter | None:
    """A cell for each report that was seen, when there are few; one more for all others."""
    if len(np.unique(sample[:, 0])) > MOST_CELLS or len(rows := np.unique(sample, axis=0)) > MOST_CELLS:
        return None
    if sample.shape[1] == 1:
        return lambda values: np.searchsorted(rows[:, 0], values[:, 0], side="right").astype(np.int64)
    known = {row.tobytes(): place for place, row in enumerate(np.ascontiguousarray(rows))}

    return lambda values: np.array(
        [known.get(row.tobytes(), len(known)) for row in np.ascontiguousarray(values)], dtype=np.int64
    )


def sorter_by_likelihood(first: Floats, second: Floats) -> Sorter:
    """Cells of equal likelihood ratio between two samples, as if a report's numbers were independent of each other.

    A number's own ratio counts only where it is more than noise (three standard errors).
    """
    weights, sorters = [], []
    for column in range(first.shape[1]):
        sort = _sorter_by_number(np.concatenate((first[:, column], second[:, column])))
        here, there = sort(first[:, column]), sort(second[:, column])
        size = int(max(here.max(), there.max())) + 2
        mine, yours = (np.bincount(one, minlength=size) + 0.5 for one in (here, there))
        ratio = np.log(mine / len(first)) - np.log(yours / len(second))
        weights.append(np.where(np.abs(ratio) > 3 * np.sqrt(1 / mine + 1 / yours), ratio, 0.0))
        sorters.append(sort)

    def score(values: Floats) -> Floats:
        total = np.zeros(len(values))
        for column, (sort, weight) in enumerate(zip(sorters, weights, strict=True)):
            total += weight[np.minimum(sort(values[:, column]), len(weight) - 1)]
        return total

    cuts = _sorter_by_number(np.concatenate((score(first), score(second))))
    return lambda values: cuts(score(values))


def _sorter_by_number(values: Floats) -> Sorter:
    """A cell for each number when there are few, else 64 cells with as many numbers each."""
    distinct = np.unique(values)
    if len(distinct) > 64:
        distinct = np.unique(np.quantile(values, np.linspace(0, 1, 65)[1:-1]))
    return lambda given: np.searchsorted(distinct, given, side="right").astype(np.int64)


def sorter_by_feature(feature: Callable[[Floats], Cells]) -> Callable[[Floats], Sorter]:
    """A feature of the first number of a report, as a sorter with cells 0 … k."""

    def fit(sample: Floats) -> Sorter:
        seen = np.unique(feature(sample[:, 0]))
        return lambda values: np.searchsorted(seen, feature(values[:, 0]), side="right").astype(np.int64)

    return fit


def epsilon_lower_bound(hits: Any, of: int, other_hits: Any, other_of: int, *, level: float) -> Floats:
    """A lower bound on ln(P/P′), wrong with probability at most `level`: Clopper–Pearson, half of it on each side.

    `hits` of `of` reports of one collection and `other_hits` of `other_of` reports of its neighbour fell in an event
    that was chosen without looking at them.
    """
    from scipy.special import betainccinv, betaincinv  # 100 ms at import; only this needs it

    hits, other_hits = np.asarray(hits, dtype=np.float64), np.asarray(other_hits, dtype=np.float64)
    with np.errstate(all="ignore"):
        least = np.where(hits > 0, betaincinv(np.maximum(hits, 1), of - hits + 1, level / 2), 0.0)
        room = np.maximum(other_of - other_hits, 1)
        most = np.where(other_hits < other_of, betainccinv(other_hits + 1, room, level / 2), 1.0)
        return np.asarray(np.where(least > 0, np.log(least / most), -np.inf))


_FEATURES = {
    "report": sorter_by_report,
    "support": sorter_by_feature(lowest_bit),
    "low bits": sorter_by_feature(low_bits),
}
TESTS = tuple(_FEATURES)
"""The hypotheses tested on each black box."""
_FEWEST = 200
"""Reports of a collection that are drawn at least. Chosen by hand: fewer prove nothing, more take time."""


@dataclass(frozen=True, kw_only=True)
class BlackBox:
    """Anything that turns a collection into a randomised report.

    ``sample(i, count)`` draws `count` reports of the i-th of `neighbours` as numbers ``(count, width)``.
    """

    name: str
    epsilon: float
    neighbours: tuple[str, ...]
    sample: Callable[[int, int], Floats]
    check: str = ""
    effort: int = 1
    """How many times the usual number of samples it is worth."""


@dataclass(frozen=True, kw_only=True)
class _Event:
    """Cells of a feature, and the ordered pair of collections that they tell apart."""

    first: int
    second: int
    sort: Sorter
    cells: Cells


def measure(box: BlackBox, *, samples: int, level: float) -> list[Finding]:
    """One finding for each of `TESTS`; each raises a false alarm with probability at most `level`."""
    each = max(_FEWEST, samples // (2 * len(box.neighbours)))
    chosen_on = [box.sample(place, each) for place in range(len(box.neighbours))]
    fresh = cache(lambda place: box.sample(place, max(_FEWEST, samples // 4)))
    findings = []
    for test, feature in _FEATURES.items():
        event = _best_event(chosen_on, feature, level)
        here, there = fresh(event.first), fresh(event.second)
        hits = [int(np.isin(event.sort(reports), event.cells).sum()) for reports in (here, there)]
        bound = float(epsilon_lower_bound(hits[0], len(here), hits[1], len(there), level=level))
        pair = f"{box.neighbours[event.first]} / {box.neighbours[event.second]}"
        findings.append(
            Finding(
                subject=box.name,
                layer="statistical",
                check=f"{box.check}: {test}" if box.check else test,
                passed=bound <= box.epsilon,
                detail=f"{pair}: {hits[0]:,} of {len(here):,} against {hits[1]:,} of {len(there):,}",
                declared=box.epsilon,
                measured=max(0.0, bound),
                slack=box.epsilon - max(0.0, bound),
            )
        )
    return findings


def _best_event(samples: Sequence[Floats], feature: Callable[[Floats], Sorter | None], level: float) -> _Event:
    """The pair and event that promise the largest bound on a second sample of the same size.

    A feature whose cells do not depend on the pair is fitted once, on everything.
    """
    shared = feature(np.concatenate(samples))
    cells = [] if shared is None else [shared(sample) for sample in samples]
    events: list[tuple[float, _Event]] = []
    for left, right in combinations(range(len(samples)), 2):
        sort = shared or sorter_by_likelihood(samples[left], samples[right])
        sorted_pair = [cells[place] if cells else sort(samples[place]) for place in (left, right)]
        for first, second, pair in ((left, right, sorted_pair), (right, left, sorted_pair[::-1])):
            chosen, promised = _best_cells(pair[0], pair[1], level)
            events.append((promised, _Event(first=first, second=second, sort=sort, cells=chosen)))
    return max(events, key=itemgetter(0))[1]  # the first of those that promise as much


def _best_cells(first: Cells, second: Cells, level: float) -> tuple[Cells, float]:
    """Cells in the order of their likelihood ratio; the best beginning of that order."""
    size = int(max(first.max(), second.max())) + 1
    here, there = np.bincount(first, minlength=size), np.bincount(second, minlength=size)
    order = np.argsort((there + 0.5) / (here + 0.5), kind="stable")
    bounds = epsilon_lower_bound(np.cumsum(here[order]), len(first), np.cumsum(there[order]), len(second), level=level)
    last = int(np.argmax(bounds))
    return order[: last + 1], float(bounds[last])


WHOLE = 25
"""So many reports of a sample are read from all of their bytes, the others from their payload."""
FAULT = np.nan
"""Stands for the numbers of a report that is not one: other bytes than a payload differ, or another size."""


def question_box(name: str, question: Question, path: Path, entropy: Entropy) -> BlackBox:
    """Collections in, report bytes out, decoded again. Of few observations: thousands of copies are made of each."""
    people = neighbours(question, most=FEW)

    def sample(place: int, count: int) -> Floats:
        slots, crowd = np.full(count, question.slots.first), people[place].copies(count)
        if not path.batched:
            return decoded_reports(question, path.respond_many(question, crowd, slots, entropy))
        rows: list[Floats] = []
        for batch in path.batches(question, crowd, slots, entropy):
            if not rows:  # the first of them through all of their bytes
                few = Batch(question=question, slots=batch.slots[:WHOLE], symbols=batch.symbols[:WHOLE])
                rows.append(decoded_reports(question, path.write(few, people[place].copies(len(few)))))
                batch = Batch(question=question, slots=batch.slots[WHOLE:], symbols=batch.symbols[WHOLE:])
            rows.append(decoded_payloads(question, question.channel.pack(batch.symbols)))
        return np.concatenate(rows)

    return BlackBox(
        name=name,
        epsilon=question.epsilon,
        neighbours=tuple(one.name for one in people),
        sample=sample,
        check=f"round {question.round}, {question.role}",
    )


def decoded_reports(question: Question, reports: Sequence[bytes]) -> Floats:
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
    return np.where(np.asarray(fits)[:, None], decoded_payloads(question, raw), FAULT)


def decoded_payloads(question: Question, payloads: NDArray[np.uint8]) -> Floats:
    """The numbers of packed answers, one row each; symbols that the channel never sends become `FAULT`."""
    channel, count = question.channel, len(payloads)
    symbols = channel.unpack(payloads.reshape(count, question.uses, channel.payload_bytes))
    fits = np.full(count, True) if channel.valid(symbols) else np.array([channel.valid(one) for one in symbols])
    return np.where(fits[:, None], derivation(channel).report_numbers(symbols), FAULT)


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
    return batch_box(
        name,
        lambda collection, count: [mechanism(collection) for _ in range(count)],
        epsilon=epsilon,
        neighbours=neighbours,
    )


def batch_box(
    name: str, mechanism: Callable[[Any, int], Any], *, epsilon: float, neighbours: Mapping[str, Any]
) -> BlackBox:
    """Audit any callable ``mechanism(collection, count)``, which returns `count` reports at once."""
    collections = list(neighbours.values())
    known: dict[Any, int] = {}
    return BlackBox(
        name=name,
        epsilon=epsilon,
        neighbours=tuple(neighbours),
        sample=lambda place, count: _numbers(mechanism(collections[place], count), known),
    )


def _numbers(reports: Any, known: dict[Any, int]) -> Floats:
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


# Noise is turned into bits whose chances are known exactly from the law: flipped or not, own item named or not, noise
# above zero or not. Products of two centred bits of which neither decides the other are martingale differences, so
# Azuma's inequality bounds how far their sum may stray, whatever the number of reports; lags and places are paid for by
# the union bound. That is no sharp test, and need not be: noise that is used twice moves the sum by its whole length.

DEPENDENCE_TESTS = ("shares", "within a report", "between reports")
REPORTS = 800
APART = 16
"""Reports up to so many places from one another are compared."""


def noise_dependence(subject: str, channel: Channel, path: Path, entropy: Entropy, *, level: float) -> list[Finding]:
    """One finding for each of `DEPENDENCE_TESTS`; each raises a false alarm with probability at most `level`."""
    kind, value = derivation(channel), channel.span // channel.unit // 2 * channel.unit
    symbols = path.symbols(channel, np.full(REPORTS, value, dtype=np.int64), entropy)
    bits, chances = kind.noise_bits(value, symbols)
    centred = (bits - chances) / np.maximum(chances, 1 - chances)  # within ±1
    lags = np.arange(1, APART + 1)
    between = np.array([(centred[lag:] * centred[:-lag]).sum(axis=0) for lag in lags])
    chances_of = {
        "shares": _azuma_chance(centred.sum(axis=0), REPORTS),
        "within a report": _chance_within_report(centred) if kind.independent else 1.0,
        "between reports": _azuma_chance(between, (REPORTS - lags)[:, None]),  # the same bit, up to `APART` apart
    }
    return [
        Finding(
            subject=subject,
            layer="statistical",
            check=f"{channel.kind}, {bits.shape[1]} bits of noise: {test}",
            passed=chance >= level,
            detail=f"{REPORTS:,} reports, a chance of at most {chance:.2g}",
        )
        for test, chance in chances_of.items()
    ]


def _chance_within_report(centred: Floats) -> float:
    """Bits of one report, at every distance from one another."""
    width = centred.shape[1]
    if width < 2:
        return 1.0
    spectrum = np.abs(np.fft.rfft(centred, n=2 * width, axis=1)) ** 2
    sums = np.fft.irfft(spectrum, n=2 * width, axis=1)[:, 1:width].sum(axis=0)
    return _azuma_chance(sums, REPORTS * (width - np.arange(1, width)))


def _azuma_chance(sums: Floats, terms: NDArray[np.int64] | int) -> float:
    """Azuma: n differences within ±1 stray by t with a chance of at most 2·exp(−t²/2n); the union over all sums."""
    furthest = float(np.max(sums**2 / np.asarray(terms, dtype=float)))
    return min(1.0, 2 * sums.size * math.exp(-furthest / 2))

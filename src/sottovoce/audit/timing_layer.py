"""The timing layer: whether the time of randomising tells the noise, or that of encoding where the observations lie.

Fisher's exact test of slow against noisy answers; and a window attack, timed through `encode`. A hostile question may
pick a statistic and a range so that observations inside it are dearer than others, or such that are missing, or huge.
Collections of one size but of different kinds are encoded in an order drawn at random. Were the kind without influence,
every share of slow calls would be hypergeometric. No computer is that even, so one kind's times are first cut by
`TOLERATED`: the alarm is for more than that.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.channel_derivations import Floats, derivation
from sottovoce.audit.device_paths import Path
from sottovoce.audit.findings import Finding
from sottovoce.audit.questions import single_question
from sottovoce.design import one_bit, subset
from sottovoce.device import Collections, Entropy
from sottovoce.messages import (
    Averages,
    Basis,
    Below,
    Bins,
    Categories,
    Channel,
    Cosines,
    Grid,
    Inside,
    Joint,
    Malformed,
    Norm,
    Position,
    Question,
    Statistic,
    Vector,
    Within,
)

OBSERVATIONS = 20_000
PLACE_CALLS = 60
"""Calls for each kind of collection."""
TOLERATED = 1.3
"""How much longer than another one kind may take: caches and sums of zeros are worth a tenth."""
KINDS = ("below", "above", "missing", "half missing", "huge", "tiny")
"""What the collections inside the window are held against."""


def fisher(both: int, first: int, second: int, total: int) -> float:
    """Two-sided p-value of `both` common members of two sets of `first` and `second` among `total`, exactly.

    Given the sizes of the sets, independence makes `both` hypergeometric; twice the smaller tail.
    """
    low, high = max(0, first + second - total), min(first, second)
    scale = _log_choose(total, first)
    chances = [
        math.exp(_log_choose(second, k) + _log_choose(total - second, first - k) - scale) for k in range(low, high + 1)
    ]
    upper, lower = math.fsum(chances[both - low :]), math.fsum(chances[: both - low + 1])
    return min(1.0, 2 * min(upper, lower))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def window(function: int | None = None) -> Question:
    """A question about a window: one basis function of it, the highest that a device accepts where none is named."""
    wave = highest_function() if function is None else function
    return _statistic_question(f"basis function {wave}", Basis(low=0.4, high=0.6, functions=(wave,)))


def window_questions() -> list[Question]:
    """Whatever looks at every observation by itself, asked about the window."""
    edges = tuple(float(edge) for edge in np.linspace(0.4, 0.6, 60))
    vectors: dict[str, Vector] = {
        "averages": Averages(size=1),
        "averages in a ball": Inside(size=1, middle=(0.5,), half=(0.1,), ball="l2"),
        "cosines": Cosines(low=0.4, high=0.6, size=4),
        "categories": Categories(places=Grid(low=(0.4,), high=(0.6,), count=60)),
        "categories between edges": Categories(places=Bins(edges=edges)),
        "shares below": Below(thresholds=edges),
    }
    lengths = [_statistic_question(name, Norm(vector=one, centre=(0.0,) * one.size)) for name, one in vectors.items()]
    groups = [_group_question("a group dealt", 0), _group_question("a group drawn", 3)]
    return [*map(window, (2, 201, None)), *lengths, *groups]


def _group_question(name: str, stride: int) -> Question:
    """A question about one of three groups of the second column, whose codes are the window then."""
    asked, three = (
        _statistic_question(name, Joint(centres=(0.5,), reach=0.5, levels=3)),
        Within(column=1, count=3, stride=stride),
    )
    symbols = Grid(low=(0.0,), high=(10.0,), count=10)
    encoder = replace(asked.encoder, placement=symbols, empty="random", within=three)
    return replace(asked, encoder=encoder, groups=encoder.parts, channel=subset(1.0, 10))


def _statistic_question(name: str, statistic: Statistic) -> Question:
    placement = Position(low=(-1.5,), high=(1.5,))
    return single_question(one_bit(1.0), placement, statistic=statistic, survey="window", role=name)


def highest_function() -> int:
    """The highest function index that the message allows, by bisection."""
    low, high = 1, 2**53
    while low < high:
        middle = (low + high + 1) // 2
        try:
            Basis(low=0.0, high=1.0, functions=(middle,))
            low = middle
        except Malformed:
            high = middle - 1
    return low


def collection_of(kind: str, rng: np.random.Generator, *, groups: bool = False) -> Collections:
    """A collection of one kind; all hold as many observations. With `groups`, the kind is that of their codes."""
    spread = rng.random(OBSERVATIONS)
    inside = 0.4 + 0.2 * spread
    step = np.floor(9 * spread)
    within, below, above = (np.zeros(OBSERVATIONS), -1 - step, 1 + step) if groups else (inside, -spread, 1.0 + spread)
    values = {
        "inside": within,
        "below": below,
        "above": above,
        "missing": np.full(OBSERVATIONS, math.nan),
        "half missing": np.where(spread < 0.5, math.nan, within),
        "huge": np.where(spread < 0.5, -1e300, 1e300) * (1 + spread),
        "tiny": 5e-324 * np.floor(1 + 9 * spread),
    }[kind]
    return Collections(np.stack((inside, values), axis=1) if groups else values, np.array([0, OBSERVATIONS]))


def time_against_place(subject: str, question: Question, path: Path, entropy: Entropy, *, level: float) -> Finding:
    """One finding over all kinds: a false alarm with probability at most `level`, each kind taking its part."""
    rng = np.random.default_rng(1)
    kinds = ("inside", *KINDS)
    people = [collection_of(kind, rng, groups=question.encoder.within is not None) for kind in kinds]
    slots = np.array([question.slots.first])
    times: list[list[int]] = [[] for _ in kinds]
    for one in people:
        path.inputs(question, one, slots, entropy)  # warm
    for kind in np.random.default_rng().permutation(np.repeat(np.arange(len(kinds)), PLACE_CALLS)):
        start = time.perf_counter_ns()
        path.inputs(question, people[kind], slots, entropy)
        times[kind].append(time.perf_counter_ns() - start)
    inside = np.array(times[0], dtype=float)
    chances = [
        (*_chance_and_ratio(inside, np.array(other, dtype=float)), kind)
        for kind, other in zip(KINDS, times[1:], strict=True)
    ]
    chance, ratio, kind = min(chances, key=lambda one: one[0])
    return Finding(
        subject=subject,
        layer="timing",
        check=f"{question.role}: time against place",
        passed=chance >= level / (2 * len(KINDS)),
        detail=f"{PLACE_CALLS} calls a kind; {kind} takes {ratio:.2f} times as long as inside, p = {chance:.2g}",
    )


def _chance_and_ratio(inside: Floats, other: Floats) -> tuple[float, float]:
    """The smaller of two chances, with either kind's times cut, and how much longer the other takes in the median."""
    ratio = float(np.median(other) / np.median(inside))
    cut = (inside * TOLERATED, other) if ratio > 1 else (inside, other * TOLERATED)
    if (ratio > 1) != (np.median(cut[1]) > np.median(cut[0])):
        return 1.0, ratio  # within what is tolerated
    together = np.concatenate(cut)
    slow = together > np.median(together)
    first, both = len(inside), int(slow[: len(inside)].sum())
    return fisher(both, first, int(slow.sum()), len(together)), ratio


NOISE_CALLS = 1500
"""Answers that are timed; chosen by hand, for the time that it takes."""
_WARM = 50
"""Answers before the first that counts."""


def time_against_noise(subject: str, channel: Channel, path: Path, entropy: Entropy, *, level: float) -> Finding:
    """Time single answers of one input; slow or fast must be independent of how large the noise was.

    Noise is drawn independently of everything else a computer does, so under independence the two-by-two table of
    (slow, noisy) is hypergeometric given its margins, whatever the times look like.
    """
    kind, middle = derivation(channel), channel.span // channel.unit // 2 * channel.unit
    value = np.array([middle], dtype=np.int64)
    times, noise = np.empty(NOISE_CALLS), np.empty(NOISE_CALLS)
    for call in range(-_WARM, NOISE_CALLS):
        start = time.perf_counter_ns()
        symbol = path.symbols(channel, value, entropy)
        times[call], noise[call] = time.perf_counter_ns() - start, kind.distance(middle, symbol[0])
    slow, noisy = _upper_half(times), _upper_half(noise)
    chance = fisher(int((slow & noisy).sum()), int(slow.sum()), int(noisy.sum()), NOISE_CALLS)
    ranks = np.corrcoef(_ranks(times), _ranks(noise))[0, 1] if noise.std() > 0 else 0.0
    return Finding(
        subject=subject,
        layer="timing",
        check=f"{channel.kind}: time against noise",
        passed=chance >= level,
        detail=f"{NOISE_CALLS:,} calls, rank correlation {ranks:+.3f}, p = {chance:.2g}",
    )


def _upper_half(values: Floats) -> NDArray[np.bool_]:
    """What lies above the median; where nothing does, what is not below it."""
    above = np.asarray(values > np.median(values))
    return above if above.any() else values >= np.median(values)


def _ranks(values: Floats) -> Floats:
    return np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(np.float64)

"""The mean squared error of localise-then-refine for the univariate mean: exactly, by simulation, and at its best Δ.

`exact_risk` draws nothing. `simulated_risk` takes any number of users: one repetition costs a handful of binomial draws
whatever n, T and the number of bins are, since the occupied bins' counts are multinomial, the largest of K idle bins
comes from its distribution function F^K and its place from the (truncated geometric) law of the first bin that attains
it. Given the winner the squared error is not drawn but averaged exactly, so that only the localisation is left to
chance.

`best_delta` is the phase-transition experiment (L1003) without its simulation error. `experiment_constant` is C_α of
the paper's experiments (L1034, L1081): .5 at α = ½ and 1 and .25 at α = 2 and 4, set after looking at curves of the
mean squared error over C; other α are left to "further simulations". The rule here, `recipe`, needs no looking, and
gives the paper's four values: of C = .25, .5, .75 and 1 the one with the least geometric mean of the exact risk over
setting 2 (`SETTING_2`: ±1 observations with a shift uniform on ± .3). Where even then the widened interval misses the
mean in half of the surveys or more, on average, as at α = ¼ and below, the setting says nothing, and the value at ½ is
kept.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sottovoce.messages import MAX_EPSILON, MAX_ITEMS, InvalidInput, Unary, check_epsilon, has_numba
from sottovoce.theory.laws import Floats, Integers, Law, MeanLaw, Rademacher, binomial
from sottovoce.theory.localisation import Block, contest, occupied_block, vote_tables, winner_law
from sottovoce.theory.rate import bin_count, check_positive, log1

# Averages over a uniform shift: places within a bin, and the bins those places move to.

FLAT = 7.0
"""Standard deviations from an edge beyond which all users share one bin and nothing depends on the place any more."""

GOLDEN = (math.sqrt(5) - 1) / 2


ShiftPlacement = tuple[float, tuple[tuple[int, float], ...]]
"""A shift, and by how many bins it is moved with which weight: the contest inside the block is the same for all."""


@dataclass(frozen=True, kw_only=True)
class Edges:
    """Where edges lie as seen from the mean, the width of a bin, and spread and lattice step of user means."""

    edge: float
    width: float
    spread: float
    step: float
    movable: bool


def placements(shift: float | tuple[float, float], bins: Edges, *, resolution: float) -> Iterator[ShiftPlacement]:
    """Midpoint rule over the shift, with cells of `resolution` standard deviations (at least 16 a bin).

    Risk changes with the place only near an edge, where users split between two bins: farther than `FLAT` standard
    deviations from all edges one cell is enough. Each cell recurs in every bin that the shift reaches; of many bins
    three are visited, with the weights that integrate quadratics in the bin index exactly, because how far away a
    wrong bin lies enters the risk squared. Where users leave the bins (not `movable`) each visit is its own phase.
    """
    if not isinstance(shift, tuple):
        yield shift, ((0, 1.0),)
        return
    low, high = shift
    if not low < high:
        raise InvalidInput(rule="a shift interval has low < high", got=shift)
    for start, stop in _cells(bins, resolution):
        first = math.floor((low - bins.edge - stop) / bins.width)
        last = math.ceil((high - bins.edge - start) / bins.width)
        places = bins.edge + bins.width * np.arange(first, last + 1)
        left, right = np.maximum(places + start, low), np.minimum(places + stop, high)
        reached = right - left > 1e-12 * bins.width
        whole = reached & (right - left > (stop - start) * (1 - 1e-9))
        for k in np.flatnonzero(reached & ~whole):  # cut by an end of the shift's interval
            yield float(left[k] + right[k]) / 2, ((0, float(right[k] - left[k]) / (high - low)),)
        visited = np.flatnonzero(whole)
        if len(visited) == 0:
            continue
        place = float(places[visited[0]]) + (start + stop) / 2
        weight = (stop - start) / (high - low)
        moves = tuple((r, w * weight) for r, w in zip(*_nodes_and_weights_for_sums(len(visited)), strict=True))
        if bins.movable:
            yield place, moves
        else:
            yield from ((place + bins.width * r, ((0, w),)) for r, w in moves)


def _cells(bins: Edges, resolution: float) -> list[tuple[float, float]]:
    """Cells of one bin width around an edge: fine ones near it, one for the rest."""
    half = bins.width / 2
    near = min(half, FLAT * bins.spread)
    if near < 1e-9 * half:  # no spread: two halves, one on each side of the edge
        return [(-half, 0.0), (0.0, half)]
    count = 2 * max(8, math.ceil(near / (resolution * bins.spread)))

    def off_golden(cells: int) -> float:
        part = 2 * near / cells / bins.step % 1
        return min(abs(part - GOLDEN), abs(1 - part - GOLDEN))

    # As a mean on a lattice crosses an edge, shares jump, and cells must not keep step with it. Of the counts up to
    # twice the least, the one whose cell is nearest to a golden fraction of the step: its multiples fill it evenly.
    if bins.step > 0:
        count = min(range(count, 2 * count + 1), key=off_golden)
    cells = list(itertools.pairwise(np.linspace(-near, near, count + 1).tolist()))
    return cells if near == half else [*cells, (near, bins.width - near)]


def _nodes_and_weights_for_sums(count: int) -> tuple[list[int], list[float]]:
    """Nodes among 0 … count − 1 and weights that sum quadratics over all of them exactly."""
    if count <= 3:
        return list(range(count)), [1.0] * count
    nodes = np.round((count - 1) * np.array([0.1127, 0.5, 0.8873])).astype(int)
    r = np.arange(count, dtype=float)
    moments = np.array([count, r.sum(), (r**2).sum()])
    weights = np.linalg.solve(np.vander(nodes.astype(float), 3, increasing=True).T, moments)
    return nodes.tolist(), weights.tolist()


MAX_VOTERS = 1000
NEGLECT = 1e-15


@dataclass(frozen=True, kw_only=True)
class ExactRisk:
    """An exact risk, in squared half-ranges, and where it comes from.

    ``mse = bias2 + variance``; `bias2` is E(bias given the winner)², which localisation decides, `variance` the
    refinement's, of which `privacy` is Laplace noise. `misses` is the chance that the widened interval misses the
    mean, `winner` the law of the winning bin (of the first shift, when shifts are averaged). `neglected` bounds the
    probability of everything that was left out.
    """

    mse: float
    bias2: float
    variance: float
    privacy: float
    misses: float
    winner: Floats
    bins: int
    voters: int
    neglected: float


def keep_chance(epsilon: float, bins: int, reach: int) -> float:
    """ω_{α/h}: each of the h bits in which two hot sets can differ pays an equal part of α (ERRATA P2)."""
    apart = Unary(items=bins, reach=reach, threshold=2**63).disagreements() or 2 * (2 * reach + 1)
    return 1 / (1 + math.exp(-epsilon / apart))


def exact_risk(
    *,
    users: int,
    observations: int,
    epsilon: float,
    delta: float,
    law: Law,
    reach: int = 0,
    clip: bool = False,
    shift: float | tuple[float, float] = 0.0,
    resolution: float = 0.25,
    noise_variance: float | None = None,
    neglect: float = NEGLECT,
    compiled: bool = False,
) -> ExactRisk:
    """The risk of UserLevelMean (L413; `reach` 1: GeneralUserLevelMean, L1707) on [−1, 1], for users with this `law`.

    ``method="paper"`` is ``reach=0, clip=False``; ``method="theory"`` is ``reach=1`` for ε > 1 and ``clip=True``,
    with T* for `observations`; Δ is an argument for both. The first ⌊n/2⌋ users vote, the others refine; with one
    bin everybody refines on [−1, 1] (ERRATA 6). `shift` is added to every observation, and to the mean; a pair
    means a shift uniform between the two, averaged over places `resolution` standard deviations of a user mean
    apart near an edge (and three bins, exact for quadratics, where the pair spans many). Another unbiased report
    than Laplace's plugs in by its `noise_variance`, in squared widths of the interval (Laplace: 2/ε²).

    Accuracy
    --------
    Exact but for: counts and votes that are rarer than `neglect` each (summed up in `neglected`); the law's own
    error (its docstring); the average over shifts (about 2e-3 of the risk); and the shipped Laplace
    channel's grid of 2^16 steps and clamp at 16 scales (e^-16 of its variance), which are ignored.
    `compiled` uses numba (extra ``fast``) for the same sums.
    """
    check_epsilon(epsilon, maximum=MAX_EPSILON)
    noise = 2 / epsilon**2 if noise_variance is None else noise_variance
    bins = checked_bins(users, observations, delta, reach)
    means = law.of_means(observations)
    voters = users // 2 if bins > 1 else 0
    if voters > MAX_VOTERS:
        raise InvalidInput(
            rule=f"exact risk takes up to {2 * MAX_VOTERS + 1} users", wrong=f"got {users}:", fix="take simulated_risk"
        )
    if voters == 0:
        terms = _terms_without_votes(users, noise, means, shift)
        return _exact_risk(terms, winner=np.array([1.0]), bins=1, voters=0, neglected=means.neglected)
    table = vote_tables(voters, keep_chance(epsilon, bins, reach))
    terms = np.zeros(4)
    neglected, first = 0.0, None
    edges = _edges_from_the_mean(means, shift, delta, bins, neglect)
    for place, moves in placements(shift, edges, resolution=resolution):
        block = occupied_block(means, shift=place, delta=delta, bins=bins, neglect=neglect)
        votes = contest(table, block, bins=bins, reach=reach, neglect=neglect, compiled=compiled)
        width = votes.wins.shape[1]
        neglected = max(neglected, voters * block.neglected + (6 * width + 2) * neglect)
        for moved, weight in moves:
            lower = votes.first + moved
            winner = winner_law(table, votes, lower=lower, upper=bins - lower - width, compiled=compiled)
            ends = refinement_ends(np.arange(bins), delta=delta, reach=reach, clip=clip)
            terms += weight * (winner @ risk_terms(means, place + 2 * delta * moved, ends, users - voters, noise))
            first = winner if first is None else first
    assert first is not None
    return _exact_risk(terms, winner=first, bins=bins, voters=voters, neglected=neglected)


def _exact_risk(terms: Floats, *, winner: Floats, bins: int, voters: int, neglected: float) -> ExactRisk:
    """From the `risk_terms`, averaged over winners and shifts."""
    bias2, sampling, privacy, misses = terms.tolist()
    return ExactRisk(
        mse=bias2 + sampling + privacy, bias2=bias2, variance=sampling + privacy, privacy=privacy, misses=misses,
        winner=winner, bins=bins, voters=voters, neglected=neglected,
    )  # fmt: skip


def checked_bins(users: int, observations: int, delta: float, reach: int) -> int:
    """The number of bins, N(Δ) = ⌈1/Δ⌉, once all arguments make sense."""
    if users < 1 or observations < 1:
        raise InvalidInput(rule="users and observations must be at least 1", wrong=f"got {users}, {observations}")
    if not 0 < delta < math.inf:
        raise InvalidInput(rule="delta must be positive and finite", got=delta)
    if reach not in (0, 1):
        raise InvalidInput(rule="reach is 0 (one-bin votes) or 1 (three-bin votes)", got=reach)
    bins = bin_count(delta)
    if bins > MAX_ITEMS:
        raise InvalidInput(f"delta = {delta:g} makes {bins} bins; a vote has at most {MAX_ITEMS}")
    return bins


def _edges_from_the_mean(
    means: MeanLaw, shift: float | tuple[float, float], delta: float, bins: int, neglect: float
) -> Edges:
    """Edges, width and spread; movable where users stay inside the bins for every shift, but for `neglect`."""
    low, high = shift if isinstance(shift, tuple) else (shift, shift)
    ends = means.partial(np.array([-1 - low, 2 * delta * bins - 1 - high, math.inf]))
    return Edges(
        edge=-1 - means.mean,
        width=2 * delta,
        spread=math.sqrt(max(float(ends[2, 2]), 0.0)),
        step=means.step,
        movable=bool(ends[0, 0] <= neglect and ends[0, 2] - ends[0, 1] <= neglect),
    )


def refinement_ends(winners: Integers, *, delta: float, reach: int, clip: bool) -> tuple[Floats, Floats]:
    """Both ends of the widened interval of each winning bin."""
    centres = (2 * winners.astype(np.float64) + 1) * delta - 1
    margin = (3 if reach == 0 else 6) * delta
    low, high = centres - margin, centres + margin
    return (np.maximum(low, -1.0), np.minimum(high, 1.0)) if clip else (low, high)


def risk_terms(means: MeanLaw, shift: float, ends: tuple[Floats, Floats], refiners: int, noise: float) -> Floats:
    """A row for each interval that user means are clamped to: bias², sampling, privacy, and 1 where it misses the mean.

    The second and third add up to the variance; `noise` is that of one report, in squared widths of the interval.
    """
    low, high = ends
    centre = means.mean + shift
    a, b = low - centre, high - centre
    below, upto = means.partial(low - shift), means.partial(high - shift)
    inside = upto - below
    rest = 1 - upto[0]
    bias = a * below[0] + inside[1] + b * rest
    second = a**2 * below[0] + inside[2] + b**2 * rest
    sampling = np.maximum(second - bias**2, 0.0) / refiners
    return np.stack([bias**2, sampling, noise * (high - low) ** 2 / refiners, (a > 0) | (b < 0)], axis=1)


def _terms_without_votes(users: int, noise: float, means: MeanLaw, shift: float | tuple[float, float]) -> Floats:
    """The terms of everybody refining on the full range; a pair of shifts by Gauss–Legendre."""
    places, weights = np.array([shift]), np.array([1.0])
    if isinstance(shift, tuple):
        nodes, weights = np.polynomial.legendre.leggauss(64)
        places = (shift[0] + shift[1]) / 2 + (shift[1] - shift[0]) / 2 * nodes
        weights = weights / 2
    full, terms = (np.array([-1.0]), np.array([1.0])), np.zeros(4)
    for place, weight in zip(places, weights, strict=True):
        terms += weight * risk_terms(means, float(place), full, users, noise)[0]
    return terms


_CHUNK = 50_000


@dataclass(frozen=True, kw_only=True)
class SimulatedRisk:
    """A simulated mean squared error, in squared half-ranges, its standard error, and the share of misses."""

    mse: float
    standard_error: float
    misses: float
    repetitions: int


def simulated_risk(
    *,
    users: int,
    observations: int,
    epsilon: float,
    delta: float,
    law: Law,
    repetitions: int,
    seed: int,
    reach: int = 0,
    clip: bool = False,
    shift: float | tuple[float, float] = 0.0,
) -> SimulatedRisk:
    """What `exact_risk` computes, simulated; a pair of shifts is drawn anew for every 500 repetitions.

    Accuracy
    --------
    The standard error is that of the repetitions (of the blocks of 500, where shifts are drawn). Rare failures that
    no repetition hit are not in it: with r repetitions, events rarer than 3/r may all be missing (ERRATA 18).
    """
    check_epsilon(epsilon, maximum=MAX_EPSILON)
    bins = checked_bins(users, observations, delta, reach)
    if bins == 1 or users < 2:
        raise InvalidInput("with one bin nothing is voted on: exact_risk answers at once")
    if repetitions < 2:
        raise InvalidInput(rule="repetitions must be at least 2", wrong=f"got {repetitions}")
    means = law.of_means(observations)
    stream = np.random.default_rng(seed)
    keep = keep_chance(epsilon, bins, reach)
    idle_upto = np.minimum(np.cumsum(binomial(users // 2, 1 - keep)), 1.0)
    size = min(repetitions, 500 if isinstance(shift, tuple) else _CHUNK)
    blocks, missed = [], 0.0
    for first in range(0, repetitions, size):
        count = min(size, repetitions - first)
        place = stream.uniform(*shift) if isinstance(shift, tuple) else shift
        block = occupied_block(means, shift=place, delta=delta, bins=bins, neglect=NEGLECT)
        winners = _simulated_winners(block, idle_upto, keep, bins, reach, count, stream)
        ends = refinement_ends(winners, delta=delta, reach=reach, clip=clip)
        terms = risk_terms(means, place, ends, users - users // 2, 2 / epsilon**2).T
        blocks.append(terms[0] + terms[1] + terms[2])
        missed += float(terms[3].sum())
    drawn = np.concatenate(blocks)
    parts = np.array([block.mean() for block in blocks]) if isinstance(shift, tuple) and len(blocks) > 1 else drawn
    return SimulatedRisk(
        mse=float(drawn.mean()),
        standard_error=float(parts.std(ddof=1) / np.sqrt(len(parts))),
        misses=missed / repetitions,
        repetitions=repetitions,
    )


def _simulated_winners(
    block: Block, idle_upto: Floats, keep: float, bins: int, reach: int, count: int, stream: np.random.Generator
) -> Integers:
    """Winning bins of `count` independent votes; `idle_upto` is F, the distribution function of an idle bin's votes."""
    voters = len(idle_upto) - 1
    lit, lights = block.lit(bins=bins, reach=reach)
    hot = stream.multinomial(voters, block.shares, size=count) @ lights.T
    votes = stream.binomial(hot, keep) + stream.binomial(voters - hot, 1 - keep)
    under, under_place = _best_idle(idle_upto, int(lit[0]), count, stream)
    over, over_place = _best_idle(idle_upto, bins - 1 - int(lit[-1]), count, stream)
    contenders = np.column_stack([under, votes.max(axis=1), over])  # the first largest wins, as the lowest index
    places = np.column_stack([under_place, lit[0] + votes.argmax(axis=1), lit[-1] + 1 + over_place])
    return np.asarray(places[np.arange(count), contenders.argmax(axis=1)])


def _best_idle(upto: Floats, idle: int, count: int, stream: np.random.Generator) -> tuple[Integers, Integers]:
    """The most votes among `idle` bins, and which of them has it first."""
    if idle == 0:
        return np.full(count, -1), np.zeros(count, dtype=np.int64)
    top = np.minimum(np.searchsorted(upto**idle, stream.random(count), side="left"), len(upto) - 1)
    ratio = np.where(top > 0, upto[top - 1], 0.0) / upto[top]
    tail = -np.expm1(idle * np.log(np.maximum(ratio, 1e-300))) * stream.random(count)
    with np.errstate(divide="ignore"):
        place = np.floor(np.log1p(-tail) / np.log(np.minimum(ratio, 1 - 1e-16)))
    return top, np.clip(np.nan_to_num(place), 0, idle - 1).astype(np.int64)


PAPER_DELTAS = tuple([i / 2000 for i in range(1, 301)])
"""Δ ∈ {.0005, .0010, …, .15} of the experiment."""

HOPELESS = 4.0
"""Below a Δ whose risk is that many times the best, localisation fails ever more often: nothing is searched."""


@dataclass(frozen=True, kw_only=True)
class BestDelta:
    """The best Δ found, its risk, and every (Δ, mse) that was computed on the way."""

    delta: float
    risk: ExactRisk
    computed: tuple[tuple[float, float], ...]


def best_delta(
    *,
    users: int,
    observations: int,
    epsilon: float,
    law: Law,
    deltas: Sequence[float] = PAPER_DELTAS,
    shift: float | tuple[float, float] = 0.0,
    resolution: float = 1.0,
    coarse: int = 24,
    compiled: bool | None = None,
) -> BestDelta:
    """Minimise the exact risk of UserLevelMean over `deltas` (increasing).

    About `coarse` Δ spaced evenly in log Δ come first, from Δ ≈ 1/√T upwards, then downwards until the risk is
    four times the best; then steps halve around the best down to the grid's; last, for up to six bins more or
    fewer, the smallest Δ with that many bins, where ⌈1/Δ⌉ makes the risk jump. A Δ whose Laplace noise alone,
    72Δ²/(α²n₂) at width 6Δ, exceeds the best risk so far is not computed.

    Accuracy
    --------
    The minimum over the whole grid where the risk has one valley, but for those jumps; ``coarse`` of the size of the
    grid computes all of it. `compiled` None: numba if it is there.
    """
    if not deltas or any(b <= a for a, b in itertools.pairwise(deltas)):
        raise InvalidInput(rule="deltas must be increasing, and at least one")
    risks: dict[int, ExactRisk] = {}
    best = math.inf
    refiners = users - users // 2

    def visit(index: int) -> None:
        nonlocal best
        if index in risks or 72 * (deltas[index] / epsilon) ** 2 / refiners > best:
            return
        risks[index] = exact_risk(
            users=users,
            observations=observations,
            epsilon=epsilon,
            delta=deltas[index],
            law=law,
            shift=shift,
            resolution=resolution,
            compiled=has_numba() if compiled is None else compiled,
        )
        best = min(best, risks[index].mse)

    places = _coarse_indices(deltas, coarse)
    start = min(places, key=lambda i: abs(math.log(deltas[i] * math.sqrt(observations))))  # Δ near 1/√T
    for index in (i for i in places if i >= start):
        visit(index)
    for index in (i for i in reversed(places) if i < start):
        visit(index)
        if index in risks and risks[index].mse > HOPELESS * best:
            break
    gap = max((b - a for a, b in itertools.pairwise(places)), default=1)
    while gap > 1:
        gap = math.ceil(gap / 2) if gap > 2 else 1
        centre = min(risks, key=lambda i: risks[i].mse)
        for index in (centre - 2 * gap, centre - gap, centre + gap, centre + 2 * gap):
            if 0 <= index < len(deltas):
                visit(index)
    counts = [bin_count(delta) for delta in deltas]
    best_count = counts[min(risks, key=lambda i: risks[i].mse)]
    for count in range(best_count - 6, best_count + 7):
        if count in counts:
            visit(counts.index(count))
    chosen = min(risks, key=lambda i: risks[i].mse)
    computed = tuple((deltas[i], risks[i].mse) for i in sorted(risks))
    return BestDelta(delta=deltas[chosen], risk=risks[chosen], computed=computed)


def _coarse_indices(deltas: Sequence[float], count: int) -> list[int]:
    """Indices whose Δ are spaced evenly on a logarithmic scale, both ends included."""
    if count >= len(deltas):
        return list(range(len(deltas)))
    low, high = math.log(deltas[0]), math.log(deltas[-1])
    wanted = [low + (high - low) * k / (count - 1) for k in range(count)] if count > 1 else [high]
    return sorted({min(range(len(deltas)), key=lambda i: abs(math.log(deltas[i]) - w)) for w in wanted})


CANDIDATES = (0.25, 0.5, 0.75, 1.0)
SETTING_2 = ((100, 100), (300, 100), (500, 100), (100, 300), (100, 500))
"""(n, T): one of them grows from 100 to 500 while the other stays (L1034)."""
SHIFT = (-0.3, 0.3)
_TABLE = {0.5: 0.5, 1.0: 0.5, 1.25: 0.5, 1.5: 0.5, 1.75: 0.25, 2.0: 0.25, 3.0: 0.25, 4.0: 0.25, 8.0: 0.25, 16.0: 0.25}
"""By `recipe`; ``python -m benchmarks.tuning_constant`` computes it again."""


def experiment_constant(epsilon: float) -> float:
    """C_α: the table of the recipe, a straight line between its points, and its ends beyond them."""
    check_positive(epsilon=epsilon)
    points = tuple(_TABLE)
    place = bisect_right(points, epsilon)
    if place in (0, len(points)):
        return _TABLE[points[min(place, len(points) - 1)]]
    left, right = points[place - 1], points[place]
    part = (epsilon - left) / (right - left)  # not np.interp, whose last bit depends on the processor
    return _TABLE[left] + part * (_TABLE[right] - _TABLE[left])


def tabled() -> dict[float, float]:
    """The points of the table: α and its C."""
    return dict(_TABLE)


def recipe(
    epsilon: float, *, sizes: Sequence[tuple[int, int]] = SETTING_2, compiled: bool = False
) -> tuple[float | None, dict[float, float]]:
    """The C that the rule takes, None where the setting says nothing; and each candidate's risk, in parts of the least.

    `sizes` are the (n, T) that it looks at; `compiled` uses numba (extra ``fast``).
    """
    check_positive(epsilon=epsilon)
    logs, misses = dict.fromkeys(CANDIDATES, 0.0), dict.fromkeys(CANDIDATES, 0.0)
    for users, observations in sizes:
        wide = math.sqrt(log1(users * observations * epsilon**2) / observations)
        for constant in CANDIDATES:
            risk = exact_risk(
                users=users,
                observations=observations,
                epsilon=epsilon,
                delta=constant * wide,
                law=Rademacher(),
                shift=SHIFT,
                resolution=1.0,
                compiled=compiled,
            )
            logs[constant] += math.log(risk.mse) / len(sizes)
            misses[constant] += risk.misses / len(sizes)
    best = min(CANDIDATES, key=logs.__getitem__)
    relative = {constant: math.exp(value - logs[best]) for constant, value in logs.items()}
    return (best if misses[best] < 0.5 else None), relative

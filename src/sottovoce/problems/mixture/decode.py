"""From the tallies of a mixture survey to means, shares and their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Note, NoteCode, StandardError, two_sided, within
from sottovoce.messages import InvalidInput, Laplace, Position, Question, Tally, Unary
from sottovoce.methods import Layout, rivals
from sottovoce.problems.reasons import says_little

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def winners(votes: Integers, components: int) -> Integers:
    """Greedy choice of bins, ties to the lower; a winner and its neighbours leave the running (L1203–L1207)."""
    open_ = np.ones(len(votes), dtype=np.bool_)
    chosen = []
    for _ in range(components):
        if not open_.any():  # the protocol asks for 3m − 2 bins, so that this cannot be
            raise InvalidInput(f"{len(votes)} bins have no room for {components} components")
        best = int(np.argmax(np.where(open_, votes, np.iinfo(np.int64).min)))
        chosen.append(best)
        open_[max(0, best - 1) : best + 2] = False
    return np.array(sorted(chosen), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Shares of the components and their variances, by cause."""

    value: Floats
    sampling: Floats
    privacy: Floats


def certain() -> Shares:
    """The share of the only component."""
    return Shares(value=np.ones(1), sampling=np.zeros(1), privacy=np.zeros(1))


def shares(question: Question, tally: Tally, places: Integers) -> Shares:
    """π̂ (L1222) of the items at `places`."""
    channel, reports = question.channel, tally.reports[0]
    assert isinstance(channel, Unary)
    value = channel.shares(tally.counts()[0], reports)[places]
    inside = np.clip(value, 0.0, 1.0)
    sampling = inside * (1 - inside) / reports
    return Shares(value=value, sampling=sampling, privacy=channel.share_variance(inside) / reports - sampling)


def moved(sums: Floats, shares: Floats, cut: float) -> Floats:
    """S_k/π̂_k (L1230) where the share is at least `cut`, zero elsewhere: the middle of the bin stays."""
    return np.divide(sums, shares, out=np.zeros_like(sums), where=shares >= cut)


@dataclass(frozen=True, kw_only=True)
class Components:
    """What the residuals say of every component; `beyond` lists those whose mean left the reach of the residuals.

    `gap` says by how many standard errors the last winner won.
    """

    means: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    errors: tuple[StandardError, ...]
    beyond: tuple[int, ...]
    gap: float


def components(
    question: Question,
    tally: Tally,
    shares: Shares,
    cut: float,
    confidence: float,
    layout: Layout,
    winners: Integers,
    votes: tuple[Question, Tally] | None,
) -> Components:
    """M_k + S_k/π̂_k (L1230), S_k the average of the signed reports.

    The errors of S_k and π̂_k are independent, being of different folds. The interval of the quotient is Fieller's
    (1954), which knows that a share may be close to zero; a clamped residual lies in ±3Δ whatever the data.
    """
    channel, placement = question.channel, question.encoder.placement
    assert isinstance(channel, Laplace) and isinstance(placement, Position)
    reports, reach = tally.reports[0], placement.high[0]
    unit = reach / channel.steps
    sums = unit * np.array(tally.cells[0][:-1], dtype=np.float64) / reports
    square = unit**2 * float(tally.cells[0][-1]) / reports
    noise = (2 * reach) ** 2 * channel.noise_variance
    off, gap = misplacement(layout, winners, votes)
    away = moved(sums, shares.value, cut)
    means, intervals, errors, beyond = [], [], [], []
    for k, centre in enumerate(layout.centre(winners)):
        share, total = float(shares.value[k]), float(sums[k])
        if share < cut:
            means.append(float(centre))
            intervals.append((layout.low, layout.high))
            errors.append(StandardError(sampling=0.0, privacy=0.0, localisation=layout.half))
            continue
        residual = float(away[k])
        if abs(residual) > reach:
            beyond.append(k)
        sampling = max(0.0, square - noise - total**2) / reports
        error = StandardError(
            sampling=math.sqrt(sampling + residual**2 * shares.sampling[k]) / share,
            privacy=math.sqrt(noise / reports + residual**2 * shares.privacy[k]) / share,
            localisation=float(off[k]),
        )
        z = two_sided(confidence)
        spread = float(shares.sampling[k] + shares.privacy[k])
        ends = _fieller(total, sampling + noise / reports, share, spread, z)
        low = min(residual, max(-reach, ends[0]))
        high = max(residual, min(reach, ends[1]))
        wider = z * error.localisation
        means.append(float(centre) + residual)
        intervals.append(
            within(
                (
                    float(centre) + residual - math.hypot(residual - low, wider),
                    float(centre) + residual + math.hypot(high - residual, wider),
                ),
                layout.low,
                layout.high,
            )
        )
        errors.append(error)
    return Components(
        means=tuple(means), intervals=tuple(intervals), errors=tuple(errors), beyond=tuple(beyond), gap=gap
    )


def _fieller(top: float, top_variance: float, bottom: float, bottom_variance: float, z: float) -> tuple[float, float]:
    """Ends of {q : (top − q·bottom)² ≤ z²(V_top + q²·V_bottom)}; everything when the bottom may be zero."""
    a = bottom**2 - z**2 * bottom_variance
    if a <= 0:
        return -math.inf, math.inf
    b, c = top * bottom, top**2 - z**2 * top_variance
    root = math.sqrt(max(0.0, b**2 - a * c))
    return (b - root) / a, (b + root) / a


def misplacement(layout: Layout, winners: Integers, votes: tuple[Question, Tally] | None) -> tuple[Floats, float]:
    """Root mean square distance by which each winner may be off, and the last winner's lead in standard errors.

    Bins that are neither a winner nor next to one count, each as `methods.rivals` judges it.
    """
    if votes is None:
        return np.zeros(len(winners)), math.inf
    found = rivals(layout, *votes, groups=np.zeros_like(winners), chosen=winners)
    lost = np.abs(np.arange(layout.bins)[None, :] - winners[:, None]).min(axis=0) > 1
    if not lost.any():
        return np.zeros(len(winners)), math.inf
    off = []
    for chances, distances in zip(found.chance[:, lost].tolist(), found.distance[:, lost].tolist(), strict=True):
        total = sum(chance * distance**2 for chance, distance in zip(chances, distances, strict=True))
        off.append(min(math.sqrt(total), layout.high - layout.low))
    return np.array(off), float(found.gap[:, lost].min())


def notes(
    shares: Shares, cut: float, decoded: Components, *, users: int, voters: int, epsilon: float
) -> tuple[Note, ...]:
    """What the reader should know before trusting the components."""
    found, gap = [], decoded.gap
    error = np.sqrt(shares.sampling + shares.privacy)
    for k, share in enumerate(shares.value):
        if share < cut:
            found.append(Note(NoteCode.COMPONENT_BELOW_CUT, number=k + 1, share=share, cut=cut))
        elif share < 2.5 * error[k]:
            found.append(Note(NoteCode.COMPONENT_HARDLY_ABOVE_ZERO, number=k + 1, share=share, error=error[k]))
    found += [Note(NoteCode.COMPONENT_BEYOND_RESIDUALS, number=k + 1) for k in decoded.beyond]
    if gap < 2:
        found.append(Note(NoteCode.WRONG_PLACE, of="component", gap=gap))
    found += says_little(users, epsilon, of="votes")
    # RESEARCH 2b: a component is found when share × √(voters (e^ε − 1)²/(8 e^ε)) is about 2.5 or more.
    visible = 2.5 / math.sqrt(voters * math.expm1(epsilon) ** 2 / (8 * math.exp(epsilon)))
    if len(shares.value) > 1 and float(shares.value.min()) < visible:
        found.append(may_be_missed(visible, voters, epsilon, shares.value.min(), others_move=False))
    return tuple(found)


def may_be_missed(visible: float, voters: int, epsilon: float, smallest: float, *, others_move: bool) -> Note:
    """Shares below `visible` cannot be told from noise; `others_move` where intervals may then belong to neighbours."""
    return Note(
        NoteCode.COMPONENTS_MAY_BE_MISSED,
        visible=min(1.0, visible),
        voters=voters,
        epsilon=epsilon,
        smallest=smallest,
        others_move=others_move,
    )

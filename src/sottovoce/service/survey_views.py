"""A survey round by round, for whoever follows it: against its plan, what was refused, and what came of it.

Of a round that is open, how many have answered, and nothing else; of a closed one that enough answered, what its
published tally says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Answer, Estimate, told
from sottovoce.messages import (
    Bins,
    Categories,
    Category,
    Coefficient,
    Direction,
    Fact,
    Grid,
    Joint,
    Manifest,
    Nearest,
    Position,
    Question,
    Share,
    Subset,
    Table,
    Tally,
    Unary,
    decimals,
)
from sottovoce.methods import coefficients_found, decoded
from sottovoce.pictures import Mark, Marks
from sottovoce.problems import read
from sottovoce.service.documents import (
    AnswerSeen,
    Bar,
    Cause,
    PlanSeen,
    RefusedSeen,
    RoundSeen,
    SurveySeen,
)
from sottovoce.service.pages import device_digest
from sottovoce.service.store import RoundRow
from sottovoce.service.survey import Survey

# What a closed round can be drawn as: shares on a line, without the bias of the noise, each with its standard error.

MOST = 1_024
"""Bars; more are no picture."""
_DIGITS = 12
_OBSERVED = ("average", "item", "each")
"""Statistics in units of the observations."""
_COUNTED = {
    "average": "picture-users-by-average",
    "nearest": "picture-users-by-place",
    "category": "picture-observations-by-category",
    "item": "picture-observations-by-bin",
    "each": "picture-observations-by-bin",
}
"""Whose shares votes are, by statistic."""
Ends = tuple[float | None, float | None]


def asked_range(question: Question, manifest: Manifest) -> Ends:
    """Where a round tells numbers apart, in units of the observations: rounds lie on one line.

    Nothing where groups look at different places, or what is placed is in other units.
    """
    statistic, placement = question.encoder.statistic, question.encoder.placement
    if isinstance(statistic, Category) and not manifest.labels:
        return _declared(manifest)
    if isinstance(statistic, Share):
        return (min(statistic.below), max(statistic.below)) if len(set(statistic.below)) > 1 else (None, None)
    if statistic.kind not in _OBSERVED:
        return None, None
    if isinstance(placement, Bins):
        inner = len(placement.edges) > 1  # what lies beyond is not told apart
        return (placement.edges[0], placement.edges[-1]) if inner else _declared(manifest)
    if len({*zip(placement.low, placement.high, strict=True)}) > 1:
        return None, None
    return placement.low[0], placement.high[0]


def _declared(manifest: Manifest) -> Ends:
    low, high = manifest.settings.get("low"), manifest.settings.get("high")
    if isinstance(low, (int, float)) and isinstance(high, (int, float)):
        return float(low), float(high)
    edges = manifest.settings.get("edges")
    return (float(edges[0]), float(edges[-1])) if isinstance(edges, list) and edges else (None, None)


def drawn(question: Question, tally: Tally, manifest: Manifest) -> Marks | None:
    """A closed round as bars from left to right, under what they are shares of; None where it has none."""
    statistic, channel = question.encoder.statistic, question.channel
    if min(tally.reports) < 1 or isinstance(statistic, (Direction, Joint)):
        return None
    if isinstance(statistic, Share) and isinstance(channel, Table):
        return _thresholds(question, statistic, tally)
    if isinstance(statistic, Coefficient) and isinstance(statistic.vector, Categories) and isinstance(channel, Table):
        return _coefficients(question, statistic.vector, tally, manifest)
    if statistic.parts > 1 or question.encoder.placement.parts > 1:
        return None
    if isinstance(channel, (Subset, Unary)):
        return _votes(question, channel, tally, manifest)
    if isinstance(channel, Table) and channel.decode and isinstance(question.encoder.placement, Position):
        return _symbols(question.encoder.placement, channel, tally)
    return None


def _votes(question: Question, channel: Subset | Unary, tally: Tally, manifest: Manifest) -> Marks | None:
    """Of the users who are in each bin; all groups together, since they are asked the same."""
    reports, counts = sum(tally.reports), tally.counts().sum(axis=0)
    shares = channel.shares(counts, reports)
    errors = np.sqrt(channel.share_variance(np.clip(shares, 0.0, 1.0)) / reports)
    reach = channel.reach if isinstance(channel, Unary) else 0
    what = Fact(_COUNTED.get(question.encoder.statistic.kind, "picture-users-by-bin"))
    title = Fact("picture-with-neighbours", what=what, reach=reach) if reach else what
    return _bars(*_bins(question, manifest), shares, errors, title)


def _thresholds(question: Question, share: Share, tally: Tally) -> Marks | None:
    """Of the observations up to each threshold: the average over users, one group of them a threshold."""
    means = decoded(question, tally)
    points, labels = [(at, at) for at in share.below], [Fact("picture-up-to", point=at) for at in share.below]
    errors = np.sqrt(means.sampling + means.privacy)
    return _bars(points, labels, means.value, errors, Fact("picture-observations-up-to"))


def _coefficients(question: Question, vector: Categories, tally: Tally, manifest: Manifest) -> Marks | None:
    """Of the observations in each category, from what public halves of the categories add up to."""
    found = coefficients_found(question, tally)
    title = Fact("picture-observations-by-category")
    return _bars(*_categories(vector, manifest), found.value, np.sqrt(found.variance), title)


def _symbols(placement: Position, channel: Table, tally: Tally) -> Marks | None:
    """Of the reports that say each symbol, at the place that it counts as: their average is the estimate."""
    reports = sum(tally.reports)
    shares = tally.counts().sum(axis=0) / reports
    low, width = placement.low[0], placement.high[0] - placement.low[0]
    places = low + width * np.asarray(channel.decode)
    order, digits = np.argsort(places, kind="stable"), decimals(width, digits=3)
    ends: list[Ends] = [(float(places[place]), float(places[place])) for place in order]
    labels = [Fact("picture-counts-as", value=places[place], digits=digits) for place in order]
    errors = np.sqrt(shares * (1 - shares) / reports)
    return _bars(ends, labels, shares[order], errors[order], Fact("picture-reports-by-symbol"))


def _bins(question: Question, manifest: Manifest) -> tuple[list[Ends], Sequence[Fact | str]]:
    statistic, placement = question.encoder.statistic, question.encoder.placement
    assert isinstance(placement, (Grid, Bins))  # a channel that counts takes nothing else
    if isinstance(statistic, Category):
        return _categories(statistic.vector, manifest)
    if isinstance(statistic, Nearest):
        single = len(statistic.centres[0]) == 1
        named = [", ".join(f"{value:g}" for value in centre) for centre in statistic.centres]
        return [(centre[0], centre[0]) if single else (None, None) for centre in statistic.centres], named
    return _places(placement, _declared(manifest) if statistic.kind in _OBSERVED else (None, None))


def _categories(vector: Categories, manifest: Manifest) -> tuple[list[Ends], Sequence[Fact | str]]:
    if manifest.labels:
        return [(None, None)] * len(manifest.labels), list(manifest.labels)
    return _places(vector.places, _declared(manifest))


def _places(placement: Grid | Bins, declared: Ends) -> tuple[list[Ends], Sequence[Fact | str]]:
    """Where bins begin and end; those at the ends are open where nothing is declared."""
    if isinstance(placement, Grid):
        edges: list[float | None] = list(np.linspace(placement.low[0], placement.high[0], placement.count + 1).tolist())
    else:
        low, high = declared
        first, last = placement.edges[:1], placement.edges[-1:]
        edges = [low if first and low is not None and low < first[0] else None, *placement.edges]
        edges.append(high if last and high is not None and high > last[0] else None)
    ends, known = list(pairwise(edges)), [edge for edge in edges if edge is not None]
    digits = 1 + decimals(known[-1] - known[0], digits=3) if len(known) > 1 else _DIGITS
    return ends, [_label(*pair, digits) for pair in ends]


def _label(low: float | None, high: float | None, digits: int) -> Fact | str:
    first, last = (None if end is None else f"{round(end, digits):.{_DIGITS}g}" for end in (low, high))
    if first == last and first is not None:
        return first
    return Fact("picture-bin", low=first, high=last)


def _bars(
    ends: Sequence[Ends], labels: Sequence[Fact | str], shares: NDArray[Any], errors: NDArray[Any], title: Fact
) -> Marks | None:
    if not len(ends) == len(labels) == len(shares) <= MOST or not np.isfinite([*shares, *errors]).all():
        return None
    rows = zip(ends, labels, shares.tolist(), errors.tolist(), strict=True)
    return Marks(
        marks=tuple(Mark(name=label, value=share, error=error, ends=own) for own, label, share, error in rows),
        bars=True,
        title=title,
    )


NO_PLAN = PlanSeen(halfwidth=None, lines=[])
_CAUSES = ("sampling", "privacy", "localisation", "clipping")
_Read = tuple[Question, tuple[float | None, float | None], list[Bar] | None, str]


def survey_view(held: Survey, refused: Mapping[str, int], plan: PlanSeen, *, now: float) -> SurveySeen:
    """Where a survey stands, round by round."""
    manifest = held.manifest
    return SurveySeen(
        survey=held.row.id,
        state=held.state(now),
        problem=manifest.problem,
        estimates=str(held.announced.settings.problem.estimates),
        method=held.announced.settings.method,
        purpose=manifest.purpose,
        collector=manifest.collector,
        epsilon=manifest.epsilon,
        users=manifest.users,
        enrolled=held.row.enrolled,
        minimum=manifest.minimum,
        opens=manifest.opens,
        closes=manifest.closes,
        columns=list(manifest.columns),
        access=manifest.access,
        enrolment=manifest.enrolment,
        device=device_digest(),
        plan=plan,
        rounds=[_round(held, row) for row in held.rounds],
        refused=[_refused(code, refused[code]) for code in sorted(refused)],
        answer=_answer(held.row.answer),
        abandoned="" if held.ended is None else str(held.ended),
        finish_with=None if held.announced.edition_held or not held.running else manifest.software,
    )


def _refused(code: str, count: int) -> RefusedSeen:
    return RefusedSeen(code=code, words=str(Fact("page-refused", code=code)), count=count)


def _round(held: Survey, row: RoundRow) -> RoundSeen:
    manifest = held.manifest
    looked_at = row.closed is not None and (row.answered or 0) >= manifest.minimum
    question, (low, high), bars, words = _read(held.row.manifest, row.question, row.tally if looked_at else b"")
    return RoundSeen(
        number=row.number,
        role=row.role,
        question=row.digest,
        first=question.slots.first,
        asked=question.slots.count,
        answered=held.answered if row.answered is None else row.answered,
        quota=manifest.enough(question.slots.count),
        opened=row.opened,
        closes=held.deadline_of(row),
        closed=row.closed,
        because=row.because,
        by=row.by,
        low=low,
        high=high,
        unit_words=str(question.encoder.fact),
        bars=bars,
        bars_words=words,
    )


@lru_cache(maxsize=64)
def _read(manifest: bytes, question: bytes, tally: bytes) -> _Read:
    """Parsed and drawn once for each round: it never changes after that."""
    announced, asked = Manifest.from_bytes(manifest), Question.from_bytes(question)
    found, ends = drawn(asked, Tally.from_bytes(tally), announced) if tally else None, asked_range(asked, announced)
    if found is None:
        return asked, ends, None, ""
    bars = [
        Bar(low=mark.ends[0], high=mark.ends[1], label=str(mark.name), share=mark.value or 0.0, error=mark.error or 0.0)
        for mark in found.marks
    ]
    return asked, ends, bars, str(found.title)


@lru_cache(maxsize=64)
def _answer(text: str) -> AnswerSeen | None:
    found = read(text) if text else None
    if not isinstance(found, Answer):
        return None
    lines = [list(line) for line in told(found.lines())]
    if not isinstance(found, Estimate):
        return AnswerSeen(kind=found.kind, lines=lines, warnings=list(found.warnings))
    model = found.model_interval or (None, None)
    errors = [Cause(name=name, value=getattr(found.standard_error, name)) for name in _CAUSES]
    return AnswerSeen(
        kind=found.kind,
        lines=lines,
        warnings=list(found.warnings),
        value=found.value,
        low=found.interval[0],
        high=found.interval[1],
        model_low=model[0],
        model_high=model[1],
        causes=[cause for cause in errors if cause.value],
        confidence=found.confidence,
    )

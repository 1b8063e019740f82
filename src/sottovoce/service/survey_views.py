"""A survey round by round, for whoever follows it: against its plan, what was refused, and what came of it.

Of a round that is open, how many have answered, and nothing else; of a closed one that enough answered, what its
published tally says: shares on a line, without the bias of the noise, each with its standard error. What debiases is
the channel's own law; nothing is derived here a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec
import numpy as np

from sottovoce.answers import Answer, Estimate, lines_in_words
from sottovoce.messages import (
    Bins,
    Categories,
    Category,
    Coefficient,
    Direction,
    Fact,
    Grid,
    Joint,
    Knots,
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
    placement_range,
)
from sottovoce.methods import decode_coefficients, decode_means
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
        return _declared_range(manifest)
    if isinstance(statistic, Share):
        return (min(statistic.below), max(statistic.below)) if len(set(statistic.below)) > 1 else (None, None)
    if statistic.kind not in _OBSERVED:
        return None, None
    if isinstance(placement, Bins):
        inner = len(placement.edges) > 1  # what lies beyond is not told apart
        return (placement.edges[0], placement.edges[-1]) if inner else _declared_range(manifest)
    if isinstance(placement, Knots) and len(placement.inner) > 1:  # beyond, only how far anybody lies is told
        return placement.inner[0], placement.inner[-1]
    if isinstance(placement, (Position, Grid)) and len({*zip(placement.low, placement.high, strict=True)}) > 1:
        return None, None
    return placement_range(placement)


def _declared_range(manifest: Manifest) -> Ends:
    low, high = manifest.settings.get("low"), manifest.settings.get("high")
    if isinstance(low, (int, float)) and isinstance(high, (int, float)):
        return float(low), float(high)
    edges = manifest.settings.get("edges")
    return (float(edges[0]), float(edges[-1])) if isinstance(edges, list) and edges else (None, None)


def round_bars(question: Question, tally: Tally, manifest: Manifest) -> Marks | None:
    """A closed round as bars from left to right, under what they are shares of; None where it has none."""
    statistic, placement, channel = question.encoder.statistic, question.encoder.placement, question.channel
    reports = sum(tally.reports)
    if question.silent_groups(tally.reports) or isinstance(statistic, (Direction, Joint)):
        return None
    if isinstance(statistic, Share) and isinstance(channel, Table):  # users' averages, one group of them a threshold
        means = decode_means(question, tally)
        ends: Sequence[Ends] = [(at, at) for at in statistic.below]
        labels: Sequence[Fact | str] = [Fact("picture-up-to", point=at) for at in statistic.below]
        shares, variances = means.value, means.sampling + means.privacy
        title = Fact("picture-observations-up-to")
    elif isinstance(statistic, Coefficient) and isinstance(statistic.vector, Categories) and isinstance(channel, Table):
        coefficients = decode_coefficients(question, tally)  # from what public halves of the categories add up to
        ends, labels = _categories(statistic.vector, manifest)
        shares, variances, title = coefficients.value, coefficients.variance, Fact("picture-observations-by-category")
    elif statistic.parts > 1 or placement.parts > 1:
        return None
    elif isinstance(channel, (Subset, Unary)):  # all groups together, since they are asked the same
        ends, labels = _bins(question, manifest)
        shares = channel.shares(tally.counts().sum(axis=0), reports)
        variances = channel.share_variance(np.clip(shares, 0.0, 1.0)) / reports
        title = Fact(_COUNTED.get(statistic.kind, "picture-users-by-bin"))
        if isinstance(channel, Unary) and channel.reach:
            title = Fact("picture-with-neighbours", what=title, reach=channel.reach)
    elif isinstance(channel, Table) and channel.whole and isinstance(placement, (Position, Knots)):
        # Each symbol at the place that it counts as: their average is the estimate.
        low, high = placement_range(placement)
        places = low + (high - low) * np.asarray(channel.whole)
        order, digits = np.argsort(places, kind="stable"), decimals(high - low, digits=3)
        ends = [(place, place) for place in places[order].tolist()]
        labels = [Fact("picture-counts-as", value=place, digits=digits) for place in places[order]]
        shares = tally.counts().sum(axis=0)[order] / reports
        variances, title = shares * (1 - shares) / reports, Fact("picture-reports-by-symbol")
    else:
        return None
    errors = np.sqrt(variances)
    if not len(ends) == len(labels) == len(shares) <= MOST or not np.isfinite([*shares, *errors]).all():
        return None
    rows = zip(ends, labels, shares.tolist(), errors.tolist(), strict=True)
    marks = tuple(Mark(name=label, value=share, error=error, ends=pair) for pair, label, share, error in rows)
    return Marks(marks=marks, bars=True, title=title)


def _bins(question: Question, manifest: Manifest) -> tuple[list[Ends], Sequence[Fact | str]]:
    statistic, placement = question.encoder.statistic, question.encoder.placement
    assert isinstance(placement, (Grid, Bins))  # a channel that counts takes nothing else
    if isinstance(statistic, Category):
        return _categories(statistic.vector, manifest)
    if isinstance(statistic, Nearest):
        single = len(statistic.centres[0]) == 1
        named = [", ".join(f"{value:g}" for value in centre) for centre in statistic.centres]
        return [(centre[0], centre[0]) if single else (None, None) for centre in statistic.centres], named
    return _bin_ends(placement, _declared_range(manifest) if statistic.kind in _OBSERVED else (None, None))


def _categories(vector: Categories, manifest: Manifest) -> tuple[list[Ends], Sequence[Fact | str]]:
    if manifest.labels:
        return [(None, None)] * len(manifest.labels), list(manifest.labels)
    return _bin_ends(vector.places, _declared_range(manifest))


def _bin_ends(placement: Grid | Bins, declared: Ends) -> tuple[list[Ends], Sequence[Fact | str]]:
    """Where bins begin and end; those at the ends are open where nothing is declared."""
    if isinstance(placement, Grid):
        edges: list[float | None] = list(np.linspace(placement.low[0], placement.high[0], placement.count + 1).tolist())
    else:
        first, last = declared
        inner = placement.edges
        edges = [first if inner and first is not None and first < inner[0] else None, *inner]
        edges.append(last if inner and last is not None and last > inner[-1] else None)
    ends, known = list(pairwise(edges)), [edge for edge in edges if edge is not None]
    digits = 1 + decimals(known[-1] - known[0], digits=3) if len(known) > 1 else _DIGITS
    names = [None if edge is None else f"{round(edge, digits):.{_DIGITS}g}" for edge in edges]
    return ends, [
        Fact("picture-bin", low=low, high=high) if low is None or low != high else low for low, high in pairwise(names)
    ]


NO_PLAN = PlanSeen(halfwidth=None, lines=[])
_CAUSES = ("sampling", "privacy", "localisation", "clipping")
_Read = tuple[Question, tuple[float | None, float | None], list[Bar] | None, str]


def survey_view(survey: Survey, refused: Mapping[str, int], plan: PlanSeen, *, now: float) -> SurveySeen:
    """Where a survey stands, round by round."""
    manifest = survey.manifest
    return SurveySeen(
        survey=survey.row.id,
        state=survey.state(now),
        problem=manifest.problem,
        estimates=str(survey.announced.settings.problem.estimates),
        method=survey.announced.settings.method,
        purpose=manifest.purpose,
        collector=manifest.collector,
        epsilon=manifest.epsilon,
        users=manifest.users,
        enrolled=survey.row.enrolled,
        minimum=manifest.minimum,
        opens=manifest.opens,
        closes=manifest.closes,
        columns=list(manifest.columns),
        access=manifest.access,
        enrolment=manifest.enrolment,
        device=device_digest(),
        plan=plan,
        rounds=[_round_view(survey, row) for row in survey.rounds],
        refused=[
            RefusedSeen(code=code, words=str(Fact("page-refused", code=code)), count=refused[code])
            for code in sorted(refused)
        ],
        answer=_answer_view(survey.row.answer),
        abandoned="" if survey.ended is None else str(survey.ended),
        finish_with=None if survey.announced.edition_held or not survey.running else manifest.software,
    )


def _round_view(survey: Survey, row: RoundRow) -> RoundSeen:
    manifest = survey.manifest
    looked_at = row.closed is not None and (row.answered or 0) >= manifest.minimum
    question, (low, high), bars, words = _read_round(survey.row.manifest, row.question, row.tally if looked_at else b"")
    return RoundSeen(
        number=row.number,
        role=row.role,
        question=row.digest,
        first=question.slots.first,
        asked=question.slots.count,
        answered=survey.answered_in(row),
        quota=manifest.enough_answers(question.slots.count),
        opened=row.opened,
        closes=survey.deadline_of(row),
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
def _read_round(manifest: bytes, question: bytes, tally: bytes) -> _Read:
    """Parsed and drawn once for each round: it never changes after that."""
    announced, asked = Manifest.from_bytes(manifest), Question.from_bytes(question)
    marks, ends = (
        round_bars(asked, Tally.from_bytes(tally), announced) if tally else None,
        asked_range(asked, announced),
    )
    if marks is None:
        return asked, ends, None, ""
    bars = [
        Bar(low=mark.ends[0], high=mark.ends[1], label=str(mark.name), share=mark.value or 0.0, error=mark.error or 0.0)
        for mark in marks.marks
    ]
    return asked, ends, bars, str(marks.title)


@lru_cache(maxsize=64)
def _answer_view(text: str) -> AnswerSeen | None:
    answer = read(text) if text else None
    if not isinstance(answer, Answer):
        return None
    seen = AnswerSeen(
        kind=answer.kind, lines=[list(line) for line in lines_in_words(answer.lines())], warnings=list(answer.warnings)
    )
    if not isinstance(answer, Estimate):
        return seen
    model_low, model_high = answer.model_interval or (None, None)
    causes = {name: getattr(answer.standard_error, name) for name in _CAUSES}
    return msgspec.structs.replace(
        seen,
        value=answer.value,
        low=answer.interval[0],
        high=answer.interval[1],
        model_low=model_low,
        model_high=model_high,
        causes=[Cause(name=name, value=value) for name, value in causes.items() if value],
        confidence=answer.confidence,
    )

"""Questions within groups and with a place for nothing, and collections whose codes are anything a float can be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import EMPTY, Bins, Grid, Malformed, Question, Within
from tests.web import asked

CODES = [math.nan, math.inf, -math.inf, -0.0, -0.5, 0.5, 5e-324, -5e-324, 1e300, -1e300, 2.0**53, 2.0**64, -(2.0**63)]


def questions(seed: int, count: int) -> Iterator[Question]:
    """Those of `asked`, where they can be: about a group that is dealt or drawn, and with nothing anywhere."""
    rng = np.random.default_rng(seed)
    for question in asked.questions(seed, count):
        encoder = replace(question.encoder, empty="middle")
        placement, channel = encoder.placement, question.channel
        if not isinstance(placement, Bins):
            placement = replace(placement, low=placement.low[:1], high=placement.high[:1])
        many, stride = int(rng.choice([1, 2, 3, 50, 2000])), int(rng.choice([0, 0, 1, 5]))
        if stride and rng.random() < 0.7:  # a place for each group and level, and one more
            items = min(many * stride + 1, 400)
            placement, channel = Grid(low=(0.0,), high=(float(items),), count=items), asked._of_items(rng, items)
        within = Within(column=int(rng.integers(4)), count=many, stride=stride)
        groups, uses = (1, 1) if stride else (many, int(rng.integers(1, min(many, 12) + 1)))
        empty = str(rng.choice(EMPTY))
        try:
            inside = replace(encoder, placement=placement, empty=empty, within=within)
            yield replace(question, encoder=inside, channel=channel, groups=groups, uses=uses)
        except Malformed:  # no statistic for that: nothing alone, where it may fall elsewhere
            if encoder.statistic.silent:
                yield replace(question, encoder=replace(encoder, empty="random"))


def collections(rng: np.random.Generator, question: Question) -> NDArray[np.float64]:
    """Any collection; where it has a column of groups, most codes are those of groups, and some are odd."""
    values, within = asked.collections(rng, question), question.encoder.within
    if within is None:
        return values
    if rng.random() < 0.8:
        missing = max(0, within.column + 1 - values.shape[1])
        values = np.hstack([values, rng.normal(size=(len(values), missing))])
    if within.column < values.shape[1]:
        near = [within.count - 1.0, float(within.count), within.count - 0.5, math.nextafter(1.0, 0.0)]
        odd = rng.choice([*CODES, *near], size=len(values))
        code = rng.integers(-1, within.count + 2, size=len(values)).astype(np.float64)
        values[:, within.column] = np.where(rng.random(len(values)) < rng.choice([0.0, 0.2, 0.6]), odd, code)
    return values

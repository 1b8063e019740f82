"""Every problem there is. To add one: a folder, and its name here."""

from __future__ import annotations

from typing import Any

from sottovoce.methods import check_choice
from sottovoce.problems.base import Problem
from sottovoce.problems.cover import COVER
from sottovoce.problems.density import DENSITY
from sottovoce.problems.fields import described
from sottovoce.problems.groups import by_group
from sottovoce.problems.histogram import HISTOGRAM
from sottovoce.problems.mean import MEAN
from sottovoce.problems.mixture import MIXTURE
from sottovoce.problems.quantiles import CDF, QUANTILES
from sottovoce.problems.range import RANGE
from sottovoce.problems.sparse import SPARSE
from sottovoce.problems.vector import VECTOR

_ALONE: tuple[Problem[Any], ...] = (
    MEAN,
    HISTOGRAM,
    QUANTILES,
    CDF,
    VECTOR,
    SPARSE,
    DENSITY,
    MIXTURE,
    COVER,
    RANGE,
)
PROBLEMS = (*_ALONE, by_group(_ALONE))


def problems() -> tuple[Problem[Any], ...]:
    """All problems, in the order in which they are shown."""
    return PROBLEMS


def taking(setting: str) -> Problem[Any]:
    """The first problem that a setting is for: ``categories``, say."""
    return next(one for one in PROBLEMS if any(field.name == setting for field in described(one.settings)))


def named(name: str) -> Problem[Any]:
    """The problem of this name."""
    by_name = {problem.name: problem for problem in PROBLEMS}
    check_choice("problem", name, tuple(by_name))
    return by_name[name]

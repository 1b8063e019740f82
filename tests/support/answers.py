"""An answer of every kind, made up, and a strategy that makes many of each."""

from __future__ import annotations

import math
import types
from dataclasses import fields, replace
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

import sottovoce as sv
from sottovoce import answers
from sottovoce.answers import (
    WHOLE_COLLECTION,
    Answer,
    Assumes,
    Chosen,
    ChosenBy,
    Collection,
    Colluders,
    Note,
    NoteCode,
    Privacy,
    Rehearsal,
    StandardError,
)
from sottovoce.messages import Fact
from sottovoce.problems.cover import Choice
from sottovoce.problems.group_support import asked_in_groups
from sottovoce.problems.groups import Group
from sottovoce.problems.quantiles import Curve

KINDS = [cls for cls in Answer.kinds.values() if cls.__module__.startswith("sottovoce.")]
"""Every kind of answer of the package; tests register kinds of their own."""
NORMAL = Fact("normal-approximation")
COMMON: dict[str, Any] = {
    "confidence": 0.95,
    "interval_kind": NORMAL,
    "users_per_round": (500, 1500),
    "privacy": Privacy(epsilon=1.5, protects=WHOLE_COLLECTION, users=2000, rounds=2),
    "method": "paper",
    "chosen": Chosen(by=ChosenBy.CALLER, details=(Fact("bins-then-ends", bins=16),)),
    "notes": (Note(NoteCode.FEW_REPORTS, strength=4.0, enough=40, of="reports"),),
}
ERROR = StandardError(sampling=0.01, privacy=0.03, localisation=0.002)


def vector_fields(count: int) -> dict[str, Any]:
    middles = [math.sin(index) for index in range(count)]
    return {
        "value": tuple(middles),
        "intervals": tuple((middle - 0.1, middle + 0.1) for middle in middles),
        "simultaneous": tuple((middle - 0.3, middle + 0.3) for middle in middles),
        "standard_error": (ERROR,) * count,
        "low": (-1.0,) * count,
        "high": (2.0,) * count,
        "names": tuple(f"x{index}" for index in range(count)),
    }


CURVE = Curve(
    points=(10.0, 20.0, 40.0),
    below=(0.1, 0.5, 0.9),
    band=((0.0, 0.2), (0.35, 0.65), (0.8, 1.0)),
    errors=(0.03, 0.05, 0.03),
    low=0.0,
    high=60.0,
)


EXAMPLES: dict[type[Answer], Answer] = {
    answers.Estimate: answers.Estimate(
        **COMMON, value=3.2, interval=(3.0, 3.5), standard_error=ERROR, low=1.0, high=5.0
    ),
    answers.VectorEstimate: answers.VectorEstimate(
        **COMMON, **vector_fields(20), outside_set=Fact("vectors-outside", ball="l2")
    ),
    sv.SparseEstimate: sv.SparseEstimate(
        **COMMON, **vector_fields(30), support=(7, 3), left_out=Fact("left-out-below-threshold", threshold=0.25)
    ),
    sv.DensityEstimate: sv.DensityEstimate(
        **COMMON,
        coefficients=(1.0, 0.3, -0.2),
        coefficient_intervals=((1.0, 1.0), (0.2, 0.4), (-0.3, -0.1)),
        coefficient_errors=(StandardError(sampling=0.0, privacy=0.0), ERROR, ERROR),
        low=-2.0,
        high=6.0,
        smoothness=2.0,
    ),
    sv.MixtureEstimate: sv.MixtureEstimate(
        **COMMON,
        means=(-0.5, 0.5),
        intervals=((-0.6, -0.4), (0.3, 0.9)),
        standard_errors=(ERROR, replace(ERROR, localisation=math.inf)),
        shares=(0.4, 0.6),
        share_errors=(0.01, math.inf),
        centres=(-0.5, 0.5),
        low=-1.0,
        high=1.0,
    ),
    sv.CoverEstimate: sv.CoverEstimate(
        **COMMON,
        index=2,
        centre=(1.0, -1.0),
        size=4,
        share=0.7,
        share_interval=(0.6, 0.8),
        gap=math.inf,
        top=(Choice(index=2, share=0.7, standard_error=0.02), Choice(index=0, share=0.1, standard_error=0.02)),
        radius=1.5,
        error_bound=None,
    ),
    sv.GroupedEstimate: sv.GroupedEstimate(
        **COMMON,
        of="mean",
        groups=(
            Group(
                label="math",
                share=0.4,
                share_interval=(0.3, 0.5),
                value=(3.5,),
                intervals=((3.0, 4.1),),
                standard_error=(0.2,),
                reports=100,
            ),
            Group(
                label="music",
                share=0.01,
                share_interval=(0.0, 0.1),
                value=(),
                intervals=((1.0, 5.0),),
                standard_error=(),
                reports=100,
            ),
        ),
        names=("mean",),
        low=1.0,
        high=5.0,
        estimand=Fact("estimand-of-groups", groups=True, of="mean", drawn=False),
        nothing=0.1,
        nothing_interval=(0.05, 0.2),
        assumes=Assumes.NOTHING,
    ),
    sv.RangeEstimate: sv.RangeEstimate(
        **COMMON,
        low=2.0,
        high=16.0,
        of="averages",
        outside=0.01,
        detection_limit=0.06,
        edges=(-4.0, -2.0, 2.0, 4.0, 8.0, 16.0),
        shares=(-0.02, 0.01, 0.02, 0.05, 0.9, 0.05, -0.01),
        standard_error=0.03,
    ),
    sv.HistogramEstimate: sv.HistogramEstimate(
        **COMMON,
        value=(0.7, 0.3, 0.0),
        raw=(0.72, 0.32, -0.04),
        labels=("bus", "train", "car"),
        intervals=((0.6, 0.8), (0.2, 0.4), (0.0, 0.1)),
        simultaneous=((0.55, 0.85), (0.15, 0.45), (0.0, 0.16)),
        standard_error=(ERROR,) * 3,
        assumes=Assumes.NOTHING,
        model_intervals=((0.65, 0.75), (0.25, 0.35), (0.0, 0.05)),
        model_simultaneous=((0.6, 0.8), (0.2, 0.4), (0.0, 0.1)),
        model_assumes=Assumes.ONE_BELL,
        detection_limit=0.05,
        hidden_shift=0.04,
    ),
    sv.QuantilesEstimate: sv.QuantilesEstimate(
        **COMMON,
        q=(0.1, 0.5),
        value=(10.0, 20.0),
        intervals=((0.0, 20.0), (10.0, 40.0)),
        model_intervals=((8.0, 12.0), (18.0, 22.0)),
        curve=CURVE,
    ),
    sv.CdfEstimate: sv.CdfEstimate(**COMMON, curve=CURVE, model_band=((0.0, 0.2), (0.4, 0.6), (0.8, 1.0))),
}
"""One answer of every kind."""


_numbers = st.floats(allow_nan=False)
_shares = st.floats(0, 1)
_texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
_counts = st.integers(0, 2**40)
_names = st.text("abcxyz", min_size=1, max_size=4)
_plain = st.none() | st.booleans() | _counts | st.floats(allow_nan=False, allow_infinity=False) | _texts


def _coded(cls: Any, codes: st.SearchStrategy[Any], data: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(lambda code, data: cls(code, **data), codes, st.dictionaries(_names, data, max_size=2))


_facts: st.SearchStrategy[Fact] = st.recursive(
    _coded(Fact, _names, _plain),
    lambda inner: _coded(Fact, _names, inner | st.lists(inner | _plain, max_size=2).map(tuple)),
    max_leaves=4,
)
"""Facts of any code, with facts inside, as deep as it comes."""
_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    types.NoneType: st.none(),
    bool: st.booleans(),
    int: _counts,
    float: _numbers,
    str: _texts,
    Fact: _facts,
    Note: _coded(Note, st.sampled_from(NoteCode), _plain | _facts),
    Collection: st.builds(
        lambda rounds, set_aside: Collection(
            asked=tuple(more + less for more, less in rounds),
            answered=tuple(less for _, less in rounds),
            set_aside=tuple(set_aside),
        ),
        st.lists(st.tuples(_counts, _counts), max_size=3),
        st.lists(st.tuples(_texts, _counts), max_size=3),
    ),
    Rehearsal: st.builds(
        lambda truth, **named: Rehearsal(truth=truth, no_truth=Fact("no-truth") if truth is None else None, **named),
        users=_counts,
        observations=_counts,
        missing=_counts,
        clamped=st.none() | _shares,
        truth=st.none() | _numbers | st.lists(_numbers, max_size=2).map(tuple),
    ),
}
"""What fields of some types hold; those of other classes are made of their parts."""


def _several(items: st.SearchStrategy[Any], count: int) -> st.SearchStrategy[Any]:
    return st.lists(items, min_size=count, max_size=count).map(tuple)


def _own(cls: Any, count: int) -> dict[str, st.SearchStrategy[Any]]:
    """What a class asks for beyond the types of its fields."""
    asked, more = st.sampled_from(asked_in_groups()), _several(_numbers, count + 1)
    places = st.lists(st.floats(-1e9, 1e9), min_size=count, max_size=count, unique=True).map(sorted).map(tuple)
    own: dict[Any, dict[str, st.SearchStrategy[Any]]] = {
        Colluders: {"share": _shares},
        Curve: {"points": places},
        sv.SparseEstimate: {"support": st.lists(st.integers(0, count - 1), max_size=3).map(tuple)},
        sv.DensityEstimate: {"basis": st.sampled_from(("trigonometric", "cosine"))},
        sv.HistogramEstimate: {"edges": st.none() | more},
        sv.GroupedEstimate: {"of": asked},
        sv.RangeEstimate: {"of": asked, "low": st.none(), "high": st.none(), "shares": more},
    }
    return own.get(cls, {}) | ({"empty_at_most": _shares} if issubclass(cls, Answer) else {})


@cache
def _made(hint: Any, count: int) -> st.SearchStrategy[Any]:
    """What has this type, with `count` entries in every part that has one for each."""
    inner = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of(*(_made(one, count) for one in inner))
    if get_origin(hint) is tuple:
        one = _made(inner[0], count)
        return _several(one, count) if inner[1] is Ellipsis else st.tuples(*(_made(part, count) for part in inner))
    if hint in _PLAIN:
        return _PLAIN[hint]
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    hints, parts = get_type_hints(hint), _own(hint, count)
    for field in fields(hint):
        made = parts[field.name] if field.name in parts else _made(hints[field.name], count)
        parts[field.name] = st.just(()) | made if field.default == () else made
    return st.builds(hint, **parts)


def many(cls: type[Answer]) -> st.SearchStrategy[Answer]:
    """Answers of one kind with any numbers, infinite ones included."""
    return st.integers(1, 3).flatmap(lambda count: _made(cls, count))

"""An answer of every kind, made up, and a strategy that makes many of each."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

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
    Compared,
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
_texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
_counts = st.integers(0, 2**40)
_pairs = st.tuples(_numbers, _numbers)
_errors = st.builds(StandardError, sampling=_numbers, privacy=_numbers, localisation=_numbers)
_collections = st.builds(
    lambda rounds, set_aside: Collection(
        asked=tuple(more + less for more, less in rounds),
        answered=tuple(less for _, less in rounds),
        set_aside=tuple(set_aside),
    ),
    st.lists(st.tuples(_counts, _counts), max_size=3),
    st.lists(st.tuples(_texts, _counts), max_size=3),
)
_names = st.text("abcxyz", min_size=1, max_size=4)
_plain = st.none() | st.booleans() | _counts | st.floats(allow_nan=False, allow_infinity=False) | _texts
_facts: st.SearchStrategy[Fact] = st.recursive(
    st.builds(lambda code, data: Fact(code, **data), _names, st.dictionaries(_names, _plain, max_size=2)),
    lambda inner: st.builds(
        lambda code, data: Fact(code, **data),
        _names,
        st.dictionaries(_names, inner | st.lists(inner | _plain, max_size=2).map(tuple), max_size=2),
    ),
    max_leaves=4,
)
"""Facts of any code, with facts inside, as deep as it comes."""
_notes = st.builds(
    lambda code, data: Note(code, **data),
    st.sampled_from(NoteCode),
    st.dictionaries(_names, _plain | _facts, max_size=2),
)
_assumptions = st.none() | st.sampled_from(Assumes)
_chosen = st.builds(
    Chosen,
    by=st.sampled_from(ChosenBy),
    method=_texts,
    compared=st.lists(st.builds(Compared, method=_texts, error=_numbers, guaranteed=st.booleans()), max_size=2).map(
        tuple
    ),
    spreads=st.none() | st.lists(_numbers, max_size=2).map(tuple),
    width=_numbers,
    pays=_numbers,
    details=st.lists(_facts, max_size=2).map(tuple),
)
_shares = st.floats(0, 1)
_rehearsals = st.builds(
    lambda truth, **named: Rehearsal(truth=truth, no_truth=Fact("no-truth") if truth is None else None, **named),
    users=_counts,
    observations=_counts,
    missing=_counts,
    clamped=st.none() | _shares,
    truth=st.none() | _numbers | st.lists(_numbers, max_size=2).map(tuple),
)
_colluders = st.builds(Colluders, share=_shares, shifts=st.lists(_pairs, max_size=2).map(tuple))
_privacies = st.builds(Privacy, epsilon=_numbers, protects=_facts, users=_counts, rounds=_counts)
_choices = st.builds(Choice, index=_counts, share=_numbers, standard_error=_numbers)


def _tuples(items: st.SearchStrategy[Any], **sizes: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, **({"max_size": 3} | sizes)).map(tuple)


def _curves(count: int) -> st.SearchStrategy[Curve]:
    """Distribution functions at `count` points, in order."""
    numbers, pairs = (_tuples(items, min_size=count, max_size=count) for items in (_numbers, _pairs))
    points = st.lists(st.floats(-1e9, 1e9), min_size=count, max_size=count, unique=True).map(sorted).map(tuple)
    step = st.none() | _numbers
    return st.builds(
        Curve, points=points, below=numbers, band=pairs, errors=numbers, low=_numbers, high=_numbers, step=step
    )


def _made(cls: type[Answer], count: int) -> st.SearchStrategy[Answer]:
    """Answers of one kind with `count` entries in every part that has one for each."""
    numbers, pairs = (_tuples(items, min_size=count, max_size=count) for items in (_numbers, _pairs))
    errors = _tuples(_errors, min_size=count, max_size=count)
    vector: dict[str, st.SearchStrategy[Any]] = {
        "value": numbers,
        "intervals": pairs,
        "simultaneous": pairs,
        "standard_error": errors,
        "low": numbers,
        "high": numbers,
        "names": _tuples(_texts, min_size=count, max_size=count),
        "outside_set": st.none() | _facts,
        "model_intervals": st.just(()) | pairs,
    }
    own: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "number": {"value": _numbers, "interval": _pairs, "standard_error": _errors, "low": _numbers, "high": _numbers},
        "vector": vector,
        "sparse": vector
        | {
            "support": _tuples(st.integers(0, count - 1)),
            "left_out": _facts,
            "would_be_seen": st.none() | _numbers,
        },
        "density": {
            "coefficients": numbers,
            "coefficient_intervals": pairs,
            "coefficient_errors": errors,
            "low": _numbers,
            "high": _numbers,
            "smoothness": _numbers,
            "shift": st.none() | _numbers,
            "whole_assumes": _assumptions,
        },
        "mixture": {
            "means": numbers,
            "intervals": pairs,
            "standard_errors": errors,
            "shares": numbers,
            "share_errors": numbers,
            "centres": numbers,
            "low": _numbers,
            "high": _numbers,
            "least_share": st.none() | _numbers,
        },
        "cover": {
            "index": _counts,
            "centre": st.none() | _tuples(_numbers),
            "size": _counts,
            "share": _numbers,
            "share_interval": _pairs,
            "gap": _numbers,
            "top": _tuples(_choices),
            "radius": st.none() | _numbers,
            "error_bound": st.none() | _numbers,
        },
        "histogram": {
            "value": numbers,
            "raw": numbers,
            "labels": _tuples(_texts, min_size=count, max_size=count),
            "intervals": pairs,
            "simultaneous": pairs,
            "standard_error": errors,
            "edges": st.none() | _tuples(_numbers, min_size=count + 1, max_size=count + 1),
            "model_intervals": st.none() | pairs,
            "model_simultaneous": st.none() | pairs,
        },
        "quantiles": {
            "q": numbers,
            "value": numbers,
            "intervals": pairs,
            "curve": _curves(count),
            "model_intervals": st.none() | pairs,
        },
        "groups": {
            "of": st.sampled_from(asked_in_groups()),
            "groups": _tuples(
                st.builds(
                    Group,
                    label=_texts,
                    share=_numbers,
                    share_interval=_pairs,
                    value=numbers,
                    intervals=pairs,
                    standard_error=numbers,
                    reports=_counts,
                )
            ),
            "names": _tuples(_texts | _facts, min_size=count, max_size=count),
            "low": _numbers,
            "high": _numbers,
            "estimand": _facts,
            "nothing": st.none() | _numbers,
            "nothing_interval": st.none() | _pairs,
        },
        "range": {
            "low": st.none(),
            "high": st.none(),
            "of": st.sampled_from(asked_in_groups()),
            "outside": _numbers,
            "edges": numbers,
            "shares": _tuples(_numbers, min_size=count + 1, max_size=count + 1),
            "standard_error": _numbers,
        },
        "cdf": {
            "curve": _curves(count),
            "model_band": st.none() | pairs,
        },
    }
    return st.builds(
        cls,
        confidence=_numbers,
        interval_kind=_facts,
        users_per_round=_tuples(_counts),
        privacy=_privacies,
        method=_texts,
        chosen=_chosen,
        notes=_tuples(_notes),
        assumes=_assumptions,
        model_assumes=_assumptions,
        detection_limit=st.none() | _numbers,
        hidden_shift=st.none() | _numbers,
        colluders=st.none() | _colluders,
        instead=st.none() | _facts,
        collection=st.none() | _collections,
        rehearsal=st.none() | _rehearsals,
        empty_at_most=_shares,
        written=_tuples(st.tuples(_texts, _texts)),
        **own[cls.kind],
    )


def many(cls: type[Answer]) -> st.SearchStrategy[Answer]:
    """Answers of one kind with any numbers, infinite ones included."""
    return st.integers(1, 3).flatmap(lambda count: _made(cls, count))

"""Every claim of every figure can fail: rows pushed over each end of its check change the verdict.

Frozen rows, nothing random: no false alarms.
"""

from __future__ import annotations

import dataclasses
import math

import pytest

from sottovoce import paper, theory
from sottovoce.paper.figure import (
    Estimate,
    Verdict,
    above_one,
    log_ratio,
    log_slope,
    verdict_of,
    verdict_over_sides,
    within,
)
from tests.support.paper_flips import FLIPS, frozen_rows

ALL = [(name, claim.name) for name in paper.names() for claim in paper.figure_of(name).claims]
ORDER_ONLY = {
    "univariate": {"full item is a lower bound"},
    "multivariate": {"full item level is best"},
    "sparse": {"user level falls", "user level can surpass item level"},
    "sensitivity-1": {"small C hurts wide distributions", "better too large than too small"},
    "sensitivity-2a": {"n = T = 100 rises first"},
    "sensitivity-2b": {"n = T = 100 rises first"},
    "eta": {"smaller C finds more"},
    "misspecification": {"large α: better too many", "small α: the other way round"},
    "mixture-2": {"α = 2 is more delicate"},
    "ratings": {"user level wins from α = 1", "four shares from α = 2", "full item is best"},
    "police": {"four shares from α = 2", "full item is best"},
}
"""Claims that one thing is larger than another, without a size: turning the order round is all that can be wrong."""


def claim_of(name, wanted):
    return next(claim for claim in paper.figure_of(name).claims if claim.name == wanted)


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(("name", "wanted"), ALL)
def test_the_frozen_rows_have_the_expected_verdict(name, wanted, quick):
    claim = claim_of(name, wanted)
    found = claim.check(frozen_rows(name, quick=quick))
    assert found.verdict == claim.expected, found.seen
    assert bool(found.choice) or found.verdict != Verdict.DEPENDS
    assert len(claim.tolerance) > 20


@pytest.mark.parametrize(
    ("name", "wanted", "side", "alter", "expected"),
    FLIPS,
    ids=[f"{flip[0]}-{flip[1]}-{flip[2]}-{i}" for i, flip in enumerate(FLIPS)],
)
def test_a_claim_pushed_over_its_end_has_another_verdict(name, wanted, side, alter, expected):
    rows = frozen_rows(name)
    before = [dict(row) for row in rows]
    found = claim_of(name, wanted).check(alter(rows))
    assert found.verdict == expected, found.seen
    assert rows == before


def test_every_claim_flips_and_every_two_sided_one_on_both_sides():
    by_claim = {key: [flip for flip in FLIPS if flip[:2] == key] for key in ALL}
    assert {flip[:2] for flip in FLIPS} == set(ALL)
    for key, flips in by_claim.items():
        expected = claim_of(*key).expected
        assert any(flip[4] != expected for flip in flips), key
        if key[1] not in ORDER_ONLY.get(key[0], ()):
            assert {"low", "high"} <= {flip[2] for flip in flips}, key


def valued(found, value):
    """The bounds with other values, from the values that they have."""
    sides = (dataclasses.replace(side, value=value(side.value)) for side in (found.lower, found.upper))
    return theory.Bounds(*sides)


def half(function):
    return lambda **sizes: valued(function(**sizes), lambda value: value / 2)


def fast(function):
    return lambda **sizes: function(**(sizes | {"observations": min(sizes["observations"], 1e145) ** 2}))


def doubled(function):
    return lambda **sizes: 2 * function(**sizes)


@pytest.mark.parametrize(
    ("name", "wanted", "function", "changed"),
    [
        ("regimes", "ℓ2: never better", "mean_l2", half),
        ("tables", "user level equals nT items", "mean_l2", half),
        ("tables", "user level equals nT items", "sparse", half),
        ("tables", "user level equals nT items", "density", half),
        ("tables", "the transition of the mean", "mean_l2", fast),
        ("tables", "the transition of the density", "density", fast),
        ("tables", "the transition of the sparse mean", "sparse", fast),
        ("tables", "the transition of the sparse mean", "sparse_switch", doubled),
    ],
)
def test_another_theorem_would_not_agree_with_tables_and_diagram(monkeypatch, name, wanted, function, changed):
    monkeypatch.setattr(theory, function, changed(getattr(theory, function)))
    assert claim_of(name, wanted).check(frozen_rows(name)).verdict == Verdict.DOES_NOT


def test_the_sparse_transition_would_agree_if_the_rate_ended_where_thresholding_does(monkeypatch):
    real = theory.sparse

    def ends(**sizes):
        """The same bounds with the floor e^{−nα²/d} where d ≤ nα²."""
        found = real(**sizes)
        strength = sizes["users"] * sizes["epsilon"] ** 2
        floor = math.exp(-strength / sizes["dimension"]) if sizes["dimension"] <= strength else 0.0
        return valued(found, lambda value: max(value, floor))

    monkeypatch.setattr(theory, "sparse", ends)
    claim = claim_of("tables", "the transition of the sparse mean")
    assert claim.check(frozen_rows("tables")).verdict == Verdict.AGREES


def test_rates_count_only_at_sizes_where_the_theorem_holds(monkeypatch):
    real = theory.sparse
    monkeypatch.setattr(theory, "sparse", lambda **sizes: real(**(sizes | {"epsilon": 1.5})))  # it asks for α ≤ 1
    claim = claim_of("tables", "user level equals nT items")
    assert claim.check(frozen_rows("tables")).verdict == Verdict.DOES_NOT


def test_sentences_on_other_data_say_so_and_count_apart():
    for name in paper.names():
        for claim in paper.figure_of(name).claims:
            assert claim.borrowed == (name == "ratings") == claim.text.startswith("On these data:")


def test_a_choice_has_two_sides():
    assert verdict_over_sides(True, True) == Verdict.AGREES
    assert verdict_over_sides(False, False, False) == Verdict.DOES_NOT
    assert verdict_over_sides(True, False) == verdict_over_sides(False, False, True) == Verdict.DEPENDS
    assert verdict_of(True) == Verdict.AGREES
    with pytest.raises(ValueError, match="two sides"):
        verdict_over_sides(True)


def test_both_ends_are_widened_by_four_standard_errors():
    for value, inside in (
        *((0.9, True), (0.89, False), (1.11, False)),
        *((Estimate(0.5, 0.1), True), (Estimate(0.49, 0.1), False), (Estimate(1.51, 0.1), False)),
    ):
        assert within(value, 0.9, 1.1) is inside, value


def test_ahead_needs_more_than_point_estimates():
    assert above_one([Estimate(0.5, 0.1)])
    assert not above_one([Estimate(0.3, 0.1)])
    assert above_one([Estimate(1.0, 0.1), Estimate(-0.3, 0.1)])
    assert not above_one([Estimate(9.0, 0.1), Estimate(-0.5, 0.1)])
    uncertain = [Estimate(0.5, 0.1), Estimate(0.5, 0.6)]
    assert not above_one(uncertain)  # 0.5 < 4·√(0.1² + 0.6²)/2
    assert above_one(uncertain, weighted=True)  # 0.5 > 4·0.0986
    assert not above_one([Estimate(0.39, 0.1), Estimate(0.39, 0.6)], weighted=True)  # 0.39 < 4·0.0986
    assert not above_one([Estimate(9.0, 0.1), Estimate(-2.5, 0.6)], weighted=True)


def test_trend_and_ratio_carry_their_standard_errors():
    rows = [{"T": T, "mse": 5 / T, "se": 0.05 / T} for T in (1.0, 10.0, 100.0)]
    found = log_slope(rows, "T")
    assert found.value == pytest.approx(-1)
    assert found.error == pytest.approx(0.01 / (2**0.5 * 2.302585))  # σ/√Σ(x − x̄)², x = 0, log 10, 2·log 10
    assert log_ratio(rows[0], rows[1]).value == pytest.approx(2.302585)
    assert log_ratio(rows[0], rows[1]).error == pytest.approx(0.01 * 2**0.5)

"""The figures ask the protocols: what changes there changes here, and our own methods run as they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.baselines import duchi
from sottovoce.design import laplace
from sottovoce.engines import run, simulate
from sottovoce.messages import Average, Item
from sottovoce.methods import Layout, vote_then_refine
from sottovoce.paper import our_methods
from sottovoce.paper.figure import Rows
from sottovoce.paper.figures import (
    eta,
    misspecification,
    mixture,
    multivariate,
    phase_transition,
    ratings,
    sensitivity_1,
    sensitivity_2,
    sparse,
    study,
    univariate,
)
from sottovoce.paper.simulation import averages, sparse_selection
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.problems.mixture import MixtureMeans
from sottovoce.problems.mixture import paper as mixture_paper
from sottovoce.problems.sparse import SparseMean
from sottovoce.problems.sparse import paper as sparse_paper
from sottovoce.problems.vector import VectorMean
from sottovoce.problems.vector import paper as vector_paper
from tests.support import rectangle

CELLS = {
    "univariate": (univariate.compute, {"T": 100, "repetitions": 20}),
    "multivariate": (multivariate.compute, {"setting": 1, "d": 8, "repetitions": 3}),
    "sparse": (sparse.compute, {"d": 100, "p": 0.9, "repetitions": 5}),
    "sensitivity-1": (sensitivity_1.compute, {"p": 1.0, "repetitions": 500, "step": 50}),
    "sensitivity-2": (sensitivity_2.compute, {"n": 100, "T": 100, "repetitions": 20, "step": 50}),
    "eta": (eta.compute, {"d": 100, "repetitions": 4}),
    "misspecification": (misspecification.compute, {"p": 0.75, "repetitions": 4}),
    "mixture": (mixture.compute, {"setting": 2, "vary": "n", "n": 200, "T": 500, "repetitions": 10}),
    "ratings, one": (ratings.compute, {"panel": "one", "T": 20, "repetitions": 4}),
    "ratings, four": (ratings.compute, {"panel": "four", "T": 20, "repetitions": 4}),
}


def rows(name: str) -> Rows:
    compute, cell = CELLS[name]
    return compute(cell, np.random.default_rng(1))


def changed(before: Rows, after: Rows, column: str) -> set[str]:
    assert len(before) == len(after)
    return {str(one.get(column)) for one, other in zip(before, after, strict=True) if one != other}


@cache
def unchanged(name: str) -> Rows:
    return rows(name)


def moved(monkeypatch: pytest.MonkeyPatch, name: str, column: str, *changes: tuple[Any, str, Any]) -> set[str]:
    """What differs where other things stand in the place of these."""
    before = unchanged(name)
    with monkeypatch.context() as patched:
        for owner, what, instead in changes:
            patched.setattr(owner, what, instead)
        return changed(before, rows(name), column)


WIDER = [(Layout, "margin", property(lambda self: 3.0))]
COARSER = [(module, "experiment_constant", lambda epsilon: 0.4) for module in (vote_then_refine, vector_paper)]
LOUDER = [(Layout, "vote_channel", lambda self, epsilon, own=Layout.vote_channel: own(self, epsilon / 2))]


@pytest.mark.parametrize(
    ("name", "column", "of_the_paper"),
    [
        ("univariate", "scheme", {"user level"}),
        ("multivariate", "scheme", {"user ℓ∞", "user ℓ2"}),
        ("sparse", "rule", {"as printed", "most votes"}),
        ("misspecification", "rule", {"most votes", "half a vote"}),
        ("ratings, one", "scheme", {"user level"}),
        ("ratings, four", "scheme", {"user level"}),
    ],
)
def test_bins_and_delta_are_those_of_the_schemes(monkeypatch, name, column, of_the_paper):
    assert not moved(monkeypatch, name, column)
    for changes in (WIDER, COARSER):
        assert of_the_paper <= moved(monkeypatch, name, column, *changes), changes


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("change", [WIDER, LOUDER], ids=["wider", "louder"])
def test_the_grid_of_widths_is_that_of_the_schemes(monkeypatch, compiled, change):
    cell = {"n": 100, "T": 1000, "repetitions": 20, "grid": "some"}

    def found() -> np.ndarray:
        return phase_transition.estimated_errors(cell, np.random.default_rng(2), compiled=compiled)[0]

    before = found()
    assert (before == found()).all()
    monkeypatch.setattr(*change[0])
    assert (before != found()).mean() > 0.5


@pytest.mark.parametrize("name", ["sensitivity-1", "sensitivity-2"])
def test_sensitivity_follows_the_schemes(monkeypatch, name):
    assert moved(monkeypatch, name, "alpha", *WIDER) == {str(row["alpha"]) for row in unchanged(name)}


@pytest.mark.parametrize("name", ["sparse", "eta", "misspecification"])
def test_threshold_truncation_and_selection_are_those_of_the_procedure(monkeypatch, name):
    own, select = sparse_paper.ByProcedure.selection, sparse_paper.Selection.select

    def farther(self, settings):
        found = own(self, settings)
        return replace(found, threshold=1.3 * found.threshold)

    def truncated(self, settings):
        found = own(self, settings)
        return replace(found, eta=0.3 * found.eta)

    for change in (
        (sparse_paper.ByProcedure, "selection", farther),
        (sparse_paper.ByProcedure, "selection", truncated),
        (sparse_paper.Selection, "select", lambda self, scores, noise: select(self, -scores, noise)),
    ):
        assert moved(monkeypatch, name, "rule", change), change


def test_constants_of_the_sparse_experiments_are_those_of_the_method(monkeypatch):
    assert moved(monkeypatch, "sparse", "rule", (sparse_paper.Paper, "eta_constant", 0.1)) >= {"most votes"}


def test_mixtures_are_located_counted_cut_and_decoded_as_the_method_does(monkeypatch):
    own = mixture_paper.fullest_bins
    for change in (
        (mixture_paper.Paper, "own_cut", lambda self, settings: 0.5),
        (mixture_paper.Paper, "delta_at", lambda self, settings, observations: 0.05),
        (mixture_paper, "fullest_bins", lambda votes, components: own(votes[::-1], components)),
        (mixture_paper, "distances_from_centres", lambda sums, shares, cut: np.zeros_like(sums)),
        (mixture_paper.Paper, "residual_channel", lambda self, settings: laplace(settings.epsilon / 4)),
    ):
        assert moved(monkeypatch, "mixture", "component", change), change
    assert not moved(monkeypatch, "mixture", "component", *WIDER), "residuals reach 3Δ whatever a bin is widened by"


def test_the_method_sends_residuals_through_the_channel_that_the_figure_asks_for(monkeypatch):
    held = np.where(np.random.default_rng(6).random((N, 1)) < 0.5, -0.6, 0.6)
    survey = MixtureMeans(
        epsilon=4.0, users=N, observations=T, components=2, low=-1.0, high=1.0, smallest_share=0.2, method="paper"
    )
    before = run(survey, simulate(rectangle(held), seed=7)).means
    monkeypatch.setattr(mixture_paper.Paper, "residual_channel", lambda self, settings: laplace(settings.epsilon / 4))
    assert run(survey, simulate(rectangle(held), seed=7)).means != before


@pytest.mark.parametrize(
    ("name", "column", "module", "rival"),
    [
        ("multivariate", "scheme", multivariate, {"semi user"}),
        ("sparse", "rule", sparse_selection, {"item level"}),
        ("ratings, four", "scheme", study, {"semi user"}),
    ],
)
def test_reports_of_the_rivals_lie_on_the_true_side_as_often_as_the_baseline_says(
    monkeypatch, name, column, module, rival
):
    """1/(1 + e^−2) = 0.880797 by hand."""
    assert module.true_side_chance is duchi.true_side_chance
    assert duchi.true_side_chance(2.0) == pytest.approx(0.880797, abs=1e-6)
    half = (module, "true_side_chance", lambda epsilon: duchi.true_side_chance(epsilon / 2))
    assert moved(monkeypatch, name, column, half) >= rival


@pytest.mark.parametrize("reports", [duchi.sphere_reports, duchi.cube_reports])
def test_the_baseline_asks_the_same_chance(monkeypatch, reports):
    held = np.full((200, 3), 0.5)
    before = reports(held, 2.0, 1.0, np.random.default_rng(8))
    monkeypatch.setattr(duchi, "true_side_chance", lambda epsilon: 0.5)
    assert (before != reports(held, 2.0, 1.0, np.random.default_rng(8))).any()


def test_the_item_level_rival_cuts_as_the_baseline_does(monkeypatch):
    below = (duchi.ItemSparse, "threshold", lambda self, reports: 0.01)
    for change in (below, (duchi, "soft", duchi.hard)):
        assert moved(monkeypatch, "sparse", "rule", change) == {"item level"}, change


def test_a_cut_by_noise_is_refused_where_the_noise_is_not_reckoned():
    people = sparse_selection.SparseUsers(users=200, observations=200, dimension=20, sparsity=2, chance=0.9)
    scores = np.linspace(1.0, 0.0, 20)
    assert sparse_selection.selected_coordinates(people.asked(4.0, sparsity=2), scores).tolist() == [0, 1]
    with pytest.raises(AssertionError, match="noise"):
        sparse_selection.selected_coordinates(people.asked(4.0, sparsity=2, false_alarm=0.05), scores)


def test_rivals_are_the_baselines_themselves():
    assert sparse_selection.cube_side is duchi.cube_side
    assert multivariate.sphere_radius is duchi.sphere_radius
    noise = {name: one.question().channel.scale for name, one in univariate.baselines(100, 2.0).items()}
    assert noise == pytest.approx({"full item": 1 / 2, "semi user": 1 / 2, "split user": 50}, rel=1e-5)


def raw(stream: np.random.Generator, shape: tuple[int, ...], chance: float | np.ndarray = 0.6) -> np.ndarray:
    return np.where(stream.random(shape) < chance, 1.0, -1.0)


N, T = 600, 64
SURVEYS = [
    (Mean(epsilon=1.0, users=N, observations=T, low=-1.0, high=1.0), 1),
    (Mean(method="homogeneous", epsilon=2.0, users=N, observations=T, low=-1.0, high=1.0), 1),
    (VectorMean(epsilon=4.0, users=N, observations=T, dimension=3, ball="l2"), 3),
    (SparseMean(epsilon=4.0, users=N, observations=T, dimension=20, sparsity=2), 20),
    (SparseMean(epsilon=4.0, users=N, observations=T, dimension=20), 20),
    (MixtureMeans(epsilon=4.0, users=N, observations=T, components=2, low=-1.0, high=1.0), 1),
]


@pytest.mark.parametrize(("survey", "columns"), SURVEYS)
def test_users_with_their_average_answer_as_users_with_their_observations(survey, columns):
    """To the bit: sums of ±1 are exact, and a question about averages sees nothing else."""
    stream = np.random.default_rng(3)
    chance = np.where(np.arange(columns) < 2, 0.9, 0.5) if columns > 1 else 0.6
    if isinstance(survey, MixtureMeans):
        chance = np.where(np.arange(N) % 2, 0.2, 0.8)[:, None, None]
    held = raw(stream, (N, T, columns), chance) / (2 if columns == 3 else 1)
    averages = held.mean(axis=1)

    class Fixed(np.random.Generator):
        def integers(self, *args, **kwargs):
            return np.int64(11)

    (short,) = our_methods.answers(survey, [averages], Fixed(np.random.PCG64(0)))
    long = run(survey, simulate(rectangle(held if columns > 1 else held[:, :, 0]), seed=11))
    assert replace(short, collection=None) == replace(long, collection=None)


def test_the_default_is_what_the_library_answers():
    held = raw(np.random.default_rng(4), (N, T))
    answer = sv.mean(held, low=-1, high=1, epsilon=1.0, seed=5)
    assert answer.value == run(SURVEYS[0][0], simulate(rectangle(held), seed=5)).value


def test_what_needs_observations_is_refused():
    assert our_methods.is_of_averages(Average())
    assert not our_methods.is_of_averages(Average(first=3))
    assert not our_methods.is_of_averages(Item())
    survey = Histogram(epsilon=1.0, users=N, observations=T, categories=("a", "b"))
    with pytest.raises(ValueError, match="more than averages"):
        list(our_methods.answers(survey, [np.zeros(N)], np.random.default_rng(1)))


def test_the_limit_lies_below_what_is_measured():
    """(π/2)·coth²(ε/2)/12/(nT): at ε = 1, n = 500, T = 100: 1.5708 · 4.6827 / 12 / 50,000 = 1.226e-5."""
    assert univariate.limit_row(100, 1.0)["mse"] == pytest.approx(1.2259e-5, rel=1e-3)
    assert univariate.full_item_error(100, 1.0) == pytest.approx((1 / 12 + 8) / 50_000)


def test_an_average_of_the_sphere_is_as_long_as_it_should_be():
    """E|S/T|² = 1/T. 4,000 users: six standard errors are below 7 % (the length is about a bell in d directions)."""
    for d in (3, 8, 32):
        whole = averages.sphere_vectors(np.random.default_rng(d), 50, d, 4000)
        assert (whole**2).sum(axis=1).mean() == pytest.approx(1 / 50, rel=6 * (2 / d / 4000) ** 0.5)

"""The two cuts of the sparse votes, in both of the paper's methods: half a vote, and more than noise alone gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import InvalidInput, Manifest
from sottovoce.problems import Announced, announce, choose
from sottovoce.problems.sparse.paper import ByProcedure, Paper, Procedure
from tests.support import rectangle

METHODS = ("paper", "theory")


def survey(**changes: Any) -> sv.SparseMean:
    fields: dict[str, Any] = {"epsilon": 4.0, "users": 2000, "observations": 100, "dimension": 40, "sparsity": 4}
    fields |= {"procedure": "selection", "refine": "one-round", "proof_constant": 1.0}
    return sv.SparseMean(**fields | changes)


def users(count: int, dimension: int, support: tuple[int, ...], seed: int, size: float = 0.5) -> Any:
    """±1 a hundred times; a mean of ½ in the support (the paper's p = .75), or of another size."""
    mean = np.zeros(dimension)
    mean[list(support)] = size
    averages = np.random.default_rng(seed).binomial(100, (1 + mean) / 2, size=(count, dimension)) / 50 - 1
    return rectangle(averages[:, None, :])


@pytest.mark.parametrize("method", METHODS)
def test_pure_noise_selects_nothing(method: str) -> None:
    """q = .05: in at most 5 % of surveys anything is selected. Of 200, more than 21 with a chance of 1 in 1,000.

    Without it the `sparsity` coordinates with the most votes are selected, whatever they are.
    """
    protocol = survey(method=method, users=400, cut=False, false_alarm=0.05)
    plain = survey(method=method, users=400, cut=False)
    alarms = 0
    for repetition in range(200):
        people = users(400, 40, (), seed=repetition)
        alarms += bool(sv.run(protocol, sv.simulate(people, seed=1, repetition=repetition)).support)
    assert alarms <= 21
    answer = sv.run(protocol, sv.simulate(users(400, 40, (), seed=3), seed=1, repetition=3))
    assert answer.support == () and set(answer.value) == {0.0} and len(answer.users_per_round) == 1
    assert len(sv.run(plain, sv.simulate(users(400, 40, (), seed=3), seed=1)).support) == 4


@pytest.mark.parametrize(("method", "count", "size"), [("paper", 2000, 0.5), ("theory", 30_000, 0.9)])
def test_the_papers_signal_is_found_as_before(method: str, count: int, size: float) -> None:
    """Four means of ½: with the cut against noise the same four coordinates as without, in 10 surveys.

    With the proof's √2 a vote needs √(2·log(dnTα²)/T) = .65 here: means of .9, and more users for its wider clamp.
    """
    for repetition in range(10):
        people = users(count, 40, (3, 11, 12, 30), seed=repetition, size=size)
        given = {"method": method, "users": count, "cut": False}
        found = [
            sv.run(survey(**given, **more), sv.simulate(people, seed=2, repetition=repetition)).support
            for more in ({}, {"false_alarm": 0.05})
        ]
        assert set(found[0]) == set(found[1]) == {3, 11, 12, 30}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rank", ["votes", "first"])
def test_both_cuts_by_hand(method: str, rank: Any) -> None:
    """d = 40, q = .05: Φ⁻¹(1 − .05/40) = Φ⁻¹(.99875) = 3.0233; with noise .1 the cut is .30233, and ½ is higher.

    Votes .6, .45, .31, .3 and nothing: ½ keeps one of them, the noise's cut three, both together one.
    """
    scores = np.zeros(40)
    scores[[7, 5, 2, 1]] = 0.6, 0.45, 0.31, 0.30
    kept = {}
    for name, more in (("half", {"cut": True}), ("noise", {"cut": False, "false_alarm": 0.05})):
        own = survey(method=method, rank=rank, **more)
        procedure = own.problem.method(method)
        assert isinstance(procedure, ByProcedure)
        selection = procedure.selection(own)
        kept[name] = selection.select(scores, 0.1)
        assert selection.cut(0.1) == pytest.approx({"half": 0.5, "noise": 0.302334}[name], rel=1e-5)
    assert kept["half"] == (7,)
    assert kept["noise"] == ((7, 5, 2) if rank == "votes" else (2, 5, 7))
    both = survey(method=method, cut=True, false_alarm=0.05)
    running = both.problem.method(method)
    assert isinstance(running, ByProcedure) and running.selection(both).cut(0.1) == 0.5


def test_the_cut_at_half_is_printed_for_theory_and_an_option_of_both() -> None:
    """By default only where it is printed (ERRATA 11)."""
    for method, default in (("paper", False), ("theory", True)):
        for cut in (None, True, False):
            own = survey(method=method, cut=cut)
            procedure = own.problem.method(method)
            assert isinstance(procedure, ByProcedure)
            assert procedure.selection(own).cuts == (default if cut is None else cut)


def test_a_prediction_knows_the_cut() -> None:
    """A signal that noise hides is left out: what it costs is its own square."""
    plain, cut = (survey(method="paper", epsilon=0.5, users=400, false_alarm=q) for q in (None, 1e-6))
    from sottovoce.risk import Crowd

    cutting, keeping = (Paper().method_that_runs(own).predict(own, Crowd(around=0.5)) for own in (cut, plain))
    assert cutting.omission == pytest.approx(0.25, rel=0.01)
    assert keeping.omission < cutting.omission


def test_it_is_declared_and_travels() -> None:
    for wrong in (0.0, 1.0, -0.1, 2.0):
        with pytest.raises(InvalidInput, match="false_alarm"):
            survey(false_alarm=wrong)
    told = {"purpose": "a test", "collector": "nobody", "software": "0", "opens": 0, "closes": 1000}
    for value in (None, 0.05):
        manifest = announce(survey(method="paper", false_alarm=value), **told)
        assert ("false_alarm" in manifest.settings) == (value is not None)
        again = Announced(Manifest.from_bytes(manifest.to_bytes()))
        again.check()
        assert isinstance(again.settings, sv.SparseMean) and again.settings.false_alarm == value


@pytest.mark.parametrize("given", [{"cut": True}, {"cut": False}, {"false_alarm": 0.05}])
@pytest.mark.parametrize("method", [*METHODS, "auto"])
def test_a_cut_is_never_ignored(method: str, given: dict[str, Any]) -> None:
    """Threshold refuses it. Left to the rule, which thresholds here, selection runs and says why."""
    name = next(iter(given))
    many: dict[str, Any] = {"method": method, "users": 8000, "dimension": 8, "epsilon": 2.0, "switch_constant": 0.01}
    with pytest.raises(InvalidInput, match=f"{name}: of selection only"):
        survey(**many, procedure="threshold", **given)
    own = choose(survey(**many, procedure="auto", **given))
    assert isinstance(own.method, Procedure)
    found, why = own.method.constants.procedure(own.settings)
    assert found == "selection"
    if method != "auto":
        assert str(why) == f"{name} asked for, which threshold does not have"
        assert own.method.constants.procedure(survey(**many, procedure="auto"))[0] == "threshold"

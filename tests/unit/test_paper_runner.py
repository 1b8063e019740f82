"""Cells are kept, any number of processes gives the same rows, and what moved or flipped is found."""

from __future__ import annotations

import json
import multiprocessing

import numpy as np
import pytest

from sottovoce import paper
from sottovoce.paper import frozen_numbers, report, runner
from sottovoce.paper.figure import Claim, Figure, Judgement, Run, Verdict, error_sums, gather_parts, stream_for

QUICK = Run(quick=True)


def some_rows(**settings):
    figures = [paper.figure_of("sensitivity-2b"), paper.figure_of("regimes")]
    return runner.results(figures, QUICK, **settings)


def test_results_do_not_depend_on_the_number_of_processes(tmp_path):
    one = some_rows(folder=None, workers=1)
    two = some_rows(folder=tmp_path, workers=2)
    assert json.dumps(one) == json.dumps(two)


def test_a_stopped_run_carries_on(tmp_path, monkeypatch):
    done = []
    compute = runner.compute

    def counted(job):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(job)
        return compute(job)

    monkeypatch.setattr(runner, "compute", counted)
    with pytest.raises(KeyboardInterrupt):
        some_rows(folder=tmp_path, workers=1)
    monkeypatch.setattr(runner, "compute", compute)
    kept = sorted(tmp_path.glob("cells/*/*.json"))
    assert len(kept) == 3
    kept[0].write_text('{"rows": [')  # cut short: computed again
    again = []
    monkeypatch.setattr(runner, "compute", lambda job: again.append(job) or compute(job))
    rows = some_rows(folder=tmp_path, workers=1)
    assert len(again) == len(paper.figure_of("sensitivity-2b").cells(QUICK)) + 2 - 2
    monkeypatch.setattr(runner, "compute", None)  # nothing is left to compute
    assert some_rows(folder=tmp_path, workers=1) == rows


def test_another_seed_gives_other_rows():
    assert some_rows(folder=None, workers=1, seed=1) != some_rows(folder=None, workers=1, seed=2)


def toy(scale: float):
    def compute(cell, stream):
        return [{"x": 1, "y": float(scale * stream.random()), "se": 0.01}]

    return Figure(
        name="toy",
        title="A toy",
        where="nowhere",
        cells=lambda run: [{"a": 1}],
        compute=compute,
        claims=(
            Claim(
                name="small",
                text="y is below one",
                where="nowhere",
                expected=Verdict.AGREES,
                tolerance="exactly",
                check=lambda rows: Judgement(
                    verdict=Verdict.AGREES if rows[0]["y"] < 1 else Verdict.DOES_NOT, seen=f"{rows[0]['y']:.2f}"
                ),
            ),
        ),
        draw=lambda rows, picture: picture.subplots().plot([1, 2], [1, rows[0]["y"]]),
        keys=("x",),
        values=(("y", "se"),),
    )


def rows_of(figure):
    return figure.compute({"a": 1}, stream_for("toy", {"a": 1}, 1))


def test_a_moved_number_and_a_missing_row_are_found(tmp_path):
    figure = toy(1.0)
    rows = rows_of(figure)
    frozen_numbers.freeze(figure, rows, quick=True, folder=tmp_path)
    assert frozen_numbers.deviations(figure, rows, quick=True, folder=tmp_path) == []
    near = [rows[0] | {"y": rows[0]["y"] + 0.08}]  # 5.7 combined standard errors
    far = [rows[0] | {"y": rows[0]["y"] + 0.09}]
    assert frozen_numbers.deviations(figure, near, quick=True, folder=tmp_path) == []
    assert len(frozen_numbers.deviations(figure, far, quick=True, folder=tmp_path) or []) == 1
    (gone,) = frozen_numbers.deviations(figure, [], quick=True, folder=tmp_path) or []
    assert str(gone) == f"x={rows[0]['x']}: the row is gone"
    (new,) = frozen_numbers.deviations(figure, [*rows, rows[0] | {"x": 2}], quick=True, folder=tmp_path) or []
    assert str(new) == "x=2: the row is new"
    assert frozen_numbers.deviations(figure, rows, quick=False, folder=tmp_path) is None


def test_a_flipped_claim_makes_an_outcome_unsound():
    small, large = toy(1.0), toy(1000.0)
    assert report.outcome(small, rows_of(small), QUICK).sound
    assert not report.outcome(large, rows_of(large), QUICK).sound


def test_parts_add_up_to_the_whole():
    errors = np.random.default_rng(1).random(50)
    whole = gather_parts([error_sums({"k": 1}, errors)])[0]
    halves = gather_parts([error_sums({"k": 1}, errors[:20]), error_sums({"k": 1}, errors[20:])])[0]
    assert whole["mse"] == pytest.approx(errors.mean())
    assert whole["se"] == pytest.approx(errors.std(ddof=1) / 50**0.5)
    assert halves == pytest.approx(whole)


def test_the_version_follows_the_simulation_and_not_the_words():
    first, second = toy(1.0).compute, toy(1.0).compute
    assert runner.code_digest(first) == runner.code_digest(second)
    names = [name for name in paper.names() if name not in paper.NEEDS_A_FILE]
    digests = {runner.code_digest(paper.figure_of(name).compute) for name in names}
    assert len(digests) == len({paper.MODULES[name] for name in names})


def test_every_figure_is_complete():
    for name in paper.names():
        figure = paper.figure_of(name)
        assert figure.name == name
        assert figure.claims
        assert len({claim.name for claim in figure.claims}) == len(figure.claims)
        if name not in paper.NEEDS_A_FILE:
            assert frozen_numbers.path_of(figure, quick=True).exists(), name
            assert frozen_numbers.path_of(figure, quick=False).exists(), name


def test_a_run_that_is_stopped_ends_its_processes_at_once(tmp_path):
    """One cell is finished, a long one is under way: stopping drops it instead of waiting for it."""
    jobs = [
        runner.Job(figure="univariate", cell={"T": 100, "repetitions": 2}, seed=1, cost=1.0),
        runner.Job(figure="univariate", cell={"series": "ours", "T": 100, "repetitions": 10_000}, seed=1, cost=1e3),
    ]
    found = runner._spread(jobs, [0, 1], 2)
    assert next(found)[0] == 0
    children = multiprocessing.active_children()
    assert children
    found.close()  # as a KeyboardInterrupt would
    assert all(not child.is_alive() for child in children)

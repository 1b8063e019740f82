"""``sotto paper`` without numba: it says first what it will take, does fewer repetitions, and says that."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
import time

import pytest

from sottovoce import paper
from sottovoce.paper import Run, progress, runner
from tests.support.said import result_of

LIMIT = 600
"""CPU seconds that a quick look may take without numba."""
PLANS = """
import json
from sottovoce import paper
from sottovoce.paper import Run, runner
from sottovoce.messages import has_numba
figures = [paper.figure_of(name) for name in paper.names() if name not in paper.NEEDS_A_FILE]
runs = {"quick": Run(quick=True, reduced=True), "full": Run()}
print(json.dumps({"numba": has_numba()} | {name: runner.plan(figures, run).cpu_seconds for name, run in runs.items()}))
"""


@pytest.fixture
def without_numba(tmp_path):
    """An environment in which numba cannot be imported, by whatever process is started in it."""
    folder = tmp_path / "blocked"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['numba'] = None\n")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def test_the_first_lines_say_what_it_takes_and_how_to_make_it_faster(without_numba, tmp_path):
    """Half a second was measured; a machine under load gets ten minutes."""
    command = [sys.executable, "-m", "sottovoce", "paper", "--quick", "--workers", "1", "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        command, env=without_numba, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as running:
        late = threading.Timer(600, running.kill)
        late.start()
        try:
            assert running.stderr is not None
            lines = [running.stderr.readline() for _ in range(3)]
        finally:
            late.cancel()
            running.kill()
    assert "minutes of CPU" in lines[0]
    assert "on 1 core" in lines[0]
    assert 'pip install "sottovoce[fast]"' in lines[1]
    assert 'pip install -e ".[fast]"' in lines[1]
    assert "fewer repetitions" in lines[2]


def test_the_plan_keeps_to_the_limit(without_numba):
    done = subprocess.run(
        [sys.executable, "-c", PLANS], env=without_numba, capture_output=True, text=True, timeout=600, check=True
    )
    planned = json.loads(done.stdout)
    assert planned["numba"] is False
    assert 60 < planned["quick"] < LIMIT  # measured: 204 with two cores shared by six processes
    assert planned["full"] > 3600


def test_a_reduced_figure_has_the_same_verdicts_and_says_what_it_is(without_numba, tmp_path):
    command = [sys.executable, "-m", "sottovoce", "paper", "sensitivity-2b", "--quick", "--check", "--workers", "1"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path), "--json"],
        env=without_numba,
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    document = result_of(done.stdout)
    assert document["reduced"] is True
    assert document["figures"][0]["moved"] == []
    assert "A quick look without numba" in (tmp_path / "report.html").read_text()


def test_fewer_repetitions_where_numba_would_have_made_them_and_nowhere_else():
    quick, reduced = Run(quick=True), Run(quick=True, reduced=True)
    for name in set(paper.names()) - set(paper.NEEDS_A_FILE):
        many, few = paper.figure_of(name).cells(quick), paper.figure_of(name).cells(reduced)
        assert (many != few) == (name in paper.COMPILED), name
        for cell, smaller in zip(many, few, strict=True):  # the same rows, so that frozen numbers can be compared
            assert smaller.get("repetitions", 0) <= cell.get("repetitions", 0)
            assert smaller | {"repetitions": 0} == cell | {"repetitions": 0}


def test_the_plan_is_told_before_anything_is_computed(monkeypatch):
    computed, told = [], []
    compute = runner.compute
    monkeypatch.setattr(runner, "compute", lambda job: computed.append(job) or compute(job))
    runner.results(
        [paper.figure_of("regimes")],
        Run(quick=True),
        folder=None,
        workers=1,
        announce=lambda plan: told.append((plan.cells, len(computed))),
    )
    assert told == [(2, 0)]
    assert len(computed) == 2


def test_what_is_kept_is_not_planned_again(tmp_path):
    plans = []
    for _ in range(2):
        runner.results([paper.figure_of("regimes")], Run(quick=True), folder=tmp_path, workers=1, announce=plans.append)
    assert [plan.cells for plan in plans] == [2, 0]


def test_a_line_now_and_then_where_there_is_no_terminal(capsys, monkeypatch):
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.0)
    said = ""
    with progress.Progress(cells=4, total=8.0, planned=60.0):
        end = time.monotonic() + 60
        while not said and time.monotonic() < end:
            time.sleep(0.05)
            said = capsys.readouterr().err
    assert "0 of 4 cells" in said  # before the first cell is done


def test_a_bar_from_the_start_on_a_terminal(monkeypatch):
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.Progress(cells=2, total=2.0, planned=65.0) as bar:
        assert "about 1:05 left" in screen.getvalue()
        bar.done("eta", 1.0)
        assert "eta" in screen.getvalue()
        assert "50%" in screen.getvalue()


def test_what_is_left_follows_the_plan_first_and_then_the_work():
    bar = progress.Progress(cells=10, total=100.0, planned=50.0)
    assert bar.left(10.0) == pytest.approx(40.0)
    assert bar.left(70.0) is None
    assert bar.line(70.0) == "  0%, 0 of 10 cells, 1:10 gone, slower than planned"
    bar.done("eta", 20.0)
    assert bar.left(30.0) == pytest.approx(120.0)  # 20 % took half a minute
    assert bar.line(30.0) == " 20%, 1 of 10 cells, 0:30 gone, about 2:00 left"


@pytest.mark.parametrize(
    "seconds, words", [(3, "10 seconds"), (62, "60 seconds"), (130, "2 minutes"), (6413, "1.8 hours")]
)
def test_times_as_one_says_them(seconds, words):
    assert progress.duration_in_words(seconds) == words


def test_numbers_are_not_frozen_without_numba(monkeypatch, capsys):
    from sottovoce import messages
    from sottovoce.cli import failures, main

    monkeypatch.setattr(messages, "has_numba", lambda: False)
    assert main(["paper", "sensitivity-2b", "--quick", "--freeze"]) == failures.USAGE
    assert "numba" in capsys.readouterr().err

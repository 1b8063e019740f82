"""The benchmarks of scale: their arithmetic, their verdicts, their processes, and that pages match figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.scale import billion, page
from benchmarks.scale.arithmetic import exponent, growth, ratio, spread
from benchmarks.scale.cases import device as device_case
from benchmarks.scale.crew import Contender, Crew, NotMeasuredError, Times, Worker
from benchmarks.scale.figures import STORED, Figure, Run, lines, text, verdict
from benchmarks.scale.limits import LIMITS
from benchmarks.scale.parts import PARTS
from benchmarks.scale.parts import growth as growth_part
from benchmarks.scale.parts.compared import compared
from benchmarks.scale.sizes import TINY
from sottovoce.messages import Question

VERSIONS = {"Python": "3", "numpy": "2", "commit": "abc", "before": "4f060ed", "machine": "a box, 2 cores"}


def run_of(*figures: Figure, **rates: float) -> Run:
    return Run(versions=VERSIONS, figures=figures, rates=rates, minutes=1.0)


def test_arithmetic() -> None:
    found = spread([4.0, 1.0, 2.0, 3.0, 5.0])
    assert (found.low, found.median, found.high) == (2.0, 3.0, 4.0)
    assert ratio([2.0, 9.0, 8.0], [1.0, 3.0, 2.0]).median == 3.0  # turn by turn: 2, 3, 4
    assert ratio([2.0], [1.0], scale=10).median == 20.0
    assert exponent([1, 10, 100], [3.0, 30.0, 300.0]) == pytest.approx(1.0)
    assert exponent([1, 10, 100], [3.0, 300.0, 30000.0]) == pytest.approx(2.0)
    sizes = [1, 10, 100, 1000, 10000]
    for power in (0.5, 1.0, 1.05, 2.0):
        costs = [5.0 + 0.1 * size**power for size in sizes]
        assert growth(sizes, costs) == pytest.approx(power, abs=1e-3)
        assert exponent(sizes, costs) < power - 0.2  # what the fixed part would have hidden
    assert growth(sizes, [3.0 * size for size in sizes]) == pytest.approx(1.0, abs=0.01)
    assert 0.7 < growth(sizes, [5.1, 4.9, 5.0, 15.2, 107.0]) < 1.3  # below the fixed part: no nonsense
    with pytest.raises(ValueError, match="argument"):
        ratio([1.0, 2.0], [1.0])


@pytest.mark.parametrize("key", LIMITS)
def test_every_verdict_can_flip(key: str) -> None:
    sense, bound = LIMITS[key]
    better = 1.01 if sense == "≥" else 0.99
    good, bad = (Figure(key=key, what="w", value=bound * factor) for factor in (better, 1 / better))
    assert good.met and not bad.met
    assert verdict(good).endswith("met") and verdict(bad).endswith("MISSED")
    assert run_of(bad).missed == (bad,) and not run_of(good).missed
    assert not Figure(key=key, what="w", value=None).met  # what was not measured is missed
    assert key in run_of().absent and key not in run_of(good).absent


def test_what_has_no_limit_is_not_missed() -> None:
    free = Figure(key="client/linear/x", what="w", value=None)
    assert free.met and verdict(free) == "" and text(free) == "not measured"


def test_ratios_say_who_is_faster() -> None:
    ours, theirs = Times((1.0, 1.0, 2.0)), Times((10.0, 20.0, 60.0))
    faster = compared("k", "w", ours, theirs)
    assert (faster.value, faster.ours, faster.theirs) == (20.0, 1.0, 20.0)
    assert compared("k", "w", ours, theirs, faster=False).value == pytest.approx(1 / 20)
    absent = compared("k", "w", ours, Times(why="No module named 'x'"))
    assert absent.value is None and "No module" in lines([absent])[0]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Any:
    workers = {name: Worker(patience=1200) for name in ("fast", "peers")}
    workers["numpy"] = Worker(without=("numba",), patience=1200)
    yield Crew(workers, tmp_path_factory.mktemp("scale"))
    for worker in workers.values():
        worker.end()


def test_extras_cannot_be_imported_where_numpy_is_alone(people: Crew) -> None:
    worker = people.workers["numpy"]
    worker.prepare("import", "calls:imported", package="numba")
    with pytest.raises(NotMeasuredError, match="No module named 'numba'"):
        worker.run("import")
    worker.prepare("import", "calls:imported", package="numpy")
    assert worker.run("import", tells=True)["said"] == "numpy"


def test_contenders_take_turns(people: Crew) -> None:
    shape = {"users": 50, "observations": 2}
    times = people.turns(
        {
            "ours": Contender(by="fast", case="calls:mean", arguments=shape, work=50),
            "plain": Contender(by="peers", case="calls:numpy_mean", arguments=shape, calls=3, tells=True),
            "missing": Contender(by="peers", case="nowhere:nothing"),
            "earlier": Contender(by="before", case="calls:mean", arguments=shape),
        },
        3,
    )
    assert len(times["ours"].seconds) == len(times["plain"].seconds) == 3
    assert 0.4 < times["plain"].said < 0.6
    assert "nowhere" in times["missing"].why and not times["missing"].seconds
    assert "not in this repository" in times["earlier"].why
    alone = people.alone("calls:numpy_mean", users=10, observations=2)
    assert alone["megabytes"] > 10 and alone["cpu"] >= 0


def test_a_process_that_ends_or_hangs_is_not_measured() -> None:
    worker = Worker(patience=0.01)
    with pytest.raises(NotMeasuredError, match="no answer within"):
        worker.prepare("x", "calls:mean", users=10, observations=2)
    worker.end()


LONG = ("client", "tally", "laplace", "rows")  # other packages take long to load, and files to be written


@pytest.mark.parametrize("part", [pytest.param(name, marks=[pytest.mark.soak] * (name in LONG)) for name in PARTS])
def test_parts_run_through_on_tiny_sizes(people: Crew, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth_part, "AXES", growth_part.AXES[:1])  # all of them take longer
    figures = PARTS[part](people, TINY, {})
    found = {figure.key for figure in figures}
    assert {key for key in LIMITS if key.startswith(f"{part}/") and part != "growth"} <= found
    absent = {figure.key for figure in figures if figure.value is None}
    assert absent <= {key for key in found if "multi-freq-ldpy" in key or key in ("columns/1", "columns/1024")}


def test_growth_is_measured_for_every_limit() -> None:
    assert {f"growth/{axis.call}/{axis.letter}" for axis in growth_part.AXES} == {
        key for key in LIMITS if key.startswith("growth/")
    }


def test_the_clock_stops_while_a_question_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    parse = Question.from_bytes

    def slow(*arguments: Any, **options: Any) -> Question:
        nonlocal now
        now += 1000.0
        return parse(*arguments, **options)

    monkeypatch.setattr(Question, "from_bytes", slow)
    monkeypatch.setattr(device_case.time, "process_time", lambda: now)
    reports, hashes = device_case.report("unary", 3)()
    assert reports == hashes == [0.0] * 3
    assert Question.from_bytes is slow


def figure_of(key: str) -> Figure:
    return Figure(key=key, what=f"about {key}", value=2.0, low=1.0, high=3.0, ours=1e-8, theirs=2e-6)


def test_pages_are_made_of_figures(tmp_path: Path) -> None:
    whole = run_of(*(figure_of(key) for key in LIMITS))
    said = page.markdown(whole)
    assert all(f"about {key}" in said for key in LIMITS)
    assert f"of {len(LIMITS)} limits are met" in said and "MISSED" in said
    short = replace(whole, figures=whole.figures[1:])
    assert f"no figure for `{next(iter(LIMITS))}`" in page.markdown(short)
    page.draw(whole, tmp_path / "speed.svg")
    drawn = (tmp_path / "speed.svg").read_text()
    assert all(task in drawn for task in page.TASKS.values()) and "multi-freq-ldpy" in drawn
    page.draw(whole, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == drawn
    assert Run.from_json(whole.to_json()) == whole


def test_the_projection_multiplies() -> None:
    rates = {"collector/single": 3.6e-4, "reports/tally": 3.6e-8, "client/64/fast": 3.6e-6, "columns/1/bytes": 1.5}
    said = billion.markdown(run_of(**rates))
    assert billion.hours(rates, "collector/single") == "100" and billion.cores(rates, "collector/single", 3600) == "100"
    assert billion.hours(rates, "reports/tally") == "0.01" and billion.cores(rates, "reports/tally", 60) == "1"
    assert billion.hours(rates, "laplace/fast") == billion.UNKNOWN
    assert billion.size(2.5e9) == "2.5 GB" and "2.5 GB" in said and "4,294,967,296" in said


def test_written_pages_are_what_the_stored_figures_give() -> None:
    stored = Run.from_json(STORED.read_text(encoding="utf-8"))
    assert page.PAGE.read_text(encoding="utf-8") == page.markdown(stored)
    assert billion.PAGE.read_text(encoding="utf-8") == billion.markdown(stored)
    drawn = page.PICTURE.read_text(encoding="utf-8")
    assert all(task in drawn for task in page.TASKS.values())

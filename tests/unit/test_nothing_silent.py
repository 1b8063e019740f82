"""Nothing silent: what is said of users without data, a missed range, missing cells, colluders, and stray values.

In the library, on the command line, and in an announced survey, replayed in process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.answers import Answer, Assumes, Estimate, Note, NoteCode, Rehearsal, key, lines_in_words
from sottovoce.cli import main
from sottovoce.device import Collections
from sottovoce.engines import questions_of, run, simulate
from sottovoce.messages import InvalidInput
from sottovoce.methods import shares_at_ends
from sottovoce.problems import choose, problems, read
from sottovoce.problems.empty_users import range_of_empty_users
from sottovoce.risk import Crowd
from tests.support.answers import EXAMPLES
from tests.support.transcripts import manifest_of, transcript_of

USERS, HELD = 1000, 20


def ratings(*, empty: int = 0, around: float = 90.0, seed: int = 1) -> list[list[float]]:
    """Users whose numbers lie around a place, the first `empty` of them without any."""
    drawn = np.random.default_rng(seed).normal(around, 3.0, size=(USERS, HELD))
    return [[] if user < empty else own.tolist() for user, own in enumerate(drawn)]


def collected(rows: list[list[float]]) -> Collections:
    return Collections(np.concatenate([np.array(row) for row in rows]), np.cumsum([0, *map(len, rows)]))


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., str]:
    """A file with the rows; a user without data has one empty cell."""

    def write(rows: list[list[float]], *, gaps: int = 0) -> str:
        lines = ["who,what"]
        for user, own in enumerate(rows):
            lines += [f"u{user},{value!r}" for value in own] or [f"u{user},"]
        lines += [f"u{USERS - 1},"] * gaps
        path = tmp_path / "rows.csv"
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    return write


def warned(found: dict[str, Any]) -> tuple[str, ...]:
    answer = read(found)
    assert isinstance(answer, Answer)
    return answer.warnings


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["result"]
    return found


MANY = {"epsilon": 2.0, "users": USERS, "observations": HELD, "low": 0, "high": 100}

# Users without data


def test_a_rehearsal_counts_users_without_data_and_says_what_they_do() -> None:
    answer = sv.mean(ratings(empty=200), low=0, high=100, epsilon=2.0, method="one-round", seed=1)
    assert answer.rehearsal is not None
    assert (answer.rehearsal.users, answer.rehearsal.empty, answer.rehearsal.observations) == (1000, 200, 16000)
    assert answer.truth == pytest.approx(90, abs=0.1)
    (said,) = answer.warnings
    assert said.startswith("200 of 1,000 users have no observations: they count as 50, the middle of the range,")
    assert re.search(r"pull the answer from (90|89\.9\d|90\.\d\d?) to about (82|81\.9\d|82\.\d\d?);", said)
    assert 'empty="symbol" (--empty symbol)' in said and "--empty-at-most 0.2) puts them into the intervals" in said
    assert "truth       " in answer.summary() and "outside the interval" in answer.summary()
    assert "▲ truth" in answer.picture() and "truth" in answer._repr_html_()
    assert read(answer.to_json()) == answer


def test_the_command_says_the_same_and_its_advice_works(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    start = ["estimate", "mean", table(ratings(empty=200)), "--user", "who", "--value", "what", "--low", "0", "--high"]
    start += ["100", "--epsilon", "2", "--method", "one-round", "--seed", "1"]
    found = typed(capsys, *start)
    assert found["rehearsal"]["empty"] == 200 and found["rehearsal"]["missing"] == 200
    assert any("--empty-at-most 0.2" in warning for warning in warned(found))
    assert found["interval"][1] < found["rehearsal"]["truth"]
    wider = typed(capsys, *start, "--empty-at-most", "0.2")
    assert wider["interval"][0] <= wider["rehearsal"]["truth"] <= wider["interval"][1]
    assert any("the intervals allow for them" in warning for warning in warned(wider))
    assert main(start) == 0
    shown = capsys.readouterr().out
    assert "▲ truth" in shown and "200 of 1,000 users have no observations" in " ".join(shown.split())


@pytest.mark.parametrize("empty", ["middle", "random"])
@pytest.mark.parametrize(
    "settings",
    [
        sv.Mean(**MANY, method="adaptive"),
        sv.Mean(**MANY, method="one-round"),
        sv.Histogram(**MANY, bins=5, method="one-round"),
        sv.Quantiles(**MANY, method="one-round"),
    ],
    ids=lambda settings: f"{settings.problem.name}-{settings.method}",
)
def test_an_announced_survey_says_what_it_takes_for_granted_and_verifies(settings: Any, empty: str) -> None:
    people = collected(ratings(empty=200))
    for at_most in (0.0, 0.25):
        asked = replace(settings, empty=empty, empty_at_most=at_most)
        manifest = manifest_of(asked)
        assert ("empty" in manifest.settings) is (empty != "middle")
        assert ("empty_at_most" in manifest.settings) is (at_most > 0)
        made, questions, _ = transcript_of(manifest, simulate(people, seed=1))
        assert {question.encoder.empty for question in questions} == {empty}
        assert sv.verify(made).kind == "identical"
        answer = read(made.answer)
        assert isinstance(answer, Answer) and answer.rehearsal is None
        (said,) = [str(fact) for label, fact in answer.lines() if key(label) == "empty"]
        taken = "every user is taken to hold an observation; each 1% who hold none would move "
        assert said == "the intervals allow for up to 25% of the users without data" if at_most else taken in said


@pytest.mark.parametrize(
    "settings",
    [
        sv.VectorMean(**MANY, dimension=2, method="one-round"),
        sv.VectorMean(**MANY, dimension=2, method="adaptive"),
        sv.SparseMean(**MANY | {"low": -100}, dimension=2, method="adaptive"),
    ],
    ids=lambda settings: f"{settings.problem.name}-{settings.method}",
)
def test_vectors_announce_it_and_verify(settings: Any) -> None:
    manifest = manifest_of(replace(settings, empty_at_most=0.25))
    assert "empty_at_most" not in manifest_of(settings).settings and manifest.settings["empty_at_most"] == 0.25
    both = np.repeat(collected(ratings(empty=200)).values, 2, axis=1)
    people = Collections(both, collected(ratings(empty=200)).offsets)
    made, _, _ = transcript_of(manifest, simulate(people, seed=1))
    assert sv.verify(made).kind == "identical"
    answer: Any = read(made.answer)
    assert answer.empty_at_most == 0.25 and answer.assumes == Assumes.FEW_WITHOUT_DATA
    assert "assumes     that at most 25% of the users hold no observation" in answer.summary()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"empty": "symbol"}, r'counts users without data apart.*these settings take "middle" or "random"'),
        ({"empty": "mean"}, "empty must be middle or random"),
        ({"empty_at_most": 1.0}, "from 0 to below 1"),
        ({"empty_at_most": 0.1, "method": "paper"}, "not for paper: users without data vote too.*leave out one"),
        ({"empty_at_most": 0.1, "method": "homogeneous"}, "not for homogeneous: .*not like the others; leave out one"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        sv.Mean(**MANY | given)
    with pytest.raises(InvalidInput, match=r"counted apart there, .* hold however many they are; leave it out"):
        sv.mean(ratings(), low=0, high=100, epsilon=2.0, empty="symbol", empty_at_most=0.1)


@pytest.mark.thin(5)
@pytest.mark.parametrize("empty", ["middle", "random"])
@pytest.mark.parametrize("method", ["one-round", "adaptive"])
@pytest.mark.parametrize("name", ["mean", "histogram", "quantiles", "cdf"])
def test_intervals_that_allow_for_them_cover(name: str, method: str, empty: str) -> None:
    """At 95 %, in 20 surveys with a fifth of the users empty: 16 of them or more, false alarms 0.3 % at exactly 95 %.

    Where nothing is allowed for, one round of a mean never covers: the difference is what is tested.
    """
    more = {"histogram": {"bins": 5}, "quantiles": {"q": (0.25, 0.5)}, "cdf": {"count": 4}}.get(name, {})
    held = []
    for seed in range(20):
        rows = ratings(empty=200, around=80.0, seed=seed)
        given = {"low": 0, "high": 100, "epsilon": 2.0, "method": method, "seed": seed, "empty": empty} | more
        answer = getattr(sv, name)(rows, empty_at_most=0.2, **given)
        ends = [answer.interval] if name == "mean" else answer.curve.band if name == "cdf" else answer.intervals
        held.append(_share_held(ends, answer.truth))
        if (name, method) == ("mean", "one-round") and seed < 3:
            plain = sv.mean(rows, **given)
            assert not _share_held([plain.interval], plain.truth)
    assert sum(held) >= 16


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("name", "given"),
    [
        *(
            ("vector_mean", where | {"method": method})
            for where in ({"low": 0, "high": 100}, {"ball": "l2", "centre": [50] * 3, "radius": 90})
            for method in ("one-round", "adaptive")
        ),
        ("sparse_mean", {"low": -100, "high": 100}),
    ],
)
def test_intervals_of_vectors_that_allow_for_them_cover(name: str, given: dict[str, Any]) -> None:
    """As above, three coordinates a survey, of which the share that is held counts; one more group hides far away."""
    held, plain = [], []
    for seed in range(20):
        rows = np.random.default_rng(seed).normal([80.0, 30.0, 60.0], 3.0, size=(USERS, HELD, 3))
        rows[200:230] = 5.0
        rows[:200] = np.nan
        answer = getattr(sv, name)(rows, epsilon=4.0, seed=seed, empty_at_most=0.2, **given)
        held.append(_share_held(answer.intervals, answer.truth))
        if seed < 5:
            plain.append(_share_held(getattr(sv, name)(rows, epsilon=4.0, seed=seed, **given).intervals, answer.truth))
    assert sum(held) >= 16
    if given.get("method") == "one-round":
        assert sum(plain) <= 2.5


def test_what_users_without_data_count_as_is_read_from_the_questions() -> None:
    """Direct: the only users are empty, and what is estimated is what `fallen` says."""
    people = Collections(np.zeros((0, 2)), np.zeros(4001, dtype=np.int64))
    one = Collections(np.zeros(0), np.zeros(4001, dtype=np.int64))
    shared: dict[str, Any] = {"epsilon": 4.0, "users": 4000, "observations": 20}
    box: dict[str, Any] = {"dimension": 2, "low": (0.0, 3.0), "high": (2.0, 8.0)}
    ball: dict[str, Any] = {"dimension": 2, "ball": "l2", "centre": (1.0, -1.0), "radius": 2.0}
    surveys: list[tuple[Any, Collections]] = []
    for method in ("one-round", "adaptive"):
        for empty in ("middle", "random"):
            surveys.append((sv.Mean(low=2, high=8, method=method, empty=empty, **shared), one))
            surveys.append((sv.Histogram(low=0, high=1, bins=4, method=method, empty=empty, **shared), one))
        surveys += [(sv.VectorMean(method=method, **where, **shared), people) for where in (box, ball)]
    for settings, held in surveys:
        found, asked = questions_of(settings, simulate(held, seed=5))
        values = np.atleast_1d(found.value)
        ends = [found.interval] if isinstance(found, Estimate) else found.intervals
        for value, own, (low, high) in zip(values, range_of_empty_users(asked, len(values)), ends, strict=True):
            assert own is not None and own[0] - 2 * (value - low) <= value <= own[1] + 2 * (high - value)


def test_every_method_says_whether_its_intervals_can_allow_for_them() -> None:
    for problem in problems():
        if "empty_at_most" not in problem.settings.__dataclass_fields__:
            continue
        for example in problem.examples:
            if example.method == "auto":
                continue
            settings = problem.example_survey(example, epsilon=2.0)
            method = problem.method(example.method)
            if method.why_not_empty:
                with pytest.raises(InvalidInput, match=re.escape(str(method.why_not_empty))):
                    replace(settings, empty_at_most=0.1)
                continue
            method = method.method_that_runs(settings)
            plain = method.expected_error(settings, Crowd(spread=0.0)).halfwidth(0.95)
            wider = method.expected_error(replace(settings, empty_at_most=0.1), Crowd(spread=0.0)).halfwidth(0.95)
            assert plain < wider
        auto = problem.example_survey(replace(problem.examples[0], method="auto"), epsilon=2.0)
        chosen = choose(replace(auto, empty_at_most=0.1))
        assert not chosen.method.why_not_empty


@pytest.mark.parametrize("around", [50.0, 90.0])
@pytest.mark.parametrize("method", ["one-round", "adaptive"])
def test_a_plan_predicts_half_widths_that_allow_for_them(method: str, around: float) -> None:
    """Over 10 surveys in which nobody is empty, one round within a tenth; adaptive by its guarded interval, a third."""
    given: dict[str, Any] = {"epsilon": 2.0, "low": 0, "high": 100, "method": method, "empty_at_most": 0.2}
    plan = sv.plan(users=USERS, observations=HELD, spread=0.0, within=3.0, around=around, **given)
    half = plan.halfwidth if plan.guarded is None else plan.guarded
    found = [sv.mean(ratings(around=around, seed=seed), seed=seed, **given).halfwidth for seed in range(10)]
    assert np.mean(found) == pytest.approx(half, rel=0.1 if method == "one-round" else 0.35)
    assert "these half-widths allow for up to 20% of the users without data" in plan.summary()


def test_a_plan_is_solved_for_half_widths_that_allow_for_them() -> None:
    given: dict[str, Any] = {"epsilon": 2.0, "low": 0, "high": 100, "observations": 20, "method": "one-round"}
    plain, wider = (sv.plan(halfwidth=4, around=70, empty_at_most=at_most, **given) for at_most in (0.0, 0.1))
    assert wider.halfwidth == pytest.approx(4, rel=1e-3)
    assert wider.protocol.users > plain.protocol.users
    with pytest.raises(InvalidInput, match=r"allow for \(empty_at_most\) make it 1\.11 at least"):
        sv.plan(halfwidth=1, around=70, empty_at_most=0.1, **given)
    with pytest.raises(InvalidInput, match="error says nothing of users without data"):
        sv.plan(error=1, empty_at_most=0.1, **given)
    first = "expect an interval about 8 wide (the mean); it allows for up to 10% of the users without data."
    assert str(wider.lines()[0][1]).endswith(first), "nothing is said of the estimate, which lies toward the middle"
    assert "expect an interval of ± 4 around the mean" in str(plain.lines()[0][1])


def _share_held(ends: Any, truth: Any) -> float:
    true, own = np.atleast_1d(truth), np.array(ends)
    return float(((own[:, 0] <= true + 1e-9) & (true <= own[:, 1] + 1e-9)).mean())


# A range that misses the data


@pytest.mark.parametrize("method", ["auto", "one-round", "adaptive", "homogeneous", "paper"])
def test_a_survey_says_that_its_range_may_be_wrong(method: str) -> None:
    """Data around 90, range 500 … 1000: the reports alone show it."""
    settings = sv.Mean(epsilon=4.0, users=USERS, observations=HELD, low=500, high=1000, method=method)
    made, _, _ = transcript_of(manifest_of(settings), simulate(collected(ratings()), seed=3))
    answer = read(made.answer)
    assert isinstance(answer, Estimate)
    (said,) = [one for one in answer.warnings if "declare a lower low" in one]
    touches = "the interval touches the low end of the declared range, 500: users may lie below it"
    assert said.startswith(("the range may be wrong: about ", touches))
    words = str(answer.words(of="load"))
    assert words.startswith("Counting whatever lies outside 500 … 1000 as its nearer end, users' load is 5")
    assert words.endswith("Where values outside can occur, the true average may be elsewhere: see the warning.")
    assert "the truth lies" not in words
    assert answer.range_misses
    assert answer.note_codes & {NoteCode.RANGE_MAY_MISS_USERS, NoteCode.INTERVAL_TOUCHES_END}
    assert sv.verify(made).kind == "identical"


@pytest.mark.parametrize("call", [sv.quantiles, sv.mean])
def test_a_rehearsal_says_first_that_the_range_misses_its_users(call: Callable[..., Answer]) -> None:
    found = call(ratings(), low=500, high=1000, epsilon=4.0, seed=3)
    said = dict(lines_in_words(found.first_lines(of="load")))
    assert said["answer"].endswith("elsewhere: see the warning.")
    assumes = dict(lines_in_words(found.basis_lines()))["assumes"]
    assert assumes.endswith("but what lies outside the declared range counts as its ends")
    ended = "500, inside the interval, of what is counted so; a survey does not see it"
    assert said["truth"] == ended if call is sv.quantiles else "outside the interval" in said["truth"]


def test_it_names_the_share_at_the_end_for_quantiles_bins_and_densities_too() -> None:
    """A density counts observations, also of users whose own averages lie inside."""
    people = [[0.0, 100.0]] * 300 + [[50.0, 50.0]] * 100
    found = sv.density(people, low=20, high=80, epsilon=4.0, seed=3)
    assert any(warning.startswith("75% of the observations lie outside") for warning in found.warnings)
    assert str(found.words()).endswith("elsewhere: see the warning.")
    quantiles = sv.quantiles(ratings(), low=0, high=50, q=[0.25, 0.5], epsilon=4.0, seed=1)
    assert any("touch the high end of the declared range, 50" in one for one in quantiles.warnings)
    bins = sv.histogram(ratings(), low=500, high=1000, bins=5, epsilon=4.0, seed=1)
    assert any("lie in the bin at its low end, 500 … 600" in one for one in bins.warnings)


def test_a_range_that_holds_the_users_raises_no_alarm() -> None:
    """40 surveys: an alarm has a chance of at most 1 % each, so more than 3 one of about 1 in 1,000."""
    alarms = 0
    for seed in range(40):
        drawn = np.random.default_rng(seed).beta(2, 5, size=(600, 1)) * 100
        answer = sv.mean(np.repeat(drawn, 2, axis=1), low=0, high=100, epsilon=2.0, seed=seed)
        alarms += any("range" in warning for warning in answer.warnings)
    assert alarms <= 3


def test_shares_at_the_ends_are_estimated_from_bins_and_bounded_from_tables() -> None:
    """A third of the users below the range: bins say a third within 4 standard errors, a table no more than that."""
    rows = np.where(np.arange(9000)[:, None] % 3, 50.0, -10.0)
    settings = sv.Mean(epsilon=4.0, users=9000, observations=100, low=0, high=100, method="adaptive")
    _, asked, tallies = transcript_of(manifest_of(settings), simulate(collected(rows.tolist()), seed=1))
    seen = [shares_at_ends(*one, low=0.0, high=100.0, reach=10.0) for one in zip(asked, tallies, strict=True)]
    shares = [low for low, _ in seen if low is not None]
    assert shares and all(one.share - 4 * one.error <= 1 / 3 for one in shares)
    assert any(abs(one.share - 1 / 3) < 4 * one.error < 0.2 for one in shares)


def test_a_rehearsal_says_who_lies_outside() -> None:
    answer = sv.mean(ratings(), low=500, high=1000, epsilon=1.0, seed=1)
    assert answer.rehearsal is not None and answer.rehearsal.clamped == answer.rehearsal.below == 1.0
    assert any(one.startswith("all users lie below the declared range 500 … 1000") for one in answer.warnings)
    some = sv.mean(ratings(), low=0, high=90, epsilon=1.0, seed=1)
    assert some.rehearsal is not None and 0.3 < (some.rehearsal.above or 0) < 0.7
    assert any("% of the users lie above the declared range 0 … 90" in one for one in some.warnings)


# Cells that are missing


def test_missing_cells_are_counted(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["estimate", "mean", table(ratings(), gaps=3), "--user", "who", "--value", "what", "--low", "0"]
    found = typed(capsys, *words, "--high", "100", "--epsilon", "2", "--seed", "1")
    assert (found["rehearsal"]["missing"], found["rehearsal"]["empty"]) == (3, 0)
    assert "3 cells are missing: a user speaks with what is left" in warned(found)
    parts = {"a": sv.ask("mean", value=0, low=0, high=5), "b": sv.ask("mean", value=1, low=0, high=9)}
    several = sv.several(np.array([[[1.0, np.nan], [2.0, 5.0]]] * 400), parts, epsilon=4.0, seed=1)
    own = [answer.rehearsal for answer in several.values()]
    assert [(one.missing, one.truth) for one in own if one is not None] == [(0, 1.5), (400, 5.0)]


def test_what_a_rehearsal_cannot_know_it_gives_a_reason_for() -> None:
    density = sv.density(ratings(), low=0, high=100, epsilon=2.0, seed=1)
    assert density.truth is None and "truth       not shown: the truth about a density" in density.summary()
    with pytest.raises(InvalidInput, match="the truth, or why"):
        Rehearsal(users=1, observations=1)


# A value outside its own interval or range


@pytest.mark.parametrize("cls", EXAMPLES, ids=lambda cls: cls.kind)
def test_every_kind_of_answer_says_what_stands_in_which_interval(cls: Any) -> None:
    stated = EXAMPLES[cls].stated_numbers()
    sizes = [(np.atleast_1d(one.values).size, np.asarray(one.intervals).reshape(-1, 2).shape[0]) for one in stated]
    assert sizes and all(values == intervals for values, intervals in sizes)


def test_a_value_outside_its_interval_is_told() -> None:
    answer = EXAMPLES[Estimate]
    assert isinstance(answer, Estimate) and not answer.inconsistencies()
    stray = replace(answer, value=answer.interval[1] + 0.01, model_interval=None)
    (doubt,) = stray.inconsistencies()
    assert isinstance(doubt, Note) and doubt.code == NoteCode.OUTSIDE_INTERVAL
    said = "the value lies outside its own interval: it is left as the method gives it; go by the interval"
    assert str(doubt) == said


def test_no_method_tells_such_a_value_without_a_word() -> None:
    strays = 0
    for problem in problems():
        for example in problem.examples:
            settings = replace(problem.example_survey(example, epsilon=0.5))
            dimension = max(1, getattr(settings, "dimension", 1))
            held = np.random.default_rng(7).random((settings.users, dimension))
            answer: Any = run(settings, simulate(Collections(held, np.arange(settings.users + 1)), seed=7))
            assert set(map(str, answer.inconsistencies())) <= set(answer.warnings), example.label
            assert set(answer.inconsistencies()) <= set(answer.notes), example.label
            strays += bool(answer.inconsistencies())
    assert strays  # the paper's own methods leave values as they are

"""A histogram: what is declared, how categories are coded, what an answer says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.answers import two_sided
from sottovoce.cli import main
from sottovoce.data import collections
from sottovoce.engines.survey_loop import questions_of
from sottovoce.messages import canonical, digest
from sottovoce.problems import choose, named
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.histogram.adaptive import Stages
from tests.support.answers import EXAMPLES

WAYS = ("bus", "train", "car")
BASE: dict[str, Any] = {"epsilon": 2.0, "users": 3000, "observations": 50}


def coded(data: Any, *labels: str, **more: Any) -> list[float]:
    return [float(x) for x in collections(data, categories=labels or WAYS, **more).values[:, 0]]


@pytest.mark.parametrize(
    "data, found",
    [
        ([["bus", "car"], ["train"], []], [0, 2, 1]),
        (np.array([["car", "bus"], [" train ", "bus"]]), [2, 0, 1, 0]),
        ([["car", None], ["NA", "bus"]], [2, np.nan, np.nan, 0]),
        (np.array([[2, 0], [1, 0]]), [2, 0, 1, 0]),
        (np.ma.array([["car", "bus"]], mask=[[False, True]]), [2, np.nan]),
    ],
)
def test_text_and_numbers_become_numbers_of_categories(data: Any, found: list[float]) -> None:
    assert coded(data) == pytest.approx(found, nan_ok=True)


def test_labels_that_are_numbers_are_found_by_value_and_booleans_by_truth() -> None:
    assert coded([[5, 1.0], ["5", "1"]], "1", "5") == [1, 0, 1, 0]
    assert coded(np.array([[True, False]]), "no", "yes") == [1, 0]
    assert coded([["true", "False"]], "no", "yes") == [1, 0]
    for labels in (("true", "false"), ("YES", "no"), ("1", "0"), ("True", "other", "False")):
        last = len(labels) - 1
        assert coded(np.array([[True, False, True]]), *labels) == [0, last, 0], "by meaning, whatever the order"
        assert coded([["TRUE", "false"], [True]], *labels) == [0, last, 0]
        assert coded(np.ma.array([[True, False]], mask=[[0, 1]]), *labels) == pytest.approx([0, np.nan], nan_ok=True)
    assert coded([["Yes", "NO"]], "no", "yes") == [1, 0]
    with pytest.raises(sv.InvalidInput, match="booleans, and 3 categories were declared"):
        coded(np.array([[True]]), "a", "b", "c")
    assert sv.histogram(np.eye(40) > 0, categories=[False, True], epsilon=1.0, seed=1).labels == ("false", "true")


def test_an_unknown_category_is_counted_never_shown_unless_one_takes_it() -> None:
    data = [["bus", "SECRET-17"], ["car", "SECRET-18"]]
    assert coded(data, other="train") == [0, 1, 2, 1]
    for table, given, words in (
        (data, {}, "2 of 4 observations are in none of the 3 categories.*other="),
        (np.array([[0, 3], [2, 0.5]]), {}, "2 of 4 observations"),
        (data, {"other": "boat"}, "other must be one of the categories"),
        (data, {"categories": []}, "this list is empty"),
    ):
        with pytest.raises(sv.InvalidInput, match=words) as caught:
            collections(table, **{"categories": WAYS} | given)
        assert "SECRET" not in str(caught.value)


def test_files_and_frames_say_the_same(tmp_path: Path) -> None:
    rows = [("u1", "bus"), ("u2", "car"), ("u1", ""), ("u2", "train"), ("u3", "on foot")]
    path = tmp_path / "trips.csv"
    path.write_text("who,way\n" + "".join(f"{who},{way}\n" for who, way in rows))
    labels = ("bus", "train", "car", "else")
    from_csv = collections(path, user="who", value="way", categories=labels, other="else")
    assert from_csv.values[:, 0].tolist() == pytest.approx([0, np.nan, 2, 1, 3], nan_ok=True)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"who": [who for who, _ in rows], "way": [way or None for _, way in rows]})
    for column in (frame, frame.astype({"way": "category"})):
        same = collections(column, user="who", value="way", categories=labels, other="else")
        assert same.values == pytest.approx(from_csv.values, nan_ok=True)


@pytest.mark.parametrize(
    "cells, labels, other, found",
    [
        (["0", "1", "9"], ("on time", "late", "else"), "else", [0, 1, 2]),
        (["1.0", "0", ""], ("on time", "late"), None, [1, 0, np.nan]),
        (["0", "late", "1"], ("on time", "late", "else"), "else", [2, 1, 2]),  # not a column of numbers
        (["1", "2", "8"], ("1", "2", "more"), "more", [0, 1, 2]),
        (["True", "False"], ("on time", "late", "else"), "else", "the data are booleans, and 3 categories"),
        (["True", "late"], ("on time", "late", "else"), "else", [2, 1]),
        (["True", "False"], ("yes", "no"), None, [0, 1]),
        (["1", "0"], ("no", "yes", "unsure"), None, [1, 0]),
        (["1", "0"], ("yes", "no"), None, "declare 'no' first and 'yes' second if 1 means 'yes'"),
        (["1", "0"], ("false", "unsure", "true"), None, "0 could be the first category, or 'false'"),
        (["0", "2"], ("on time", "late"), None, "1 of 2 observations is in none of the 2 categories"),
    ],
)
def test_codes_are_the_same_in_every_kind_of_table(
    cells: list[str], labels: tuple[str, ...], other: str | None, found: list[float] | str, tmp_path: Path
) -> None:
    """What pandas makes of a file, numbers, booleans or text, is what the file says itself."""
    path = tmp_path / "codes.csv"
    path.write_text("who,code\n" + "".join(f"u{row},{cell}\n" for row, cell in enumerate(cells)))
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(path)
    frame.to_parquet(tmp_path / "codes.parquet")
    for table in (path, frame, tmp_path / "codes.parquet"):
        given: dict[str, Any] = {"user": "who", "value": "code", "categories": labels, "other": other}
        if isinstance(found, str):
            with pytest.raises(sv.InvalidInput, match=found):
                collections(table, **given)
        else:
            assert collections(table, **given).values[:, 0].tolist() == pytest.approx(found, nan_ok=True)


def test_what_cannot_be_declared() -> None:
    """What else is refused is in tests/frozen."""
    for given, words in (
        ({"categories": WAYS, "bins": 3}, "declare one of"),
        ({"categories": ("a",)}, "2 to 10,000"),
        ({"low": 1.0, "high": 0.0, "bins": 4}, "low must be below high"),
        ({"low": 0.0, "high": 1.0, "bins": 10_001}, "2 to 10,000"),
    ):
        with pytest.raises(sv.InvalidInput, match=words):
            Histogram(**BASE, **given)


def test_a_question_carries_the_digest_of_the_labels_and_their_number_only() -> None:
    asked = Histogram(**BASE, categories=WAYS, method="one-round").decide(())
    assert isinstance(asked, sv.Question)
    vector = asked.encoder.statistic.vector  # type: ignore[union-attr]
    assert vector.labels == digest(canonical.dumps(list(WAYS))) and vector.size == 3
    assert b"train" not in asked.to_bytes()


def test_everybody_counts_once_and_the_truth_about_given_users_is_the_average_of_their_shares() -> None:
    people = [["a"] * 99 + ["b"]] * 500 + [["b"]] * 500
    answer = sv.histogram(people, categories=["a", "b"], epsilon=8.0, seed=3)
    assert answer["a"] == pytest.approx(0.495, abs=0.05)
    assert sum(answer.value) == pytest.approx(1.0) and min(answer.value) >= 0
    found = sv.compare(
        [["a", "a", "b"], ["b"], []] * 200, problem="histogram", categories=["a", "b"], epsilon=4, repetitions=2,
        methods=["one-round", "one-category", "one-kary", "one-oue"],
    )  # fmt: skip
    assert found.truth == pytest.approx([1 / 3, 2 / 3])
    assert len(found.rows) == 4


def estimate(values: list[float], half: float) -> sv.HistogramEstimate:
    ends = tuple((value - half, value + half) for value in values)
    own = {"value": tuple(values), "raw": tuple(values), "labels": tuple("abcdefgh"[: len(values)])}
    errors = EXAMPLES[sv.HistogramEstimate].standard_error[:1] * len(values)
    plain = replace(EXAMPLES[sv.HistogramEstimate], model_intervals=None, model_simultaneous=None, model_assumes=None)
    return replace(plain, **own, intervals=ends, simultaneous=ends, standard_error=errors)


def test_the_largest_say_which_of_their_places_are_certain() -> None:
    top = estimate([0.05, 0.5, 0.2, 0.25], 0.04).top(3)
    assert [one.label for one in top] == ["b", "d", "c"]
    assert [one.rank for one in top] == ["1", "2–3", "2–3"]
    assert [one.apart for one in top] == [True, False, True]
    with pytest.raises(sv.InvalidInput, match="at least 1"):
        estimate([0.5, 0.5], 0.1).top(0)


def test_adaptive_says_why_it_asked_once() -> None:
    lone = sv.histogram([["a"]] * 50, categories=["a", "b"], epsilon=1.0, method="adaptive", seed=1)
    assert lone.users_per_round == (50,) and any("too few users" in said for said in lone.warnings)
    assert Stages.of(Histogram(**BASE | {"observations": 1}, categories=WAYS)).unavailable is not None


def test_auto_takes_what_pays_and_says_what_the_other_would_have_given() -> None:
    alike = Histogram(**BASE, categories=tuple("abcdefgh"))
    assert choose(alike).method.name == "adaptive"
    apart = Histogram(**BASE, categories=tuple("abcdefgh"), spread=0.6)
    assert choose(apart).method.name == "one-round"
    ways = np.random.default_rng(1).choice(8, size=(3000, 50))
    told = [sv.run(one, sv.simulate(sv.collections(ways), seed=1)) for one in (alike, apart)]
    assert "one-round: about" in str(told[0].instead) and "guaranteed" in str(told[0].instead)
    assert "adaptive: ±" in str(told[1].instead)
    assert told[0].model_intervals is not None and told[1].model_intervals is None
    model, guarded = (np.diff(np.array(ends)).mean() for ends in (told[0].model_intervals, told[0].intervals))
    assert model < guarded


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert named("histogram").commands.ranges == (("categories",), ("edges",), ("low", "high", "bins"))
    path, labels = tmp_path / "trips.csv", tmp_path / "ways.txt"
    path.write_text("who,way\n" + "".join(f"u{row % 300},{WAYS[row % 3]}\n" for row in range(3000)))
    labels.write_text("bus\ntrain\ncar\n")
    words = ["--user", "who", "--value", "way", "--epsilon", "4", "--seed", "1", "--categories", f"@{labels}"]
    assert main(["estimate", "histogram", str(path), *words]) == 0
    assert "train" in capsys.readouterr().out
    held = ["--users", "500", "--observations", "9", "--epsilon", "1", "--categories", "bus,train"]
    assert main(["explain", "histogram", *held, "--collection", "bus,boat"]) == 2
    assert "1 of 2 observations" in capsys.readouterr().err
    assert main(["explain", "histogram", *held, "--collection", "bus,bus"]) == 0


def test_a_check_that_sees_somebody_leaves_half_of_the_risk_for_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """5 % of the users far away, found by the check: the intervals that follow are as wide as those at 97.5 %."""
    held = np.random.default_rng(1).choice(5, p=[0.4, 0.3, 0.15, 0.1, 0.05], size=(5000, 50))
    held[:250] = 4
    survey = Histogram(epsilon=4.0, users=5000, observations=50, categories=tuple("abcde"), method="adaptive")

    def widths() -> Any:
        answer, asked = questions_of(survey, sv.simulate(collections(held), seed=1))
        assert [question.role for question in asked][2:] == ["check", "outside", "coefficient"]
        return np.diff(answer.intervals, axis=1)

    shared = widths()
    monkeypatch.setattr("sottovoce.problems.histogram.adaptive.LATER", 1.0)
    assert shared == pytest.approx(widths() * two_sided(0.975) / two_sided(0.95), rel=1e-9)

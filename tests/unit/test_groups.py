"""Estimates in each group: who is in which stays private, small groups say so, nothing pulls to the middle; dates."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sottovoce as sv
from sottovoce.answers import Assumes
from sottovoce.cli import main
from sottovoce.design import subset
from sottovoce.messages import canonical, digest
from sottovoce.methods import BinShares
from sottovoce.methods.group_ratios import Ratio, SymbolCounts, best_levels, mean_variance
from sottovoce.problems import Announced, announce, choose, named, read

LABELS = ("arts", "law", "science")
MADE = {"purpose": "to try", "collector": "the tests", "software": "sottovoce", "opens": 0, "closes": 1000}


def survey(**given: Any) -> sv.ByGroup:
    plain: dict[str, Any] = {"epsilon": 2.0, "users": 900, "observations": 6, "groups": LABELS, "low": 1.0, "high": 5.0}
    return sv.ByGroup(**plain | given)


def runs(settings: sv.ByGroup, count: int) -> tuple[list[sv.GroupedEstimate], list[float]]:
    world = named("groups").world(settings=settings)
    data = [world.draw(np.random.Generator(np.random.PCG64(run))) for run in range(count)]
    return [sv.run(settings, sv.simulate(sv.collections(one), seed=run)) for run, one in enumerate(data)], world.truth


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"method": "joint", "memberships": 1},
        {"of": "quantiles", "step": 1.0, "q": (0.25, 0.5)},
        {"of": "histogram", "low": None, "high": None, "categories": ("no", "maybe", "yes"), "epsilon": 4.0},
        {"groups": ()},
    ],
    ids=["mean", "joint", "quantiles", "histogram", "everybody"],
)
def test_intervals_hold_the_truth_and_their_value(given: dict[str, Any]) -> None:
    """60 runs: where each interval holds in 95 %, fewer than 88 % of all hold by chance less than once in 10,000."""
    answers, truth = runs(survey(**given), 60)
    pairs = [pair for answer in answers for pair in zip(truth, answer.intervals, strict=True)]
    held = [low - 1e-9 <= true <= high + 1e-9 for true, (low, high) in pairs]
    assert np.mean(held) >= (0.88 if len(truth) > 1 else 0.85)
    assert read(answers[0].to_json()) == answers[0]
    for answer in answers:
        for group in answer:
            assert all(low <= value <= high for value, (low, high) in zip(group.value, group.intervals, strict=False))
            assert all(answer.low <= low <= high <= answer.high for low, high in group.intervals)
            assert group.share_interval[0] <= group.share <= group.share_interval[1]


def test_an_interval_is_where_the_test_of_a_ratio_stops() -> None:
    ratio = Ratio(above=0.1, below=0.4, above_variance=0.003, covariance=0.001, below_variance=0.004)
    ends = ratio.interval(1.96)
    assert ends is not None and ends[0] < ratio.value < ends[1]
    for end in ends:
        assert abs(ratio.above - end * ratio.below) == pytest.approx(1.96 * math.sqrt(ratio.variance(end)))
        assert abs(ratio.away(end)) == pytest.approx(1.96)
    wider = replace(ratio, half=0.01).interval(1.96)
    assert wider is not None and wider[0] < ends[0] and ends[1] < wider[1]
    small = replace(ratio, below=0.1)
    assert small.interval(1.96) is None and not small.sure(1.96)


def test_a_few_dozen_who_happen_to_be_alike_do_not_stand_for_all() -> None:
    """Through little noise a group of 100 reports, half with something, seldom meets the 3 % who say no: 30 surveys.

    Where each interval holds in 95 %, fewer than 90 % of these 300 hold by chance less than once in 10,000.
    """
    held = []
    settings = survey(groups=tuple("abcdefghij"), memberships=5, users=1000, epsilon=8.0, method="dealt")
    for run in range(30):
        rng = np.random.default_rng(run)
        groups = rng.permuted(np.tile(np.arange(10.0), (1000, 1)), axis=1)[:, :5]
        ratings = np.where(rng.random((1000, 5)) < 0.03, 1.0, 5.0)
        answer = sv.run(settings, sv.simulate(sv.collections(np.stack((ratings, groups), axis=2)), seed=run))
        held += [low <= ratings[groups == place].mean() <= high for place, (low, high) in enumerate(answer.intervals)]
    assert np.mean(held) >= 0.9


def test_covariances_are_those_of_subset_selection() -> None:
    channel = subset(1.0, 7)
    counts = np.array([40, 90, 25, 33, 61, 20, 31], dtype=np.int64)
    counts = counts * (300 * channel.size) // counts.sum()
    symbols = SymbolCounts(channel=channel, counts=counts, reports=300)
    own, other = channel.inclusion
    shares = BinShares(
        edges=np.zeros(6), counts=counts.astype(float), reports=300, size=channel.size, own=own, other=other
    )
    rng = np.random.default_rng(3)
    first, second = rng.normal(size=7), rng.normal(size=7)
    assert symbols.covariance(first, second) == pytest.approx(float(first @ shares.covariance @ second))


def test_no_question_depends_on_who_is_in_which_group() -> None:
    settings = survey()
    asked = settings.decide(())
    assert isinstance(asked, sv.Question)
    assert asked.groups == 3 and asked.slots.count == 900 and asked.uses == 1
    within = asked.encoder.within
    assert within is not None and within.labels == digest(canonical.dumps(list(LABELS)))
    assert asked.encoder.empty == "last" and asked.epsilon_bound() <= 2
    drawn = survey(method="joint", memberships=1).decide(())
    assert isinstance(drawn, sv.Question) and drawn.groups == 1 and drawn.encoder.within is not None
    assert drawn.encoder.within.stride * 3 + 1 == drawn.channel.cells


def test_a_manifest_names_the_groups_and_gives_the_survey_back() -> None:
    manifest = announce(survey(), **MADE)
    assert manifest.groups == LABELS
    again = Announced(manifest)
    again.check()
    assert again.settings.levels == again.settings.size  # written out, so that machines agree
    assert isinstance(again.decide(()), sv.Question)


def test_joint_is_for_users_of_one_group_and_auto_takes_it_there() -> None:
    for given, told in (
        ({"method": "joint", "memberships": 2}, "memberships=1"),
        ({"categories": ("a", "b")}, "categories is not for a mean"),
        ({"of": "quantiles", "step": 0.3}, "whole steps"),  # as quantiles themselves say it
    ):
        with pytest.raises(sv.InvalidInput, match=told):
            survey(**given)
    assert choose(survey(memberships=1)).method.name == "joint"
    assert choose(survey(memberships=2)).method.name == "dealt"
    assert "joint" not in repr(choose(survey(memberships=2)).why)
    assert "joint-needs-one-membership" in repr(choose(survey()).why), "where nothing is declared, it might be"
    (answer,), _ = runs(survey(memberships=1), 1)
    assert "drawn at random" in str(answer.estimand) and answer.nothing is not None
    assert answer.nothing_interval[0] <= 0.1 <= answer.nothing_interval[1] + 0.05


def test_who_is_in_several_groups_where_one_is_declared_is_told() -> None:
    """Who is in both draws one of them, so that those who are in one only count twice as much there: 3.5, not 3."""
    users = np.repeat(np.arange(2000), np.tile([1, 2], 1000))
    frame = {"user": users, "v": np.tile([4.5, 1.5, 3.0], 1000), "g": np.tile(["a", "a", "b"], 1000)}
    given = {"user": "user", "value": "v", "by": "g", "groups": ["a", "b"], "low": 1, "high": 5, "epsilon": 4.0}
    drawn, dealt = (sv.mean(frame, memberships=number, seed=1, **given) for number in (1, 2))
    assert drawn.method == "joint" and drawn.assumes == Assumes.ONE_GROUP_EACH
    assert any("declare memberships=2" in told for told in drawn.warnings)
    assert dealt.method == "dealt" and dealt.assumes == Assumes.NOTHING and not dealt.warnings
    assert dealt.intervals[0][0] <= 3.0 <= dealt.intervals[0][1]


def test_levels_are_those_with_the_least_predicted_error() -> None:
    assert best_levels(0.5, 1, 0.5) < best_levels(8.0, 1, 0.5)
    for epsilon in (0.5, 2.0, 6.0):
        found = best_levels(epsilon, 1, 0.5)
        assert mean_variance(found, epsilon, 1, 0.5) <= mean_variance(4, epsilon, 1, 0.5)
    assert survey(levels=4).size == 4


def test_a_group_that_nobody_is_in_says_so() -> None:
    settings = survey(groups=(*LABELS, "nobody"), users=2000)
    data = named("groups").world(settings=survey(users=2000)).draw(np.random.default_rng(1))
    answer = sv.run(settings, sv.simulate(sv.collections(data), seed=4))
    nobody = answer["nobody"]
    assert nobody.value == () and not nobody.known and nobody.intervals == ((1.0, 5.0),)
    assert nobody.share_interval[0] <= 0 and any("nobody" in warning for warning in answer.warnings)
    assert "too small to say" in answer.summary() and "too small to say" in answer.picture()
    with pytest.raises(KeyError):
        answer["music"]


def test_users_with_nothing_do_not_pull_a_mean_to_the_middle() -> None:
    data = np.full((4000, 3), 9.0)
    data[:1200] = np.nan
    pulled = sv.mean(data, low=0, high=10, epsilon=4.0, seed=1, method="one-round")
    among = sv.mean(data, low=0, high=10, epsilon=4.0, seed=1, empty="symbol")
    assert pulled.value < 8.2
    assert isinstance(among, sv.GroupedEstimate)
    (everybody,) = among.groups
    assert everybody.intervals[0][0] <= 9 <= everybody.intervals[0][1] and everybody.value[0] > 8.7
    assert among.nothing == pytest.approx(0.3, abs=0.05)


def test_groups_come_from_a_column_of_a_frame_or_an_array_of_labels() -> None:
    rng = np.random.default_rng(8)
    who, what = rng.integers(0, 1500, 9000), rng.integers(0, 3, 9000)
    held = {"who": who, "rating": 2.0 + what, "course": np.array(LABELS)[what]}
    asked = {"user": "who", "value": "rating", "by": "course", "low": 1, "high": 5, "epsilon": 4.0, "seed": 2}
    answer = sv.mean(pd.DataFrame(held), **asked)
    assert isinstance(answer, sv.GroupedEstimate) and answer.labels == LABELS
    assert any("looked up" in warning for warning in answer.warnings)
    assert answer.truth == pytest.approx((2.0, 3.0, 4.0))
    for group, true in zip(answer, (2.0, 3.0, 4.0), strict=True):
        assert abs(group.value[0] - true) < 0.4
    two = sv.mean(held, **asked, groups=["science", "arts"], memberships=2)
    assert two.labels == ("science", "arts") and not any("looked up" in warning for warning in two.warnings)
    assert two.truth == pytest.approx((4.0, 2.0))
    values = np.random.default_rng(1).uniform(1, 5, size=(600, 4))
    small = {"low": 1, "high": 5, "epsilon": 2.0, "seed": 1}
    assert sv.by_group(values, by=np.repeat(["b", "a"], 300), **small).method == "joint"
    everywhere = np.array(["b", "a"])[np.random.default_rng(2).integers(0, 2, size=values.shape)]
    found = sv.by_group(values, by=everywhere, of="quantiles", q=[0.5], **small)
    assert found.labels == ("a", "b") and found.method == "dealt"
    assert sv.by_group([[1.0, 2.0], [3.0]] * 100, by=[["x", "y"], ["x"]] * 100, **small).labels == ("x", "y")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"by": np.zeros(7)}, "7 labels"),
        ({"by": np.zeros((20, 9))}, "shape of the data"),
        ({"by": "course"}, "array of labels"),
        ({"groups": ["a"]}, "for by="),
        ({"by": np.zeros(20), "spread": 0.3}, "spread is not for"),
        ({"by": np.zeros(20), "memberships": 9}, "memberships must be"),
    ],
)
def test_what_cannot_be_grouped_says_what_to_do(given: dict[str, Any], told: str) -> None:
    with pytest.raises(sv.InvalidInput, match=told):
        sv.mean(np.ones((20, 4)), low=0, high=2, epsilon=1.0, seed=1, **given)


def test_quantiles_at_atoms_are_exact() -> None:
    """Everybody's median is 3, exactly: an interval may be that point, and holds it."""
    data = np.tile([1.0, 3.0, 3.0, 3.0, 5.0], (3000, 1))
    (group,) = sv.quantiles(data, empty="symbol", low=1, high=5, step=1, q=0.5, epsilon=6.0, seed=1)
    assert group.value == (3.0,) and group.intervals == ((3.0, 3.0),)


USERS, EMPTY = 600, 60
RATED = ["--user", "who", "--value", "stars", "--low", "1", "--high", "5", "--epsilon", "4", "--seed", "3"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Everybody is in one school; the last users have a school and a day, and nothing else."""
    random, lines = np.random.default_rng(5), ["who,stars,school,day"]
    for user in range(USERS):
        for _ in range(4):
            stars = "" if user >= USERS - EMPTY else str(random.integers(1, 6))
            lines.append(f"u{user},{stars},{('arts', 'law')[user % 2]},2024-{random.integers(1, 13):02d}-15")
    path = tmp_path_factory.mktemp("stars") / "stars.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["estimate", *words]) == code
    return " ".join("".join(capsys.readouterr()).split())


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["estimate", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["result"]
    return found


def test_the_truth_stands_beside_every_group(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "mean", table, *RATED, "--by", "school"]) == 0
    printed = capsys.readouterr().out
    header, *rows = [line for line in printed.splitlines() if "truth  users" in line or "] " in line]
    found = document(capsys, "mean", table, *RATED, "--by", "school")["rehearsal"]
    assert (found["empty"], found["observations"], found["missing"]) == (EMPTY, 4 * (USERS - EMPTY), 4 * EMPTY)
    truths = found["truth"]
    assert header.split() == ["groups", "mean", "truth", "users"]
    assert [float(row.split()[-2]) for row in rows] == pytest.approx(truths, abs=0.051)
    assert printed.count("▲") == len(truths) + 1, "in each line of the picture, and what it stands for"
    shares = ["--user", "who", "--value", "school", "--categories", "arts,law", "--epsilon", "8", "--seed", "1"]
    told = said(capsys, "histogram", table, *shares, "--by", "school")
    assert "inside the interval for 4 of 4" in told, "a share of all is not outside by rounding"


def test_a_group_that_nobody_is_in_hides_no_truth_of_others(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mean", table, *RATED, "--by", "school", "--groups", "arts,law,music"]
    told = said(capsys, *words)
    assert "inside the interval for 2 of 2; nobody has anything in music; a survey does not see it" in told
    assert "too small to say nobody" in told, "beside the group"
    found = document(capsys, *words)
    assert found["rehearsal"]["truth"][2] == "NaN" and read(read(found).to_json()) == read(found)
    assert "not shown" in said(capsys, "mean", table, *RATED, "--by", "school", "--groups", "music,sports")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([*RATED, "--by", "school", "--method", "paper"], "one of auto, dealt, joint"),
        ([*RATED, "--by", "who"], "column of the users"),
        ([*RATED[:4], "--epsilon", "4", "--by", "school"], "--find-range 0.1"),
        ([*RATED, "--find-range", "0.2", "--by", "school"], "low is given"),
    ],
)
def test_what_does_not_go_with_groups_is_named(
    words: list[str], told: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in said(capsys, "mean", table, *words, code=2)


def test_methods_for_groups_can_be_asked_for(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    for method in ("dealt", "joint"):
        assert document(capsys, "mean", table, *RATED, "--by", "school", "--method", method)["method"] == method


def test_a_range_is_found_before_groups_are_asked(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    ranged = [*RATED[:4], "--epsilon", "4", "--find-range", "0.2", "--by", "school", "--seed", "1"]
    found = document(capsys, "mean", table, *ranged)
    details = [detail["code"] for detail in found["chosen"]["details"]]
    assert found["users_per_round"][0] == USERS // 5 and "range-found-first" in details
    assert found["low"] < found["high"] and found["rehearsal"]["truth"]


def test_a_plan_by_group_is_rehearsed_as_it_says(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, asked = str(tmp_path / "plan.toml"), ["--groups", "arts,law", "--memberships", "1", "--observations", "4"]
    assert main(["plan", "groups", *RATED[4:10], *asked, "--users", str(USERS), "--save", plan]) == 0
    saved = " ".join(capsys.readouterr().out.split())
    assert f"sotto estimate --plan {plan} FILE --user COL --value COL --by COL" in saved
    words = ["--plan", plan, table, "--user", "who", "--value", "stars"]
    assert "The users' average of stars" in said(capsys, *words, "--by", "school")
    assert "with --by" in said(capsys, *words, code=2)


def test_dates_are_told_as_dates_behind_the_answer(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--user", "who", "--value", "day", "--low", "2024-01-01", "--high", "2025-01-01", "--epsilon", "4"]
    for more in ([], ["--by", "school"]):
        assert main(["estimate", "mean", table, *asked, *more]) == 0
        first = capsys.readouterr().out.partition("\ntruth ")[0]
        assert "\ndate " in first
        assert "(between 2024-" in first


def test_dates_of_several_and_of_a_plan_are_dates_on_a_page_too(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, plan = tmp_path / "page.html", str(tmp_path / "plan.toml")
    part = "day: mean value=day low=2024-01-01 high=2025-01-01"
    whole = ["--user", "who", "--seed", "1", "--html", str(page)]
    printed = said(capsys, "several", table, "--epsilon", "4", "--ask", part, *whole)
    date = printed.partition("date ")[2].partition(" truth")[0]
    assert date.startswith("2024-0")
    for told in (f'<p class="plain">{date}</p>', "<dt>split</dt>", "reports simulated with seed 1"):
        assert told in page.read_text(encoding="utf-8")
    asked = ["--low", "2024-01-01", "--high", "2025-01-01", "--epsilon", "4", "--users", str(USERS)]
    assert main(["plan", "mean", *asked, "--observations", "4", "--save", plan]) == 0
    capsys.readouterr()
    assert "(between 2024-" in said(capsys, "--plan", plan, table, "--value", "day", *whole)
    assert "(between 2024-" in page.read_text(encoding="utf-8")


def test_more_users_without_data_than_declared_are_said(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "mean", table, *RATED, "--empty-at-most", "0.05")
    assert "they are more than the 5% that the intervals allow for" in told
    assert "the intervals allow for them" in said(capsys, "mean", table, *RATED, "--empty-at-most", "0.2")

"""What estimates by group, and among those who have something, say on the command line; and dates as dates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.cli import main
from sottovoce.problems import read

USERS, EMPTY = 600, 60
RATED = ["--user", "who", "--value", "stars", "--low", "1", "--high", "5", "--epsilon", "4", "--seed", "3"]


@pytest.fixture
def table(tmp_path: Path) -> str:
    """Everybody is in one school; the last users have a school and a day, and nothing else."""
    random, lines = np.random.default_rng(5), ["who,stars,school,day"]
    for user in range(USERS):
        for _ in range(4):
            stars = "" if user >= USERS - EMPTY else str(random.integers(1, 6))
            lines.append(f"u{user},{stars},{('arts', 'law')[user % 2]},2024-{random.integers(1, 13):02d}-15")
    path = tmp_path / "stars.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["estimate", *words]) == 0
    return " ".join(capsys.readouterr().out.split())


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["estimate", *words]) == 2
    return " ".join(capsys.readouterr().err.split())


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["estimate", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["result"]
    return found


def test_the_truth_stands_beside_every_group(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "mean", table, *RATED, "--by", "school"]) == 0
    printed = capsys.readouterr().out
    header, *rows = [line for line in printed.splitlines() if "truth  users" in line or "] " in line]
    truths = document(capsys, "mean", table, *RATED, "--by", "school")["rehearsal"]["truth"]
    assert header.split() == ["groups", "mean", "truth", "users"]
    assert [float(row.split()[-2]) for row in rows] == pytest.approx(truths, abs=0.051)
    assert printed.count("▲") == len(truths) + 1, "in each line of the picture, and what it stands for"


def test_a_group_that_nobody_is_in_hides_no_truth_of_others(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mean", table, *RATED, "--by", "school", "--groups", "arts,law,music"]
    told = said(capsys, *words)
    assert "inside the interval for 2 of 2; nobody has anything in music; a survey does not see it" in told
    assert "too small to say nobody" in told, "beside the group"
    assert document(capsys, *words)["rehearsal"]["truth"][2] == "NaN"
    assert "not shown" in said(capsys, "mean", table, *RATED, "--by", "school", "--groups", "music,sports")


def test_an_answer_about_nobody_is_read_back(table: str) -> None:
    asked = {"user": "who", "value": "stars", "low": 1, "high": 5, "epsilon": 4, "seed": 3}
    found = sv.mean(table, **asked, by="school", groups=["arts", "law", "music"])
    assert read(found.to_json()) == found


def test_users_without_data_are_counted_beside_their_groups(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "mean", table, *RATED, "--by", "school")["rehearsal"]
    assert (found["empty"], found["observations"], found["missing"]) == (EMPTY, 4 * (USERS - EMPTY), 4 * EMPTY)


def test_a_share_of_all_is_not_outside_by_rounding(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["--user", "who", "--value", "school", "--categories", "arts,law", "--epsilon", "8", "--seed", "1"]
    assert "inside the interval for 4 of 4" in said(capsys, "histogram", table, *rows, "--by", "school")


@pytest.mark.parametrize(
    ("kind", "more", "told"),
    [
        ("mean", [], "Among users who have any, the average of stars is "),
        ("quantiles", ["--step", "1"], "Among users who have any, quantiles of stars are on average: median "),
    ],
)
def test_those_who_have_any_are_no_group(
    table: str, kind: str, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = said(capsys, kind, table, *RATED, *more, "--empty", "symbol")
    assert told in printed
    assert "in everybody" not in printed
    assert "joint" not in printed, "there is nothing to join, and nobody asked for it"
    assert "and whether it has anything." in printed, "what is protected, where there are no groups"


def test_methods_for_groups_can_be_asked_for(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    for method in ("dealt", "joint"):
        assert document(capsys, "mean", table, *RATED, "--by", "school", "--method", method)["method"] == method
    assert "one of auto, dealt, joint" in refused(capsys, "mean", table, *RATED, "--by", "school", "--method", "paper")


def test_what_does_not_go_with_groups_is_named(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "column of the users" in refused(capsys, "mean", table, *RATED, "--by", "who")
    assert "--find-range 0.1" in refused(capsys, "mean", table, *RATED[:4], "--epsilon", "4", "--by", "school")
    assert "low is given" in refused(capsys, "mean", table, *RATED, "--find-range", "0.2", "--by", "school")


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
    assert "with --by" in refused(capsys, *words)


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

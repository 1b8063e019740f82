"""Several answers from one survey: a user still sends one report."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.cli.app import main
from sottovoce.engines.survey_loop import questions_of
from sottovoce.messages import Average, exact
from sottovoce.problems import Several, problems
from sottovoce.problems.mean import Mean

USERS = 1200


def people() -> sv.Collections:
    values = np.random.default_rng(5).normal((3.0, 40.0), (0.5, 10.0), size=(USERS, 20, 2))
    return sv.collections(values)


def survey(split: str, epsilon: float = 4.0) -> Several:
    parts = (
        ("stars", Mean(epsilon=1.0, users=10, low=1, high=5, observations=20)),
        ("minutes", Mean(epsilon=1.0, users=10, low=0, high=100, observations=20)),
    )
    return Several(epsilon=epsilon, users=USERS, parts=parts, columns=(0, 1), split=split)


@pytest.mark.parametrize("split", ["users", "budget"])
def test_nobody_is_asked_twice_and_no_report_costs_more_than_epsilon(split: str) -> None:
    answers, asked = questions_of(survey(split), sv.simulate(people(), seed=3))
    slots = [slot for question in asked for slot in range(question.slots.first, sum(vars(question.slots).values()))]
    assert len(slots) == len(set(slots)) == USERS
    assert all(question.epsilon_bound() <= exact(4.0) for question in asked)
    assert [question.round for question in asked] == list(range(len(asked)))
    assert {question.survey for question in asked} == {"rehearsal"}
    assert abs(answers["stars"].to_dict()["value"] - 3.0) < 0.5 and abs(answers["minutes"].to_dict()["value"] - 40) < 12
    assert all(answer.privacy.epsilon == 4.0 for answer in answers.values())


def test_a_split_budget_is_one_question_with_a_group_for_each_part() -> None:
    (asked,) = questions_of(survey("budget"), sv.simulate(people(), seed=3))[1]
    assert asked.groups == asked.uses == 2 and asked.slots.count == USERS
    assert asked.encoder.statistic == Average(columns=(0, 1))


def test_a_part_says_what_it_would_say_alone() -> None:
    """Users split: the first part's question, asked alone, gets the same reports and the same answer."""
    both, asked = questions_of(survey("users"), sv.simulate(people(), seed=3))
    alone = Mean(epsilon=4.0, users=USERS // 2, low=1, high=5, observations=20)
    ask = sv.simulate(people(), seed=3)
    tallies: tuple[sv.Tally, ...] = ()
    for outer in asked:
        step = alone.decide(tallies)
        if not isinstance(step, sv.Question):
            break
        tallies = (*tallies, ask(outer).as_of(step))
    assert alone.decide(tallies) == both["stars"]


def test_a_mean_and_a_histogram_of_one_text_file(tmp_path: object) -> None:
    file = f"{tmp_path}/rides.csv"
    rng = np.random.default_rng(4)
    rows = [f"c{user},{rng.integers(1, 9)},{'bus' if rng.random() < 0.7 else 'tram'}" for user in range(1500)]
    with open(file, "w") as rides:
        rides.write("\n".join(["card,minutes,line", *rows]))
    asks = {
        "delay": sv.ask("mean", value="minutes", low=0, high=10),
        "line": sv.ask("histogram", value="line", categories=["bus", "tram"]),
    }
    answers = sv.several(file, asks, user="card", epsilon=4.0, seed=2)
    assert abs(answers["delay"].to_dict()["value"] - 4.5) < 0.5
    assert abs(answers["line"].to_dict()["value"][0] - 0.7) < 0.1


def test_auto_splits_users_at_small_epsilon_and_says_why() -> None:
    split, reason = survey("auto", epsilon=1.0).chosen_split()
    assert split == "users" and "times the expected squared error" in str(reason)
    curve = sv.Cdf(epsilon=1.0, users=USERS, low=0, high=1, observations=20)
    mixed = Several(epsilon=1.0, users=USERS, parts=(("curve", curve), *survey("auto").parts))
    split, reason = mixed.chosen_split()
    assert split == "users" and str(reason) == (
        "each part asks its own users with the whole ε, since only means, each asked in one round, fit into one report"
    )
    assert sv.plan_several(survey("auto")).parts[0].budget is not None


def test_what_cannot_share_a_report_is_said() -> None:
    density = sv.Density(epsilon=1.0, users=10, low=0, high=1, observations=20)
    with pytest.raises(sv.InvalidInput, match="only means"):
        Several(epsilon=1.0, users=USERS, parts=(("f", density), ("g", density)), split="budget")
    with pytest.raises(sv.InvalidInput, match=r"one of mean, histogram, .*; did you mean mean") as caught:
        sv.ask("men")
    for kind in problems():
        if f"{kind.name}," in f"{str(caught.value).partition('; got')[0]},":
            assert sv.ask(kind.name).problem == kind.name


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("mean", {"epsilon": 1.0}, "shared by all parts"),
        ("vector", {"value": ["x", "y"]}, "survey of its own"),
        ("mean", {"hihg": 1}, "no setting hihg; did you mean high"),
        ("mean", {"value": True}, "counts those of an array from 0"),
    ],
)
def test_what_is_asked_for_wrongly(name: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        sv.ask(name, **given)


def test_a_method_that_was_asked_for_is_the_one_that_runs() -> None:
    column = np.random.default_rng(2).normal(0.5, 0.1, size=(USERS, 1))
    asks = {name: sv.ask("mean", low=0, high=1, method="adaptive") for name in ("a", "b")}
    with pytest.raises(sv.InvalidInput, match="a was asked for with method adaptive"):
        sv.several(column, asks, epsilon=8.0, split="budget", seed=1)
    answers = sv.several(column, asks, epsilon=8.0, seed=1)
    assert answers.split == "users" and "method adaptive" in answers.reason
    assert {answer.method for answer in answers.values()} == {"adaptive"}
    plan = sv.plan_several(survey("auto"))
    assert plan.parts[0].budget_method == "one-round" and "one-round" in plan.summary()


@pytest.mark.parametrize(
    "part, words",
    [
        ("d: mean low=0 high=60", "'d' needs observations=T"),
        ("d: mean low='0 high=60", "a quote that is not closed"),
        ("d: mean lo=0 high=60", "mean has no setting lo; did you mean low?"),
        ("d: quantiles low=0 high=60 q=50%", "such as 0.25,0.5,0.75"),
    ],
)
def test_a_part_that_cannot_be_read(part: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "several", "--users", "500", "--epsilon", "4", "--ask", part]) == 2
    assert words in capsys.readouterr().err


def test_asks_have_names_and_columns_are_counted_in_any_type() -> None:
    assert sv.ask("mean", value=np.int64(1), low=0, high=1).value == 1
    for asks in ([sv.ask("mean", low=0, high=1)], {"x": ("mean", "x")}):
        with pytest.raises(sv.InvalidInput, match="asks must be names with what to ask for"):
            sv.several(np.zeros((20, 3)), asks, epsilon=1.0)  # type: ignore[arg-type]

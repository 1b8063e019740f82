"""A survey followed round by round: what is told while it runs, what when a round has closed, and what never is."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest

from sottovoce.answers import Estimate, lines_in_words
from sottovoce.messages import Transcript
from sottovoce.planning import plan
from sottovoce.problems import problems, read
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.service import Limits, survey_requests
from sottovoce.service.errors import Refused
from sottovoce.service.pages import device_digest
from sottovoce.service.store import ReportRow
from sottovoce.service.survey_requests import run_bounded
from tests.service.web import START, Web, manifest_of, payload_of, serving
from tests.support.patience import HUNG_SECONDS, eventually

VOTES = Mean(epsilon=1.0, low=1, high=5, users=400, observations=20, method="adaptive")
WAYS = Histogram(epsilon=4.0, categories=("bus", "bike", "feet"), users=200, observations=10, method="one-round")
FIELDS = {
    "survey": {"survey", "state", "problem", "estimates", "method", "purpose", "collector", "epsilon", "users"}
    | {"enrolled", "minimum", "opens", "closes", "columns", "access", "enrolment", "device", "plan", "rounds"}
    | {"refused", "answer", "abandoned", "finish_with"},
    "round": {"number", "role", "question", "first", "asked", "answered", "quota", "opened", "closes", "closed"}
    | {"because", "by", "low", "high", "unit_words", "bars", "bars_words"},
    "bar": {"low", "high", "label", "share", "error"},
    "answer": {"kind", "lines", "warnings", "value", "low", "high", "model_low", "model_high", "causes"}
    | {"confidence"},
}


def put(web: Web, survey: str, count: int) -> None:
    """So many of those asked answer, all alike."""
    held = web.collector.survey(survey, fresh=True)
    first, payload = held.question.slots.first, bytes.fromhex(payload_of(held.question))
    web.store.put([ReportRow(held.last.key, slot, payload) for slot in range(first, first + count)])
    web.collector.survey(survey, fresh=True)


def seen(web: Web, survey: str) -> dict[str, Any]:
    heard = web.ask("GET", f"/surveys/{survey}/rounds")
    assert heard.status == 200 and heard.headers["cache-control"] == "no-cache"
    found: dict[str, Any] = heard.plain
    assert set(found) == FIELDS["survey"]
    assert all(set(one) == FIELDS["round"] for one in found["rounds"])
    assert all(set(bar) == FIELDS["bar"] for one in found["rounds"] for bar in one["bars"] or [])
    return found


def test_an_open_round_tells_how_many_and_no_more(web: Web) -> None:
    survey = web.create(manifest_of(VOTES, purpose="followed", columns=("rating",), quota=0.5))
    put(web, survey, 30)
    found = seen(web, survey)
    manifest = web.collector.survey(survey).manifest
    assert (found["state"], found["problem"], found["method"]) == ("open", "mean", "adaptive")
    assert (found["users"], found["minimum"], found["columns"]) == (400, 10, ["rating"])
    assert found["device"] == device_digest() and found["answer"] is None and found["refused"] == []
    (only,) = found["rounds"]
    assert (only["answered"], only["closed"], only["because"], only["by"]) == (30, None, "", "")
    assert (only["bars"], only["bars_words"]) == (None, ""), "a running tally would tell who came when"
    assert only["quota"] == manifest.enough_answers(only["asked"]) and only["unit_words"].startswith("the average")
    assert only["closes"] == web.collector.survey(survey).deadline
    assert 1 <= only["low"] < only["high"] <= 5


def test_what_was_planned_stands_beside_it(web: Web) -> None:
    survey = web.create(manifest_of(WAYS, purpose="planned"))
    assert eventually(lambda: seen(web, survey)["plan"]["lines"])
    foreseen, expected = seen(web, survey)["plan"], plan(WAYS)
    assert foreseen["halfwidth"] == pytest.approx(expected.halfwidth)
    assert [tuple(line) for line in foreseen["lines"]] == lines_in_words(expected.lines())


def test_a_closed_round_that_enough_answered_is_drawn_and_the_range_closes_in(web: Web) -> None:
    survey = web.create(manifest_of(VOTES, purpose="drawn"))
    while web.collector.survey(survey, fresh=True).running:
        held = web.collector.survey(survey)
        put(web, survey, held.question.slots.count - 1)
        path = f"/surveys/{survey}/rounds/{held.last.number}/close"
        assert web.ask("POST", path, token=web.tokens[survey]).status == 200
    found = seen(web, survey)
    assert len(found["rounds"]) > 1 and all(one["bars"] for one in found["rounds"])
    for one in found["rounds"]:
        assert one["closed"] and one["because"] == "hand" and one["by"] == "the survey's token"
        assert [bar["low"] for bar in one["bars"]] == sorted(bar["low"] for bar in one["bars"])
    widths = [one["high"] - one["low"] for one in found["rounds"]]
    assert widths[-1] < 4, "not the whole range any more"
    answer, own = found["answer"], read(web.collector.estimate(survey))
    assert isinstance(own, Estimate) and set(answer) == FIELDS["answer"]
    assert (answer["kind"], answer["value"], [answer["low"], answer["high"]]) == ("number", own.value, [*own.interval])
    assert [answer["model_low"], answer["model_high"]] == [*(own.model_interval or (None, None))]
    causes = {cause["name"]: cause["value"] for cause in answer["causes"]}
    assert sum(value**2 for value in causes.values()) == pytest.approx(own.standard_error.total**2)
    assert [tuple(line) for line in answer["lines"]] == lines_in_words(own.lines()) and answer["warnings"] == [
        *own.warnings
    ]
    assert found["state"] == "done" and found["abandoned"] == ""


def test_categories_have_their_names_and_an_answer_of_many_numbers_no_single_one(web: Web) -> None:
    survey = web.create(manifest_of(WAYS, purpose="named"))
    put(web, survey, 150)
    assert web.ask("POST", f"/surveys/{survey}/rounds/0/close", token=web.admin).status == 200
    found = seen(web, survey)
    assert [bar["label"] for bar in found["rounds"][0]["bars"]] == ["bus", "bike", "feet"]
    assert all(bar["low"] is None for bar in found["rounds"][0]["bars"])
    assert (found["answer"]["kind"], found["answer"]["value"], found["answer"]["causes"]) == ("histogram", None, [])
    assert found["answer"]["lines"]


def test_below_the_minimum_nothing_is_shown(web: Web) -> None:
    survey = web.create(manifest_of(VOTES, purpose="too few", minimum=50, round_seconds=100))
    put(web, survey, 49)
    held, web.clock.now = web.clock.now, START + 111
    try:
        web.collector.tick()
        found = seen(web, survey)
    finally:
        web.clock.now = held
    (only,) = found["rounds"]
    assert (only["answered"], only["because"], only["bars"]) == (49, "deadline", None)
    assert found["state"] == "abandoned" and "49 of" in found["abandoned"] and found["answer"] is None


@pytest.mark.parametrize("what", ["rounds", "progress"])
def test_to_look_again_costs_little_until_something_changes(web: Web, what: str) -> None:
    survey = web.create(manifest_of(purpose=f"tags of {what}"))
    path = f"/surveys/{survey}/{what}"
    assert eventually(lambda: seen(web, survey)["plan"]["lines"])
    first = web.ask("GET", path)
    for tag in (first.headers["etag"], f'"x", {first.headers["etag"]}'):
        again = web.ask("GET", path, headers={"If-None-Match": tag})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", first.headers["etag"])
    if what == "progress":
        assert first.headers["etag"].startswith('W/"') and again.headers["retry-after"] == "10"
        held, web.clock.now = web.clock.now, web.clock.now + 3
        later = web.ask("GET", path, headers={"If-None-Match": first.headers["etag"]})
        web.clock.now = held
        assert later.status == 304, "what time it is, is no change"
    put(web, survey, 1)
    changed = web.ask("GET", path, headers={"If-None-Match": first.headers["etag"]})
    assert changed.status == 200 and changed.headers["etag"] != first.headers["etag"]
    head = web.ask("HEAD", path)
    assert (head.status, head.body, head.headers["etag"]) == (200, b"", changed.headers["etag"])


def test_a_round_is_closed_with_a_reason_that_everybody_may_read(web: Web) -> None:
    survey = web.create(manifest_of(purpose="reasons"))
    path = f"/surveys/{survey}/rounds/0/close"
    put(web, survey, 20)
    for body, media, status in (
        (json.dumps({"reason": "a" * 81}), "application/json", 400),
        (json.dumps({"reason": "two\nlines"}), "application/json", 400),
        (json.dumps({"because": "hand"}), "application/json", 400),
        ("[]", "application/json", 400),
        ('{"reason":""}', "text/plain", 415),
        (" " * 5_000, "application/json", 413),
    ):
        assert web.ask("POST", path, body, token=web.admin, media=media).status == status
    assert web.collector.survey(survey, fresh=True).running
    assert web.ask("POST", path, '{"reason":" the lecture is over "}', token=web.admin).status == 200
    by = "the administrator: the lecture is over"
    assert seen(web, survey)["rounds"][0]["by"] == by
    assert Transcript.from_bytes(web.ask("GET", f"/surveys/{survey}/transcript").body).rounds[0].by == by


# ---- planning --------------------------------------------------------------------------------------------------------


def test_every_problem_is_listed_with_what_a_form_needs(web: Web) -> None:
    heard = web.ask("GET", "/problems")
    assert web.ask("GET", "/problems", headers={"If-None-Match": heard.headers["etag"]}).status == 304
    listed = {one["name"]: one for one in heard.plain["problems"]}
    assert list(listed) == [one.name for one in problems()]
    assert all(str(one.estimates) == listed[one.name]["estimates"] for one in problems())
    mean = {own["name"]: own for own in listed["mean"]["settings"]}
    assert "survey" not in mean and "table" not in mean, "nobody sets these"
    assert mean["low"] | {"help": ""} == {
        "name": "low",
        "kind": "float",
        "required": True,
        "several": False,
        "scalar": True,
        "table": False,
        "default": None,
        "default_words": "",
        "help": "",
        "group": "declared",
        "choices": None,
    }
    assert mean["method"]["choices"][:2] == ["auto", "one-round"] and mean["method"]["default"] == "auto"
    assert listed["mean"]["unknowns"] == ["users", "observations", "epsilon"]
    assert all(own["help"] and own["group"] in ("declared", "constants", "data") for own in mean.values())


MEAN = {"epsilon": 1, "low": 1, "high": 5, "observations": 20, "users": 400}


def asked(web: Web, **body: Any) -> Any:
    return web.ask("POST", "/plan", json.dumps(body), token=web.admin)


def test_a_plan_says_what_the_planner_says(web: Web) -> None:
    ways = {"epsilon": 2, "categories": ["bus", "bike", "feet"], "observations": 20, "users": 400}
    found, expected = asked(web, problem="histogram", settings=ways).plain, plan(problem="histogram", **ways)
    assert (found["method"], found["reason"]) == (expected.method, str(expected.chosen.why.method_fact("")))
    assert found["halfwidth"] == pytest.approx(expected.halfwidth) and found["users"] == 400
    assert sum(found["users_per_round"]) == 400 and found["solved"] == "halfwidth"
    assert [tuple(line) for line in found["lines"]] == lines_in_words(expected.lines()) and found["warnings"] == []
    assert found["full_scale"] == expected.problem.full_scale(expected.protocol)
    assert asked(web, problem="histogram", settings=ways | {"epsilon": 20}).plain["warnings"]


def test_a_plan_solves_for_what_is_left_out(web: Web) -> None:
    known = {name: value for name, value in MEAN.items() if name != "users"}
    found = asked(web, problem="mean", settings=known, halfwidth=0.1).plain
    assert found["solved"] == "users" and found["users"] > 400 and found["halfwidth"] <= 0.1001


@pytest.mark.parametrize(
    "body, words",
    [
        ({"problem": "median", "settings": MEAN}, "problem must be one of mean"),
        ({"problem": "mean", "settings": {}}, "needs the setting"),
        ({"problem": "mean", "settings": MEAN | {"lo": 1}}, "no setting lo"),
        ({"problem": "mean", "settings": MEAN | {"low": "one"}}, "low: float was expected"),
        ({"problem": "mean", "settings": MEAN | {"low": 9}}, "low"),
        ({"problem": "mean", "settings": MEAN | {"epsilon": -1}}, "epsilon"),
        ({"problem": "mean", "settings": MEAN | {"users": 10**400}}, "users"),
        ({"problem": "mean", "settings": MEAN | {"observations": 10**9}}, "observations"),
        ({"problem": "mean", "settings": MEAN | {"method": "guess"}}, "method"),
        ({"problem": "mean", "settings": MEAN | {"table": "x"}}, "table"),
        ({"problem": "mean", "settings": MEAN, "halfwidth": 0.1}, "leave out exactly one"),
        ({"problem": "mean", "settings": MEAN, "halfwidth": -1}, "halfwidth"),
        ({"problem": "mean", "settings": {**MEAN, "users": None}, "halfwidth": 9.0}, "says nothing"),
        ({"problem": "mean", "settings": MEAN, "seed": 1}, "seed"),
        ({"problem": "mean"}, "settings"),
    ],
)
def test_nonsense_is_refused_and_says_why(web: Web, body: dict[str, Any], words: str) -> None:
    heard = asked(web, **body)
    assert (heard.status, heard.code) == (400, "malformed")
    assert words in heard.plain["error"]["message"]
    assert set(heard.plain["error"]) == {"code", "message", "survey", "round", "expected", "got", "do"}


def test_only_the_administrator_plans(web: Web) -> None:
    survey, body = web.create(manifest_of(purpose="not the administrator")), json.dumps({"problem": "mean"})
    assert web.ask("POST", "/plan", body).status == 401
    assert web.ask("POST", "/plan", body, token=web.tokens[survey]).status == 403
    assert web.ask("POST", "/plan", " " * 70_000, token=web.admin).status == 413
    assert web.ask("POST", "/plan", "{", token=web.admin).status == 400
    assert web.ask("GET", "/plan", token=web.admin).status == 405


def test_a_plan_that_takes_long_holds_up_nobody_and_is_given_up(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended, time_is_up = threading.Event(), threading.Event(), threading.Event()

    intervals = set[float]()

    class Timer(threading.Timer):
        """Time is up when this test says so."""

        def run(self) -> None:
            intervals.add(self.interval)
            time_is_up.wait(HUNG_SECONDS)
            self.function(*self.args, **self.kwargs)

    def endless(*args: Any, **kwargs: Any) -> Any:
        begun.set()
        try:
            while True:
                time.sleep(0.001)
        finally:
            ended.set()

    limits = Limits(planning_seconds=17.0, planning_waiting=0)
    with serving(tmp_path_factory.mktemp("slow"), limits=limits) as web, monkeypatch.context() as patched:
        patched.setattr(survey_requests, "plan", endless)
        patched.setattr(threading, "Timer", Timer)
        heard: list[Any] = []
        waiting = threading.Thread(
            target=lambda: heard.append(asked(web, problem="mean", settings=MEAN | {"users": 407}))
        )
        waiting.start()
        assert begun.wait(HUNG_SECONDS)
        another = asked(web, problem="mean", settings=MEAN | {"users": 408})
        assert another.status == 503 and "the planner" in another.plain["error"]["message"]
        survey = web.create(manifest_of(purpose="meanwhile"))
        assert seen(web, survey)["plan"]["lines"] == [], "nobody waits for it"
        time_is_up.set()
        waiting.join(HUNG_SECONDS)
        assert (
            ended.is_set() and (heard[0].status, heard[0].code) == (503, "busy") and "retry-after" in heard[0].headers
        )
        assert "given up" in heard[0].plain["error"]["message"] and "simpler" in heard[0].plain["error"]["do"]
        assert eventually(lambda: "given up" in str(seen(web, survey)["plan"]["lines"])), "nor is it tried for ever"
        assert intervals == {17.0}, "either is given up after that time"
        patched.undo()
        assert asked(web, problem="mean", settings=MEAN | {"low": 9}).status == 400, "the planner goes on"


def test_what_ends_in_time_is_never_disturbed() -> None:
    """The moment at which time is up meets every moment of the end."""
    gave_up = 0
    for number in range(200):
        try:
            assert (
                run_bounded(
                    lambda: sum(range(2_000)), seconds=1e-5 * (number % 40) if number % 10 else 60, what="a sum"
                )
                == 1_999_000
            )
        except Refused:
            gave_up += 1
        time.sleep(0)  # nothing arrives afterwards
    assert gave_up <= 180, "whoever has a minute is not given up"
    with pytest.raises(ZeroDivisionError):
        run_bounded(lambda: 1 // 0, seconds=5, what="a quotient")

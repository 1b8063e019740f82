"""``sotto explain``."""

import hashlib
import io
import json
import math

import numpy as np
import pytest
from sottovoce.cli.methods import EVERY_METHOD, protocol

from sottovoce.cli import main
from sottovoce.cli.answering import answer, inputs, relative_likelihood
from sottovoce.cli.collection import from_words
from sottovoce.device import Collections
from sottovoce.messages import Question, Report, canonical

SURVEY = ["--low", "1", "--high", "5", "--epsilon", "1", "--users", "2972", "--observations", "23"]
LOCALISED = [
    "--low",
    "0",
    "--high",
    "1",
    "--epsilon",
    "2",
    "--users",
    "5000",
    "--observations",
    "2000",
    "--method",
    "paper",
]
KEYS = {
    "question", "digest", "question_bytes", "method", "reason", "round", "assumed_winner", "epsilon", "steps",
    "promise", "device",
}  # fmt: skip
DEVICE_KEYS = {
    "observations", "computes", "report", "payload_bytes", "message_bytes", "relative_likelihood",
    "guaranteed_likelihood",
}  # fmt: skip


@pytest.fixture
def explain(capsys):
    def run(*words):
        assert main(["explain", *words]) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return run


def test_for_people(explain):
    shown = explain(*SURVEY, "--collection", "3,4,5")
    assert "the average of all your observations" in shown
    assert "2,972 users, everybody (round 0 of the survey)" in shown
    assert "ε = 1 declared; certified from the integers of the channel: 1 − " in shown
    assert "Your device, holding 3 observations" in shown
    assert "computes    4; for your eyes only, never sent" in shown
    assert "1 byte in hexadecimal" in shown
    assert "for every report it is at most e^1 = 2.72 times" in shown
    assert "at most 74 of 100" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 100


def test_without_a_collection_it_says_how_to_give_one(explain):
    shown = explain(*SURVEY)
    assert "Add --collection 3,4,5" in shown
    assert "Your device" not in shown.partition("In plain words")[0]


def test_raw_is_the_question_to_the_byte(explain):
    raw = explain(*SURVEY, "--raw").encode()
    found = json.loads(explain(*SURVEY, "--json"))
    assert hashlib.sha256(raw).hexdigest() == found["digest"] == Question.from_bytes(raw).digest
    assert canonical.dumps(found["question"]) == raw
    assert found["question_bytes"] == len(raw)
    assert found["digest"] in explain(*SURVEY)


@pytest.mark.parametrize("method", EVERY_METHOD)
def test_for_programs(method, explain):
    found = json.loads(explain(*SURVEY, "--method", method, "--collection", "3,4,5", "--json"))
    assert set(found) == KEYS
    assert set(found["device"]) == DEVICE_KEYS
    assert found["epsilon"]["asked"] == 1
    assert found["epsilon"]["certified"] <= found["epsilon"]["declared"]
    assert found["epsilon"]["declared"] == (23 if method == "full-item" else 1)
    assert 0 <= found["epsilon"]["slack"] < 1e-8
    assert found["device"]["observations"] == 3
    report = Report(**found["device"]["report"])
    assert report.question == found["digest"]
    assert len(report.payload) == 2 * found["device"]["payload_bytes"]
    assert len(report.to_bytes()) == found["device"]["message_bytes"]
    if method != "one-item":  # the device draws that one
        seen, sure = found["device"]["relative_likelihood"], found["device"]["guaranteed_likelihood"]
        assert sure[0] * (1 - 1e-9) <= seen[0] <= 1 <= seen[1] <= sure[1] * (1 + 1e-9)


def test_what_the_whole_collection_is_worth_is_said(explain):
    shown = explain(*SURVEY, "--method", "full-item")
    assert "a single observation at ε = 1; the whole collection only at 23" in shown
    assert "That is weak" in shown
    assert "protects" not in explain(*SURVEY)


def test_the_second_round_takes_the_own_bin_for_the_winner(explain):
    first = json.loads(explain(*LOCALISED, "--collection", ".2,.3,.4", "--json"))
    assert first["question"]["role"] == "vote"
    assert first["assumed_winner"] is None
    second = json.loads(explain(*LOCALISED, "--collection", ".2,.3,.4", "--round", "1", "--json"))
    assert second["question"]["role"] == "refine"
    assert second["assumed_winner"] == first["device"]["computes"][0]
    placement = second["question"]["encoder"]["placement"]
    assert placement["low"][0] < 0.3 < placement["high"][0]
    assert second["device"]["computes"][0] == pytest.approx(0.3, abs=1e-4)
    shown = explain(*LOCALISED, "--round", "1")
    assert "won the first round" in shown
    assert "2,500 of 5,000 users" in shown


@pytest.mark.parametrize("given, held", [("", 0), ("nan", 1), ("inf,-inf", 2), ("1e308, 1e308", 2), ("-3,-4", 2)])
def test_any_collection_has_an_answer_of_the_same_size(given, held, explain):
    found = json.loads(explain(*SURVEY, "--collection", given, "--json"))["device"]
    assert found["observations"] == held
    assert found["payload_bytes"] == 1
    assert 1 <= found["computes"][0] <= 5


def test_collections_from_files_and_standard_input(explain, tmp_path, monkeypatch):
    path = tmp_path / "mine.txt"
    path.write_text("3\n4\n5\n")
    assert "computes    4;" in explain(*SURVEY, "--collection-file", str(path))
    monkeypatch.setattr("sys.stdin", io.StringIO("2 3; 4\n"))
    assert "computes    3;" in explain(*SURVEY, "--collection-file", "-")


def test_numbers_apart():
    assert from_words("1, 2;3\t4\n5,") == [1, 2, 3, 4, 5]
    assert from_words(" \n") == []


@pytest.mark.parametrize("method", ["one-round", "paper", "semi-user", "split-user"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_relative_likelihood_is_the_ratio_of_the_law(method, epsilon):
    """Against the ratio that a channel's own integers give at the two ends of its inputs."""
    survey = protocol(method, epsilon=epsilon, low=0.0, high=1.0, users=100, observations=4)
    question = survey.decide(())
    assert isinstance(question, Question)
    low, high = (Collections.of_one([value] * 4) for value in (0.0, 1.0))
    sent = answer(question, low).report
    from_low = relative_likelihood(question, sent, inputs(question, low))
    from_high = relative_likelihood(question, sent, inputs(question, high))
    # The extremes over all collections do not depend on whose report it is, so both views share one width.
    assert math.log(from_low[1] / from_low[0]) == pytest.approx(math.log(from_high[1] / from_high[0]))
    assert from_low[0] <= 1 <= from_low[1]
    bound = math.exp(float(question.epsilon_bound()))
    assert from_low[1] / from_low[0] <= bound * (1 + 1e-9)


def test_a_coin_by_hand():
    question = protocol("one-item", epsilon=1.0, low=0.0, high=1.0, users=10, observations=1).decide(())
    assert isinstance(question, Question)
    span = question.channel.span
    for symbol in (0, 1):
        report = Report(question=question.digest, slot=0, payload=f"0{symbol}")
        at_low = relative_likelihood(question, report, np.array([0]))
        assert at_low == pytest.approx((1, math.e) if symbol else (math.exp(-1), 1))
        middle = relative_likelihood(question, report, np.array([span // 2]))
        assert middle == pytest.approx((2 / (1 + math.e), 2 * math.e / (1 + math.e)))

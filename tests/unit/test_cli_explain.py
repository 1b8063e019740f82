"""``sotto explain``."""

import hashlib
import io
import shlex
from functools import partial

import pytest

from sottovoce.cli.collection import observations, rows_of_text
from sottovoce.messages import InvalidInput, Question, Report, canonical
from sottovoce.problems import named, problems
from sottovoce.trials import every_method
from tests.support.said import result_of

DECLARED = ["--low", "1", "--high", "5", "--epsilon", "1", "--users", "2972", "--observations", "23"]
SURVEY = [*DECLARED, "--method", "one-round"]
LOCALISED = shlex.split("--low 0 --high 1 --epsilon 2 --users 5000 --observations 2000 --method paper")
KEYS = {
    "question", "digest", "question_bytes", "method", "reason", "round", "assumed", "epsilon", "steps",
    "promise", "device",
}  # fmt: skip
DEVICE_KEYS = {
    "observations", "computes", "report", "payload_bytes", "message_bytes", "relative_likelihood",
    "guaranteed_likelihood",
}  # fmt: skip


@pytest.fixture
def explain(sotto):
    return partial(sotto, "explain")


def test_raw_is_the_question_to_the_byte(explain):
    raw = explain(*SURVEY, "--raw").encode()
    found = result_of(explain(*SURVEY, "--json"))
    assert hashlib.sha256(raw).hexdigest() == found["digest"] == Question.from_bytes(raw).digest
    assert canonical.dumps(found["question"]) == raw
    assert found["question_bytes"] == len(raw)
    assert found["digest"] in explain(*SURVEY)


@pytest.mark.parametrize("method", every_method(named("mean")))
def test_for_programs(method, explain):
    found = result_of(explain(*DECLARED, "--method", method, "--collection", "3,4,5", "--json"))
    assert set(found) == KEYS
    assert set(found["device"]) == DEVICE_KEYS
    assert found["epsilon"]["asked"] == 1
    assert found["epsilon"]["certified"] <= found["epsilon"]["declared"]
    assert found["epsilon"]["declared"] == (23 if method == "full-item" else 1)
    assert 0 <= found["epsilon"]["slack"] < 1e-6
    assert found["device"]["observations"] == 3
    report = Report(**found["device"]["report"])
    assert report.question == found["digest"]
    assert len(report.payload) == 2 * found["device"]["payload_bytes"]
    assert len(report.to_bytes()) == found["device"]["message_bytes"]
    if method != "one-item":  # the device draws that one
        seen, sure = found["device"]["relative_likelihood"], found["device"]["guaranteed_likelihood"]
        assert sure[0] * (1 - 1e-9) <= seen[0] <= 1 + 1e-9 and 1 - 1e-9 <= seen[1] <= sure[1] * (1 + 1e-9)


def test_the_second_round_follows_from_the_own_collection(explain):
    first = result_of(explain(*LOCALISED, "--collection", ".2,.3,.4", "--json"))
    assert first["question"]["role"] == "vote"
    assert first["assumed"] is None
    second = result_of(explain(*LOCALISED, "--collection", ".2,.3,.4", "--round", "1", "--json"))
    assert second["question"]["role"] == "refine"
    assert second["assumed"] == {"code": "explain-assumed", "data": {"known": True}}
    placement = second["question"]["encoder"]["placement"]
    assert placement["low"][0] < 0.3 < placement["high"][0]
    assert second["device"]["computes"][0] == pytest.approx(0.3, abs=1e-4)
    shown = explain(*LOCALISED, "--round", "1")
    assert "assumed     everybody asked before held nothing, which counts as the middle" in shown
    assert "2,500 of 5,000 users" in shown


def test_the_word_mean_may_be_left_out(explain):
    assert explain("mean", *SURVEY) == explain(*SURVEY)


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_the_example_in_the_help_of_a_problem_works(problem, explain, tmp_path):
    shown = explain(problem.name, "--help").partition("examples:\n")[2]
    words = shown.replace("\\\n", "").splitlines()[0]
    centres = tmp_path / "centres.csv"
    centres.write_text("0,0\n1,1\n")
    found = result_of(explain(*shlex.split(words.replace("centres.csv", str(centres)))[2:], "--json"))
    assert found["method"] in problem.method_names
    assert found["device"] is None


def test_vectors(explain, tmp_path):
    words = ["vector", "--dimension", "2", "--low", "0", "--high", "8", "--epsilon", "1", "--users", "90"]
    words += ["--observations", "3", "--method", "one-round"]
    shown = explain(*words, "--collection", "1,2;3,4")
    assert "Your device, holding 2 observations" in shown
    assert "computes    2 (for the first of 2 groups" in shown
    path = tmp_path / "mine.csv"
    path.write_text("1,2\n3,4\n")
    assert result_of(explain(*words, "--collection-file", str(path), "--json"))["device"]["observations"] == 2
    assert result_of(explain(*words, "--collection", "", "--json"))["device"]["observations"] == 0
    assert 'Add --collection "0,0;0,0"' in explain(*words)


def test_a_question_within_a_group_looks_at_the_column_of_groups_too(explain, tmp_path):
    words = ["groups", "--groups", "a,b", "--memberships", "1", "--low", "1", "--high", "5", "--epsilon", "1"]
    path = tmp_path / "question.json"
    path.write_text(explain(*words, "--users", "90", "--observations", "3", "--raw"))
    device = result_of(explain("question", str(path), "--collection", "4,0;5,1;3,0", "--json"))["device"]
    assert device["observations"] == 3
    said = explain("question", str(path), "--collection", "4,5,3", code=2)
    assert "an observation has 2 numbers here" in said


@pytest.mark.parametrize("given, held", [("", 0), ("nan", 1), ("inf,-inf", 2), ("1e308, 1e308", 2), ("-3,-4", 2)])
def test_any_collection_has_an_answer_of_the_same_size(given, held, explain):
    found = result_of(explain(*SURVEY, "--collection", given, "--json"))["device"]
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
    rows = rows_of_text("1, 2;3\t4\n5,")
    assert rows == [[1, 2], [3, 4], [5]]
    assert observations(rows, 1) == [1, 2, 3, 4, 5]
    assert observations(rows[:2], 2) == rows[:2]
    assert rows_of_text(" \n") == observations([], 3) == []
    with pytest.raises(InvalidInput, match="row 3 of the collection has 1"):
        observations(rows, 2)

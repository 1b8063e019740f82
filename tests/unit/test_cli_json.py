"""One shape for ``--json``: what the commands print fits the published schema, and so do their errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sottovoce.cli import failures, main, terminal

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "schema" / "sotto-v2.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
MEAN = ["--low", "1", "--high", "5", "--epsilon", "1"]
PEOPLE = ["--users", "600", "--observations", "5"]
COLUMNS = ["--user", "who", "--value", "what"]
WELL: dict[str, list[str]] = {
    "estimate mean": ["FILE", *COLUMNS, *MEAN],
    "estimate quantiles": ["FILE", *COLUMNS, *MEAN],
    "estimate histogram": ["FILE", *COLUMNS, "--edges", "1,2,3,4,5", "--epsilon", "1"],
    "estimate several": ["FILE", "--user", "who", "--epsilon", "2", "--ask", "a: mean value=what low=1 high=5"],
    "plan mean": [*MEAN, *PEOPLE],
    "plan several": ["--users", "600", "--epsilon", "2", "--ask", "a: mean low=0 high=6 observations=5"],
    "simulate mean": [*MEAN, *PEOPLE, "--repetitions", "2"],
    "compare mean": [*MEAN, *PEOPLE, "--repetitions", "2", "--methods", "one-round"],
    "explain mean": [*MEAN, *PEOPLE, "--collection", "3,4"],
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
    "no such collection": (["explain", *MEAN, *PEOPLE, "--collection-file", "none.txt"], 2, "file"),
    "declined": (["explain", *MEAN, *PEOPLE, "--collection", "3", "--cap", "0.5"], 3, "declined"),
    "a command without it": (["completion"], 2, "usage"),
}


def check(printed: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(printed)
    trouble = [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)]
    assert trouble == []
    return document


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"u{user},{1 + (user * 7 + turn) % 5}\n" for user in range(300) for turn in range(3))
    (tmp_path / "data.csv").write_text(f"who,what\n{rows}")
    return str(tmp_path / "data.csv")


@pytest.mark.parametrize("command", WELL)
def test_what_a_command_prints_fits_the_schema(command: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [file if word == "FILE" else word for word in WELL[command]]
    assert main([*command.split(), *words, "--json"]) == 0
    document = check(capsys.readouterr().out)
    assert document["ok"] is True and document["command"] == command


@pytest.mark.parametrize("case", WRONG)
def test_an_error_fits_the_schema_and_keeps_its_exit_code(
    case: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words, exit_code, code = WRONG[case]
    given = [file if word == "FILE" else word for word in words]
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
    assert main(["explain", *MEAN, *PEOPLE, "--json"]) == 130
    assert check(capsys.readouterr().out)["error"]["code"] == "interrupted"


def test_json_without_unicode() -> None:
    words = [sys.executable, "-m", "sottovoce", "estimate", "mittelwärts", "--json"]
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=120, check=False)
    assert done.stdout.isascii() and "mittelwärts" in check(done.stdout)["error"]["message"]

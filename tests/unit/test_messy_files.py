"""Messy files: what is said names the fix, the fix works as typed, and no observed value is ever repeated."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.cli import main
from sottovoce.data import collections, csv_reader, read
from tests.unit.messy import MESSY, SECRET, Messy

SURVEY = ["--low", "0", "--high", "5", "--epsilon", "1", "--seed", "1"]
_FIX = re.compile(
    r"--(?:skip-bad|header \d+|separator (?:space|:)|encoding \w+|decimal [.,]|dates dmy)|"
    r"did you mean '(?P<sheet>Ratings)'"
)
Ran = tuple[int, str, str]


@pytest.fixture
def sotto(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def run(*words: str) -> Ran:
        code = main(list(words))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture(params=MESSY)
def case(request: pytest.FixtureRequest) -> Messy:
    return MESSY[request.param]


@pytest.fixture
def path(case: Messy, tmp_path: Path) -> Path:
    found = tmp_path / "my files" / case.name
    found.parent.mkdir()
    found.write_bytes(case.content)
    return found


def estimate(path: Path, columns: tuple[str, str], *more: str) -> list[str]:
    survey = SURVEY if "--low" not in more else SURVEY[4:]
    return ["estimate", "mean", str(path), "--user", columns[0], "--value", columns[1], *survey, *more]


def told(printed: str) -> str:
    """As one line; the truth and the numbers beside it are shown to whoever rehearses, and are no message."""
    return " ".join(line.strip() for line in printed.splitlines())


def test_what_is_said_names_the_fix_and_the_fix_works(case: Messy, path: Path, sotto: Any) -> None:
    code, out, err = sotto(*estimate(path, case.columns, *case.given))
    given, columns = list(case.given), case.columns
    if case.reads:
        assert code == 0 and re.search(case.says, told(out)), told(out) + err
    else:
        assert code == 2 and re.search(case.says, told(err)), err
        assert SECRET not in err and "Traceback" not in err
        columns = case.other_columns or columns
        if case.edit is not None:
            path, given = case.edit(path), given if "--low" in given else []
        elif (fix := _FIX.search(told(err))) and fix["sheet"]:
            given = ["--sheet", fix["sheet"]]
        elif fix:
            given += fix[0].split()
        code, out, err = sotto(*estimate(path, columns, *given))
        assert code == 0, err
    assert "warning" not in err
    held = collections(read(path, user=columns[0], **stated(given)), value=columns[1])
    users = [held.values[first:last, 0].tolist() for first, last in pairwise(held.offsets)]
    assert len(users) == len(case.fixed)
    for own, expected in zip(users, case.fixed, strict=True):
        np.testing.assert_allclose(own, expected, rtol=1e-12)


def stated(words: list[str]) -> dict[str, Any]:
    names = ("separator", "encoding", "decimal", "dates", "sheet", "header")
    found: dict[str, Any] = {name: words[words.index(f"--{name}") + 1] for name in names if f"--{name}" in words}
    if "header" in found:
        found["header"] = int(found["header"])
    return found | ({"skip_bad": True} if "--skip-bad" in words else {})


@pytest.mark.parametrize("case", [one for one in MESSY.values() if "--skip-bad" in one.says])
def test_what_was_skipped_is_counted_by_line_and_never_shown(case: Messy, path: Path, sotto: Any) -> None:
    code, out, _ = sotto(*estimate(path, case.columns, *case.given, "--skip-bad"))
    assert code == 0
    warned = told(out.partition("warning")[2].partition("rehearsal")[0])
    assert re.search(r"(counts? as missing|left out, [a-z ]+) \((line|row)s? [\d, …]+\)", warned), warned
    assert SECRET not in warned
    answer = sv.mean(
        sv.read(path, user=case.columns[0], skip_bad=True), value=case.columns[1], low=0, high=5, epsilon=1.0, seed=1
    )
    assert any(re.search("line|row", warning) for warning in answer.warnings)
    assert not any(SECRET in warning for warning in answer.warnings)


def test_look_reads_it_and_every_command_works_as_typed(case: Messy, path: Path, sotto: Any) -> None:
    code, out, err = sotto("look", str(path), *(case.given if "--sheet" in case.given else []))
    assert SECRET not in out + err
    if not case.looks:
        assert code == (0 if "separator" in case.says else 2), out + err
        return
    assert code == 0, err
    commands = [line.strip() for line in out.splitlines() if line.startswith("  sotto ")]
    assert "a survey would not see them" in told(out)
    assert commands, out
    for command in commands:
        name, *words = shlex.split(command)
        assert name == "sotto"
        code, _, err = sotto(*words, *(["--seed", "1"] if words[0] == "estimate" else []))
        assert code == 0, (command, err)


def test_both_readers_say_the_same(case: Messy, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def outcome() -> Any:
        found: list[Any] = []
        for skip in (False, True):
            try:
                held = collections(read(path, skip_bad=skip), user=case.columns[0], value=case.columns[1])
                found.append((held.values.tobytes(), held.offsets.tolist(), sv.reading_of(held)))
            except sv.SottovoceError as error:
                found.append((str(error), error.__context__ or error.__cause__))
        return found

    fast = outcome()
    assert all(len(one) == 3 or one[1] is None for one in fast), "an error behind the error might quote a value"
    monkeypatch.setattr(csv_reader, "find_spec", lambda name: None)
    assert fast == outcome()

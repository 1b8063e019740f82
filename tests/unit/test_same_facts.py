"""Library, text, JSON and page give the same facts: every problem, plain, by group, together, with a range to find, as
planned and from tallies.

The file has what there is something to say of: users without data, odd cells, rows that are too short, semicolons.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.answers import Answer, Note, NoteCode, key, lines_in_words
from sottovoce.checks import made_up
from sottovoce.cli import main
from sottovoce.engines import answer_from_tallies, simulate
from sottovoce.messages import columns
from sottovoce.planning import load, plan
from sottovoce.problems import Problem, described, named, problems, read
from sottovoce.rehearsal import Request, Result, SeveralRequest, rehearse
from tests.support.transcripts import manifest_of, transcript_of

USERS = 120
RANGE = {"low": 0.0, "high": 24.0}
PLACES = tuple((x / 2 - 1, y / 2 - 1) for x in range(5) for y in range(5))
OWN: dict[str, tuple[list[str], dict[str, Any]]] = {
    "mean": (["hour"], RANGE),
    "histogram": (["hour"], RANGE | {"bins": 4}),
    "quantiles": (["hour"], RANGE),
    "cdf": (["hour"], RANGE | {"points": (6.0, 12.0)}),
    "vector": (["x", "y"], {"ball": "l2", "radius": 2.0}),
    "sparse": (["x", "y"], {"sparsity": 1}),
    "density": (["hour"], RANGE | {"smoothness": 2.0}),
    "mixture": (["toss"], {"components": 2, "low": 0.0, "high": 1.0, "observations": 10}),
    "cover": (["x", "y"], {"centres": PLACES}),
    "range": (["hour"], {}),
    "groups": (["hour"], RANGE | {"by": "team"}),
}
"""Columns and settings of each."""
BY = {"by": "team"}
DECLARED = BY | {"groups": ("A", "B"), "memberships": 1, "observations": 5}
MORE: dict[str, dict[str, Any]] = {
    "plain": {},
    "by": BY,
    "by-declared": DECLARED,
    "symbol": {"empty": "symbol"},
    "find-range": {"find_range": 0.3},
    "find-range-by": BY | {"find_range": 0.3},
}
"""How each is asked, in how many ways it can."""


def ways(problem: Problem[Any]) -> Iterator[str]:
    yield "plain"
    yield from ("by", "by-declared", "symbol", "find-range-by") if problem.by_group else ()
    yield from ("find-range",) if problem.finds_range else ()


ASKED = [(problem.name, way) for problem in problems() for way in ways(problem)]
ALONE = [problem.name for problem in problems()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    stream = np.random.default_rng(5)
    rows = [["who", "x", "y", "toss", "hour", "team"]]
    for user in range(USERS):
        if user % 50 == 7:
            rows.append([f"u{user}", "", "", "", "", ""])
            continue
        for place in range(3 + user * 7 % 9):
            cells = [f"u{user}", *(f"{number:.5f}" for number in stream.normal((0.4, -0.3), 0.3))]
            cells += [str(int(stream.random() < 0.2 + 0.6 * (user % 2))), f"{26 * stream.beta(4, 4):.4f}"]
            cells.append("ABC"[(user + (place > 4)) % 3])
            if place == 1 and user % 40 == 3:
                cells[1:5] = ["oops"] * 4
            rows.append(cells[:4] if place == 2 and user % 90 == 4 else cells)
    made = tmp_path_factory.mktemp("facts")
    (made / "table.csv").write_text("".join(";".join(cells) + "\n" for cells in rows), encoding="utf-8")
    (made / "places.csv").write_text("".join(f"{x},{y}\n" for x, y in PLACES), encoding="utf-8")
    return made


def typed(folder: Path, settings: dict[str, Any]) -> list[str]:
    words = []
    for name, given in settings.items():
        text = ",".join(map(str, given)) if isinstance(given, tuple) else str(given)
        words += [f"--{name.replace('_', '-')}", str(folder / "places.csv") if name == "centres" else text]
    return words


class Said:
    """What a command says, in its three ways."""

    def __init__(self, words: list[str], page: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([*words, "--html", str(page)]) == 0
        self.text = capsys.readouterr().out
        self.page = page.read_text(encoding="utf-8")
        assert main([*words, "--json"]) == 0
        self.document: dict[str, Any] = json.loads(capsys.readouterr().out)

    @property
    def result(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document["result"]
        return found


@pytest.fixture
def sotto(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: Said(list(words), folder / "page.html", capsys)


def plain(text: str) -> str:
    return " ".join(text.split())


def told_on(page: str) -> list[tuple[str, str]]:
    found = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", page, flags=re.DOTALL)
    return [(plain(html.unescape(name)), plain(_bare(text))) for name, text in found]


def _bare(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", markup))


def check(said: Said, answer: Answer, *, of: str) -> None:
    """All that an answer says stands in the text and on the page, and every note in the envelope and in words."""
    text, page = plain(said.text), plain(_bare(said.page))
    for name, line in lines_in_words(row for row in answer.lines(of=of) if key(row[0]) not in answer.pictured):
        assert plain(line) in text, name
        assert plain(line) in page or name == "", name
    envelope = [Note.from_plain(note) for note in said.document["notes"]]
    for note in answer.notes:
        assert note in envelope and plain(str(note)) in text and plain(str(note)) in page, note


def check_beside(said: Said, found: Result) -> None:
    """What stands beside answers stands in all three; text and page have the same lines."""
    text, named = plain(said.text), told_on(said.page)
    for name, line in named:
        assert plain(f"{name} {line}") in text, name
    labels = {name for name, _ in named}
    for name in ("reading", "rehearsal", "planned", "simulated", "split", "survey", "data", "method", "privacy"):
        assert (re.search(rf"^{name} ", said.text, flags=re.MULTILINE) is not None) == (name in labels), name
    result = said.result
    assert result["seed"] == found.seed and ("simulated" in labels) == (found.seed is not None)
    assert result.get("reading") == (None if found.reading is None else found.reading.to_dict())
    assert ("reading" in labels) == (found.reading is not None)  # the file has semicolons
    assert ("planned" in labels) == ("planned" in result) == (found.plan is not None)
    assert ("survey" in labels) == ("survey" in result) == bool(found.announced)
    assert read(result) == found.answer
    parts = [(result["answers"][name], one) for name, one in found.parts] or [(result, found)]
    for own, one in parts:
        assert own.get("observations") == one.observations
        assert json.loads(json.dumps(one.answer.details())).keys() <= own.keys()
    noted = any(NoteCode.OBSERVATIONS_LOOKED_UP in one.answer.note_codes for _, one in parts)
    assert ("rehearsal" in labels) == noted


@pytest.mark.parametrize(("name", "way"), ASKED, ids=[" ".join(one) for one in ASKED])
def test_one_answer(name: str, way: str, folder: Path, sotto: Any) -> None:
    value, given = OWN[name]
    settings = given | MORE[way]
    if "find_range" in settings:
        settings = {one: setting for one, setting in settings.items() if one not in RANGE}
    file = str(folder / "table.csv")
    words = ["estimate", name, file, "--user", "who", "--value", ",".join(value), "--epsilon", "4", "--seed", "3"]
    said = sotto(*words, "--skip-bad", *typed(folder, settings))
    column: Any = value if len(value) > 1 else value[0]
    asked = {"user": "who", "value": column, "epsilon": 4.0, "seed": 3} | settings
    answer = getattr(sv, named(name).function)(sv.read(file, skip_bad=True), **asked)
    found = rehearse(Request.of(named(name), file, **asked, skip_bad=True))
    assert found.answer == answer
    check(said, answer, of=", ".join(value))
    check_beside(said, found)
    codes = answer.note_codes
    assert {NoteCode.ROWS_LEFT_OUT, NoteCode.ODD_CELLS, NoteCode.CELLS_MISSING} <= codes
    assert (NoteCode.GROUPS_LOOKED_UP in codes) == ("by" in settings and "groups" not in settings)
    assert (NoteCode.IN_SEVERAL_GROUPS in codes) == (way == "by-declared")
    looked_up = found.observations is not None and "observations" not in settings
    assert (NoteCode.OBSERVATIONS_LOOKED_UP in codes) == looked_up


@pytest.mark.thin(2)
@pytest.mark.parametrize("name", ALONE)
def test_as_planned(name: str, folder: Path, sotto: Any) -> None:
    value, given = OWN[name]
    taken = {field.name for field in described(named(name).settings)}
    sizes = {"users": 300, "observations": 6, "dimension": len(value)}
    settings = {one: count for one, count in sizes.items() if one in taken} | given | {"epsilon": 4.0}
    by = settings.pop("by", None)
    settings |= {} if by is None else {"groups": ("A", "B", "C"), "memberships": 1}
    made, file = folder / "plan.toml", str(folder / "table.csv")
    plan(problem=name, **settings).save(str(made))
    words = ["estimate", "--plan", str(made), file, "--user", "who", "--value", ",".join(value), "--skip-bad"]
    said = sotto(*words, *([] if by is None else ["--by", by]), "--seed", "3")
    request = Request.of_plan(load(str(made)), file, user="who", value=value, by=by, seed=3, skip_bad=True)
    found = rehearse(request)
    check(said, found.answer, of=", ".join(value))
    check_beside(said, found)
    assert found.survey.users == USERS and said.result["planned"]["users"] == 300
    assert (NoteCode.IN_SEVERAL_GROUPS in found.answer.note_codes) == (by is not None)
    assert not {NoteCode.GROUPS_LOOKED_UP, NoteCode.OBSERVATIONS_LOOKED_UP} & found.answer.note_codes


def test_several_at_once(folder: Path, sotto: Any) -> None:
    file, asks, words = str(folder / "table.csv"), {}, []
    for name, (value, given) in OWN.items():
        if len(value) == 1 and "by" not in given:
            asks[f"the {name}"] = sv.ask(name, value=value[0], **given)
            settings = (f"{one}={','.join(map(str, np.atleast_1d(setting)))}" for one, setting in given.items())
            words += ["--ask", f"the {name}: {name} value={value[0]} {' '.join(settings)}"]
    said = sotto("estimate", "several", file, "--user", "who", "--epsilon", "4", "--seed", "3", "--skip-bad", *words)
    data = sv.read(file, user="who", skip_bad=True)
    answers = sv.several(data, asks, epsilon=4.0, seed=3)
    found = rehearse(SeveralRequest(data=data, asks=asks, epsilon=4.0, seed=3))
    assert found.answer == answers and len(answers) == 7
    for name, answer in answers.items():
        check(said, answer, of=name)
    check_beside(said, found)


@pytest.mark.parametrize("name", ALONE)
def test_from_tallies(name: str, folder: Path, sotto: Any) -> None:
    """With a report that was exported and is lost."""
    problem = named(name)
    settings = problem.example_survey(problem.examples[-1], epsilon=4.0)
    manifest = manifest_of(settings, columns=() if hasattr(settings, "names") else ("what",))
    _, asked, tallies = transcript_of(manifest, simulate(made_up(settings, seed=1), seed=1))
    out = folder / name
    out.mkdir()
    (out / "manifest.json").write_bytes(manifest.to_bytes())
    for number, (question, tally) in enumerate(zip(asked, tallies, strict=True), 1):
        place, lost = out / f"round-{number}", int(number == 1)
        place.mkdir()
        files = [("there.parquet", sum(tally.reports) // question.uses), ("lost.parquet", lost)]
        noted = columns.RoundSummary.of(files, tally.to_bytes() + b" " * lost)
        parts: dict[str, Any] = {"question": question, "tally": tally, "round": noted}
        for title, held in parts.items():
            (place / f"{title}.json").write_bytes(held.to_bytes())
        (place / "there.parquet").touch()
    said = sotto("estimate", "--from-tally", str(out))
    answer: Any = read(said.result)
    own = answer_from_tallies(manifest, list(zip(asked, tallies, strict=True)))
    (note,) = [one for one in answer.notes if one not in own.notes]
    assert note.code == NoteCode.REPORTS_MISSING and (note["missing"], note["lost"]) == (1, ("lost.parquet",))
    check(said, answer, of=", ".join(manifest.columns))
    check_beside(said, Result(answer=answer, survey=settings, announced=manifest.digest))
    assert said.result["survey"] == manifest.digest

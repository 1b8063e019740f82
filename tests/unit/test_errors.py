"""An error says once what is wrong and once what to do; programs read both, and its code, and never its message."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sottovoce.cli.failures import failure_of
from sottovoce.messages import (
    Declined,
    InvalidInput,
    Malformed,
    MissingExtra,
    SottovoceError,
    short_number,
    without_powers,
)
from sottovoce.service.errors import Refused

SOURCE = Path(__file__).parents[2] / "src" / "sottovoce"
MADE = {
    "the file holds no transcript": (InvalidInput("the file holds no transcript"), ""),
    "cannot read 'a.zip': unpack it first": (InvalidInput("cannot read 'a.zip':", fix="unpack it first"), None),
    "a cell is odd; numbers: alone": (InvalidInput("a cell is odd", fix="numbers: alone"), "numbers: alone"),
    "edges must be numbers": (InvalidInput(rule="edges must be numbers"), None),
    "a share, from 0 to below 1; got 2.0": (InvalidInput(rule="a share, from 0 to below 1", got=2.0), None),
    "a name is wanted; got None": (InvalidInput(rule="a name is wanted", got=None), None),
    "two or more; this is empty": (InvalidInput(rule="two or more", wrong="this is empty"), "two or more"),
    "a level; got 95; 0.95?": (InvalidInput(rule="a level", got=95, fix="0.95?"), "0.95?"),
    "no column 'x'; it has 'a'": (InvalidInput("no column 'x'; it has 'a'", fix="it has 'a'"), "it has 'a'"),
    "declare one of: edges, or bins": (InvalidInput(fix="declare one of: edges, or bins"), None),
    "plots need matplotlib": (MissingExtra("plots need matplotlib"), ""),
    "": (Malformed(), ""),
}


@pytest.mark.parametrize("message", MADE)
def test_a_message_is_made_of_what_is_wrong_and_what_to_do(message: str) -> None:
    error, fix = MADE[message]
    assert str(error) == message
    assert error.fix in message and (error.fix == fix if fix is not None else error.fix)


def test_codes_are_those_of_the_class_unless_there_is_a_narrower_one() -> None:
    plain = InvalidInput("no")
    assert (SottovoceError().code, plain.code, Malformed().code) == ("failed", "invalid-input", "malformed")
    assert plain.fields == {} and MissingExtra("x", extra="plot").code == "missing-extra"
    narrow = InvalidInput("no", code="unknown-column", fields={"columns": ("x",)})
    assert narrow.code == "unknown-column" and narrow.fields == {"columns": ("x",)}
    assert InvalidInput("again").code == "invalid-input"


def test_errors_survive_another_process() -> None:
    made = InvalidInput(rule="a level", got=95, fix="did you mean 0.95?", code="unknown-choice", fields={"q": 95})
    read = pickle.loads(pickle.dumps(made))  # noqa: S301 - what was made on the line above
    assert (str(read), vars(read)) == (str(made), vars(made))


def test_the_command_that_installs_an_extra_is_its_fix_and_a_decline_is_told_without_its_code() -> None:
    error = MissingExtra("plots need matplotlib", extra="plot")
    assert str(error) == f"plots need matplotlib: {error.fix}" and error.fix.endswith('install "sottovoce[plot]"')
    no = Declined("over-budget", "it would be 3: above 2")
    told = ("over-budget: it would be 3: above 2", "over-budget", "it would be 3: above 2")
    assert (str(no), no.code, no.detail) == told


def test_what_a_collector_refuses_says_what_to_do_apart() -> None:
    error = Refused(status=404, code="not-found", message="there is nothing here", do="read /openapi.json")
    told = failure_of(error, command="sotto survey")
    assert (str(error), told.fix) == ("there is nothing here", "read /openapi.json")
    assert told.lines == ["sotto: there is nothing here", "read /openapi.json"]


def test_a_fix_is_not_said_twice() -> None:
    told = failure_of(InvalidInput("too few", fix="ask more users"), command="sotto plan")
    assert (told.message, told.fix) == ("too few; ask more users", "ask more users")
    assert told.lines == ["sotto: too few; ask more users", "see sotto plan --help"]
    told = failure_of(InvalidInput("too few"), command="sotto plan")
    assert told.fix == "see sotto plan --help" and told.lines == ["sotto: too few", "see sotto plan --help"]


READS = re.compile("(starts|ends)with|replace|r?partition|split|remove(pre|suf)fix|find")


def _read(tree: ast.AST) -> Iterator[int]:
    """Lines that look into the text of an exception that was caught."""
    for handler in (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name):
        for node in (inner for statement in handler.body for inner in ast.walk(statement)):
            if isinstance(node, ast.Compare):
                looked = [node.left, *node.comparators]
            elif isinstance(node, ast.Attribute) and READS.fullmatch(node.attr):
                looked = [node.value]
            elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
                looked = [*node.args]
            else:
                continue
            if any(ast.unparse(one) in (f"str({handler.name})", f"{handler.name}.args[0]") for one in looked):
                yield node.lineno


def test_nobody_looks_into_a_message() -> None:
    rooms = ("cli", "service", "calls", "data", "client", "problems", "engines", "messages")
    texts = {path: path.read_text(encoding="utf-8") for room in rooms for path in (SOURCE / room).rglob("*.py")}
    caught = {path: ast.parse(text) for path, text in texts.items() if re.search(r"\bexcept\b[^:]*\bas\b", text)}
    assert not {f"{path}:{line}" for path, tree in caught.items() for line in _read(tree)}


def test_a_look_into_a_message_is_noticed() -> None:
    text = "try:\n    pass\nexcept ValueError as error:\n    {}\n"
    for look in ("'a' in str(error)", "str(error).startswith('a')", "re.search('a', str(error))"):
        assert list(_read(ast.parse(text.format(look)))) == [4]
    assert not list(_read(ast.parse(text.format("print(str(error)[:200])"))))


@pytest.mark.parametrize(
    ("number", "shown"),
    [(1234567.0, "1200000"), (9.5e11, "950000000000"), (2e12, "2e+12"), (0.0351, "0.035"), (-1440.0, "-1400")],
)
def test_two_digits_say_something(number: float, shown: str) -> None:
    assert short_number(number) == shown and short_number(0) == "0"


def test_only_powers_of_ten_are_written_out() -> None:
    assert without_powers("± 2.319e+04 on average, 1e-09, 3e+120") == "± 23190 on average, 1e-09, 3e+120"

"""The command as a whole: help, exit codes, pipes, colour."""

import importlib.metadata
import re
import subprocess
import sys

import pytest

from sottovoce import __version__
from sottovoce.baselines import baselines
from sottovoce.cli import main
from sottovoce.problems import problems

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

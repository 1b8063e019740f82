"""A page as a reader walks through it: files are saved, commands typed in order, and what they print is compared.

In a ``console`` block a line that begins with ``$`` is typed; what follows is shown. ``…`` stands for anything, alone
on a line for any lines. Numbers may differ by a little, since other versions of numpy draw and add a little
differently; words may not. A Python block with a caption is a file of that name. What the collector does by itself
takes it a moment: commands that only look are typed again until they show it, as a reader would.

``python -m tests.docs.walk tutorial.md`` walks through a page and writes into it what is printed where that differs: as
many lines as were shown before a ``…``, or all. Read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.docs.page import DOCS, Page

_BLOCK = re.compile(
    r"```(?:\{code-block\} python\n:caption: (?P<file>\S+)\n\n(?P<text>.*?)|console\n(?P<typed>.*?))```", re.DOTALL
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
_SURVEY = re.compile(r"^survey\s+([0-9a-f]{64})$", re.MULTILINE)
NEAR = 0.05
LOOKS = ("sotto survey list", "sotto survey show")
PATIENCE_SECONDS = 300


@dataclass(frozen=True)
class Typed:
    """A command and what the page shows of its output; None where it shows nothing at all."""

    command: str
    shown: str


def steps(page: Page) -> Iterator[tuple[str, str] | Typed]:
    """Files as (name, text), and commands."""
    for block in _BLOCK.finditer(page.text):
        if block["file"]:
            yield block["file"], block["text"]
            continue
        for part in re.split(r"^\$ ", block["typed"], flags=re.MULTILINE)[1:]:
            lines = part.split("\n")
            last = next(number for number, line in enumerate(lines) if not line.endswith("\\"))
            yield Typed("\n".join(lines[: last + 1]), "\n".join(lines[last + 1 :]).strip("\n"))


def differs(shown: str, printed: str) -> str | None:
    """Why what was printed is not what is shown; None where it is."""
    pattern, numbers = "", []
    for line in shown.split("\n"):
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*?"
            continue
        for part in re.split(r"(…)", line.rstrip()):
            if part == "…":
                pattern += r"[^\n]*?"
                continue
            place = 0
            for number in _NUMBER.finditer(part):
                pattern += re.escape(part[place : number.start()]) + f"({_NUMBER.pattern})"
                numbers.append(number[0])
                place = number.end()
            pattern += re.escape(part[place:])
        pattern += r"[ ]*\n"
    found = re.fullmatch(pattern, printed.strip("\n") + "\n") if shown else True
    if found is None:
        return f"shown:\n{shown}\n\nprinted:\n{printed}"
    if found is True:
        return None
    apart = [(told, seen) for told, seen in zip(numbers, found.groups(), strict=True) if not _near(told, seen)]
    return f"numbers shown and printed: {apart}\n{printed}" if apart else None


def _near(told: str, seen: str) -> bool:
    one, other = (float(number.replace(",", "")) for number in (told, seen))
    return abs(one - other) <= NEAR * max(abs(one), abs(other))


@dataclass
class Walk:
    """A reader in an empty folder, with ``sotto`` and ``python`` on the PATH."""

    folder: Path
    survey: str = "ID"
    port: int = 0
    serving: list[subprocess.Popen[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        programs = self.folder / ".bin"
        programs.mkdir()
        for name, words in (("sotto", [sys.executable, "-m", "sottovoce"]), ("python", [sys.executable])):
            (programs / name).write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
            (programs / name).chmod(0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        home = self.folder / ".home"
        home.mkdir()
        self.environment = os.environ | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "HOME": str(home),
            "XDG_DATA_HOME": str(home),
            "COLUMNS": "100",
            "PYTHONIOENCODING": "utf-8",
        }

    def through(self, page: Page) -> Iterator[tuple[Typed, str, str | None]]:
        """Every command, in order: as it is shown, what it printed, and why that differs."""
        try:
            for step in steps(page):
                if isinstance(step, tuple):
                    (self.folder / step[0]).write_text(step[1], encoding="utf-8")
                    continue
                yield step, *self._compared(step)
        finally:
            self.stop()

    def _compared(self, step: Typed) -> tuple[str, str | None]:
        until = time.monotonic() + (PATIENCE_SECONDS if step.command.startswith(LOOKS) else 0)
        while True:
            printed = self.typed(step.command).replace(f":{self.port}", ":8000")
            why = differs(step.shown, printed)
            if why is None or time.monotonic() >= until:
                return printed, why
            time.sleep(0.5)

    def typed(self, command: str) -> str:
        """What it prints, errors too, as on a terminal."""
        command = re.sub(r"\bID\b", self.survey, command).replace(":8000", f":{self.port}")
        if command.startswith("sotto serve"):
            return self._serve(command)
        ran = subprocess.run(
            ["/bin/bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        if (made := _SURVEY.search(ran.stdout)) is not None:
            self.survey = made[1][:12]
        return ran.stdout

    def _serve(self, command: str) -> str:
        log = self.folder / ".served"
        with log.open("w") as said:
            words = shlex.split(f"{command} --port {self.port}")
            started = subprocess.Popen(
                words, cwd=self.folder, env=self.environment, stdout=said, stderr=said, text=True
            )
        self.serving.append(started)
        until = time.monotonic() + PATIENCE_SECONDS
        while "listening" not in log.read_text() and time.monotonic() < until and started.poll() is None:
            time.sleep(0.05)
        return log.read_text()

    def stop(self) -> None:
        for one in self.serving:
            one.terminate()
            one.wait(PATIENCE_SECONDS)
        self.serving.clear()


def rewritten(page: Page, folder: Path) -> str:
    """The page with what its commands print, where that differs from what it shows."""
    text, place = page.text, 0
    for step, printed, why in Walk(folder).through(page):
        start = text.index(f"$ {step.command}\n", place) + len(step.command) + 3
        place = start + len(step.shown)
        lines = [line.rstrip() for line in printed.strip("\n").split("\n")]
        if why is not None or (not step.shown and any(lines)):
            kept = step.shown.split("\n")
            cut = kept.index("…") if "…" in kept else None
            told = "\n".join(lines if cut is None else [*lines[:cut], "…"])
            told += "\n" if not step.shown else ""
            text = text[:start] + told + text[place:]
            place = start + len(told)
    return text


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as made:
            (DOCS / name).write_text(rewritten(Page(name), Path(made)), encoding="utf-8")

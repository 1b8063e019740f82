"""Read ``requirements/dev.txt``: what was locked, by whom each package is wanted, and what of it runs."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OURSELVES = "sottovoce"


@dataclass(frozen=True, kw_only=True)
class Locked:
    """One package: a version, the SHA-256 of each of its files, and the packages that ask for it."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    wanted_by: tuple[str, ...]

    @property
    def line(self) -> str:
        """As pip reads it."""
        only = f" ; {self.marker}" if self.marker else ""
        return f"{self.name}=={self.version}{only} " + " ".join(f"--hash=sha256:{one}" for one in self.hashes)


def locked(file: Path) -> dict[str, Locked]:
    """Every package of a lock file, by name."""
    found = {}
    for part in re.split(r"^(?=[a-z0-9])", file.read_text(encoding="utf-8"), flags=re.MULTILINE):
        head = re.match(r"([a-z0-9._-]+)==(\S+)(?: ; ([^\\\n]*))?", part)
        if head is not None:
            above = part.partition("# via")[2]
            found[head[1]] = Locked(
                name=head[1],
                version=head[2],
                marker=(head[3] or "").strip(),
                hashes=tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", part)),
                wanted_by=tuple(re.findall(r"^[ #]*([a-z0-9._-]+)", above, flags=re.MULTILINE)),
            )
    return found


def running(root: Path, *, extra: str = "all") -> dict[str, Locked]:
    """What an installation with this extra brings: what we ask for, what that asks for, and so on."""
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    everything = locked(root / "requirements" / "dev.txt")
    ours = {name for wanted in _asked(project, extra) if (name := _name(wanted)) != OURSELVES}
    while True:
        more = {name for name, one in everything.items() if ours.intersection(one.wanted_by)} - ours
        if not more:
            return {name: everything[name] for name in sorted(ours)}
        ours |= more


def direct(root: Path, *, extra: str = "all") -> set[str]:
    """What we ask for ourselves."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {name for wanted in _asked(project, extra) if (name := _name(wanted)) != OURSELVES}


def _asked(project: dict[str, Any], extra: str) -> list[str]:
    asked = list(project["dependencies"])
    for wanted in project["optional-dependencies"][extra]:
        own = re.fullmatch(rf"{OURSELVES}\[([\w,-]+)\]", wanted)
        if own is None:
            asked.append(wanted)
        else:
            asked += [one for name in own[1].split(",") for one in project["optional-dependencies"][name]]
    return asked


def _name(wanted: str) -> str:
    return re.split(r"[^\w-]", wanted, maxsplit=1)[0].lower().replace("_", "-")

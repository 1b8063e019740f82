"""A page of the documentation: its blocks, its commands, its links, and what a reader would compare."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sottovoce.cli import main

DOCS = Path(__file__).parents[2] / "docs"
_NUMBER = r"-?\d[\d,.]*"


@dataclass(frozen=True)
class Page:
    """One file under `docs`."""

    name: str

    @cached_property
    def text(self) -> str:
        return (DOCS / self.name).read_text(encoding="utf-8")

    def blocks(self, language: str) -> list[str]:
        return re.findall(rf"```{language}\n(.*?)```", self.text, flags=re.DOTALL)

    @property
    def commands(self) -> list[str]:
        """Without the name of the program."""
        return re.findall(r"^sotto (.*)$", self.text, flags=re.MULTILINE)

    def links(self) -> list[Path]:
        """Files that the page points to."""
        found = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", self.text)
        return [(DOCS / self.name).parent / target for target in found if "://" not in target]

    def run(self, block: str, names: dict[str, object] | None = None) -> None:
        """A block of Python, as a reader would paste it."""
        exec(compile(block, self.name, "exec"), {} if names is None else names)


def typed(command: str) -> int:
    """The command, as a reader would type it."""
    return main(shlex.split(command))


def words(text: str) -> str:
    """Without numbers, line breaks and the picture, all of which may move a little."""
    return re.sub(r"\s+", " ", re.sub(_NUMBER, "#", _told(text)))


def _told(text: str) -> str:
    """Plain words, and what follows the picture that stands between empty lines."""
    first, _, *rest = [*text.strip().split("\n\n"), ""]
    return "\n".join([first, *rest])


def figures(label: str, text: str) -> list[float]:
    """The numbers in the line of this label, up to what stands in brackets."""
    words, *_, numbers = text.strip().split("\n\n")
    lines = [*numbers.splitlines(), *words.splitlines()]
    line = next(line for line in lines if line.strip().startswith(f"{label} "))
    told = line.strip().removeprefix(label).partition("(")[0]
    return [float(number.rstrip(",.").replace(",", "")) for number in re.findall(_NUMBER, told)]

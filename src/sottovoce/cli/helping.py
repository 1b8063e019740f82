"""How help pages are laid out, also on a narrow terminal."""

from __future__ import annotations

import argparse
import re
import textwrap


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the layout of descriptions and examples while they fit, and wraps what does not."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = text.splitlines()
        if not lines or max(map(len, lines)) <= max(width, 1) + 2:  # argparse leaves two columns free
            return super()._fill_text(text, width, indent)
        return "\n".join(f"{indent}{line}" for line in _wrapped(lines, width))


def _wrapped(lines: list[str], width: int) -> list[str]:
    """Paragraphs filled again; what is indented, a command, goes on before an option with a backslash."""
    found: list[str] = []
    held: list[str] = []

    def close() -> None:
        if held:
            found.extend(textwrap.wrap(" ".join(held), width, break_long_words=False, break_on_hyphens=False))
            held.clear()

    joined = re.sub(r" *\\\n\s+", " ", "\n".join(lines)).split("\n")
    for line in joined:
        if line.startswith("  "):
            close()
            found.extend(_command(line, width))
        elif not line.strip() or line.endswith(":"):
            close()
            found.append(line)
        else:
            held.append(line)
    close()
    return found


def _command(line: str, width: int) -> list[str]:
    margin = " " * (len(line) - len(line.lstrip()))
    words = re.split(r" (?=--|\||>|#)", line.strip())
    lines = [f"{margin}{words[0]}"]
    for word in words[1:]:
        if len(lines[-1]) + len(word) + 3 > width:
            lines[-1] += " \\"
            lines.append(f"{margin}    {word.strip()}")
        else:
            lines[-1] += f" {word}"
    return lines

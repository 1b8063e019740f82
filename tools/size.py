"""How large the code is, by room: ``python -m tools.size [FOLDER …]``. What is in a clone only counts as well.

What is counted is the parsed code: files that are merged, moved or laid out in another way count the same, however long
their texts and comments are. ``size_limits.toml`` says how large it may be.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = Path(__file__).with_name("size_limits.toml")
SOURCES = ("src/sottovoce", "laboratory")
"""What is limited together: code that leaves the package for the laboratory is no smaller for it."""
COUNTED = ("files", "expressions", "statements", "functions", "classes", "imports", "raised_sentences")


def size_of(source: str) -> Counter[str]:
    """Of one file. Statements are counted without docstrings and imports; a raised sentence has three words or more."""
    found: Counter[str] = Counter(files=1)
    for node in ast.walk(ast.parse(source)):
        imports = isinstance(node, (ast.Import, ast.ImportFrom))
        found["imports"] += imports
        found["expressions"] += isinstance(node, ast.expr)
        found["statements"] += isinstance(node, ast.stmt) and not imports and not _is_docstring(node)
        found["functions"] += isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        found["classes"] += isinstance(node, ast.ClassDef)
        found["raised_sentences"] += isinstance(node, ast.Raise) and any(map(_is_sentence, ast.walk(node)))
    return found


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and _text(node.value) is not None


def _is_sentence(node: ast.AST) -> bool:
    text = _text(node)
    return text is not None and text.count(" ") >= 2


def _text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def rooms(folder: Path) -> dict[str, Counter[str]]:
    """The sizes of what stands directly in a folder: rooms, and files outside of any."""
    found: dict[str, Counter[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        room = path.relative_to(folder).parts[0]
        found.setdefault(room, Counter()).update(size_of(path.read_text(encoding="utf-8")))
    return found


def whole(*folders: Path) -> Counter[str]:
    """The size of some folders together."""
    return sum((size for folder in folders for size in rooms(folder).values()), Counter())


def limits() -> dict[str, int]:
    """What all of `SOURCES` together may hold at most."""
    return tomllib.loads(LIMITS.read_text(encoding="utf-8"))


def above(root: Path = ROOT) -> list[str]:
    """What is larger than it may be, a sentence each."""
    size = whole(*(root / folder for folder in SOURCES))
    return [
        f"{' and '.join(SOURCES)} hold {size[what]:,} {what}, {size[what] - most:,} more than the limit of {most:,}"
        for what, most in limits().items()
        if size[what] > most
    ]


def main() -> None:
    """Print a line for each room of the package and one for the laboratory, or for each room of the folders named."""
    rows = dict[str, Counter[str]]()
    package, laboratory = (ROOT / folder for folder in SOURCES)
    for folder in map(Path, sys.argv[1:] or [str(package)]):
        if not folder.is_dir():
            sys.exit(f"no such folder: {folder}")
        rows |= rooms(folder)
    if not sys.argv[1:]:
        rows["laboratory"] = whole(laboratory)
    rows["all"] = sum(rows.values(), Counter())
    wide = max(map(len, rows))
    print(f"{'room':<{wide}}", *(f"{what:>{len(what) + 1}}" for what in COUNTED))
    for room, size in rows.items():
        print(f"{room:<{wide}}", *(f"{size[what]:>{len(what) + 1}}" for what in COUNTED))


if __name__ == "__main__":
    main()

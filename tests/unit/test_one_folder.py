"""A problem with a kind of answer of its own stands in one folder: what else names it in code is counted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "sottovoce"
OTHERS = {"service/log_and_metrics.py"}
"""Name something else by that word: a type of metric."""


def named(tree: ast.AST) -> Iterator[str]:
    """Names, modules and single words in quotes; sentences and docstrings are read by people."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ImportFrom(module=str(module)):
                yield module
            case ast.Constant(value=str(text)) if " " not in text:
                yield text


def naming(word: str) -> set[str]:
    texts = {path.relative_to(SOURCE): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    return {
        str(path)
        for path, text in texts.items()
        if word not in path.parts[:-1] and word in text.lower()
        if any(word in name.lower() for name in named(ast.parse(text)))
    } - OTHERS


def test_few_files_name_the_histogram() -> None:
    """The public names, the registry, and two who compare: baselines and the paper's figures."""
    assert naming("histogram") == {
        "__init__.py",
        "baselines/catalogue.py",
        "paper/figures/study.py",
        "problems/registry.py",
    }

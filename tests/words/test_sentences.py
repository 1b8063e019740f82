"""Sentences stand in `words` and are made last: nothing else holds one, and nothing looks into one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import sottovoce

SOURCE = Path(sottovoce.__file__).parent
WORDS = 4
ELSEWHERE = {
    "audit": "what an audit finds is a report of its own",
    "checks": "the contract suite speaks to whoever writes a method",
    "data": "what is wrong with a file is said by errors, put together there",
    "device": "its only long texts are SQL",
    "paper": "the report on the paper's claims is its own",
    "theory": "formulas and their conditions, as the paper has them",
    "words": "here they stand",
}
"""Rooms that are not looked at, and why."""
ALLOWED = {
    "answers/reader.py": "sentences of format 1, to be read",
    "baselines/catalogue.py": "what an audit says of a baseline",
    "messages/channels.py": "why a tally cannot be: part of an error",
    "messages/canonical.py": "a type's annotation",
    "messages/tally.py": "why a tally cannot be: part of an error",
    "problems/base.py": "help of options",
    "problems/quantiles/__init__.py": "help of options",
    "rehearsal/request.py": "part of an error",
    "engines/spark/engine.py": "columns and their types, and a shell script",
    "engines/spark/tasks.py": "columns and their types",
    "messages/errors.py": "the line that installs what is missing",
    "pictures/page.py": "how a figure looks",
    "problems/histogram/settings.py": "part of an error",
    "service/collector.py": "what to do, in a refusal",
    "service/handlers.py": "help of metrics; what to do, in a refusal",
    "service/log_and_metrics.py": "help of metrics",
    "service/routes.py": "the description of the routes, for programs",
    "service/store/postgres.py": "columns of tables",
    "service/store/base.py": "SQL",
    "calls/functions.py": "makes docstrings",
    "cli/completion.py": "help",
    "cli/failures.py": "what to do about errors",
    "cli/options.py": "help",
    "cli/pages.py": "how a page looks",
    "cli/parser.py": "errors of the command line, and help",
    "cli/audit.py": "the audit's own report",
    "cli/audit_output.py": "the audit's own report",
    "cli/paper.py": "the paper's own report",
}
"""Files that may hold what people read elsewhere than in an answer, plan, explanation, manifest, verdict or page."""
SPOKEN = {"check", "malformed", "unauthorised", "forbidden", "overloaded", "refusal", "Refused", "Help", "ErrorCode"}
SPOKEN |= {"add_argument", "add_parser", "add_argument_group", "html_option", "ArgumentParser", "log", "warn"}
SPOKEN |= {"Failure", "check_failed"}
"""Calls whose texts are messages of errors, help or logs."""
HELP = {"help", "epilog", "description", "example", "estimate", "simulate", "plan", "hints"}
HELP |= {"crowd", "options", "do", "fix", "rule", "wrong", "meaning", "does"}
READS = {"startswith", "endswith", "replace", "partition", "rpartition", "removeprefix", "removesuffix"}
READS |= {"find", "index"}
_SQL = re.compile(r"\b(SELECT|INSERT|CREATE|UPDATE|DELETE|ALTER|PRAGMA|WHERE|FROM|SET)\b")
_WORD = re.compile(r"""["'(“]?[A-Za-zε]['’A-Za-z-]*[.,:;?!)"']*""")
"""A word of a sentence, as it stands between blanks."""


@cache
def files() -> list[tuple[str, ast.Module]]:
    named = [(path.relative_to(SOURCE), path) for path in sorted(SOURCE.rglob("*.py"))]
    kept = [(name.as_posix(), path) for name, path in named if name.parts[0] not in ELSEWHERE]
    return [(name, ast.parse(path.read_text(encoding="utf-8"))) for name, path in kept if name not in ALLOWED]


def called(node: ast.AST) -> str:
    """The name of what a call calls."""
    function = node.func if isinstance(node, ast.Call) else None
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def words_of(text: str) -> list[str]:
    return [word for word in text.split() if _WORD.fullmatch(word)]


def text_of(node: ast.AST) -> str | None:
    """A literal, with a gap for each place of an f-string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else " " for part in node.values)
    return None


def is_spoken(node: ast.AST, raised: set[str]) -> bool:
    """Whether what stands inside is a docstring, a message of an error, help or a log."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, (ast.Raise, ast.Assert)):
        return True
    if isinstance(node, ast.keyword):
        return node.arg in HELP
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        name = target.id if isinstance(target, ast.Name) else ""
        return name == "help" or "EPILOG" in name or name in raised
    name = called(node)
    return name in SPOKEN or name.endswith(("Error", "Input", "Extra")) or name in ("Malformed", "Declined")


def names_raised(tree: ast.Module) -> set[str]:
    """Names that stand in a raise: what they hold is part of a message."""
    raised = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    raised += [node for node in ast.walk(tree) if is_spoken(node, set()) and isinstance(node, ast.Call)]
    return {name.id for node in raised for name in ast.walk(node) if isinstance(name, ast.Name)}


def sentences(node: ast.AST, raised: set[str]) -> Iterator[tuple[int, str]]:
    if is_spoken(node, raised):
        return
    text = text_of(node)
    if text is not None:
        if len(words_of(re.sub(r"<[^>]*>", " ", text))) >= WORDS and not _SQL.search(text):
            yield node.lineno, text  # type: ignore[attr-defined]
        return
    for child in ast.iter_child_nodes(node):
        yield from sentences(child, raised)


def test_no_sentence_stands_outside_of_words() -> None:
    found = [
        f"{name}:{line}: {text[:90]!r}" for name, tree in files() for line, text in sentences(tree, names_raised(tree))
    ]
    assert not found, f"{len(found)}:\n" + "\n".join(found)


def looks(node: ast.AST) -> str | None:
    """The literal, of two words or more, that a comparison, a search or a replacement looks for; else None."""
    literals: list[ast.AST] = []
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq)):
        literals = [node.left, *node.comparators]
    elif isinstance(node, ast.Call) and called(node) in READS:
        literals = list(node.args)
    texts = [text for one in literals if (text := text_of(one)) is not None]
    return next((text for text in texts if len(words_of(text)) >= 2), None)


def rendered(node: ast.AST) -> bool:
    """Whether an expression is a sentence: a fact that was printed, or notes and reasons in words."""
    if isinstance(node, ast.Attribute) and node.attr in ("warnings", "reason", "sentence"):
        return True
    return isinstance(node, ast.Call) and called(node) in ("told", "labelled_lines", "sentence", "tell", "summary")


def test_nothing_looks_into_a_sentence() -> None:
    found = []
    for name, tree in files():
        for node in ast.walk(tree):
            if (text := looks(node)) is not None:
                found.append(f"{name}:{node.lineno}: looks for {text!r}")  # type: ignore[attr-defined]
            if isinstance(node, ast.Call) and called(node) in READS and rendered(getattr(node.func, "value", node)):
                found.append(f"{name}:{node.lineno}: looks into words")
            if isinstance(node, ast.Compare) and any(map(rendered, (node.left, *node.comparators))):
                found.append(f"{name}:{node.lineno}: compares words")
    assert not found, "\n".join(found)


def test_every_exception_is_still_needed() -> None:
    assert set(ELSEWHERE) <= {path.name for path in SOURCE.iterdir()}
    assert all((SOURCE / name).is_file() for name in ALLOWED)

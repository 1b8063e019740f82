"""Commands that work when typed as they are, for what was seen in a file."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import replace

from sottovoce.data.dates import written
from sottovoce.data.looked import ColumnSeen, Look
from sottovoce.data.stated import Stated
from sottovoce.messages import InvalidInput

_ORDER = ("number", "whole number", "yes/no", "date", "category")
_PARTS = 4
"""Columns that are suggested together at most."""
_NAMES = {"\t": "tab", " ": "space"}


def suggested(seen: Look, stated: Stated, where: str | None) -> Look:
    """With commands for the first column that is worth one, for several at once, and for categories."""
    file = "FILE" if where is None else where
    unclear = [one for one in seen.columns if one.kind == "unclear"]
    again = [shlex.join(["sotto", "look", file, *_hinted(one), *_said(stated)]) for one in unclear[:1]]
    if seen.users is None:
        return replace(seen, commands=tuple(again))
    able = [one for one in seen.columns if one.kind in _ORDER and one.name and one.name != seen.users.column]
    named = Counter(one.name for one in seen.columns)
    if named[seen.users.column] > 1:
        return replace(seen, commands=tuple(again))
    held = seen.users.count
    able = [one for one in able if named[one.name] == 1 and one.empty is not None and one.empty < held]
    able = [one for one in able if _declarable(one) or (one.kind == "category" and one.distinct > 1)]
    able.sort(key=lambda one: _ORDER.index(one.kind) // 2)  # numbers first, each in the order of the file
    numbers = [one for one in able if one.kind != "category"]
    labels = [one for one in able if one.kind == "category"]
    commands = [_mean(seen, numbers[0], file, stated)] if numbers else []
    if min(len(numbers), seen.users.count) > 1:
        commands.append(_several(seen, numbers[: min(_PARTS, seen.users.count)], file, stated))
    if labels:
        commands.append(_shares(seen, labels[0], file, stated))
    return replace(seen, commands=(*commands, *again))


def _mean(seen: Look, column: ColumnSeen, file: str, stated: Stated) -> str:
    low, high = _ends(column)
    return _estimate("mean", seen, column, file, [*_option("--low", low), *_option("--high", high)], stated)


def _estimate(what: str, seen: Look, column: ColumnSeen, file: str, declared: list[str], stated: Stated) -> str:
    words = ["sotto", "estimate", what, file, *_option("--user", _user(seen)), *_option("--value", column.name)]
    return shlex.join([*words, *declared, "--epsilon", "1", *_reading(seen, [column], stated)])


def _several(seen: Look, columns: list[ColumnSeen], file: str, stated: Stated) -> str:
    words = ["sotto", "estimate", "several", file, *_option("--user", _user(seen)), "--epsilon", "4"]
    for column in columns:
        low, high = _ends(column)
        value = shlex.quote(column.name)
        if value != column.name and not set('"\\$`') & set(column.name):
            value = f'"{column.name}"'  # easier to read within quotes of a shell
        words += ["--ask", f"{column.name.replace(':', ' ')}: mean value={value} low={low} high={high}"]
    return shlex.join([*words, *_reading(seen, columns, stated)])


def _shares(seen: Look, column: ColumnSeen, file: str, stated: Stated) -> str:
    import csv
    import io

    from sottovoce.problems import taking

    labels = list(column.labels)
    other = []
    if column.distinct > len(labels):
        rest = next(name for name in ("other", "others", "all others") if name not in labels)
        labels, other = [*labels, rest], ["--other", rest]
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(labels)
    declared = [*_option("--categories", out.getvalue()), *other]
    return _estimate(taking("categories").name, seen, column, file, declared, stated)


def _user(seen: Look) -> str:
    assert seen.users is not None
    return seen.users.column


def _declarable(column: ColumnSeen) -> bool:
    """Whether a survey takes the range of a column."""
    from sottovoce.methods import check_declared

    if column.range is None:
        return False
    try:
        check_declared(*column.range)
    except InvalidInput:
        return False
    return True


def _ends(column: ColumnSeen) -> tuple[str, str]:
    assert column.range is not None
    low, high = column.range
    return (written(low), written(high)) if column.kind == "date" else (f"{low:.12g}", f"{high:.12g}")


def _option(name: str, value: str) -> list[str]:
    """A word that looks like an option is written beside its own."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def _reading(seen: Look, columns: list[ColumnSeen], stated: Stated) -> list[str]:
    """What was said of the file, again; and that some of it cannot be read."""
    words = _said(stated)
    return [*words, "--skip-bad"] if seen.left_out or any(one.odd for one in columns) else words


def _said(stated: Stated) -> list[str]:
    words: list[str] = []
    for name in ("separator", "encoding", "decimal", "dates", "header", "sheet"):
        given = getattr(stated, name)
        if given is not None:
            words += [f"--{name}", _NAMES.get(str(given), str(given))]
    return words


def _hinted(column: ColumnSeen) -> list[str]:
    return [] if column.hint is None else [column.hint["option"], column.hint["value"]]

"""What answers, plans, comparisons and commands say today, in ``texts.json.xz``: every text, to the letter.

``json`` in the file holds what commands print with ``--json``: for reading, it is not compared.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import sottovoce as sv
from tests.frozen import commands, plans
from tests.frozen.make import Run, packed, unpacked

FILE = Path(__file__).with_name("texts.json.xz")
OF = "delay"
LAST_DIGITS = frozenset(
    (
        "mean-one-round-017",
        "mean-auto-129",
        "vector-one-round-linf-011",
        "sparse-auto-081",
        "density-one-round-010",
        "density-paper-018",
        "density-theory-034",
        "density-theory-046",
        "density-auto-052",
        "item-sparse-006",
        "item-density-007",
    )
)
"""What says a number that is next to nothing, or lies on a tie, which another processor rounds otherwise: its texts are
not compared in tests. ``python -m tests.other_rounding 5 tests.frozen.make --texts`` finds them."""
Texts = dict[str, Any]
"""What is looked at, by the name of the view: a text, a list of them, or an exit code."""
GROUPS: dict[str, tuple[list[str], Callable[[str], Texts]]] = {
    "plans": (list(plans.PLANS), plans.plan_texts),
    "plans of several": (list(plans.PARTS), plans.several_texts),
    "comparisons": (list(plans.COMPARED), plans.comparison_texts),
    **{f"sotto {what}": (lines, commands.said) for what, lines in commands.LINES.items()},
    "pages": (commands.PAGES, commands.said),
}
"""Everything but the answers of the settings: names, and what says the texts of one."""


def answer_texts(run: Run, *, whole: bool = True) -> Texts:
    """Every public view of an answer; nothing of a refusal, whose message is among the records.

    Not the `whole`: without those that say the same in another form.
    """
    if run.refusal is not None:
        return {}
    answer = run.answer
    shared = {"str": str(answer), "repr": repr(answer), "summary": answer.summary()}
    shared |= {"html": answer._repr_html_()} if whole else {}
    if isinstance(answer, sv.Answers):
        own = {name: _own(one, whole=whole) for name, one in answer.items()}
        return shared | {f"{view} of {name}": text for name, views in own.items() for view, text in views.items()}
    return shared | _own(answer, whole=whole)


def _own(answer: Any, *, whole: bool) -> Texts:
    again = {f"summary of {OF}": answer.summary(of=OF)} if whole else {}
    return again | {"picture": answer.picture(), "warnings": list(answer.warnings)}


def texts_of(group: str, names: list[str]) -> Iterator[tuple[str, Texts]]:
    """The texts of some of a group, which commands print in a folder of their own."""
    say = GROUPS[group][1]
    with commands.folder() if say is commands.said else nullcontext():
        for name in names:
            yield name, say(name)


def documents() -> dict[str, Texts]:
    """What commands print with ``--json``."""
    with commands.folder():
        return {line: commands.said(line) for line in commands.DOCUMENTS}


@cache
def read() -> dict[str, dict[str, Texts]]:
    """The file as it stands: texts by group and name."""
    loaded: dict[str, dict[str, Texts]] = unpacked(FILE)
    for verdict in loaded["sotto verify"].values():
        verdict["out"] = commands.unwrapped(verdict["out"])
    return loaded


def write(answers: dict[str, Texts]) -> None:
    """Write the file anew."""
    groups = {group: dict(texts_of(group, names)) for group, (names, _) in GROUPS.items()}
    FILE.write_bytes(packed({"answers": answers, **groups, "json": documents()}))
    read.cache_clear()


def differences(now: Texts, then: Texts, *, whole: bool = True) -> list[str]:
    """A unified diff of every view that differs; not the `whole`: of those that are there now."""
    views = {**then, **now} if whole else now
    return [_diff(view, then.get(view), now.get(view)) for view in views if then.get(view) != now.get(view)]


def _diff(view: str, then: Any, now: Any) -> str:
    return "\n".join(difflib.unified_diff(_lines(then), _lines(now), f"{view}, frozen", f"{view}, now", "", "", 1, ""))


def _lines(text: Any) -> list[str]:
    if isinstance(text, list):
        return [str(one) for one in text]
    return ["(none)"] if text is None else str(text).replace("<tr>", "\n<tr>").replace("<dt>", "\n<dt>").splitlines()

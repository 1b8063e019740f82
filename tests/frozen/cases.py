"""How settings are listed, as plain data. Lists of different lengths run side by side, so that they mix."""

from __future__ import annotations

from typing import Any

from tests.frozen.people import describe

Case = dict[str, Any]
EPSILONS = [1.0, 0.3, 2.0, 4.5, 0.05, 1.5, 12.0, 0.7, 3.0]
RANGES = [(-1.0, 1.0), (0.0, 1.0), (1.0, 5.0), (-3.7, 120.3)]
CELLS = 60_000
"""Numbers that the people of one setting hold at most: beyond it they hold fewer observations than was declared."""

CASES: dict[str, Case] = {}


def mixed(count: int, /, **lists: list[Any]) -> list[dict[str, Any]]:
    """`count` settings, each list starting over when it ends; None leaves a setting as it is by default."""
    rows = [{name: values[row % len(values)] for name, values in lists.items()} for row in range(count)]
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def add(problem: str, settings: dict[str, Any], people: dict[str, Any], **more: Any) -> None:
    """Another setting; its id says problem and method, and counts."""
    said = [settings.get(name) for name in ("of", "method", "procedure", "ball")]
    parts = [problem, *(part for part in said if isinstance(part, str))]
    number = sum(1 for case in CASES.values() if case["problem"] == problem)
    seed = 1000 + len(CASES)
    CASES["-".join([*parts, f"{number:03d}"])] = {
        "problem": problem,
        "settings": settings,
        "people": describe(**people, seed=seed),
        **more,
    }


def crowd(kind: str, settings: dict[str, Any], row: int, **more: Any) -> dict[str, Any]:
    """People for these settings: every fifth crowd ragged, every fourth with missing observations."""
    users, dimension = settings["users"], more.get("dimension", 1)
    held = max(1, min(settings.get("observations", 5), CELLS // (users * dimension)))
    small = users * held * dimension <= CELLS // 2
    return {
        "kind": kind,
        "users": users,
        "held": held,
        **more,
        "ragged": row % 5 == 3 and small,
        "missing": row % 4 == 1,
        "infinite": row % 6 == 2,
    }


def on_a_range(problem: str, kinds: list[str], rows: list[dict[str, Any]]) -> None:
    """Problems of one number an observation."""
    for row, settings in enumerate(rows):
        low, high = settings.pop("range")
        settings |= {"low": low, "high": high}
        add(problem, settings, crowd(kinds[row % len(kinds)], settings, row, low=low, high=high))

"""Counts for Prometheus, by hand. No label tells one user, slot or address from another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

GROUP_BOUNDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)


class Metrics:
    """Of one worker since it started. Changed from the event loop only."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.refused: Counter[str] = Counter()
        self.stored = 0

    def text(self, more: Iterable[str] = ()) -> str:
        """In Prometheus's text format; `more` are lines of those who count for themselves."""
        lines = _head("sotto_requests_total", "counter", "Requests by route, method and status.")
        lines += [
            f'sotto_requests_total{{route="{route}",method="{method}",status="{status}"}} {count}'
            for (route, method, status), count in sorted(self.requests.items())
        ]
        lines += _head("sotto_reports_stored_total", "counter", "Reports stored, durably.")
        lines.append(f"sotto_reports_stored_total {self.stored}")
        lines += _head("sotto_refused_total", "counter", "Requests and rows refused, by code.")
        lines += [f'sotto_refused_total{{code="{code}"}} {count}' for code, count in sorted(self.refused.items())]
        return "\n".join([*lines, *more, ""])


def _head(name: str, kind: str, words: str) -> list[str]:
    return [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]


def gauge(name: str, words: str, values: Iterable[tuple[str, float]]) -> list[str]:
    """Lines of a number that goes up and down; each value with its labels."""
    return [*_head(name, "gauge", words), *(f"{name}{labels} {value:g}" for labels, value in values)]


def groups(sizes: Counter[int]) -> list[str]:
    """Lines of the sizes of groups that were written at once."""
    name, total = "sotto_writer_group_size", sum(sizes.values())
    lines = _head(name, "histogram", "Reports written in one transaction.")
    for bound in GROUP_BOUNDS:
        lines.append(f'{name}_bucket{{le="{bound}"}} {sum(n for size, n in sizes.items() if size <= bound)}')
    rows = sum(size * count for size, count in sizes.items())
    return [*lines, f'{name}_bucket{{le="+Inf"}} {total}', f"{name}_sum {rows}", f"{name}_count {total}"]

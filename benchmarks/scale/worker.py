"""A process that prepares cases and runs them one call at a time, when it is told to. It speaks JSON, a line each way.

A case is a function of `benchmarks.scale.cases`, by ``module:name``, that makes what is needed and returns the call
whose CPU time counts, threads included. Packages named after ``--without`` cannot be imported here, as on a machine
that does not have them.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Refused(MetaPathFinder):
    """Finds nothing, and says so, for some packages."""

    def __init__(self, packages: Sequence[str]) -> None:
        self.packages = frozenset(packages)

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] in self.packages:
            raise ModuleNotFoundError(f"No module named {name!r} (refused here)", name=name)
        return None


def prepared(name: str, arguments: dict[str, Any]) -> Callable[[], Any]:
    module, _, function = name.partition(":")
    act: Callable[[], Any] = getattr(import_module(f"benchmarks.scale.cases.{module}"), function)(**arguments)
    return act


def timed(act: Callable[[], Any], calls: int, *, tells: bool) -> dict[str, Any]:
    """One turn: seconds of CPU of a call on average; with `tells` what the last one returned."""
    gc.collect()
    wall, start = time.perf_counter(), time.process_time()
    for _ in range(calls):
        said = act()
    spent, wall = time.process_time() - start, time.perf_counter() - wall
    return {"cpu": spent / calls, "wall": wall / calls, "said": said if tells else None}


def answer(told: dict[str, Any], held: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    match told["do"]:
        case "prepare":
            held[told["key"]] = prepared(told["case"], told["with"])
            return {}
        case "run":
            return timed(held[told["key"]], told["calls"], tells=told["tells"])
        case "forget":
            held.clear()
            gc.collect()
            return {}
        case "peak":
            return {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    raise ValueError(f"what is {told['do']!r}?")


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs cases of benchmarks.scale on request.")
    parser.add_argument("--without", nargs="*", default=[], help="packages that cannot be imported here")
    refused = parser.parse_args().without
    sys.meta_path.insert(0, Refused(refused))
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints goes elsewhere
    held: dict[str, Callable[[], Any]] = {}
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line), held)
        except BaseException as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main()

"""Write ``behaviour.json``: what every problem and method asks and answers today, over several hundred settings.

``python -m tests.frozen.make`` runs the settings of the file again and prints what differs, by kind (questions,
numbers, texts) and by whether the setting leaves the choice of the method to the package. ``--write`` takes the
settings of ``settings.py`` and writes the file anew: only when a change of behaviour is meant.

An answer may gain fields: the file says which ones are compared. Where a call of the package changes its keywords,
adapt `MAKERS`; settings stay as they are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sottovoce as sv
from tests.frozen.people import make_people
from tests.frozen.settings import CASES

FILE = Path(__file__).with_name("behaviour.json")
KINDS = {
    "questions": ("questions",),
    "numbers": ("type", "first", "numbers", "sums"),
    "texts": ("method", "reason", "texts", "error"),
}
FIRST = 6
SHOWN = ("value", "value[]", "interval[]", "coefficients[]", "means[]", "shares[]", "index", "share")
"""Fields whose first numbers stand in the file as they are, so that a difference can be read."""
Leaves = dict[str, list[Any]]

_RENAMED = {"seed": "public_seed", "vote": "method"}
"""Settings whose names have changed since the file was written."""


def _maker(name: str, **defaults: Any) -> Callable[..., Any]:
    """A public class by name, looked up when it is called; `defaults` are those of the file's time."""

    def make(**settings: Any) -> Any:
        return getattr(sv, name)(**defaults | {_RENAMED.get(key, key): value for key, value in settings.items()})

    return make


_cover = _maker("CoverSelect", method="unary")
MAKERS: dict[str, Callable[..., Any]] = {
    "mean": _maker("Mean"),
    "vector": _maker("VectorMean", ball="linf"),
    "sparse": _maker("SparseMean"),
    "density": _maker("Density"),
    "mixture": _maker("MixtureMeans", method="paper"),
    "cover": _cover,
    "cover-of-box": lambda box, **s: _cover(centres=sv.covers.linf_ball(**box).centres, **s),
    "cover-of-ball": lambda ball, **s: _cover(centres=sv.covers.l2_ball(**ball).centres, **s),
    "range": _maker("Range"),
    "groups": _maker("ByGroup"),
    "full-item": _maker("FullItem"),
    "semi-user": _maker("SemiUser"),
    "split-user": _maker("SplitUser"),
    "one-item": _maker("OneItem"),
    "one-category": _maker("OneCategory"),
    "dummy": _maker("Dummy"),
    "duchi": _maker("DuchiMean"),
    "item-sparse": _maker("ItemSparse"),
    "item-density": _maker("ItemDensity"),
}
SIMULATION_ONLY = ("duchi", "item-sparse", "item-density")


def observe(case: dict[str, Any]) -> tuple[dict[str, Any], Leaves]:
    """What one setting asks and answers, or how it is refused; and the leaves of its answer."""
    questions: list[str] = []
    try:
        answer = _answer(case, questions)
    except sv.SottovoceError as refusal:
        return {"questions": questions, "error": f"{type(refusal).__name__}: {refusal}"}, {}
    held: Leaves = defaultdict(list)
    for path, leaf in _leaves(answer.to_dict(), ""):
        held[path].append(leaf)
    return {"questions": questions, "type": type(answer).__name__}, held


def _answer(case: dict[str, Any], questions: list[str]) -> Any:
    protocol = MAKERS[case["problem"]](**{name: _tuples(value) for name, value in case["settings"].items()})
    people = make_people(**case["people"])
    seed = case["people"]["seed"] + 1
    if case["problem"] in SIMULATION_ONLY:
        return protocol.simulate(people, seed=seed)
    draw = sv.simulate(people, seed=seed)

    def ask(question: sv.Question) -> sv.Tally:
        questions.append(hashlib.sha256(question.to_bytes()).hexdigest()[:24])
        return sv.Tally.empty(question) if len(questions) - 1 == case.get("silent") else draw(question)

    return sv.run(protocol, ask)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _leaves(plain: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every leaf of plain data, with a path that does not count places in lists."""
    if isinstance(plain, dict):
        for name, value in plain.items():
            yield from _leaves(value, f"{path}.{name}" if path else name)
    elif isinstance(plain, list):
        for value in plain:
            yield from _leaves(value, f"{path}[]")
    else:
        yield path, plain


def record(seen: dict[str, Any], held: Leaves, fields: list[str]) -> dict[str, Any]:
    """What is kept of an answer: its first numbers, digests of all numbers and all texts, method and reason."""
    if "type" not in seen:
        return seen
    leaves = [(path, leaf) for path in fields for leaf in held.get(path, ())]
    numbers = [(path, repr(float(leaf))) for path, leaf in leaves if _is_number(leaf)]
    others = [(path, repr(leaf)) for path, leaf in leaves if not _is_number(leaf) and path not in ("method", "reason")]
    return seen | {
        "first": [number for path, number in numbers if path in SHOWN][:FIRST],
        "numbers": _digest(numbers),
        "sums": _sums([float(number) for _, number in numbers]),
        "method": held["method"][0],
        "reason": held["reason"][0],
        "texts": _digest(others),
    }


def _sums(numbers: list[float]) -> list[str]:
    """Of all numbers and of their sizes: what another machine's rounding hardly moves."""
    finite = [number for number in numbers if math.isfinite(number)]
    return [repr(math.fsum(finite)), repr(math.fsum(map(abs, finite)))]


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, (int, float)) and not isinstance(leaf, bool)


def _digest(rows: list[tuple[str, str]]) -> str:
    return hashlib.sha256("\n".join(f"{path} {text}" for path, text in rows).encode()).hexdigest()[:24]


def read() -> dict[str, Any]:
    """The file as it stands: ``fields`` of each type of answer, and ``cases`` by id."""
    loaded: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return loaded


def differences(frozen: dict[str, Any], case: dict[str, Any], *, to_the_bit: bool = True) -> dict[str, str]:
    """What a setting does otherwise than the file says: kind to words.

    Not `to_the_bit`, numbers may differ by rounding: another machine, or another library, adds in another order.
    """
    seen, held = observe(case)
    now = record(seen, held, frozen["fields"].get(seen.get("type"), []))
    if not to_the_bit and _close(now, case["record"]):
        now |= {name: case["record"][name] for name in ("first", "numbers", "sums")}
    return {
        kind: "; ".join(f"{name}: {case['record'].get(name)} is now {now.get(name)}" for name in changed)
        for kind, names in KINDS.items()
        if (changed := [name for name in names if case["record"].get(name) != now.get(name)])
    }


def _close(now: dict[str, Any], then: dict[str, Any]) -> bool:
    if "sums" not in now or "sums" not in then or len(now["first"]) != len(then["first"]):
        return False
    size = abs(float(then["sums"][1]))
    pairs = zip((*now["first"], *now["sums"]), (*then["first"], *then["sums"]), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-9 * size) for a, b in pairs)


def text() -> str:
    """The file that this code makes: one line a setting."""
    observed = {name: observe(case) for name, case in CASES.items()}
    fields: dict[str, list[str]] = {}
    for seen, held in observed.values():
        known = fields.setdefault(seen["type"], []) if held else []
        known += [path for path in held if path not in known]
    lines = [
        f"  {json.dumps(name)}: "
        + json.dumps(
            case | {"record": record(*observed[name], fields.get(observed[name][0].get("type", ""), []))},
            ensure_ascii=False,
        )
        for name, case in CASES.items()
    ]
    types = [f"  {json.dumps(name)}: {json.dumps(paths)}" for name, paths in sorted(fields.items())]
    return '{\n"fields": {\n' + ",\n".join(types) + '\n},\n"cases": {\n' + ",\n".join(lines) + "\n}\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare today's behaviour with the frozen one.")
    parser.add_argument("--write", action="store_true", help="write the file anew from settings.py")
    parser.add_argument("--problem", help="only this one")
    options = parser.parse_args()
    if options.write:
        FILE.write_text(text(), encoding="utf-8")
    frozen = read()
    counted: Counter[tuple[str, str]] = Counter()
    for name, case in frozen["cases"].items():
        if options.problem not in (None, case["problem"]):
            continue
        whose = "auto" if case.get("auto") else "asked for"
        counted["settings", whose] += 1
        for kind, words in differences(frozen, case).items():
            counted[kind, whose] += 1
            print(f"{kind:<10}{whose:<10}{name}: {words}")
    for kind in ("settings", *KINDS):
        print(f"{kind:<10}" + ", ".join(f"{counted[kind, whose]} {whose}" for whose in ("asked for", "auto")))


if __name__ == "__main__":
    main()

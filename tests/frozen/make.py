"""What every problem and method asks, answers and says today, over many settings.

``python -m tests.frozen.make`` compares with ``behaviour.json.xz``: what is asked, to the byte; every number of the
answer; its type and method; how a setting is refused. It prints what differs. ``--texts`` compares the texts of
``texts.json.xz`` too, of answers, plans, comparisons and commands, and prints a unified diff of each that differs.
``--problem mean`` looks at one problem only. ``--write`` writes the file anew, with ``--texts`` both of them: only
when a change is meant.

Numbers are compared by the names that they had when the file was written. An answer may gain fields and lose texts; a
number that is gone is a difference. Where a call of the package changes its keywords, adapt `MAKERS`; settings stay as
they are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import sottovoce as sv
from sottovoce.problems import Ranged, named
from tests.frozen.people import make_people
from tests.frozen.settings import CASES

FILE = Path(__file__).with_name("behaviour.json.xz")
DIGITS = 12
CLOSE = 1e-9
NOTHING = 1e-13
"""Next to nothing, beside one or the largest number of the same field: what is left where numbers cancel."""
LOOSE = frozenset(
    (
        "density-one-round-010",
        "density-auto-052",
        "density-auto-058",
        "duchi-linf-005",
        "item-sparse-002",
        "mixture-adaptive-066",
        "mixture-adaptive-067",
        "mixture-adaptive-070",
        "mixture-adaptive-072",
        "mixture-auto-074",
        "call-034",
        "call-035",
    )
)
"""Settings whose numbers hang on last digits, which differ between processors: where a search ends, differences of
numbers that are nearly equal. ``python -m tests.other_rounding 5 tests.frozen.make`` finds them."""
LOOSELY = 1e-5
"""How far their numbers may be away, as a part of the largest in the same field, or of one."""
NOT_COUNTED = ("version",)
"""Numbers that say how an answer is written, not what it says."""
NOT_FINITE = ("Infinity", "-Infinity", "NaN")
"""As answers write such numbers."""
Case = dict[str, Any]
Record = dict[str, Any]
Numbers = dict[str, list[float]]


def _maker(name: str) -> Callable[..., Any]:
    """A public class by name, looked up when it is called."""

    def make(**settings: Any) -> Any:
        return getattr(sv, name)(**settings)

    return make


def _ranged(*, problem: str, share: float, **settings: Any) -> Any:
    return Ranged.of(named(problem), settings, share=share)


def _several(*, parts: dict[str, dict[str, Any]], **settings: Any) -> Any:
    """Each part with as many users and as much of ε as the survey has: neither matters."""
    shared = {"epsilon": settings["epsilon"], "users": settings["users"]}
    made = tuple((name, MAKERS[one["problem"]](**shared | _without(one, "problem"))) for name, one in parts.items())
    return sv.Several(parts=made, **settings)


def _without(settings: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in names}


MAKERS: dict[str, Callable[..., Any]] = {
    "mean": _maker("Mean"),
    "histogram": _maker("Histogram"),
    "quantiles": _maker("Quantiles"),
    "cdf": _maker("Cdf"),
    "vector": _maker("VectorMean"),
    "sparse": _maker("SparseMean"),
    "density": _maker("Density"),
    "mixture": _maker("MixtureMeans"),
    "cover": _maker("CoverSelect"),
    "cover-of-box": lambda box, **s: sv.CoverSelect(centres=sv.covers.linf_ball(**box).centres, **s),
    "cover-of-ball": lambda ball, **s: sv.CoverSelect(centres=sv.covers.l2_ball(**ball).centres, **s),
    "range": _maker("Range"),
    "groups": _maker("ByGroup"),
    "ranged": _ranged,
    "several": _several,
    "full-item": _maker("FullItem"),
    "semi-user": _maker("SemiUser"),
    "split-user": _maker("SplitUser"),
    "one-item": _maker("OneItem"),
    "one-category": _maker("OneCategory"),
    "one-kary": _maker("KaryCategory"),
    "one-oue": _maker("OptimisedUnary"),
    "flat": _maker("Flat"),
    "tree": _maker("Tree"),
    "dummy": _maker("Dummy"),
    "duchi": _maker("DuchiMean"),
    "item-sparse": _maker("ItemSparse"),
    "item-density": _maker("ItemDensity"),
}
SIMULATION_ONLY = ("one-oue", "duchi", "item-sparse", "item-density")


@dataclass(frozen=True, kw_only=True)
class Run:
    """What came of one setting: questions, and an answer or a refusal."""

    questions: tuple[str, ...]
    answer: Any = None
    refusal: sv.SottovoceError | None = None

    @property
    def record(self) -> Record:
        """What is kept of it."""
        kept: Record = {"questions": list(self.questions)}
        if self.refusal is not None:
            return kept | {"error": [type(self.refusal).__name__, str(self.refusal)]}
        return kept | {
            "type": type(self.answer).__name__,
            "method": _method(self.answer),
            "numbers": numbers_of(self.answer),
        }


def run(case: Case) -> Run:
    """Ask and answer as a setting says."""
    questions: list[str] = []
    try:
        answer = _answer(case, questions)
    except sv.SottovoceError as refusal:
        return Run(questions=tuple(questions), refusal=refusal)
    return Run(questions=tuple(questions), answer=answer)


def _answer(case: Case, questions: list[str]) -> Any:
    settings = {name: _tuples(value) for name, value in case["settings"].items()}
    seed = case["people"]["seed"] + 1
    if case["problem"] == "call":
        return _called(settings, make_people(**case["people"]), seed)
    protocol = MAKERS[case["problem"]](**settings)
    people = make_people(**case["people"])
    if case["problem"] in SIMULATION_ONLY:
        return protocol.simulate(people, seed=seed)
    draw = sv.simulate(people, seed=seed)

    def ask(question: sv.Question) -> sv.Tally:
        questions.append(hashlib.sha256(question.to_bytes()).hexdigest()[:24])
        return sv.Tally.empty(question) if len(questions) - 1 == case.get("silent") else draw(question)

    return sv.run(protocol, ask)


def _called(settings: dict[str, Any], people: sv.Collections, seed: int) -> Any:
    """A function of the package on data at hand; groups stand in the last column."""
    function = getattr(sv, settings.pop("function"))
    data: Any = people
    if settings.get("by"):
        held = np.diff(people.offsets)
        assert (held == held[0]).all(), "an array has as many observations of each user"
        table = people.values.reshape(people.users, int(held[0]), 2)
        data, settings["by"] = table[:, :, 0], table[:, :, 1].astype(int)
    if "asks" in settings:
        asks = {name: sv.ask(problem, **own) for name, (problem, own) in settings.pop("asks").items()}
        return function(data, asks, seed=seed, **settings)
    return function(data, seed=seed, **settings)


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _tuples(one) for name, one in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _method(answer: Any) -> str:
    return ", ".join(one.method for one in answer.values()) if isinstance(answer, sv.Answers) else str(answer.method)


def numbers_of(answer: Any) -> Numbers:
    """Every number of an answer by the name of its field, which does not count places in lists."""
    found: Numbers = {}
    for path, leaf in _leaves(answer.to_dict(), ""):
        number = isinstance(leaf, (int, float)) and not isinstance(leaf, bool)
        if (number or leaf in NOT_FINITE) and path.rpartition(".")[2] not in NOT_COUNTED:
            found.setdefault(path, []).append(float(leaf))
    return found


def _leaves(plain: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every leaf of plain data."""
    if isinstance(plain, dict):
        for name, value in plain.items():
            yield from _leaves(value, f"{path}.{name}" if path else name)
    elif isinstance(plain, list):
        for value in plain:
            yield from _leaves(value, f"{path}[]")
    else:
        yield path, plain


def differences(name: str, now: Record, then: Record) -> list[str]:
    """What a setting does otherwise than the file says, a line each."""
    found = [f"{part}: {then.get(part)} is now {now.get(part)}" for part in _other(now, then)]
    loose = name in LOOSE
    for path, numbers in then.get("numbers", {}).items():
        today = now.get("numbers", {}).get(path)
        if today is None:
            found.append(f"{path} is gone")
        elif len(today) != len(numbers):
            found.append(f"{path}: {len(numbers)} numbers are now {len(today)}")
        else:
            moved = [
                pair for pair in zip(numbers, today, strict=True) if not _close(*pair, _scale(numbers), loose=loose)
            ]
            found += [f"{path}: {a!r} is now {b!r}, and {len(moved) - 1} more" for a, b in moved[:1]]
    return found


def _other(now: Record, then: Record) -> list[str]:
    return [part for part in ("questions", "type", "method", "error") if now.get(part) != then.get(part)]


def _scale(numbers: list[float]) -> float:
    """How large the numbers of a field are: what is next to nothing beside them may differ by their rounding."""
    return max((abs(number) for number in numbers if math.isfinite(number)), default=0.0)


def _close(a: float, b: float, scale: float, *, loose: bool) -> bool:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    around = LOOSELY * max(1.0, scale) if loose else NOTHING * max(1.0, scale)
    return math.isclose(a, b, rel_tol=CLOSE, abs_tol=around)


def packed(plain: Any) -> bytes:
    """Plain data as they are kept."""
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def unpacked(path: Path) -> Any:
    """The same, read again."""
    return json.loads(lzma.decompress(path.read_bytes()))


@cache
def read() -> dict[str, Any]:
    """The file as it stands: settings by id, each with its record."""
    loaded: dict[str, Any] = unpacked(FILE)
    return loaded


def rounded(record: Record) -> Record:
    """A record with as many digits as are kept."""
    if "numbers" not in record:
        return record
    own = {path: [_short(number) for number in numbers] for path, numbers in record["numbers"].items()}
    return record | {"numbers": own}


def _short(number: float) -> float | int:
    short = float(f"{number:.{DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 10**DIGITS else short


def main() -> None:
    from tests.frozen import texts

    parser = argparse.ArgumentParser(description="Compare what is done and said today with what is frozen.")
    parser.add_argument("--texts", action="store_true", help="texts too")
    parser.add_argument("--write", action="store_true", help="write what is compared anew")
    parser.add_argument("--problem", help="only this one, and no commands")
    options = parser.parse_args()
    if options.write and options.problem is not None:
        parser.error("files are written as a whole: leave out --problem")
    if options.write:
        runs = {name: run(case) for name, case in CASES.items()}
        FILE.write_bytes(packed({name: case | {"record": rounded(runs[name].record)} for name, case in CASES.items()}))
        read.cache_clear()
        if options.texts:
            texts.write({name: texts.answer_texts(one) for name, one in runs.items()})
    counted: Counter[str] = Counter()

    def tell(what: str, name: str, found: list[str]) -> None:
        counted[what] += 1
        counted[f"different {what}"] += bool(found)
        for line in found:
            print(f"{name}: {line}")

    for name, case in read().items():
        if options.problem in (None, case["problem"]):
            now = run(case)
            tell("settings", name, differences(name, now.record, case["record"]))
            if options.texts:
                tell("texts", name, texts.differences(texts.answer_texts(now), texts.read()["answers"][name]))
    if options.texts and options.problem is None:
        for group, (names, _) in texts.GROUPS.items():
            for name, own in texts.texts_of(group, names):
                tell("texts", f"{group}: {name}", texts.differences(own, texts.read()[group][name]))
    for what in ("settings", "texts") if options.texts else ("settings",):
        print(f"{counted[what]} {what}, {counted[f'different {what}']} of them different")


if __name__ == "__main__":
    main()

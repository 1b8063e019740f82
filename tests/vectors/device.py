"""Write ``device-v1.json``: what a device answers or refuses, to the byte, for a device in any language.

``python -m tests.vectors.device`` writes the file anew; the tests compare. Every outcome in it comes from
`sottovoce.device.respond`, all of it but the ledger.

- `answers`: question, collection, slot, script of entropy → number of words drawn, and the report.
- `examined`: bytes, slot, digest (null: that of the bytes), manifest → ``"accepted"`` with what it costs, to forty
  digits, or the code of the refusal.
- `manifests read`: bytes → ``"accepted"`` or ``"malformed"``.

Questions and manifests are written once. Bytes are the number of one of them; or such a number, where in it something
else stands, for how many bytes, and what: a text, ``{"hex": …}``, or ``{"runs": [[text, times], …]}``.
Floats are written as C and Python write them in hexadecimal.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from typing import Any

import numpy as np

from sottovoce.device import Collections, respond
from sottovoce.messages import Declined, Malformed, Manifest, Question, canonical
from tests.vectors import device_groups as groups
from tests.vectors import device_inputs as inputs
from tests.vectors import device_knots as knots
from tests.vectors import device_refusals as refusals
from tests.vectors.tables import FILE

FEW = 9
"""Collections that a question is asked of, where eight ask for the same statistic."""
UP = Context(prec=40, rounding=ROUND_CEILING)
NOTHING = Collections.of_one([])


class Willing:
    """In the place of a ledger: it notes what an answer costs, and lets it be made."""

    def __init__(self) -> None:
        self.epsilon = Fraction(0)

    def answer(self, *, epsilon: Fraction, make: Any, **rest: Any) -> bytes:
        self.epsilon = epsilon
        return bytes(make())


class Unwilling(Willing):
    """Nothing is made: whether it would be is all that is asked."""

    def answer(self, *, epsilon: Fraction, make: Any, **rest: Any) -> bytes:
        self.epsilon = epsilon
        return b""


def answered(data: bytes, rows: Collections, slot: int, first: tuple[int, ...]) -> tuple[int, str]:
    """How many words were drawn, and the report."""
    entropy = inputs.Script(first)
    report = respond(
        data, rows, slot=slot, digest=canonical.digest(data), collector="c", source="s", ledger=Willing(),  # type: ignore[arg-type]
        entropy=entropy,
    )  # fmt: skip
    return entropy.used, report.decode()


def examined(data: bytes, slot: int, digest: str | None, manifest: Manifest | None) -> tuple[str, str | None]:
    """A code, or that it is accepted and for how much."""
    ledger = Unwilling()
    try:
        respond(
            data, NOTHING, slot=slot, digest=canonical.digest(data) if digest is None else digest, collector="c",
            source="s", ledger=ledger, entropy=inputs.Script(), manifest=manifest,  # type: ignore[arg-type]
        )  # fmt: skip
    except Declined as declined:
        return declined.code, None
    return "accepted", f"{UP.divide(ledger.epsilon.numerator, ledger.epsilon.denominator):f}"


def read(data: bytes) -> tuple[str]:
    try:
        Manifest.from_bytes(data)
    except Malformed:
        return ("malformed",)
    return ("accepted",)


def held(rows: int, columns: int, values: list[str]) -> Collections:
    return Collections.of_one(np.array([float.fromhex(value) for value in values]).reshape(rows, columns))


class Pool:
    """Documents, each written once, and others as what is different in them."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._known: dict[bytes, int] = {}
        self._ordered: tuple[list[bytes], list[bytes]] = [], []

    def add(self, data: bytes) -> int:
        if data not in self._known:
            self._known[data] = len(self.texts)
            self.texts.append(data.decode())
        return self._known[data]

    def written(self, data: bytes) -> Any:
        """By its number, or by the document that it has most in common with."""
        if data in self._known:
            return self._known[data]
        best = max(self._near(data), key=lambda at: sum(_common(self.texts[at].encode(), data)))
        base = self.texts[best].encode()
        before, after = _common(base, data)
        return [best, before, len(base) - before - after, _put(data[before : len(data) - after])]

    def _near(self, data: bytes) -> set[int]:
        """Those that share most of the beginning, or of the end, with it: they are its neighbours in order."""
        if len(self._ordered[0]) != len(self.texts):
            self._ordered = sorted(self._known), sorted(held[::-1] for held in self._known)
        before, after = self._ordered
        place, other = bisect_left(before, data), bisect_left(after, data[::-1])
        near = before[max(0, place - 1) : place + 1] + [held[::-1] for held in after[max(0, other - 1) : other + 1]]
        return {self._known[held] for held in near}


def _common(base: bytes, data: bytes) -> tuple[int, int]:
    """How many bytes at the beginning, and at the end, two documents share."""
    before = _alike(base, data)
    short = min(len(base), len(data)) - before
    return before, _alike(base[::-1][:short], data[::-1][:short])


def _alike(one: bytes, other: bytes) -> int:
    """How far two begin alike, by halving."""
    return bisect_left(range(min(len(one), len(other))), True, key=lambda at: one[: at + 1] != other[: at + 1])


def _put(data: bytes) -> Any:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"hex": data.hex()}
    parts, end = [], 0
    for run in re.finditer(r"(.{1,4}?)\1{199,}", text, re.DOTALL):
        parts += [[text[end : run.start()], 1], [run[1], len(run[0]) // len(run[1])]]
        end = run.end()
    return {"runs": [*parts, [text[end:], 1]]} if parts else text


def unwritten(written: Any, documents: list[bytes]) -> bytes:
    """The bytes that `Pool.written` stands for."""
    if isinstance(written, int):
        return documents[written]
    number, start, drop, put = written
    if isinstance(put, dict) and "hex" in put:
        middle = bytes.fromhex(put["hex"])
    else:
        runs = put["runs"] if isinstance(put, dict) else [[put, 1]]
        middle = "".join(text * times for text, times in runs).encode()
    return documents[number][:start] + middle + documents[number][start + drop :]


def asked() -> dict[str, Any]:
    """All of it but the outcomes. What came later is written after all that was there."""
    questions, manifests = Pool(), Pool()
    rows = inputs.collections()
    first, later = len(rows), rows | groups.collections()
    latest = later | knots.collections()
    answers = list(_answers(questions, first))
    examined = _examined([*refusals.without_manifest(), *refusals.with_manifest()], questions, manifests)
    read = [[name, manifests.written(data)] for name, data in refusals.manifests()]
    answers += _later_answers(questions, groups.questions(), first, len(later))
    examined += _examined([*groups.without_manifest(), *groups.with_manifest()], questions, manifests)
    read += [[name, manifests.written(data)] for name, data in groups.manifests()]
    answers += _later_answers(questions, knots.questions(), first, len(latest), own=9, apart=5)
    examined += _examined([*knots.without_manifest(), *knots.with_manifest()], questions, manifests)
    read += [[name, manifests.written(data)] for name, data in knots.manifests()]
    return {
        "version": 1,
        "scripts": [[str(word) for word in first] for first in inputs.SCRIPTS],
        "collections": [_written(name, own) for name, own in latest.items()],
        "questions": questions.texts,
        "manifests": manifests.texts,
        "answers": answers,
        "examined": examined,
        "manifests read": read,
    }


def _examined(cases: list[refusals.Case], questions: Pool, manifests: Pool) -> list[list[Any]]:
    for case in cases:
        if case.manifest is not None:
            manifests.add(case.manifest.to_bytes())
        if case.whole:
            questions.add(case.data)
    return [
        [case.name, questions.written(case.data), case.slot, case.digest,
         None if case.manifest is None else manifests.add(case.manifest.to_bytes())]
        for case in cases
    ]  # fmt: skip


def _written(name: str, rows: list[list[float]]) -> dict[str, Any]:
    columns = max((len(row) for row in rows), default=1)
    return {"name": name, "columns": columns, "rows": len(rows), "values": [v.hex() for row in rows for v in row]}


def _answers(questions: Pool, people: int) -> Iterable[list[Any]]:
    """Collections, slots and scripts by turns, so that a statistic meets all of them."""
    turns: dict[str, int] = {}
    for name, question in inputs.questions():
        statistic = name.partition(", ")[0]
        number, count = questions.add(question.to_bytes()), question.slots.count
        alone = statistic in ("hashed", "residual") or statistic.startswith("direction")
        for _ in range(people if alone else FEW):
            turn = turns[statistic] = turns.get(statistic, -1) + 1
            slot = question.slots.first + (0, count - 1, count // 2, min(1, count - 1))[turn % 4]
            script = (turn + turn // len(inputs.SCRIPTS)) % len(inputs.SCRIPTS)
            yield [number, turn % people, slot, script]


def _later_answers(
    questions: Pool, asked: Iterable[tuple[str, Question]], first: int, people: int, *, own: int = 2, apart: int = 0
) -> Iterable[list[Any]]:
    """Nobody, somebody, and those who came later, by turns: `own` of these, or four within a group.

    Each statistic begins with other people, so many `apart`.
    """
    turns: dict[str, int] = {}
    for name, question in asked:
        key = name.partition(", ")[0]
        number, count = questions.add(question.to_bytes()), question.slots.count
        for more in range(own + 2 if question.encoder.within is None else max(own, 4) + 2):
            turn = turns[key] = turns.get(key, apart * len(turns) - 1) + 1
            place = (0, turn % first)[turn % 2] if more < 2 else first + turn % (people - first)
            slot = question.slots.first + (0, count - 1, count // 2, min(1, count - 1))[turn % 4]
            script = (turn + turn // len(inputs.SCRIPTS)) % len(inputs.SCRIPTS)
            yield [number, place, slot, script]


def outcomes(made: dict[str, Any]) -> dict[str, list[Any]]:
    """What the device says to each of them."""
    questions = [text.encode() for text in made["questions"]]
    manifests = [text.encode() for text in made["manifests"]]
    announced = [Manifest.from_bytes(data) for data in manifests]
    people = [held(one["rows"], one["columns"], one["values"]) for one in made["collections"]]
    scripts = [tuple(map(int, first)) for first in made["scripts"]]
    return {
        "answers": [
            answered(questions[number], people[place], slot, scripts[script])
            for number, place, slot, script, *_ in made["answers"]
        ],
        "examined": [
            examined(unwritten(data, questions), slot, digest, None if number is None else announced[number])
            for _, data, slot, digest, number, *_ in made["examined"]
        ],
        "manifests read": [read(unwritten(data, manifests)) for _, data, *_ in made["manifests read"]],
    }


def document() -> dict[str, Any]:
    made = asked()
    told = {
        name: [[*case, *outcome] for case, outcome in zip(made[name], found, strict=True)]
        for name, found in outcomes(made).items()
    }
    return made | told


def text() -> str:
    """One line for each of many."""
    parts = []
    for name, value in document().items():
        lines = ",\n".join(_line(one) for one in value) if isinstance(value, list) else ""
        listed = f"[\n{lines}\n]"
        parts.append(f"{json.dumps(name)}:{listed if lines else _line(value)}")
    return "{" + ",\n".join(parts) + "}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")

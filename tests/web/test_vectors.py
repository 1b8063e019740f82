"""The device in JavaScript gives the bytes, or the refusal, that Python gives: all shared vectors, in Node."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.node import lines
from tests.vectors.device import FILE
from tests.web.files import DEVICE

RUNNER = Path(__file__).with_name("vectors_in_node.js")
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))
PARTS = ("answers", "examined", "manifests read")


def told(found: dict[str, object]) -> str:
    """The first that differ, for a message."""
    wrong = found["wrong"]
    assert isinstance(wrong, list)
    return "\n".join(
        f"{one['part']} {one['number']} ({one['name']}): {one['expected']}, not {one['got']}" for one in wrong[:20]
    )


def test_every_vector_in_node() -> None:
    (found,) = lines(RUNNER, (), str(DEVICE), str(FILE))
    assert found["wrong"] == [], told(found)
    assert found["cases"] == sum(len(VECTORS[part]) for part in PARTS)


def test_what_differs_is_seen(tmp_path: Path) -> None:
    """A report with one other digit, another number of words, another code, another cost, another manifest."""
    changed = VECTORS | {part: [list(case) for case in VECTORS[part][:30]] for part in PARTS}
    changed["answers"][3][5] = changed["answers"][3][5].replace('"payload":"', '"payload":"f', 1)
    changed["answers"][4][4] += 1
    place = next(at for at, case in enumerate(changed["examined"]) if case[5] == "accepted")
    other = next(at for at, case in enumerate(changed["examined"]) if case[5] == "over-declared")
    changed["examined"][place][6] = str(float(changed["examined"][place][6]) * (1 + 1e-12))
    changed["examined"][other][5:] = ["malformed", None]
    changed["manifests read"][0][2] = "malformed"
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps(changed), encoding="utf-8")
    (found,) = lines(RUNNER, (), str(DEVICE), str(file))
    seen = [(one["part"], one["number"]) for one in found["wrong"]]
    assert seen == [("answers", 3), ("answers", 4), *sorted([("examined", place), ("examined", other)]),
                    ("manifests read", 0)]  # fmt: skip

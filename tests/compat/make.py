"""What this version writes, to be read by all later ones: ``python -m tests.compat.make FOLDER`` writes a new folder.

A folder that is there is never written again: a later format has its own beside it (see ``README.md``).
"""

from __future__ import annotations

import json
import lzma
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

import sottovoce as sv
from sottovoce.checks import made_up
from sottovoce.client import Outbox
from sottovoce.device import Ledger, respond, respond_many
from sottovoce.messages import Manifest, Question
from sottovoce.problems import Announced, announce
from sottovoce.service import Collector, Store, open_store
from sottovoce.service.store import ReportRow
from tests.frozen.make import run
from tests.frozen.plans import PLANS
from tests.frozen.settings import CASES
from tests.support.make_transcripts import made
from tests.support.postgres import Postgres

START, LENGTH = 1_800_000_000, 10_000
TRANSCRIPTS, ANSWERS, PLANS_FILE = "transcripts.zip", "answers.zip", "plans.zip"
SQLITE, POSTGRES, LEDGER = "store.db.xz", "store.sql.xz", "ledger.db.xz"
SCHEMA = "schema_of_the_store"
"""Stands in the SQL text for the schema that it is read into."""
LEFT_OUT = re.compile(r"^(\\|--|SET |SELECT pg_catalog\.set_config).*\n|^\n", re.MULTILINE)
"""Of the SQL text: commands of psql, which is not what reads it, comments, and settings of this very PostgreSQL."""
ADDRESS = "https://survey.example.org"


class Seeded:
    """Words that are the same in every run: nobody's data are protected here, since nobody's are used."""

    def __init__(self, seed: int) -> None:
        self._stream = np.random.Generator(np.random.PCG64(seed))

    def words(self, count: int) -> NDArray[np.uint64]:
        return self._stream.integers(0, 2**64, size=count, dtype=np.uint64)


class Clock:
    """A clock that is set."""

    def __init__(self, now: float = START + 10) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def manifest_of(settings: Any, **more: Any) -> Manifest:
    """With words of all kinds."""
    told = {"purpose": "how lectures are rated", "collector": "the lecturers", "software": "sottovoce 0.1.0"}
    return announce(settings, **{**told, "opens": START, "closes": START + LENGTH, **more})


def mean(**more: Any) -> sv.Mean:
    """In three rounds, unless told otherwise."""
    given = {"epsilon": 2.0, "low": 1, "high": 5, "users": 150, "observations": 20, "method": "adaptive"}
    return sv.Mean(**given | more)


BINS = sv.Histogram(epsilon=2.0, low=0, high=4, bins=4, users=90, observations=10)
GROUPS = sv.ByGroup(epsilon=2.0, groups=("arts", "law"), low=1, high=5, observations=6, users=90, memberships=1)
BOX = sv.VectorMean(epsilon=2.0, users=40, dimension=4, low=-1.0, high=1.0, method="one-round", observations=5)
QUARTERS = sv.Quantiles(epsilon=2.0, users=240, low=0, high=1, observations=100, method="adaptive")
SURVEYS: dict[str, tuple[Any, dict[str, Any]]] = {
    "created": (mean(), {"opens": START + 5_000}),
    "running, round 1": (mean(users=160), {}),
    "running, round 2": (mean(users=170), {}),
    "done": (mean(users=180), {}),
    "done by quota": (BINS, {"quota": 0.8}),
    "done in groups": (GROUPS, {}),
    "done, scrubbed": (BOX, {}),
    "done, dealt on arrival": (mean(users=190), {"enrolment": "on-arrival"}),
    "done, open access": (mean(users=60, method="one-round"), {"access": "open"}),
    "done, dealt on arrival, open access": (mean(users=200), {"enrolment": "on-arrival", "access": "open"}),
    "abandoned, too few answered": (mean(users=151), {"minimum": 12, "round_seconds": 600}),
    "abandoned, too few answered later": (mean(users=152), {"minimum": 12, "round_seconds": 600}),
    "abandoned, a silent group": (BOX, {"round_seconds": 600, "purpose": "another"}),
    "abandoned, too few to ask": (QUARTERS, {"minimum": 55}),
    "abandoned, no time left": (mean(users=153), {"round_seconds": LENGTH}),
}
"""Surveys of a store by what becomes of them, and what their manifests say besides."""


def survey_in(store: Store, fate: str) -> str:
    """Make a survey and let it go so far; its id."""
    settings, more = SURVEYS[fate]
    clock, manifest = Clock(), manifest_of(settings, **more)
    collector, survey = Collector(store, clock=clock), manifest.digest
    collector.create(manifest, origins=("https://example.org",) if "open" in fate else ())
    if manifest.access == "invited":
        collector.invite(survey, count=3, base=ADDRESS)
    if fate == "created":
        return survey
    if fate.startswith("running, round 1"):
        for number in range(3):
            collector.store.enrol(survey, bytes([number]) * 32, open_access=True, seat=lambda seat: seat)
        answer(collector, survey, settings, part=0.3)
    elif fate.startswith("running"):
        go_on(collector, survey, settings)
        answer(collector, survey, settings, part=0.5)
        store.refuse({(survey, "malformed"): 2})
    elif fate.startswith("done"):
        while collector.survey(survey, fresh=True).running:
            go_on(collector, survey, settings, part=0.85 if "quota" in fate else 1.0)
        if "scrubbed" in fate:
            store.scrub(survey, now=START + 1_000)
    elif fate.endswith("later"):
        go_on(collector, survey, settings)
        end_early(collector, survey, settings, clock, seconds=601, part=0.1)
    elif "answered" in fate:
        end_early(collector, survey, settings, clock, seconds=601, part=0.1)
    elif "group" in fate:
        end_early(collector, survey, settings, clock, seconds=601, group=0)
    elif "no time" in fate:
        end_early(collector, survey, settings, clock, seconds=LENGTH, part=1.0)
    else:
        go_on(collector, survey, settings)
    state = collector.survey(survey, fresh=True).row.state
    assert fate.startswith(state), f"{fate}: {state}"
    return survey


def go_on(collector: Collector, survey: str, settings: Any, *, part: float = 1.0) -> None:
    """Those asked answer, or a part of them, and the round closes."""
    number = answer(collector, survey, settings, part=part)
    collector.close(survey, number, because="quota")


def end_early(collector: Collector, survey: str, settings: Any, clock: Clock, *, seconds: int, **who: Any) -> None:
    """Only some answer before the deadline, which closes the round."""
    number = answer(collector, survey, settings, **who)
    clock.now += seconds
    collector.close(survey, number, because="deadline")


def answer(collector: Collector, survey: str, settings: Any, *, part: float = 1.0, group: int | None = None) -> int:
    """A part of those asked answer, or one group of them; the number of the round."""
    held = collector.survey(survey, fresh=True)
    question: Question = held.question
    slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
    slots = slots[: round(part * len(slots))] if group is None else slots[question.group_of(slots)[:, 0] == group]
    (batch,) = respond_many(question, made_up(settings).take(slots), slots, Seeded(held.last.number))
    rows = [ReportRow(held.last.key, int(batch.slots[at]), batch.payloads[at].tobytes()) for at in range(len(slots))]
    assert set(collector.store.put(rows)) == {"stored"}
    return int(held.last.number)


def fill(store: Store) -> dict[str, str]:
    """All the surveys of a store: what becomes of each, to its id."""
    store.set_admin(bytes(range(32)))
    return {fate: survey_in(store, fate) for fate in SURVEYS}


def sqlite_store(path: Path) -> dict[str, str]:
    """A store in one file."""
    with open_store(f"sqlite:{path}") as store:
        return fill(store)


def postgres_store(server: Postgres) -> str:
    """The same in PostgreSQL, as SQL text."""
    url = server.database()
    with open_store(url) as store:
        fill(store)
    schema = url.rpartition("%3D")[2]
    plain = url.partition("&options")[0]
    words = ["--no-owner", "--no-privileges", "--inserts", f"--schema={schema}", f"--dbname={plain}"]
    dump = subprocess.run([server._bin / "pg_dump", *words], capture_output=True, text=True, check=True).stdout
    return re.sub(rf"\b{schema}\b", SCHEMA, LEFT_OUT.sub("", dump))


def ledger_at(path: Path) -> None:
    """A device that answered four surveys: one answer arrived, one is on its way, one was not taken, one is unsent."""
    with Ledger(path, cap=4) as ledger:
        outbox = Outbox(ledger)
        for number, (epsilon, source) in enumerate(
            [(1.0, "ratings"), (0.5, "ratings"), (2.0, "steps"), (1.5, "steps")]
        ):
            settings = mean(epsilon=epsilon, users=100 + number, method="one-round")
            manifest = manifest_of(settings, purpose=f"survey {number}")
            asked = Announced(manifest).decide(())
            assert isinstance(asked, Question)
            question, survey = asked.to_bytes(), manifest.digest
            respond(
                question,
                made_up(settings).take(np.array([number])),
                slot=number,
                digest=asked.digest,
                collector=survey,
                source=source,
                ledger=ledger,
                entropy=Seeded(number),
                manifest=manifest,
                beside=outbox.posting(question, manifest=manifest, address=ADDRESS, capability="c" * 32),
            )
            outbox.token(survey, make=lambda: "t" * 43)
            outbox.seated(survey, number, used=number == 1)
            if number < 3:
                outbox.sent(survey, now=START + 100 * number)
            if number == 0:
                outbox.acknowledged(survey, now=START + 7)
            if number == 2:
                outbox.given_up(survey, over=True)


def answers() -> Iterator[tuple[str, bytes]]:
    """An answer of every kind by every method, those that know the truth and those of several things included."""
    seen = set()
    for name, case in CASES.items():
        settings = case["settings"]
        key = (case["problem"], settings.get("function"), settings.get("of"), settings.get("method"))
        if key in seen and case["problem"] not in ("several", "ranged", "call"):
            continue
        found = run(case)
        if found.refusal is None:
            seen.add(key)
            yield f"{name}.json", found.answer.to_json().encode()


def plans() -> Iterator[tuple[str, bytes]]:
    """A plan file of every problem and method."""
    for name, given in PLANS.items():
        try:
            yield f"{name}.toml", sv.plan(**given).to_toml().encode()
        except sv.InvalidInput:  # a target that cannot be reached
            continue


def transcripts(store: Store) -> Iterator[tuple[str, bytes]]:
    """Of every method, and of every survey of a store that has begun."""
    for name, transcript in made():
        yield f"{name}.json", transcript.to_bytes()
    collector = Collector(store, clock=Clock(START + 20))
    for fate, (settings, more) in SURVEYS.items():
        if fate not in ("created", "running, round 1"):  # no round has closed
            yield f"collector, {fate}.json", collector.transcript(manifest_of(settings, **more).digest)


def zipped(path: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """The same bytes from the same files."""
    with ZipFile(path, "w") as file:
        for name, data in files:
            file.writestr(ZipInfo(name), data, compress_type=ZIP_LZMA)


def compressed(path: Path, data: bytes) -> None:
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def write(folder: Path) -> None:
    """Everything."""
    folder.mkdir()
    with TemporaryDirectory() as temporary:
        place = Path(temporary) / "store.db"
        fates = sqlite_store(place)
        with open_store(f"sqlite:{place}") as store:
            zipped(folder / TRANSCRIPTS, transcripts(store))
        assert os.listdir(temporary) == [place.name], "nothing beside the store's file"
        compressed(folder / SQLITE, place.read_bytes())
        ledger_at(Path(temporary) / "ledger.db")
        compressed(folder / LEDGER, (Path(temporary) / "ledger.db").read_bytes())
    (folder / "surveys.json").write_text(json.dumps(fates, indent=1) + "\n", encoding="utf-8")
    server = Postgres()
    try:
        compressed(folder / POSTGRES, postgres_store(server).encode())
    finally:
        server.remove()
    zipped(folder / ANSWERS, answers())
    zipped(folder / PLANS_FILE, plans())


if __name__ == "__main__":
    write(Path(sys.argv[1]))

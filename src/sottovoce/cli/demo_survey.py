"""The survey of ``sotto demo``: a collector in a process of its own, and every student's device on the network."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sottovoce.answers import Estimate
    from sottovoce.data import Dataset
    from sottovoce.device import Collections
    from sottovoce.engines import Verdict
    from sottovoce.messages import Report

THREADS = 8
OPEN_SECONDS = 600
"""A survey that is not over by then is abandoned, and says so."""
STOP_SECONDS = 30.0


@dataclass(frozen=True, kw_only=True)
class Held:
    """Whom to survey, and how."""

    data: Dataset
    epsilon: float
    observations: int
    quiet: bool


@dataclass(frozen=True, kw_only=True)
class Surveyed:
    """What came of it, while the collector is still up."""

    url: str
    survey: str
    estimate: Estimate
    verdict: Verdict
    rounds: tuple[tuple[str, int, int], ...]
    """Role, asked, answered."""
    payload: str
    message_bytes: int
    visits: int
    seconds: float
    wait: Callable[[], object]


@contextmanager
def surveyed(held: Held, *, port: int) -> Iterator[Surveyed]:
    """Announce, serve, let everybody answer, verify; the collector stops at the end."""
    from sottovoce.messages import Fact
    from sottovoce.problems import announce
    from sottovoce.problems.mean import Mean
    from sottovoce.service import Collector, open_store
    from sottovoce.version import SOFTWARE

    data = held.data
    settings = Mean(
        epsilon=held.epsilon,
        low=data.low,
        high=data.high,
        users=data.collections.users,
        observations=held.observations,
    )
    now = int(time.time())
    manifest = announce(
        settings,
        purpose=str(Fact("demo-purpose")),
        collector=str(Fact("demo-collector")),
        software=SOFTWARE,
        opens=now,
        closes=now + OPEN_SECONDS,
        retention_days=0,
    )
    with tempfile.TemporaryDirectory(prefix="sotto-demo-") as folder:
        store = f"sqlite:{Path(folder) / 'surveys.db'}"
        with open_store(store) as kept:
            collector = Collector(kept, clock=time.time)
            collector.create(manifest)
        with _served(store, port, log=Path(folder) / "log") as (url, process):
            with open_store(store) as kept:
                collector = Collector(kept, clock=time.time)
                urls = collector.invite(manifest.digest, count=manifest.users, base=url)
            yield _answered(held, manifest.digest, url, urls, process)


def _answered(held: Held, survey: str, url: str, urls: Sequence[str], process: subprocess.Popen[str]) -> Surveyed:
    from sottovoce.answers import Estimate
    from sottovoce.engines import verify
    from sottovoce.messages import MAX_TRANSCRIPT_BYTES, Question, SottovoceError, Transcript
    from sottovoce.problems import read

    started = time.monotonic()
    crowd = _Crowd(held, survey, url, urls)
    crowd.answer()
    transcript = Transcript.from_bytes(crowd.fetch("transcript", limit=MAX_TRANSCRIPT_BYTES))
    if transcript.why_ended is not None:
        raise SottovoceError(f"the survey was abandoned: {transcript.why_ended}")
    found = read(transcript.answer)
    assert isinstance(found, Estimate)
    asked = [Question.from_bytes(row.question.encode()) for row in transcript.rounds]
    counts = [(one.role, one.slots.count, row.answered) for one, row in zip(asked, transcript.rounds, strict=True)]
    report = crowd.report
    assert report is not None
    return Surveyed(
        url=url,
        survey=survey,
        estimate=found,
        verdict=verify(transcript, survey=survey),
        rounds=tuple(counts),
        payload=report.payload,
        message_bytes=len(report.to_bytes()),
        visits=crowd.visits,
        seconds=time.monotonic() - started,
        wait=process.wait,
    )


@dataclass
class _Student:
    """Somebody with an invitation; once a slot is known, they come back for its round and not before."""

    url: str
    ratings: Collections
    slot: int = -1
    waits: bool = True


class _Crowd:
    """Every student with a device of their own: a ledger that forgets at the end, and a connection to the collector."""

    def __init__(self, held: Held, survey: str, url: str, urls: Sequence[str]) -> None:
        self._held, self._where = held, f"{url}/surveys/{survey}"
        students = [student for _, student in held.data.collections.blocks(1)]
        self._waiting = [_Student(url=url, ratings=ratings) for url, ratings in zip(urls, students, strict=True)]
        self.visits = 0
        self.report: Report | None = None

    def fetch(self, what: str, *, limit: int = 2**16) -> bytes:
        """What is public."""
        from sottovoce.client import Https
        from sottovoce.messages import SottovoceError

        reply = Https().request("GET", f"{self._where}/{what}", limit=limit)
        if reply.status != 200:
            raise SottovoceError(f"the collector answered {reply.status} to {what}", fix="try again")
        return reply.body

    def answer(self) -> None:
        """Visit until the survey is over. Slots were dealt ahead: most devices come back for their round."""
        from tqdm import tqdm

        from sottovoce.messages import SottovoceError

        users = len(self._waiting)
        with (
            ThreadPoolExecutor(THREADS) as pool,
            tqdm(total=users, unit="answer", leave=False, disable=self._held.quiet or None) as bar,
        ):
            while True:
                progress = json.loads(self.fetch("progress"))
                if progress["state"] in ("done", "abandoned"):
                    return
                now = progress["round"]
                bar.set_description(f"round {now['number'] + 1} ({now['role']})")
                coming = [one for one in self._waiting if one.slot < now["first"] + now["count"]]
                for state in pool.map(self._visit, coming):
                    bar.update(state == "answered")
                    if state not in ("answered", "waiting"):
                        raise SottovoceError(f"a device could not answer: {state}")
                self.visits += len(coming)
                self._waiting = [one for one in self._waiting if one.waits]
                while self._open(now["number"]):
                    time.sleep(0.1)

    def _open(self, number: int) -> bool:
        progress = json.loads(self.fetch("progress"))
        return bool(progress["state"] == "open" and progress["round"]["number"] == number)

    def _visit(self, one: _Student) -> str:
        from sottovoce.client import Device, Outbox
        from sottovoce.device import Ledger
        from sottovoce.messages import Report

        with Ledger(":memory:", cap=self._held.epsilon) as ledger:
            outcome = Device(ledger=ledger, source="ratings").answer(one.url, one.ratings, patience_seconds=0)
            if outcome.state == "answered" and self.report is None:
                self.report = Report.from_bytes(Outbox(ledger).history()[0].report)
        one.waits, one.slot = outcome.state == "waiting", -1 if outcome.slot is None else outcome.slot
        return outcome.state


@contextmanager
def _served(store: str, port: int, *, log: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """``sotto serve`` in a process of its own; where it listens, once it does. What it logs goes to a file."""
    command = [sys.executable, "-m", "sottovoce", "serve", "--store", store, "--port", str(port)]
    with log.open("w") as told, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True) as process:
        try:
            assert process.stdout is not None
            line = next((line for line in process.stdout if "://" in line), None)
            if line is None:
                raise _failed(log)
            yield line.split()[-1], process
        finally:
            process.terminate()
            process.wait(STOP_SECONDS)


def _failed(log: Path) -> Exception:
    """In the words of ``sotto serve``, which say what to do."""
    from sottovoce import messages

    said = [line for line in log.read_text().splitlines() if line.startswith("sotto: ")]
    if not said:
        return messages.SottovoceError("the collector did not start", fix="sotto serve shows why")
    return messages.SottovoceError(rule=said[-1].removeprefix("sotto: "))

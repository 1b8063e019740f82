"""A collector over real HTTP on loopback, with a clock that tests can set, and a plain client."""

from __future__ import annotations

import http.client
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sottovoce.messages import Manifest, Question, Report
from sottovoce.problems import Settings, announce
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, Limits, Running, Store, new_administrator, open_store, running
from sottovoce.service.access import capability

START = 1_800_000_000
JSON = "application/json"
NDJSON = "application/x-ndjson"


@dataclass
class Clock:
    now: float = START + 10

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Heard:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def plain(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        found: str = self.plain["error"]["code"]
        return found


def manifest_of(settings: Settings | None = None, **more: Any) -> Manifest:
    asked = settings or Mean(epsilon=1.0, low=1, high=5, users=40, observations=20, method="one-round")
    told = {"purpose": "how lectures are rated", "collector": "the lecturers", "software": "test"}
    return announce(asked, **{**told, "opens": START, "closes": START + 10_000, **more})


def payload_of(question: Question) -> str:
    """Some payload that a device could send."""
    width = question.channel.width
    one = np.arange(width) if question.channel.kind == "subset" else np.zeros(width, dtype=np.int64)
    symbols = np.tile(one, (1, question.uses, 1))
    return question.channel.pack(symbols).tobytes().hex()


@dataclass
class Web:
    """A collector that runs, and what a test needs to know of it."""

    store: Store
    clock: Clock
    running: Running
    admin: str
    log: io.StringIO
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def collector(self) -> Collector:
        found: Collector = self.running.application.state.collector  # type: ignore[attr-defined]
        return found

    def create(self, manifest: Manifest | None = None, origins: tuple[str, ...] = ()) -> str:
        made = manifest or manifest_of()
        self.tokens[made.digest] = self.collector.create(made, origins=origins)
        return made.digest

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | str | None = None,
        *,
        token: str | None = None,
        media: str | None = JSON,
        headers: dict[str, str] | None = None,
    ) -> Heard:
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None and media is not None:
            sent["Content-Type"] = media
        connection = http.client.HTTPConnection(self.running.host, self.running.port, timeout=120)
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Heard(answer.status, found, answer.read())
        finally:
            connection.close()

    def question(self, survey: str) -> Question:
        return self.collector.survey(survey, fresh=True).question

    def capability(self, survey: str, slot: int) -> str:
        return capability(self.collector.survey(survey).row.secret, slot)

    def report(self, survey: str, slot: int, payload: str | None = None) -> bytes:
        question = self.question(survey)
        text = payload_of(question) if payload is None else payload
        return Report(question=question.digest, slot=slot, payload=text).to_bytes()

    def post(self, survey: str, slot: int, body: bytes | None = None, **more: Any) -> Heard:
        sent = self.report(survey, slot) if body is None else body
        token = more.pop("token", None) or self.capability(survey, slot)
        return self.ask("POST", f"/surveys/{survey}/reports", sent, token=token, **more)

    def rows(self, survey: str, reports: Iterable[Report]) -> list[Any]:
        """Reports as a batch has them, each with what opens its slot."""
        return [[one.slot, one.payload, self.capability(survey, one.slot)] for one in reports]

    def send_batch(self, survey: str, rows: Iterable[Any]) -> Heard:
        """Rows of slot, payload and capability, or of anything else, to the question that is open."""
        head = f'{{"question":"{self.question(survey).digest}","version":1}}'
        sent = "\n".join([head, *(one if isinstance(one, str) else json.dumps(one) for one in rows)])
        return self.ask("POST", f"/surveys/{survey}/batches", sent, media=NDJSON)

    def stored(self, survey: str) -> int:
        """How many reports the open round has."""
        return self.store.count(self.collector.survey(survey, fresh=True).last.key)


@contextmanager
def serving(directory: Path, *, limits: Limits | None = None, clock: Clock | None = None) -> Iterator[Web]:
    held, log = clock or Clock(), io.StringIO()
    with open_store(f"sqlite:{directory / 'store.db'}") as store:
        admin = new_administrator(store)
        with running(store, clock=held, limits=limits, log=log) as run:
            yield Web(store=store, clock=held, running=run, admin=admin, log=log)

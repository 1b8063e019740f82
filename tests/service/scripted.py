"""A scripted collector on loopback: it speaks the routes that a device uses, and misbehaves on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import sottovoce
from sottovoce.messages import Invitation, Manifest, Question, digest
from sottovoce.problems import Announced, announce
from sottovoce.problems.mean import Mean

TOKEN = "t" * 43
CAPABILITY = "c" * 32
Answer = tuple[int, bytes, dict[str, str]]
WEB = Path(sottovoce.__file__).parent / "web"
EMPTY = b'<!doctype html><html lang="en"><meta charset="utf-8"><title>Empty</title><link rel="icon" href="data:,">'
KEPT = {"Cache-Control": "max-age=3600"}
WAY = ["/manifest", "/enrol", "/progress", "/rounds/0/mean/question", "/reports"]
"""What a device asks for, in order, of a survey that is open."""


class Time:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def mean_manifest(**more: Any) -> Manifest:
    """A mean of ratings, in one round or adaptively."""
    words: dict[str, Any] = {
        "purpose": "how good the lectures are",
        "collector": "Example University",
        "software": "sottovoce test",
        "opens": 0,
        "closes": 2**37,
    }
    names = ("epsilon", "low", "high", "users", "observations", "method")
    chosen: dict[str, Any] = {"epsilon": 1.0, "low": 1.0, "high": 5.0, "users": 400, "observations": 20}
    chosen |= {"method": "one-round"} | {name: more.pop(name) for name in names if name in more}
    return announce(Mean(**chosen), **(words | more))


def first_question(manifest: Manifest) -> Question:
    asked = Announced(manifest).decide(())
    assert isinstance(asked, Question)
    return asked


def refusal(status: int, code: str, **headers: str) -> Answer:
    return status, json.dumps({"error": {"code": code, "message": f"scripted: {code}"}}).encode(), headers


@dataclass
class Collector:
    """Answers as a collector does; `script` may put another answer in its place, ``"drop"`` or ``"lose"``, or None."""

    manifest: Manifest
    question: bytes
    slot: int = 3
    script: Callable[[str, str, int], Answer | str | None] = lambda method, path, number: None
    seen: list[tuple[str, str]] = field(default_factory=list)
    """Every request: method and path."""
    tokens: list[str] = field(default_factory=list)
    visits: list[str] = field(default_factory=list)
    """The number that each enrolment showed; empty: none."""
    agents: set[str] = field(default_factory=set)
    posted: list[bytes] = field(default_factory=list)
    """Every report that reached the collector, acknowledged or not."""
    progress: dict[str, Any] = field(default_factory=dict)
    stored: bytes | None = None
    base: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return Invitation(base=self.base, survey=self.manifest.digest, token=TOKEN).url

    def say(self, method: str, path: str, token: str, body: bytes) -> Answer | str:
        """``"drop"``: the connection ends without a word."""
        own = path.removeprefix(f"/surveys/{self.manifest.digest}")
        with self.lock:
            self.seen.append((method, own))
            self.tokens.append(token)
            number = sum(1 for one in self.seen if one == (method, own))
            if own == "/enrol":
                self.visits.append(json.loads(body)["visit"] if body else "")
            if own == "/reports":
                self.posted.append(body)
            instead = self.script(method, own, number)
            if instead == "lose":  # it is done, and nobody is told
                self._plainly(own, body)
                return "drop"
            return self._plainly(own, body) if instead is None else instead

    def _plainly(self, own: str, body: bytes) -> Answer | str:
        survey = self.manifest.digest
        if own == "/manifest":
            return 200, self.manifest.to_bytes(), {}
        if own == "/enrol":
            seat = {"survey": survey, "slot": self.slot, "capability": CAPABILITY}
            seat |= {"before": False, "yours": bool(self.visits[-1])}
            return 201, json.dumps(seat).encode(), {}
        if own == "/progress":
            return 200, json.dumps(self._progress()).encode(), {}
        if own.startswith("/rounds/"):
            return 200, self.question, {}
        if own == "/reports":
            before, self.stored = self.stored, self.stored or body
            if before is None:
                return 201, b"{}", {}
            return (200, b"{}", {}) if before == body else refusal(409, "conflict")
        return refusal(404, "not-found")

    def _progress(self) -> dict[str, Any]:
        asked = json.loads(self.question)
        one = {
            "number": asked["round"], "role": asked["role"], "question": digest(self.question), **asked["slots"],
            "answered": 0, "opened": 0, "closes": None, "closed": False,
        }  # fmt: skip
        told = {
            "survey": self.manifest.digest, "state": "open", "now": 0, "opens": 0, "closes": 1, "enrolled": 1,
            "users": 400, "minimum": 10, "round": one,
        }  # fmt: skip
        changed = dict(self.progress)
        one.update(changed.pop("round", {}))
        return told | changed


def page_file(path: str) -> Answer:
    """An empty page, or a file of the device and its client as it is; a browser need not ask twice."""
    if path == "/empty":
        return 200, EMPTY, {"Content-Type": "text/html"}
    return 200, (WEB / path.removeprefix("/web/")).read_bytes(), {"Content-Type": "text/javascript"} | KEPT


@contextmanager
def running(collector: Collector) -> Iterator[Collector]:
    """On a port that the system chooses, until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def _handle(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            if self.path.startswith(("/web/", "/empty")):
                answer: Answer | str = page_file(self.path)
            else:
                collector.agents.add(self.headers.get("User-Agent", ""))
                answer = collector.say(self.command, self.path, token, body)
            if isinstance(answer, str):
                self.close_connection = True
                return
            status, content, headers = answer
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(content))} | headers).items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _handle  # noqa: N815 - http.server's names

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    collector.base = f"http://127.0.0.1:{server.server_port}"
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join(5)
        server.server_close()


@contextmanager
def scripted(manifest: Manifest, question: Question | None = None, **more: Any) -> Iterator[Collector]:
    """A collector of this survey, which runs and asks this question or the first."""
    asked = first_question(manifest) if question is None else question
    with running(Collector(manifest, asked.to_bytes(), **more)) as collector:
        yield collector


def at(path: str, *answers: Answer | str | None) -> Callable[[str, str, int], Answer | str | None]:
    """The first requests to a path are answered so; what comes then is answered plainly."""
    return lambda method, own, number: answers[number - 1] if own == path and number <= len(answers) else None


def always(path: str, answer: Answer | str) -> Callable[[str, str, int], Answer | str | None]:
    """Every request to a path is answered so."""
    return lambda method, own, number: answer if own == path else None


# ---- what both devices meet, in Python and in a browser --------------------------------------------------------------

NO_TURN: list[tuple[dict[str, Any], str, str]] = [
    ({"round": {"first": 4, "count": 9}}, "missed", "closed"),
    ({"round": {"closed": True}}, "missed", "closed"),
    ({"state": "done"}, "over", "done"),
    ({"state": "abandoned"}, "over", "abandoned"),
    ({"state": "asleep"}, "declined", "malformed"),
    ({"round": {"first": "0"}}, "declined", "malformed"),
    ({"round": {"number": True}}, "declined", "malformed"),
    ({"round": {"question": "../../x"}}, "declined", "malformed"),
    ({"round": 3}, "declined", "malformed"),
    ({"round": {"role": ""}}, "declined", "malformed"),
    ({"round": {"role": "\ud800"}}, "declined", "malformed"),
    ({"round": {"role": "a\r\nX: y"}}, "declined", "malformed"),
    ({"round": {"role": "a" * 129}}, "declined", "malformed"),
]
"""Changes of what a collector says about its progress, and what comes of them."""
NO_SEAT: list[tuple[str, Answer, str, str]] = [
    ("/enrol", refusal(409, "full"), "full", "full"),
    ("/enrol", refusal(409, "closed"), "over", "closed"),
    ("/enrol", refusal(410, "expired"), "over", "expired"),
    ("/enrol", refusal(401, "unauthorised"), "refused", "unauthorised"),
    ("/enrol", (200, b"[]", {}), "declined", "malformed"),
    ("/enrol", (200, b'{"slot":3', {}), "declined", "malformed"),
    ("/enrol", (200, b"x" * 70_000, {}), "declined", "malformed"),
    ("/manifest", refusal(404, "not-found"), "refused", "not-found"),
    ("/manifest", (404, b"\xff" * 9, {}), "refused", "status-404"),
    ("/manifest", (404, b'{"error":{"code":"\\u001b[2J","message":"\\u0007"}}', {}), "refused", "status-404"),
    ("/manifest", (200, mean_manifest(retention_days=7).to_bytes(), {}), "declined", "wrong-digest"),
    ("/manifest", (200, mean_manifest().to_bytes() + b" ", {}), "declined", "wrong-digest"),
    ("/manifest", (200, b"x" * (2**20 + 1), {}), "declined", "malformed"),
]
"""What is said where instead, and what comes of it: nothing is asked for after it."""
IMPOSSIBLE_SEATS: list[dict[str, Any]] = [
    {"slot": -1}, {"slot": 400}, {"slot": 3.5}, {"slot": True}, {"capability": "c\r\nX: y"}, {"survey": "s"},
]  # fmt: skip
NOT_TAKEN: list[tuple[Answer, str, str]] = [
    (refusal(409, "conflict"), "refused", "conflict"),
    (refusal(409, "closed"), "missed", "closed"),
    (refusal(410, "expired"), "over", "expired"),
    (refusal(403, "forbidden"), "refused", "forbidden"),
    ((200, b"x" * 70_000, {}), "refused", "too-long"),
]
"""What is said of a report, and what comes of it."""


def told_otherwise(collector: Collector, changes: dict[str, Any]) -> Answer:
    """Its progress with these changes, whatever they are."""
    said = json.loads(json.dumps(collector._progress()))
    inner = changes.get("round", {})
    said |= changes | {"round": said["round"] | inner if isinstance(inner, dict) else inner}
    return 200, json.dumps(said).encode(), {}


def told_seat(collector: Collector, **changes: Any) -> Answer:
    """The reply to an enrolment, with these changes."""
    seat = {"survey": collector.manifest.digest, "slot": 3, "capability": CAPABILITY, "before": False}
    return 200, json.dumps(seat | changes).encode(), {}

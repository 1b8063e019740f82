"""A collector over HTTP as whoever runs a survey uses it: announce, invite, let everybody answer. The crowd has made-up
data that never changes, and answers as Python's devices do.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from sottovoce.client import Device
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import Invitation, Report

THREADS = 8
CAP = 16.0
SECONDS = 300


def ratings(users: int, *, each: int = 20, seed: int = 13) -> NDArray[np.int64]:
    """Everybody's ratings from 1 to 5: people differ, and most are content."""
    draw = np.random.default_rng(seed)
    own = draw.normal(3.7, 0.35, size=(users, 1))
    return np.clip(np.rint(draw.normal(own, 0.9, size=(users, each))), 1, 5).astype(np.int64)


def visit(url: str, observations: NDArray[np.int64]) -> str:
    """One person comes once with an invitation; returns what came of it."""
    with Ledger(":memory:", cap=CAP) as ledger:
        return Device(ledger=ledger, source="ratings").answer(url, observations, patience_seconds=SECONDS).state


def visits(urls: Sequence[str], observations: NDArray[np.int64]) -> list[str]:
    """All of them, a few at a time."""
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(visit, urls, observations))


def together(urls: Sequence[str], observations: NDArray[np.int64]) -> list[int]:
    """The same reports handed in by a gateway: everybody enrols, then one batch.

    All of them must find a seat in the round that is open. Returns the status of each row.
    """
    invited = [Invitation.read(url) for url in urls]
    survey, host = f"/surveys/{invited[0].survey}", urlsplit(invited[0].base).netloc
    with closing(http.client.HTTPConnection(host, timeout=SECONDS)) as line:
        seats = [json.loads(_asked(line, "POST", f"{survey}/enrol", token=one.token)) for one in invited]
        now = json.loads(_asked(line, "GET", f"{survey}/progress"))["round"]
        question = _asked(line, "GET", f"{survey}/rounds/{now['number']}/{now['role']}/question")
    rows: list[Any] = [{"question": now["question"], "version": 1}]
    for seat, own in zip(seats, observations, strict=True):
        with Ledger(":memory:", cap=CAP) as ledger:
            made = respond(
                question,
                Collections.of_one(own),
                slot=seat["slot"],
                digest=now["question"],
                collector=invited[0].base,
                source="ratings",
                ledger=ledger,
                entropy=SystemEntropy(),
            )
        rows.append([seat["slot"], Report.from_bytes(made).payload, seat["capability"]])
    body = "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows).encode()
    with closing(http.client.HTTPConnection(host, timeout=SECONDS)) as line:  # the first one may be gone by now
        return list(json.loads(_asked(line, "POST", f"{survey}/batches", body))["statuses"])


def _asked(
    line: http.client.HTTPConnection, method: str, path: str, body: bytes | None = None, token: str = ""
) -> bytes:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers["Content-Type"] = "application/x-ndjson"
    line.request(method, path, body, headers)
    reply = line.getresponse()
    said = reply.read()
    assert reply.status in (200, 201), said
    return said


DAY = 86_400


def ask(url: str, body: Any = None, *, method: str | None = None, token: str = "") -> tuple[int, Any]:
    """One request, and what came: the status, and what was said."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.load(refusal)


def create(url: str, administrator: str, *, users: int, **more: Any) -> tuple[str, str]:
    """A survey of ratings from 1 to 5: its name and its token."""
    settings = {"epsilon": 2.0, "low": 1, "high": 5, "users": users, "observations": 20, **more.pop("settings", {})}
    asked = {
        "problem": "mean",
        "settings": settings,
        "purpose": "how lectures are rated",
        "collector": "the students' council",
        "closes": int(time.time()) + DAY,
        "columns": ["rating"],
        "enrolment": "on-arrival",
        **more,
    }
    status, made = ask(f"{url}/surveys", asked, token=administrator)
    assert status == 201, made
    return made["survey"], made["token"]


def invite(url: str, survey: str, token: str, *, count: int) -> list[str]:
    """So many invitations."""
    status, made = ask(f"{url}/surveys/{survey}/invitations", {"count": count}, token=token)
    assert status == 201, made
    return list(made["invitations"])


def rounds(url: str, survey: str) -> Any:
    """Where it stands."""
    return ask(f"{url}/surveys/{survey}/rounds")[1]


def finished(url: str, administrator: str, *, users: int) -> str:
    """A survey in one round that everybody has answered."""
    survey, token = create(url, administrator, users=users, settings={"method": "one-round"}, minimum=10)
    assert set(together(invite(url, survey, token, count=users), ratings(users))) == {201}
    end = time.monotonic() + SECONDS
    while rounds(url, survey)["state"] != "done":
        assert time.monotonic() < end, "the survey did not end"
        time.sleep(0.05)
    return survey

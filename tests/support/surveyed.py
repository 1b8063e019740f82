"""A collector over HTTP as whoever runs a survey uses it: announce, invite, let everybody answer."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from typing import Any

from tests.support.people import ratings, together

SECONDS = 300
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

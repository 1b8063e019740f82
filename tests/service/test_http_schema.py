"""The OpenAPI document says what is served, all of it; and what is served keeps to the document.

Requests come from the document alone, or from the document with real ids, questions and settings in it: these reach
what lies behind the first refusal. Every answer that the document lists for a request where nothing is wrong is seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from starlette.routing import Route

from sottovoce.messages import ACCESS, ENROLMENTS
from sottovoce.service import ROUTES, Limits
from sottovoce.service.handlers import HANDLERS
from sottovoce.service.routes import WHO, openapi_document
from tests.service.web import START, Web, manifest_of, payload_of
from tests.support.patience import HUNG_SECONDS

EXAMPLES, WITH_BODY = 4, 12
LIMITS = Limits(enrol_rate=1e6, enrol_burst=10**6, idle_seconds=600)
TIMES = [1, pytest.param(30, marks=pytest.mark.soak)]
PAGE = Path(__file__).parents[2] / "docs" / "routes.md"


def test_every_route_is_in_the_table_and_the_table_is_served(web: Web) -> None:
    served: Any = web.running.application
    paths = {route.path.replace(":path}", "}") for route in served._rest.routes if isinstance(route, Route)}
    assert paths == {one.path for one in ROUTES}
    assert {one.name for one in ROUTES} == set(HANDLERS) | {"reports"}
    described = json.loads(openapi_document())["paths"]
    assert {(one.method.lower(), one.path) for one in ROUTES} == {
        (method, path) for path, methods in described.items() for method in methods
    }


def test_the_page_of_routes_lists_the_table() -> None:
    lines = [f"| {one.method} | `{one.path}` | {WHO[one.who]} | {one.does} |" for one in ROUTES]
    assert [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:] == lines


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> Any:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", errors="surrogatepass")


@schemathesis.serializer("application/json")
def canonical(context: Any, value: Any) -> Any:
    """As devices send it; what is no JSON goes as it is."""
    if isinstance(value, bytes):
        return value
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def parts_of(route: Any) -> list[str]:
    return re.findall(r"\{(\w+)\}", route.path)


# ---- requests about what is there ------------------------------------------------------------------------------------


@dataclass
class Known:
    """A survey in which a route has something to do: its parts of the path, its body, and whose token is sent."""

    parts: dict[str, Any]
    token: Callable[[], str]
    body: dict[str, Any] = field(default_factory=dict)
    """What replaces parts of the body's schema."""


def answered(web: Web, purpose: str, count: int) -> str:
    """A survey with one round and so many reports."""
    survey = web.create(manifest_of(purpose=purpose))
    for slot in range(count):
        assert web.post(survey, slot).status == 201
    return survey


def finished(web: Web, purpose: str) -> str:
    survey = answered(web, purpose, 12)
    assert web.ask("POST", f"/surveys/{survey}/rounds/0/close", token=web.tokens[survey]).status == 200
    return survey


def batches_of(web: Web, survey: str) -> list[str]:
    """One without rows, one with a row that is taken, and one with rows of every kind."""
    question = web.question(survey)
    head, payload = f'{{"question":"{question.digest}","version":1}}', payload_of(question)
    rows = [[slot, payload, web.capability(survey, slot)] for slot in range(4)]
    wrong = [[0, payload, "0" * 32], [99, payload, rows[0][2]], [1, "ff", rows[1][2]], [], "what", None]
    return [
        head,
        "\n".join([head, json.dumps(rows[0])]),
        "\n".join([head, *map(json.dumps, rows + wrong), "{"]),
    ]


def known(route: Any, web: Web, purpose: str) -> Known:
    """Each time a survey of its own, so that cases do not depend on each other."""
    counted = iter(range(10**6))
    fixed: dict[str, Any] = {"round": 0, "role": "mean", "path": "shared/theme.css"}
    body: dict[str, Any] = {}

    def token() -> str:
        return web.admin

    if route.name == "create":
        body = {
            "problem": {"const": "mean"},
            "settings": {
                "enum": [{"epsilon": 1, "low": 1, "high": 5, "users": users, "observations": 9} for users in (40, 90)]
            },
            "closes": {"type": "integer", "minimum": START + 5_000, "maximum": START + 9_000},
            "opens": {"enum": [None, START, START + 1_000]},
            "enrolment": {"enum": list(ENROLMENTS)},
            "access": {"enum": list(ACCESS)},
            "columns": {"const": []},
            "minimum": {"enum": [None, 1, 5]},
            "round_seconds": {"enum": [None, 100]},
        }
    elif route.name == "invite":
        fixed["survey"] = web.create(manifest_of(purpose=purpose))
        body = {"count": {"type": "integer", "minimum": 1, "maximum": 50}}
    elif route.name == "enrol":
        fixed["survey"] = web.create(manifest_of(purpose=purpose, access="open"))

        def token() -> str:
            return f"{next(counted):043}"
    elif route.name == "reports":
        fixed["survey"] = survey = web.create(manifest_of(purpose=purpose))
        question = web.question(survey)
        body = {
            "payload": {"const": payload_of(question)},
            "question": {"const": question.digest},
            "slot": {"const": 3},
        }

        def token() -> str:
            return web.capability(survey, 3)
    elif route.name == "batches":
        fixed["survey"] = survey = web.create(manifest_of(purpose=purpose))
        body = {"enum": batches_of(web, survey)}
    elif route.name == "close":
        fixed["survey"] = answered(web, purpose, 12)
        body = {"reason": {"enum": ["", "the lecture is over", "a" * 80]}}
    elif route.name == "plan":
        own = {"epsilon": 1, "low": 1, "high": 5, "observations": 9}
        body = {"problem": {"const": "mean"}, "settings": {"const": {**own, "users": 90}}, "halfwidth": {"const": None}}
    elif route.name in ("estimate", "transcript"):
        fixed["survey"] = finished(web, purpose)
    elif "survey" in parts_of(route):
        fixed["survey"] = web.create(manifest_of(purpose=purpose))
    return Known(parts={part: fixed[part] for part in parts_of(route)}, token=token, body=body)


def pinned(route: Any, body: dict[str, Any]) -> dict[str, Any]:
    """The document, with what is known in it."""
    plain: dict[str, Any] = json.loads(openapi_document())
    if not body or route.body is None:
        return plain
    content = plain["paths"][route.path][route.method.lower()]["requestBody"]["content"][route.body.media]
    if route.body.kind is not None:
        content["schema"] = plain["components"]["schemas"][route.body.kind.__name__]
    if "properties" in content["schema"]:
        content["schema"]["properties"] |= body
    else:
        content["schema"] |= body
    return plain


CASES = [
    pytest.param(route, mode, there, id=f"{route.name}-{mode.value}-{'known' if there else 'any'}")
    for route in ROUTES
    for mode in GenerationMode
    for there in (True, False)
    if (there and (mode is GenerationMode.POSITIVE or route.method == "POST")) or (not there and parts_of(route))
]
"""A survey that is there, or any; a request with nothing to get wrong has no negative case."""


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("route, mode, there", CASES)
def test_what_is_served_keeps_to_the_document(
    route: Any, mode: GenerationMode, there: bool, times: int, web: Web
) -> None:
    about = known(route, web, f"{route.name} {mode.value} {there} {times}")
    right = there and mode is GenerationMode.POSITIVE
    schema = schemathesis.openapi.from_dict(pinned(route, about.body if right else {}))  # what leaves it may be right
    operation = schema[route.path][route.method]
    load_all_checks()
    left_out = {"positive_data_acceptance", "ensure_resource_availability", "use_after_free", "ignored_auth"}
    checks = [check for check in CHECKS.get_all() if check.__name__ not in left_out]
    values = operation.as_strategy(generation_mode=mode, path_parameters=about.parts if there and about.parts else None)
    seen: set[int] = set()

    @settings(
        max_examples=times * (EXAMPLES if route.body is None else WITH_BODY),
        deadline=None,
        derandomize=times == 1,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=values)
    def conforms(case: Any) -> None:
        """Each request twice: the second may be answered otherwise, and knows what the first was told."""
        headers = {"Authorization": f"Bearer {about.token()}"}
        for _ in range(2 if there else 1):
            heard = case.call_and_validate(
                base_url=web.running.url, session=session, headers=headers, checks=checks, timeout=HUNG_SECONDS
            )
            seen.add(heard.status_code)
            if "etag" in heard.headers:
                headers["If-None-Match"] = heard.headers["etag"][0]

    with requests.Session() as session:
        conforms()
    if right:
        assert seen >= {reply.status for reply in route.replies}, "what is documented happens"

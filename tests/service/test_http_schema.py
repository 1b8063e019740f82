"""The OpenAPI document says what is served, all of it; and what is served keeps to the document."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from starlette.routing import Route

from sottovoce.service import ROUTES
from sottovoce.service.handlers import HANDLERS
from sottovoce.service.openapi import document
from sottovoce.service.routes import WHO
from tests.service.web import Web, serving

EXAMPLES, WITH_BODY = 4, 12
PAGE = Path(__file__).parents[2] / "docs" / "routes.md"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with serving(tmp_path_factory.mktemp("schema")) as made:
        yield made


def test_every_route_is_in_the_table_and_the_table_is_served(web: Web) -> None:
    served: Any = web.running.application
    assert {route.path for route in served._rest.routes if isinstance(route, Route)} == {one.path for one in ROUTES}
    assert {one.name for one in ROUTES} == set(HANDLERS) | {"reports"}
    described = json.loads(document())["paths"]
    assert {(one.method.lower(), one.path) for one in ROUTES} == {
        (method, path) for path, methods in described.items() for method in methods
    }


def test_the_page_of_routes_lists_the_table() -> None:
    lines = [f"| {one.method} | `{one.path}` | {WHO[one.who]} | {one.does} |" for one in ROUTES]
    assert [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:] == lines


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> Any:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", errors="surrogatepass")


def parts_of(route: Any) -> list[str]:
    return re.findall(r"\{(\w+)\}", route.path)


CASES = [
    pytest.param(route, mode, known, id=f"{route.name}-{mode.value}-{'known' if known else 'any'}")
    for route in ROUTES
    for mode in GenerationMode
    for known in (True, False)
    if (known and (mode is GenerationMode.POSITIVE or route.method == "POST")) or (not known and parts_of(route))
]
"""A survey that is there, or any; a request with nothing to get wrong has no negative case."""


@pytest.mark.parametrize("route, mode, known", CASES)
def test_what_is_served_keeps_to_the_document(route: Any, mode: GenerationMode, known: bool, web: Web) -> None:
    survey = web.create() if not web.tokens else next(iter(web.tokens))
    parts = parts_of(route)
    schema = schemathesis.openapi.from_dict(json.loads(document()))
    operation = schema[route.path][route.method]
    fixed = {"survey": survey, "round": 0, "role": "mean"}
    token = web.admin if route.who in ("administrator", "owner") else web.capability(survey, 0)
    load_all_checks()
    left_out = {"positive_data_acceptance", "ensure_resource_availability", "use_after_free", "ignored_auth"}
    checks = [check for check in CHECKS.get_all() if check.__name__ not in left_out]
    values = operation.as_strategy(
        generation_mode=mode, path_parameters={part: fixed[part] for part in parts} if known and parts else None
    )

    @settings(
        max_examples=EXAMPLES if route.body is None else WITH_BODY,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=values)
    def conforms(case: Any) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        case.call_and_validate(base_url=web.running.url, session=session, headers=headers, checks=checks)

    with requests.Session() as session:
        conforms()

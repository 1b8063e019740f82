"""The table of routes as an OpenAPI 3.1 document, with the schemas of our own types."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from sottovoce.messages import MAX_ROUNDS
from sottovoce.service.assets import assets
from sottovoce.service.messages import DIGEST, JSON, Failure
from sottovoce.service.route import WHO, Body, Reply, Route, refusals
from sottovoce.service.routes import ROUTES
from sottovoce.version import VERSION

_PARTS: dict[str, dict[str, Any]] = {
    "survey": {"type": "string", "pattern": DIGEST},
    "round": {"type": "integer", "minimum": 0, "maximum": MAX_ROUNDS - 1},
    "role": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[^/]+$"},
    "path": {"type": "string", "enum": list(assets())},
}
_REPORT = {
    "type": "object",
    "description": "In canonical form (RFC 8785): names in this order, no space.",
    "properties": {
        "payload": {"type": "string", "pattern": "^([0-9a-f]{2})*$"},
        "question": {"type": "string", "pattern": DIGEST},
        "slot": {"type": "integer", "minimum": 0},
        "version": {"const": 1},
    },
    "required": ["payload", "question", "slot", "version"],
    "additionalProperties": False,
}


@cache
def document() -> bytes:
    """The whole document."""
    kinds = {body.kind for route in ROUTES if (body := route.body) is not None and body.kind is not None}
    kinds |= {reply.kind for route in ROUTES for reply in route.replies if reply.kind is not None}
    ordered = sorted([*kinds, Failure], key=lambda kind: str(kind.__name__))
    _, schemas = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Sottovoce collector",
            "version": VERSION,
            "description": "A survey of many users, each of whom sends one locally private report.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                who: {"type": "http", "scheme": "bearer", "description": words}
                for who, words in WHO.items()
                if who not in ("public", "rows")
            },
        },
    }
    return msgspec.json.encode(whole)


def _operation(route: Route) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.does,
        "description": f"For {WHO[route.who]}.",
        "responses": {
            **{str(reply.status): _reply(route, reply) for reply in route.replies},
            **{str(status): _REFUSAL for status in refusals(route)},
        },
    }
    parts = re.findall(r"\{(\w+)\}", route.path)
    if parts:
        made["parameters"] = [{"name": part, "in": "path", "required": True, "schema": _PARTS[part]} for part in parts]
    if route.body is not None:
        made["requestBody"] = {
            "required": route.body.required,
            "content": {route.body.media: {"schema": _body(route.body)}},
        }
    if route.who not in ("public", "rows"):
        made["security"] = [{route.who: []}]
    return made


def _body(body: Body) -> dict[str, Any]:
    if body.kind is not None:
        return _schema(body.kind)
    return _REPORT if body.media == JSON else {"type": "string", "description": body.words}


def _reply(route: Route, reply: Reply) -> dict[str, Any]:
    if not reply.media:
        return {"description": reply.words}
    alike = [one for one in route.replies if one.status == reply.status]
    return {"description": reply.words, "content": {one.media: {"schema": _content(one)} for one in alike}}


def _content(reply: Reply) -> dict[str, Any]:
    if reply.kind is not None:
        return _schema(reply.kind)
    return {"type": "object"} if reply.media == JSON else {"type": "string"}


def _schema(kind: Any) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


_REFUSAL = {"description": "refused, and why", "content": {JSON: {"schema": _schema(Failure)}}}

"""Bodies that are not what a route reads, made by rule: always 4xx in the one shape, and nothing is counted."""

from __future__ import annotations

import gzip
import http.client
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from sottovoce.service import Limits
from sottovoce.service.documents import Failure
from tests.service.web import JSON, NDJSON, START, Web, manifest_of

WRONG: tuple[Any, ...] = (None, True, False, -1, 1.5, "", "x", "1", [], {}, [1], {"a": 1}, 10**400)
RAW = [*b"NaN Infinity -Infinity 1e400 -0 01 +1 0x1 1. .5 tru '1'".split(), rb'"\ud800"']
DEEP = (b"[" * 30_000, b"[" * 20_000 + b"]" * 20_000, b'{"a":' * 10_000 + b"1" + b"}" * 10_000)
LIMITS = Limits(idle_seconds=600)
BOMB = gzip.compress(b"0" * 10_000_000)


class Line:
    """One connection, opened again when the other side closes it."""

    def __init__(self, web: Web) -> None:
        self.connection = http.client.HTTPConnection(web.running.host, web.running.port, timeout=120)

    def refused(self, path: str, body: bytes, token: str, media: str = JSON, **headers: str) -> tuple[int, bytes]:
        sent = {"Authorization": f"Bearer {token}", "Content-Type": media, **headers}
        self.connection.request("POST", path, body, sent)
        answer = self.connection.getresponse()
        return answer.status, answer.read()


@pytest.fixture(scope="module")
def line(web: Web) -> Iterator[Line]:
    made = Line(web)
    yield made
    made.connection.close()


def other_values(fine: bytes) -> Iterator[bytes]:
    """Every field of an object with every wrong value, missing, twice, and with a stranger beside it."""
    plain = json.loads(fine)

    def written(held: dict[str, Any]) -> bytes:
        return json.dumps(held, separators=(",", ":"), sort_keys=True).encode()

    for name, value in plain.items():
        for wrong in WRONG:
            if wrong != value or type(wrong) is not type(value):
                yield written({**plain, name: wrong})
        for raw in RAW:
            yield written({**plain, name: 987654321}).replace(b"987654321", raw)
        yield written({key: held for key, held in plain.items() if key != name})
        yield fine[:-1] + b"," + json.dumps(name).encode() + b":" + json.dumps(value).encode() + b"}"
    yield written({**plain, "stranger": 1})


def other_bytes(fine: bytes, step: int = 1) -> Iterator[bytes]:
    """Cut off anywhere, a wrong byte anywhere, more than one document, other encodings, too deep."""
    for at in range(0, len(fine), step):
        yield fine[:at]
        yield fine[:at] + b"\xff" + fine[at + 1 :]
    yield from (b"[" + fine + b"]", fine + fine, fine + b"x", b"\xef\xbb\xbf" + fine, fine.decode().encode("utf-16"))
    yield from (b"null", b"0", b'""', b"[]", b"{}", b"\x00" * 100, BOMB, *DEEP)


def test_reports(web: Web, line: Line) -> None:
    survey, other = web.create(), web.create(manifest_of(purpose="another"))
    assert web.post(survey, 0).status == 201
    fine, own, path = web.report(survey, 7), web.capability(survey, 7), f"/surveys/{survey}/reports"
    bodies = [*other_values(fine), *other_bytes(fine)]
    bodies += [fine[:at] + b" " + fine[at:] for at in range(len(fine) + 1)]
    bodies += [body for at in range(len(fine)) if (body := fine[:at] + b'"' + fine[at + 1 :]) != fine]
    bodies += [fine.replace(b"version", b"\\u0076ersion"), json.dumps(json.loads(fine)).encode(), fine + b"\n"]
    bodies += [fine.replace(b'"slot":7', b'"slot":%d' % slot) for slot in (8, 39, 40, 2**40, 2**53 + 1)]
    bodies += [
        fine.replace(b'"00"', b'"%s"' % text) for text in (b"0", b"0000", b"ff", b"0A", b"0x", b" 0", b"00" * 9000)
    ]
    bodies += [web.report(other, 7), b" " * 2**16, b"0" * (2**16 + 1), b"{" * 2**17]
    assert len(bodies) >= 500
    for body in bodies:
        status, heard = line.refused(path, body, own)
        assert 400 <= status < 500, body[:200]
        msgspec.json.decode(heard, type=Failure)
    for token in (
        web.capability(other, 7),
        web.capability(survey, 8),
        web.tokens[survey],
        web.admin,
        own.upper(),
        own[:-1],
    ):
        assert line.refused(path, fine, token)[0] == 403
    for encoding in ("gzip", "deflate", "br", "gzip, gzip", "x"):
        assert line.refused(path, BOMB, own, **{"Content-Encoding": encoding})[0] == 415
    for media in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", "*/*"):
        assert line.refused(path, fine, own, media)[0] == 415
    assert web.stored(survey) == 1 and web.stored(other) == 0
    assert line.refused(path, fine, own)[0] == 201, "and the real one is still welcome"


def test_batches(web: Web, line: Line) -> None:
    survey = web.create(manifest_of(purpose="batches"))
    path, digest, own = f"/surveys/{survey}/batches", web.question(survey).digest, web.capability(survey, 7)
    head, row = f'{{"question":"{digest}","version":1}}'.encode(), json.dumps([7, "00", own]).encode()
    heads = [*other_values(head), *other_bytes(head, 3), b" " + head, head + b" "]
    heads.remove(head[:0])  # an empty line is tried below
    for bad in heads:
        status, heard = line.refused(path, bad.replace(b"\n", b"") + b"\n" + row, "", NDJSON)
        assert 400 <= status < 500, bad[:200]
        msgspec.json.decode(heard, type=Failure)
    for whole in (b"", b"\n", b"\n" + row, row, head + b"\r\n" + row, BOMB, b"0" * (4 * 2**20 + 1)):
        assert 400 <= line.refused(path, whole, "", NDJSON)[0] < 500
    rows = [row[:at] for at in range(1, len(row))] + [row[:at] + b"\xff" + row[at + 1 :] for at in range(len(row))]
    rows += [
        json.dumps([*before, wrong, *after]).encode() for wrong in WRONG for before, after in _around(7, "00", own)
    ]
    rows += [b"", b"[]", b"{}", row + row, row + b"]", b"[7,,]", *DEEP]
    rows += [json.dumps([7, text, own]).encode() for text in ("", "0", "0000", "ff", "0A", "0 ", "\u0660\u0660")]
    rows += [json.dumps([slot, "00", own]).encode() for slot in (6, 8, 40, 2**40, 2**63, 2**64, -7)]
    status, heard = line.refused(path, head + b"\n" + b"\n".join(rows), "", NDJSON)
    statuses = json.loads(heard)["statuses"]
    assert status == 200 and len(statuses) == len(rows)
    assert [body for body, one in zip(rows, statuses, strict=True) if not 400 <= one < 500] == []
    assert web.stored(survey) == 0


def _around(*parts: Any) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    for at in range(len(parts)):
        yield parts[:at], parts[at + 1 :]


def test_what_administrators_send(web: Web, line: Line) -> None:
    survey = web.create(manifest_of(purpose="administrators"))
    settings = {"epsilon": 1.0, "low": 1.0, "high": 5.0, "users": 20, "observations": 20, "method": "one-round"}
    asked = {"closes": START + 99, "collector": "us", "problem": "mean", "purpose": "p", "settings": settings}
    fine = json.dumps(asked, separators=(",", ":"), sort_keys=True).encode()
    bodies = [body for body in (*other_values(fine), *other_bytes(fine, 5)) if not _harmless(body, asked)]
    for name in settings:
        for wrong in (None, "x", [], {}, [[1]], True):
            bodies.append(json.dumps({**asked, "settings": {**settings, name: wrong}}).encode())
    others: list[dict[str, Any]] = [{"settings": {**settings, "stranger": 1}}, {"closes": 5}]
    others += [{"settings": {**settings, name: wrong}} for name in ("users", "epsilon") for wrong in (-1, 0, 1e300)]
    others += [{name: wrong} for name in ("quota", "minimum", "origins") for wrong in (-1, "x")]
    bodies += [json.dumps({**asked, **other}).encode() for other in others]
    known = len(web.store.surveys())
    for body in bodies:
        status, heard = line.refused("/surveys", body, web.admin)
        assert 400 <= status < 500, body[:300]
        msgspec.json.decode(heard, type=Failure)
    assert len(web.store.surveys()) == known
    path = f"/surveys/{survey}/invitations"
    counts = [*other_values(b'{"count":5}'), *other_bytes(b'{"count":5}'), b'{"count":0}', b'{"count":10001}']
    for body in counts:
        if body not in (b'{"count":"1"}',):
            assert 400 <= line.refused(path, body, web.tokens[survey])[0] < 500, body[:100]
    for path in ("enrol", "rounds/0/close", "rounds/x/close", "rounds/-1/close", "rounds/99999999999999999999/close"):
        assert 400 <= line.refused(f"/surveys/{survey}/{path}", b"{}", web.tokens[survey])[0] < 500


def _harmless(body: bytes, asked: dict[str, Any]) -> bool:
    """Another text for the purpose is a survey like any other."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return False
    if not isinstance(told, dict) or told.keys() != asked.keys():
        return False
    texts = all(type(told[name]) is str and told[name] for name in ("purpose", "collector"))
    return texts and all(told[name] == asked[name] for name in ("closes", "problem", "settings"))

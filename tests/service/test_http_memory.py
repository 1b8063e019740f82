"""What nobody accepts is not kept either: refused batches, and trailers that never end.

What counts as failure: a collector that grows by more than a few bodies, or that listens on without an end.
"""

from __future__ import annotations

import http.client
import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from sottovoce.service import Collector, open_store
from sottovoce.service.limits import MAX_BATCH_BYTES
from sottovoce.service.server import MAX_HEAD_BYTES
from tests.service.web import NDJSON, manifest_of
from tests.support.served import Served

MOST = 40 * 2**20
"""By which it may grow: a few bodies and their copies, and what a first request loads."""


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    url, now = f"sqlite:{tmp_path_factory.mktemp('memory') / 'store.db'}", int(time.time())
    manifest = manifest_of(opens=now, closes=now + 1_000)
    with open_store(url) as store:
        Collector(store, clock=time.time).create(manifest, origins=("https://example.org",))
    with Served(url) as served:
        yield served, manifest.digest


def test_refused_batches_are_not_kept(survey: tuple[Served, str]) -> None:
    served, id = survey
    first = b'{"question":"%s","version":1}\n' % (b"ab" * 32)
    rows = b"ab\n" * (MAX_BATCH_BYTES // 3 - 100)
    before = served.peak_bytes
    for number in range(12):
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=120)
        try:
            body = first + rows if number % 2 else rows
            connection.request("POST", f"/surveys/{id}/batches", body, {"content-type": NDJSON})
            assert connection.getresponse().status == 400
        finally:
            connection.close()
    assert served.peak_bytes - before < MOST


def head(survey: str) -> bytes:
    """Of a report whose body comes in chunks."""
    first = f"POST /surveys/{survey}/reports HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return f"{first}authorization: Bearer x\r\ntransfer-encoding: chunked\r\n\r\n".encode()


@pytest.mark.parametrize("trailer", [b"a: b\r\n", b"a"], ids=["many", "one"])
def test_trailers_without_end(trailer: bytes, survey: tuple[Served, str]) -> None:
    served, id = survey
    before, block, sent = served.peak_bytes, trailer * (16_384 // len(trailer)), 0
    with socket.create_connection(("127.0.0.1", served.port), timeout=120) as line:
        line.sendall(head(id) + b"1\r\n{\r\n0\r\n")
        try:
            while sent < 2**25:
                line.sendall(block)
                sent += len(block)
        except OSError:
            pass
    assert sent < 2**25, "the line is cut"
    assert served.peak_bytes - before < MOST


def test_trailers_that_end_are_left_out(survey: tuple[Served, str]) -> None:
    served, id = survey
    for rest, told in ((b"\r\n", b"HTTP/1.1 400"), (b"x" * (MAX_HEAD_BYTES + 1), b"HTTP/1.1 431")):
        with socket.create_connection(("127.0.0.1", served.port), timeout=120) as line:
            line.sendall(head(id) + b"1\r\n{\r\n0\r\norigin: https://example.org\r\n")
            for _ in range(50 if len(rest) > 2 else 1):  # the first may be read together with what came before it
                with suppress(ConnectionError):  # it is refused by now
                    line.sendall(rest)
                if select.select([line], [], [], 0.2)[0]:
                    break
            heard = line.recv(2_000)
        assert heard.startswith(told) and b"access-control-allow-origin" not in heard

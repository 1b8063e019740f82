"""A collector that speaks TLS itself, and a device that checks its certificate."""

from __future__ import annotations

import io
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from sottovoce.client import Https, Unreachable
from sottovoce.messages import Report
from sottovoce.service import Collector, Limits, Running, Store, open_store, running
from tests.service.web import Clock, manifest_of, payload_of

CERT, KEY = (Path(__file__).parent / "tls" / f"test-only-{name}.pem" for name in ("cert", "key"))
LIMITS = Limits(head_seconds=4, body_seconds=4, idle_seconds=4)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:{tmp_path / 'store.db'}") as made:
        yield made


@pytest.fixture
def secure(store: Store) -> Iterator[Running]:
    with running(store, clock=Clock(), limits=LIMITS, log=io.StringIO(), tls_cert=str(CERT), tls_key=str(KEY)) as made:
        yield made


def trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(CERT))


def test_a_report_over_tls(secure: Running, store: Store) -> None:
    collector, manifest = Collector(store, clock=Clock()), manifest_of(access="open")
    collector.create(manifest)
    survey, question = manifest.digest, collector.survey(manifest.digest).question
    assert secure.url.startswith("https://127.0.0.1:")
    web, at = Https(context=trusting(), timeout_seconds=120), f"{secure.url}/surveys/{survey}"
    assert web.request("GET", f"{at}/manifest", limit=2**20).body == manifest.to_bytes()
    enrolled = json.loads(web.request("POST", f"{at}/enrol", token="t" * 43, limit=2**16).body)
    report = Report(question=question.digest, slot=enrolled["slot"], payload=payload_of(question)).to_bytes()
    sent = [
        web.request("POST", f"{at}/reports", token=enrolled["capability"], body=report, limit=2**16) for _ in range(2)
    ]
    assert [reply.status for reply in sent] == [201, 200]


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(secure: Running) -> None:
    for context in (None, ssl.create_default_context()):
        with pytest.raises(Unreachable, match="SSLCertVerificationError"):
            Https(context=context, timeout_seconds=120).request("GET", f"{secure.url}/healthz", limit=2**16)
    plain = secure.url.replace("https", "http")
    with pytest.raises(Unreachable):
        Https(timeout_seconds=120).request("GET", f"{plain}/healthz", limit=2**16)


def test_who_stalls_is_cut_off_in_the_handshake_and_after_it(secure: Running) -> None:
    """All at once, since each is waited for."""
    with ExitStack() as stack:
        bare = [stack.enter_context(socket.create_connection((secure.host, secure.port), timeout=120)) for _ in "abc"]
        bare[1].sendall(b"\x16\x03\x01\x02\x00\x01")
        whole = stack.enter_context(trusting().wrap_socket(bare[2], server_hostname="localhost"))
        whole.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n")
        heard = [b""] * 3
        for number, line in enumerate((bare[0], bare[1], whole)):
            with suppress(ConnectionResetError, ssl.SSLEOFError):
                while part := line.recv(2**16):
                    heard[number] += part
    assert heard[:2] == [b"", b""] and heard[2].startswith(b"HTTP/1.1 200")

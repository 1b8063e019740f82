"""A collector that speaks TLS itself, and a device that checks its certificate."""

from __future__ import annotations

import io
import json
import socket
import ssl
from collections.abc import Iterator
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


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01\x02\x00\x01"])
def test_a_handshake_that_does_not_end_is_cut_off(secure: Running, said: bytes) -> None:
    with socket.create_connection((secure.host, secure.port), timeout=120) as silent:
        silent.sendall(said)
        try:
            heard = silent.recv(1)
        except ConnectionResetError:
            heard = b""
        assert heard == b""


def test_a_connection_that_stalls_after_its_handshake_is_cut_off(secure: Running) -> None:
    with (
        socket.create_connection((secure.host, secure.port), timeout=120) as bare,
        trusting().wrap_socket(bare, server_hostname="localhost") as silent,
    ):
        silent.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n")
        heard = b""
        try:
            while part := silent.recv(2**16):
                heard += part
        except (ConnectionResetError, ssl.SSLEOFError):
            pass
        assert heard.startswith(b"HTTP/1.1 200")

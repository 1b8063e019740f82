"""Many at once: duplicates, clients that stall, and more than can be stored; a round that closes for long; and what
nobody accepts. Others are served, memory stays bounded.

What counts as failure: a report that counts twice, an answer that is neither a receipt nor "come back later", a client
that waits for somebody who stalls or for a round that closes, a collector that grows by more than a few bodies, or that
listens on without an end.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import itertools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from sottovoce.service import Limits, open_store
from sottovoce.service.limits import MAX_BATCH_BYTES
from sottovoce.service.server import MAX_HEAD_BYTES
from tests.service import crowd
from tests.service.web import NDJSON, Web, manifest_of, serving
from tests.support.patience import HUNG_SECONDS, eventually
from tests.support.processes import memory, open_files
from tests.support.served import Served

LIMITS = Limits(head_seconds=8.0, body_seconds=8.0, idle_seconds=8.0, connections=1_500, requests=2_000)
PATIENT = Limits(head_seconds=600, body_seconds=600, idle_seconds=600, connections=1_500, requests=2_000)
"""A thousand at once may wait long on a busy machine: that is not what is tried."""


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[Web]:
    with serving(tmp_path, limits=PATIENT) as made:
        yield made


@pytest.fixture
def many_files() -> Iterator[None]:
    """Both ends of a thousand connections are in this process."""
    with open_files(2_500):
        yield


@pytest.mark.usefixtures("many_files")
def test_a_thousand_duplicates_are_one_report(tmp_path: Path) -> None:
    with serving(tmp_path, limits=PATIENT) as web:
        survey = web.create()
        one = crowd.request(f"/surveys/{survey}/reports", web.report(survey, 4), web.capability(survey, 4))
        all_of_them = itertools.repeat(one, 1_000)
        host, port = web.running.host, web.running.port
        heard = crowd.send(host, port, all_of_them, connections=1_000, seconds=10 * HUNG_SECONDS)
        assert heard.statuses == {201: 1, 200: 999}
        assert web.stored(survey) == 1


def test_stalled_connections_stop_nobody_and_are_cut_off(web: Web) -> None:
    survey = web.create(manifest_of(purpose="stalled"))
    whole = crowd.request(f"/surveys/{survey}/reports", web.report(survey, 0), web.capability(survey, 0))
    longer, ended = (b"GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n" % size for size in (1_000, 1))
    parts = [b"", b"POST /sur", whole[:120], whole[:-5], longer, ended]

    async def stall() -> list[bytes]:
        held = [await asyncio.open_connection(web.running.host, web.running.port) for _ in range(210)]
        for number, (_, writer) in enumerate(held):
            writer.write(parts[number % len(parts)])
        for reader, writer in [*held[4 :: len(parts)], *held[5 :: len(parts)]]:  # answered before the body comes
            assert (await crowd.answer(reader))[0] == 200
            writer.write(b"x")
        loop = asyncio.get_running_loop()
        statuses = [
            await loop.run_in_executor(None, lambda slot=slot: web.post(survey, slot).status) for slot in range(20)
        ]
        assert statuses == [201] * 20

        async def end(reader: asyncio.StreamReader) -> bytes:
            try:
                return await asyncio.wait_for(reader.read(), timeout=HUNG_SECONDS)
            except ConnectionResetError:
                return b""

        ends = await asyncio.gather(*(end(reader) for reader, _ in held))
        for _, writer in held:
            writer.close()
        return ends

    told = [heard for heard in asyncio.run(stall()) if heard]
    assert len(told) == 35 and all(heard.startswith(b"HTTP/1.1 408") for heard in told), "only bodies are answered for"
    assert web.stored(survey) == 20


def test_batches_that_never_come_leave_room_for_reports(tmp_path: Path) -> None:
    async def hold(web: Web, survey: str) -> tuple[list[int], bytes]:
        head = f"POST /surveys/{survey}/batches HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n"
        announced = head.encode() + b"content-length: %d\r\n\r\n" % MAX_BATCH_BYTES
        held = [await asyncio.open_connection(web.running.host, web.running.port) for _ in range(40)]
        try:
            for _, writer in held:
                writer.write(announced)
            await asyncio.sleep(0.1)
            told = [(await asyncio.to_thread(web.post, survey, 0)).status]
            batch = "\n".join([f'{{"question":"{web.question(survey).digest}","version":1}}', "[]"])
            small = await asyncio.to_thread(web.ask, "POST", f"/surveys/{survey}/batches", batch, media=NDJSON)
            for _, writer in held:  # now they do come, all but the end
                writer.write(b"0" * 2**17)
            await asyncio.sleep(0.3)
            told += [small.status, (await asyncio.to_thread(web.post, survey, 1)).status]
            heads = [asyncio.create_task(reader.readuntil(b"\r\n")) for reader, _ in held]
            done, waiting = await asyncio.wait(heads, timeout=HUNG_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            return told, done.pop().result()
        finally:
            for _, writer in held:
                writer.close()

    with serving(tmp_path, limits=Limits(batch_bytes=4 * 2**20, body_seconds=600)) as web:
        told, refused = asyncio.run(hold(web, web.create()))
    assert told == [201, 200, 201]
    assert refused.startswith(b"HTTP/1.1 503"), "memory is bounded all the same"


def waiting(web: Web, client: tuple[str, int]) -> list[int]:
    """How much is to be sent to this client; nothing where it is gone."""
    found = [one for one in list(web.running.server.server_state.connections) if one.client == client]
    return [one.transport.get_write_buffer_size() for one in found]


def test_who_reads_too_little_is_cut_off(web: Web) -> None:
    """So little waits to be sent that nobody is held up by it: the connection idles, and cannot be closed."""

    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((web.running.host, web.running.port))
        for _ in range(1_000):
            deaf.sendall(b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
            time.sleep(0.002)
            if any(waiting(web, deaf.getsockname())):
                break
        else:
            assert eventually(lambda: any(waiting(web, deaf.getsockname())))
        assert eventually(lambda: not waiting(web, deaf.getsockname()))


def test_who_does_not_read_is_cut_off(web: Web) -> None:
    async def deaf() -> int:
        reader, writer = await asyncio.open_connection(web.running.host, web.running.port, limit=1024)
        try:
            for _ in range(2_000):
                writer.write(b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
            client, heard = writer.get_extra_info("sockname"), len(await reader.readexactly(1))
            assert await asyncio.to_thread(eventually, lambda: not waiting(web, client)), "it is cut off"
            while part := await asyncio.wait_for(reader.read(2**16), timeout=HUNG_SECONDS):
                heard += len(part)
        except ConnectionResetError:
            pass
        finally:
            writer.close()
        return heard

    assert asyncio.run(deaf()) < 40_000_000, "2,000 answers have 60 MB"
    assert web.ask("GET", "/healthz").status == 200


def test_a_head_without_end_and_what_is_not_http(patient: Web) -> None:
    web = patient

    async def say(*parts: bytes) -> bytes:
        """All but the last part is read before that is sent: nothing is left unread that would reset the line."""
        reader, writer = await asyncio.open_connection(web.running.host, web.running.port)
        try:
            for part in parts:
                await asyncio.sleep(0.2)
                writer.write(part)
            return await asyncio.wait_for(reader.read(), timeout=HUNG_SECONDS)
        finally:
            writer.close()

    async def go_on() -> int:
        """How much of a head is taken before the line is cut, by whatever end."""
        _, writer = await asyncio.open_connection(web.running.host, web.running.port)
        sent, block = 0, b"x: y\r\n" * 2_000
        try:
            writer.write(b"GET / HTTP/1.1\r\n")
            while sent < 2**26:
                writer.write(block)
                await writer.drain()
                sent += len(block)
        except ConnectionError:
            pass
        finally:
            writer.close()
        return sent

    begun = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: "
    fits, rest = begun + b"y" * (MAX_HEAD_BYTES - len(begun) - 100), b"\r\nconnection: close\r\n\r\n"
    assert asyncio.run(say(fits, rest)).startswith(b"HTTP/1.1 200")
    assert asyncio.run(say(fits, b"y" * 101)).startswith(b"HTTP/1.1 431")
    assert asyncio.run(go_on()) < 2**26
    assert b'"malformed"' in asyncio.run(say(b"\x16\x03\x01 hello\r\n\r\n"))
    assert web.ask("GET", "/healthz").status == 200


def test_too_many_connections_are_told_so(tmp_path: Path) -> None:
    async def open_all(host: str, port: int) -> bytes:
        held = [await asyncio.open_connection(host, port) for _ in range(12)]
        try:
            return await asyncio.wait_for(held[-1][0].read(), timeout=HUNG_SECONDS)
        finally:
            for _, writer in held:
                writer.close()

    with serving(tmp_path, limits=Limits(connections=8, head_seconds=600)) as web:
        refused = asyncio.run(open_all(web.running.host, web.running.port))
        assert refused.startswith(b"HTTP/1.1 503") and b"retry-after: 1" in refused


SERVER = """
import sys
from sottovoce.service import Limits, Serving, serve
serve(Serving(store=sys.argv[1], port=0, limits=Limits(requests=int(sys.argv[2]))))
"""


@contextmanager
def server(url: str, *, requests: int, log: io.BufferedWriter) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A collector in a process of its own, stopped by SIGTERM."""
    command = [sys.executable, "-c", SERVER, url, str(requests)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ})
    assert process.stdout is not None
    try:
        line = next(line for line in process.stdout if line.startswith("listening"))
        yield process, int(line.rpartition(":")[2])
        process.send_signal(signal.SIGTERM)
        process.wait(HUNG_SECONDS)
    finally:
        process.kill()
        process.wait(HUNG_SECONDS)
        process.stdout.close()


@pytest.mark.parametrize("seconds", [3, pytest.param(30, marks=pytest.mark.soak)])
def test_ten_times_more_than_can_be_stored(seconds: int, tmp_path: Path) -> None:
    url, users, most = f"sqlite:{tmp_path / 'store.db'}", 20_000 * (1 + seconds // 10), 24
    survey = crowd.open_survey(url, users=users)
    requests = crowd.reports(survey, itertools.cycle(range(users)))
    with (tmp_path / "log").open("wb") as log, server(url, requests=most, log=log) as (process, port):
        warm = crowd.send("127.0.0.1", port, requests, connections=8, seconds=0.5)
        assert set(warm.statuses) <= {200, 201}
        before = memory(process.pid)
        heard = crowd.send("127.0.0.1", port, requests, connections=10 * most, seconds=seconds)
        assert memory(process.pid) - before < 48 * 2**20
    assert process.returncode == 0, "it stopped by itself"
    assert set(heard.statuses) <= {200, 201, 429, 503}
    assert heard.statuses[503] > 0 and heard.statuses[201] > 0
    if seconds > 10:  # where the machine is quiet
        assert sorted(heard.seconds[201])[int(0.99 * heard.statuses[201])] < 1.0
    with open_store(url) as store:
        assert store.count(survey.last.key) == heard.statuses[201] + warm.statuses[201]
    lines = [json.loads(line) for line in (tmp_path / "log").read_bytes().splitlines()]
    assert sum(line.get("count", 0) for line in lines) >= heard.statuses[503]


# ---- what waits for the store, and for whom --------------------------------------------------------------------------


@contextmanager
def held_up(web: Web) -> Iterator[None]:
    """Somebody writes for long, as when a large round closes."""
    begun, end = threading.Event(), threading.Event()

    def write() -> None:
        with web.store._writing():  # type: ignore[attr-defined]
            begun.set()
            end.wait(10 * HUNG_SECONDS)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert begun.wait(HUNG_SECONDS)
        yield
        assert thread.is_alive(), "all of it happened meanwhile"
    finally:
        end.set()
        thread.join()


def test_a_long_close_and_many_who_enrol_hold_up_nobody_else(tmp_path: Path) -> None:
    limits = Limits(writing=2, writing_waiting=3)
    with serving(tmp_path, limits=limits) as web, ThreadPoolExecutor(9) as pool:
        survey = web.create(manifest_of(access="open"))
        assert web.ask("GET", f"/surveys/{survey}/progress").status == 200
        with held_up(web):
            path = f"/surveys/{survey}/enrol"
            enrolling = [pool.submit(web.ask, "POST", path, token=f"{number:043}") for number in range(9)]
            for _ in range(3):
                for place in ("/healthz", f"/surveys/{survey}/progress", f"/surveys/{survey}/manifest", "/"):
                    assert web.ask("GET", place).status == 200
            assert eventually(lambda: sum(one.done() for one in enrolling) >= 4), "for those there is no room"
        heard = [one.result(HUNG_SECONDS) for one in enrolling]
        assert sorted(one.status for one in heard) == [201] * 5 + [503] * 4
        assert all(one.headers["retry-after"] == "1" for one in heard if one.status == 503)


def test_old_surveys_cost_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as web:
        monkeypatch.setattr(web.collector, "tick", list)
        made = []
        for number in range(52):
            web.clock.now += 1
            made.append(web.create(manifest_of(purpose=f"survey {number:03}", minimum=2)))
        for slot in range(5):
            assert web.post(made[-1], slot).status == 201
        web.clock.now += 1  # so that nothing is held any more
        assert (
            web.ask("POST", f"/surveys/{made[-1]}/rounds/0/close", token=web.tokens[made[-1]]).plain["state"] == "done"
        )
        read: list[str] = []
        rounds = web.store.rounds
        monkeypatch.setattr(web.store, "rounds", lambda id: (read.append(id), rounds(id))[1])
        web.clock.now += 10
        page = web.ask("GET", "/").body.decode()
        assert set(read) == set(made[2:]) and "Survey 051" in page and "Survey 001" not in page
        read.clear()
        web.clock.now += 10
        text = web.ask("GET", "/metrics").body.decode()
        assert set(read) == set(made[:-1]) and "sotto_open_rounds 51" in text


# ---- what nobody accepts is not kept either --------------------------------------------------------------------------


MOST = 40 * 2**20
"""By which it may grow: a few bodies and their copies, and what a first request loads."""


@pytest.fixture(scope="module")
def served_survey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    url = f"sqlite:{tmp_path_factory.mktemp('memory') / 'store.db'}"
    made = crowd.open_survey(url, origins=("https://example.org",))
    with Served(url) as served:
        yield served, made.row.id


def test_refused_batches_are_not_kept(served_survey: tuple[Served, str]) -> None:
    served, id = served_survey
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


def chunked_head(survey: str) -> bytes:
    """Of a report whose body comes in chunks."""
    first = f"POST /surveys/{survey}/reports HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return f"{first}authorization: Bearer x\r\ntransfer-encoding: chunked\r\n\r\n".encode()


@pytest.mark.parametrize("trailer", [b"a: b\r\n", b"a"], ids=["many", "one"])
def test_trailers_without_end(trailer: bytes, served_survey: tuple[Served, str]) -> None:
    served, id = served_survey
    before, block, sent = served.peak_bytes, trailer * (16_384 // len(trailer)), 0
    with socket.create_connection(("127.0.0.1", served.port), timeout=120) as line:
        line.sendall(chunked_head(id) + b"1\r\n{\r\n0\r\n")
        try:
            while sent < 2**25:
                line.sendall(block)
                sent += len(block)
        except OSError:
            pass
    assert sent < 2**25, "the line is cut"
    assert served.peak_bytes - before < MOST


def test_trailers_that_end_are_left_out(served_survey: tuple[Served, str]) -> None:
    served, id = served_survey
    for rest, told in ((b"\r\n", b"HTTP/1.1 400"), (b"x" * (MAX_HEAD_BYTES + 1), b"HTTP/1.1 431")):
        with socket.create_connection(("127.0.0.1", served.port), timeout=120) as line:
            line.sendall(chunked_head(id) + b"1\r\n{\r\n0\r\norigin: https://example.org\r\n")
            for _ in range(50 if len(rest) > 2 else 1):  # the first may be read together with what came before it
                with suppress(ConnectionError):  # it is refused by now
                    line.sendall(rest)
                if select.select([line], [], [], 0.2)[0]:
                    break
            heard = line.recv(2_000)
        assert heard.startswith(told) and b"access-control-allow-origin" not in heard

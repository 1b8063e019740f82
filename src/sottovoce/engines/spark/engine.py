"""Stored reports counted on a cluster: partial tallies of partitions, merged; and slots that appear twice, by the rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

from sottovoce.engines.spark import tasks
from sottovoce.engines.spark.runs import BUCKET
from sottovoce.engines.spark.session import session_for
from sottovoce.messages import InvalidInput, Question, SetAside, Tally

_COLUMNS = ("slot", "payload")
_PLACE = ("_metadata.file_name AS file", "_metadata.row_index AS row")
_MOST_TASKS = 200
_PATTERN, _ESCAPED = re.compile(r"[][{}*?\\]"), r"\\\g<0>"  # a folder's name is no pattern


class Spark:
    """An engine over Parquet on any file system that Spark reads. `set_aside` says what was not counted, and why."""

    def __init__(self, path: str | Path, *, master: str | None = None, session: Any = None) -> None:
        self._path = path if isinstance(path, str) else f"file://{_PATTERN.sub(_ESCAPED, str(path.absolute()))}"
        self._session, self._ours = (session, False) if session is not None else session_for(master)
        self._asides: dict[str, SetAside] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the session, if it was started here."""
        if self._ours:
            self._session.stop()

    def __call__(self, question: Question) -> Tally:
        """One job over all reports; one more over the few in question, if a row is bad or a slot appears twice."""
        frame = self._read()
        total, bad, sets = self._counted(question, frame)
        found = _Aside(bad)
        if bad:
            with _by_value():
                named = frame.selectExpr(*_COLUMNS, *_PLACE).mapInArrow(tasks.places(question), tasks.PLACE)
            for file, row, reason in named.collect():
                found.add(file, row, reason)
        if sets:
            total = _less(question, total, self._taken(question, frame, sets, found))
        self._asides[question.digest] = found.told()
        if not any(total.reports):
            raise InvalidInput(
                f"survey {question.survey!r} round {question.round} ({question.role}): none of the stored reports "
                f"answers this question ({self.set_aside}); were they collected with the same protocol?"
            )
        return total

    @property
    def set_aside(self) -> SetAside:
        return self.aside(self._asides)

    def aside(self, digests: Iterable[str]) -> SetAside:
        """The same for some questions only: what a run has asked."""
        counts, places = Counter[str](), dict[str, tuple[str, ...]]()
        for held in (self._asides[digest] for digest in digests if digest in self._asides):
            counts.update(held.counts)
            places |= {reason: places.get(reason, ()) + rows for reason, rows in held.places.items()}
        return SetAside(counts=dict(counts), places=places)

    def _read(self) -> Any:
        from pyspark.errors import AnalysisException

        try:
            frame = self._session.read.option("pathGlobFilter", "*.parquet").parquet(self._path)
        except AnalysisException as error:
            raise InvalidInput(f"{self._path}: no Parquet files of reports there, as Spark sees it") from error
        if missing := [name for name in _COLUMNS if name not in frame.columns]:
            raise InvalidInput(
                f"{self._path}: reports have columns {' and '.join(_COLUMNS)}; {' and '.join(missing)} is missing"
            )
        return frame

    def _counted(self, question: Question, frame: Any) -> tuple[Tally, dict[str, int], dict[int, bytes]]:
        with _by_value():
            parts = frame.select(*_COLUMNS).mapInArrow(tasks.tally(question), tasks.PARTIAL)
            many = min(_MOST_TASKS, 1 + question.slots.count // BUCKET)
            sorted_parts = parts.repartition(many, "key").sortWithinPartitions("key")
            merged = sorted_parts.mapInArrow(tasks.merge, tasks.PARTIAL)
        total, bad, sets = Tally.empty(question), dict[str, int](), dict[int, bytes]()
        for key, data, reason, rows in merged.collect():
            if key == tasks.BAD:
                bad[reason] = rows
            elif key < tasks.BAD:
                total += Tally.from_bytes(bytes(data))
            else:
                sets[key] = bytes(data)
        return total, bad, sets

    def _taken(self, question: Question, frame: Any, sets: dict[int, bytes], found: _Aside) -> Tally:
        """What the slots of `sets` have too much in the first tally. Only their rows are moved."""
        with _by_value():
            rows = frame.selectExpr(*_COLUMNS, *_PLACE).mapInArrow(tasks.suspects(question, sets), tasks.SUSPECT)
            many = min(_MOST_TASKS, len(sets))
            by_slot = rows.repartition(many, "slot").sortWithinPartitions("slot", "file", "row")
            merged = by_slot.mapInArrow(tasks.taken(question), tasks.TAKEN)
        total = Tally.empty(question)
        for data, reason, count, file, row in merged.collect():
            if data is not None:
                total += Tally.from_bytes(bytes(data))
            elif count is not None:
                found.counts[reason] += count
            else:
                found.add(file, row, reason)
        return total


class _Aside:
    """What is set aside while one question is counted: all of it by number, the first of each reason by place."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.counts = Counter(counts)
        self._places: dict[str, list[tuple[str, int]]] = {}

    def add(self, file: str, row: int, reason: str) -> None:
        self._places.setdefault(reason, []).append((file, row))

    def told(self) -> SetAside:
        first = {reason: sorted(rows)[: tasks.PLACES] for reason, rows in self._places.items()}
        places = {reason: tuple(f"{unquote(file)} row {row + 1}" for file, row in rows) for reason, rows in first.items()}
        reasons = sorted(self.counts)
        return SetAside(
            counts={reason: self.counts[reason] for reason in reasons},
            places={reason: places[reason] for reason in reasons},
        )


def _less(question: Question, total: Tally, taken: Tally) -> Tally:
    """What is left of a tally: the tally of the other reports, to the same bits."""
    reports = [all_of_it - part for all_of_it, part in zip(total.reports, taken.reports, strict=True)]
    cells = [
        [all_of_it - part for all_of_it, part in zip(row, less, strict=True)]
        for row, less in zip(total.cells, taken.cells, strict=True)
    ]
    return Tally.build(question, reports, cells)


@contextmanager
def _by_value() -> Iterator[None]:
    """Tasks travel whole, so that a worker imports `sottovoce.messages` and nothing else of the package."""
    import sottovoce.engines.spark as package
    from pyspark.cloudpickle import register_pickle_by_value, unregister_pickle_by_value

    register_pickle_by_value(package)
    try:
        yield
    finally:
        unregister_pickle_by_value(package)


def spark(path: str | Path, *, master: str | None = None, session: Any = None) -> Spark:
    """An engine over stored reports to one question: all Parquet files (``*.parquet``) under `path`, on a cluster.

    Call it with the question, or give it to `run`. `path` is anything Spark can read (``s3a://…``, ``hdfs://…``, a
    folder that all workers see); a `Path` is a folder of this machine. `session` is a session of yours; without one the
    active session is taken, or one is started on `master` (``local[4]``, ``spark://host:7077``, ``yarn``,
    ``k8s://…``; ``local[*]`` where nothing is said). ``with spark(…) as ask:`` ends a session that was started here.

    The tally is that of `stored` over the same reports, to the bit: a bad row is set aside, with its place and the
    reason; a slot that appears twice, wherever, counts once if both reports are the same, and not at all if they
    differ. Results come through the data frame alone, so a task that is run twice counts once.

    Raises
    ------
    MissingExtra
        Without pyspark, or without any Java.
    InvalidInput
        No reports there, none that answers the question, or an active session on another master.
    """
    return Spark(path, master=master, session=session)

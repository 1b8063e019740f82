"""A folder of rounds: ``round-1/question.json`` and the reports to it beside, ``round-1/part-00000.parquet`` and on."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from sottovoce.messages.columns.parquet import Writer
from sottovoce.messages.errors import InvalidInput
from sottovoce.messages.report import Batch


class Keep:
    """Writes every batch it is called with: the `keep` of an engine. A question is a round, in the order they come.

    Use it with ``with``: what was written last is on the disk when that ends.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and any(self.folder.iterdir()):
            raise InvalidInput(f"{self.folder} is not empty; name a new folder for the reports")
        self._writers: dict[str, Writer] = {}

    def __call__(self, batch: Batch) -> None:
        question = batch.question
        if question.digest not in self._writers:
            self._close()  # a round ends before the next is asked
            place = self.folder / f"round-{len(self._writers) + 1}"
            self._writers[question.digest] = Writer(place, question)
            (place / "question.json").write_bytes(question.to_bytes())
        self._writers[question.digest].write(batch.slots, batch.payloads)

    def _close(self) -> None:
        for writer in list(self._writers.values())[-1:]:
            writer.close()

    def __enter__(self) -> Keep:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._close()
        else:
            for writer in self._writers.values():
                writer.discard()

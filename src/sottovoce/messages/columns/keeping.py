"""A folder of rounds: ``round-1/question.json`` and the reports to it beside, ``round-1/part-00000.parquet`` and on."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import TracebackType

from sottovoce.messages.columns.parquet import Writer
from sottovoce.messages.errors import InvalidInput
from sottovoce.messages.report import Batch


class Keep:
    """Writes every batch it is called with: the `keep` of an engine. A question is a round, in the order they come.

    Use it with ``with``. A round has its name once it is whole: when the next is asked, or at the end; a round that an
    error cut short is taken away. The folders are readable by their owner alone.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and any(self.folder.iterdir()):
            raise InvalidInput(f"{self.folder} is not empty", fix="name a new folder for the reports")
        self._asked: set[str] = set()
        self._writer: Writer | None = None

    def __call__(self, batch: Batch) -> None:
        question = batch.question
        if self._writer is None or self._writer.question.digest != question.digest:
            self._close()  # a round ends before the next is asked
            if question.digest in self._asked:
                raise InvalidInput("reports to a round that has ended: rounds are kept one after another")
            self._asked.add(question.digest)
            place = self.folder / f".round-{len(self._asked)}.part"
            for made in (self.folder, place):
                made.mkdir(mode=0o700, parents=True, exist_ok=True)
            (place / "question.json").write_bytes(question.to_bytes())
            self._writer = Writer(place, question)
        self._writer.write(batch.slots, batch.payloads)

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer.folder.rename(self.folder / f"round-{len(self._asked)}")
            self._writer = None

    def __enter__(self) -> Keep:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._close()
        elif self._writer is not None:
            self._writer.discard()
            shutil.rmtree(self._writer.folder, ignore_errors=True)
            self._writer = None

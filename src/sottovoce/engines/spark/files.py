"""Which files hold reports to which question: what they say of themselves, read through Spark's own file systems."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sottovoce.messages import InvalidInput, Malformed, columns

_AT_ONCE = 16
_SCHEMA = re.compile(
    r"required int32 slot \(INTEGER\(32,false\)\);\s+required fixed_len_byte_array\((\d+)\) payload;\s+\}\s*"
)
_PATTERN, _ESCAPED = re.compile(r"[][{}*?\\]"), r"\\\g<0>"  # a folder's name is no pattern


@dataclass(frozen=True, kw_only=True)
class File:
    """A file of columns as Spark names it, the digest of the question it answers, its rows, and how wide they are."""

    address: str
    digest: str
    width: int
    rows: int


class Folder:
    """All files of columns under a path, and the others with the reason why they are none."""

    def __init__(self, session: Any, path: str | Path) -> None:
        if not hasattr(session, "_jsparkSession"):
            raise InvalidInput(
                "a Spark Connect session cannot read what files say of themselves", fix="take a classic one"
            )
        self._session = session
        self._path = path if isinstance(path, str) else f"file://{_literal(str(path.absolute()))}"
        self._root = unquote(urlsplit(str(path)).path) if isinstance(path, str) else str(path.absolute())
        self.files: list[File] = []
        self.unreadable: list[tuple[str, str]] = []
        addresses = sorted(self._found())
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for address, told in zip(addresses, pool.map(partial(_header, session), addresses), strict=True):
                if isinstance(told, File):
                    self.files.append(told)
                else:
                    self.unreadable.append((self.name(address), told))

    def name(self, address: str) -> str:
        """A file as people are told of it: from the folder that was given."""
        place = unquote(urlsplit(address).path)
        below = self._root.rstrip("/") + "/"
        return place.removeprefix(below) if place.startswith(below) else place.rpartition("/")[2]

    def frame(self, files: list[File]) -> Any:
        """The rows of some files."""
        return self._reader().parquet(*(_literal(unquote(file.address)) for file in files))

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


def _header(session: Any, address: str) -> File | str:
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
    return File(address=address, digest=digest, width=int(found.group(1)), rows=rows)


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

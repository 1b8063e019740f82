"""Long files of rows, a user and a value each: our mean in one round beside polars' own group-by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 10**6


def write(folder: str, rows: int, users: int, text: bool) -> Callable[[], Any]:
    """Both files, or Parquet alone, in blocks: every user appears, in no order. Says how large they are."""

    def make() -> list[int]:
        import pyarrow as pa
        import pyarrow.csv
        import pyarrow.parquet as pq

        generator = np.random.default_rng(1)
        schema = pa.schema([("user", pa.int64()), ("value", pa.float64())])
        parquet, csv = Path(folder) / f"{rows}.parquet", Path(folder) / f"{rows}.csv"
        writers: list[Any] = [pq.ParquetWriter(parquet, schema)]
        if text:
            writers.append(pyarrow.csv.CSVWriter(csv, schema))
        for first in range(0, rows, BLOCK):
            count = min(BLOCK, rows - first)
            user = (np.arange(first, first + count) * 7_919) % users
            value = np.round(generator.random(count), 6)
            table = pa.table({"user": user, "value": value}, schema=schema)
            for writer in writers:
                writer.write_table(table)
        for writer in writers:
            writer.close()
        return [path.stat().st_size for path in (parquet, csv)[: len(writers)]]

    return make


def ours(path: str) -> Callable[[], Any]:
    import sottovoce as sv

    return lambda: sv.mean(path, user="user", value="value", low=0, high=1, epsilon=1.0, method="one-round").value


def polars(path: str) -> Callable[[], Any]:
    import polars as pl

    def group() -> float:
        rows = pl.scan_parquet(path) if path.endswith(".parquet") else pl.scan_csv(path)
        means = rows.group_by("user").agg(pl.col("value").mean()).collect()
        return float(means["value"].mean())  # type: ignore[arg-type]

    return group

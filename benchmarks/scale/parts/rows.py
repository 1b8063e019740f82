"""Rows in memory and in files: our mean in one round beside NumPy's and polars' own; peak memory."""

from __future__ import annotations

from benchmarks.scale.crew import Contender, Crew, NotMeasuredError
from benchmarks.scale.figures import Figure
from benchmarks.scale.parts.compared import ROLES, compared
from benchmarks.scale.sizes import Sizes

EACH = 10


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    return [*_arrays(crew, sizes), *_files(crew, sizes), *memory(crew, sizes)]


def _arrays(crew: Crew, sizes: Sizes) -> list[Figure]:
    shape = {"users": sizes.users, "observations": EACH}
    times = crew.turns(
        {role: Contender(by=role, case="calls:mean", arguments=shape) for role in ROLES}
        | {"plain": Contender(by="peers", case="calls:numpy_mean", arguments=shape, calls=5)},
        sizes.repetitions,
    )
    what = f"`sv.mean`, one round, {sizes.users:,} × {EACH}, {{}}, as a multiple of NumPy's mean of user means"
    return [
        compared("rows/mean", what.format(ROLES["fast"]), times["fast"], times["plain"], faster=False),
        compared("rows/mean-numpy", what.format(ROLES["numpy"]), times["numpy"], times["plain"], faster=False),
    ]


def _files(crew: Crew, sizes: Sizes) -> list[Figure]:
    figures = []
    try:
        crew.alone("rows:write", folder=str(crew.folder), rows=sizes.rows, users=sizes.row_users, text=True)
        why = ""
    except NotMeasuredError as error:
        why = str(error)
    for kind, words in (("parquet", "Parquet"), ("csv", "CSV")):
        key, what = f"rows/{kind}", f"`sv.mean` of {words}, {sizes.rows:,} rows, as a multiple of polars' group-by"
        if why:
            figures.append(Figure(key=key, what=what, value=None, note=why))
            continue
        path = crew.folder / f"{sizes.rows}.{kind}"
        times = crew.turns(
            {
                "ours": Contender(by="fast", case="rows:ours", arguments={"path": str(path)}),
                "polars": Contender(by="peers", case="rows:polars", arguments={"path": str(path)}),
            },
            sizes.repetitions,
        )
        figures.append(compared(key, what, times["ours"], times["polars"], faster=False))
        path.unlink()
    return figures


def _peak(crew: Crew, rows: int, users: int) -> float:
    crew.alone("rows:write", folder=str(crew.folder), rows=rows, users=users, text=False)
    path = crew.folder / f"{rows}.parquet"
    try:
        return float(crew.alone("rows:ours", path=str(path))["megabytes"])
    finally:
        path.unlink(missing_ok=True)


def memory(crew: Crew, sizes: Sizes) -> list[Figure]:
    """Most memory of a process that answers from a file. Few rows do not fill the buffers, so many are compared."""
    few, some, many = sizes.memory_rows
    grown = f"peak memory, Parquet of {many:,} rows as a multiple of {some:,}, {sizes.memory_users:,} users"
    most = f"peak memory, Parquet of {sizes.most_rows:,} rows of {sizes.most_users:,} users"
    try:
        peaks = [_peak(crew, rows, sizes.memory_users) for rows in (few, some, many)]
        told = ", ".join(f"{peak:,.0f}" for peak in peaks) + f" MB for {few:,}, {some:,} and {many:,} rows"
        first = Figure(key="rows/memory/growth", what=grown, value=peaks[2] / peaks[1], note=told)
    except NotMeasuredError as error:
        first = Figure(key="rows/memory/growth", what=grown, value=None, note=str(error))
    try:
        second = Figure(
            key="rows/memory/20-million", what=most, value=_peak(crew, sizes.most_rows, sizes.most_users), unit="MB"
        )
    except NotMeasuredError as error:
        second = Figure(key="rows/memory/20-million", what=most, value=None, unit="MB", note=str(error))
    return [first, second]

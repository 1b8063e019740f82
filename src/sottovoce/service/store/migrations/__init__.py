"""The tables, as numbered SQL scripts, one folder a database. A script that was published never changes."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["later", "scripts"]


def scripts(database: str, *, after: int) -> list[tuple[int, str]]:
    """The scripts above a version, in order, each with its number. They are numbered from 1 without a gap."""
    folder = files(__name__).joinpath(database)
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    numbers = [int(name[:4]) for name in names]
    if numbers != list(range(1, len(names) + 1)):
        raise RuntimeError(f"the migrations of {database} are not numbered 1, 2, 3, …: the installation is damaged")
    return [
        (number, folder.joinpath(name).read_text(encoding="utf-8"))
        for number, name in zip(numbers, names, strict=True)
        if number > after
    ]


def later(database: str, version: int) -> str | None:
    """Why a store of this version cannot be used, in words; None where it can."""
    newest = len(scripts(database, after=0))
    if version <= newest:
        return None
    return f"the store is of version {version}, this software knows {newest}: use the newer software that wrote it"

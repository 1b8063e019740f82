"""The tables, as numbered SQL scripts, one folder a database. A script that was published never changes."""

from __future__ import annotations

from importlib.resources import files

from sottovoce.messages import InvalidInput

__all__ = ["check_known", "scripts"]


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


def check_known(database: str, version: int) -> None:
    """Refuse a store of a later version."""
    newest = len(scripts(database, after=0))
    if version > newest:
        wrong = f"the store is of version {version}, this software knows {newest}:"
        raise InvalidInput(wrong, fix="use the newer software that wrote it", code="later-version")

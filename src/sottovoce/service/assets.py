"""The files of the pages, read once, each with its SHA-256: ``sottovoce/web``, and messages; and the device's digest.

The messages are those of ``sottovoce/words``, served as ``words/en/….ftl`` beside the others: one set of files for the
package and for the pages. Nothing else is ever served below ``/web/``: a path is looked up in this list and nowhere on
the disk.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

MEDIA = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".ftl": "text/plain; charset=utf-8",
}
"""By the end of a file's name; files that end otherwise are not served."""
DEVICE = "device"
"""The folder of the trusted device."""


@dataclass(frozen=True)
class Asset:
    """One file: its path inside ``web``, what it is, and its bytes."""

    path: str
    media: str
    data: bytes

    @property
    def digest(self) -> str:
        """SHA-256, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def integrity(self) -> str:
        """What a page says that these bytes are (subresource integrity)."""
        return integrity(self.data)


def integrity(data: bytes) -> str:
    """SHA-256 as browsers write it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


@cache
def assets() -> dict[str, Asset]:
    """All of them, by path, in the order of paths."""
    package = files("sottovoce")
    found = [*_below(package.joinpath("web"), ""), *_below(package.joinpath("words"), "words/")]
    return {asset.path: asset for asset in sorted(found, key=_path)}


def _below(folder: Traversable, path: str) -> Iterator[Asset]:
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            yield from _below(entry, f"{path}{entry.name}/")
        elif (media := MEDIA.get(entry.name[entry.name.rfind(".") :])) is not None:
            yield Asset(f"{path}{entry.name}", media, entry.read_bytes())


def _path(asset: Asset) -> str:
    return asset.path


@cache
def device_digest() -> str:
    """What ``sha256sum *.js | sha256sum`` prints inside ``web/device``: it pins each of its files, name and bytes."""
    own = [asset for asset in assets().values() if asset.path.startswith(f"{DEVICE}/") and asset.path.endswith(".js")]
    lines = [f"{asset.digest}  {asset.path.removeprefix(f'{DEVICE}/')}\n" for asset in own]
    return hashlib.sha256("".join(lines).encode()).hexdigest()

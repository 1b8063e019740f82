"""A real browser for tests, without root and without a network: Chromium, driven by playwright.

The program is looked for in ``SOTTO_CHROMIUM``, where `make test` unpacked the pinned one (`get_npm`), and on the
PATH. It gets a home of its own, finds no host but this one, and draws with fonts of its own, so that a page is as wide
on every machine.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.components import missing

PINNED = Path(sys.prefix) / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome")
COMMAND = "make test, which fetches one, or set SOTTO_CHROMIUM to the program"
PHONE, DESK = 390, 1280
"""Widths in pixels at which every page is looked at."""
SECONDS = 300
FLAGS = (
    "--no-sandbox",  # nothing is opened but our own pages, and root could not start it otherwise
    "--disable-gpu",
    "--disable-software-rasterizer",  # nor one in software: pages are drawn without
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


@dataclass(kw_only=True)
class View:
    """A page, and what happened while it was open: errors, and the address of everything that was asked for."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, page: Path | str) -> None:
        """A file, or an address of this machine; returns when the page has settled."""
        if isinstance(page, Path):  # it has all it asks for when it is loaded: no half second of silence is waited for
            self.page.goto(page.resolve().as_uri(), wait_until="load")
            self.page.evaluate("() => new Promise((done) => requestIdleCallback(() => setTimeout(done)))")
        else:
            self.page.goto(page, wait_until="networkidle")

    @property
    def elsewhere(self) -> list[str]:
        """What was asked of other machines."""
        return [address for address in self.requests if not local(address)]

    @property
    def too_wide(self) -> int:
        """By how many pixels the page is wider than its window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))

    @property
    def beyond(self) -> list[str]:
        """The first elements that stick out on the right, for a message."""
        return list(
            self.page.evaluate(
                """[...document.querySelectorAll("body *")]
                .filter((part) => part.getBoundingClientRect().right > window.innerWidth + 0.5)
                .slice(0, 5).map((part) => part.outerHTML.slice(0, 120))"""
            )
        )


class Browser:
    """Starting takes about a second."""

    def __init__(self) -> None:
        program = _program()
        self.home = Path(tempfile.mkdtemp(prefix="sotto-browser-"))
        try:
            self._playwright = _playwright().start()
            try:
                self._chromium = self._playwright.chromium.launch(
                    executable_path=str(program),
                    args=list(FLAGS),
                    env=_environment(self.home),
                    timeout=1000 * SECONDS,
                )
            except BaseException:
                self._playwright.stop()
                raise
        except BaseException:
            shutil.rmtree(self.home, ignore_errors=True)
            raise

    @contextmanager
    def page_at(self, width: int, *, dark: bool = False, height: int = 900) -> Iterator[View]:
        """A page that remembers nothing of others, in a window of this size."""
        context = self._chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(1000 * SECONDS)
        try:
            view = View(page=context.new_page())
            view.page.on("console", lambda said: said.type == "error" and view.errors.append(said.text))
            view.page.on("pageerror", lambda error: view.errors.append(str(error)))
            view.page.on("request", lambda asked: view.requests.append(asked.url))
            yield view
        finally:
            context.close()

    def close(self) -> None:
        try:
            self._chromium.close()
        finally:
            self._playwright.stop()
            shutil.rmtree(self.home, ignore_errors=True)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """A site of one's own, as ``python -m http.server`` serves a folder; its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def local(address: str) -> bool:
    """Whether an address stays on this machine."""
    parts = urlsplit(address)
    return parts.scheme in ("file", "data", "blob") or parts.hostname in ("localhost", "127.0.0.1", "::1")


def _playwright() -> Any:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright", reason="the package is not installed", command="pip install playwright")
    return sync_playwright()


def _program() -> Path:
    told = os.environ.get("SOTTO_CHROMIUM")
    if told:
        if not os.access(told, os.X_OK) or Path(told).is_dir():
            missing("Chromium", reason="SOTTO_CHROMIUM names nothing that can be run", command=COMMAND)
        return Path(told)
    if (PINNED / "chromium").is_file():
        return PINNED / "chromium"
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    if on_path is None:
        missing("Chromium", reason="found in neither SOTTO_CHROMIUM, the virtual environment nor PATH", command=COMMAND)
    return Path(on_path)


def _environment(home: Path) -> dict[str, str | float | bool]:
    """Libraries that come with the pinned program, fonts that come with it and with matplotlib, and a home."""
    folders = [PINNED / "fonts" / "fonts"]
    drawing = importlib.util.find_spec("matplotlib")
    if drawing is not None and drawing.origin:  # mathematical signs
        folders.append(Path(drawing.origin).parent / "mpl-data" / "fonts" / "ttf")
    listed = "".join(f"<dir>{folder}</dir>" for folder in folders)
    prefer = "".join(
        f"<alias><family>{family}</family><prefer><family>{font}</family></prefer></alias>"
        for family, font in (
            ("sans-serif", "Open Sans"),
            ("system-ui", "Open Sans"),
            ("serif", "DejaVu Serif"),
            ("monospace", "DejaVu Sans Mono"),
        )
    )
    fonts = home / "fonts.conf"
    fonts.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
        f"<fontconfig>{listed}<cachedir>{home / 'fonts'}</cachedir>{prefer}</fontconfig>\n"
    )
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "TZ")}
    places = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_CACHE_HOME": str(home), "TMPDIR": str(home)}
    ours: dict[str, str | float | bool] = {**kept, **places, "FONTCONFIG_FILE": str(fonts)}
    if _program().parent == PINNED:
        ours["LD_LIBRARY_PATH"] = str(PINNED / "libraries" / "lib")
    return ours

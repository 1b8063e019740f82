"""See that the built site can be trusted and read offline: ``python docs/check_site.py build/site``.

Every link inside the site leads to a file that is there, and to an anchor that is in it; nothing is loaded from another
host, neither by a page nor by a style sheet nor by a script. Links to other hosts are looked at for their form only: a
check that needs a network would say something else every day.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {
    "script": "src",
    "img": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "audio": "src",
    "video": "src",
}
"""What a browser fetches by itself."""
NOT_FETCHED = {"search", "index", "next", "prev", "canonical", "author", "help", "license"}
"""Kinds of <link> that are for whoever asks."""
_IN_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")
_IN_SCRIPT = re.compile(
    r"""(?:fetch|import|importScripts|WebSocket|EventSource|open|src\s*=|href\s*=)\s*\(?\s*["'`]((?:https?:)?//[^"'`]+)"""
)


@dataclass
class Read(HTMLParser):
    """What one page links to, loads, and can be linked to by."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.anchors |= {told[name] for name in ("id", "name") if name in told}
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        fetched = not set(told.get("rel", "").split()) & NOT_FETCHED
        if (name := LOADS.get(tag)) in told and fetched:
            self.loads.append(told[name])
        self.loads += _IN_STYLE.findall(told.get("style", ""))


def faults(site: Path) -> list[str]:
    """All that is wrong, a line each; empty for a good site."""
    written = [path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts]  # a theme's templates
    pages = {path: _read(path) for path in written}
    found = [] if pages else [f"{site}: no pages"]
    for path, page in pages.items():
        where = path.relative_to(site).as_posix()
        found += [f"{where}: loads {load}" for load in page.loads if _elsewhere(load)]
        for link in page.links + [load for load in page.loads if not _elsewhere(load)]:
            if (why := _dead(link, path, pages, site)) is not None:
                found.append(f"{where}: {link}: {why}")
    for path in sorted(site.rglob("*.css")) + sorted(site.rglob("*.js")):
        pattern = _IN_STYLE if path.suffix == ".css" else _IN_SCRIPT
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{path.relative_to(site).as_posix()}: loads {load}" for load in pattern.findall(text)]
    return found


def _read(path: Path) -> Read:
    page = Read()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _elsewhere(target: str) -> bool:
    return bool(urlsplit(target).netloc)


def _dead(link: str, path: Path, pages: dict[Path, Read], site: Path) -> str | None:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        good = (parts.scheme in ("http", "https") and "." in parts.netloc) or parts.scheme in ("mailto", "data")
        return None if good else "not an address"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    if not target.is_relative_to(site.resolve()) or not target.is_file():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    page = pages.get(target) or pages.get(site / target.relative_to(site.resolve()))
    if anchor and page is not None and anchor not in page.anchors:
        return "there is no such place on that page"
    return None


if __name__ == "__main__":
    wrong = faults(Path(sys.argv[1]).resolve())
    print("\n".join(wrong) or f"{sys.argv[1]}: every link leads somewhere, and nothing is loaded from elsewhere")
    sys.exit(bool(wrong))

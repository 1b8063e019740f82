"""The device is small enough to be read in one sitting, stands alone, and holds nothing that it must not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.files import DEVICE, WEB, named, scripts

MOST_BYTES = 60_000
"""Of all scripts of the device together, as they are: no build step makes them smaller."""
FORBIDDEN = (
    r"Math\s*\.\s*random", r"\b(inner|outer)HTML\b", r"\beval\b", r"\bnew\s+Function\b", r"\bimport\s*\(", r"\bfetch\b",
    r"\bXMLHttpRequest\b", r"\bWebSocket\b", r"\bsendBeacon\b", r"\bEventSource\b", r"\bimportScripts\b",
    r"\bdocument\s*\.", r"\blocalStorage\b", r"\bconsole\b",
)  # fmt: skip
ANYWHERE = FORBIDDEN[:5]
"""Not in the pages either."""
IMPORT = re.compile(r"""^\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']""", re.M)
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.S)


def code(path: Path) -> str:
    """A script without its comments."""
    return COMMENT.sub("", path.read_text(encoding="utf-8"))


def imported(path: Path) -> list[str]:
    return [first or second for first, second in IMPORT.findall(code(path))]


def test_the_device_is_small() -> None:
    sizes = {path.name: path.stat().st_size for path in scripts(DEVICE)}
    largest = ", ".join(f"{name} {size:,}" for name, size in sorted(sizes.items(), key=lambda one: -one[1])[:6])
    assert 0 < sum(sizes.values()) <= MOST_BYTES, f"{sum(sizes.values()):,} bytes; the largest: {largest}"


@pytest.mark.parametrize("path", scripts(DEVICE), ids=named)
def test_the_device_stands_alone(path: Path) -> None:
    for name in imported(path):
        assert re.fullmatch(r"\./[a-z]+\.js", name) and (DEVICE / name).is_file(), name


@pytest.mark.parametrize("path", scripts(), ids=named)
def test_imports_are_files_of_ours(path: Path) -> None:
    for name in imported(path):
        assert name.startswith("."), f"{name}: no address but a relative one"
        assert (path.parent / name).resolve().is_relative_to(WEB) and (path.parent / name).is_file(), name


@pytest.mark.parametrize("path", scripts(), ids=named)
def test_nothing_forbidden(path: Path) -> None:
    words = FORBIDDEN if path.is_relative_to(DEVICE) else ANYWHERE
    assert [word for word in words if re.search(word, code(path))] == []


@pytest.mark.parametrize("path", scripts(), ids=named)
def test_randomness_is_the_browsers_own_and_in_few_places(path: Path) -> None:
    """In the device in one file; elsewhere only a client draws, when it sends."""
    drawn = "getRandomValues" in code(path)
    assert not drawn or path == DEVICE / "entropy.js" or path.is_relative_to(WEB / "client"), "draws lots"


@pytest.mark.parametrize("path", [path for path in sorted(WEB.rglob("*")) if path.is_file()], ids=named)
def test_every_file_says_what_it_is_for(path: Path) -> None:
    assert path.suffix in (".js", ".css"), "web/ holds scripts and styles"
    begins = path.read_text(encoding="utf-8").lstrip()
    assert begins.startswith(("/*", "//")), "a file begins with a comment"


def test_what_is_forbidden_is_found(tmp_path: Path) -> None:
    script = tmp_path / "x.js"
    script.write_text(
        '// fetch\nimport { a } from "../other.js";\nexport const b = () => import("./c.js"); /* eval */\n'
    )
    assert imported(script) == ["../other.js"]
    assert [word for word in FORBIDDEN if re.search(word, code(script))] == [r"\bimport\s*\("]

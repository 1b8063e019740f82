"""The files of the pages: the device is small, stands alone and holds nothing that it must not; types in comments are
true (`tsc --checkJs --strict`); every code that a script names is in the messages that its page loads.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from sottovoce.words import entries
from tests.support.typescript import tsc
from tests.web.files import DEVICE, WEB, named, scripts

MOST_BYTES = 64_000
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


# ---- types -----------------------------------------------------------------------------------------------------------


SETTINGS = Path(__file__).parent / "tsconfig.json"


def test_types_are_true_in_every_script() -> None:
    said = tsc("--project", str(SETTINGS), "--listFiles").splitlines()
    assert {Path(line) for line in said if line.endswith(".js")} == set(scripts()) != set()
    assert [line for line in said if not line.endswith((".js", ".d.ts"))] == []


def test_a_wrong_type_is_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.js"
    wrong.write_text("/** @param {number} count @returns {string} */\nexport const twice = (count) => 2 * count;\n")
    settings = json.loads(SETTINGS.read_text()) | {"include": ["wrong.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    said = tsc("--project", str(tmp_path / "tsconfig.json"))
    assert "wrong.js(2," in said and "TS2322" in said


# ---- messages --------------------------------------------------------------------------------------------------------


LOADED = re.compile(r"loaded\((\[[^\]]*\])\)")
SAID = re.compile(r'\b(?:say|fact)\(\s*(?:[^"`()]*\? )?"([a-z0-9-]+)"(?: : "([a-z0-9-]+)")?')
SEVERAL = re.compile(r'\btexts\("([a-z-]+)", ((?:"[a-z-]+"(?:, )?)+)\)')


def codes_named(page: str) -> set[str]:
    """The codes that stand in the scripts of a page, as far as they stand there whole."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts(WEB / page))
    several = {
        f"{page}-{part}-{name}" for part, names in SEVERAL.findall(text) for name in re.findall(r'"([^"]+)"', names)
    }
    return several | {code for found in SAID.findall(text) for code in found if code}


@pytest.mark.parametrize("page, least", [("dashboard", 150), ("participate", 100)])
def test_a_page_loads_the_messages_that_it_names(page: str, least: int) -> None:
    (listed,) = LOADED.findall((WEB / page / "words.js").read_text(encoding="utf-8"))
    folder = files("sottovoce.words").joinpath("en")
    known = {
        code.removeprefix("on-page-")
        for name in re.findall(r'"([a-z]+)"', listed)
        for code in entries(folder.joinpath(f"{name}.ftl").read_text(encoding="utf-8"))
    }
    assert len(codes_named(page)) > least, "they are found"
    assert codes_named(page) <= known, codes_named(page) - known


def test_every_message_of_the_dashboard_is_named() -> None:
    text = files("sottovoce.words").joinpath("en", "dashboard.ftl").read_text(encoding="utf-8")
    made = r"dashboard-(create-(access|enrolment)|trouble|reality)-"  # their ends are a kind, a choice, a state
    unused = {code for code in entries(text).keys() - codes_named("dashboard") if not re.match(made, code)}
    assert unused == set()

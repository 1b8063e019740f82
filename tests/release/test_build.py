"""What is published is made twice to the same bytes, and holds what it should."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from sottovoce.version import VERSION
from tests.release.trees import ROOT, copied, known
from tools.lock import locked, running

pytestmark = pytest.mark.slow
EPOCH = 1763000000


def built(tree: Path, out: Path, *, umask: int, home: str) -> dict[str, bytes]:
    """By ``python -m tools.build`` of that tree, in a process of its own; nothing can be fetched."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(tree),
        "SOURCE_DATE_EPOCH": str(EPOCH),
        "PIP_NO_INDEX": "1",
        "HOME": home,
        "TZ": "Asia/Tokyo" if umask else "UTC",
        "PYTHONHASHSEED": str(umask),
    }
    command = [sys.executable, "-m", "tools.build", "--out", str(out)]
    done = subprocess.run(
        command, cwd=tree, env=environment, umask=umask, capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    files = {file.name: file.read_bytes() for file in out.iterdir()}
    for name, held in files.items():
        assert f"{hashlib.sha256(held).hexdigest()}  {len(held):>9,} bytes  {name}\n" in done.stdout
    return files


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """From two copies at two places, by two people with two habits, at two times."""
    here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("over there") / "a b"
    first = copied(here / "tree", umask=0o022, epoch=1_000_000_000)
    second = copied(there / "sottovoce", umask=0o077, epoch=1_500_000_000)
    (second / "src" / "sottovoce" / "__pycache__").mkdir()
    (second / "src" / "sottovoce" / "__pycache__" / "stray.cpython-311.pyc").write_bytes(b"stray")
    (second / ".venv").mkdir()
    (second / ".venv" / "stray.py").write_text("stray = True\n")
    return (
        built(first, here / "out", umask=0o022, home=str(here)),
        built(second, there / "out", umask=0o077, home=str(there)),
    )


@pytest.fixture(scope="module")
def files(twice: tuple[dict[str, bytes], dict[str, bytes]]) -> dict[str, bytes]:
    return twice[0]


@pytest.fixture(scope="module")
def wheel(files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    place = tmp_path_factory.mktemp("wheel") / "it.whl"
    place.write_bytes(files[f"sottovoce-{VERSION}-py3-none-any.whl"])
    return ZipFile(place)


def test_two_builds_are_the_same_bytes(twice: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    first, second = twice
    assert set(first) == {
        f"sottovoce-{VERSION}-py3-none-any.whl",
        f"sottovoce-{VERSION}.tar.gz",
        f"sottovoce-{VERSION}.cdx.json",
    }
    differing = [name for name in first if first[name] != second.get(name)]
    assert differing == []


def test_the_wheel_holds_the_package_whole_and_nothing_else(wheel: ZipFile) -> None:
    names = set(wheel.namelist())
    ours = {name.removeprefix("src/") for name in known() if name.startswith("src/")}
    about = {name for name in names if name.startswith(f"sottovoce-{VERSION}.dist-info/")}
    assert names - about == ours
    assert "sottovoce/py.typed" in ours
    for folder, least in (("web/device", 15), ("web/participate", 15), ("web/dashboard", 15)):
        assert sum(name.startswith(f"sottovoce/{folder}/") for name in ours) >= least, folder
    assert not [name for name in names if "tests/" in name or "laboratory" in name or name.endswith(".pyc")]
    assert not [name for name in names if "mutant" in name.rpartition("/")[0]], "mutants are in a clone only"
    assert not [name for name in names if name.endswith(".csv")], "frozen numbers of the paper are in a clone only"
    assert any(name.endswith("licenses/LICENSE") for name in about)


def test_the_wheel_is_as_the_project_says(wheel: ZipFile) -> None:
    about = wheel.read(f"sottovoce-{VERSION}.dist-info/METADATA").decode()
    assert f"\nVersion: {VERSION}\n" in about and "\nLicense-Expression: Apache-2.0\n" in about
    assert re.search(r"^Provides-Extra: all$", about, flags=re.MULTILINE)
    assert wheel.read(f"sottovoce-{VERSION}.dist-info/entry_points.txt").decode().split("\n")[1] == (
        "sotto = sottovoce.cli:main"
    )
    assert {member.date_time[0] for member in wheel.infolist()} == {2025}  # of EPOCH


def test_the_source_distribution_is_the_whole_tree(files: dict[str, bytes], tmp_path: Path) -> None:
    """So that ``make test`` runs from it."""
    place = tmp_path / "it.tar.gz"
    place.write_bytes(files[f"sottovoce-{VERSION}.tar.gz"])
    with tarfile.open(place) as archive:
        held = {member.name.partition("/")[2]: member for member in archive.getmembers()}
    expected = {name for name in known() if not name.startswith(".ci/")}
    assert set(held) - {"PKG-INFO"} == expected
    assert {(member.uid, member.gid, member.uname, member.mtime) for member in held.values()} == {(0, 0, "", EPOCH)}


def test_the_bill_lists_what_an_installation_brings(files: dict[str, bytes]) -> None:
    text = files[f"sottovoce-{VERSION}.cdx.json"].decode()
    found = json.loads(text)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert found["metadata"]["component"]["version"] == VERSION
    assert found["metadata"]["timestamp"] == "2025-11-13T02:13:20+00:00"
    listed = {one["name"]: one for one in found["components"]}
    assert {"numpy", "scipy", "narwhals", "tqdm", "pandas", "uvicorn", "psycopg-binary", "llvmlite"} <= set(listed)
    assert not {"pytest", "sphinx", "hatchling", "ruff", "opendp", "pyspark"} & set(listed)
    lock = locked(ROOT / "requirements" / "dev.txt")
    for name, one in listed.items():
        assert one["version"] == lock[name].version
        assert [told["content"] for told in one["externalReferences"][0]["hashes"]] == sorted(lock[name].hashes)
    graph = {row["ref"]: row.get("dependsOn", []) for row in found["dependencies"]}
    assert len(graph) == len(listed) + 1
    assert listed["numpy"]["purl"] in graph[found["metadata"]["component"]["bom-ref"]]
    assert listed["numpy"]["purl"] in graph[listed["pandas"]["purl"]]
    addresses = set(re.findall(r"https?://([^/\"]+)", text))
    assert addresses == {"cyclonedx.org"}, "the name of the format, and no index or machine"


def test_the_bill_has_every_lock_of_the_demo() -> None:
    """Two ways to the same list: `run.txt` is what uv found for two of the extras, and what builds."""
    building = {"hatchling", "pathspec", "pluggy", "tomlkit", "trove-classifiers"}
    assert set(locked(ROOT / "requirements" / "run.txt")) - building <= set(running(ROOT))

"""The files for the forge and for citing are valid, and agree with the project: its Pythons, commands and version."""

from __future__ import annotations

import re
import subprocess
import tomllib
from typing import Any

import pytest
import yaml

from tests.release.trees import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.MULTILINE))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def steps() -> list[dict[str, Any]]:
    return [step for job in read(".github/workflows/ci.yml")["jobs"].values() for step in job["steps"]]


def test_every_supported_python_is_tested_and_no_other() -> None:
    told = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one) for one in PROJECT["classifiers"]]
    supported = [one[1] for one in told if one is not None]
    assert read(".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]["python"] == supported
    assert PROJECT["requires-python"] == f">={supported[0]}"


def test_the_workflow_runs_what_the_makefile_has() -> None:
    runs = [step["run"] for step in steps() if "run" in step]
    assert [re.fullmatch(r"make (\w+) PYTHON=python", run)[1] for run in runs] == ["test", "docs", "build"]
    assert {"test", "docs", "build"} <= TARGETS
    kept = {step["with"]["path"] for step in steps() if "upload-artifact" in step.get("uses", "")}
    assert kept == {"build/site", "dist"}
    for folder in kept:
        assert re.search(rf"\b{folder}\b", MAKEFILE), folder


def test_the_workflow_has_no_secrets_and_names_what_it_uses_by_major_version() -> None:
    text = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert "secrets." not in text
    assert read(".github/workflows/ci.yml")["permissions"] == {"contents": "read"}
    used = [step["uses"] for step in steps() if "uses" in step]
    assert used and all(re.fullmatch(r"actions/[\w-]+@v\d+", one) for one in used), used


def test_the_hooks_are_the_commands_of_make_lint() -> None:
    (local,) = read(".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local", "nothing is fetched"
    assert re.search("^lint: style$", MAKEFILE, flags=re.MULTILINE)
    linted = "".join(re.findall(r"^(?:style|lint):.*\n((?:\t.*\n)+)", MAKEFILE, flags=re.MULTILINE))
    ours = {re.sub(r" (\.|--check)", "", line.strip("\t@")) for line in linted.splitlines()}
    ours = {line.replace("$(PY)", ".venv/bin/python").replace("$(VENV)", ".venv") for line in ours}
    hooks = {hook["entry"].removesuffix(" --force-exclude") for hook in local["hooks"]}
    assert hooks == ours
    assert {hook["language"] for hook in local["hooks"]} == {"system"}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_asks_something_and_keeps_observations_out(form: Any) -> None:
    held = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert held["name"] and held["description"]
    asked = [part for part in held["body"] if part["type"] != "markdown"]
    assert asked and len({part["id"] for part in asked}) == len(asked)
    assert "real observations" in form.read_text(encoding="utf-8")


def test_a_concern_about_privacy_is_sent_to_the_private_way() -> None:
    assert [form.stem for form in FORMS] == ["bug", "privacy", "question"]
    for form in ("bug", "privacy"):
        assert "SECURITY.md" in (ROOT / f".github/ISSUE_TEMPLATE/{form}.yml").read_text(encoding="utf-8")
    assert "security advisories" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_the_citation_is_of_this_version_and_names_the_paper_as_the_readme_does() -> None:
    found = read("CITATION.cff")
    assert found["cff-version"] == "1.2.0"
    assert str(found["version"]) == PROJECT["version"] and found["license"] == PROJECT["license"]
    assert found["authors"] == [{"name": "the Sottovoce authors"}]
    (paper,) = found["references"]
    readme = re.sub(r"\s+", " ", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert f"*{paper['title']}*" in readme
    *most, last = [one["family-names"] for one in paper["authors"]]
    assert f"{', '.join(most)} and {last}" in readme


def test_make_help_names_every_target() -> None:
    """And no other: what it prints is what there is."""
    done = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    told = set(re.findall(r"^make ([a-z-]+)", done.stdout, flags=re.MULTILINE))
    assert told == TARGETS - {"help"}

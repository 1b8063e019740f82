"""The types that comments of our JavaScript state are true: `tsc --checkJs --strict` finds nothing to say."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.typescript import tsc
from tests.web.files import WEB, scripts

SETTINGS = Path(__file__).parent / "tsconfig.json"


def test_every_script_is_looked_at() -> None:
    said = tsc("--project", str(SETTINGS), "--listFilesOnly")
    seen = {Path(line) for line in said.splitlines() if line.endswith(".js")}
    assert seen == set(scripts())
    assert seen, f"there is no script in {WEB}"


def test_types_are_true() -> None:
    assert tsc("--project", str(SETTINGS)) == ""


def test_a_wrong_type_is_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.js"
    wrong.write_text("/** @param {number} count @returns {string} */\nexport const twice = (count) => 2 * count;\n")
    settings = json.loads(SETTINGS.read_text()) | {"include": ["wrong.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    said = tsc("--project", str(tmp_path / "tsconfig.json"))
    assert "wrong.js(2," in said and "TS2322" in said

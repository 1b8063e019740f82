"""Pages as people with a screen reader, a keyboard or weak eyes meet them: axe-core looks at one in a real browser."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.browser import View
from tests.support.components import missing

PINNED = Path(sys.prefix) / "npm" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")


@cache
def axe_source() -> str:
    """The script, as text; what is evaluated by the driver runs whatever the page's own policy says."""
    if not PINNED.is_file():
        missing("axe-core", reason="it is not in the virtual environment", command="make test, which fetches it")
    return PINNED.read_text(encoding="utf-8")


def check_axe(view: View) -> list[str]:
    """What is seriously wrong with the page that is open, in words: the rule, its help, and where; empty if nothing."""
    view.page.evaluate(f"() => {{ if (!window.axe) {{ {axe_source()}\n }} }}")
    found: list[dict[str, Any]] = view.page.evaluate(
        """() => axe.run(document, {resultTypes: ["violations"]}).then((seen) => seen.violations.map(
        (one) => ({id: one.id, impact: one.impact, help: one.help, where: one.nodes.map(
        (node) => `${node.target.join(" ")}: ${node.html.slice(0, 120)}`)})))"""
    )
    return [
        f"{one['impact']}: {one['id']} ({one['help']}) at {'; '.join(one['where'][:5])}"
        for one in found
        if one["impact"] in GRAVE
    ]

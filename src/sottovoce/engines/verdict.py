"""What a check of a transcript came to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

KINDS = {"identical": "identical", "rounding": "equal up to rounding", "different": "different"}
STATES = {"done": "", "abandoned": ", up to where it was abandoned", "running": " so far"}


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """`kind` is ``"identical"``, ``"rounding"`` (equal but for the last digits of numbers) or ``"different"``.

    `step` and `why` say where it differs and in what; `state` is ``"done"``, ``"running"`` or ``"abandoned"``; `lines`
    say what was gone through.
    """

    kind: str
    step: str
    why: str
    state: str
    survey: str
    lines: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Nothing differs."""
        return self.kind != "different"

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        if self.ok:
            return f"{KINDS[self.kind]}{STATES[self.state]}"
        return f"different at {self.step}: {self.why}"

    @property
    def words(self) -> str:
        """The same for whoever has not read how a survey works."""
        if not self.ok:
            return f"Something does not follow, at {self.step}: {self.why}."
        asked = "So far everybody" if self.state == "running" else "Everybody"
        told = f"{asked} was asked what was announced, and all that was published follows from what came before it"
        digits = ", but for last digits that another machine rounds differently" if self.kind == "rounding" else ""
        ended = " up to where the survey was abandoned" if self.state == "abandoned" else ""
        return f"{told}{ended}{digits}."

    def __str__(self) -> str:
        return "\n".join((*self.lines, self.headline))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self) | {"lines": list(self.lines), "ok": self.ok}

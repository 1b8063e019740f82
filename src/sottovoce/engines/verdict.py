"""What a check of a transcript came to, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sottovoce.messages import Fact


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What came of it, where it differs and in what, and what was gone through.

    `kind` is ``"identical"``, ``"rounding"`` (equal but for the last digits of numbers), ``"different"``, or
    ``"not-replayed"``: the survey's method has changed since, and this release does not hold its `edition`; all that
    can be checked without it holds. `step` and `why` say where it differs and in what; `state` is ``"done"``,
    ``"running"`` or ``"abandoned"``; `lines` say what was gone through.
    """

    kind: str
    step: Fact | None = None
    why: Fact | None = None
    state: str
    survey: str
    lines: tuple[Fact, ...]
    method: str = ""
    edition: int = 1
    release: str = ""
    """The software that announced the survey: what can replay it."""

    @property
    def ok(self) -> bool:
        """Nothing differs."""
        return self.kind != "different"

    @property
    def replayed(self) -> bool:
        """Whether the answer was computed again."""
        return self.kind in ("identical", "rounding")

    def _told(self, code: str) -> Fact:
        edition = {"method": self.method, "edition": self.edition, "release": self.release}
        return Fact(code, kind=self.kind, state=self.state, step=self.step, why=self.why, **edition)

    @property
    def headline(self) -> Fact:
        """The verdict in one line."""
        return self._told("verdict")

    @property
    def words(self) -> Fact:
        """The same for whoever has not read how a survey works."""
        return self._told("verdict-words")

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.lines, self.headline)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "kind": self.kind,
            "step": self.step and self.step.to_plain(),
            "why": self.why and self.why.to_plain(),
            "state": self.state,
            "survey": self.survey,
            "method": self.method,
            "edition": self.edition,
            "release": self.release,
            "lines": [line.to_plain() for line in self.lines],
            "ok": self.ok,
        }

"""Formulas as they are written here, (nα²)^{−2β}, set for a page, for a picture, and for a plain line.

The notation: ``^{…}``, ``^(…)``, or ``^`` and a number or one sign above the line; ``_`` and one sign, after a single
letter or after sup, inf and log, below it. Everything else stays as it is, names_with_underscores too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

_POWER = re.compile(r"e\^\{([^{}]*)\}")
_ABOVE = re.compile(r"\^(?:\{([^{}]*)\}|\(((?:[^()]|\([^()]*\))*)\)|([−+-]?\d+(?:\.\d+)?|[^\s{}()]))")
_BELOW = re.compile(r"(?<!\w)(sup|inf|log|[A-Za-zΑ-Ωα-ωℓ])_(?:\{([^{}]*)\}|([0-9A-Za-zΑ-Ωα-ω]))(?!\w)")


def _typeset(text: str, above: str, below: str, inside: Callable[[str], str] = str) -> str:
    text = _BELOW.sub(lambda match: match[1] + below.format(inside(match[2] or match[3])), text)
    return _ABOVE.sub(lambda match: above.format(inside(match[1] or match[2] or match[3])), text)


def html(text: str) -> str:
    """Escaped, with <sup> and <sub>: ``e^{nα²}`` becomes ``e<sup>nα²</sup>``."""
    return _typeset(escape(text), "<sup>{}</sup>", "<sub>{}</sub>")


def mathtext(text: str) -> str:
    """For matplotlib: what is raised or lowered between dollar signs, in upright letters; a dollar sign is escaped."""
    return _typeset(text.replace("$", r"\$"), "$^{{{}}}$", "$_{{{}}}$", lambda part: rf"\mathdefault{{{part}}}")


def spoken(text: str) -> str:
    """The mathtext of a picture as words can hold it: signs stay, what sets them goes."""
    return re.sub(r"\$([\^_])\{\\mathdefault\{([^{}]*)\}\}\$", r"\1\2", text).replace(r"\$", "$")


def plain(text: str) -> str:
    """On one line: ``e^{nα²}`` becomes exp(nα²), other exponents stand in brackets behind a ^."""
    text = _POWER.sub(lambda match: f"exp({match[1]})", text)
    return re.sub(r"\^\{([^{}]*)\}", lambda match: f"^({match[1]})", text)

"""Drawings as SVG text: named for readers who do not see them, ids of their own, colours that a page can set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', Arial, Helvetica, sans-serif"
"""DejaVu Sans is the widest of them: where it is missing, words get shorter and cross nothing."""
_DIGITS = re.compile(r"(\d\.\d\d)\d+")


def described(svg: str, *, prefix: str, title: str, description: str) -> str:
    """With a title, a description and a role, and every id beginning with `prefix`, so that several share a page."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    svg = re.sub(r"font-family: [^;\"]*", f"font-family: {FONTS}", svg)
    head = f'role="img" aria-labelledby="{prefix}-title {prefix}-words"'
    words = (
        f'<title id="{prefix}-title">{escape(title)}</title>\n <desc id="{prefix}-words">{escape(description)}</desc>'
    )
    return re.sub(r"<svg ([^>]*)>", lambda found: f"<svg {head} {found[1]}>\n {words}", svg, count=1)


def themed(svg: str, colours: Mapping[str, str]) -> str:
    """For a page: its fonts and colours are the page's, and places are rounded to a hundredth of a point."""
    body = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    body = re.sub(r'^(<svg [^>]*?) (?:width|height)="[^"]*"', r"\1", body)
    body = re.sub(r'^(<svg [^>]*?) (?:width|height)="[^"]*"', r"\1", body)
    body = re.sub(
        r'(?<= )(?:d|x|y|transform)="[^"]*"', lambda found: _DIGITS.sub(r"\1", " ".join(found[0].split())), body
    )
    body = re.sub(r" font-family: [^;\"]*;?", "", body)
    for colour, name in colours.items():
        body = body.replace(colour, name)
    return body

"""Drawings as SVG text: named for readers who do not see them, ids of their own, colours that a page can set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

_STACK = "'DejaVu Sans', Verdana, 'Segoe UI', Arial, Helvetica, sans-serif"
"""DejaVu Sans is the widest of them: where it is missing, words get shorter and cross nothing."""


def described(svg: str, *, prefix: str, title: str, description: str) -> str:
    """With a title, a description and a role, and every id beginning with `prefix`, so that several share a page."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    svg = re.sub(r"font-family: [^;\"]*", f"font-family: {_STACK}", svg)
    head = f'role="img" aria-labelledby="{prefix}-title {prefix}-words"'
    words = (
        f'<title id="{prefix}-title">{escape(title)}</title>\n <desc id="{prefix}-words">{escape(description)}</desc>'
    )
    return re.sub(r"<svg ([^>]*)>", lambda found: f"<svg {head} {found[1]}>\n {words}", svg, count=1)


def themed(svg: str, colours: Mapping[str, str]) -> str:
    """Without its XML head and metadata, and with the page's own colours in place of these."""
    body = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    body = re.sub(r'^(<svg [^>]*?) (?:width|height)="[^"]*"', r"\1", body)
    body = re.sub(r'^(<svg [^>]*?) (?:width|height)="[^"]*"', r"\1", body)
    for colour, name in colours.items():
        body = body.replace(colour, name)
    return body

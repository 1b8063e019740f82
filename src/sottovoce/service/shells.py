"""What a page is wrapped in: plain content that needs no script, and the page's own program, every file by its hash.

A browser runs nothing but the files that were read when the collector started: each has its SHA-256 in the page, those
that modules import in an import map, and beside them the messages, which the page fetches by these hashes. The policy
allows no other host, no code made from text and no form.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any, Literal

from sottovoce.messages import Fact
from sottovoce.service.asgi import Headers
from sottovoce.service.assets import assets, device_digest, integrity
from sottovoce.version import VERSION

Page = Literal["participate", "dashboard"]
ROOTS: dict[Page, str] = {"dashboard": "./", "participate": "../../"}
"""From a page to where its collector's paths begin: no page knows where it is served."""
_THEME, _TROUBLE = "shared/theme.css", "shared/trouble.js"


def shell(page: Page, *, title: str, plain: str, survey: str = "") -> bytes:
    """The page: what is wrong above, the page's own program where it runs, the plain content where it does not."""
    root = ROOTS[page]
    about = f' data-survey="{survey}"' if survey else ""
    return f"""<!doctype html>
<html lang="en" data-page="{page}"{about} data-device="{device_digest()}" data-software="{VERSION}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
{_head(page)}
</head>
<body>
<main>
<div id="trouble" class="trouble" role="alert"{_trouble()} hidden></div>
<div id="app" hidden></div>
<div id="plain">
{plain}
</div>
<footer>{Fact("page-footer", routes=link(f"{root}openapi.json", "page-footer-routes"))}</footer>
</main>
</body>
</html>
""".encode()


def said(code: str, **data: Any) -> str:
    """A sentence, and whatever is in it, as text of a page."""
    return escape(str(Fact(code, **data)))


def link(address: str, code: str) -> str:
    """What leads somewhere, by what it says."""
    return f'<a href="{address}">{said(code)}</a>'


@cache
def _trouble() -> str:
    """What is said where the page's own program does not run: it stands in the page, by name."""
    names = ("began", "broke", "stopped", "part", "help")
    return "".join(f' data-{name}="{said(f"trouble-{name}")}"' for name in names)


@cache
def _head(page: Page) -> str:
    """Look, what tells of trouble, the hashes of all modules, and the page's own module, in this order."""
    root, own = ROOTS[page], f"{page}/page.js"
    lines = [
        *_tags(_THEME, f'<link rel="stylesheet" href="{root}web/{_THEME}"'),
        *_tags(_TROUBLE, f'<script src="{root}web/{_TROUBLE}"'),
        f'<script type="importmap">{import_map(page)}</script>',
        *_tags(own, f'<script type="module" src="{root}web/{own}"'),
    ]
    return "\n".join(lines)


def _tags(path: str, opened: str) -> Sequence[str]:
    found = assets().get(path)
    if found is None:
        return ()
    closed = "></script>" if opened.startswith("<script") else ">"
    return (f'{opened} integrity="{found.integrity}"{closed}',)


@cache
def import_map(page: Page) -> str:
    """What each module must be, also those that other modules import; and each file of messages."""
    named = [asset for asset in assets().values() if asset.path.endswith((".js", ".ftl")) and asset.path != _TROUBLE]
    hashes = {f"{ROOTS[page]}web/{asset.path}": asset.integrity for asset in named}
    return json.dumps({"integrity": hashes}, separators=(",", ":"))


@cache
def headers(page: Page) -> Headers:
    """What the browser is told about a page: above all what it must not do."""
    policy = (
        "default-src 'none'",
        f"script-src 'self' '{integrity(import_map(page).encode())}'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return (
        (b"cache-control", b"no-store"),
        (b"content-security-policy", "; ".join(policy).encode()),
        (b"x-frame-options", b"DENY"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
    )

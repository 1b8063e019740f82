"""Two pages for people: what is running here, and what one survey asks; as plain content, which needs no script.

`said` is a sentence as text. A fact that stands in a page by itself has links and other marks in it, made here, and
nothing else that is not escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

from sottovoce.answers import Answer, Line, line, told
from sottovoce.messages import Fact
from sottovoce.problems import read
from sottovoce.service.asgi import Headers
from sottovoce.service.survey import Survey
from sottovoce.version import VERSION

# The files of the pages, read once, each with its SHA-256: ``sottovoce/web``, and messages; and the device's digest.

MEDIA = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".ftl": "text/plain; charset=utf-8",
}
"""By the end of a file's name; files that end otherwise are not served."""
DEVICE = "device"
"""The folder of the trusted device."""


@dataclass(frozen=True)
class Asset:
    """One file: its path inside ``web``, what it is, and its bytes."""

    path: str
    media: str
    data: bytes

    @property
    def digest(self) -> str:
        """SHA-256, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def integrity(self) -> str:
        """What a page says that these bytes are (subresource integrity)."""
        return integrity(self.data)


def integrity(data: bytes) -> str:
    """SHA-256 as browsers write it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


@cache
def assets() -> dict[str, Asset]:
    """All of them, by path, in the order of paths."""
    package = files("sottovoce")
    found = [*_below(package.joinpath("web"), ""), *_below(package.joinpath("words"), "words/")]
    return {asset.path: asset for asset in sorted(found, key=_asset_path)}


def _below(folder: Traversable, path: str) -> Iterator[Asset]:
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            yield from _below(entry, f"{path}{entry.name}/")
        elif (media := MEDIA.get(entry.name[entry.name.rfind(".") :])) is not None:
            yield Asset(f"{path}{entry.name}", media, entry.read_bytes())


def _asset_path(asset: Asset) -> str:
    return asset.path


@cache
def device_digest() -> str:
    """What ``sha256sum *.js | sha256sum`` prints inside ``web/device``: it pins each of its files, name and bytes."""
    own = [asset for asset in assets().values() if asset.path.startswith(f"{DEVICE}/") and asset.path.endswith(".js")]
    lines = [f"{asset.digest}  {asset.path.removeprefix(f'{DEVICE}/')}\n" for asset in own]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


# What a page is wrapped in: plain content that needs no script, and the page's own program, every file by its hash.

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
def page_headers(page: Page) -> Headers:
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


_FROM_FRONT, _FROM_SURVEY = ROOTS["dashboard"], ROOTS["participate"]


def front_page(surveys: Sequence[Survey] | None, *, now: float) -> bytes:
    """What is running here; None: the collector does not say."""
    if surveys:
        found = "".join(_survey(held, now) for held in reversed(surveys))
    else:
        found = f"<p>{said('page-not-listed' if surveys is None else 'page-no-survey')}</p>"
    return shell(
        "dashboard",
        title="Sottovoce",
        plain=f"""<h1>{said("page-site")}</h1>
<p class="soft">{said("page-site-about")}</p>
{found}""",
    )


def _survey(held: Survey, now: float) -> str:
    manifest, address = held.manifest, f"{_FROM_FRONT}surveys/{held.row.id}/participate"
    return f"""<article data-survey="{held.row.id}">
<h2><a href="{address}">{_title(manifest.purpose)}</a></h2>
<p class="soft">{said("page-by", collector=manifest.collector)}</p>
{_standing(held, now, _FROM_FRONT)}
</article>"""


def _standing(held: Survey, now: float, root: str) -> str:
    state, count, own = held.state(now), held.question.slots.count, f"{root}surveys/{held.row.id}"
    text = Fact(
        "page-stands",
        state=state,
        opens=held.manifest.opens,
        round=held.last.number + 1,
        answered=held.answered,
        asked=count,
        closes=held.deadline,
        words=link(f"{own}/participate", "page-stands-done-words"),
        programs=link(f"{own}/estimate", "page-stands-done-programs"),
        why=escape(str(held.ended)),
    )
    bar = f'<progress max="{count}" value="{held.answered}"></progress>' if state == "open" else ""
    return f"<p>{text}</p>{bar}"


def _answer(held: Survey) -> str:
    """All that the answer says: its warnings too, and how many did not answer."""
    found = read(held.row.answer) if held.row.answer else None
    return f"<h2>{said('page-answer')}</h2>\n{_described(found.lines())}" if isinstance(found, Answer) else ""


def _described(lines: list[Line]) -> str:
    """Names and texts; several lines of one name are a table, whose columns stay below each other."""
    shown: list[tuple[str, list[str]]] = []
    for name, text in told(lines):
        if name or not shown:
            shown.append((name, []))
        shown[-1][1].append(text)
    return f"<dl>{''.join(_entry(name, texts) for name, texts in shown)}</dl>"


def _entry(name: str, lines: list[str]) -> str:
    kind = ' class="rows"' if len(lines) > 1 else ""
    text = "\n".join(lines)
    return f"<dt>{escape(name)}</dt><dd{kind}>{escape(text)}</dd>"


def survey_page(held: Survey, *, now: float) -> bytes:
    """What one survey asks, what it promises, and how to answer."""
    manifest, survey = held.manifest, held.row.id
    own = f"{_FROM_SURVEY}surveys/{survey}"
    transcript = link(f"{own}/transcript", "page-check-transcript")
    return shell(
        "participate",
        title=manifest.purpose,
        survey=survey,
        plain=f"""<h1>{_title(manifest.purpose)}</h1>
<p class="soft">{said("page-by", collector=manifest.collector)}</p>
{_standing(held, now, _FROM_SURVEY)}
{_answer(held)}
<h2>{said("page-asks")}</h2>
{_described(_asked(held))}
<h2>{said("page-privacy")}</h2>
<p>{_bound(manifest.epsilon)}</p>
<h2>{said("page-how")}</h2>
{_how(held)}
<p class="note">{said("page-how-trust")}</p>
<h2>{said("page-check")}</h2>
<p>{Fact("page-check-name", promise=link(f"{own}/manifest", "page-check-promise"))}</p>
<pre>{survey}</pre>
<p>{Fact("page-check-rounds", transcript=transcript, command="<code>sotto verify</code>")}</p>""",
    )


def _asked(held: Survey) -> list[Line]:
    manifest, what = held.manifest, held.announced.settings.problem.estimates
    return [
        line("estimates", Fact("page-asks-estimates", what=what, columns=manifest.columns[:20])),
        line("people", Fact("page-asks-people", users=manifest.users, minimum=manifest.minimum)),
        line("open", Fact("page-asks-open", opens=manifest.opens, closes=manifest.closes)),
        line("kept", Fact("page-asks-kept", days=manifest.retention_days)),
    ]


def _how(held: Survey) -> str:
    if not held.running:
        return f"<p>{said('page-how-over')}</p>"
    several = held.manifest.enrolment == "ahead" and len(held.manifest.rules.waves) > 1
    later = f"<p>{said('page-how-later')}</p>" if several else ""
    return f"""<p>{Fact("page-how-program", program="<code>sotto</code>", sign="<code>#</code>")}</p>
<pre>sotto answer "…/surveys/{held.row.id[:12]}…/participate#…" --data FILE</pre>
{later}"""


def _title(purpose: str) -> str:
    return escape(f"{purpose[:1].upper()}{purpose[1:]}")


def _bound(epsilon: float) -> Fact:
    times = math.exp(min(epsilon, 700.0))
    size = "few" if times < 10 else "many" if times < 1e6 else "huge"
    power = f"<sup>{epsilon:g}</sup>"
    shown = round(times) if size == "many" else times
    return Fact("page-privacy-bound", epsilon=epsilon, power=power, times=shown, size=size)

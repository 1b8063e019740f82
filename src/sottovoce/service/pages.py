"""Two pages for people: what is running here, and what one survey asks; plain content, which needs no script.

Around it stands the page's own program, every file by its hash. A browser runs nothing but the files that were read
when the collector started: each has its SHA-256 in the page, those that modules import in an import map, and beside
them the messages, which the page fetches by these hashes. The policy allows no other host, no code made from text and
no form.

The messages are those of ``sottovoce/words``, served as ``words/en/….ftl`` beside ``sottovoce/web``: one set of files
for the package and for the pages. Nothing else is ever served below ``/web/``: a path is looked up in the list of
these files and nowhere on the disk.

`sentence` is one as text. A fact that stands in a page by itself has links and other marks in it, made here, and
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
from operator import attrgetter
from typing import Any, Literal

from sottovoce.answers import Answer, Line, line, lines_in_words
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


def integrity(data: bytes) -> str:
    """SHA-256 as browsers write it: what a page says that some bytes are (subresource integrity)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


@cache
def assets() -> dict[str, Asset]:
    """All of them, by path, in the order of paths."""
    package = files("sottovoce")
    every_asset = [*_assets_below(package.joinpath("web"), ""), *_assets_below(package.joinpath("words"), "words/")]
    return {asset.path: asset for asset in sorted(every_asset, key=attrgetter("path"))}


def _assets_below(folder: Traversable, path: str) -> Iterator[Asset]:
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            yield from _assets_below(entry, f"{path}{entry.name}/")
        elif (media := MEDIA.get(entry.name[entry.name.rfind(".") :])) is not None:
            yield Asset(f"{path}{entry.name}", media, entry.read_bytes())


@cache
def device_digest() -> str:
    """What ``sha256sum *.js | sha256sum`` prints inside ``web/device``: it pins each of its files, name and bytes."""
    device = [
        asset for asset in assets().values() if asset.path.startswith(f"{DEVICE}/") and asset.path.endswith(".js")
    ]
    lines = [f"{asset.digest}  {asset.path.removeprefix(f'{DEVICE}/')}\n" for asset in device]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


Page = Literal["participate", "dashboard"]
ROOTS: dict[Page, str] = {"dashboard": "./", "participate": "../../"}
"""From a page to where its collector's paths begin: no page knows where it is served."""
_THEME, _TROUBLE = "shared/theme.css", "shared/trouble.js"


def page_shell(page: Page, *, title: str, plain: str, survey: str = "") -> bytes:
    """The page: what is wrong above, the page's own program where it runs, the plain content where it does not."""
    root = ROOTS[page]
    about = f' data-survey="{survey}"' if survey else ""
    names = ("began", "broke", "stopped", "part", "help")  # what is said where the page's own program does not run
    trouble = "".join(f' data-{name}="{sentence(f"trouble-{name}")}"' for name in names)
    return f"""<!doctype html>
<html lang="en" data-page="{page}"{about} data-device="{device_digest()}" data-software="{VERSION}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
{_page_head(page)}
</head>
<body>
<main>
<div id="trouble" class="trouble" role="alert"{trouble} hidden></div>
<div id="app" hidden></div>
<div id="plain">
{plain}
</div>
<footer>{Fact("page-footer", routes=link(f"{root}openapi.json", "page-footer-routes"))}</footer>
</main>
</body>
</html>
""".encode()


def sentence(code: str, **data: Any) -> str:
    """A sentence, and whatever is in it, as text of a page."""
    return escape(str(Fact(code, **data)))


def link(address: str, code: str) -> str:
    """What leads somewhere, by what it says."""
    return f'<a href="{address}">{sentence(code)}</a>'


@cache
def _page_head(page: Page) -> str:
    """Look, what tells of trouble, the hashes of all modules, and the page's own module, in this order."""
    root, module = ROOTS[page], f"{page}/page.js"
    lines = [
        *_tags(_THEME, f'<link rel="stylesheet" href="{root}web/{_THEME}"'),
        *_tags(_TROUBLE, f'<script src="{root}web/{_TROUBLE}"'),
        f'<script type="importmap">{import_map(page)}</script>',
        *_tags(module, f'<script type="module" src="{root}web/{module}"'),
    ]
    return "\n".join(lines)


def _tags(path: str, opened: str) -> Sequence[str]:
    asset = assets().get(path)
    if asset is None:
        return ()
    closed = "></script>" if opened.startswith("<script") else ">"
    return (f'{opened} integrity="{integrity(asset.data)}"{closed}',)


@cache
def import_map(page: Page) -> str:
    """What each module must be, also those that other modules import; and each file of messages."""
    named = [asset for asset in assets().values() if asset.path.endswith((".js", ".ftl")) and asset.path != _TROUBLE]
    hashes = {f"{ROOTS[page]}web/{asset.path}": integrity(asset.data) for asset in named}
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


def front_page(surveys: Sequence[Survey] | None, *, now: float) -> bytes:
    """What is running here; None: the collector does not say."""
    root = ROOTS["dashboard"]
    articles = [
        f"""<article data-survey="{survey.row.id}">
<h2><a href="{root}surveys/{survey.row.id}/participate">{_title(survey.manifest.purpose)}</a></h2>
{_standing(survey, now, root)}
</article>"""
        for survey in reversed(surveys or ())
    ]
    none = f"<p>{sentence('page-not-listed' if surveys is None else 'page-no-survey')}</p>"
    plain = f"""<h1>{sentence("page-site")}</h1>
<p class="soft">{sentence("page-site-about")}</p>
{"".join(articles) or none}"""
    return page_shell("dashboard", title="Sottovoce", plain=plain)


def survey_page(survey: Survey, *, now: float) -> bytes:
    """What one survey asks, what it promises, and how to answer."""
    manifest, id, root = survey.manifest, survey.row.id, ROOTS["participate"]
    address = f"{root}surveys/{id}"
    answer = read(survey.row.answer) if survey.row.answer else None  # with its warnings, and how many did not answer
    answer_section = (
        f"<h2>{sentence('page-answer')}</h2>\n{_described(answer.lines())}" if isinstance(answer, Answer) else ""
    )
    asked = [
        line(
            "estimates",
            Fact(
                "page-asks-estimates",
                what=survey.announced.settings.problem.estimates,
                columns=manifest.columns[:20],
            ),
        ),
        line("people", Fact("page-asks-people", users=manifest.users, minimum=manifest.minimum)),
        line("open", Fact("page-asks-open", opens=manifest.opens, closes=manifest.closes)),
        line("kept", Fact("page-asks-kept", days=manifest.retention_days)),
    ]
    transcript = link(f"{address}/transcript", "page-check-transcript")
    plain = f"""<h1>{_title(manifest.purpose)}</h1>
{_standing(survey, now, root)}
{answer_section}
<h2>{sentence("page-asks")}</h2>
{_described(asked)}
<h2>{sentence("page-privacy")}</h2>
<p>{_privacy_bound(manifest.epsilon)}</p>
<h2>{sentence("page-how")}</h2>
{_how_to_answer(survey)}
<p class="note">{sentence("page-how-trust")}</p>
<h2>{sentence("page-check")}</h2>
<p>{Fact("page-check-name", promise=link(f"{address}/manifest", "page-check-promise"))}</p>
<pre>{id}</pre>
<p>{Fact("page-check-rounds", transcript=transcript, command="<code>sotto verify</code>")}</p>"""
    return page_shell("participate", title=manifest.purpose, survey=id, plain=plain)


def _title(purpose: str) -> str:
    return escape(f"{purpose[:1].upper()}{purpose[1:]}")


def _standing(survey: Survey, now: float, root: str) -> str:
    """Who asks, and how far the survey is."""
    state, count, address = survey.state(now), survey.question.slots.count, f"{root}surveys/{survey.row.id}"
    text = Fact(
        "page-stands",
        state=state,
        opens=survey.manifest.opens,
        round=survey.last.number + 1,
        answered=survey.answered,
        asked=count,
        closes=survey.deadline,
        words=link(f"{address}/participate", "page-stands-done-words"),
        programs=link(f"{address}/estimate", "page-stands-done-programs"),
        why=escape(str(survey.ended)),
    )
    bar = f'<progress max="{count}" value="{survey.answered}"></progress>' if state == "open" else ""
    return f"""<p class="soft">{sentence("page-by", collector=survey.manifest.collector)}</p>
<p>{text}</p>{bar}"""


def _described(lines: list[Line]) -> str:
    """Names and texts; several lines of one name are a table, whose columns stay below each other."""
    entries: list[tuple[str, list[str]]] = []
    for name, text in lines_in_words(lines):
        if name or not entries:
            entries.append((name, []))
        entries[-1][1].append(text)
    described = ""
    for name, texts in entries:
        kind = ' class="rows"' if len(texts) > 1 else ""
        text = "\n".join(texts)
        described += f"<dt>{escape(name)}</dt><dd{kind}>{escape(text)}</dd>"
    return f"<dl>{described}</dl>"


def _privacy_bound(epsilon: float) -> Fact:
    times = math.exp(min(epsilon, 700.0))
    size = "few" if times < 10 else "many" if times < 1e6 else "huge"
    power = f"<sup>{epsilon:g}</sup>"
    shown = round(times) if size == "many" else times
    return Fact("page-privacy-bound", epsilon=epsilon, power=power, times=shown, size=size)


def _how_to_answer(survey: Survey) -> str:
    if not survey.running:
        return f"<p>{sentence('page-how-over')}</p>"
    several = survey.manifest.enrolment == "ahead" and len(survey.manifest.rules.waves) > 1
    later = f"<p>{sentence('page-how-later')}</p>" if several else ""
    return f"""<p>{Fact("page-how-program", program="<code>sotto</code>", sign="<code>#</code>")}</p>
<pre>sotto answer "…/surveys/{survey.row.id[:12]}…/participate#…" --data FILE</pre>
{later}"""

"""Two pages for people: what is running here, and what one survey asks; as plain content, which needs no script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from sottovoce.answers import Answer, read, told
from sottovoce.messages import counted
from sottovoce.service.shells import ROOTS, shell
from sottovoce.service.survey import Survey

_FROM_FRONT, _FROM_SURVEY = ROOTS["dashboard"], ROOTS["participate"]

_STATES = {"early": "has not opened", "open": "is running", "done": "is over", "abandoned": "ended without an answer"}
_NOBODY = (
    "A page served by the collector protects nobody from that collector: the code in it is the collector's. "
    "Answer with a program that you installed yourself; it checks everything that this page says."
)

_LATER = """<p>You may be asked in a later round. Your device then says when to come back: with the same command, which
goes on from where it was.</p>"""


def index(surveys: Sequence[Survey] | None, *, now: float) -> bytes:
    """What is running here; None: the collector does not say."""
    if surveys is None:
        found = "<p>Surveys of this collector are not listed. An invitation leads to its own.</p>"
    elif not surveys:
        found = "<p>No survey is running here yet.</p>"
    else:
        found = "".join(_entry(held, now) for held in reversed(surveys))
    return shell(
        "dashboard",
        title="Sottovoce",
        plain=f"""<h1>Surveys in a low voice</h1>
<p class="soft">Many people each send one short report that is made random on their own device. No single report says
much about anybody; all of them together answer the question.</p>
{found}""",
    )


def _entry(held: Survey, now: float) -> str:
    manifest, link = held.manifest, f"{_FROM_FRONT}surveys/{held.row.id}/participate"
    return f"""<article data-survey="{held.row.id}">
<h2><a href="{link}">{_title(manifest.purpose)}</a></h2>
<p class="soft">asked by {escape(manifest.collector)}</p>
{_standing(held, now, _FROM_FRONT)}
</article>"""


def _standing(held: Survey, now: float, root: str) -> str:
    state, last, count = held.state(now), held.last, held.question.slots.count
    if state == "open":
        more = f"""Round {last.number + 1}: {held.answered:,} of {count:,} answered. It closes on
{_moment(held.deadline)} at the latest.</p>
<progress max="{count}" value="{held.answered}"></progress>"""
    elif state == "early":
        more = f"It opens on {_moment(held.manifest.opens)}.</p>"
    elif state == "done":
        own = f"{root}surveys/{held.row.id}"
        more = f"""Its answer is public: <a href="{own}/participate">in words</a>, or <a href="{own}/estimate">for
programs</a>.</p>"""
    else:
        more = f"{escape(str(held.ended))}.</p>"
    return f"<p>The survey {_STATES[state]}. {more}"


def _answer(held: Survey) -> str:
    """All that the answer says: its warnings too, and how many did not answer."""
    found = read(held.row.answer) if held.row.answer else None
    if not isinstance(found, Answer):
        return ""
    shown: list[tuple[str, list[str]]] = []
    for name, text in told(found.lines()):
        if name or not shown:
            shown.append((name, []))
        shown[-1][1].append(text)
    return f"<h2>What came of it</h2>\n<dl>{''.join(_told(name, lines) for name, lines in shown)}</dl>"


def _told(name: str, lines: list[str]) -> str:
    """One entry; several lines are a table, whose columns stay below each other."""
    kind = ' class="rows"' if len(lines) > 1 else ""
    text = "\n".join(lines)
    return f"<dt>{escape(name)}</dt><dd{kind}>{escape(text)}</dd>"


def participate(held: Survey, *, now: float) -> bytes:
    """What one survey asks, what it promises, and how to answer."""
    manifest, survey = held.manifest, held.row.id
    return shell(
        "participate",
        title=manifest.purpose,
        survey=survey,
        plain=f"""<h1>{_title(manifest.purpose)}</h1>
<p class="soft">asked by {escape(manifest.collector)}</p>
{_standing(held, now, _FROM_SURVEY)}
{_answer(held)}
<h2>What is asked</h2>
<dl>
<dt>estimates</dt><dd>{escape(str(held.announced.settings.problem.estimates))}{_columns(held)}</dd>
<dt>people</dt><dd>{manifest.users:,}; nothing is looked at before {manifest.minimum:,} of a round have answered</dd>
<dt>open</dt><dd>{_moment(manifest.opens)} to {_moment(manifest.closes)}</dd>
<dt>kept</dt><dd>reports until {_kept(manifest.retention_days)}; sums of them stay</dd>
</dl>
<h2>What your report gives away</h2>
<p>{_epsilon(manifest.epsilon)}</p>
{_how(held)}
<p class="note">{_NOBODY}</p>
<h2>What anybody can check</h2>
<p>The survey's name is the SHA-256 of <a href="{_FROM_SURVEY}surveys/{survey}/manifest">what it promises</a>:</p>
<pre>{survey}</pre>
<p>When a round has closed, <a href="{_FROM_SURVEY}surveys/{survey}/transcript">all that was asked and what came of
it</a> is public, and <code>sotto verify</code> replays it.</p>""",
    )


def _how(held: Survey) -> str:
    if not held.running:
        return "<h2>How to answer</h2>\n<p>Nobody is asked any more.</p>"
    several = held.manifest.enrolment == "ahead" and len(held.manifest.rules.waves) > 1
    return f"""<h2>How to answer</h2>
<p>With the program <code>sotto</code>, on your own device. Pass it the whole address of your invitation, also what
stands after the <code>#</code>: that part is yours, and browsers do not send it.</p>
<pre>sotto answer "…/surveys/{held.row.id[:12]}…/participate#…" --data FILE</pre>
{_LATER if several else ""}"""


def _kept(days: int) -> str:
    return f"{counted(days, 'day')} after the end" if days else "the end"


def _title(purpose: str) -> str:
    return escape(f"{purpose[:1].upper()}{purpose[1:]}")


def _columns(held: Survey) -> str:
    columns = held.manifest.columns
    return f" of {escape(', '.join(columns[:20]))}" if columns else ""


def _epsilon(epsilon: float) -> str:
    times = math.exp(min(epsilon, 700.0))
    shown = f"{times:.2f}" if times < 10 else f"{times:,.0f}" if times < 1e6 else f"{times:.1e}"
    return (
        f"At most ε = {epsilon:g} for everything you hold, all of it together: whatever your data are, no report is "
        f"more than e<sup>{epsilon:g}</sup> = {shown} times as likely to come from you as from anybody else. Your "
        "device makes it random before it leaves; nobody can undo that, the collector neither."
    )


def _moment(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%-d %B %Y, %H:%M UTC")
    except (OverflowError, ValueError, OSError):
        return f"{seconds} seconds after 1970"

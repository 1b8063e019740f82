"""Users who are made to break an interval: ends and levels of a bent table are fixed, and the worst users looked for.

``python -m benchmarks.accuracy.adversarial`` searches and writes ``results_adversarial.csv``: for each question (an ε,
a number of reports, ends and levels as a group of users had them chosen), mixtures of one to four places with weights
from half a user on; those that were covered least are played again, and others near them; the last are played with
fresh surveys. Users are drawn from the mixture for every survey, and its mean is the truth: no survey sees all of a
group of half a user. Any `Asked` can be searched: one round's, or a last question's.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sottovoce.design import even_table, on_nodes
from sottovoce.messages import Floats, exact
from sottovoce.methods.bend_choice import CAUTION, GROUPS, Belief
from sottovoce.methods.bent_table import BentTable

Stream = np.random.Generator
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
REPORTS = (60, 300, 3_000, 30_000)
CONFIDENCE = 0.95
SURVEYS, AGAIN, FRESH = 300, 2_000, 10_000
KEPT, WORST = 120, 20
COLUMNS = (
    "epsilon",
    "reports",
    "low",
    "high",
    "below",
    "above",
    "places",
    "weights",
    "surveys",
    "covered",
    "halfwidth",
)
RESULTS = Path(__file__).parent / "results_adversarial.csv"
SEED = 20261119


@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """A question through a bent table, its levels fixed."""

    epsilon: float
    reports: int
    bent: BentTable
    below: float
    above: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Users:
    """A mixture of places, who answered which question, and how often they were covered."""

    asked: Asked
    places: Floats
    weights: Floats
    covered: float = 1.0
    halfwidth: float = 0.0
    surveys: int = 0

    def played(self, surveys: int, stream: Stream) -> Users:
        """In so many surveys."""
        asked, mean = self.asked, float(self.places @ self.weights)
        law = on_nodes(asked.bent.knots, self.places, self.weights) @ asked.bent.table.probabilities
        counts = stream.multinomial(asked.reports, law / law.sum(), size=surveys)
        reading = asked.bent.reader.read(counts, np.full(surveys, asked.reports))
        low, high = reading.interval(CONFIDENCE, asked.below, asked.above)
        held = (low <= mean + 1e-9) & (mean <= high + 1e-9)
        return replace(self, covered=float(held.mean()), halfwidth=float((high - low).mean() / 2), surveys=surveys)

    def near(self, stream: Stream) -> Users:
        """Others, not far from these."""
        places = np.clip(self.places + stream.normal(0, 0.05, len(self.places)) * stream.integers(2), -1, 1)
        weights = self.weights * np.exp(stream.normal(0, 0.5, len(self.weights)))
        return replace(self, places=places, weights=weights / weights.sum())


def mixture(asked: Asked, stream: Stream) -> Users:
    """One to four places, most of them where something ends; one has the most, the others from half a user on."""
    bent, atoms = asked.bent, int(stream.integers(1, 5))
    marked = np.array([-1.0, 1.0, bent.low, bent.high, (bent.low + bent.high) / 2, *bent.knots])
    anywhere = stream.uniform(-1, 1, atoms)
    places = np.where(stream.random(atoms) < 0.7, stream.choice(marked, atoms), anywhere)
    rare = 0.5 / asked.reports * (2.0 * asked.reports) ** (stream.random(atoms - 1) ** 1.5)
    weights = np.append(1.0, rare)
    return Users(asked=asked, places=places, weights=weights / weights.sum())


def one_round(epsilon: float, reports: int, stream: Stream) -> Asked:
    """One round, its ends and levels chosen by as many users of some mixture as choose in a survey."""
    table = even_table(exact(epsilon))
    nodes = np.linspace(-1, 1, len(table.rows))
    places, weights = stream.uniform(-1, 1, 2), np.array([1.0, stream.choice([0.0, 0.05, 0.5])])
    law = on_nodes(nodes, places, weights / weights.sum()) @ table.probabilities
    first = stream.multinomial(max(1, round(reports / (GROUPS - 1))), law / law.sum())
    bent, below, above = Belief.of(table, first).for_interval(reports, CONFIDENCE, CAUTION)
    return Asked(epsilon=epsilon, reports=reports, bent=bent, below=below, above=above)


def search(questions: Iterable[Asked], stream: Stream, *, each: int, surveys: int = SURVEYS) -> list[Users]:
    """So many mixtures for each question, in order of how often they were covered."""
    found = [mixture(asked, stream).played(surveys, stream) for asked in questions for _ in range(each)]
    return sorted(found, key=lambda users: users.covered)


def worst(found: Sequence[Users], stream: Stream) -> list[Users]:
    """The worst of those found and of others near them, played with fresh surveys."""
    again = sorted((users.played(AGAIN, stream) for users in found[:KEPT]), key=lambda users: users.covered)
    others = [one.near(stream).played(AGAIN, stream) for one in again[: KEPT // 4] for _ in range(8)]
    last = sorted((*again, *others), key=lambda users: users.covered)[:WORST]
    return sorted((users.played(FRESH, stream) for users in last), key=lambda users: users.covered)


def write(path: Path, found: Sequence[Users]) -> None:
    """One line each, numbers by six digits."""
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        asked = ("epsilon", "reports", "low", "high", "below", "above")
        lines.writerow([*asked, "places", "weights", "surveys", "covered", "halfwidth"])
        for users in found:
            one = users.asked
            numbers = (one.epsilon, one.reports, one.bent.low, one.bent.high, one.below, one.above)
            lists = (" ".join(f"{value:.6g}" for value in values) for values in (users.places, users.weights))
            results = (users.surveys, f"{users.covered:.6g}", f"{users.halfwidth:.6g}")
            lines.writerow([*(f"{number:.6g}" for number in numbers), *lists, *results])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10, help="for each ε and number of reports")
    parser.add_argument("--mixtures", type=int, default=25, help="for each question")
    given = parser.parse_args()
    stream = np.random.default_rng(SEED)
    cells = [(epsilon, reports) for epsilon in EPSILONS for reports in REPORTS for _ in range(given.questions)]
    found = search((one_round(*cell, stream) for cell in cells), stream, each=given.mixtures)
    covered = np.array([users.covered for users in found])
    print(f"{len(found):,} mixtures: covered {covered.mean():.4f} on average; of {SURVEYS} surveys {covered[:5]}")
    for epsilon in EPSILONS:
        part = [users.covered for users in found if users.asked.epsilon == epsilon]
        print(f"ε {epsilon:g}: {np.mean(part):.4f}", end="; ")
    last = worst(found, stream)
    write(RESULTS, last)
    print("\nthe worst, with fresh surveys:", *(f"{users.covered:.4f}" for users in last))


if __name__ == "__main__":
    main()

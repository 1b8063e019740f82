"""The five tables of rates of the paper, and its running times, as data made from code.

The rates of other privacy settings with the same nT observations are here too, as the tables compare them: constants
and logarithmic factors left out, α ≲ 1 throughout.
"""

from __future__ import annotations

import csv
import inspect
import io
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from sottovoce.theory import complexity
from sottovoce.theory.rate import exp


@dataclass(frozen=True)
class TableCell:
    """A formula as it is printed, and the function of n, T, alpha, d, s, beta, m, M that it stands for."""

    text: str
    rate: Callable[..., float] | None = None
    above_one: bool = False
    """Whether it is stated for α > 1 alone."""

    def value(self, **sizes: float) -> float | None:
        """The formula at these sizes; None for words, and for an α that it is not stated for."""
        if self.rate is None or (self.above_one and not sizes["alpha"] > 1):
            return None
        wanted = inspect.signature(self.rate).parameters
        return self.rate(**{name: sizes[name] for name in wanted})


@dataclass(frozen=True)
class RateTable:
    """A table with its label and line in the paper, columns, and rows of cells; the first cell is the row's name."""

    label: str
    line: int
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]

    def to_markdown(self) -> str:
        """A Markdown table of the formulas."""
        lines = [self.columns, tuple("---" for _ in self.columns), *(tuple(c.text for c in row) for row in self.rows)]
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"

    def to_csv(self) -> str:
        """Comma-separated formulas with a head line."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            [self.columns, *([cell.text for cell in row] for row in self.rows)]
        )
        return text.getvalue()

    def evaluated(self, **sizes: float) -> tuple[tuple[str | float, ...], ...]:
        """The rows with numbers in place of formulas; words stay words, as do formulas for α > 1 below it."""
        return tuple(
            tuple(cell.text if (value := cell.value(**sizes)) is None else value for cell in row) for row in self.rows
        )


Formula = tuple[str, Callable[..., float]]
"""As it is printed, and what it stands for."""


def _row(*cells: str | Formula) -> tuple[TableCell, ...]:
    return tuple(TableCell(cell) if isinstance(cell, str) else TableCell(*cell) for cell in cells)


def _two(*cells: str | Formula) -> tuple[TableCell, ...]:
    """A row whose last cell is that of α > 1."""
    *others, last = _row(*cells)
    return *others, replace(last, above_one=True)


SUPPRESSED = "Multiplicative constants, constants in exponents and logarithmic factors are left out; α ≲ 1."

ITEM_MEAN: Formula = ("d/(nTα²)", lambda n, T, alpha, d: d / (n * T * alpha**2))
ITEM_SPARSE: Formula = ("sd/(nTα²)", lambda n, T, alpha, d, s: s * d / (n * T * alpha**2))
ITEM_DENSITY: Formula = (
    "(nTα²)^{−2β/(2β+2)}",
    lambda n, T, alpha, beta: float((n * T * alpha**2) ** (-2 * beta / (2 * beta + 2))),
)
LARGE_T_MEAN: Formula = ("exp(−nα²/d)", lambda n, alpha, d: exp(-n * alpha**2 / d))
LARGE_T_SPARSE: Formula = ("exp(−nα²/s)", lambda n, alpha, s: exp(-n * alpha**2 / s))
LARGE_T_DENSITY: Formula = ("(nα²)^{−2β}", lambda n, alpha, beta: float((n * alpha**2) ** (-2 * beta)))
"""Rates that stand in more than one table: of nT users with one item each, and of users with many observations."""

INFINITE = RateTable(
    "tab-1",
    354,
    f"One observation a user, and infinitely many. {SUPPRESSED}",
    ("class", "d-dim. mean (ℓ2 ball)", "sparse mean", "density (Sobolev, β-smooth)"),
    (
        _row(
            "P",
            ("d/(nα²)", lambda n, alpha, d: d / (n * alpha**2)),
            ("sd/(nα²)", lambda n, alpha, d, s: s * d / (n * alpha**2)),
            ("(nα²)^{−2β/(2β+2)}", lambda n, alpha, beta: float((n * alpha**2) ** (-2 * beta / (2 * beta + 2)))),
        ),
        _row("P^∞", LARGE_T_MEAN, LARGE_T_SPARSE, LARGE_T_DENSITY),
    ),
)

MEAN = RateTable(
    "tab-2",
    539,
    f"The mean of d-dimensional observations in the unit ℓ2 ball, nT observations in all. {SUPPRESSED}",
    ("setting", "minimax rate", "reference"),
    (
        _row("non-private", ("d/(nT)", lambda n, T, d: d / (n * T)), "e.g. Wu 2016"),
        _row("local item-level", ITEM_MEAN, "Duchi et al. 2018"),
        _row("local user-level (T small)", ITEM_MEAN, "L368"),
        _row("local user-level (T large)", LARGE_T_MEAN, "L368"),
        _row(
            "central item-level",
            ("d/(nT) + d/(n²T²α²)", lambda n, T, alpha, d: d / (n * T) + d / (n * T * alpha) ** 2),
            "e.g. Levy et al. 2021",
        ),
        _row(
            "central user-level (T small)",
            ("d/(nT) + d/(n²Tα²)", lambda n, T, alpha, d: d / (n * T) + d / (n**2 * T * alpha**2)),
            "Levy et al. 2021",
        ),
    ),
)

SPARSE = RateTable(
    "tab-20",
    658,
    f"s-sparse means of d-dimensional observations in the unit ℓ∞ ball, nT observations in all. {SUPPRESSED}",
    ("setting", "minimax rate", "reference"),
    (
        _row(
            "non-private",
            ("s·log(ed/s)/(nT)", lambda n, T, d, s: s * math.log(math.e * d / s) / (n * T)),
            "e.g. hanfang (cited so), Theorem 8.2.6",
        ),
        _row("local item-level", ITEM_SPARSE, "Acharya et al. 2022"),
        _row("local user-level (n, T small)", ("s/T", lambda T, s: s / T), "L551"),
        _row("local user-level (n large)", ITEM_SPARSE, "L551"),
        _row("local user-level (T large)", LARGE_T_SPARSE, "L551"),
        _row(
            "central item-level (Gaussian)",
            (
                "s·log(d)/(nTα) + {s·log(d)}²/(n²T²α²)",
                lambda n, T, alpha, d, s: (part := s * math.log(d) / (n * T * alpha)) + part**2,
            ),
            "Cai et al. 2021",
        ),
    ),
)

DENSITY = RateTable(
    "tab-5",
    827,
    f"β-Sobolev densities on [0, 1], nT observations in all. {SUPPRESSED}",
    ("setting", "minimax rate", "reference"),
    (
        _row(
            "non-private",
            ("(nT)^{−2β/(2β+1)}", lambda n, T, beta: float((n * T) ** (-2 * beta / (2 * beta + 1)))),
            "e.g. Tsybakov 2009",
        ),
        _row("local item-level", ITEM_DENSITY, "Duchi et al. 2018"),
        _row("local user-level (T small)", ITEM_DENSITY, "L777"),
        _row("local user-level (T large)", LARGE_T_DENSITY, "L777"),
        _row(
            "central item-level",
            (
                "(nT)^{−2β/(2β+1)} + (nTα)^{−2β/(β+1)}",
                lambda n, T, alpha, beta: float(
                    (n * T) ** (-2 * beta / (2 * beta + 1)) + (n * T * alpha) ** (-2 * beta / (beta + 1))
                ),
            ),
            "Cai et al. 2021",
        ),
    ),
)

TRANSITIONS = RateTable(
    "tab-3",
    972,
    f"User-level rates and phase transitions. {SUPPRESSED}",
    ("", "d-dim. mean (ℓ2 ball)", "s-sparse mean", "density"),
    (
        _row(
            "small-T rate",
            ITEM_MEAN,
            ("min{s/T, sd/(nTα²)}", lambda n, T, alpha, d, s: min(s / T, s * d / (n * T * alpha**2))),
            ITEM_DENSITY,
        ),
        _row("large-T rate", LARGE_T_MEAN, LARGE_T_SPARSE, LARGE_T_DENSITY),
        _row(
            "phase transition (T = ·)",
            ("exp(nα²/d)", lambda n, alpha, d: exp(n * alpha**2 / d)),
            (
                "exp(nα²/s) if d ≳ nα², exp(nα²/d) if d ≲ nα²",
                lambda n, alpha, d, s: exp(n * alpha**2 / (s if d >= n * alpha**2 else d)),
            ),
            ("(nα²)^{2β+1}", lambda n, alpha, beta: float((n * alpha**2) ** (2 * beta + 1))),
        ),
    ),
)

_NOT_STATED = "stated for α ≤ 1"

COMPLEXITY = RateTable(
    "complexity",
    1866,
    "Computation of the procedures. Univariate and α > 1 are in the text (L1825–L1844), not in the table.",
    ("procedure", "α ≤ 1", "α > 1"),
    (
        _two("univariate procedure", *[("max{O(T*), O(n·T*^½)}", complexity.univariate)] * 2),
        _two(
            "ℓ∞-ball procedure",
            ("max{O(T*), O(n·T*^½)}", lambda n, T, d: complexity.linf_ball(n=n, T=T, d=d, alpha=1.0)),
            ("max{O((d ∧ ⌊α⌋)·T*), O((d ∧ ⌊α⌋)·n·T*^½)}", complexity.linf_ball),
        ),
        _two(
            "ℓ2-ball procedure",
            ("max{O(d²), O(T*), O(n·(dT*)^½)}", lambda n, T, d: complexity.l2_ball(n=n, T=T, d=d, alpha=1.0)),
            ("max{O(d²), O((d ∧ ⌊α⌋)·T*), O((d ∧ ⌊α⌋)·n·(dT*)^½)}", complexity.l2_ball),
        ),
        _two("sparse mean (large d)", ("max{O(T*), O(nd), O(n·T*^½)}", complexity.sparse_selection), _NOT_STATED),
        _two("sparse mean (small d)", ("max{O(d), O(T*), O(n·T*^½)}", complexity.sparse_threshold), _NOT_STATED),
        _two("density", ("max{O(MT*), O(n·T*^½)}", complexity.density), _NOT_STATED),
        _two("mixture means", ("max{O(T*), O(mn)}", complexity.mixture), _NOT_STATED),
    ),
)

RATE_TABLES = (INFINITE, MEAN, SPARSE, DENSITY, TRANSITIONS)
"""The five tables of rates, in the order of the paper."""

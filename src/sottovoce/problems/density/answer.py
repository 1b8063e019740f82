"""A density as an answer: it evaluates, integrates, draws itself, and becomes a true density on request.

`cosine_answer` makes it of what the cosine methods measured: a curve, its bands, and what each of them assumes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import ArrayLike

from sottovoce.answers import (
    Answer,
    Assumes,
    Line,
    Measured,
    Note,
    NoteCode,
    StandardError,
    StatedNumbers,
    check_lengths,
    cosines,
    line,
    omitted_wave_sums,
    sizes,
    two_sided,
)
from sottovoce.messages import Fact, InvalidInput
from sottovoce.methods import ONE_IN_TWENTY, Floats
from sottovoce.pictures import Ribbon
from sottovoce.problems.alternatives import notes_on_few_reports
from sottovoce.problems.density.coefficients import PEAK, belief_about, decays_to_consider
from sottovoce.problems.density.settings import Density
from sottovoce.problems.method import Method

Interval = tuple[float, float]
_GRID = 2**14
_POINTS = 101


def waves(unit: Floats, count: int) -> Floats:
    """φ₁ … φ_count of the trigonometric basis (L316) at points of the unit interval: ``(points, count)``."""
    number = np.arange(1, count + 1)
    turns = 2 * math.pi * np.asarray(unit, dtype=np.float64)[:, None] * (number // 2)
    basis = math.sqrt(2) * np.where(number % 2 == 0, np.cos(turns), np.sin(turns))
    basis[:, 0] = 1.0
    return np.asarray(basis)


@dataclass(frozen=True, kw_only=True, repr=False)
class DensityEstimate(Answer):
    """f̂ = Σ_j θ̂_j φ_j on [low, high], the first coefficients in a `basis`, the very first being 1; call it with points.

    ``"trigonometric"`` (L316), as the paper has it: θ₁ = 1 is known, so f̂ integrates to one; where data are few it may
    dip below zero. `projected` gives the nearest density (in L2) that does not. `band` covers, at each point, the
    density that has only these coefficients; what they cannot express (truncation) is not covered, and for a density
    whose ends differ it is large near them. `shift` is what a projection has taken off, or None.

    ``"cosine"``: 1, √2 cos(πx), √2 cos(2πx), …; waves beyond these go on as (a + (−1)^j b)/j², `ends` being a and b,
    which is what slopes at the ends of the range do. The curve is projected already. `measured` holds what it was drawn
    from, and `band` is for the *smoothed* density, which has only so many waves: everywhere at once, whatever users are
    (`assumes`). `model_band` relies on `model_assumes`; both take ``whole=True`` for the density itself, if also
    `whole_assumes` holds. Both hold the curve. A group of users below the share `detection_limit` may be unseen; the
    first band allows for it.
    """

    kind: ClassVar[str] = "density"
    beside: ClassVar[tuple[str, ...]] = (*Answer.beside, "curve", "mean", "quartiles")
    pictured: ClassVar[tuple[str, ...]] = ("shape",)
    several: ClassVar[bool] = False

    coefficients: tuple[float, ...]
    coefficient_intervals: tuple[Interval, ...]
    coefficient_errors: tuple[StandardError, ...]
    low: float
    high: float
    smoothness: float | None
    shift: float | None = None
    basis: str = "trigonometric"
    ends: Interval = (0.0, 0.0)
    measured: Measured | None = None
    whole_assumes: Assumes | None = None

    def __post_init__(self) -> None:
        parts = (self.coefficient_intervals, self.coefficient_errors)
        check_lengths("a density estimate", "coefficients", len(self.coefficients), *parts)
        if self.basis not in ("trigonometric", "cosine"):
            raise InvalidInput(rule="basis must be trigonometric or cosine", got=self.basis)
        if self.measured is not None and len(self.measured.value) < len(self.coefficients) - 1:
            raise InvalidInput("more waves are shown than were measured")

    @property
    def value(self) -> tuple[float, ...]:
        """The coefficients of the curve in its basis; call the answer for heights."""
        return self.coefficients

    def __call__(self, points: ArrayLike) -> Floats:
        """The density at `points`, of the same shape; zero outside [low, high]."""
        unit = self._unit(points)
        height = self._basis(unit) @ np.array(self.coefficients) / self._width
        if self.ends != (0.0, 0.0):
            low, high = omitted_wave_sums(unit, len(self.coefficients) - 1)
            height = height + (self.ends[0] * low + self.ends[1] * high) / self._width
        if self.shift is not None:
            height = np.maximum(height - self.shift, 0.0)
        return np.where((unit >= 0) & (unit <= 1), height, 0.0).reshape(np.shape(points))

    def _basis(self, unit: Floats) -> Floats:
        return (cosines if self.basis == "cosine" else waves)(unit, len(self.coefficients))

    def _unit(self, points: ArrayLike) -> Floats:
        return ((np.asarray(points, dtype=np.float64) - self.low) / self._width).ravel()

    @property
    def _width(self) -> float:
        return self.high - self.low

    @cached_property
    def _points(self) -> Floats:
        return np.linspace(self.low, self.high, _GRID + 1)

    @property
    def integral(self) -> float:
        """Over [low, high]: one, exactly for the estimate itself, to 1e-6 for its projection."""
        return self.coefficients[0] if self.shift is None else self._average(self(self._points)) * self._width

    def _average(self, heights: Floats) -> float:
        """The mean over an even grid, by the trapezoid rule."""
        return float((heights.sum() - (heights[0] + heights[-1]) / 2) / _GRID)

    def projected(self) -> DensityEstimate:
        """The nearest function that is nowhere negative and integrates to one: max(f̂ − c, 0), c by bisection."""
        if self.shift is not None:
            return self
        heights = self(self._points)
        least, most = 0.0, float(heights.max())
        for _ in range(100):
            middle = (least + most) / 2
            above = self._average(np.maximum(heights - middle, 0.0)) * self._width > 1
            least, most = (middle, most) if above else (least, middle)
        return replace(self, shift=least)

    def standard_error(self, points: ArrayLike) -> Floats:
        """The standard error of f̂ at each point: users, noise and votes, truncation apart."""
        variance = self._basis(self._unit(points)) ** 2 @ [error.total**2 for error in self.coefficient_errors]
        return np.asarray(np.sqrt(variance) / self._width).reshape(np.shape(points))

    def band(self, points: ArrayLike, *, whole: bool = False) -> tuple[Floats, Floats]:
        """Ends at `confidence`: the headline. Cosine basis: for the smoothed density, or with `whole` for the density.

        Trigonometric basis: pointwise, for the density with only these coefficients; see the class on truncation.
        """
        if self.measured is not None:
            return self._around(self.measured, points, guarded=True, whole=whole)
        if whole:
            raise InvalidInput(
                rule="a band for the density itself needs the cosine basis: method adaptive or one-round"
            )
        heights = replace(self, shift=None)(points)
        reach = two_sided(self.confidence) * self.standard_error(points)
        low, high = heights - reach, heights + reach
        if self.shift is None:
            return low, high
        own = self(points)
        return np.minimum(np.maximum(low, 0.0), own), np.maximum(np.maximum(high, 0.0), own)

    def model_band(self, points: ArrayLike, *, whole: bool = False) -> tuple[Floats, Floats]:
        """Ends at `confidence` where `model_assumes` holds, in the cosine basis: much narrower."""
        if self.measured is None:
            raise InvalidInput("only answers in the cosine basis have a second band")
        return self._around(self.measured, points, guarded=False, whole=whole)

    def _around(self, measured: Measured, points: ArrayLike, *, guarded: bool, whole: bool) -> tuple[Floats, Floats]:
        """A band that was measured, widened where the published curve leaves it; a guarded one holds the model band.

        No band is cut at zero: the smoothed density may be negative, and a band for the density itself is wider.
        """
        unit, shown = np.clip(self._unit(points), 0.0, 1.0), len(self.coefficients) - 1
        low, high = measured.band(unit, shown, self.confidence, guarded=False)
        if guarded:
            firm = measured.band(unit, shown, self.confidence, guarded=True)
            low, high = np.minimum(low, firm[0]), np.maximum(high, firm[1])
        if whole:
            rest = measured.omitted(unit, shown)
            low, high = low - rest, high + rest
        own, shape = self(points).ravel() * self._width, np.shape(points)
        return np.minimum(low, own).reshape(shape) / self._width, np.maximum(high, own).reshape(shape) / self._width

    def halfwidth(self, *, model: bool = False, whole: bool = False) -> float:
        """Half the width of a band, on average over the range, as a part of the height of the uniform density."""
        points = np.linspace(self.low, self.high, _POINTS)
        low, high = (self.model_band if model else self.band)(points, whole=whole)
        return float((high - low).mean() / 2) * self._width

    @property
    def mean(self) -> float:
        """∫ x f̂(x) dx."""
        return self._average(self._points * self(self._points)) * self._width

    @overload
    def quantiles(self, levels: float) -> float: ...
    @overload
    def quantiles(self, levels: Sequence[float]) -> tuple[float, ...]: ...
    def quantiles(self, levels: float | Sequence[float]) -> float | tuple[float, ...]:
        """Where the projected density has so much of its mass below; one number for one level."""
        if not all(0 <= level <= 1 for level in np.ravel(levels)):
            raise InvalidInput(rule="levels must lie between 0 and 1", got=levels)
        heights = self.projected()(self._points)
        mass = np.concatenate(([0.0], np.cumsum((heights[1:] + heights[:-1]) / 2)))
        found = np.interp(np.asarray(levels) * mass[-1], mass, self._points)
        return float(found) if np.ndim(levels) == 0 else tuple(found.tolist())

    def details(self) -> dict[str, Any]:
        """The curve without negative parts and its bands, its mean and its quartiles."""
        true = self.projected()
        points = np.linspace(self.low, self.high, _POINTS)
        low, high = true.band(points)
        curve = {"points": points, "density": true(points), "band_low": low, "band_high": high}
        if self.measured is not None:
            bands = {"model": self.model_band(points)}
            if self.whole_assumes:
                bands |= {"whole": self.band(points, whole=True), "model_whole": self.model_band(points, whole=True)}
            for name, ends in bands.items():
                curve |= {f"{name}_low": ends[0], f"{name}_high": ends[1]}
        return {
            "curve": {name: values.tolist() for name, values in curve.items()},
            "mean": true.mean,
            "quartiles": list(true.quantiles((0.25, 0.5, 0.75))),
        }

    @property
    def _size(self) -> Fact:
        """``7 coefficients``, ``1 wave``."""
        count = len(self.coefficients)
        return Fact("coefficients", n=count) if self.basis == "trigonometric" else Fact("waves", n=count - 1)

    def __str__(self) -> str:
        projected = self.shift is not None and self.basis == "trigonometric"
        size = {"size": self._size, "low": self.low, "high": self.high}
        return str(Fact("density", **size, method=self.method, projected=projected))

    def words(self, *, of: str = "") -> Fact:
        low, middle, high = self.quantiles((0.25, 0.5, 0.75))
        return Fact(
            "density-answer",
            of=of,
            low=low,
            middle=middle,
            high=high,
            unless=None if self.measured is None else self.interval_condition(),
            range_misses=self.range_misses,
        )

    def assumed_numbers(self) -> dict[str, Any]:
        measured = self.measured
        if measured is None:
            return super().assumed_numbers()
        waves = {"rest": measured.rest, "waves": len(measured.value), "decay": measured.decay}
        return super().assumed_numbers() | waves

    def headline(self) -> list[Line]:
        error = math.sqrt(sum(one.total**2 for one in self.coefficient_errors))
        named = Fact("trigonometric-coefficients", n=len(self.coefficients)) if self.measured is None else self._size
        return [
            line("density", Fact("density-size", size=named, low=self.low, high=self.high)),
            line("shape", self.picture(rows=1)),
            *self._bands(),
            line("error", Fact("density-error", error=error)),
        ]

    def _bands(self) -> list[Line]:
        """How wide each band is, and what it assumes."""
        kind = {"confidence": self.confidence, "kind": self.interval_kind}
        if self.measured is None:
            return [line("intervals", Fact("intervals-of", **kind))]
        said = [line("band", Fact("density-band", halfwidth=self._height(), **kind))]
        if self.whole_assumes:
            wide, narrow = (self._height(model=model, whole=True) for model in (False, True))
            assumes = self.assumed(self.whole_assumes, "whole_assumes")
            said.append(line("whole", Fact("density-whole", halfwidth=wide, model=narrow, assumes=assumes)))
        return said

    def model(self) -> Fact | None:
        if self.measured is None:
            return None
        assumes = self.assumed(self.model_assumes, "model_assumes")
        return Fact("density-model", halfwidth=self._height(model=True), assumes=assumes)

    def _height(self, *, model: bool = False, whole: bool = False) -> float:
        """Half the width of a band, as a height of the curve."""
        return self.halfwidth(model=model, whole=whole) / self._width

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        names = [f"θ{number}" for number in range(len(self.coefficients))]  # a symbol, in any language
        return (
            StatedNumbers(what="wave", names=names, values=self.coefficients, intervals=self.coefficient_intervals),
        )

    def drawing(self, *, truth: Any = None) -> Ribbon:
        return Ribbon(
            low=self.low,
            high=self.high,
            value=self,
            band=self.band,
            model=None if self.measured is None else self.model_band,
            projected=None if self.shift is not None else lambda: self.projected().drawing(),
            title=self._title(self._size),
        )


_CLEAR, _LARGE, _ENOUGH = 3.0, 0.5, 5
"""A note wants late waves to be so many standard errors above noise, to hold so much of what early ones hold, and so
many of both."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredWaves:
    """What came in: unbiased means of the waves, their variances, and what is known about users who were cut.

    `share` of the users may lie outside, as far as the checks can tell, and are pulled toward the `centre`.
    """

    value: Floats
    variance: Floats
    sampling: Floats
    """The part of the variance that would remain without noise: less than all of it."""
    firm: Floats
    most: Floats
    """Means, and the largest variance that they can have, from rounds that hold whatever users are."""
    centre: tuple[float, ...]
    share: float = 0.0
    stretch: float = 1.0
    """How much larger the variance is in the direction in which users lie."""
    hidden: float | None = None
    answered: tuple[int, ...]
    notes: tuple[Note, ...] = ()


def cosine_answer(method: Method[Density], settings: Density, waves_found: MeasuredWaves) -> DensityEstimate:
    """The curve, drawn toward zero as far as waves seem to be noise, cut and projected; the bands rest on neither."""
    belief = belief_about(waves_found.value, waves_found.variance, decays_to_consider(settings.smoothness))
    asked = len(waves_found.value)
    shown = next(size for size in sizes(asked) if size >= belief.waves_to_show)
    measured = Measured(
        value=tuple(waves_found.value.tolist()),
        error=tuple(
            np.sqrt(waves_found.variance * _variance_where_highest(belief.value, waves_found.stretch)).tolist()
        ),
        firm=tuple(waves_found.firm.tolist()),
        most=tuple(np.sqrt(waves_found.most).tolist()),
        centre=waves_found.centre,
        share=waves_found.share,
        rest=_size_of_waves_left_out(waves_found, shown) if settings.assumed_smoothness > 1 else None,
        decay=settings.assumed_smoothness,
    )
    ends = [measured.interval(wave, settings.confidence) for wave in range(1, shown + 1)]
    values = tuple(belief.value[:shown].tolist())
    intervals = [
        (max(-PEAK, min(low, own)), min(PEAK, max(high, own))) for (low, high), own in zip(ends, values, strict=True)
    ]
    errors = [
        StandardError(sampling=math.sqrt(sampling), privacy=math.sqrt(variance - sampling))
        for sampling, variance in zip(waves_found.sampling[:shown], waves_found.variance[:shown], strict=True)
    ]
    narrow = (settings.high - settings.low) / asked
    discrete = (Note(NoteCode.MAY_BE_DISCRETE, narrow=narrow),) if looks_discrete(waves_found) else ()
    by = "caller" if settings.coefficients else "smoothness" if settings.smoothness else None
    curve = DensityEstimate(
        coefficients=(1.0, *values),
        coefficient_intervals=((1.0, 1.0), *intervals),
        coefficient_errors=(StandardError(sampling=0.0, privacy=0.0), *errors),
        low=settings.low,
        high=settings.high,
        smoothness=settings.smoothness,
        basis="cosine",
        ends=belief.ends,
        measured=measured,
        assumes=Assumes.NOTHING,
        model_assumes=Assumes.ONE_GROUP_AROUND_AVERAGE,
        whole_assumes=None if measured.rest is None else Assumes.WAVES_FALL_OFF,
        detection_limit=waves_found.hidden,
        interval_kind=Fact("guarded-everywhere", waves=shown),
        **method.survey_facts(settings, waves_found.answered, Fact("waves-shown", shown=shown, n=asked, by=by)),
        notes=(*waves_found.notes, *discrete, *notes_on_few_reports(settings.users, settings.epsilon)),
    )
    return curve.projected()


def _variance_where_highest(value: Floats, stretch: float) -> float:
    """How much larger the variance is where the density is highest: users alike lie there more than elsewhere."""
    size = len(value)
    highest = 1 + float((cosines(np.linspace(0.0, 1.0, 16 * size + 1), size + 1)[:, 1:] @ value).max())
    return (size + (stretch - 1) * max(1.0, highest)) / (size + stretch - 1)


def _size_of_waves_left_out(waves_found: MeasuredWaves, shown: int) -> float:
    """How large waves may be that are not shown, as far as noise tells: the root mean square of the last ones."""
    late = slice(min(shown, len(waves_found.value) // 2), None)
    square = float((waves_found.value**2 - waves_found.variance)[late].mean())
    doubt = math.sqrt(float(_variance_of_squares(waves_found.value, waves_found.variance)[late].sum())) / len(
        waves_found.value[late]
    )
    return math.sqrt(max(0.0, square) + ONE_IN_TWENTY * doubt)


def _variance_of_squares(value: Floats, variance: Floats) -> Floats:
    """Variances of squares."""
    return np.asarray(2 * variance**2 + 4 * np.maximum(value**2 - variance, 0.0) * variance)


def looks_discrete(waves_found: MeasuredWaves) -> bool:
    """Late waves are clearly there, and hold much beside the early ones: atoms do that, smooth densities do not."""
    half = len(waves_found.value) // 2
    if half < _ENOUGH:
        return False
    square = waves_found.value**2 - waves_found.variance
    late, early = float(square[half:].sum()), float(np.maximum(square[:half], 0.0).sum())
    error = math.sqrt(float(_variance_of_squares(waves_found.value, waves_found.variance)[half:].sum()))
    return late > _CLEAR * error and late > _LARGE * early

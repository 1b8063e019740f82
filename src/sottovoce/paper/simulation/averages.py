"""Averages of T observations, drawn without the observations where their law is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sottovoce.messages import Laplace, Position, Question
from sottovoce.paper.figure import Floats

BLOCK = 1 << 17
"""Raw draws held at once, when there is no way around them: they stay in the cache."""


def rademacher(stream: Generator, observations: int, chance: float | Floats, size: tuple[int, ...]) -> Floats:
    """Means of T draws of Rad(p), which are ±1: a scaled binomial."""
    return 2 * stream.binomial(observations, chance, size=size) / observations - 1


def uniform(stream: Generator, observations: int, size: tuple[int, ...]) -> Floats:
    """Means of T draws of Unif[0, 1), digit by digit.

    The 53 binary digits of a uniform float are independent fair bits, so digit b of all T adds 2^-b·Bin(T, ½).
    """
    if observations < 60:  # fewer draws than digits
        return means_of_draws(stream.random, observations, size)
    total = np.zeros(size)
    for digit in range(53, 0, -1):  # smallest first: the sum is exact while it fits 53 bits
        total += np.ldexp(stream.binomial(observations, 0.5, size=size).astype(np.float64), -digit)
    return total / observations


def beta(stream: Generator, observations: int, shape: float, size: tuple[int, ...]) -> Floats:
    """Means of T draws of 2·Beta(p, p) − 1: no short law, so every observation is drawn, in blocks."""
    if shape == 1:
        return 2 * uniform(stream, observations, size) - 1
    if shape == 0.5:  # the arcsine law
        return means_of_draws(lambda count: np.cos(np.pi * stream.random(count)), observations, size)
    return means_of_draws(lambda count: 2 * stream.beta(shape, shape, count) - 1, observations, size)


def sphere_coordinate(stream: Generator, observations: int, dimension: int, size: tuple[int, ...]) -> Floats:
    """Means of one coordinate of T uniform points on the unit sphere, d > 2.

    Two coordinates of such a point lie at a uniform angle and at a distance r from 0 with r² ~ Beta(1, (d−2)/2), so
    1 − r² = V^(2/(d−2)) with V uniform. In single precision: an observation is off by 1e-7 at most.
    """
    return means_of_draws(lambda shape: _coordinates(stream, dimension, shape), observations, size)


def _coordinates(stream: Generator, dimension: int, shape: tuple[int, int]) -> NDArray[np.float32]:
    """One coordinate of uniform points on the unit sphere."""
    away = np.power(stream.random(shape, dtype=np.float32), np.float32(2 / (dimension - 2)))
    angle = stream.random(shape, dtype=np.float32)
    angle *= np.float32(2 * np.pi)
    return np.asarray(np.sqrt(np.subtract(1, away, out=away), out=away) * np.cos(angle, out=angle))


def sphere_vectors(stream: Generator, observations: int, dimension: int, users: int) -> Floats:
    """Means of T uniform points on the unit sphere, d > 2, whole: ``(users, d)``.

    The sum looks the same from everywhere: its direction is uniform, whatever its length. Its length is a walk, since
    the next point has one coordinate c along the sum so far: |S + X|² = |S|² + 1 + 2|S|c.
    """
    squares, steps = np.zeros(users), max(1, BLOCK // users)
    for first in range(0, observations, steps):
        for along in _coordinates(stream, dimension, (min(steps, observations - first), users)):
            squares += 1 + 2 * np.sqrt(squares) * along
    return sphere(stream, dimension, users) * (np.sqrt(squares) / observations)[:, None]


def sphere(stream: Generator, dimension: int, count: int) -> Floats:
    """Uniform points on the unit sphere, ``(count, d)``."""
    points = stream.standard_normal((count, dimension))
    points /= np.sqrt(np.einsum("ij,ij->i", points, points))[:, None]
    return points


def laplace_sum(stream: Generator, count: int | NDArray[np.int64], size: tuple[int, ...]) -> Floats:
    """Sums of `count` standard Laplace draws: Gamma(count) − Gamma(count)."""
    shape = np.asarray(count, dtype=np.float64)
    return stream.standard_gamma(shape, size=size) - stream.standard_gamma(shape, size=size)


def laplace_mean(stream: Generator, question: Question, size: tuple[int, ...]) -> Floats:
    """The average noise of all reports to a question that everybody answers on one range."""
    channel, placement = question.channel, question.encoder.placement
    assert isinstance(channel, Laplace) and isinstance(placement, Position)
    reports = question.slots.count * question.uses
    scale = channel.scale * (placement.high[0] - placement.low[0])
    return np.asarray(scale * laplace_sum(stream, reports, size) / reports)


def means_of_draws(draw: Callable[[tuple[int, int]], NDArray[Any]], observations: int, size: tuple[int, ...]) -> Floats:
    """Means of `observations` raw draws, a block at a time."""
    total = int(np.prod(size))
    rows = max(1, BLOCK // observations)
    parts = [
        draw((min(rows, total - first), observations)).mean(axis=1, dtype=np.float64) for first in range(0, total, rows)
    ]
    return np.concatenate(parts).reshape(size)

"""Does the time that randomising takes tell the noise? Fisher's exact test of slow against noisy."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.bounds import fisher
from sottovoce.audit.findings import Finding
from sottovoce.audit.path import Path
from sottovoce.device import Entropy
from sottovoce.messages import Channel, Laplace, Subset, Table, Unary

CALLS = 1500
_WARM = 50


def time_against_noise(
    subject: str, channel: Channel, path: Path, entropy: Entropy, *, level: float, calls: int = CALLS
) -> Finding:
    """Time `calls` single answers of one input; slow or fast must be independent of how large the noise was.

    Noise is drawn independently of everything else a computer does, so under independence the two-by-two table of
    (slow, noisy) is hypergeometric given its margins, whatever the times look like.
    """
    value = np.array([channel.span // channel.unit // 2 * channel.unit], dtype=np.int64)
    times, noise = np.empty(calls), np.empty(calls)
    for call in range(-_WARM, calls):
        start = time.perf_counter_ns()
        symbol = path.symbols(channel, value, entropy)
        times[call], noise[call] = time.perf_counter_ns() - start, _noise(channel, int(value[0]), symbol[0])
    slow, noisy = _upper_half(times), _upper_half(noise)
    chance = fisher(int((slow & noisy).sum()), int(slow.sum()), int(noisy.sum()), calls)
    ranks = np.corrcoef(_ranks(times), _ranks(noise))[0, 1] if noise.std() > 0 else 0.0
    return Finding(
        subject=subject,
        layer="timing",
        check=f"{channel.kind}: time against noise",
        passed=chance >= level,
        detail=f"{calls:,} calls, rank correlation {ranks:+.3f}, p = {chance:.2g}",
    )


def _noise(channel: Channel, value: int, symbol: NDArray[np.int64]) -> float:
    """How far a symbol is from what it would be without noise."""
    match channel:
        case Laplace():
            return float(abs(int(symbol[0]) - value))
        case Table():
            return float(abs(int(symbol[0]) - int(np.argmax(channel.probabilities[value // channel.unit]))))
        case Unary():
            return float((symbol != channel.hot(np.array([value]))[0]).sum())
        case Subset():
            return float(value not in symbol)


def _upper_half(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(values > np.median(values)) if (values > np.median(values)).any() else values >= np.median(values)


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(np.float64)

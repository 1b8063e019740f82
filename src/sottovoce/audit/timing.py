"""Does the time that randomising takes tell the noise? Fisher's exact test of slow against noisy."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.bounds import Floats, fisher
from sottovoce.audit.findings import Finding
from sottovoce.audit.kinds import derivation
from sottovoce.audit.path import Path
from sottovoce.device import Entropy
from sottovoce.messages import Channel

CALLS = 1500
_WARM = 50


def time_against_noise(
    subject: str, channel: Channel, path: Path, entropy: Entropy, *, level: float, calls: int = CALLS
) -> Finding:
    """Time `calls` single answers of one input; slow or fast must be independent of how large the noise was.

    Noise is drawn independently of everything else a computer does, so under independence the two-by-two table of
    (slow, noisy) is hypergeometric given its margins, whatever the times look like.
    """
    kind, own = derivation(channel), channel.span // channel.unit // 2 * channel.unit
    value = np.array([own], dtype=np.int64)
    times, noise = np.empty(calls), np.empty(calls)
    for call in range(-_WARM, calls):
        start = time.perf_counter_ns()
        symbol = path.symbols(channel, value, entropy)
        times[call], noise[call] = time.perf_counter_ns() - start, kind.distance(own, symbol[0])
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


def _upper_half(values: Floats) -> NDArray[np.bool_]:
    return np.asarray(values > np.median(values)) if (values > np.median(values)).any() else values >= np.median(values)


def _ranks(values: Floats) -> Floats:
    return np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(np.float64)

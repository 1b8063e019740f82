"""Is fresh noise independent? Between the bits of a report, between reports, and in its shares: three tests a channel.

Noise is turned into bits whose chances are known exactly from the law: flipped or not, own item named or not, noise
above zero or not. Products of two centred bits of which neither decides the other are martingale differences, so
Azuma's inequality bounds how far their sum may stray, whatever the number of reports; lags and places are paid for by
the union bound. That is no sharp test, and need not be: noise that is used twice moves the sum by its whole length.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.findings import Finding
from sottovoce.audit.kinds import Floats, derivation
from sottovoce.audit.path import Path
from sottovoce.device import Entropy
from sottovoce.messages import Channel

TESTS = ("shares", "within a report", "between reports")
REPORTS = 800
APART = 16
"""Reports up to so many places from one another are compared."""


def fresh_noise(subject: str, channel: Channel, path: Path, entropy: Entropy, *, level: float) -> list[Finding]:
    """One finding for each of `TESTS`; each raises a false alarm with probability at most `level`."""
    kind, value = derivation(channel), channel.span // channel.unit // 2 * channel.unit
    symbols = path.symbols(channel, np.full(REPORTS, value, dtype=np.int64), entropy)
    bits, chances = kind.noise_bits(value, symbols)
    centred = (bits - chances) / np.maximum(chances, 1 - chances)  # within ±1
    chances_of = {
        "shares": _stray(centred.sum(axis=0), REPORTS),
        "within a report": _within(centred) if kind.independent else 1.0,
        "between reports": _between(centred),
    }
    return [
        Finding(
            subject=subject,
            layer="statistical",
            check=f"{channel.kind}, {bits.shape[1]} bits of noise: {test}",
            passed=chance >= level,
            detail=f"{REPORTS:,} reports, a chance of at most {chance:.2g}",
        )
        for test, chance in chances_of.items()
    ]


def _within(centred: Floats) -> float:
    """Bits of one report, at every distance from one another."""
    width = centred.shape[1]
    if width < 2:
        return 1.0
    size = 2 * width
    spectrum = np.abs(np.fft.rfft(centred, n=size, axis=1)) ** 2
    sums = np.fft.irfft(spectrum, n=size, axis=1)[:, 1:width].sum(axis=0)
    terms = REPORTS * (width - np.arange(1, width))
    return _stray(sums, terms)


def _between(centred: Floats) -> float:
    """The same bit of reports that are up to `APART` apart."""
    sums = np.array([(centred[lag:] * centred[:-lag]).sum(axis=0) for lag in range(1, APART + 1)])
    return _stray(sums, (REPORTS - np.arange(1, APART + 1))[:, None])


def _stray(sums: Floats, terms: NDArray[np.int64] | int) -> float:
    """Azuma: n differences within ±1 stray by t with a chance of at most 2·exp(−t²/2n); the union over all sums."""
    furthest = float(np.max(sums**2 / np.asarray(terms, dtype=float)))
    return min(1.0, 2 * sums.size * math.exp(-furthest / 2))

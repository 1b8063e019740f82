"""How much of everything is measured: for the page, for a quick look, and for the tests of this code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Users, draws, rows and reports. Peers do fewer, and their time is divided by how many they did."""

    repetitions: int
    users: int
    peer_cells: int  # users × items of a peer's turn
    draws: int
    slow_draws: int
    rows: int
    row_users: int
    memory_rows: tuple[int, int, int]
    memory_users: int
    most_rows: int
    most_users: int
    reports: tuple[int, ...]
    stored: int
    device_turns: int
    decades: int  # of n; one less of the others
    collector: bool  # whether a collector is started and reports are sent to it


FULL = Sizes(
    repetitions=7,
    users=10**6,
    peer_cells=12_800_000,
    draws=10**6,
    slow_draws=10_000,
    rows=10**7,
    row_users=10**6,
    memory_rows=(10**6, 10**7, 4 * 10**7),
    memory_users=10**5,
    most_rows=2 * 10**7,
    most_users=200_000,
    reports=(10**6, 3_162_278, 10**7, 31_622_777, 10**8),
    stored=20_000,
    device_turns=2_000,
    decades=4,
    collector=True,
)
QUICK = Sizes(
    repetitions=3,
    users=10**6,
    peer_cells=1_280_000,
    draws=10**6,
    slow_draws=2_000,
    rows=10**6,
    row_users=10**5,
    memory_rows=(10**6, 5 * 10**6, 10**7),
    memory_users=10**4,
    most_rows=4 * 10**6,
    most_users=40_000,
    reports=(10**6, 10**7),
    stored=4_000,
    device_turns=500,
    decades=2,
    collector=False,
)
TINY = Sizes(
    repetitions=1,
    users=2_000,
    peer_cells=2_560,
    draws=5_000,
    slow_draws=5,
    rows=2_000,
    row_users=100,
    memory_rows=(500, 1_000, 2_000),
    memory_users=100,
    most_rows=2_000,
    most_users=100,
    reports=(1_000, 2_000),
    stored=50,
    device_turns=5,
    decades=1,
    collector=False,
)

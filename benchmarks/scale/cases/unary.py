"""Unary reports of many users, made and added up: here, by multi-freq-ldpy and by pure-ldp, at ε = 1.

The peers are called as their own examples call them: a loop over users, and an aggregator over what came out of it.
Both have the symmetric law (``optimal=False``, ``use_oue=False``), which is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

EPSILON = 1.0


def values(users: int, items: int) -> Any:
    return np.random.default_rng(1).integers(0, items, size=users)


def question(users: int, items: int) -> Any:
    from sottovoce import design
    from sottovoce.messages import Average, Encoder, Grid, Question, Slots

    return Question(
        survey="speed",
        round=0,
        role="all",
        slots=Slots(first=0, count=users),
        encoder=Encoder(statistic=Average(), placement=Grid(low=(0.0,), high=(1.0,), count=items)),
        channel=design.unary(EPSILON, items),
        epsilon=EPSILON,
    )


def ours_client(users: int, items: int) -> Callable[[], Any]:
    from sottovoce.device import bulk

    channel, inputs, entropy = question(users, items).channel, values(users, items), bulk.BulkEntropy()
    return lambda: bulk.privatise(channel, inputs, entropy)


def ours_tally(users: int, items: int) -> Callable[[], Any]:
    """From columns in memory, packed payloads and slots, checked and counted. What the bits are changes nothing."""
    from sottovoce.messages import columns

    asked = question(users, items)
    payloads = np.random.default_rng(1).integers(0, 256, size=(users, items // 8), dtype=np.uint8)
    slots = np.arange(users, dtype=np.uint32)

    def add_up() -> None:
        counted = columns.count(asked, slots, payloads)
        assert counted.tally.reports == (users,)

    return add_up


def multi_freq_ldpy_client(users: int, items: int) -> Callable[[], Any]:
    client: Any = import_module("multi_freq_ldpy.pure_frequency_oracles.UE").UE_Client
    data = values(users, items)
    client(int(data[0]), items, EPSILON, False)  # numba compiles here, and not in a turn
    return lambda: [client(value, items, EPSILON, False) for value in data]


def multi_freq_ldpy_tally(users: int, items: int) -> Callable[[], Any]:
    module: Any = import_module("multi_freq_ldpy.pure_frequency_oracles.UE")
    reports = multi_freq_ldpy_client(users, items)()
    return lambda: module.UE_Aggregator_MI(reports, EPSILON, False)


def pure_ldp_client(users: int, items: int) -> Callable[[], Any]:
    module: Any = import_module("pure_ldp.frequency_oracles.unary_encoding")
    client, data = (
        module.UEClient(EPSILON, items, use_oue=False, index_mapper=lambda value: value),
        values(users, items),
    )
    return lambda: [client.privatise(value) for value in data]


def pure_ldp_tally(users: int, items: int) -> Callable[[], Any]:
    module: Any = import_module("pure_ldp.frequency_oracles.unary_encoding")
    reports = pure_ldp_client(users, items)()

    def add_up() -> Any:
        server = module.UEServer(EPSILON, items, use_oue=False, index_mapper=lambda value: value)
        server.aggregate_all(reports)
        return server.estimate_all(range(items), suppress_warnings=True)

    return add_up

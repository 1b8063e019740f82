"""Channels that nobody would design, and that a hostile question may hold: at the ends of what a message can say."""

from __future__ import annotations

from collections.abc import Iterator

from sottovoce.messages import Channel, Laplace, Subset, Table, Unary

_ONE, _WIDE = 2**64, 2**128


def edges() -> Iterator[tuple[str, Channel]]:
    """By name. Some cost nothing, some without bound; what they cost is for two devices to agree upon."""
    for items, size in ((2, 1), (3, 2), (65, 1), (65, 64)):
        for threshold in (1, _ONE * size // (4 * items), _ONE // 2, _ONE - 1):
            yield f"subset of {size} in {items}, {threshold}", Subset(items=items, size=size, threshold=threshold)
    for items, reach in ((1, 0), (2, 0), (2, 8), (17, 8), (18, 8), (33, 8), (34, 8), (40, 3)):
        for threshold in (_ONE // 2, 3 * _ONE // 4, _ONE - 1):
            name = f"unary of {items}, {reach} to each side, {threshold}"
            yield name, Unary(items=items, reach=reach, threshold=threshold)
    for nodes, symbols in ((2, 2), (3, 3), (16, 256), (2048, 2)):
        for turned in (False, True):
            rows = tuple(_row(symbols, node if turned else nodes - 1 - node, nodes) for node in range(nodes))
            yield f"table of {nodes} by {symbols}{', turned' if turned else ''}", Table(rows=rows)
    third = _WIDE // 3
    for digits in (1, 2, 5, 46):
        for digit in (1, third, _WIDE // 2 - 1):
            halves = tuple(max(1, digit >> min(3 * place, 120)) for place in range(digits))
            for room in (1, 2, 2 ** (digits - 1)):
                steps = 1
                if (bound := 2**digits - steps - room) >= 1:
                    name = f"laplace of {digits} digits, {room} beyond the clamp, {digit}"
                    yield name, Laplace(steps=steps, bound=bound, digits=halves)


def _row(symbols: int, node: int, nodes: int) -> tuple[int, ...]:
    """All cells but the last two alike; those two share the rest, from node to node more unevenly."""
    each = _ONE // (4 * symbols)
    rest = _ONE - each * (symbols - 2)
    last = 1 + (rest - 2) * (node + 1) // (nodes + 1)
    return (*(each for _ in range(symbols - 2)), rest - last, last)

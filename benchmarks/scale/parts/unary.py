"""Unary reports at ε = 1, made and added up, beside multi-freq-ldpy and pure-ldp."""

from __future__ import annotations

from benchmarks.scale.arithmetic import exponent, spread
from benchmarks.scale.crew import Contender, Crew
from benchmarks.scale.figures import Figure
from benchmarks.scale.parts.compared import ROLES, compared
from benchmarks.scale.sizes import Sizes

PEERS = {"multi-freq-ldpy": "multi_freq_ldpy", "pure-ldp": "pure_ldp"}


def _measured(crew: Crew, sizes: Sizes, what: str, items: int, peers: list[str]) -> dict[str, Contender]:
    calls = max(1, round(0.2 * 64 / items * 10)) if what == "tally" else 1
    ours = {"users": sizes.users, "items": items}
    held = {
        role: Contender(by=role, case=f"unary:ours_{what}", arguments=ours, work=sizes.users, calls=calls)
        for role in ROLES
    }
    for peer in peers:
        slower = 10 if peer == "pure-ldp" and what == "client" else 1
        users = max(1, sizes.peer_cells // (items * slower))
        case = f"unary:{PEERS[peer]}_{what}"
        held[peer] = Contender(by="peers", case=case, arguments={"users": users, "items": items}, work=users)
    return held


def _figures(
    crew: Crew, sizes: Sizes, rates: dict[str, float], what: str, wanted: dict[int, list[str]]
) -> list[Figure]:
    doing = "made" if what == "client" else "added up"
    figures = []
    for items, peers in wanted.items():
        contenders = _measured(crew, sizes, what, items, peers)
        times = crew.turns(contenders, sizes.repetitions)
        for peer in peers:
            for role, words in ROLES.items():
                figures.append(
                    compared(
                        f"{what}/{items}/{peer}/{role}",
                        f"unary reports {doing}, k = {items:,}, {words}, against {peer}",
                        times[role],
                        times[peer],
                        note=f"{peer} on {contenders[peer].work:,.0f} users",
                    )
                )
        for role in ROLES:
            if times[role].seconds:
                rates[f"{what}/{items}/{role}"] = spread(times[role].seconds).median
    return figures


def client(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    figures = _figures(crew, sizes, rates, "client", {64: ["multi-freq-ldpy", "pure-ldp"], 1024: ["multi-freq-ldpy"]})
    rates["client/count"] = sizes.users
    return [*figures, *_linear(crew, sizes)]


def tally(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    return _figures(crew, sizes, rates, "tally", {items: list(PEERS) for items in (64, 1024)})


def _linear(crew: Crew, sizes: Sizes) -> list[Figure]:
    """Peers take time in proportion to users, so that fewer users tell how long more would take."""
    figures = []
    for peer, module in PEERS.items():
        most = max(4, sizes.peer_cells // (64 * (10 if peer == "pure-ldp" else 1)))
        users = [most // 4, most, 4 * most]
        contenders = {
            str(count): Contender(by="peers", case=f"unary:{module}_client", arguments={"users": count, "items": 64})
            for count in users
        }
        times = crew.turns(contenders, max(1, sizes.repetitions // 3))
        what = f"{peer}'s own growth over {users[0]:,} … {users[-1]:,} users, k = 64"
        why = next((one.why for one in times.values() if one.why), "")
        slope = None if why else exponent(users, [spread(times[str(count)].seconds).median for count in users])
        figures.append(Figure(key=f"client/linear/{peer}", what=what, value=slope, unit="exponent", note=why))
    return figures

"""Exact Laplace noise with cryptographic entropy, beside NumPy's floats, diffprivlib and OpenDP."""

from __future__ import annotations

from benchmarks.scale.arithmetic import spread
from benchmarks.scale.crew import Contender, Crew
from benchmarks.scale.figures import Figure
from benchmarks.scale.parts.compared import ROLES, compared
from benchmarks.scale.sizes import Sizes

OTHERS = {
    "numpy": ("numpy", "NumPy's `Generator.laplace`", 1),
    "diffprivlib": ("diffprivlib", "diffprivlib's `Laplace`", 1),
    "opendp-scalar": ("opendp_scalar", "OpenDP's `make_laplace`, one number a call", 10),
    "opendp-vector": ("opendp_vector", "OpenDP's `make_laplace`, a list a call", 1),
}


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    contenders = {
        role: Contender(by=role, case="laplace:ours", arguments={"draws": sizes.draws}, work=sizes.draws)
        for role in ROLES
    }
    for name, (case, _, slower) in OTHERS.items():
        draws = sizes.draws if name == "numpy" else max(1, sizes.slow_draws // slower)
        contenders[f"/{name}"] = Contender(by="peers", case=f"laplace:{case}", arguments={"draws": draws}, work=draws)
    times = crew.turns(contenders, sizes.repetitions)
    for role in ROLES:
        if times[role].seconds:
            rates[f"laplace/{role}"] = spread(times[role].seconds).median
    return [
        compared(
            f"laplace/{name}/{role}",
            f"exact Laplace, {words}, {'as a multiple of' if name == 'numpy' else 'against'} {whose}",
            times[role],
            times[f"/{name}"],
            faster=name != "numpy",
            note=f"{contenders[f'/{name}'].work:,.0f} draws there",
        )
        for name, (_, whose, _) in OTHERS.items()
        for role, words in ROLES.items()
    ]

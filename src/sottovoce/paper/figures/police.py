"""Traffic stops in Texas (L937–953), from the file a user downloaded: ``sotto paper police --file FILE``."""

from __future__ import annotations

from sottovoce.paper.claims.police import CLAIMS
from sottovoce.paper.experiments.police import cells, compute
from sottovoce.paper.figure import Figure
from sottovoce.paper.ours import QUICK
from sottovoce.paper.pictures.police import draw

FIGURES = {
    "police": Figure(
        name="police",
        title="Traffic stops in Texas (TX-Statewide)",
        where="L937–953",
        cells=cells,
        compute=compute,
        cost=lambda cell: 60.0,
        keys=("panel", "T", "alpha", "scheme"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "Filters of L941: complete rows, 2015 and 2016, district A, officers with at least 300 stops, permuted, "
            "cut to 300. Complete means that date, officer_id_hash, district, subject_race and search_conducted are "
            "there; the paper does not say which columns it looked at.",
            "The file is not shipped: it is the statewide Texas file of the Stanford Open Policing Project (Pierson et "
            "al. 2020). The expected verdicts are those that the paper states and, for the mapping of 0 and 1, what "
            "ERRATA 17 leads one to expect: nothing was measured.",
            "default is sv.mean with method auto on [−1, 1], and for four shares sv.histogram: 60 whole surveys of "
            f"each ({QUICK} in a quick look).",
        ),
        size=(11, 3.9),
    )
}

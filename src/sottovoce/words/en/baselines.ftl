### Baselines, and the survey that only tests plumbing.

single-observation = a single observation only
single-observation-of-many = { single-observation } (of a user who holds fewer, each is sent several times over and costs as
    many times more); the whole collection of { BARE($observations) } is protected at { G($spent) }, which may be nothing
normal-approximation-at-places = normal approximation at each place
normal-approximation-before-threshold = normal approximation, of the average before the threshold
so-many-coefficients = M = { BARE($n) }
simulation-only = simulation only: floating-point noise from a seed protects nobody
exact-count = exact count

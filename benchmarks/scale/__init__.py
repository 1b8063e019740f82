"""How fast it is, beside those who do the same: ratios of CPU time in one run, with limits.

``python -m benchmarks.scale`` measures everything, writes `figures.json`, `docs/speed.md`, `docs/speed.svg` and
`docs/billion.md`, and exits with 1 when a limit is missed; ``--quick`` measures small sizes and prints only;
``--part NAME`` measures one part and prints; ``--pages`` writes the pages again from the figures that are stored.

`clock` times, `worker` is a process that does, `crew` lets processes take turns, `cases` holds what is timed, `parts`
what is compared with what, `limits` what must come out, `page` and `billion` what is written about it.
"""

"""`docs/speed.md` and its picture, from the figures alone."""

from __future__ import annotations

from pathlib import Path

from benchmarks.scale.crew import ROOT
from benchmarks.scale.figures import Figure, Run, text, verdict

PAGE, PICTURE = ROOT / "docs" / "speed.md", ROOT / "docs" / "speed.svg"
OURS = {"fast": ("here, with `fast`", "#0072b2", "o"), "numpy": ("here, NumPy alone", "#56b4e9", "o")}
OTHERS = {
    "multi-freq-ldpy": ("#d55e00", "s"),
    "pure-ldp": ("#e69f00", "D"),
    "numpy float": ("#000000", "P"),
    "diffprivlib": ("#cc79a7", "^"),
    "opendp-scalar": ("#009e73", "v"),
    "opendp-vector": ("#009e73", "<"),
    "one by one": ("#777777", "X"),
}
TASKS = {
    "client/64": "a unary report, k = 64, made",
    "client/1024": "a unary report, k = 1,024, made",
    "tally/64": "a unary report, k = 64, added up",
    "tally/1024": "a unary report, k = 1,024, added up",
    "laplace": "a number with Laplace noise",
    "columns/1": "a stored report of one bit, read and added up",
    "columns/1024": "a stored report of 1,024 bits, the same",
}
HEAD = """\
# How fast it is

Made by `make bench` from `benchmarks/scale/figures.json`. Not to be edited. `make bench-quick` shows a small version in
a few minutes; `python -m benchmarks.scale --part NAME` one part of it.

Everything was measured side by side in one run of {minutes:.0f} minutes: ratios of CPU time, all threads of a process
together, medians over repetitions that take turns, with the quartiles of the single turns' ratios in brackets.
*With `fast`* is with the extra of that name (numba); *NumPy alone* is a process in which numba cannot
be imported. Peers do fewer users or draws than we do where they would take minutes, and their time is divided by how
many they did; the lines about their own growth show what that is worth. They are called as their own examples call
them, multi-freq-ldpy after numba has compiled it, and aggregators get reports in their own form, in memory. Times are
of this machine; the ratios are what counts.

![CPU time of one report or draw, here and elsewhere](speed.svg)

"""
TITLES = {
    "client": "Unary reports made, 10⁶ users, ε = 1",
    "tally": "Unary reports added up, from packed columns",
    "laplace": "Exact Laplace noise with cryptographic entropy",
    "columns": "Stored reports as columns, against rows of bytes (commit {before})",
    "rows": "Rows in process and in files",
    "reports": "`sotto tally --engine local`",
    "device": "One report on one device",
    "growth": "Growth of the calls a user makes",
    "collector": "A collector",
}


def _seconds(value: float | None) -> str:
    if value is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def row(figure: Figure) -> str:
    both = " / ".join(filter(None, (_seconds(figure.ours), _seconds(figure.theirs))))
    cells = (figure.what, text(figure), verdict(figure), both, figure.note.replace("|", "/"))
    return "| " + " | ".join(cells) + " |"


def markdown(run: Run) -> str:
    """The whole page."""
    told = run.versions
    missed = [figure.what for figure in run.missed] + [f"no figure for `{key}`" for key in run.absent]
    said = HEAD.format(minutes=run.minutes)
    limits = sum(figure.limit is not None for figure in run.figures) + len(run.absent)
    said += f"{limits - len(missed)} of {limits} limits are met.{' Missed:' if missed else ''}\n"
    said += "".join(f"- {what}\n" for what in missed) + "\n"
    said += "| what | found | limit | CPU of one, here / there | |\n|---|---|---|---|---|\n"
    for part, title in TITLES.items():
        figures = run.part(part)
        if figures:
            said += f"| **{title.format(**told)}** | | | | |\n" + "".join(row(one) + "\n" for one in figures)
    said += "\n## Under what\n"
    others = ", ".join(f"{name} {told[name]}" for name in told if name not in ("commit", "before", "machine"))
    said += f"Commit {told['commit']}; {others}; {told['machine']}.\n"
    return said


def points(run: Run) -> dict[str, dict[str, float]]:
    """For each task of the picture who takes how long, in seconds of CPU."""
    found: dict[str, dict[str, float]] = {task: {} for task in TASKS}
    for figure in run.figures:
        task = next((one for one in TASKS if figure.key == one or figure.key.startswith(f"{one}/")), None)
        if task is None or figure.ours is None or figure.theirs is None:
            continue
        rest = figure.key.removeprefix(task).strip("/").split("/")
        role = rest[-1] if rest[-1] in OURS else "fast"
        peer = {"numpy": "numpy float", "": "one by one"}.get(rest[0], rest[0])
        if peer in OTHERS:
            found[task] |= {role: figure.ours, peer: figure.theirs}
    return found


def draw(run: Run, path: Path) -> None:
    """One line a task, one mark a contender, on a logarithmic axis."""
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    with mpl.rc_context({"svg.hashsalt": "sottovoce", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure, axes = plt.subplots(figsize=(8.6, 4.0), layout="constrained")
        looks = OURS | {
            name: (name.replace("-", " ", 1) if "opendp" in name else name, *look) for name, look in OTHERS.items()
        }
        seen: set[str] = set()
        for place, who in enumerate(reversed(points(run).values())):
            if who:
                axes.hlines(place, min(who.values()), max(who.values()), color="#cccccc", linewidth=1, zorder=1)
            for name, seconds in who.items():
                label, colour, mark = looks[name]
                axes.plot(
                    [seconds],
                    [place],
                    mark,
                    color=colour,
                    markersize=7,
                    label=None if name in seen else label.replace("`", ""),
                )
                seen.add(name)
        axes.set_yticks(range(len(TASKS)), list(reversed(TASKS.values())))
        axes.set_xscale("log")
        ticks = {1e-9: "1 ns", 1e-8: "10 ns", 1e-7: "100 ns", 1e-6: "1 µs", 1e-5: "10 µs", 1e-4: "100 µs"}
        axes.set_xticks(list(ticks), list(ticks.values()))
        axes.minorticks_off()
        axes.grid(axis="x", color="#eeeeee")
        axes.set_axisbelow(True)
        axes.set_xlabel("CPU time of one, here and elsewhere (less is better)")
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        axes.tick_params(left=False)
        if seen:
            figure.legend(loc="outside lower center", ncols=5, frameon=False, fontsize=9)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


def write(run: Run) -> None:
    PAGE.write_text(markdown(run), encoding="utf-8")
    draw(run, PICTURE)

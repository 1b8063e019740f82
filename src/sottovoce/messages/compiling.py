"""Whether numba, of the extra ``fast``, can be used: asked here, and nowhere else."""

from __future__ import annotations

from functools import cache


@cache
def has_numba() -> bool:
    """Whether numba is installed and works with the numpy that is installed: it is imported to know."""
    try:
        import numba  # noqa: F401 - importing it is the question
    except ImportError:
        return False
    return True

"""A processor that rounds otherwise: ``python -m tests.other_rounding SEED MODULE …`` runs a module as if on it.

Only sums, differences, products, quotients and square roots have the same last bit everywhere. What comes from BLAS and
LAPACK, or from a function like ``exp``, depends on the processor and on its libraries. Here every such result in the
package moves by a few units in its last place: by its value, and where products were added up by its place too.
What is the same on every processor comes out the same here, whatever the seed.

Whole numbers made from whole numbers stay as they are, since every order of adding them is exact.
"""

from __future__ import annotations

import ast
import importlib.machinery
import runpy
import sys
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any

import numpy as np

PACKAGE = "sottovoce"
FUNCTIONS = frozenset(
    ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin",
     "acos", "atan", "atan2", "arcsin", "arccos", "arctan", "arctan2", "arctanh", "atanh", "erf", "erfc", "gamma",
     "lgamma", "hypot", "dist", "cbrt", "pow", "power", "float_power", "logaddexp", "geomspace", "logspace")
)  # fmt: skip
"""Of numpy and of math."""
SUMS = frozenset(["dot", "vdot", "inner", "einsum", "tensordot", "convolve", "correlate", "matmul", "interp"])
"""Of numpy: products that are added up, in an order or by instructions that depend on the processor."""
METHODS = frozenset(("inv_cdf", "leggauss", "hermegauss"))
"""Of normal laws, and of numpy's polynomials."""
_MIX = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)))


class Rounding:
    """Moves last bits, for one seed always the same way."""

    def __init__(self, seed: int) -> None:
        self.start = np.array([seed], dtype=np.uint64) * _MIX[2]

    def function(self, function: Callable[..., Any], *, by_place: bool = False) -> Callable[..., Any]:
        """The same function with other last bits."""

        def moved(*values: Any, **more: Any) -> Any:
            whole = all(_whole(value) for value in values if not isinstance(value, str))
            return self.moved(function(*values, **more), whole=whole, by_place=by_place)

        return moved

    def sums(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same for one that adds products up."""
        return self.function(function, by_place=True)

    def product(self, left: Any, right: Any) -> Any:
        """``left @ right``; nothing is added up where there is one product."""
        found, alone = left @ right, np.shape(left)[-1] == 1
        return found if alone else self.moved(found, whole=_whole(left) and _whole(right), by_place=True)

    def power(self, base: Any, exponent: Any) -> Any:
        """``base ** exponent``; powers of two are exact, and numpy writes a few others as a root or a product."""
        found = base**exponent
        if np.asarray(found).dtype != np.float64:
            return found
        known = np.asarray(exponent) == 0  # one, whatever the base
        of_two = (np.frexp(np.abs(np.asarray(base, dtype=np.float64)))[0] == 0.5) & (np.asarray(exponent) % 1 == 0)
        written = isinstance(base, np.ndarray) and np.isscalar(exponent) and exponent in (-1, 0.5, 1, 2)
        exact, moved = of_two | written | known, self.moved(found, whole=_whole(base) and _whole(exponent))
        return np.where(exact, found, moved) if isinstance(found, np.ndarray) else found if exact else moved

    def moved(self, found: Any, *, whole: bool = False, by_place: bool = False) -> Any:
        if isinstance(found, tuple):  # of LAPACK
            parts = [self.moved(part, whole=whole, by_place=by_place) for part in found]
            return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
        if isinstance(found, float):
            return type(found)(self._moved(np.array([found]), whole, by_place)[0])
        if isinstance(found, np.ndarray) and found.dtype == np.float64:
            return self._moved(found, whole, by_place)
        return found

    def _moved(self, found: Any, whole: bool, by_place: bool) -> Any:
        mixed = np.abs(found).view(np.uint64) * _MIX[0] + self.start
        if by_place:
            mixed = mixed + np.arange(found.size, dtype=np.uint64).reshape(found.shape) * _MIX[1]
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX[2]
        steps = ((mixed >> np.uint64(33)) % np.uint64(9)).astype(np.float64) - 4
        with np.errstate(all="ignore"):
            still = ~np.isfinite(found) | (np.abs(found) < 1e-290) | (whole & (found == np.rint(found)))
            return np.where(still, found, found * (1 + steps * 2.0**-52))


def _whole(value: Any) -> bool:
    try:
        with np.errstate(invalid="ignore"):
            return bool((np.asarray(value, dtype=np.float64) % 1 == 0).all())
    except (TypeError, ValueError):
        return False


class _Rewriter(ast.NodeTransformer):
    """Lets everything whose last bit nobody promises go through a rounding."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        named = {ast.MatMult: "product", ast.Pow: "power"}.get(type(node.op))
        return node if named is None else _call(named, node, node.left, node.right)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        of = ast.unparse(node.value)
        if of in ("np", "math") and node.attr in FUNCTIONS:
            return _call("function", node, node)
        if (of == "np" and node.attr in SUMS) or (of == "np.linalg" and node.attr != "LinAlgError"):
            return _call("sums", node, node)
        if node.attr in METHODS:
            return _call("function", node, node)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        if node.module not in ("math", "scipy.special"):
            return node
        names = [alias.asname or alias.name for alias in node.names]
        told = ast.parse("\n".join(f"{name} = _rounding.function({name})" for name in names)).body
        return [node, *(ast.copy_location(one, node) for one in told)]


def _call(name: str, at: ast.AST, *values: ast.expr) -> ast.AST:
    method = ast.Attribute(value=ast.Name(id="_rounding", ctx=ast.Load()), attr=name, ctx=ast.Load())
    return ast.copy_location(ast.Call(func=method, args=list(values), keywords=[]), at)


class _Loader(importlib.machinery.SourceFileLoader):
    rounding: Rounding

    def get_code(self, fullname: str) -> CodeType:
        """From the source: what is kept compiled rounds as usual."""
        path = self.get_filename(fullname)
        tree = _Rewriter().visit(ast.parse(self.get_data(path), path))
        code: CodeType = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        return code

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["_rounding"] = self.rounding
        super().exec_module(module)


class _Finder:
    def __init__(self, rounding: Rounding) -> None:
        self.rounding = rounding

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        ours = name.startswith(PACKAGE) and not name.endswith(".compiled")  # numba takes plain functions only
        spec = importlib.machinery.PathFinder.find_spec(name, path, target) if ours else None
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            loader = _Loader(spec.loader.name, spec.loader.path)
            loader.rounding = self.rounding
            spec.loader = loader
        return spec


def install(seed: int) -> None:
    """For all of the package that is imported from here on."""
    assert PACKAGE not in sys.modules, "the package was imported before"
    sys.meta_path.insert(0, _Finder(Rounding(seed)))  # type: ignore[arg-type]  # a protocol of many methods


if __name__ == "__main__":
    install(int(sys.argv[1]))
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)

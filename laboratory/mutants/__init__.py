"""Mechanisms that are broken on purpose, one mistake each: the proof that the audit can fail.

Each is a mistake that was really made somewhere (in the pseudocode of the paper, in published libraries, in
services), put into the place where it would be in this code. ``sotto audit --mutants`` shows them caught, from a clone
of the repository: no wheel holds them.
"""

from __future__ import annotations

from laboratory.mutants.catalogue import MUTANTS
from laboratory.mutants.mutant import Mutant

__all__ = ["MUTANTS", "Mutant"]

"""Mechanisms that are broken on purpose, one mistake each: the proof that the audit can fail.

Each is a mistake that was really made somewhere (in the pseudocode of the paper, in published libraries, in
services), put into the place where it would be in this code. They live here, and not beside the tests, so that anyone
can see them caught: ``sotto audit --mutants``. Nothing imports them but that command and the tests.
"""

from __future__ import annotations

from sottovoce.audit.mutants.catalogue import MUTANTS
from sottovoce.audit.mutants.mutant import Mutant

__all__ = ["MUTANTS", "Mutant"]

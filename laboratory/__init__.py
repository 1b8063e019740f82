"""What proves that the package works and is no part of it: in every clone of the repository, in no wheel.

`mutants` are devices that are broken on purpose, for ``sotto audit --mutants``; ``paper/`` holds the frozen numbers of
the paper's figures, for ``sotto paper --check``. Commands that need this folder find it by
`sottovoce.repository_clone`.
"""

"""The faults that ``python -m tools.mutants`` makes are still possible."""

from __future__ import annotations

import pytest

from tools.mutants import MUTANTS, ROOT, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.file)
def test_the_line_of_each_fault_is_in_its_file_once(mutant: Mutant) -> None:
    assert (ROOT / mutant.file).read_text("utf-8").count(mutant.right) == 1
    assert all((ROOT / test).exists() for test in mutant.tests)

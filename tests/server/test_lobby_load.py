"""The lobby's load, a small one: all are told the same, whatever opens and closes."""

from __future__ import annotations

from benchmarks.lobby import measured
from benchmarks.server.subject import ekoes
from tests.apart import apart


def test_all_visitors_are_told_of_all_tables_that_open_and_close() -> None:
    with ekoes() as subject:
        figures = apart(measured(subject, visitors=30, changes=20, seconds=2))
    assert (figures.visitors, figures.changes > 0) == (30, True)

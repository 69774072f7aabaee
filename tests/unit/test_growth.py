"""What growth needs is reckoned from what things cost; no number of it is measured here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.growth.costs import Costs
from benchmarks.growth.needs import BUSY, CROWDS, needs
from benchmarks.growth.page import needs_table

COSTS = Costs(
    decision=1.0,
    passed_on=2.0,
    database=0.5,
    wire=1000,
    log=10_000,
    kept=1000,
    moves=300,
    process=2**28,
    table=2**17,
    visitor=2**15,
    told=0.01,
    read=1.0,
)


def test_club_needs_one_process_with_all_its_people_there_at_once() -> None:
    club = needs(COSTS, 20)
    assert (club.there, club.tables, club.processes) == (20, 7, 1)
    assert club.decisions == pytest.approx(1.4)
    assert club.cores == pytest.approx(0.0014, abs=1e-4)


def test_crowd_needs_processes_that_pass_lines_on_and_are_busy_for_a_part_of_their_time() -> None:
    crowd = needs(COSTS, 100_000)
    assert (crowd.there, crowd.tables, crowd.decisions) == (10_000, 3_500, 700)
    assert crowd.cores == pytest.approx(700 * 2.0 / 1000 + crowd.meeting)
    assert (crowd.processes - 1) * BUSY < crowd.cores <= crowd.processes * BUSY
    assert crowd.database == pytest.approx(0.35)
    assert crowd.year == pytest.approx(100_000 * 0.35 * 540 * 365 * 1000)
    assert needs(replace(COSTS, read=2.0), 100_000).meeting > crowd.meeting


def test_every_crowd_has_a_row() -> None:
    rows = needs_table([needs(COSTS, crowd) for crowd in CROWDS]).splitlines()
    assert len(rows) == 2 + len(CROWDS)
    assert len({row.count("|") for row in rows}) == 1

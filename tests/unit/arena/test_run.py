"""Runs: the same games for any number of workers, and none lost or doubled when a process is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ekoes.arena.game import PlayGames, Result, result_from_line, result_line
from ekoes.arena.plan import Plan, Schedule, read_plan
from ekoes.arena.pool import PoolError, local_pool, run_in_processes
from ekoes.arena.run import Log, open_folder, play_plan, play_some, read_summary, write_folder
from ekoes.errors import RecordError
from ekoes.records import read_record
from tests.kit.examples import one_quick
from tests.unit.arena.deadly import Deadly
from tests.unit.arena.plans import plan

SHORT = """
game = "eko"
seed = 9
rounds = 12
turn_limit = 4
players = [{ name = "one", bot = "random" }, { name = "two", bot = "random" }]
"""


def timeless(results: Sequence[Result]) -> list[Result]:
    """Results by number, without what a clock says."""
    return sorted((replace(result, times=()) for result in results), key=lambda result: result.number)


def played(plan: Plan, workers: int) -> list[Result]:
    total = len(Schedule(plan))
    return timeless(
        [result for some in play_some(plan, range(total), local_pool(workers)) for result in some]
    )


@pytest.mark.long
@pytest.mark.parametrize("workers", [2, 4])
def test_any_number_of_workers_plays_the_same_games(workers: int) -> None:
    wanted = read_plan(SHORT)
    alone = played(wanted, 1)
    assert [result.number for result in alone] == list(range(24))
    assert played(wanted, workers) == alone


def test_a_game_is_the_same_whatever_was_played_before_it() -> None:
    wanted = read_plan(SHORT)
    with PlayGames(wanted) as games:
        assert timeless(games([7])) == timeless(games([3, 7]))[1:]


def test_results_are_read_as_they_were_written() -> None:
    with PlayGames(plan()) as games:
        for result in games(range(4)):
            assert result_from_line(result_line(result)) == result


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Plan]:
    """A run to its end."""
    folder, wanted = tmp_path_factory.mktemp("arena") / "whole", read_plan(SHORT)
    run(folder, wanted)
    return folder, wanted


def run(folder: Path, wanted: Plan, *, resume: bool = False) -> int:
    """Play on; how many games were played now."""
    with open_folder(folder, wanted, resume=resume) as log:
        spent = play_plan(log, local_pool(1), lambda _stats: None)
        write_folder(log)
    return spent.games


def made(folder: Path) -> dict[str, bytes]:
    """What is to be the same whenever a run was killed."""
    return {name: (folder / name).read_bytes() for name in ("games.csv", "games.parquet", "records.zip")}


@pytest.mark.parametrize("seed", one_quick(0, range(1, 12)))
def test_a_run_that_was_torn_anywhere_goes_on(whole: tuple[Path, Plan], tmp_path: Path, seed: int) -> None:
    folder, wanted = whole
    data = (folder / "games.log").read_bytes()
    cut = Random(seed).randrange(len(data)) if seed else 0
    (tmp_path / "games.log").write_bytes(data[:cut])
    there = max(data[:cut].count(b"\n") - 1, 0)
    assert run(tmp_path, wanted, resume=True) == 24 - there
    assert made(tmp_path) == made(folder)
    assert run(tmp_path, wanted, resume=True) == 0


def test_a_log_that_is_damaged_in_the_middle_is_played_again_from_there(
    whole: tuple[Path, Plan], tmp_path: Path
) -> None:
    folder, wanted = whole
    lines = (folder / "games.log").read_bytes().splitlines(keepends=True)
    lines[5] = b"\0" * len(lines[5][:-1]) + b"\n"
    (tmp_path / "games.log").write_bytes(b"".join(lines))
    assert run(tmp_path, wanted, resume=True) == 20
    assert made(tmp_path) == made(folder)


KILLED = """
import os, signal, sys
from ekoes.cli.main import main
from ekoes.arena.run import Log
kept, append = 0, Log.append
def dying(log, results):
    global kept
    fresh = append(log, results)
    kept += len(fresh)
    if kept >= int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return fresh
if __name__ == "__main__":
    Log.append = dying
    sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.long
def test_a_run_of_two_workers_that_is_killed_again_and_again_goes_on(
    whole: tuple[Path, Plan], tmp_path: Path
) -> None:
    (tmp_path / "short.toml").write_text(SHORT)
    (tmp_path / "killed.py").write_text(KILLED)
    for after, status in ((1, -signal.SIGKILL), (9, -signal.SIGKILL), (99, 0)):
        command = ("arena", "run", "short.toml", "--workers", "2", *(("--resume",) if after > 1 else ()))
        done = subprocess.run(
            [sys.executable, "killed.py", str(after), *command],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert done.returncode == status, done.stderr.decode()
    assert made(tmp_path / "short") == made(whole[0])


def test_a_log_of_another_plan_is_refused_by_what_differs(whole: tuple[Path, Plan], tmp_path: Path) -> None:
    folder, wanted = whole
    (tmp_path / "games.log").write_bytes((folder / "games.log").read_bytes())
    with pytest.raises(RecordError, match="by another plan: seed differ"):
        run(tmp_path, wanted.model_copy(update={"seed": 10}), resume=True)
    with pytest.raises(RecordError, match="is there already: --resume"):
        run(tmp_path, wanted)


def test_a_run_can_be_made_longer(whole: tuple[Path, Plan], tmp_path: Path) -> None:
    folder, wanted = whole
    (tmp_path / "games.log").write_bytes((folder / "games.log").read_bytes())
    for _ in range(2):
        assert run(tmp_path, wanted.model_copy(update={"rounds": 13}), resume=True) in {2, 0}
        assert read_summary(tmp_path).stats.games == 26


def test_a_log_is_on_disk_before_a_game_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, seen = plan(), []
    monkeypatch.setattr(os, "fsync", lambda _file: seen.append((tmp_path / "games.log").stat().st_size))
    with Log(tmp_path / "games.log", wanted) as log, PlayGames(wanted) as games:
        log.append(games([0, 1]))
        assert seen[-1] == (tmp_path / "games.log").stat().st_size > seen[0]
        assert log.append(games([1, 2]))[0].number == 2
        assert [result.number for result in log] == [0, 1, 2]


def test_a_worker_that_dies_costs_nothing_but_time(tmp_path: Path) -> None:
    for life in "ab":
        (tmp_path / life).touch()
    done = list(run_in_processes(Deadly(tmp_path), range(1, 8), 2))
    assert sorted(done) == [piece * piece for piece in range(1, 8)]
    assert not list(tmp_path.iterdir())


def test_a_piece_that_kills_every_worker_ends_the_run_and_is_named(tmp_path: Path) -> None:
    for life in "abcd":
        (tmp_path / life).touch()
    with pytest.raises(PoolError, match="3 workers died one after the other at 3"):
        list(run_in_processes(Deadly(tmp_path), range(1, 8), 1))


def test_an_error_in_a_worker_is_raised_in_the_parent(tmp_path: Path) -> None:
    with pytest.raises(PoolError, match="ValueError: no such piece"):
        list(run_in_processes(Deadly(tmp_path), [1, 99], 1))


def test_records_of_the_games_are_read_and_checked(whole: tuple[Path, Plan]) -> None:
    with PlayGames(plan(players=[{"name": "a", "bot": "greedy"}, {"name": "b", "bot": "random"}])) as games:
        for result in games(range(2)):
            record = read_record(result.record)
            assert record.names == tuple("ab"[place] for place in result.seats)
            assert record.outcome is not None
            assert (record.outcome.winners, record.outcome.reason) == (result.winners, result.reason)


def test_a_summary_is_the_same_from_the_log(whole: tuple[Path, Plan]) -> None:
    summary = read_summary(whole[0])
    assert summary.stats.games == 24
    assert sum(record.score for record in summary.stats.players.values()) == pytest.approx(24)


@pytest.mark.long
def test_a_test_ends_the_run_at_the_same_game_and_with_the_same_games_for_any_number_of_workers(
    tmp_path: Path,
) -> None:
    sprt: dict[str, Any] = {"elo0": 0, "elo1": 200}
    wanted = plan(rounds=60, turn_limit=None, sprt=sprt)
    ends, games = set(), []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        with open_folder(folder, wanted, resume=False) as log:
            play_plan(log, local_pool(workers), lambda _stats: None)
            ends.add((log.end, len(log)))
            games.append(timeless([*log]))
        assert read_summary(folder).stats.test is not None
    ((end, number),) = ends
    assert end == number < 120
    assert games[0] == games[1]

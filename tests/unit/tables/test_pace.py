"""The pace of a table's bots takes all people at the table, and a vote ends with its seat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ekoes.tables.create import new_table
from ekoes.tables.orders import AnyOrder, Pace, Resign, Sit, Stand
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import DEFAULT_PACE, Table
from tests.kit.tables import refusal
from tests.unit.tables.racing import NOW

ADA, BOB, FREE = (
    Seat("here", "Ada", 0, session="ada"),
    Seat("open", "Bob", 1, session="bob"),
    Seat("open", "", 1),
)
BOTS = Seat("bot", "", 2, bot="random"), Seat("bot", "", 3, bot="random")
QUICK, SLOW = 350, 2800


@pytest.fixture(params=["eko", "ekko"])
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def table_of(game: str, *seats: Seat) -> Table:
    return new_table(game, {"players": len(seats)}, 1, seats)


def give(table: Table, order: AnyOrder, session: str | None) -> Table:
    return submit(table, order, session, NOW)


def vote(table: Table, session: str, milliseconds: int) -> Table:
    return give(table, Pace(key="k", milliseconds=milliseconds), session)


def votes(table: Table) -> dict[int, int]:
    return dict(table.pace_votes)


def test_only_person_sets_the_pace(game: str) -> None:
    assert vote(table_of(game, ADA, *BOTS), "ada", QUICK).pace == QUICK
    two_seats = table_of(game, ADA, replace(BOB, session="ada"), *BOTS)
    assert (vote(two_seats, "ada", QUICK).pace, vote(two_seats, "ada", QUICK).pace_votes) == (
        QUICK,
        frozenset(),
    )


def test_pace_needs_all_people(game: str) -> None:
    table = vote(table_of(game, ADA, BOB, *BOTS), "ada", QUICK)
    assert (table.pace, votes(table)) == (DEFAULT_PACE, {0: QUICK})
    differ = vote(table, "bob", SLOW)
    assert (differ.pace, votes(differ)) == (DEFAULT_PACE, {0: QUICK, 1: SLOW})
    agreed = vote(differ, "bob", QUICK)
    assert (agreed.pace, votes(agreed)) == (QUICK, {})
    alone = vote(agreed, "bob", SLOW)
    assert (alone.pace, votes(alone)) == (QUICK, {1: SLOW})


def test_free_seat_does_not_agree_to_a_pace(game: str) -> None:
    table = vote(table_of(game, ADA, FREE, *BOTS), "ada", QUICK)
    assert (table.pace, votes(table)) == (DEFAULT_PACE, {0: QUICK})
    table = give(table, Sit(key="sit", seat=1), "bob")
    assert (table.pace, votes(table)) == (DEFAULT_PACE, {0: QUICK})
    assert vote(table, "bob", QUICK).pace == QUICK


def test_vote_is_withdrawn_by_the_current_pace(game: str) -> None:
    table = vote(table_of(game, ADA, BOB, *BOTS), "ada", QUICK)
    assert votes(vote(table, "ada", DEFAULT_PACE)) == {}


def test_vote_for_the_current_pace_changes_nothing(game: str) -> None:
    table = table_of(game, ADA, BOB, *BOTS)
    assert vote(table, "ada", DEFAULT_PACE) is table
    table = vote(table, "ada", QUICK)
    assert vote(table, "ada", QUICK) is table


def test_spectators_of_people_cannot_set_the_pace(game: str) -> None:
    assert refusal(vote, table_of(game, ADA, BOB, *BOTS), "eve", QUICK) == "table/not-your-seat"


def test_spectators_of_bots_set_the_pace(game: str) -> None:
    table = vote(table_of(game, *BOTS), "eve", QUICK)
    assert (table.pace, votes(table)) == (QUICK, {})


def test_a_vote_ends_as_its_player_stands_up(game: str) -> None:
    table = vote(table_of(game, ADA, FREE, FREE, BOTS[0]), "ada", QUICK)
    table = give(table, Sit(key="sit", seat=1), "bob")
    left = give(vote(table, "bob", SLOW), Stand(key="stand", seat=1), "bob")
    assert votes(left) == {0: QUICK}


def test_pace_is_reset_when_a_player_leaves() -> None:
    table = vote(vote(table_of("eko", ADA, BOB, *BOTS), "ada", QUICK), "bob", QUICK)
    left = give(table, Stand(key="stand", seat=1), "bob")
    assert (left.pace, votes(left)) == (DEFAULT_PACE, {})


def test_a_vote_ends_as_its_player_resigns_and_no_longer_counts(game: str) -> None:
    cyd = Seat("open", "Cyd", 2, session="cyd")
    table: Any = table_of(game, ADA, BOB, cyd)
    for session, pace in (("ada", QUICK), ("bob", QUICK), ("cyd", SLOW)):
        table = vote(table, session, pace)
    assert (table.pace, len(votes(table))) == (DEFAULT_PACE, 3)
    resign = Resign(key="resign", version=table.version, seat=2)
    left = give(table, resign, "cyd")
    assert (left.pace, votes(left)) == (QUICK, {}), "the others agree"


def test_votees_are_stored(game: str) -> None:
    table = table_of(game, ADA, BOB, *BOTS)
    assert "pace_votes" not in table.to_state(), "as the releases before wrote it"
    voteing = vote(table, "ada", QUICK)
    assert type(table).from_state(voteing.to_state()) == voteing

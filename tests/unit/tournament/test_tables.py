"""Tables of a tournament: no-shows, and what their players may not agree on, as others wait for the round."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import TableError
from ekoes.games.api.contract import Outcome
from ekoes.tables.orders import Forfeit, Propose, Rematch, Resign
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from ekoes.tournaments.state import places_of, table_of
from tests.kit.tables import NOW
from tests.unit.tournament.playing import people, plan

CLOCKS: dict[str, Any] = {"eko": {"clock": {"base": 300, "increment": 5, "up": "lose"}}, "ekko": {}}


def table(game: str) -> Table:
    return table_of(plan("swiss", game=game, **CLOCKS[game]), people(2), 7)


@pytest.mark.parametrize("game", CLOCKS)
@pytest.mark.parametrize("wish", [{"what": "pause"}, {"what": "adjourn", "days": 14}])
def test_game_of_a_tournament_is_neither_paused_nor_adjourned(game: str, wish: Any) -> None:
    """Two who agree to days for each turn would have everybody wait for them."""
    made = table(game)
    assert wish["what"] not in made.agreements_json()["may"]
    with pytest.raises(TableError) as refused:
        submit(made, Propose(key="k", seat=0, **wish), "user-1", NOW)
    assert refused.value.code == "table/not-now"


@pytest.mark.parametrize("game", CLOCKS)
def test_game_of_a_tournament_has_no_rematch(game: str) -> None:
    made = table(game)
    over = submit(made, Resign(key="k", version=made.version, seat=0), "user-1", NOW)
    assert over.shared_state(NOW)["rematch"] == {"agreed": [], "table": None, "tournament": True}
    with pytest.raises(TableError) as refused:
        submit(over, Rematch(key="again", seat=1), "user-2", NOW)
    assert refused.value.code == "table/not-now"


@pytest.mark.parametrize("game", CLOCKS)
def test_player_who_comes_wins_against_a_no_show_in_words_that_say_so(game: str) -> None:
    made = table(game)
    over = submit(made, Forfeit(key="k", seats=[0]), None, NOW)
    assert over.outcome == Outcome((1,), "no-show", "")
    assert places_of(over) == (1, 0)
    assert "result: open" in over.record_text(made, (), ())


@pytest.mark.parametrize("game", CLOCKS)
def test_game_to_which_no_one_comes_is_aborted(game: str) -> None:
    over = submit(table(game), Forfeit(key="k", seats=[0, 1]), None, NOW)
    assert over.outcome == Outcome((), "aborted", "")
    assert places_of(over) == (0, 0)


def test_bots_play_for_the_no_shows_at_a_table_of_several() -> None:
    made = table_of(plan("tables", players=4, **CLOCKS["eko"]), people(4), 7)
    after = submit(made, Forfeit(key="k", seats=[1, 3]), None, NOW)
    assert after.outcome is None
    assert after.people == {0, 2}


def test_players_call_no_one_absent() -> None:
    with pytest.raises(TableError):
        submit(table("eko"), Forfeit(key="k", seats=[0]), "user-2", NOW)

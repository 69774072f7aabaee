"""Tables of a tournament: what their players may not agree on, as others wait for the round to end."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import TableError
from ekoes.tables.orders import Propose, Rematch, Resign
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from ekoes.tournaments.state import table_of
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

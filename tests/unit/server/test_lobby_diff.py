"""Which changes of tables are sent to the lobby leader: those that the lobby shows, and little else."""

from __future__ import annotations

from dataclasses import replace

from ekoes.server.cluster.cluster import LobbyDiff
from ekoes.storage.store import Store
from ekoes.tables.settings import Seat
from tests.unit.storage.keeping import Keeper, eko_table


class Leader:
    """Compares a table with what it knew."""

    def __init__(self) -> None:
        self.time = 100.0
        self.here = {"all"}
        self._diff = LobbyDiff(lambda: self.time)

    def change(self, table: object) -> str | None:
        return self._diff.change("t", table, lambda seat: seat.session in self.here)  # type: ignore[arg-type]


def test_only_the_next_turn_is_sent_not_each_decision(tmp_path: object) -> None:
    store = Store(f"sqlite:///{tmp_path}/test.sqlite")
    keeper, leader = Keeper(store, eko_table()), Leader()
    assert leader.change(keeper.table) == "public"
    messages = []
    for _ in range(40):
        before = keeper.table.asked
        keeper.play(1)
        messages.append((keeper.table.asked != before, leader.change(keeper.table)))
    assert set(messages) == {(False, None), (True, "turn")}
    leader.time += 5
    assert leader.change(keeper.table) == "turn"
    store.close()


def test_public_changes_are_sent_at_once() -> None:
    leader, table = Leader(), eko_table()
    leader.change(table)
    sat = replace(table, seats=(table.seats[0], Seat("here", "Bo", 1, session="bo")))
    for change in (sat, replace(sat, public=True), replace(sat, rematch="next")):
        assert leader.change(change) == "public"
        assert leader.change(change) is None
    leader.here.add("bo")
    assert leader.change(change) == "public"

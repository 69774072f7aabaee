"""What the meeting of several processes is told of tables: what can be seen there, and little else."""

from __future__ import annotations

from dataclasses import replace

from ekoes.match.seats import Seat
from ekoes.server.cluster.faces import Faces
from ekoes.storage.store import Store
from tests.unit.storage.keeping import Keeper, eko_table


class Meeting:
    """Tells of a table whenever something happens there."""

    def __init__(self) -> None:
        self.time = 100.0
        self.here = {"all"}
        self._faces = Faces(lambda: self.time)

    def change(self, table: object) -> str | None:
        return self._faces.change("t", table, table, lambda seat: seat.session in self.here)  # type: ignore[arg-type]


def test_decisions_of_one_turn_are_no_news_and_the_next_turn_is(tmp_path: object) -> None:
    store = Store(f"sqlite:///{tmp_path}/test.sqlite")
    keeper, meeting = Keeper(store, eko_table()), Meeting()
    assert meeting.change(keeper.table) == "face"
    told = []
    for _ in range(40):
        before = keeper.table.asked
        keeper.play(1)
        told.append((keeper.table.asked != before, meeting.change(keeper.table)))
    assert set(told) == {(False, None), (True, "turn")}
    meeting.time += 5
    assert meeting.change(keeper.table) == "turn"
    store.close()


def test_what_everybody_may_notice_is_told_at_once() -> None:
    meeting, table = Meeting(), eko_table()
    meeting.change(table)
    sat = replace(table, seats=(table.seats[0], Seat("here", "Bo", 1, session="bo")))
    for change in (sat, replace(sat, public=True), replace(sat, rematch="next")):
        assert meeting.change(change) == "face"
        assert meeting.change(change) is None
    meeting.here.add("bo")
    assert meeting.change(change) == "face"

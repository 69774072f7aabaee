"""Updates of a table: they give every viewer the same table, and no more than needed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import orjson
import pytest

from ekoes.client.client import LostTrackError, updated
from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.server.runtime.viewers import Audience
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, Undo
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from tests.unit.games import ALL_VARIANTS
from tests.unit.server.hub_room import Clock, Viewer
from tests.unit.tables.racing import NOW, Race, people, race_table

Json = dict[str, Any]


@dataclass
class House:
    """A table with its viewers."""

    table: Any
    clock: Clock = field(default_factory=Clock)
    viewers: list[Viewer] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.audience = Audience("table", self.clock.now)

    def come(self, session: str) -> Viewer:
        viewer = Viewer(session)
        self.viewers.append(viewer)
        self.audience.join(viewer, self.table, [])
        return viewer

    def becomes(self, table: Table) -> list[str]:
        """Change the table; return the update that each viewer received."""
        before, self.table = self.table, table
        self.audience.show_change(before, table)
        return [viewer.texts[-1] for viewer in self.viewers]

    def knows_all(self) -> bool:
        """Whether each viewer's updates add up to what a new viewer is shown."""
        return all(as_told(viewer) == as_told(self.shown(viewer.session)) for viewer in self.viewers)

    def shown(self, session: str) -> Viewer:
        fresh = Viewer(session)
        self.audience.show_table(fresh, self.table, [])
        return fresh


def as_told(viewer: Viewer) -> Json:
    return {"version": viewer.table["version"], "log": viewer.table["log"], "state": viewer.state}


def eko_table(players: int, variants: tuple[str, ...] = ()) -> Table:
    seats = tuple(Seat("here", "", seat, session=f"p{seat}") for seat in range(players))
    return new_table("eko", {"players": players, "variants": list(variants)}, 7, seats)


def played(table: Any, chance: Chance) -> Any:
    (seat,) = table.asked
    action = EKO.action_to_json(chance.choice(table.position.legal(seat)))
    return submit(table, Act(key="k", version=table.version, seat=seat, action=action), f"p{seat}", NOW)


@pytest.mark.parametrize(("players", "variants"), [(2, ()), (4, ALL_VARIANTS)])
def test_updates_alone_give_every_viewer_the_same_table(players: int, variants: tuple[str, ...]) -> None:
    house, chance = House(eko_table(players, variants)), Chance(3)
    for number in range(60):
        if number % 20 == 0:
            house.come(f"p{number // 20}")
            house.come(f"watcher {number}")
        house.becomes(played(house.table, chance))
        assert number % 7 or house.knows_all()


def test_undo_is_sent_as_an_update() -> None:
    house = House(eko_table(2))
    watcher = house.come("watcher")
    position = house.table.position
    action = EKO.action_to_json(position.legal(0)[0])
    house.becomes(submit(house.table, Act(key="a", version=0, seat=0, action=action, hold=True), "p0", NOW))
    house.becomes(submit(house.table, Undo(key="u", version=1, seat=0), "p0", NOW))
    assert [message["type"] for message in watcher.messages] == ["table", "update", "update"]
    assert house.table.position == position
    assert house.knows_all()


def test_viewers_get_the_same_update() -> None:
    house = House(eko_table(2))
    sessions = ("p0", "p1", "watcher", "another")
    for session in sessions:
        house.come(session)
    for _ in range(8):
        texts = dict(zip(sessions, house.becomes(played(house.table, Chance(1))), strict=True))
        assert len(set(texts.values())) <= 2, "who may take a decision back hears that alone besides"
        assert texts["watcher"] == texts["another"]


@pytest.mark.parametrize(("players", "variants", "most"), [(2, (), 800), (4, ALL_VARIANTS, 1024)])
def test_updates_are_small(players: int, variants: tuple[str, ...], most: int) -> None:
    house, chance = House(eko_table(players, variants)), Chance(5)
    for seat in range(players):
        house.come(f"p{seat}")
    for _ in range(120):
        if house.table.outcome is None:
            assert max(map(len, house.becomes(played(house.table, chance)))) <= most


def test_running_clock_is_updated_for_viewers_who_joined_at_different_times() -> None:
    """What is left of the time differs for who came earlier; the next update puts both right."""
    hands = {0: [50, 51, 52, 53, 54, 56], 1: [6, 20, 21, 23, 24, 25]}
    race = Race(hands, turn_clock=30)
    race.wait(6000)
    house = House(race.table)
    house.clock.set(race.at)
    house.come("p0")
    house.clock.set(race.at + timedelta(seconds=2))
    house.come("p1")
    race.send(0, "play", card=50, on=37)
    house.clock.set(race.at + timedelta(seconds=3))
    texts = house.becomes(race.table)
    assert all("remaining" in orjson.loads(text)["change"] for text in texts)
    assert house.knows_all()


def test_an_update_that_does_not_fit_is_noticed() -> None:
    house = House(eko_table(2))
    viewer = house.come("watcher")
    house.becomes(played(house.table, Chance(1)))
    table, update = viewer.messages
    with pytest.raises(LostTrackError):
        updated({**table, "version": 9}, update)
    with pytest.raises(LostTrackError):
        updated({**table, "state": {**table["state"], "held": 1}}, update)


def test_no_update_without_viewers() -> None:
    house = House(race_table(people(2), 0))
    viewer = house.come("p0")
    house.audience.leave(viewer, house.table)
    house.becomes(eko_table(2))
    assert len(viewer.messages) == 1
    assert race_table(people(2), 0).timed_keys() == ("remaining",)

"""What one client can do over a real socket to keep others from playing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.tables.create import new_table
from ekoes.tables.settings import ClockPlan, Seat
from tests.server.worlds import TABLE, Line, World, world
from tests.unit.server.hub_room import KEEP, run, turns

USERS = ("ada", "bo")


async def opened(here: World) -> tuple[Line, Line]:
    """Make a table of two with clocks, and open the socket of each player."""
    seats = tuple(Seat("open", user, number, session=user) for number, user in enumerate(USERS))
    clock = ClockPlan(base=60, increment=0, up="lose")
    await here.make(new_table("eko", {"players": 2}, 7, seats, clock=clock))
    lines = [await (await here.visitor(user)).line() for user in USERS]
    return lines[0], lines[1]


async def given(line: Line, kind: str, seat: int, version: int, **content: Any) -> int:
    """Give an order that has to be accepted; return the version after it."""
    about = {"version": version} if kind in {"act", "undo", "end_turn", "draw"} else {}
    seat_of = {} if kind == "pace" else {"seat": seat}
    answer = await line.ask(kind, **about, **seat_of, **content)
    assert answer["type"] == "ack", answer
    return int(answer["version"])


async def disturbed(line: Line, seat: int, version: int, proposal: int) -> None:
    """Do everything that decides nothing: it may not make orders stale that others send meanwhile."""
    await given(line, "draw", seat, version, offer=True)
    await given(line, "draw", seat, version, offer=False)
    await given(line, "propose", seat, version, what="pause")
    await given(line, "vote", seat, version, number=proposal, agree=False)
    await given(line, "rename", seat, version, name=f"Bo {proposal}")
    await given(line, "pace", seat, version, milliseconds=proposal)


async def legal_action(here: World, seat: int) -> Any:
    async with here.hub.table(TABLE) as live:
        return EKO.action_to_json(turns(live).position.legal(seat)[0])


async def is_held(here: World) -> bool:
    async with here.hub.table(TABLE) as live:
        return turns(live).held is not None


async def played_among_disturbances(folder: Path) -> None:
    async with world(folder, Chance(1)) as here:
        ada, bo = await opened(here)
        version = await given(ada, "act", 0, 0, action=KEEP)
        await disturbed(ada, 0, version, 1)
        version = await given(bo, "act", 1, version, action=KEEP)
        await disturbed(bo, 1, version, 2)
        while not await is_held(here):
            version = await given(ada, "act", 0, version, action=await legal_action(here, 0), hold=True)
            await given(bo, "rename", 1, version, name=f"Bo {version}")
        version = await given(ada, "undo", 0, version)
        await given(bo, "pace", 1, version, milliseconds=9)
        version = await given(ada, "act", 0, version, action=await legal_action(here, 0), hold=True)
        await given(bo, "propose", 1, version, what="pause")
        await given(ada, "end_turn", 0, version)


def test_what_decides_nothing_makes_no_order_of_others_stale(tmp_path: Path) -> None:
    run(played_among_disturbances(tmp_path))

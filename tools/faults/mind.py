"""What a scripted player does: anything that is allowed, as soon as it is asked."""

from __future__ import annotations

from typing import Any

from ekoes.bots import bot
from ekoes.client.afar import afar_of
from ekoes.games.chance import Chance
from ekoes.games.eko.offered import offered
from ekoes.match.updates import seen

__all__ = ["Mind"]

Json = dict[str, Any]


class Mind:
    """Decides for one seat by what it is told of the table."""

    def __init__(self, chance: Chance) -> None:
        """Begin with nothing in mind."""
        self._chance = chance
        self._answered: set[str] = set()
        self._latest = ""

    def forget(self) -> None:
        """Answer once more what was answered last."""
        self._answered.discard(self._latest)

    def order(self, table: Json, *, plays_on: bool) -> Json | None:
        """Return what is asked of the seat, None if nothing is. plays_on: after this game."""
        seat = _own_seat(table)
        if seat is None:
            free = [one["seat"] for one in table["seats"] if not one["taken"]]
            return {"type": "sit", "seat": free[0]} if free else None
        state = seen(table)
        if state["outcome"] is not None:
            is_asked = plays_on and seat not in state["rematch"]["agreed"] and not state["rematch"]["table"]
            return {"type": "rematch", "seat": seat} if is_asked else None
        if not all(one["taken"] for one in table["seats"]):
            return None
        return self._intent(table, state, seat) if afar_of(table["game"]) else self._act(table, state, seat)

    def _act(self, table: Json, state: Json, seat: int) -> Json | None:
        """Return what a seat does where one decides after the other."""
        rows = state["choices"].get(str(seat))
        choices = list(offered(rows, [space["space"] for space in table["board"]["spaces"]])) if rows else []
        if not choices:
            return None
        action = self._chance.choice(choices)["action"]
        return {"type": "act", "seat": seat, "version": table["version"], "action": action, "hold": False}

    def _intent(self, table: Json, state: Json, seat: int) -> Json | None:
        """Return what a seat does where the quicker hand wins; each thing that is asked it answers once."""
        afar = afar_of(table["game"])
        if afar is None:
            return None
        greeting = afar.greeting(state, seat)
        if greeting is not None:
            return {"type": "intent", "seat": seat, "action": greeting}
        for asks, key in afar.asked(state, table["options"], seat):
            named = f"{table['id']} {key}"
            if named not in self._answered:
                self._answered.add(named)
                self._latest = named
                player = bot(table["game"], "random")
                action = afar.answer(player, afar.sight(state, seat), seat, asks, self._chance)
                if action is not None:
                    return {"type": "intent", "seat": seat, "action": action}
        return None


def _own_seat(table: Json) -> int | None:
    return next((seat["seat"] for seat in table["seats"] if seat["yours"]), None)

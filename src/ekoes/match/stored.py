"""What every kind of table keeps alike: seats, version, outcome and the rest of ``Table``, as JSON.

A stored state is the whole table without its log. Readers take what every release has written. What
clocks count from stands under the key ``clock`` and nowhere else: a server that was away lets it
begin anew, so the same orders give the same state but for that key.
"""

from __future__ import annotations

from typing import Any

from ekoes.games.contract import Json, Outcome
from ekoes.match.clock_plan import clock_from_json, clock_json
from ekoes.match.proposal import consent_from_json
from ekoes.match.seats import Seat
from ekoes.match.state import Table, outcome_json

__all__ = ["fields_from_state", "fields_to_state", "outcome_from_json"]


def fields_to_state(table: Table) -> Json:
    """Write the fields of ``Table``; length: of the log, which lies elsewhere.

    What came with later releases is written where there is any: states of those before keep their digests.
    """
    return {
        "game": table.game,
        "options": table.options,
        "seed": table.seed,
        "seats": [_seat_to_state(seat) for seat in table.seats],
        "turn_limit": table.turn_limit,
        "version": table.version,
        "outcome": outcome_json(table.outcome),
        "pace": table.pace,
        "agreed": sorted(table.agreed),
        "rematch": table.rematch,
        "length": table.length,
        **({"wishes": sorted(map(list, table.wishes))} if table.wishes else {}),
        **({"paused": True} if table.paused else {}),
        **({"public": True} if table.public else {}),
        **({"delay": table.delay} if table.delay else {}),
        **({"absent": sorted(map(list, table.absent))} if table.absent else {}),
        **({"plan": clock_json(table.clock)} if table.clock else {}),
        **({"rated": True} if table.rated else {}),
        **({"left": [list(gone) for gone in table.left]} if table.left else {}),
        **({} if table.chat else {"chat": False}),
        **({"consent": consent} if (consent := table.consent.to_json()) else {}),
    }


def _seat_to_state(seat: Seat) -> Json:
    return {
        "kind": seat.kind,
        "name": seat.name,
        "colour": seat.colour,
        "bot": seat.bot,
        "session": seat.session,
    }


def fields_from_state(value: Json) -> dict[str, Any]:
    """Read what ``fields_to_state`` wrote; the log is empty and begins where it ended."""
    return {
        "game": value["game"],
        "options": value["options"],
        "seed": value["seed"],
        "seats": tuple(Seat(**seat) for seat in value["seats"]),
        "turn_limit": value["turn_limit"],
        "version": value["version"],
        "outcome": outcome_from_json(value["outcome"]),
        "pace": value["pace"],
        "wishes": frozenset((seat, pace) for seat, pace in value.get("wishes", ())),
        "paused": value.get("paused", False),
        "public": value.get("public", False),
        "delay": value.get("delay", 0),
        "clock": clock_from_json(value.get("plan")),
        "rated": value.get("rated", False),
        "left": tuple((seat, holder) for seat, holder in value.get("left", ())),
        "chat": value.get("chat", True),
        "consent": consent_from_json(value.get("consent", {})),
        "agreed": frozenset(value["agreed"]),
        "absent": frozenset((seat, instead) for seat, instead in value.get("absent", ())),
        "rematch": value["rematch"],
        "log_start": value["length"],
    }


def outcome_from_json(value: Json | None) -> Outcome | None:
    """Read what ``outcome_json`` wrote."""
    if value is None:
        return None
    return Outcome(tuple(value["winners"]), value["reason"], value["rule"])

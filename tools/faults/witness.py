"""Checks that EKKO's messages reveal no card of another hand.

Hands are known from the messages to their own players. Every number in a message counts as a card, unless its
key is known to mean something else; it may be sent to the player who holds that card, and to all once the
card has lain open in the round. So a new key can't reveal a card unnoticed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

_NUMBERS = frozenset(
    (
        *(
            "absence",
            "after",
            "agreed",
            "back",
            "base",
            "behind",
            "by",
            "check",
            "colour",
            "dealer",
            "decided",
        ),
        *("delay", "draws", "drew", "elapsed", "keep", "lag", "last", "leaving", "n", "number", "of", "pace"),
        *("pile", "player", "players", "points", "reaction", "ready", "remaining", "round", "scores", "seat"),
        *("set_aside", "sizes", "target", "totals", "turn_clock", "version", "window", "winners"),
    )
)
"""Keys whose numbers are no cards."""
_VERSIONS = 64
"""Versions of a table that are compared."""

Json = dict[str, Any]
Numbers = set[int]


class Witness:
    """Knows each hand from its own player, and what each viewer received at the same version."""

    def __init__(self) -> None:
        """Begin without messages. messages: how many were checked."""
        self.messages = 0
        self._tables: dict[str, OrderedDict[int, _Moment]] = {}
        self._open: dict[tuple[str, int], Numbers] = {}

    def check(self, viewer: str, message: Json, table: Json) -> list[str]:
        """Check a message to a viewer. table: as it stands then. Returns: what it must not reveal."""
        self.messages += 1
        state, version = table["state"], table["version"]
        moments = self._tables.setdefault(table["id"], OrderedDict())
        moment = moments.setdefault(version, _Moment())
        while len(moments) > _VERSIONS:
            moments.popitem(last=False)
        own = {int(seat): set(hand["hand"]) for seat, hand in table.get("own", {}).get("hands", {}).items()}
        moment.hands |= own
        moment.received.setdefault(viewer, (set(), {}))
        seats, cards = moment.received[viewer]
        seats.update(own)
        cards.update(_cards(_of_round(message, state["position"]["turn"]["round"])))
        moment.open |= self._lain_open(table, state)
        strays = [] if len(own) <= 1 else [f"{viewer} sees the hands {sorted(own)} of {table['id']}"]
        return strays + [f"{table['id']} at {version}: {fault}" for fault in moment.faults()]

    def _lain_open(self, table: Json, state: Json) -> Numbers:
        """Return the cards that have lain open in the round."""
        number = state["position"]["turn"]["round"]
        known = self._open.setdefault((table["id"], number), set())
        known |= set(state["position"]["zone"])
        for entry in table["log"]:
            known |= set(_played(entry)) if entry["round"] == number else set()
        return known


class _Moment:
    """A version of a table. hands: by seat; received: by viewer, its seats, and its cards with their keys."""

    def __init__(self) -> None:
        self.hands: dict[int, Numbers] = {}
        self.received: dict[str, tuple[set[int], dict[int, str]]] = {}
        self.open: Numbers = set()

    def faults(self) -> list[str]:
        return [
            f"{viewer} received {sorted(hidden)} in the hand of seat {seat}, as {_named(cards, hidden)}"
            for viewer, (seats, cards) in self.received.items()
            for seat, hand in self.hands.items()
            if seat not in seats and (hidden := cards.keys() & hand - self.open)
        ]


def _named(cards: dict[int, str], hidden: Numbers) -> str:
    """Return the keys under which cards were sent."""
    return ", ".join(sorted({cards[card] for card in hidden}))


def _cards(value: Any, key: str = "") -> Iterator[tuple[int, str]]:  # noqa: ANN401 - JSON
    """Yield every number that may be a card, and its key, or that of the list that it is in."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _cards(part, key if name.isdigit() else name)
    elif isinstance(value, list):
        for part in value:
            yield from _cards(part, key)
    elif isinstance(value, int) and not isinstance(value, bool) and key not in _NUMBERS:
        yield value, key


def _of_round(message: Json, number: int) -> Json:
    """Return a message without what is its reader's own, and without entries of rounds before this one."""
    logs = {
        key: [one for one in message.get(key, ()) if one["round"] == number] for key in ("entries", "log")
    }
    return {key: value for key, value in message.items() if key != "own"} | logs


def _played(entry: Json) -> Iterator[int]:
    """Yield the cards that a player has put down, rightly or not, and those below them.

    An intent that comes in a later round still names the card of its own.
    """
    for named in (entry.get("action") or {}, entry):
        yield from (named[key] for key in ("card", "on") if isinstance(named.get(key), int))

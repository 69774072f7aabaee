"""What a seat of EKKO that is asked from afar gets: its view, read with every check, and what it saw (K6.4).

A view is read as the position that it may be: the cards that the seat does not see are dealt to their
places in order, and that position is checked like any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from ekoes.errors import PositionError
from ekoes.games.contract import Json
from ekoes.games.ekko.action import Action, Deal, Mirror, Pass, action_to_json
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.position_json import VERSION
from ekoes.games.ekko.position_reader import position_from_json
from ekoes.games.ekko.rules.record import CARDS, FEWEST_PLAYERS, MOST_PLAYERS, Why
from ekoes.games.ekko.sight import Sight
from ekoes.games.reading import check_keys, read_list, read_object, read_whole

__all__ = ["decisions_seen", "sight_from_view"]

_HEAD = ("game", "version", "players", "target")
_KEYS = (*_HEAD, "pile", "zone", "sizes", "hand", "set_aside", "aside", "scores", "drew", "turn")
_REASONS = frozenset(why.name.lower() for why in Why)


def sight_from_view(value: object, seat: int) -> Sight:
    """Read the view of a seat that is asked (K6). Raises PositionError naming rule and key."""
    view = read_object(value, "view")
    check_keys(view, "ekko", VERSION, _KEYS, frozenset({"winners"}))
    players = read_whole(view["players"], "players", FEWEST_PLAYERS, MOST_PLAYERS, "K1.1")
    read_whole(seat, "seat", 0, players - 1, "K1.1")
    _check_drew(view, players)
    position = _position(view, players, seat)
    if position.actors() != (seat,):
        raise PositionError(f"player {seat} is not asked", rule="K6", key="seat")
    return Sight(seat, view)


def decisions_seen(decisions: Sequence[tuple[int, Action]], seat: int) -> list[Json]:
    """Return what a seat saw of the round so far: ``{"seat", "action"}`` for each decision since the deal.

    A card that another player puts aside is left out, and so is a mirror that another lets go by (K6.4).
    """
    begin = max((at for at, (_, action) in enumerate(decisions, 1) if isinstance(action, Deal)), default=0)
    return [
        {"seat": actor, "action": _action_seen(action, is_own=actor == seat)}
        for actor, action in decisions[begin:]
        if actor == seat or not isinstance(action, Pass)
    ]


def _action_seen(action: Action, *, is_own: bool) -> Json:
    value = action_to_json(action)
    if isinstance(action, Mirror) and not is_own:
        value.pop("aside", None)
    return value


def _check_drew(view: Json, players: int) -> None:
    """Check who drew when and why: the players of this house count by it."""
    zone = read_list(view["zone"], "zone")
    for index, drew in enumerate(read_list(view["drew"], "drew")):
        key = f"drew[{index}]"
        if len(read_list(drew, key)) != 3 or not isinstance(drew[2], str) or drew[2] not in _REASONS:
            reasons = ", ".join(sorted(_REASONS))
            raise PositionError(f"must be a seat, a number of cards and one of {reasons}", key=key)
        read_whole(drew[0], key, 0, players - 1, "K1.1")
        read_whole(drew[1], key, 1, len(zone), "K1.4")


def _position(view: Json, players: int, seat: int) -> EkkoPosition:
    """Return a position that looks like this to the seat. Raises PositionError naming the key of the view."""
    piles = _Unseen(view)
    value = {key: view[key] for key in (*_HEAD, "zone", "scores", "winners") if key in view}
    value["pile"] = piles.deal(view["pile"], "pile")
    for key, counted, own in (("hands", "sizes", "hand"), ("aside", "set_aside", "aside")):
        counts = read_list(view[counted], counted, players, rule="K1.1")
        read_whole(counts[seat], counted, len(view[own]), len(view[own]), "K6.4")
        value[key] = [
            view[own] if player == seat else piles.deal(count, counted) for player, count in enumerate(counts)
        ]
    turn = read_object(view["turn"], "turn")
    if "blocked" in turn:
        turn = turn | {"blocked": [turn["blocked"] if player == seat else [] for player in range(players)]}
    try:
        return position_from_json(value | {"turn": turn})
    except PositionError as error:
        own_keys = {
            f"hands[{seat}]": "hand",
            f"aside[{seat}]": "aside",
            f"turn.blocked[{seat}]": "turn.blocked",
        }
        named = own_keys.get(error.key or "") or error.key
        raise PositionError(error.message, rule=error.rule, key=named) from None


class _Unseen:
    """The cards that a seat does not see, dealt to their places one after the other."""

    def __init__(self, view: Json) -> None:
        seen = {
            read_whole(card, key, 1, CARDS, "K1.1")
            for key in ("zone", "hand", "aside")
            for card in read_list(view[key], key)
        }
        self._cards = [card for card in range(1, CARDS + 1) if card not in seen]

    def deal(self, count: object, key: str) -> list[int]:
        """Take the next cards. Raises PositionError if there are not so many. count: as it was read."""
        number = read_whole(count, key, 0, len(self._cards), "K1.1")
        dealt, self._cards = self._cards[:number], self._cards[number:]
        return dealt

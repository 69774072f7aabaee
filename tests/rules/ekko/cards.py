"""Positions for the rule tests, dealt out tersely, and short words for what the tests ask of them.

    deal_out("1 20", "8", "44 90", zone="38 33 67")

is a position of three players: one text for each hand, seat 0 first; the last card of the zone is the
top card. Seat 0 is in turn, and the player to its right put the top card and dealt, unless `player`,
`last`, `dealer` say otherwise. All cards not named lie in the pile, ascending, unless `pile` names
some; what `aside` names lies face down before its seat. `live=True` is a live table (K7).
"""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import IllegalActionError
from ekoes.games.ekko.book import as_live
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Action, Close, Deal, Draw, Effect, Mirror, Misplay, Pass, Play
from ekoes.games.ekko.position.position import EkkoPosition
from tests.reference.ekko import generate

CARDS = range(1, 99)

# --- dealing out --------------------------------------------------------------------------


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def dealt_out(
    *hands: str,
    zone: str,
    pile: str | None = None,
    aside: dict[int, str] | None = None,
    scores: str = "",
    target: int = 25,
    **turn: Any,
) -> dict[str, Any]:
    """The JSON of a position; `turn` overrides round 1, player 0 in phase `play`."""
    players = len(hands)
    face_down = [numbers((aside or {}).get(seat, "")) for seat in range(players)]
    held = [sorted(numbers(hand)) for hand in hands]
    lying = numbers(zone)
    named = {card for cards in (*held, *face_down, lying) for card in cards}
    drawn = [card for card in CARDS if card not in named] if pile is None else numbers(pile)
    last = turn.pop("last", players - 1)
    order = ("round", "dealer", "player", "last", "phase", "asked", "again", "leaving", "blocked")
    flags = {"round": 1, "dealer": last, "player": 0, "last": last, "phase": "play"} | turn
    return generate.undealt(players, target=target) | {
        "pile": drawn,
        "zone": lying,
        "hands": held,
        "aside": face_down,
        "scores": numbers(scores) or [0] * players,
        "turn": {key: flags[key] for key in order if key in flags},
    }


def deal_out(*hands: str, live: bool = False, **more: Any) -> EkkoPosition:
    """A position, as the engine reads it."""
    position = EKKO.from_json(dealt_out(*hands, **more))
    return as_live(position) if live else position


def table(*hands: str, **more: Any) -> EkkoPosition:
    """A live table."""
    return deal_out(*hands, live=True, **more)


def undealt(players: int, *, dealer: int = 0, live: bool = False, target: int = 25) -> EkkoPosition:
    """The first deal of a game is due."""
    position = EKKO.from_json(generate.undealt(players, target=target, dealer=dealer))
    return as_live(position) if live else position


# --- actions ------------------------------------------------------------------------------


def deal(first: str = "") -> Deal:
    """A deal in which these cards come first, and the others ascending after them."""
    begin = numbers(first)
    return Deal((*begin, *(card for card in CARDS if card not in begin)))


def discard(card: int, aside: int, on: int | None = None) -> Mirror:
    """A mirror with the effect `discard`."""
    return Mirror(card, Effect.DISCARD, aside, on)


def others_draw(card: int, on: int | None = None) -> Mirror:
    """A mirror with the effect `draw`."""
    return Mirror(card, Effect.DRAW, None, on)


play, misplay = Play, Misplay
PASS, DRAW, CLOSE = Pass(), Draw(), Close()


# --- asking -------------------------------------------------------------------------------


def options(position: EkkoPosition) -> set[Action]:
    """All legal actions of whoever is asked."""
    actions = list(position.legal(position.actors()[0]))
    assert len(set(actions)) == len(actions), "an action is listed twice"
    return set(actions)


def go(position: EkkoPosition, *actions: Action) -> EkkoPosition:
    """Do this, each by whoever holds the card or is asked."""
    for action in actions:
        position = position.play(position.seat_of(action), action)
    return position


def allowed(position: EkkoPosition, action: Action) -> EkkoPosition:
    """Assert that an action is possible, and return the position after it."""
    seat = position.seat_of(action)
    refusal = position.why_not(seat, action)
    assert refusal is None, refusal
    return position.play(seat, action)


def refused(position: EkkoPosition, action: Action, rule: str, code: str, *, seat: int | None = None) -> None:
    """Assert that an action is not possible, and that the refusal names rule and code."""
    if seat is None:
        seat = position.seat_of(action)
    assert action == Deal() or action not in position.legal(seat)
    refusal = position.why_not(seat, action)
    assert refusal is not None
    assert (refusal.rule, refusal.code) == (rule, code), refusal
    with pytest.raises(IllegalActionError) as error:
        position.play(seat, action)
    assert (error.value.rule, error.value.code) == (rule, f"action/{code}")


def hands(position: EkkoPosition) -> list[str]:
    """The hands: `["1 20", "8"]`."""
    return [" ".join(map(str, hand)) for hand in position.hands]


def aside(position: EkkoPosition) -> list[str]:
    """What lies face down before each seat."""
    return [" ".join(map(str, cards)) for cards in position.aside]


def pile(position: EkkoPosition, most: int = 98) -> str:
    """The next cards of the pile."""
    return " ".join(map(str, position.pile[:most]))


def zone(position: EkkoPosition) -> str:
    """The play zone; the last one is the top card."""
    return " ".join(map(str, position.zone))


def turn(position: EkkoPosition) -> str:
    """What comes next: `1 plays`, `1 plays again`, `2 is asked`, `0 leaves`, `1 deals`, `over`."""
    value = position.to_json()["turn"]
    if value["phase"] == "deal":
        return f"{value['dealer']} deals"
    if value["phase"] == "over":
        return "over"
    if value["phase"] == "mirror":
        return f"{value['asked']} is asked"
    if "leaving" in value:
        return f"{value['leaving']} leaves"
    return f"{value['player']} plays{' again' if value.get('again') else ''}"


def blocked(position: EkkoPosition) -> list[list[int]]:
    """The blocked cards, seat by seat."""
    return [list(cards) for cards in position.blocked]


def scores(position: EkkoPosition) -> list[int]:
    return list(position.scores)

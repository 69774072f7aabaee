"""Random positions and random games for differential and property tests.

Three kinds of positions: those that random play reaches from a deal, in the decision sequence or at
a live table; and synthetic ones, where few cards are dealt out anyhow, so that empty piles, last
cards and mirrors meet in minutes what play meets once in a thousand games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.reference.common import Refused
from tests.reference.ekko.cards import CARDS, is_multiple_of_11, left_of, mirror_holder, mirror_of
from tests.reference.ekko.live import live_follow, live_legal
from tests.reference.ekko.position import canonical, check
from tests.reference.ekko.turn import follow, legal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

Position = dict[str, Any]
Action = dict[str, Any]


# --- first positions ----------------------------------------------------------------------


def undealt(players: int, *, target: int = 25, dealer: int = 0) -> Position:
    """The first deal of a game is due."""
    return {
        "game": "ekko",
        "version": 1,
        "players": players,
        "target": target,
        "pile": [],
        "zone": [],
        "hands": [[] for _ in range(players)],
        "aside": [[] for _ in range(players)],
        "scores": [0] * players,
        "turn": {"round": 1, "dealer": dealer, "phase": "deal"},
    }


def shuffled(rng: Random) -> Action:
    """A deal."""
    return {"type": "deal", "order": rng.sample(CARDS, len(CARDS))}


# --- synthetic positions ------------------------------------------------------------------


def synthetic(rng: Random, players: int, *, live: bool = False) -> Position:
    """A position within a round: small hands, a small pile, mirrors of the top card often."""
    while True:
        try:
            position = canonical(_draft(rng, players, live=live))
            check(position)
        except Refused:
            continue
        return position


def _draft(rng: Random, players: int, *, live: bool) -> Position:
    cards = rng.sample(CARDS, len(CARDS))
    mirror = mirror_of(cards[0])
    if mirror is not None and rng.random() < 2 / 3:
        cards.remove(mirror)
        cards.insert(1, mirror)  # into the hand that is filled first
    position = undealt(players, target=rng.choice([10, 25, 25, 100]), dealer=rng.randrange(players))
    top, cards = cards[0], cards[1:]
    for player in rng.sample(range(players), players):
        size = rng.choice([1, 1, 2, 3, 4, 6])
        position["hands"][player], cards = cards[:size], cards[size:]
    for player in range(players):
        size = rng.choice([0, 0, 0, 1, 2])
        position["aside"][player], cards = cards[:size], cards[size:]
    size = rng.choice([0, 1, 2, 5, 20])
    position["zone"], cards = [*cards[:size], top], cards[size:]
    position["pile"] = cards[: rng.choice([0, 0, 1, 2, 3, 8, len(cards)])]
    position["scores"] = [rng.randrange(position["target"]) for _ in range(players)]
    last = rng.randrange(players)
    player = rng.choice([rng.randrange(players), (last + 1) % players, last])
    position["turn"] = {"round": rng.randint(1, 9), "dealer": position["turn"]["dealer"]}
    position["turn"] |= {"player": player, "last": last, "phase": "play"}
    _draft_turn(rng, position, live=live)
    return position


def _draft_turn(rng: Random, position: Position, *, live: bool) -> None:
    """The optional keys of the turn."""
    turn, hands = position["turn"], position["hands"]
    if is_multiple_of_11(position["zone"][-1]):
        if turn["player"] == turn["last"] and rng.random() < 2 / 3:
            turn["again"] = True
            if rng.random() < 1 / 4:
                hands[turn["player"]] = []
    elif rng.random() < 1 / 4:
        turn["leaving"] = turn["last"]
        turn["player"] = left_of(position, turn["last"])
        hands[turn["last"]] = []
    if rng.random() < (1 / 2 if live else 1 / 8):
        turn["blocked"] = [[card for card in hand if rng.random() < 1 / 4] for hand in hands]
    holder = mirror_holder(position)
    if not live and holder is not None and rng.random() < 2 / 3:
        turn |= {"phase": "mirror", "asked": holder}


# --- games --------------------------------------------------------------------------------


def random_game(rng: Random, start: Position, most: int) -> Iterator[tuple[Position, Action | None]]:
    """Positions of a random decision sequence (K6), each with the action that is played next."""
    position = start
    for _ in range(most):
        options = legal(position)
        if not options:
            break
        action = shuffled(rng) if options[0]["type"] == "deal" else rng.choice(options)
        yield position, action
        position = follow(position, action)
    yield position, None


def random_live_game(rng: Random, start: Position, most: int) -> Iterator[tuple[Position, Action | None]]:
    """The same of a live table: every now and then a mirror or a misplay."""
    position = start
    for _ in range(most):
        options = some_live_action(rng, position)
        if options is None:
            break
        yield position, options
        position = live_follow(position, options)
    yield position, None


def some_live_action(rng: Random, position: Position) -> Action | None:
    """Most often a play of the player in turn; None when the game is over."""
    kinds: dict[str, list[Action]] = {}
    for _, action in live_legal(position):
        kinds.setdefault(action["type"], []).append(action)
    if not kinds:
        return None
    likely = {"play": 12, "draw": 12, "mirror": 4, "misplay": 1, "close": 1, "deal": 1}
    kind = rng.choices(list(kinds), [likely[kind] for kind in kinds])[0]
    return shuffled(rng) if kind == "deal" else rng.choice(kinds[kind])

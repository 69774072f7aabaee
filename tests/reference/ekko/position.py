"""The form of a position, and what makes one impossible."""

from __future__ import annotations

from typing import Any

from tests.reference.common import Refused
from tests.reference.ekko.cards import CARDS, is_multiple_of_11, mirror_holder, top_card, winners

Position = dict[str, Any]

KEYS = ["game", "version", "players", "target", "pile", "zone", "hands", "aside", "scores", "turn"]
TURN_KEYS = ["round", "dealer", "player", "last", "phase", "asked", "again", "leaving", "blocked"]

OPTIONAL = {
    "deal": set(),
    "mirror": {"asked", "again", "leaving", "blocked"},
    "play": {"again", "leaving", "blocked"},
    "over": set(),
}  # type: dict[str, set[str]]
"""Phase -> the optional keys of `turn` that have a place in it."""


def canonical(position: Position) -> Position:
    """The same position: keys in order, hands ascending, empty optional keys left out."""
    ordered = {key: position[key] for key in [*KEYS, "winners"] if key in position}
    for key in ("hands", "aside"):
        ordered[key] = [sorted(cards) for cards in position[key]]
    turn = dict(position["turn"])
    if "blocked" in turn:
        turn["blocked"] = [sorted(cards) for cards in turn["blocked"]]
    if not any(turn.get("blocked", [])):
        turn.pop("blocked", None)
    if not turn.get("again"):
        turn.pop("again", None)
    ordered["turn"] = {key: turn[key] for key in TURN_KEYS if key in turn}
    return ordered


def check(position: Position) -> None:
    """Raise Refused when the position has not the form, or can't be."""
    _check_form(position)
    _check_cards(position)
    phase = position["turn"]["phase"]
    if phase == "deal":
        _need(not position["pile"] and not position["zone"], "K6.0", "nothing is dealt yet")
        _need(not any(position["hands"] + position["aside"]), "K6.0", "nothing is dealt yet")
    else:
        _need(bool(position["zone"]), "K1.3", "the play zone has a card")
    if phase == "over":
        _need(winners(position) == position["winners"], "K5.6", "the winners are others")
    else:
        _need(winners(position) is None, "K5.6", "the game is over")
    if phase in ("mirror", "play"):
        _check_turn(position)


def _need(condition: bool, rule: str, message: str) -> None:
    if not condition:
        raise Refused(rule, message)


def _is_number(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_cards(value: object) -> bool:
    return isinstance(value, list) and all(_is_number(card, CARDS[0], CARDS[-1]) for card in value)


def _is_hands(value: object, players: int) -> bool:
    return isinstance(value, list) and len(value) == players and all(map(_is_cards, value))


def _check_form(position: Position) -> None:
    """Keys and types; and numbers in their plain bounds."""
    _need(isinstance(position, dict), "form", "a position is an object")
    _need(position.get("game") == "ekko", "form", "game")
    _need(_is_number(position.get("version"), 1, 1), "form", "version")
    players = position.get("players")
    _need(_is_number(players, 2, 8), "K1.1", "2 to 8 players")
    turn = position.get("turn")
    _need(isinstance(turn, dict) and turn.get("phase") in list(OPTIONAL), "K6", "turn.phase")
    phase = position["turn"]["phase"]
    extra = {"winners"} if phase == "over" else set()
    _need(set(position) == set(KEYS) | extra, "form", "keys")
    _need(_is_number(position["target"], 1, 10**9), "K5.6", "target")
    _need(_is_cards(position["pile"]) and _is_cards(position["zone"]), "K1.1", "pile, zone")
    _need(_is_hands(position["hands"], position["players"]), "K1.1", "hands")
    _need(_is_hands(position["aside"], position["players"]), "K3.2", "aside")
    scores = position["scores"]
    _need(isinstance(scores, list) and len(scores) == players, "K5.4", "scores")
    _need(all(_is_number(score, 0, 10**9) for score in scores), "K5.4", "scores")
    _check_turn_form(position)
    if phase == "over":
        seats = position["winners"]
        last = position["players"] - 1
        _need(isinstance(seats, list) and all(_is_number(s, 0, last) for s in seats), "K5.6", "winners")


def _check_turn_form(position: Position) -> None:
    turn, last = position["turn"], position["players"] - 1
    seats = {"dealer"} if turn["phase"] == "deal" else {"dealer", "player", "last"}
    wanted = seats | {"round", "phase"}
    _need(wanted <= set(turn) <= wanted | OPTIONAL[turn["phase"]], "form", "keys of turn")
    _need(_is_number(turn["round"], 1, 10**9), "K1.2", "turn.round")
    for key in seats | ({"asked", "leaving"} & set(turn)):
        _need(_is_number(turn[key], 0, last), "K1.1", f"turn.{key}")
    _need(isinstance(turn.get("again", False), bool), "K2.3", "turn.again")
    if "blocked" in turn:
        _need(_is_hands(turn["blocked"], position["players"]), "K4.1", "turn.blocked")


def _check_cards(position: Position) -> None:
    """K1.1: each card is in one place at most; hands ascend."""
    places = [position["pile"], position["zone"], *position["hands"], *position["aside"]]
    cards = [card for place in places for card in place]
    _need(len(set(cards)) == len(cards), "K1.1", "a card is in two places")
    for key in ("hands", "aside"):
        _need(all(sorted(part) == part for part in position[key]), "form", f"{key} ascend")


def _check_turn(position: Position) -> None:
    """Who is asked, and why."""
    turn, hands = position["turn"], position["hands"]
    top, leaving = top_card(position), turn.get("leaving")
    if turn["phase"] == "mirror":
        _need(turn.get("asked") is not None, "K6.1", "turn.asked is missing")
        _need(turn["asked"] == mirror_holder(position), "K6.1", "who is asked holds no mirror")
    if turn.get("again"):
        _need(is_multiple_of_11(top) and turn["player"] == turn["last"], "K2.3", "turn.again")
    if leaving is not None:
        _need(not is_multiple_of_11(top), "K2.3", "no leaving by a multiple of 11")
        _need(turn["last"] == leaving and not hands[leaving], "K5.1", "turn.leaving")
    for player, hand in enumerate(hands):
        stays = player == leaving or (turn.get("again") and player == turn["player"])
        _need(bool(hand) or stays, "K5.1", f"player {player} has no card left")
    for hand, blocked in zip(hands, turn.get("blocked", [[]] * len(hands)), strict=True):
        _need(set(blocked) <= set(hand) and sorted(set(blocked)) == blocked, "K4.1", "turn.blocked")

"""Reads positions, complete or as one seat sees them (K6.4), and checks every key."""

from __future__ import annotations

from collections.abc import Sequence

from ekoes.errors import PositionError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import check_keys, read_flag, read_list, read_object, read_whole, shown
from ekoes.games.ekko.position.action import Action, Deal, Mirror, Pass, action_to_json
from ekoes.games.ekko.position.position import (
    HIGHEST_TARGET,
    LAST_ROUND,
    VERSION,
    EkkoPosition,
    Sight,
    blank_states,
)
from ekoes.games.ekko.rules.record import (
    CARDS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    NOBODY,
    PHASES,
    WHYS,
    Phase,
    is_multiple,
    mirror_of,
)
from ekoes.games.kernels.bits import words_of

_REQUIRED = ("game", "version", "players", "target", "pile", "zone", "hands", "aside", "scores", "turn")
_OPTIONAL = frozenset({"drew", "winners"})
_DEAL_TURN = ("round", "dealer", "phase")
_TURN = (*_DEAL_TURN, "player", "last")
_MORE_TURN = frozenset({"asked", "again", "leaving", "blocked"})
_MOST_POINTS = 1_000_000


def position_from_json(value: object) -> EkkoPosition:
    """Read a position. Raises PositionError naming rule and key."""
    content = read_object(value, "position")
    check_keys(content, "ekko", VERSION, _REQUIRED, _OPTIONAL)
    players = read_whole(content["players"], "players", FEWEST_PLAYERS, MOST_PLAYERS, "K1.1")
    target = read_whole(content["target"], "target", 1, HIGHEST_TARGET, "K5.6")
    return _Reader(content, players, target).read()


def position_from_state(value: Json) -> EkkoPosition:
    """Read the JSON that ``EkkoPosition.to_state`` returns. Raises PositionError naming rule and key."""
    states = position_from_json(value["position"]).states
    states["live"] = value["live"]
    end = value["round_end"]
    if end is not None:
        for column in ("points", "sizes"):
            states[column][0, : len(end[column])] = end[column]
        states["ending"], states["ended_by"] = end["ending"], end["by"]
    return EkkoPosition(states)


class _Reader:
    """Reads one position from JSON into a record."""

    def __init__(self, content: Json, players: int, target: int) -> None:
        self.content = content
        self.players = players
        self.target = target
        self.states = blank_states(players, target)
        self.where: dict[int, str] = {}
        self.blocked: list[list[int]] = [[] for _ in range(players)]

    def read(self) -> EkkoPosition:
        turn = read_object(self.content["turn"], "turn")
        self.read_phase(turn)
        self.pile = self.cards(self.content["pile"], "pile")
        self.zone = self.cards(self.content["zone"], "zone")
        self.hands = self.rows("hands")
        self.aside = self.rows("aside")
        self.read_scores()
        self.read_drew()
        self.read_turn(turn)
        if self.phase == Phase.DEAL:
            self.check_deal()
        else:
            self.check_dealt(turn)
        self.write()
        return EkkoPosition(self.states)

    def read_drew(self) -> None:
        """Read who drew in this round, which the bots rely on."""
        if "drew" not in self.content:
            return
        draws = read_list(self.content["drew"], "drew")
        if not 0 < len(draws) <= CARDS:
            message = f"has 1 to {CARDS} draws, as many as there are cards; left out if there are none"
            raise PositionError(message, rule="K1.1", key="drew")
        for index, drew in enumerate(draws):
            key = f"drew[{index}]"
            if len(read_list(drew, key)) != 3 or not isinstance(drew[2], str) or drew[2] not in WHYS:
                reasons = ", ".join(sorted(WHYS))
                raise PositionError(f"must be a seat, a number of cards and one of {reasons}", key=key)
            self.states["drew_seat"][0, index] = read_whole(drew[0], key, 0, self.players - 1, "K1.1")
            self.states["drew_at"][0, index] = read_whole(drew[1], key, 1, len(self.zone), "K1.4")
            self.states["drew_why"][0, index] = WHYS.index(drew[2])
        self.states["n_drew"] = len(draws)

    # location of the cards

    def cards(self, value: object, key: str, *, is_sorted: bool = False) -> list[int]:
        """Read cards, each of which may be in one place only."""
        cards = [read_whole(card, key, 1, CARDS, "K1.1") for card in read_list(value, key)]
        for card in cards:
            if card in self.where:
                message = f"card {card} is in {self.where[card]} too; each exists once"
                raise PositionError(message, rule="K1.1", key=key)
            self.where[card] = key
        if is_sorted and cards != sorted(cards):
            raise PositionError("must be ascending", key=key)
        return cards

    def rows(self, key: str) -> list[list[int]]:
        rows = read_list(self.content[key], key, self.players, rule="K1.1")
        return [self.cards(row, f"{key}[{seat}]", is_sorted=True) for seat, row in enumerate(rows)]

    def read_scores(self) -> None:
        rows = read_list(self.content["scores"], "scores", self.players, rule="K1.1")
        scores = [
            read_whole(score, f"scores[{seat}]", 0, _MOST_POINTS, "K5.4") for seat, score in enumerate(rows)
        ]
        is_over = self.phase == Phase.OVER
        if is_over != (max(scores) >= self.target):
            message = (
                "no player has reached the target" if is_over else "the target is reached: the game is over"
            )
            raise PositionError(message, rule="K5.6", key="scores")
        self.states["scores"][0, : self.players] = scores
        if not is_over:
            if "winners" in self.content:
                raise PositionError("is only allowed in phase over", rule="K5.6", key="winners")
            return
        right = [seat for seat in range(self.players) if scores[seat] == min(scores)]
        if "winners" not in self.content:
            raise PositionError("missing in phase over", rule="K5.6", key="winners")
        named = read_list(self.content["winners"], "winners")
        if [read_whole(seat, "winners", 0, self.players - 1, "K1.1") for seat in named] != right:
            raise PositionError(f"by these scores the winners are {right}", rule="K5.6", key="winners")
        self.states["winners"] = sum(1 << seat for seat in right)

    # the turn

    def read_phase(self, turn: Json) -> None:
        if "phase" not in turn:
            raise PositionError("missing", key="turn.phase")
        name = turn["phase"]
        if not isinstance(name, str) or name not in PHASES:
            raise PositionError(f"must be one of {', '.join(PHASES)}", rule="K6", key="turn.phase")
        self.phase = Phase(PHASES.index(name))
        is_asking = self.phase in {Phase.MIRROR, Phase.PLAY}
        required = _DEAL_TURN if self.phase == Phase.DEAL else _TURN
        for key in turn:
            if key not in required and not (is_asking and key in _MORE_TURN):
                is_known = key in _TURN or key in _MORE_TURN
                raise PositionError(
                    f"does not belong to phase {name}" if is_known else "unknown key",
                    key=f"turn.{shown(key)}",
                )
        for key in required:
            if key not in turn:
                raise PositionError("missing", key=f"turn.{key}")

    def seat(self, turn: Json, name: str) -> int:
        return read_whole(turn[name], f"turn.{name}", 0, self.players - 1, "K1.1")

    def read_turn(self, turn: Json) -> None:
        states = self.states
        states["phase"] = self.phase
        states["number"] = read_whole(turn["round"], "turn.round", 1, LAST_ROUND, "K1.2")
        states["dealer"] = self.seat(turn, "dealer")
        for name in ("player", "last", "asked", "leaving"):
            if name in turn:
                states[name] = self.seat(turn, name)
        states["again"] = read_flag(turn.get("again", False), "turn.again")

    # consistency

    def check_deal(self) -> None:
        for key in ("pile", "zone", "hands", "aside"):
            if any(place.startswith(key) for place in self.where.values()):
                raise PositionError("must be empty before the deal", rule="K6.0", key=key)

    def check_dealt(self, turn: Json) -> None:
        if not self.zone:
            raise PositionError("a card has been turned over", rule="K1.3", key="zone")
        self.read_blocked(turn)
        if self.phase == Phase.OVER:
            return
        self.check_again()
        self.check_leaving()
        self.check_asked()
        for seat, hand in enumerate(self.hands):
            is_going_on = seat == self.at("leaving") or (self.at("again") and seat == self.at("player"))
            if not hand and not is_going_on:
                raise PositionError(
                    f"player {seat} has no card: this round is over", rule="K5.1", key="hands"
                )

    def at(self, name: str) -> int:
        return int(self.states[name][0])

    def check_again(self) -> None:
        top = self.zone[-1]
        if not self.at("again"):
            return
        if not is_multiple(top) or self.at("last") != self.at("player") or self.phase != Phase.PLAY:
            message = "only a player who has just played a multiple of 11 plays again"
            raise PositionError(message, rule="K2.3", key="turn.again")

    def check_leaving(self) -> None:
        leaving = self.at("leaving")
        if leaving == NOBODY:
            return
        is_last = leaving == self.at("last") and not self.hands[leaving] and not is_multiple(self.zone[-1])
        if not is_last:
            message = "only a player whose last card, not a multiple of 11, is on top is leaving"
            raise PositionError(message, rule="K5.1", key="turn.leaving")

    def check_asked(self) -> None:
        if (self.phase == Phase.MIRROR) != (self.at("asked") != NOBODY):
            raise PositionError(
                "is required in phase mirror and not allowed elsewhere", rule="K6.1", key="turn.asked"
            )
        if self.phase == Phase.MIRROR:
            mirror, asked = mirror_of(self.zone[-1]), self.at("asked")
            if mirror not in self.hands[asked] or mirror in self.blocked[asked]:
                message = f"player {asked} can't play a mirror of {self.zone[-1]}"
                raise PositionError(message, rule="K6.1", key="turn.asked")

    def read_blocked(self, turn: Json) -> None:
        if "blocked" not in turn:
            return
        for seat, row in enumerate(read_list(turn["blocked"], "turn.blocked", self.players, rule="K1.1")):
            key = f"turn.blocked[{seat}]"
            cards = [read_whole(card, key, 1, CARDS, "K1.1") for card in read_list(row, key)]
            if cards != sorted(set(cards)):
                raise PositionError("must be ascending, each card once", key=key)
            if not set(cards) <= set(self.hands[seat]):
                raise PositionError("only a card in hand can be blocked", rule="K4.1", key=key)
            self.blocked[seat] = cards

    # result

    def write(self) -> None:
        states = self.states
        states["pile"][0, : len(self.pile)] = self.pile[::-1]
        states["pile_size"] = len(self.pile)
        states["zone"][0, : len(self.zone)] = self.zone
        states["zone_size"] = len(self.zone)
        for name, sets in (("hands", self.hands), ("aside", self.aside), ("blocked", self.blocked)):
            states[name][0, : self.players] = list(map(words_of, sets))


_HEAD = ("game", "version", "players", "target")
_KEYS = (*_HEAD, "pile", "zone", "sizes", "hand", "set_aside", "aside", "scores", "drew", "turn")


def position_from_view(value: object, seat: int) -> EkkoPosition:
    """Return a position of which a seat has this view; what it does not see is dealt in ascending order.

    Raises PositionError naming rule and key.
    """
    view = read_object(value, "view")
    check_keys(view, "ekko", VERSION, _KEYS, frozenset({"winners"}))
    players = read_whole(view["players"], "players", FEWEST_PLAYERS, MOST_PLAYERS, "K1.1")
    read_whole(seat, "seat", 0, players - 1, "K1.1")
    piles = _Unseen(view)
    value = {key: view[key] for key in (*_HEAD, "zone", "scores", "drew", "winners") if key in view}
    if value["drew"] == []:
        del value["drew"]
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


def sight_from_view(value: object, seat: int) -> Sight:
    """Read the view of the seat to move (K6). Raises PositionError naming rule and key."""
    view = read_object(value, "view")
    if position_from_view(view, seat).actors() != (seat,):
        raise PositionError(f"player {seat} is not to move", rule="K6", key="seat")
    return Sight(seat, view)


def decisions_seen(decisions: Sequence[tuple[int, Action]], seat: int) -> list[Json]:
    """Return the decisions since the deal as a seat saw them, as ``{"seat", "action"}``.

    Cards that others put aside and mirrors that others pass on are left out (K6.4).
    """
    begin = max((at for at, (_, action) in enumerate(decisions, 1) if isinstance(action, Deal)), default=0)
    seen = []
    for actor, action in decisions[begin:]:
        if actor == seat or not isinstance(action, Pass):
            value = action_to_json(action)
            if actor != seat and isinstance(action, Mirror):
                value.pop("aside", None)
            seen.append({"seat": actor, "action": value})
    return seen


class _Unseen:
    """The cards that a seat does not see, dealt in ascending order."""

    def __init__(self, view: Json) -> None:
        seen = {
            read_whole(card, key, 1, CARDS, "K1.1")
            for key in ("zone", "hand", "aside")
            for card in read_list(view[key], key)
        }
        self._cards = [card for card in range(1, CARDS + 1) if card not in seen]

    def deal(self, count: object, key: str) -> list[int]:
        """Take the next cards. Raises PositionError if there are not enough."""
        number = read_whole(count, key, 0, len(self._cards), "K1.1")
        dealt, self._cards = self._cards[:number], self._cards[number:]
        return dealt

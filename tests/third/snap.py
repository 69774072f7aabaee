"""Snap, a fourth game: hidden cards, and the quicker hand wins. Everything it brings is in this file.

S1: chance deals three of the cards 0 … 11 to each player and turns one up. S2: who has a neighbour of
the card that lies up may put it there, at any time; who is first is right, and a slower card goes
back. S3: who has no card left wins; where nobody puts a card for five seconds, nobody does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from ekoes.errors import IllegalActionError, NotationError, PositionError
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE, Json, Outcome, Parts, Refusal, TableEnds
from ekoes.games.racing import Ask, Step
from ekoes.games.recording import Arrival, Decision, milliseconds_between
from ekoes.games.registry import game

CARDS, HAND, PATIENCE = 12, 3, timedelta(seconds=5)


@dataclass(frozen=True)
class Act:
    """type: deal, put, late, resign or stop. cards: of a deal all in their order, else one or none."""

    type: str
    cards: tuple[int, ...] = ()


@dataclass(frozen=True)
class Snap:
    """A position. top: None before the deal."""

    players: int
    hands: tuple[tuple[int, ...], ...] = ()
    top: int | None = None
    is_stopped: bool = False

    @property
    def game(self) -> Any:
        return game("snap")

    def actors(self) -> tuple[int, ...]:
        if self.top is None:
            return (CHANCE,)
        return () if self.outcome() else (CHANCE, *range(self.players))

    def legal(self, seat: int) -> Sequence[Act]:
        hand = self.hands[seat] if 0 <= seat < len(self.hands) else ()
        return [Act("put", (card,)) for card in hand if abs(card - (self.top or 0)) == 1]

    def seat_of(self, action: Act) -> int:
        return next((seat for seat, hand in enumerate(self.hands) if action.cards[0] in hand), CHANCE)

    def why_not(self, seat: int, action: Act) -> Refusal | None:
        if action.type != "put" or action in self.legal(seat):
            return None
        return Refusal("no-neighbour", "S2.1", "this card does not lie next to that one")

    def play(self, seat: int, action: Act) -> Snap:
        refusal = self.why_not(seat, action)
        if refusal is not None:
            raise IllegalActionError(refusal.message, rule=refusal.rule)
        if action.type == "deal":
            hands = tuple(action.cards[HAND * n : HAND * (n + 1)] for n in range(self.players))
            return replace(self, hands=hands, top=action.cards[HAND * self.players])
        if action.type == "put":
            hands = tuple(tuple(card for card in hand if card not in action.cards) for hand in self.hands)
            return replace(self, hands=hands, top=action.cards[0])
        return replace(self, is_stopped=True) if action.type == "stop" else self

    def chance_action(self, chance: Chance) -> Act:
        order = list(range(CARDS))
        chance.shuffle(order)
        return Act("deal", tuple(order))

    def outcome(self) -> Outcome | None:
        winners = tuple(seat for seat, hand in enumerate(self.hands) if not hand)
        return Outcome(winners, "out", "S3.1") if winners or self.is_stopped else None

    def sight(self, seat: int) -> Json:
        return self.view(seat)

    def view(self, eye: int | None) -> Json:
        hand = {} if eye is None or not self.hands else {"hand": list(self.hands[eye])}
        return {"top": self.top, "sizes": [len(each) for each in self.hands], **hand}

    def to_json(self) -> Json:
        return {"game": "snap", **asdict(self)}

    to_state = to_json


@dataclass(frozen=True)
class Entry:
    seat: int
    action: Act
    at: datetime
    position: Snap | None
    saw: int | None = None
    behind: int | None = None


@dataclass(frozen=True)
class State:
    """put: card that lay up -> when it was covered. since: when the latest card came."""

    position: Snap
    put: Mapping[int, datetime]
    since: datetime | None = None
    outcome: Outcome | None = None

    def after(self, seat: int, action: Act, at: datetime, saw: int | None = None) -> Step:
        position = self.position.play(seat, action)
        put = self.put if self.position.top is None else {**self.put, self.position.top: at}
        state = State(position, put, at, position.outcome())
        return Step(state, (Entry(seat, action, at, position, saw),))


class Presenter:
    secrecy = "S1.1"

    def about(self) -> Json:
        return {"players": [2, 3], "options": {}}

    def settings(self, options: Mapping[str, Any]) -> Json:
        return {"players": SNAP.new(options, 0).players}

    def at_one_browser(self, settings: Json) -> Json:
        return settings

    def begin(self, settings: Json, seed: int, people: frozenset[int]) -> State:
        return State(SNAP.new(settings, seed), {})

    def position(self, state: State) -> Snap:
        return state.position

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def needs_deal(self, state: State) -> bool:
        return state.position.top is None

    def deal(self, state: State, action: Act, at: datetime) -> Step:
        return state.after(CHANCE, action, at)

    def judge(self, state: State, seat: int, intent: Json, at: datetime) -> Step | None:
        match intent:
            case {"card": int(card), "on": int(on)} if on == state.position.top:
                return state.after(seat, Act("put", (card,)), at, on)
            case {"card": int(card), "on": int(on)} if on in state.put:
                behind = milliseconds_between(state.put[on], at)
                return Step(state, (Entry(seat, Act("late", (card,)), at, state.position, on, behind),))
        raise NotationError("a card is put on the one that its player saw", key="action")

    def resign(self, state: State, seat: int, at: datetime) -> Step:
        entry = Entry(seat, Act("resign"), at, state.position)
        outcome = Outcome((1 - seat,), "resignation", "S3.2") if state.position.players == 2 else None
        return Step(replace(state, outcome=outcome), (entry,))

    def strikes_at(self, state: State) -> datetime | None:
        return None if state.since is None or state.outcome else state.since + PATIENCE

    def strike(self, state: State, at: datetime) -> Step:
        return state.after(CHANCE, Act("stop"), at)

    def rested(self, state: State, at: datetime) -> State:
        return replace(state, since=state.since and at)

    def asked(self, state: State, seat: int) -> list[Ask]:
        return [Ask("put", state.since, len(state.put) * 3 + seat)] if state.since else []

    def answer(self, player: Any, sight: Json, seat: int, asks: str, chance: Chance) -> Json | None:
        card = player.choose(sight, seat, chance)
        return None if card is None else {"card": card, "on": sight["top"]}

    def instead(self, state: State, asks: str) -> None:
        return None

    def shared(self, state: State, now: datetime) -> Json:
        return {"position": state.position.view(None)}

    def own(self, state: State, seats: Collection[int]) -> Json:
        return {"hands": {str(seat): state.position.view(seat).get("hand") for seat in seats}}

    def past(self, state: State, position: Snap, entries: int, entry: Entry | None) -> Json:
        return {"position": position.view(None)}

    def told(self, entry: Entry) -> Json:
        cards = [] if entry.action.type == "deal" else list(entry.action.cards)
        return {"seat": entry.seat, "action": {"type": entry.action.type, "cards": cards}}

    def options(self, state: State) -> bool:
        return True

    def said(self, state: State, entries: Sequence[Entry]) -> list[tuple[Decision, int, None]]:
        times = [milliseconds_between(entries[0].at, entry.at) for entry in entries]
        arrivals = [Arrival(at, each.saw, each.behind) for at, each in zip(times, entries, strict=True)]
        return [
            (Decision(entry.seat, entry.action, arrival=arrival), 1, None)
            for entry, arrival in zip(entries, arrivals, strict=True)
        ]

    def to_state(self, state: State) -> Json:
        put = {str(card): at.isoformat() for card, at in state.put.items()}
        since = state.since and state.since.isoformat()
        outcome = state.outcome and asdict(state.outcome)
        return {"position": state.position.to_state(), "put": put, "clock": since, "outcome": outcome}

    def from_state(self, value: Json) -> State:
        put = {int(card): datetime.fromisoformat(at) for card, at in value["put"].items()}
        said = value["outcome"]
        outcome = said and Outcome(tuple(said["winners"]), said["reason"], said["rule"])
        since = value["clock"] and datetime.fromisoformat(value["clock"])
        return State(SNAP.from_state(value["position"]), put, since, outcome)

    def entry_to_state(self, entry: Entry) -> Json:
        return {**asdict(replace(entry, position=None)), "at": entry.at.isoformat()}

    def entry_from_state(self, value: Json) -> Entry:
        action = Act(value["action"]["type"], tuple(value["action"]["cards"]))
        return Entry(**value | {"action": action, "at": datetime.fromisoformat(value["at"])})


class Book:
    OPENING_TAGS, TABLE_TAGS, EXAMPLE = ("Players",), ("Live",), "put:4"

    def parse_action(self, text: str) -> Act:
        match = re.fullmatch(r"([a-z]+)(?::([0-9,]+))?", text)
        if match is None:
            raise NotationError("a decision is written put:4")
        return Act(match[1], tuple(map(int, match[2].split(","))) if match[2] else ())

    def format_action(self, action: Act) -> str:
        return action.type + (f":{','.join(map(str, action.cards))}" if action.cards else "")

    def opening_tags(self, position: Snap) -> dict[str, str]:
        return {"Players": str(position.players)}

    def opening_from_tags(self, tags: Mapping[str, str]) -> Snap:
        return Snap(int(tags["Players"]))

    def table_tags(self, table: bool) -> dict[str, str]:
        return {"Live": "yes"}

    def table_from_tags(self, tags: Mapping[str, str]) -> bool | None:
        return True if "Live" in tags else None

    def number(self, position: Snap) -> int:
        return 1

    def asked(self, position: Snap) -> tuple[int, ...]:
        return position.actors()

    def follow(self, position: Snap, seat: int, action: Act) -> Snap:
        return position.play(seat, action)

    def summary(self, before: Snap, after: Snap) -> None:
        return None

    def referee(self, table: bool, turn_limit: int | None) -> Book:
        return self

    def play(self, position: Snap, decision: Decision) -> Snap:
        return position.play(decision.seat, decision.action)

    def check_result(self, said: Outcome, position: Snap) -> None:
        """Whoever resigns, the other wins."""


class First:
    """A bot that knows nothing of haste: it puts the first card that it can."""

    name = "first"

    def choose(self, sight: Json, seat: int, chance: Chance) -> int | None:
        return next((card for card in sight["hand"] if abs(card - sight["top"]) == 1), None)


class SnapGame:
    name, title, rules_version, players = "snap", "Snap, the game of neighbours", "1", range(2, 4)
    table_ends = TableEnds(resignation="S3.2")
    parts = Parts(
        table="race",
        presenter="snap:PRESENTER",
        book="snap:BOOK",
        notation="snap:BOOK",
        bots=MappingProxyType({"first": "snap:FIRST"}),
        stand_in="first",
    )

    def new(self, options: Mapping[str, Any], seed: int) -> Snap:
        if not set(options) <= {"players"} or options.get("players", 2) not in self.players:
            raise PositionError("2 or 3 play, and nothing else can be chosen", key="players")
        return Snap(options.get("players", 2))

    def from_json(self, value: Any) -> Snap:
        hands = tuple(tuple(hand) for hand in value["hands"])
        return Snap(value["players"], hands, value["top"], value["is_stopped"])

    from_state = from_json

    def parse_action(self, value: Any) -> Act:
        return Act(value["type"], tuple(value["cards"]))

    def action_to_json(self, action: Act) -> Json:
        return {"type": action.type, "cards": list(action.cards)}


SNAP, PRESENTER, BOOK, FIRST = SnapGame(), Presenter(), Book(), First()

"""Snap, a fourth game: hidden cards, and a race for each pair. Everything it brings is in this file.

Twelve cards of four ranks are dealt into face-down stacks. In turn everybody turns a card over; where it
has the rank of the card below, whoever snaps first takes the pile. It lives in the tests alone. Rule
numbers: S1 the deal, S2 the turn, S3 the snap, S4 the end.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from ekoes.errors import IllegalActionError, NotationError, PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Answer, Json, Outcome, Parts, TableEnds
from ekoes.games.api.reading import milliseconds_between
from ekoes.games.api.registry import game
from ekoes.games.api.table import Arrival, Ask, Decision

CARDS, RANKS = 12, 4
TURN_CLOCK = timedelta(seconds=5)
_DEAL = re.compile(r"deal:([0-9,]+)")


@dataclass(frozen=True)
class Deal:
    """S1: the order of the cards."""

    order: tuple[int, ...]


@dataclass(frozen=True)
class TurnOver:
    """S2: the next card of one's stack."""


@dataclass(frozen=True)
class Snap:
    """S3: the first player to claim the pile takes it."""


Action = Deal | TurnOver | Snap
_BARE: dict[str, Action] = {"turn": TurnOver(), "snap": Snap()}


@dataclass(frozen=True)
class SnapPosition:
    """stacks: face down, the next card last; pile: face up, likewise; steps: taken since the deal."""

    players: int
    stacks: tuple[tuple[int, ...], ...] = ()
    pile: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    player: int = 0
    steps: int = 0

    @property
    def game(self) -> Any:
        return game("snap")

    @property
    def is_pair(self) -> bool:
        return len(self.pile) > 1 and self.pile[-1] % RANKS == self.pile[-2] % RANKS

    @property
    def is_over(self) -> bool:
        return bool(self.stacks) and not any(self.stacks) and not self.is_pair

    def actors(self) -> tuple[int, ...]:
        return () if self.is_over else (self.player if self.stacks else CHANCE,)

    def legal(self, seat: int) -> Sequence[Action]:
        if (seat,) != self.actors() or seat == CHANCE:
            return ()
        return [Snap()] if self.is_pair else [TurnOver()]

    def seat_of(self, action: Action) -> int:
        return CHANCE if isinstance(action, Deal) else self.player

    def why_not(self, seat: int, action: Action) -> None:
        return None

    def play(self, seat: int, action: Action) -> SnapPosition:
        if isinstance(action, Deal):
            stacks = tuple(action.order[each :: self.players] for each in range(self.players))
            return replace(self, stacks=stacks, points=(0,) * self.players)
        if isinstance(action, Snap):
            if not self.is_pair:
                raise IllegalActionError("the two top cards are no pair", rule="S3.1")
            points = [won + len(self.pile) * (each == seat) for each, won in enumerate(self.points)]
            return replace(self, pile=(), points=tuple(points), steps=self.steps + 1)
        if seat != self.player or not self.stacks or not self.stacks[seat]:
            raise IllegalActionError("it is not your turn", rule="S2.1")
        left = [stack[: -1 if each == seat else None] for each, stack in enumerate(self.stacks)]
        following = (seat + 1) % self.players
        pile = (*self.pile, self.stacks[seat][-1])
        return replace(self, stacks=tuple(left), pile=pile, player=following, steps=self.steps + 1)

    def chance_action(self, chance: Chance) -> Deal:
        order = list(range(CARDS))
        chance.shuffle(order)
        return Deal(tuple(order))

    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        best = max(self.points)
        winners = tuple(seat for seat, won in enumerate(self.points) if won == best)
        return Outcome(winners, "points", "S4.1")

    def view(self, eye: int | None) -> Json:
        sizes = [len(stack) for stack in self.stacks]
        open_to_all = {"pile": list(self.pile), "points": list(self.points), "player": self.player}
        return {"sizes": sizes, "steps": self.steps, **open_to_all}

    def sight(self, seat: int) -> Json:
        return self.view(seat)

    def to_json(self) -> Json:
        return {"game": "snap", **asdict(self)}

    to_state = to_json


class SnapGame:
    name = "snap"
    title = "Snap, the game of pairs"
    rules_version = "1"
    players = range(2, 5)
    table_ends = TableEnds(resignation="S4.2")
    parts = Parts(
        table="race",
        presenter="snap:PRESENTER",
        book="snap:BOOK",
        notation="snap:BOOK",
        bots=MappingProxyType({"slow": "snap:SLOW", "quick": "snap:QUICK"}),
        stand_in="slow",
    )

    def new(self, options: Mapping[str, Any], seed: int) -> SnapPosition:
        if options.get("players", 2) not in self.players:
            raise PositionError("2 to 4 play", rule="S1.1", key="players")
        return SnapPosition(options.get("players", 2))

    def from_json(self, value: Any) -> SnapPosition:
        rows = tuple(map(tuple, value["stacks"]))
        pile, points = tuple(value["pile"]), tuple(value["points"])
        return SnapPosition(value["players"], rows, pile, points, value["player"], value["steps"])

    from_state = from_json

    def parse_action(self, value: Any) -> Action:
        match value:
            case {"type": "deal", "order": [*order]}:
                return Deal(tuple(order))
            case {"type": str(word)} if word in _BARE:
                return _BARE[word]
        raise NotationError(
            "an action of snap is turn or snap", code="message/unknown-type", key="action.type"
        )

    def action_to_json(self, action: Action) -> Json:
        if isinstance(action, Deal):
            return {"type": "deal", "order": list(action.order)}
        return {"type": "snap" if isinstance(action, Snap) else "turn"}


@dataclass(frozen=True)
class Late:
    """A snap that came too late; a remark of the record."""


@dataclass(frozen=True)
class Entry:
    seat: int
    action: Action | Late
    at: datetime
    position: SnapPosition | None
    saw: int = 0
    by_clock: bool = False


@dataclass(frozen=True)
class State:
    """The state of a table. began: when the cards were dealt; since: when the top card came."""

    position: SnapPosition
    began: datetime | None = None
    since: datetime | None = None
    left: int | None = None
    entries: tuple[Entry, ...] = ()

    @property
    def outcome(self) -> Outcome | None:
        if self.left is not None:
            return Outcome((1 - self.left,), "resignation", "S4.2")
        return self.position.outcome()

    @property
    def options(self) -> Json:
        return {"Live": "yes"}

    @property
    def needs_deal(self) -> bool:
        return not self.position.stacks

    @property
    def in_turn(self) -> int | None:
        return None if self.ends_at() is None else self.position.player

    @property
    def timed_out_seats(self) -> tuple[int, ...]:
        return ()

    def taken(self) -> tuple[State, tuple[Entry, ...]]:
        return replace(self, entries=()), self.entries

    def ends_at(self) -> datetime | None:
        waits = self.since is not None and not self.position.is_over and not self.position.is_pair
        return self.since + TURN_CLOCK if waits and self.since else None

    def with_clocks_from(self, at: datetime) -> State:
        return replace(self, since=self.since and at)

    def counting_timed_out_turns(self) -> State:
        return self


class Presenter:
    secrecy = "S1.2"
    timed = ()

    def about(self) -> Json:
        return {"players": [2, 4], "options": {}}

    def settings(self, options: Mapping[str, Any]) -> Json:
        return {"players": SNAP.new(options, 0).players}

    def at_one_browser(self, settings: Json) -> Json:
        return settings

    def begin(self, settings: Json, seed: int, people: frozenset[int]) -> State:
        return State(SNAP.new(settings, seed))

    def first(self, state: State) -> int:
        return state.position.player

    def merits(self, state: State) -> list[int]:
        return [0] * state.position.players

    def tempo(self, settings: Json) -> str:
        return "live"

    def deal(self, state: State, action: Deal, at: datetime) -> State:
        return _step(replace(state, began=at), CHANCE, action, at)

    def judge(self, state: State, seat: int, intent: Json, at: datetime) -> State:
        saw = intent.get("on")
        if not isinstance(saw, int):
            raise NotationError("this key is missing", code="message/missing-key", key="action.on")
        action = SNAP.parse_action({"type": intent.get("type")})
        if saw != state.position.steps:
            entry = Entry(seat, Late(), at, state.position, saw)
            return replace(state, entries=(entry,)) if isinstance(action, Snap) else state
        return _step(state, seat, action, at)

    def resign(self, state: State, seat: int, at: datetime) -> State:
        return replace(state, left=seat) if state.position.players == 2 else state

    def ended(self, state: State, outcome: Outcome, at: datetime) -> State:
        return state

    def with_people(self, state: State, people: frozenset[int], at: datetime) -> State:
        return state

    def may_show(self, state: State) -> bool:
        return False

    def showing(self, state: State) -> tuple[State, Json]:
        return state, {}

    def time_out(self, state: State, at: datetime) -> State:
        return _step(state, state.position.player, TurnOver(), at, by_clock=True)

    def asked(self, state: State, seat: int) -> Iterator[Ask]:
        if state.since and state.position.is_pair:
            yield Ask("snap", state.since, state.position.steps * 10 + seat)
        elif state.since and seat == state.position.player and not state.position.is_over:
            yield Ask("turn", state.since, state.position.steps * 10 + 5 + seat)

    def answer(self, player: Any, sight: Json, seat: int, asks: str, chance: Chance) -> Json | None:
        return {"type": asks, "on": sight["steps"]}

    def fallback(self, state: State, asks: str) -> Json | None:
        return {"type": asks, "on": state.position.steps}

    def shared_state(self, state: State, now: datetime) -> Json:
        return {"position": state.position.view(None)}

    def own_state(self, state: State, seats: Collection[int]) -> Json:
        return {}

    def actions(self, state: State, seat: int) -> list[Json]:
        return [{"type": ask.asks, "on": state.position.steps} for ask in self.asked(state, seat)]

    def past_state(self, state: State, position: SnapPosition, entries: int, entry: Entry | None) -> Json:
        return {"position": position.view(None)}

    def public_entry(self, entry: Entry) -> Json:
        hidden = replace(entry.action, order=()) if isinstance(entry.action, Deal) else entry.action
        word = BOOK.format_action(hidden)
        return {"seat": entry.seat, "notation": word, "at": entry.at.isoformat(), "saw": entry.saw}

    def in_order_of_arrival(self, state: State, entries: Sequence[Entry]) -> list[tuple[Decision, int, None]]:
        began = state.began
        return [(_decision(entry, began), 1, None) for entry in entries if began is not None]

    def to_state(self, state: State) -> Json:
        began, since = (moment and moment.isoformat() for moment in (state.began, state.since))
        position = state.position.to_json()
        return {"position": position, "left": state.left, "began": began, "clock": since}

    def from_state(self, value: Json) -> State:
        texts = (value["began"], value.get("clock"))
        began, since = (text and datetime.fromisoformat(text) for text in texts)
        return State(SNAP.from_json(value["position"]), began, since, value["left"])

    def entry_to_state(self, entry: Entry) -> Json:
        texts = {"action": BOOK.format_action(entry.action), "at": entry.at.isoformat()}
        return {"seat": entry.seat, "saw": entry.saw, **texts}

    def entry_from_state(self, value: Json) -> Entry:
        action, at = BOOK.parse_action(value["action"]), datetime.fromisoformat(value["at"])
        return Entry(value["seat"], action, at, None, value["saw"])


def _decision(entry: Entry, began: datetime) -> Decision:
    at = milliseconds_between(began, entry.at)
    return Decision(entry.seat, entry.action, arrival=Arrival(at, entry.saw))


def _step(state: State, seat: int, action: Action, at: datetime, *, by_clock: bool = False) -> State:
    position = state.position.play(seat, action)
    entry = Entry(seat, action, at, position, state.position.steps, by_clock)
    return replace(state, position=position, since=at, entries=(entry,))


class Book:
    OPENING_TAGS = ("Players",)
    TABLE_TAGS = ("Live",)
    EXAMPLE = "turn"

    def opening_tags(self, position: SnapPosition) -> dict[str, str]:
        return {"Players": str(position.players)}

    def opening_from_tags(self, tags: Mapping[str, str]) -> SnapPosition:
        return SNAP.new({"players": int(tags["Players"])}, 0)

    def table_tags(self, table: Json) -> dict[str, str]:
        return dict(table)

    def table_from_tags(self, tags: Mapping[str, str]) -> Json | None:
        return {"Live": tags["Live"]} if "Live" in tags else None

    def parse_action(self, text: str, _position: object = None) -> Action | Late:
        if text == "late":
            return Late()
        if text in _BARE:
            return _BARE[text]
        if deal := _DEAL.fullmatch(text):
            return Deal(tuple(map(int, deal[1].split(","))))
        raise NotationError(f"a decision is turn, snap or late, not {text!r:.40}")

    def format_action(self, action: Action | Late, _position: object = None) -> str:
        if isinstance(action, Deal):
            return f"deal:{','.join(map(str, action.order))}"
        return type(action).__name__.lower().removesuffix("over")

    def number(self, position: SnapPosition) -> int:
        return 1

    def asked(self, position: SnapPosition) -> tuple[int, ...]:
        return (CHANCE, *range(position.players)) if position.outcome() is None else ()

    def follow(self, position: SnapPosition, seat: int, action: Action | Late) -> SnapPosition:
        return position if isinstance(action, Late) else position.play(seat, action)

    def summary(self, before: SnapPosition, after: SnapPosition) -> None:
        return None

    def referee(self, table: Json | None, turn_limit: int | None) -> Referee:
        return Referee()


class Referee:
    def play(self, position: SnapPosition, decision: Decision) -> SnapPosition:
        return BOOK.follow(position, decision.seat, decision.action)

    def check_result(self, said: Outcome, position: SnapPosition) -> None:
        """Whoever leaves, the other wins."""


@dataclass(frozen=True)
class Bot:
    """A bot that knows haste: it has ``plan``."""

    name: str
    delay: int

    def choose(self, sight: Json, seat: int, chance: Chance) -> Action:
        ranks = [card % RANKS for card in sight["pile"][-2:]]
        return Snap() if len(ranks) == 2 and ranks[0] == ranks[1] else TurnOver()

    def plan(self, sight: Json, seat: int, asks: str, chance: Chance) -> Answer:
        return Answer({"type": asks, "on": sight["steps"]}, self.delay)


SNAP, PRESENTER, BOOK = SnapGame(), Presenter(), Book()
SLOW, QUICK = Bot("slow", 3000), Bot("quick", 400)

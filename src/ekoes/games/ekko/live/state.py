"""The state of a live table: options, stage, clocks, log entries and receipts (K7), and its stored form."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from ekoes.errors import NotationError, TableError
from ekoes.games.api.contract import Json, Outcome
from ekoes.games.api.reading import Strict, milliseconds_between, read_options, read_seconds, seconds_text
from ekoes.games.api.values import CachedJson, StoredFields, changed, plain_json
from ekoes.games.ekko.position.action import Action, Remark, format_arrived, parse_arrived
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.position.position_reader import position_from_state
from ekoes.games.ekko.position.state import Shown
from ekoes.games.ekko.rules.record import mirror_of

_FIELD_OF_TAG = {
    "Misplays": "misplays",
    "Reaction": "reaction",
    "TurnClock": "turn_clock",
    "Calm": "calm",
    "Window": "window",
    "Hints": "hints",
    "OpenHands": "open_hands",
}
LIVE_TAGS = ("Live", *_FIELD_OF_TAG)
"""The tags of a table's options, in the order of a record."""

SHORTEST = 3000
"""Minimum length of a turn in milliseconds, enough for a returning player to act."""
BETWEEN_ROUNDS = 3000
"""Milliseconds before a round begins when no human has to look at a hand."""
_TIMED_OUT = 3
"""Consecutive timed-out turns after which a player counts as absent."""
_TIMES = ("reaction", "turn_clock", "window")
_SECOND = 1000


class LiveForm(Strict):
    """The options as a client sends them. Times are whole seconds; None: no clock."""

    misplays: bool = True
    reaction: Annotated[int, Field(ge=1, le=10)] = 3
    turn_clock: Annotated[int, Field(ge=5, le=600)] | None = 30
    calm: bool = False
    window: Annotated[int, Field(ge=2, le=120)] | None = 6
    hints: bool = False
    open_hands: bool = False


@dataclass(frozen=True, slots=True)
class LiveOptions(CachedJson):
    """The options of a live table. Times are milliseconds; None: no clock.

    misplays: whether a wrong card costs a misplay (K4.3). reaction: the time in which a last card may be
    mirrored (K5.1). turn_clock: K7.5. calm: after each card all players have a window to claim a mirror, and
    claims are judged together; window: its length, None: until all have decided. hints: playable cards are
    shown. open_hands: all hands are shown after each round.
    """

    misplays: bool = True
    reaction: int = 3000
    turn_clock: int | None = None
    calm: bool = False
    window: int | None = None
    hints: bool = False
    open_hands: bool = False

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> LiveOptions:
        """Check the options of a client. Raises PositionError naming the key."""
        chosen = read_options(LiveForm, options).model_dump()
        return cls(**chosen | {key: chosen[key] and chosen[key] * _SECOND for key in _TIMES})

    def to_json(self) -> Json:
        """Return the options in the form that clients send, the inverse of ``read``."""
        value = asdict(self)
        if not self.open_hands:
            del value["open_hands"]
        return value | {key: value[key] and value[key] // _SECOND for key in _TIMES}

    def at_one_browser(self) -> LiveOptions:
        """Return the options without clocks, for several players in one browser.

        Raises: TableError outside calm mode, where players would see each other's hands.
        """
        if not self.calm:
            message = "several players at one browser need the calm mode"
            raise TableError(message, code="table/hot-seat", key="calm")
        return replace(self, turn_clock=None, window=None)

    def tags(self) -> dict[str, str]:
        """Write the options as tags, those that are off left out."""
        return {"Live": "yes"} | {
            tag: seconds_text(value) if name in _TIMES else "yes" if value else "no"
            for tag, name in _FIELD_OF_TAG.items()
            if (value := getattr(self, name)) or tag == "Misplays"
        }

    @classmethod
    def from_tags(cls, tags: Mapping[str, str]) -> LiveOptions | None:
        """Read the options, the inverse of ``tags``; None without the tag Live. Raises NotationError."""
        if not _yes({"Live": "no", **tags}, "Live"):
            return None
        read: dict[str, Any] = {
            name: _milliseconds(tags, tag) if name in _TIMES else _yes(tags, tag)
            for tag, name in _FIELD_OF_TAG.items()
            if tag in tags
        }
        return cls(**read)


def _yes(tags: Mapping[str, str], name: str) -> bool:
    if tags[name] not in {"yes", "no"}:
        raise NotationError(f"must be yes or no, not {tags[name]!r:.40}", key=name)
    return tags[name] == "yes"


def _milliseconds(tags: Mapping[str, str], name: str) -> int:
    milliseconds = read_seconds(tags[name])
    if not milliseconds:
        raise NotationError(f"must be a number of seconds above 0, not {tags[name]!r:.40}", key=name)
    return milliseconds


class Stage(StrEnum):
    """The event for which the table waits."""

    WAITING = "waiting"
    LOOK = "look"
    RACE = "race"
    WINDOW = "window"
    EFFECT = "effect"
    LEAVING = "leaving"
    OVER = "over"


class Verdict(StrEnum):
    """The result of an intent, as the type of its action if that is done; refused ones are not logged."""

    DEAL = "deal"
    PLAY = "play"
    CLAIM = "claim"
    MIRROR = "mirror"
    DRAW = "draw"
    MISPLAY = "misplay"
    LATE = "late"
    PASS = "pass"  # noqa: S105 - no password
    CLOSE = "close"
    RESIGN = "resign"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log. position: after the entry; None if the entry was read from storage.

    on: the top card that the player saw (K7.2). behind: for a late entry, by how many milliseconds another
    was quicker. draws: (seat, number of cards) drawn because of it. by_clock: whether the clock decided for
    the player (K7.5).
    """

    round: int
    seat: int
    action: Action | Remark
    verdict: Verdict
    at: datetime
    position: EkkoPosition | None
    on: int | None = None
    behind: int | None = None
    draws: tuple[tuple[int, int], ...] = ()
    by_clock: bool = False


@dataclass(frozen=True, slots=True)
class Moment(CachedJson):
    """A point in time. number: of the entry; it seeds the bots' random choices."""

    number: int
    at: datetime


@dataclass(frozen=True, slots=True)
class OpenMirror(CachedJson):
    """A claimed mirror that has not been played, because its effect or its window is open (K3.2)."""

    seat: int
    card: int
    on: int
    at: datetime
    effect: str | None = None
    aside: int | None = None


@dataclass(frozen=True, slots=True)
class First(CachedJson):
    """The first card on a top card (K7.1). at: its arrival; for a mirror, that of the claim.

    by_clock: whether the clock played it for the player (K7.5).
    """

    on: int
    seat: int
    card: int
    at: datetime
    is_mirror: bool
    by_clock: bool = False


@dataclass(frozen=True, slots=True)
class Loser:
    """An intent that came too late. card: None for a draw. behind: milliseconds after the first card."""

    seat: int
    card: int | None
    behind: int


@dataclass(frozen=True, slots=True)
class Receipt(CachedJson):
    """The result of a race: the first card and those that came too late. number: of its latest entry."""

    number: int
    first: First
    losers: tuple[Loser, ...] = ()


@dataclass(frozen=True, slots=True)
class Round(CachedJson):
    """The result of a round. Rule: K5. by: the seat that ended it, None if the pile was empty.

    hands: the cards left, at tables with open hands.
    """

    dealer: int
    points: tuple[int, ...]
    sizes: tuple[int, ...]
    totals: tuple[int, ...]
    reason: str
    by: int | None
    hands: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Ended(CachedJson):
    """The end of a round: when it was, and the hands at that time, hidden from others."""

    at: datetime
    hands: tuple[tuple[int, ...], ...]


Tried = tuple[int, int | None, int]
"""An intent that came too late: seat, card (None: a draw), and the top card that the player saw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveState:
    """A game in which intents are judged as they arrive (K7).

    people: the seats of human players. stage, since: what the table waits for, and since when. top_since:
    arrival of the top card. drew_since: the latest draw of each seat. ready: seats that have seen their
    hand. passed: seats that have passed on the mirror. claim: the mirror that waits for its effect or for
    the end of the window. withheld: entries of the window, secret until its end.

    Of this round, or of the one before until this one begins: shown, the latest position of each card that
    has been on top; firsts, the first card on each of them; late, what came too late; ended, its end, None
    before it. busy: until when cards of each seat are refused, empty at first.

    timed_out: the number of consecutive turns that the clock decided for each seat; empty: not counted.

    began: the deal of the first round. length: the number of entries so far. entries: those of the latest
    step, which the table moves to its log (``taken``) before the next one.
    """

    options: LiveOptions
    position: EkkoPosition
    people: frozenset[int] = frozenset()
    stage: Stage = Stage.WAITING
    since: Moment | None = None
    top_since: Moment | None = None
    drew_since: tuple[Moment | None, ...] = ()
    ready: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    claim: OpenMirror | None = None
    withheld: tuple[Entry, ...] = ()
    receipt: Receipt | None = None
    rounds: tuple[Round, ...] = ()
    shown: tuple[Shown, ...] = ()
    firsts: tuple[First, ...] = ()
    late: frozenset[Tried] = frozenset()
    ended: Ended | None = None
    busy: tuple[datetime | None, ...] = ()
    timed_out: tuple[int, ...] = ()
    began: datetime | None = None
    outcome: Outcome | None = None
    length: int = 0
    entries: tuple[Entry, ...] = ()

    @property
    def has_window(self) -> bool:
        """Whether claims are collected to be judged together (calm mode)."""
        return self.stage is Stage.WINDOW or (self.options.calm and self.stage is Stage.LEAVING)

    @property
    def choosing(self) -> OpenMirror | None:
        """The claimed mirror whose player chooses its effect (K3.2), if any."""
        return self.claim if self.stage is Stage.EFFECT else None

    @property
    def decided(self) -> frozenset[int]:
        """The seats that have passed or claimed, in a window or a reaction time."""
        claimed = {self.claim.seat} if self.claim is not None and self.has_window else set()
        return self.passed | claimed

    @property
    def needs_deal(self) -> bool:
        """Whether a round has to be dealt."""
        return self.stage is Stage.WAITING

    @property
    def round(self) -> int:
        """The number of the round that goes on, or of the one before until the next begins."""
        return self.position.round if self.ended is None else self.position.round - 1

    def seen(self, card: int) -> Shown | None:
        """Return the latest position of this round with a top card (K7.2)."""
        return next((shown for shown in self.shown if shown.top == card), None)

    def first(self, on: int) -> First | None:
        """Return the first card on a card of this round, or the claim of its mirror."""
        claim = self.choosing
        if claim is not None and claim.on == on:
            return First(on, claim.seat, claim.card, claim.at, is_mirror=True)
        return next((first for first in self.firsts if first.on == on), None)

    def behind(self, on: int, at: datetime) -> int | None:
        """Return the milliseconds since the first card on a card, else since the end of its round, if any."""
        quicker, begin = self.first(on) or self.ended, self.began or at
        if quicker is None:
            return None
        return milliseconds_between(begin, at) - milliseconds_between(begin, quicker.at)

    def answered(self, seat: int, card: int | None, on: int) -> int:
        """Return the top card that a card (None: a draw) answers, skipping those the seat covered itself.

        The second of two cards sent is thus judged on the first; a mirror answers the card that it names.
        Rule: K4.1, K4.2, K7.2.
        """
        own = {first.on: first.card for first in self.firsts if first.seat == seat and not first.by_clock}
        while on in own and mirror_of(on) != card:
            on = own[on]
        return on

    def taken(self) -> tuple[LiveState, tuple[Entry, ...]]:
        """Return the state without the entries of the latest step, and those entries."""
        return changed(self, entries=()), self.entries

    def free_at(self, seat: int, at: datetime) -> datetime:
        """Return the time from which cards of a seat are accepted; not before ``at``."""
        until = self.busy[seat] if self.busy else None
        return at if until is None else max(at, until)

    def may_be_hasty(self, seat: int) -> bool:
        """Return whether haste could pay: not in calm mode, with an open mirror, or after a last card.

        Bots are excluded: a bot that names a card which was never on top has made a mistake.
        """
        is_race = not self.options.calm and self.stage in {Stage.LOOK, Stage.RACE}
        return is_race and seat in self.people

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that the table waits for: the player in turn, or the one who chooses an effect."""
        seat = self.position.player if self.choosing is None else self.choosing.seat
        return frozenset() if seat is None else frozenset({seat})

    @property
    def in_turn(self) -> int | None:
        """The seat whose turn the running clock ends (K7.5), None if it ends none."""
        return self.position.player if self.stage is Stage.RACE else None

    @property
    def timed_out_seats(self) -> frozenset[int]:
        """The seats that seem absent, because the clock decided several consecutive turns for them."""
        return frozenset(seat for seat, turns in enumerate(self.timed_out) if turns >= _TIMED_OUT)

    @property
    def time_limit(self) -> int | None:
        """The length of the stage in milliseconds; None: no clock runs. Rule: K5.1, K7.5."""
        options = self.options
        match self.stage:
            case Stage.LOOK:
                return self._turn_clock(self.people - self.ready) if self.people else BETWEEN_ROUNDS
            case Stage.RACE | Stage.EFFECT:
                return self._turn_clock(self.awaited)
            case Stage.WINDOW:
                return options.window
            case Stage.LEAVING:
                return options.window if options.calm else options.reaction
            case Stage.WAITING | Stage.OVER:
                return None

    def _turn_clock(self, seats: Collection[int]) -> int | None:
        """Return the longest turn clock of the given seats; timed-out turns halve it. Rule: K7.5."""
        whole = self.options.turn_clock
        if whole is None or not self.timed_out or not seats:
            return whole
        return max(max(SHORTEST, whole >> self.timed_out[seat]) for seat in seats)

    def ends_at(self) -> datetime | None:
        """Return when the running clock runs out, None if none runs."""
        limit = self.time_limit
        if limit is None or self.since is None:
            return None
        return self.since.at + timedelta(milliseconds=limit)

    def remaining(self, now: datetime) -> int | None:
        """Return the milliseconds left on the running clock, None if none runs."""
        ends = self.ends_at()
        return None if ends is None else max(0, milliseconds_between(now, ends))

    def with_busy_hand(self, seat: int, until: datetime | None) -> LiveState:
        """Return the state in which cards of a seat are refused until a time."""
        before = self.busy or (None,) * self.position.players
        return changed(self, busy=(*before[:seat], until, *before[seat + 1 :]))

    def with_timed_out_turns(self, seat: int, turns: int) -> LiveState:
        """Return the state with the number of consecutive turns that the clock decided for a seat."""
        if not self.timed_out or self.timed_out[seat] == turns:
            return self
        return changed(self, timed_out=(*self.timed_out[:seat], turns, *self.timed_out[seat + 1 :]))

    def counting_timed_out_turns(self) -> LiveState:
        """Return the state before the first deal, with shorter clocks for timed-out seats."""
        return changed(self, timed_out=(0,) * self.position.players)

    def with_clocks_from(self, at: datetime) -> LiveState:
        """Return the state with all clocks and delays restarted, after the server was down."""

        def restarted(moment: Moment | None) -> Moment | None:
            return moment and changed(moment, at=at)

        drew_since = tuple(map(restarted, self.drew_since))
        since, top_since = restarted(self.since), restarted(self.top_since)
        return changed(self, since=since, top_since=top_since, drew_since=drew_since)

    def moved(self, position: EkkoPosition) -> LiveState:
        """Return the state with its next position, which the players now see (K7.2)."""
        shown, now = self.shown, position.shown()
        if now is not None:
            shown = (*(each for each in shown if each.top != now.top), now)
        return changed(self, position=position, shown=shown)

    def note(self, *entries: Entry) -> LiveState:
        """Return the state with more entries in its log."""
        return changed(self, entries=(*self.entries, *entries), length=self.length + len(entries))

    def enter(self, stage: Stage, at: datetime) -> LiveState:
        """Return the state at the beginning of a stage."""
        claim = self.claim if stage is Stage.EFFECT else None
        since = Moment(self.length, at)
        return changed(self, stage=stage, since=since, claim=claim, passed=frozenset(), withheld=())


_SETS = ("people", "ready", "passed", "late")


_STATE = StoredFields(LiveState, besides=("position", "withheld", "entries"))
_ENTRY = StoredFields(Entry, besides=("action", "position"))


def to_state(state: LiveState) -> Json:
    """Return the JSON of a state between two steps; equal states give equal JSON.

    ``clock`` has the start times of the clocks, which restart after the server was down.
    """
    names = ("stage", "began", "outcome", "busy", *(("timed_out",) if state.timed_out else ()))
    return {
        **plain_json({name: getattr(state, name) for name in names}),
        **{name: sorted(map(_row, getattr(state, name)), key=str) for name in _SETS},
        "options": without_empty(state.options.json, "open_hands"),
        "claim": state.claim and state.claim.json,
        "receipt": state.receipt and state.receipt.json,
        "ended": state.ended and state.ended.json,
        "rounds": [without_empty(finished.json, "hands") for finished in state.rounds],
        "shown": [shown.json for shown in state.shown],
        "firsts": [first.json for first in state.firsts],
        "length": state.length,
        "position": state.position.to_state(),
        "withheld": [entry_to_state(entry) for entry in state.withheld],
        "clock": {
            "since": state.since and state.since.json,
            "top_since": state.top_since and state.top_since.json,
            "drew_since": [moment and moment.json for moment in state.drew_since],
        },
    }


def without_empty(value: Json, optional: str) -> Json:
    """Leave out a key if it is empty, so that digests of states from before that key stay the same."""
    return value if value[optional] else {key: content for key, content in value.items() if key != optional}


def _row(member: int | Tried) -> int | list[int | None]:
    return member if isinstance(member, int) else list(member)


def from_state(value: Json) -> LiveState:
    """Read the JSON that ``to_state`` returns; missing keys have their defaults."""
    position = position_from_state(value["position"])
    return LiveState(
        **_STATE.read(value | value["clock"]),
        position=position,
        withheld=tuple(replace(entry_from_state(entry), position=position) for entry in value["withheld"]),
    )


def entry_to_state(entry: Entry) -> Json:
    """Return the JSON of an entry without its position, hidden cards included."""
    return plain_json({name: getattr(entry, name) for name in _ENTRY.defaults}) | {
        "action": format_arrived(entry.action)
    }


def entry_from_state(value: Json) -> Entry:
    """Read the JSON that ``entry_to_state`` returns."""
    return Entry(**_ENTRY.read(value), action=parse_arrived(value["action"]), position=None)

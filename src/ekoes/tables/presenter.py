"""How tables play and show a game: what each game provides for them, by the kind of its tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, Self

from typing_extensions import TypeVar

from ekoes.bots import Bot
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json, Outcome, Position, Turn
from ekoes.games.api.table import Ask, Decision

P_co = TypeVar("P_co", bound=Position, covariant=True)


class LogEntry(Protocol[P_co]):
    """An entry of a table's log. position: after it; None if read from storage."""

    @property
    def seat(self) -> int: ...  # noqa: D102 - as above
    @property
    def at(self) -> datetime: ...  # noqa: D102
    @property
    def position(self) -> P_co | None: ...  # noqa: D102


class RaceEntry(LogEntry[P_co], Protocol[P_co]):
    """An entry of a real-time game's log. by_clock: the clock decided for the player."""

    @property
    def by_clock(self) -> bool: ...  # noqa: D102


A = TypeVar("A")
E = TypeVar("E", bound=RaceEntry[Any], default=Any)
E_co = TypeVar("E_co", bound=RaceEntry[Any], covariant=True)
P_contra = TypeVar("P_contra", contravariant=True)


class RaceState(Protocol[P_co, E_co]):
    """An immutable state of a real-time game: a position, what happens around it, and its clocks."""

    @property
    def position(self) -> P_co:
        """The current position."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules or by a resignation; None while the game is running."""

    @property
    def options(self) -> object:
        """The options of the table as the game's book writes them (``Book.table_tags``)."""

    @property
    def needs_deal(self) -> bool:
        """Whether a chance decision (``Position.chance_action``) is due before anything else."""

    @property
    def in_turn(self) -> int | None:
        """The seat for which the running clock will decide, None if for no one."""

    @property
    def timed_out_seats(self) -> Collection[int]:
        """The players who let their time run out turn after turn: others need not wait for them."""

    def taken(self) -> tuple[Self, tuple[E_co, ...]]:
        """Return the state without the log entries of the latest event, and these entries."""

    def ends_at(self) -> datetime | None:
        """Return when the running clock runs out, None if none runs."""

    def with_clocks_from(self, at: datetime) -> Self:
        """Return the state with its clocks restarted after the server was down."""

    def counting_timed_out_turns(self) -> Self:
        """Return the state before the first deal, with short waits for players who time out."""


State = TypeVar("State", bound=RaceState[Any, Any], default=Any)


class Presenter(Protocol[P_contra]):
    """The part that both kinds of tables need."""

    def about(self) -> Json:
        """Describe the options of a table of this game."""

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options of a new game and return them complete, as JSON. Raises EkoesError."""

    def merits(self, state: P_contra, /) -> Sequence[int]:
        """Return a score for each seat: more is better."""


class TurnPresenter(Presenter[P_contra], Protocol[P_contra, A]):
    """How tables play and show a turn-based game, with its positions and its actions."""

    def turn(self, position: P_contra) -> Turn:
        """Return the number of the turn of the next decision."""

    def identity(self, position: P_contra) -> bytes | None:
        """Return a value that is equal for positions that repeat each other at the start of a turn.

        None where repetition does not count, as in the set-up.
        """

    def can_hold(self, position: P_contra) -> bool:
        """Return whether a turn that a decision has finished may be held open.

        Where not, the decision can be taken back until another player decides.
        """

    def least(self, position: P_contra, seat: int) -> A:
        """Return the legal action with which a seat does as little as possible."""

    def board(self, position: P_contra) -> Json:
        """Return what stays the same for the whole game."""

    def choices(self, position: P_contra, seat: int) -> list[Json] | None:
        """Return the legal actions of a seat as objects with ``action`` and ``notation``.

        None: the game's page has its rules, and needs no list.
        """

    def actions(self, position: P_contra, seat: int) -> Iterable[Json]:
        """Return the legal actions of a seat in the interchange form; too long a list loses the last ones."""

    def describe(self, position: P_contra, action: A, after: P_contra) -> Json:
        """Describe a decision for the log: notation and effects. after: the position after it."""


class RacePresenter(Presenter[State], Protocol[P_contra, State, E]):
    """How tables play and show a real-time game, with its positions, live states and log entries."""

    secrecy: str
    """The rule that hides the record, which shows every hand, until the game is over."""
    timed: Collection[str]
    """The keys of ``shared_state`` that depend on the time."""

    # ------------------------------------------------------------ new games

    def at_one_browser(self, settings: Json) -> Json:
        """Return the settings for several players at one browser. Raises TableError if there are none."""

    def begin(self, settings: Json, seed: int, people: frozenset[int]) -> State:
        """Return the state before the first deal. people: the seats that people hold or may take."""

    def first(self, state: State) -> int:
        """Return the seat that the first deal is drawn for: the dealer, or who begins."""

    def tempo(self, settings: Json) -> str:
        """Return how fast the game is, in a word."""

    # ------------------------------------------------------------ events, which return the next state

    def deal(self, state: State, action: Any, at: datetime) -> State:  # noqa: ANN401 - as chance_action gives it
        """Apply a chance decision. Raises IllegalActionError."""

    def judge(self, state: State, seat: int, intent: Json, at: datetime) -> State:
        """Judge a player's intent; the same state if it has no effect any more. Raises EkoesError."""

    def resign(self, state: State, seat: int, at: datetime) -> State:
        """Remove a player: of two, the other wins; else a bot plays on."""

    def ended(self, state: State, outcome: Outcome, at: datetime) -> State:
        """End the game with an outcome that is not by the rules of play."""

    def with_people(self, state: State, people: frozenset[int], at: datetime) -> State:
        """Continue with people at other seats: a bot has replaced a player, or a player is back."""

    def may_show(self, state: State) -> bool:
        """Return whether hands stay hidden after each round but could be shown."""

    def showing(self, state: State) -> tuple[State, Json]:
        """Return the state with open hands after each round from now on, and the options for that."""

    def time_out(self, state: State, at: datetime) -> State:
        """Apply what is due when the clock runs out."""

    # ------------------------------------------------------------ bots

    def asked(self, state: State, seat: int) -> Iterable[Ask]:
        """Return the requests to the bot of a seat: what it would do if no one else acted before."""

    def answer(self, player: Bot, sight: Any, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401 - of Position.sight
        """Return the intent of a bot without a ``plan`` method, by ``Bot.choose``; None: nothing."""

    def fallback(self, state: State, asks: str) -> Json | None:
        """Return a replacement for an illegal or missing answer if others wait for one, else None."""

    # ------------------------------------------------------------ views

    def shared_state(self, state: State, now: datetime) -> Json:
        """Return the part of the state that everybody sees."""

    def own_state(self, state: State, seats: Collection[int]) -> Json:
        """Return the part that only the user of some seats sees; without seats, the same keys empty."""

    def actions(self, state: State, seat: int) -> list[Json]:
        """Return the intents of a seat if it is to decide; they depend only on what its player sees."""

    def past_state(self, state: State, position: P_contra, entries: int, entry: E | None) -> Json:
        """Return the public state after some entries. position: the position at that time.

        state: the current one. entry: the last of these entries, None if there is none.
        """

    def public_entry(self, entry: E) -> Json:
        """Return the public part of an entry."""

    # ------------------------------------------------------------ records and stores

    def in_order_of_arrival(
        self, state: State, entries: Sequence[E]
    ) -> Sequence[tuple[Decision, int, str | None]]:
        """Return the whole log for a record, in order of arrival.

        Each decision comes with the number of its turn or round, and the note after it.
        """

    def to_state(self, state: State) -> Json:
        """Return a state as stored JSON, complete; equal states give equal JSON.

        The start of clocks is under the key ``clock`` and nowhere else.
        """

    def from_state(self, value: Json) -> State:
        """Read what ``to_state`` wrote."""

    def entry_to_state(self, entry: E) -> Json:
        """Return an entry as stored JSON: complete, but without its position."""

    def entry_from_state(self, value: Json) -> E:
        """Read what ``entry_to_state`` wrote."""

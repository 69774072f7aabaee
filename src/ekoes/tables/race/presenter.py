"""What a real-time game provides for its tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, cast

from ekoes.bots import Bot
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json, Outcome, Position
from ekoes.games.api.registry import game, load
from ekoes.games.api.table import Ask, Decision, Step


class Presenter(Protocol):
    """How a table plays and shows one game. All states and entries are of that game."""

    secrecy: str
    """The rule that hides the record, which shows every hand, until the game is over."""
    timed: Collection[str]
    """The keys of ``shared`` that depend on the time."""

    # ------------------------------------------------------------ new games

    def about(self) -> Json:
        """Describe the options of a table of this game."""

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options of a new game and return them complete, as JSON. Raises EkoesError."""

    def at_one_browser(self, settings: Json) -> Json:
        """Return the settings for several players at one browser. Raises TableError if there are none."""

    def begin(self, settings: Json, seed: int, people: frozenset[int]) -> Any:  # noqa: ANN401
        """Return the state before the first deal. people: the seats that people hold or may take."""

    def stands(self, settings: Json, position: Any, people: frozenset[int], at: datetime) -> Any:  # noqa: ANN401
        """Return the state of a game that starts from a position. Raises EkoesError."""

    def position(self, state: Any) -> Position:  # noqa: ANN401
        """Return the current position."""

    def outcome(self, state: Any) -> Outcome | None:  # noqa: ANN401
        """Return the outcome by the rules or by a resignation; None while the game is running."""

    def merits(self, state: Any) -> Sequence[int]:  # noqa: ANN401
        """Return a score for each seat: more is better."""

    def tempo(self, settings: Json) -> str:
        """Return how fast the game is, in a word."""

    # ------------------------------------------------------------ events

    def needs_deal(self, state: Any) -> bool:  # noqa: ANN401
        """Return whether a chance decision (``Position.chance_action``) is due before anything else."""

    def deal(self, state: Any, action: Any, at: datetime) -> Step:  # noqa: ANN401
        """Apply a chance decision. Raises IllegalActionError."""

    def judge(self, state: Any, seat: int, intent: Json, at: datetime) -> Step | None:  # noqa: ANN401
        """Judge a player's intent; None if it comes too late to change anything. Raises EkoesError."""

    def resign(self, state: Any, seat: int, at: datetime) -> Step:  # noqa: ANN401
        """Remove a player: of two, the other wins; else a bot plays on."""

    def draw(self, state: Any, at: datetime) -> Step:  # noqa: ANN401
        """End the game as a draw by agreement."""

    def with_people(self, state: Any, people: frozenset[int], at: datetime) -> Step:  # noqa: ANN401
        """Continue with people at other seats: a bot has replaced a player, or a player is back."""

    def impatient(self, state: Any) -> Any:  # noqa: ANN401
        """Return the state before the first deal, with short waits for idle players."""

    def silent(self, state: Any) -> Collection[int]:  # noqa: ANN401
        """Return the players who let their time run out turn after turn: others need not wait for them."""

    def may_show(self, state: Any) -> bool:  # noqa: ANN401
        """Return whether hands stay hidden after each round but could be shown."""

    def showing(self, state: Any) -> tuple[Any, Json]:  # noqa: ANN401
        """Return the state with open hands after each round from now on, and the options for that."""

    def strikes_at(self, state: Any) -> datetime | None:  # noqa: ANN401
        """Return when the running clock runs out, None if none runs."""

    def strike(self, state: Any, at: datetime) -> Step:  # noqa: ANN401
        """Apply what is due when the clock runs out."""

    def rested(self, state: Any, at: datetime) -> Any:  # noqa: ANN401
        """Return the state with its clocks restarted after the server was down."""

    # ------------------------------------------------------------ bots

    def asked(self, state: Any, seat: int) -> Iterable[Ask]:  # noqa: ANN401
        """Return the requests to the bot of a seat: what it would do if no one else acted before."""

    def answer(self, player: Bot, sight: Any, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401
        """Return the wish of a bot without a ``plan`` method, by ``Bot.choose``; None: nothing."""

    def instead(self, state: Any, asks: str) -> Json | None:  # noqa: ANN401
        """Return a replacement for an illegal or missing answer if others wait for one, else None."""

    # ------------------------------------------------------------ views

    def shared(self, state: Any, now: datetime) -> Json:  # noqa: ANN401
        """Return the part of the state that everybody sees."""

    def own(self, state: Any, seats: Collection[int]) -> Json:  # noqa: ANN401
        """Return the part that only the holder of some seats sees; without seats, the same keys empty."""

    def past(self, state: Any, position: Any, entries: int, entry: Any) -> Json:  # noqa: ANN401
        """Return the public state after some entries. position: the position at that time.

        state: the current one. entry: the last of these entries, None if there is none.
        """

    def told(self, entry: Any) -> Json:  # noqa: ANN401
        """Return the public part of an entry."""

    # ------------------------------------------------------------ records and stores

    def options(self, state: Any) -> Any:  # noqa: ANN401
        """Return the options of the table as the game's book writes them (``Book.table_tags``)."""

    def said(self, state: Any, entries: Sequence[Any]) -> Sequence[tuple[Decision, int, str | None]]:  # noqa: ANN401
        """Return the whole log for a record, in order of arrival.

        Each decision comes with the number of its turn or round, and the note after it.
        """

    def to_state(self, state: Any) -> Json:  # noqa: ANN401
        """Return a state as stored JSON, complete; equal states give equal JSON.

        The start of clocks is under the key ``clock`` and nowhere else.
        """

    def from_state(self, value: Json) -> Any:  # noqa: ANN401
        """Read what ``to_state`` wrote."""

    def entry_to_state(self, entry: Any) -> Json:  # noqa: ANN401
        """Return an entry as stored JSON: complete, but without its position."""

    def entry_from_state(self, value: Json) -> Any:  # noqa: ANN401
        """Read what ``entry_to_state`` wrote."""


def presenter(name: str) -> Presenter:
    """Return the presenter of a real-time game."""
    return cast("Presenter", load(game(name).parts.presenter))

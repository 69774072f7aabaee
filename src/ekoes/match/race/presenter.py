"""What a table where the quicker hand wins must know of a game: its course, and how it looks on a page.

The game keeps a state of its own, a frozen value that the table hands back with each question. What
arrives makes a ``Step`` of it: the next state, and entries for the log. All of it is pure; time is
an argument.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, cast

from ekoes.bots import Bot
from ekoes.games.chance import Chance
from ekoes.games.contract import Json, Outcome, Position
from ekoes.games.racing import Ask, Step
from ekoes.games.recording import Decision
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load

__all__ = ["Presenter", "presenter"]


class Presenter(Protocol):
    """The game as its table plays and shows it. Each state and entry handed over is of that game."""

    secrecy: str
    """The rule by which the record, which holds everything, can't be had while the game goes on."""
    timed: Collection[str]
    """The keys of ``shared`` that time alone changes."""

    # ------------------------------------------------------------ beginning

    def about(self) -> Json:
        """Describe what a table of this game can be set to."""

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options of a new game and return them complete, as JSON. Raises EkoesError."""

    def at_one_browser(self, settings: Json) -> Json:
        """Return the settings where several players share a browser. Raises TableError if they can't."""

    def begin(self, settings: Json, seed: int, people: frozenset[int]) -> Any:  # noqa: ANN401
        """Return the state before anything is dealt. people: the seats that persons hold or may take."""

    def stands(self, settings: Json, position: Any, people: frozenset[int], at: datetime) -> Any:  # noqa: ANN401
        """Return the state of a game that goes on from a position. Raises EkoesError."""

    def position(self, state: Any) -> Position:  # noqa: ANN401
        """Return where the game stands."""

    def outcome(self, state: Any) -> Outcome | None:  # noqa: ANN401
        """Return how the game ended, by its rules or by a resignation; None while it goes on."""

    def merits(self, state: Any) -> Sequence[int]:  # noqa: ANN401
        """Tell what the players have come to, seat by seat: more is better."""

    def tempo(self, settings: Json) -> str:
        """Return in a word how quick one has to be."""

    # ------------------------------------------------------------ what happens

    def needs_deal(self, state: Any) -> bool:  # noqa: ANN401
        """Tell whether chance has to decide before anything else: ``Position.chance_action``."""

    def deal(self, state: Any, action: Any, at: datetime) -> Step:  # noqa: ANN401
        """Do what chance has decided. Raises IllegalActionError."""

    def judge(self, state: Any, seat: int, intent: Json, at: datetime) -> Step | None:  # noqa: ANN401
        """Judge what a player sent; None if it comes to nothing any more. Raises EkoesError."""

    def resign(self, state: Any, seat: int, at: datetime) -> Step:  # noqa: ANN401
        """Let a player go: of two, the other wins; else a bot plays on."""

    def draw(self, state: Any, at: datetime) -> Step:  # noqa: ANN401
        """End the game without a winner, as all have agreed."""

    def with_people(self, state: Any, people: frozenset[int], at: datetime) -> Step:  # noqa: ANN401
        """Go on with persons at other seats: a bot has sat down for one of them, or one is back."""

    def impatient(self, state: Any) -> Any:  # noqa: ANN401
        """Return the state before the first deal, where nobody waits for long for who does nothing."""

    def silent(self, state: Any) -> Collection[int]:  # noqa: ANN401
        """Return who has left turn after turn to the clock, so that the others need not wait for them."""

    def may_show(self, state: Any) -> bool:  # noqa: ANN401
        """Tell whether hands are hidden after each round, that could be open."""

    def showing(self, state: Any) -> tuple[Any, Json]:  # noqa: ANN401
        """Return the state with open hands after each round from now on, and the options that say so."""

    def strikes_at(self, state: Any) -> datetime | None:  # noqa: ANN401
        """Return when the running clock runs out, None if none runs."""

    def strike(self, state: Any, at: datetime) -> Step:  # noqa: ANN401
        """Do what the clock makes due."""

    def rested(self, state: Any, at: datetime) -> Any:  # noqa: ANN401
        """Return the state with clocks begun anew, after the server was away."""

    # ------------------------------------------------------------ bots

    def asked(self, state: Any, seat: int) -> Iterable[Ask]:  # noqa: ANN401
        """Return what a bot at a seat is asked: what it would do if nobody else did anything before."""

    def answer(self, player: Bot, sight: Any, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401
        """Return what a bot wants that has no ``plan`` of its own, by ``Bot.choose``; None: nothing."""

    def instead(self, state: Any, asks: str) -> Json | None:  # noqa: ANN401
        """Return what stands in for a mistake, or for no answer, where others wait for one; else None."""

    # ------------------------------------------------------------ views

    def shared(self, state: Any, now: datetime) -> Json:  # noqa: ANN401
        """Return what everybody may see."""

    def own(self, state: Any, seats: Collection[int]) -> Json:  # noqa: ANN401
        """Return what the holder of some seats sees besides; of none, the same keys empty."""

    def past(self, state: Any, position: Any, entries: int, entry: Any) -> Json:  # noqa: ANN401
        """Return what everybody saw after some entries. position: where the game stood then.

        state: where it stands now. entry: the last of these entries, None if there is none.
        """

    def told(self, entry: Any) -> Json:  # noqa: ANN401
        """Write an entry as everybody may see it."""

    # ------------------------------------------------------------ records and stores

    def options(self, state: Any) -> Any:  # noqa: ANN401
        """Return the options of the table as the game's book writes them (``Book.table_tags``)."""

    def said(self, state: Any, entries: Sequence[Any]) -> Sequence[tuple[Decision, int, str | None]]:  # noqa: ANN401
        """Return a whole log as a record holds it, in order of arrival.

        With each decision comes the number of its turn or round, and what is noted behind it.
        """

    def to_state(self, state: Any) -> Json:  # noqa: ANN401
        """Write a state as a store keeps it, complete; equal states give equal JSON.

        What clocks count from stands under the key ``clock`` and nowhere else.
        """

    def from_state(self, value: Json) -> Any:  # noqa: ANN401
        """Read what ``to_state`` wrote."""

    def entry_to_state(self, entry: Any) -> Json:  # noqa: ANN401
        """Write an entry as a store keeps it: complete, but without its position."""

    def entry_from_state(self, value: Json) -> Any:  # noqa: ANN401
        """Read what ``entry_to_state`` wrote."""


def presenter(game: str) -> Presenter:
    """Return the presenter of a game where the quicker hand wins."""
    return cast("Presenter", load(game_of(game).parts.presenter))

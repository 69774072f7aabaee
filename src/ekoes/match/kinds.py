"""The kinds of table, and which of them a game is played at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any, Protocol, cast

from ekoes.games.chance import Chance
from ekoes.games.contract import Answer, Json
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load
from ekoes.match.clock_plan import ClockPlan
from ekoes.match.orders import AnyOrder
from ekoes.match.plan import TablePlan
from ekoes.match.proposal import Consent, Proposal, What
from ekoes.match.question import Question
from ekoes.match.seats import Seat
from ekoes.match.secret import Secret
from ekoes.match.state import Move, Table

__all__ = ["KINDS", "TableKind", "kind_of"]

KINDS = MappingProxyType({"turns": "ekoes.match.turns.kind", "race": "ekoes.match.race.kind"})
"""Word -> the module that is the kind; imported when first asked for."""


class TableKind(Protocol):
    """What the module of a kind of table offers. All of it is pure; what may fail raises EkoesError."""

    # ------------------------------------------------------------ beginning

    def about(self, game: str) -> Json:
        """Describe what a table of a game can be set to."""

    def check_plan(self, plan: TablePlan) -> None:
        """Refuse a plan that asks for what this kind does not offer."""

    def preview(self, game: str, options: dict[str, Any], seed: int) -> Json:
        """Deal a first position to look at."""

    def new_table(
        self, game: str, options: dict[str, Any], seed: int, seats: tuple[Seat, ...], turn_limit: int | None
    ) -> Table:
        """Return a table before its first decision."""

    def with_clock(self, table: Any, clock: ClockPlan) -> Any:  # noqa: ANN401
        """Return a table before its first decision with a clock. Raises PositionError where it takes none."""

    def with_consent(self, table: Any, consent: Consent) -> Any:  # noqa: ANN401
        """Return a table before its first decision, set to what it leaves to its people."""

    def table_at(self, game: str, options: Json, position: Any, seats: tuple[Seat, ...], at: datetime) -> Any:  # noqa: ANN401
        """Return a table whose game stands at a position. options: complete. Raises EkoesError."""

    # ------------------------------------------------------------ orders

    def order_of(self, table: Any, seat: int, action: Json) -> AnyOrder:  # noqa: ANN401
        """Return the order by which a seat does something now. Raises NotationError."""

    def copied_ahead(self, table: Any, session: str) -> Any:  # noqa: ANN401
        """Return a copy of a table on which a session plays all seats. Raises TableError where nobody may."""

    def position_of(self, table: Any) -> Any:  # noqa: ANN401
        """Return where the game stands."""

    def merits(self, table: Any) -> Sequence[int]:  # noqa: ANN401
        """Return for each seat what its player has come to: more is better."""

    def tempo(self, table: Any) -> str:  # noqa: ANN401
        """Return the kind of clock by which is played, in a word."""

    def begun(self, table: Any) -> tuple[bytes, ...]:  # noqa: ANN401
        """Return the positions that began a turn so far, as the rule of repetition compares them."""

    def advised(self, table: Any) -> Any:  # noqa: ANN401
        """Return what hints are given about, as the game's part ``advice`` takes it."""

    def expects(self, table: Any, seat: int) -> bool:  # noqa: ANN401
        """Tell whether a seat may do something that goes on with the game."""

    def decided(self, table: Any, order: AnyOrder, at: datetime) -> Any:  # noqa: ANN401
        """Return the table after an order that changes the game; itself if it changes nothing."""

    def check_seat_is_free_for(self, table: Any, session: str | None) -> None:  # noqa: ANN401
        """Raise TableError if a session may take no further seat here."""

    def vacated(self, table: Any, seat: int) -> Any:  # noqa: ANN401
        """Return the table without what the holder of a seat, who leaves it, would leave behind."""

    def why_not(self, table: Any, seat: int, action: Json) -> Json | None:  # noqa: ANN401
        """Explain why an action is not possible; None if it is legal."""

    def ways(self, table: Any, of: object) -> Any:  # noqa: ANN401
        """Return the ways of a piece, for whoever has picked it up. of: as the game names it."""

    # ------------------------------------------------------------ what people agree on

    def wishes(self, table: Any) -> Sequence[What]:  # noqa: ANN401
        """Return what anybody may propose now, whoever is absent, but for turns that are taken back."""

    def check_take_back(self, table: Any, seat: int) -> None:  # noqa: ANN401
        """Raise TableError if a seat can't have its last turn back, though all agree."""

    def silent(self, table: Any) -> Collection[int]:  # noqa: ANN401
        """Return who has left turn after turn to the clock, so that the others need not wait for them."""

    def granted(self, table: Any, proposal: Proposal, at: datetime) -> Any:  # noqa: ANN401
        """Return the table after a draw, a turn taken back, or another thing that all have agreed to."""

    def replaced(self, table: Any, seat: int, at: datetime) -> Any:  # noqa: ANN401
        """Return the table as it goes on with a bot that has sat down at a player's seat."""

    def returned(self, table: Any, seat: int, at: datetime) -> Any:  # noqa: ANN401
        """Return the table as it goes on with a player who has come back to their seat."""

    # ------------------------------------------------------------ what happens by itself

    def is_busy(self, table: Any) -> bool:  # noqa: ANN401
        """Tell whether something may happen here though nobody asks for it: a bot, a clock, a deal."""

    def due(self, table: Any, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:  # noqa: ANN401
        """Return what the program itself has to order at a moment, and as of when; None if nothing.

        chance: decides where chance is asked.
        """

    def strikes_at(self, table: Any) -> datetime | None:  # noqa: ANN401
        """Return when the program itself has something to order, None if it has not."""

    def counts_since(self, table: Any) -> datetime | None:  # noqa: ANN401
        """Return since when a clock runs that goes on though nobody uses the table, None if none does."""

    def lag_noted(self, table: Any, seat: int, milliseconds: int) -> AnyOrder | None:  # noqa: ANN401
        """Return the order by which a table takes note of how long a message to a player and back needs.

        None where it need not know.
        """

    def vacation_noted(self, table: Any, seat: int, *, is_away: bool) -> AnyOrder | None:  # noqa: ANN401
        """Return the order by which a table takes note that a player is on vacation, or is so no more.

        None where it knows, or need not.
        """

    def questions(self, table: Any, secret: Secret) -> Sequence[Question]:  # noqa: ANN401
        """Return what the bots here have to be asked now. secret: where their chance comes from."""

    def move(self, table: Any, question: Question, answer: Answer, now: datetime) -> Move | None:  # noqa: ANN401
        """Return the order that an answer comes to and when it is due, None if it comes to nothing.

        now: when the question was asked.
        """

    def rested(self, table: Any, at: datetime) -> Any:  # noqa: ANN401
        """Return the table as it goes on after a server was away: what runs begins anew."""

    # ------------------------------------------------------------ views

    def options_json(self, table: Any) -> Json:  # noqa: ANN401
        """Return the options as everybody may see them."""

    def board_json(self, table: Any) -> Json:  # noqa: ANN401
        """Describe what stays the same for the whole game."""

    def shared_state(self, table: Any, now: datetime) -> Json:  # noqa: ANN401
        """Return the part of the state that is the same for everybody."""

    def own_state(self, table: Any, seats: Collection[int]) -> Json:  # noqa: ANN401
        """Return the part of the state that is for the holder of some seats."""

    def notes(self, table: Any, seats: Collection[int]) -> Json:  # noqa: ANN401
        """Return of that what changes while the version stays: what was written down for later."""

    def timed(self, table: Any) -> Collection[str]:  # noqa: ANN401
        """Return the keys of the shared state that time alone changes: they go with every update."""

    def past_state(self, table: Any, entries: int, then: Any) -> Json:  # noqa: ANN401
        """Return the state after some entries of the log.

        then: a table whose log holds the last of them with its position, maybe ``table`` itself; of
        none of them, the table as it was made.
        """

    def entries_json(self, table: Any, start: int = 0) -> list[Json]:  # noqa: ANN401
        """Return the log from its entry ``start`` (log_start … length) on, as everybody may see it."""

    def kept_entries(self, table: Any, before: Any) -> int:  # noqa: ANN401
        """Return how many entries of an earlier log stand in this one unchanged, from the first on."""

    def record_text(self, table: Any, made: Any, log: Sequence[Any], rules: Sequence[str]) -> str:  # noqa: ANN401
        """Write the game as a record, as it stood: nothing is judged anew.

        made: the table as it was made. log: all its entries. rules: which judged each of them. Raises
        TableError while the record may not be seen.
        """

    # ------------------------------------------------------------ as the store keeps it

    def to_state(self, table: Any) -> Json:  # noqa: ANN401
        """Write the whole table without its log (``ekoes.match.stored``)."""

    def from_state(self, value: Json) -> Any:  # noqa: ANN401
        """Read what ``to_state`` wrote; the log is empty and begins where it ended. Raises EkoesError."""

    def entry_to_state(self, game: str, entry: Any) -> Json:  # noqa: ANN401
        """Write an entry of the log in full, also what is hidden, without its position."""

    def entry_from_state(self, game: str, value: Json) -> Any:  # noqa: ANN401
        """Read what ``entry_to_state`` wrote. Raises EkoesError."""


@cache
def kind_of(game: str) -> TableKind:
    """Return the kind of table of a game. Raises NotationError naming the known games."""
    return cast("TableKind", load(KINDS[game_of(game).parts.table]))

"""A live table as a value: a position, a stage, and what later intents are judged by. Rule: K7."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ekoes.games.changing import changed
from ekoes.games.contract import Outcome
from ekoes.games.ekko.live.entry import Entry, First, Moment, OpenMirror, Receipt, Round, Stage
from ekoes.games.ekko.live.kept import Kept
from ekoes.games.ekko.live.options import LiveOptions
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.rules.cards import mirror_of

__all__ = ["LiveState", "Shown", "Tried"]

Tried = tuple[int, int | None, int]
"""What came too late: the seat, its card (None: a draw), and the top card that its player saw."""


@dataclass(frozen=True, slots=True)
class Shown(Kept):
    """A position as far as a card is judged by it that its player sent on seeing it. Rule: K7.2."""

    top: int
    player: int | None
    last: int | None
    again: bool
    leaving: int | None
    blocked: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveState:
    """A game in which intents are judged as they come (K7).

    people: the seats that persons hold or may take. stage: what the table waits for, since when:
    since. top_since: when the top card came. drew_since: when each seat last drew. ready: who has
    seen the hand. passed: who has let the mirror go by. claim: the mirror that waits for its effect,
    or for the end of the window. withheld: entries of the window, which nobody sees before its end.

    Of this round: shown, for each card that has been on top the latest position in which it was;
    firsts: what was first on each of them; late: what came too late; busy: until when no card of each
    seat is taken, empty before anybody's was.

    silent: how many turns in a row each seat has left to the clock; empty: nobody counts them here.

    began: when the first round was dealt. length: the number of entries so far. entries: those that
    the latest step brought; whoever keeps the log takes them (``taken``) before the next one.
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
    busy: tuple[datetime | None, ...] = ()
    silent: tuple[int, ...] = ()
    began: datetime | None = None
    outcome: Outcome | None = None
    length: int = 0
    entries: tuple[Entry, ...] = ()

    @property
    def has_window(self) -> bool:
        """Whether claims are being collected and will be judged together (calm mode)."""
        return self.stage is Stage.WINDOW or (self.options.calm and self.stage is Stage.LEAVING)

    @property
    def decided(self) -> frozenset[int]:
        """Who has passed or claimed, in a window or a reaction time."""
        claimed = {self.claim.seat} if self.claim is not None and self.has_window else set()
        return self.passed | claimed

    @property
    def needs_deal(self) -> bool:
        """Whether a round is to be dealt."""
        return self.stage is Stage.WAITING

    def seen(self, card: int) -> Shown | None:
        """Return the latest position of this round in which a card was the top card (K7.2)."""
        return next((shown for shown in self.shown if shown.top == card), None)

    def first(self, on: int) -> First | None:
        """Return who was first to put a card on a card of this round, or has claimed its mirror."""
        claim = self.claim
        if self.stage is Stage.EFFECT and claim is not None and claim.on == on:
            return First(on, claim.seat, claim.card, claim.at, is_mirror=True)
        return next((first for first in self.firsts if first.on == on), None)

    def answered(self, seat: int, card: int | None, on: int) -> int:
        """Return the card that a card of a seat answers (None: its draw): none that it has covered itself.

        Whoever sends two cards has the second judged on the first; only a mirror keeps to the card that it
        names. Rule: K4.1, K4.2, K7.2.
        """
        own = {first.on: first.card for first in self.firsts if first.seat == seat and not first.by_clock}
        while on in own and mirror_of(on) != card:
            on = own[on]
        return on

    def taken(self) -> tuple[LiveState, tuple[Entry, ...]]:
        """Return the state without the entries of the latest step, and these."""
        return changed(self, entries=()), self.entries

"""The table where the quicker hand wins: a position, a stage, and everything that came; immutable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ekoes.games.ekko.position import EkkoPosition
from ekoes.match.race.entry import Claim, Entry, Moment, Receipt, Round, Stage
from ekoes.match.race.options import RaceOptions
from ekoes.match.state import Table

__all__ = ["RaceTable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceTable(Table):
    """A game in which intents are judged as they come (K7).

    rules: the options. stage: what the table waits for, since when: since. top_since: when the top
    card came. drew_since: when each seat last drew. ready: who has seen the hand. passed: who has
    let the mirror go by. claim: the mirror that waits for its effect, or for the end of the window.
    withheld: entries of the window, which nobody sees before its end. latest: when the last order
    came.
    """

    rules: RaceOptions
    position: EkkoPosition
    log: tuple[Entry, ...] = ()
    stage: Stage = Stage.WAITING
    since: Moment | None = None
    top_since: Moment | None = None
    drew_since: tuple[Moment | None, ...] = ()
    ready: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    claim: Claim | None = None
    withheld: tuple[Entry, ...] = ()
    receipt: Receipt | None = None
    rounds: tuple[Round, ...] = ()
    latest: datetime | None = None

    @property
    def has_window(self) -> bool:
        """Whether claims are being collected and will be judged together (calm mode)."""
        return self.stage is Stage.WINDOW or (self.rules.calm and self.stage is Stage.LEAVING)

    @property
    def decided(self) -> frozenset[int]:
        """Who has passed or claimed, in a window or a reaction time."""
        claimed = {self.claim.seat} if self.claim is not None and self.has_window else set()
        return self.passed | claimed

    @property
    def needs_deal(self) -> bool:
        """Whether a round is to be dealt."""
        return self.is_started and self.stage is Stage.WAITING and self.outcome is None

    def seen(self, card: int) -> EkkoPosition | None:
        """Return the latest position of this round in which a card was the top card (K7.2)."""
        for entry in reversed(self.log):
            if entry.round != self.position.round:
                return None
            if entry.position.round == entry.round and entry.position.top == card:
                return entry.position
        return None

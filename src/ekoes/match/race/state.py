"""The table where the quicker hand wins as a value: the game's own state, and the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ekoes.games.changing import changed
from ekoes.games.racing import Step
from ekoes.match.race.presenter import Presenter, presenter
from ekoes.match.state import Table

__all__ = ["RaceTable", "after_step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceTable(Table):
    """A game in which intents are judged as they come.

    play: the game's state. latest: when the last order came; no later one is taken for earlier.
    pace: the measure of the bots' delays.
    """

    play: Any
    latest: datetime | None = None

    @property
    def presenter(self) -> Presenter:
        """What the table knows of its game."""
        return presenter(self.game)

    @property
    def position(self) -> Any:  # noqa: ANN401 - each game has its own
        """Where the game stands."""
        return self.presenter.position(self.play)

    @property
    def needs_deal(self) -> bool:
        """Whether chance has to decide before anything else."""
        return self.is_started and self.outcome is None and self.presenter.needs_deal(self.play)


def after_step(table: RaceTable, step: Step | None) -> RaceTable:
    """Return the table after a step of its game; itself if there was none."""
    if step is None:
        return table
    outcome = table.presenter.outcome(step.state)
    return changed(table, play=step.state, log=(*table.log, *step.entries), outcome=outcome)

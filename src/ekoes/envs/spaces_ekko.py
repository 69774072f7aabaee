"""The arrays and integers of EKKO (docs/reference/environment-ekko.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from ekoes.envs.kernels import NONE
from ekoes.envs.kernels_ekko import (
    INTEGERS,
    MORE_SCALARS,
    PLAYER_SCALARS,
    ROWS,
    code_at,
    number_codes,
    observe,
)
from ekoes.envs.spaces import Observation, Spaces
from ekoes.errors import PositionError
from ekoes.games.api.contract import Json
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Action, decode, encode
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import CARDS


class EkkoSpaces(Spaces[EkkoPosition, Action]):
    """The arrays and integers of EKKO. options: of ``EkkoOptions`` but ``live``. Raises PositionError."""

    game = EKKO

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        first = self.new(0)
        if first.live:
            raise PositionError("an environment is a sequence of decisions", rule="K6", key="live")
        self.players = first.players
        self.actions = Discrete(INTEGERS)
        numbers = PLAYER_SCALARS * self.players + MORE_SCALARS
        self.observation = Dict(
            {
                "cards": Box(0, CARDS, (ROWS, CARDS), np.int8),
                "draws": Box(0, CARDS, (2, self.players, CARDS), np.int8),
                "scalars": Box(-1, 2**15 - 1, (numbers,), np.int16),
            }
        )

    def _fits(self, position: EkkoPosition) -> bool:
        """Return whether the players are as many as here, and decide one by one."""
        return position.players == self.players and not position.live

    def observe(self, position: EkkoPosition, seat: int, chosen: int = NONE) -> Observation:  # noqa: ARG002
        """Return ``cards``, int8[3, 98], ``draws``, int8[2, players, 98], and ``scalars``, int16[…]."""
        seen = self.arrays()
        observe(position.states, seat, seen["cards"], seen["draws"], seen["scalars"])
        return seen

    def number(self, position: EkkoPosition, chosen: int = NONE) -> np.ndarray[Any, Any]:  # noqa: ARG002
        """Return the integer of each of ``position.codes``."""
        codes = np.array(position.codes, np.int64)
        numbers = np.empty_like(codes)
        number_codes(codes, numbers)
        return numbers

    def shown(self, position: EkkoPosition) -> Json:
        """Return what a picture shows of a position: the zone and the totals, without earlier rounds."""
        totals = {"totals": position.scores, "points": [""] * position.players}
        return {"position": position.view(None), "rounds": [totals]}

    def named(self, position: EkkoPosition, integer: int) -> Action | None:
        """Return the action of an integer."""
        code = int(code_at(position.states, integer))
        return decode(code)

    def code(self, position: EkkoPosition, action: Action) -> int:  # noqa: ARG002
        """Return the code of an action."""
        return encode(action)

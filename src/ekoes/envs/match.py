"""One game in an environment: its position, the seat to move, chance and the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from io import BytesIO
from types import MappingProxyType
from typing import Any

import numpy as np

from ekoes.envs.kernels import NONE
from ekoes.envs.spaces import Mask, Observation, Spaces, rewards_of
from ekoes.envs.spaces_ekko import EkkoSpaces
from ekoes.envs.spaces_eko import EkoSpaces
from ekoes.errors import NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.registry import load
from ekoes.games.api.table import Sitter

SEEDS = 2**63
"""The number of seeds of games."""

MODES = (None, "ansi", "rgb_array")
RENDERING: Mapping[str, Any] = MappingProxyType({"render_modes": list(MODES[1:]), "render_fps": 2})
"""The metadata of environments about pictures."""
Picture = np.ndarray[Any, np.dtype[np.uint8]]

_SPACES: dict[str, type[EkoSpaces | EkkoSpaces]] = {"eko": EkoSpaces, "ekko": EkkoSpaces}


def spaces_of(game: str, options: Mapping[str, Any]) -> Spaces:
    """Return the spaces of a game. Raises NotationError, PositionError or LayoutError naming the key."""
    if game not in _SPACES:
        message = f"no environment is called {game!r:.40}; there are: {', '.join(_SPACES)}"
        raise NotationError(message, key="game")
    return _SPACES[game](
        {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    )


def check_choice(key: str, value: str | None, known: Sequence[str | None]) -> None:
    """Raise ValueError naming the key unless a value is known."""
    if value not in known:
        raise ValueError(f"{key}: {value!r:.40} is not one of {', '.join(map(repr, known))}")


class Match:
    """One game. Equal seeds and integers give equal games; its first position is ``game.new(options, seed)``.

    position: never one that asks chance. chosen: a move, if what it loses is to be decided.
    """

    def __init__(self, spaces: Spaces, seed: int) -> None:
        self.spaces = spaces
        self._chance = Chance(seed).split()
        self.chosen = NONE
        self.position: Any = spaces.new(seed)
        self._deal()

    @property
    def seat(self) -> int | None:
        """The seat to move; None once the game is over."""
        return next(iter(self.position.actors()), None)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.seat is None

    @property
    def is_cut_off(self) -> bool:
        """Whether the game goes on beyond the turn limit (E11.5)."""
        return self.spaces.is_cut_off(self.position)

    def observe(self, seat: int) -> Observation:
        """Return what a seat sees."""
        return self.spaces.observe(self.position, seat, self.chosen)

    def mask(self, seat: int) -> Mask:
        """Return the legal integers of a seat, int8[n]; only 0 if it is not to move."""
        if seat == self.seat and not self.is_cut_off:
            return self.spaces.mask(self.position, self.chosen)
        return np.zeros(int(self.spaces.actions.n), np.int8)

    def is_legal(self, integer: int) -> bool:
        """Return whether the seat to move may decide so."""
        count, mask = int(self.spaces.actions.n), self.spaces.mask(self.position, self.chosen)
        return 0 <= integer < count and bool(mask[integer])

    def play(self, integer: int) -> None:
        """Let the seat to move decide. Raises ValueError naming the decision, if it is not legal."""
        self.position, self.chosen = self.spaces.play(self.position, integer, self.chosen)
        self._deal()

    def act(self, action: object) -> None:
        """Let the seat to move perform an action of the game. Raises IllegalActionError."""
        self.position = self.position.play(self.seat, action)
        self._deal()

    def rewards(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the rewards of the latest decision, float64[players]: 0 before the end of the game."""
        if not self.is_over:
            return np.zeros(self.spaces.players, np.float64)
        return rewards_of(self.spaces, self.position.outcome().winners)

    def render(self, mode: str | None) -> str | Picture | None:
        """Return the position as text with all cards (``ansi``), or as a spectator's picture (``rgb_array``).

        The picture is uint8[630, 1200, 3]. None: nothing is drawn.
        """
        game = self.position.game
        if mode == "ansi":
            return str(import_module(f"ekoes.{game.name}").Game.from_json(self.position.to_json()))
        if mode != "rgb_array":
            return None
        from PIL import Image  # noqa: PLC0415 - most environments draw nothing
        from resvg_py import svg_to_bytes  # noqa: PLC0415

        sitters = [Sitter(f"player_{seat}", seat, won=False) for seat in range(self.spaces.players)]
        drawn = load(game.parts.picture).preview(self.position, self.spaces.shown(self.position), sitters)
        return np.asarray(Image.open(BytesIO(svg_to_bytes(svg_string=drawn))).convert("RGB"))

    def _deal(self) -> None:
        while self.seat == CHANCE:
            self.position = self.position.play(CHANCE, self.position.chance_action(self._chance))

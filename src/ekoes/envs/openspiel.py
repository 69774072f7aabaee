"""OpenSpiel: both games as Python games, ``ekoes_eko`` and ``ekoes_ekko``.

``pyspiel.load_game("ekoes_ekko", {"players": 3})``, after importing this module. The integers and arrays are
those of the other environments (docs/reference/environments.md).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ekoes.bots import decisions_seen
from ekoes.envs.kernels import NONE
from ekoes.envs.match import spaces_of
from ekoes.envs.spaces import Spaces, rewards_of
from ekoes.errors import from_extra
from ekoes.games.api.contract import CHANCE, Json, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.ekko.position.action import Deal
from ekoes.games.ekko.rules.record import CARDS
from ekoes.games.ekko.rules.record import MOST_PLAYERS as MOST_OF_EKKO
from ekoes.games.eko.rules.record import MOST_PLAYERS

with from_extra("openspiel"):
    import pyspiel

_DECISIONS_OF_A_TURN = 64
_DECISIONS_OF_A_ROUND = 512
"""Upper bounds, the cards of the deal among them: OpenSpiel wants to know the longest game."""


class _Game(pyspiel.Game):  # type: ignore[misc]
    """A game with its options. params: of its type."""

    name: ClassVar[str]
    kind: ClassVar[Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        found = self.kind.parameter_specification | dict(params or {})
        self.spaces = spaces_of(self.name, self.options(found))
        self.seeds = self.first_seeds(found)
        longest = _DECISIONS_OF_A_ROUND * self.spaces.players * found.get("target", 0)
        info = pyspiel.GameInfo(
            num_distinct_actions=int(self.spaces.actions.n),
            max_chance_outcomes=CARDS if self.name == "ekko" else 0,
            num_players=self.spaces.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest or _DECISIONS_OF_A_TURN * (found["turn_limit"] + 1),
        )
        super().__init__(self.kind, info, dict(params or {}))

    def options(self, found: Json) -> Json:
        """Return the options of the game."""
        raise NotImplementedError

    def first_seeds(self, found: Json) -> list[int]:
        """Return the seeds of the first positions, of which chance chooses one."""
        raise NotImplementedError

    def new_initial_state(self) -> _State:
        """Return the state at the beginning of a game."""
        return _State(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> _Observer:
        """Return what writes observations, or information states with perfect recall."""
        if params:
            raise ValueError(f"params: an observer has none, not {params}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return _Observer(self.spaces, is_recalling=wanted.perfect_recall)


def _kind(name: str, *, has_chance: bool, most: int, parameters: Json) -> pyspiel.GameType:
    """Return the type of a game. has_chance: chance decides after the set-up, and hides cards."""
    kind = pyspiel.GameType
    return kind(
        short_name=f"ekoes_{name}",
        long_name=game_of(name).title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kind.ChanceMode.DETERMINISTIC,
        information=(
            kind.Information.IMPERFECT_INFORMATION if has_chance else kind.Information.PERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class EkoGame(_Game):
    """Ekö: perfect information; ``seed`` decides the first position."""

    name = "eko"
    kind = _kind(
        name,
        has_chance=False,
        most=MOST_PLAYERS,
        parameters={
            "players": 2,
            "variants": "",
            "setup": "standard",
            "turn_limit": 400,
            "seed": 1,
        },
    )

    def options(self, found: Json) -> Json:
        """Return the options. Variants are separated by ``+``: commas separate the parameters."""
        named = {key: found[key] for key in ("players", "setup", "turn_limit")}
        return named | {"variants": [name for name in found["variants"].split("+") if name]}

    def first_seeds(self, found: Json) -> list[int]:
        """Return the one seed."""
        return [found["seed"]]


class EkkoGame(_Game):
    """EKKO: chance draws the first dealer (K1.3), and deals card by card (K6.0)."""

    name = "ekko"
    kind = _kind(name, has_chance=True, most=MOST_OF_EKKO, parameters={"players": 2, "target": 25})

    def options(self, found: Json) -> Json:
        """Return the options."""
        return found

    def first_seeds(self, found: Json) -> list[int]:
        """Return a seed for each dealer."""
        seeds: dict[int, int] = {}
        seed = 0
        while len(seeds) < found["players"]:
            seeds.setdefault(self.spaces.new(seed).dealer, seed)
            seed += 1
        return [seeds[dealer] for dealer in sorted(seeds)]


class _State(pyspiel.State):  # type: ignore[misc]
    """A moment of a game: before the first position is chosen, while cards are dealt, or a position.

    position: None before. dealt: the cards of the deal so far. known: what each seat has seen, in order.
    """

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.spaces, self._seeds = game.spaces, game.seeds
        self.position: Any = None
        self.chosen = NONE
        self.dealt: list[int] = []
        self.known: list[list[Json]] = [[] for _ in range(self.spaces.players)]
        if len(self._seeds) == 1:
            self.position = self.spaces.new(self._seeds[0])

    def current_player(self) -> int:
        """Return the seat to move, chance, or the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = CHANCE if self.position is None else self.position.actors()[0]
        return int(pyspiel.PlayerId.CHANCE) if seat == CHANCE else seat

    def is_terminal(self) -> bool:
        """Return whether the game is over, or beyond the turn limit."""
        if self.position is None:
            return False
        return not self.position.actors() or self.spaces.is_cut_off(self.position)

    def returns(self) -> list[float]:
        """Return the rewards of all seats."""
        outcome = self.position.outcome() if self.position is not None else None
        if outcome is None:
            return [0.0] * self.spaces.players
        rewards: list[float] = rewards_of(self.spaces, outcome.winners).tolist()
        return rewards

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the first positions, or the cards left to deal (the number of a card less 1)."""
        if self.position is None:
            outcomes = list(range(len(self._seeds)))
        else:
            outcomes = sorted(set(range(CARDS)).difference(self.dealt))
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - there is one seat that decides
        legal: list[int] = np.flatnonzero(self.spaces.mask(self.position, self.chosen)).tolist()
        return legal

    def _apply_action(self, action: int) -> None:
        is_chance = self.current_player() == pyspiel.PlayerId.CHANCE
        if is_chance and action not in dict(self.chance_outcomes()):
            raise ValueError(f"{action} is no outcome of chance here")
        if self.position is None:
            self.position = self.spaces.new(self._seeds[action])
        elif is_chance:
            self.dealt.append(action)
            if len(self.dealt) == CARDS:
                order = tuple(card + 1 for card in self.dealt)
                self.dealt = []
                self._go_on(CHANCE, Deal(order), self.position.play(CHANCE, Deal(order)))
        else:
            chosen = self.chosen
            after, self.chosen = self.spaces.play(self.position, action, chosen)
            if self.chosen == NONE:
                integers = [action] if chosen == NONE else [chosen, action]
                seat = self.position.actors()[0]
                self._go_on(seat, self.spaces.action(self.position, integers), after)

    def _go_on(self, seat: int, action: object, after: Position) -> None:
        """Note what each seat sees of an action, and its hand if that has changed. Rule: K6.4."""
        for player, known in enumerate(self.known):
            if seat != CHANCE:
                known.extend(decisions_seen(self.spaces.game, [(seat, action)], player))
            hand = self._hand(after, player)
            if hand != self._hand(self.position, player):
                known.append({"hand": hand})
        self.position = after

    def _hand(self, position: Position, player: int) -> object:
        hands = getattr(position, "hands", None)
        return None if hands is None else hands[player]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"first:{action}" if self.position is None else f"card:{action + 1}"
        return self.spaces.text(self.position, action)

    def __str__(self) -> str:
        """Return the position as JSON, and what is not decided yet."""
        if self.position is None:
            return "before the first position"
        extra = [str(self.chosen)] if self.chosen != NONE else list(map(str, self.dealt))
        return " ".join([json.dumps(self.position.to_json()), *extra])


class _Observer:
    """Writes what a seat sees: as ``tensor`` (all arrays one after the other) and ``dict``, or as text.

    is_recalling: all that it has seen so far, as text alone.
    """

    def __init__(self, spaces: Spaces, *, is_recalling: bool) -> None:
        self._spaces, self._is_recalling = spaces, is_recalling
        shapes = {name: space.shape or () for name, space in spaces.observation.spaces.items()}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = None if is_recalling else np.zeros(sum(sizes), np.float32)
        self.dict = {}
        if self.tensor is not None:
            parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
            self.dict = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def set_from(self, state: _State, player: int) -> None:
        """Write the arrays of a seat."""
        for name, part in self.dict.items():
            part.fill(0)
            if state.position is not None:
                part[...] = self._spaces.observe(state.position, player, state.chosen)[name]

    def string_from(self, state: _State, player: int) -> str:
        """Return what a seat sees now, or has seen so far, as JSON."""
        if self._is_recalling:
            seen: Any = {"seat": player, "seen": state.known[player]}
        else:
            seen = {"seat": player, "view": state.position and state.position.view(player)}
        return json.dumps(seen | ({"chosen": state.chosen} if state.chosen != NONE else {}))


for _game in (EkoGame, EkkoGame):
    pyspiel.register_game(_game.kind, _game)

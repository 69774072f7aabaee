"""OpenSpiel: both games as Python games, ``ekoes_eko`` and ``ekoes_ekko``, and ``ekoes_small_ekko``.

``pyspiel.load_game("ekoes_ekko", {"players": 3})``, after importing this module. The integers and arrays are
those of the other environments (docs/reference/environments.md).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, cast

import numpy as np

from ekoes.bots import decisions_seen
from ekoes.envs.kernels import NONE
from ekoes.envs.kernels_ekko import deal_few, deal_unknown
from ekoes.envs.match import spaces_of
from ekoes.envs.spaces import P, rewards_of
from ekoes.errors import from_extra
from ekoes.games.api.contract import CHANCE, Json, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.ekko.bots.levels import seen_by
from ekoes.games.ekko.position.action import ACTION_TYPES
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import CARDS, DEFAULT_TARGET, NOBODY, STATE
from ekoes.games.ekko.rules.record import MOST_PLAYERS as MOST_OF_EKKO
from ekoes.games.ekko.rules.turn import HAND_SIZE
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.rules.record import MOST_PLAYERS

with from_extra("openspiel"):
    import pyspiel

_DECISIONS_OF_A_TURN = 64
_DECISIONS_OF_A_ROUND = 512
"""Upper bounds, the cards of the deal among them: OpenSpiel wants to know the longest game."""
_KINDS = ("hand", *ACTION_TYPES)
_SMALL_DECK = (1, 10, 11, 12, 21, 40, 4, 22, 35, 53, 33, 98)
"""The cards of a small game, from the first on: the first six have two pairs of mirrors, and an 11."""


class _Game(pyspiel.Game, Generic[P]):  # type: ignore[misc]
    """A game with its options. params: of its type."""

    name: ClassVar[str]
    kind: ClassVar[Any]
    deck: tuple[int, ...] = ()
    """The cards that chance deals, ascending."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        found = self.kind.parameter_specification | dict(params or {})
        self.spaces = spaces_of(self.name, self.options(found))
        self.seeds = self.first_seeds(found)
        info = pyspiel.GameInfo(
            num_distinct_actions=int(self.spaces.actions.n),
            max_chance_outcomes=max(self.deck, default=0),
            num_players=self.spaces.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.longest(found),
        )
        super().__init__(self.kind, info, dict(params or {}))

    def __deepcopy__(self, memo: object) -> _Game:
        """Nothing of it changes."""
        return self

    def options(self, found: Json) -> Json:
        """Return the options of the game."""
        raise NotImplementedError

    def first_seeds(self, found: Json) -> list[int]:
        """Return the seeds of the first positions, of which chance chooses one."""
        raise NotImplementedError

    def is_cut_off(self, position: P) -> bool:
        """Return whether a game goes on beyond its limit."""
        return self.spaces.is_cut_off(position)

    def longest(self, found: Json) -> int:
        """Return an upper bound of the decisions of a game, those of chance among them."""
        raise NotImplementedError

    def dealt(self, position: P, order: list[int]) -> P:
        """Return a position after a deal of the whole deck in an order."""
        raise NotImplementedError

    def news(self, position: P, seat: int) -> Json:  # noqa: ARG002 - by default
        """Return what a seat, or NOBODY, sees beside decisions, to be noted where it changes. Rule: K6.4."""
        return {}

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
        return _Observer(self, is_recalling=wanted.perfect_recall)


def _kind(
    name: str, title: str, *, has_chance: bool, most: int, parameters: Json, is_small: bool = False
) -> pyspiel.GameType:
    """Return the type of a game.

    has_chance: chance decides after the set-up, and hides cards. is_small: an array has all that is seen.
    """
    kind = pyspiel.GameType
    return kind(
        short_name=f"ekoes_{name}",
        long_name=title,
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
        provides_information_state_tensor=is_small,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class EkoGame(_Game[EkoPosition]):
    """Ekö: perfect information; ``seed`` decides the first position."""

    name = "eko"
    kind = _kind(
        name,
        game_of(name).title,
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

    def longest(self, found: Json) -> int:
        """Return an upper bound for the turn limit."""
        return int(_DECISIONS_OF_A_TURN * (found["turn_limit"] + 1))


class EkkoGame(_Game[EkkoPosition]):
    """EKKO: chance draws the first dealer (K1.3), and deals card by card (K6.0)."""

    name = "ekko"
    deck = tuple(range(1, CARDS + 1))
    kind = _kind(
        name,
        game_of(name).title,
        has_chance=True,
        most=MOST_OF_EKKO,
        parameters={"players": 2, "target": DEFAULT_TARGET},
    )

    def options(self, found: Json) -> Json:
        """Return the options."""
        return {key: found[key] for key in ("players", "target")}

    def first_seeds(self, found: Json) -> list[int]:
        """Return a seed for each dealer."""
        seeds: dict[int, int] = {}
        seed = 0
        while len(seeds) < found["players"]:
            seeds.setdefault(self.spaces.new(seed).dealer, seed)
            seed += 1
        return [seeds[dealer] for dealer in sorted(seeds)]

    def longest(self, found: Json) -> int:
        """Return an upper bound for the target."""
        return int(_DECISIONS_OF_A_ROUND * found["players"] * found["target"])

    def hand_size(self) -> int:
        """Return the number of cards dealt to each player (K1.2)."""
        return HAND_SIZE[self.spaces.players]

    def dealt(self, position: EkkoPosition, order: list[int]) -> EkkoPosition:
        """Return a position after a deal."""
        after = np.empty(1, STATE)
        deal_few(position.states, after, np.array(order, np.uint8), self.hand_size())
        return EkkoPosition(after)

    def news(self, position: EkkoPosition, seat: int) -> Json:
        """Return the hand, the totals, the dealer and the card that was turned over."""
        hand = {} if seat == NOBODY else {"hand": list(position.hands[seat])}
        return hand | {
            "scores": list(position.scores),
            "dealer": position.dealer,
            "turned": list(position.zone[:1]),
        }

    def resampled(self, position: EkkoPosition, seat: int, seed: int) -> EkkoPosition:
        """Return a position that a seat may hold possible: the cards that it does not see are dealt anew.

        Cards that others can't hold, as they drew, are avoided as bots do (docs/reference/bots.md).
        """
        seen = seen_by(seat, position.view(seat))
        unseen, barred, sizes, set_aside = seen.hidden()
        states = seen.states.copy()
        cards = np.array([card for card in unseen if card in self.deck], np.uint8)
        deal_unknown(states, seat, (cards, barred, sizes, set_aside), np.array([seed | 1], np.uint64))
        for field in ("live", "points", "sizes", "ending", "ended_by", "winners"):
            states[field] = position.states[field]
        return EkkoPosition(states)


class SmallEkkoGame(EkkoGame):
    """One round of EKKO with a few cards, which CFR solves; seat 0 deals."""

    kind = _kind(
        "small_ekko",
        f"{game_of('ekko').title} with few cards",
        has_chance=True,
        most=MOST_OF_EKKO,
        parameters={"players": 2, "cards": 6, "hand": 2},
        is_small=True,
    )

    def options(self, found: Json) -> Json:
        """Return the options, and keep the deck and the size of a hand. Raises ValueError."""
        players, cards, hand = (found[key] for key in ("players", "cards", "hand"))
        if not players * hand < cards <= len(_SMALL_DECK) or hand < 1:
            message = f"cards: up to {len(_SMALL_DECK)}, of which one is left after {players} hands of {hand}"
            raise ValueError(message)
        self.deck, self._hand = tuple(sorted(_SMALL_DECK[:cards])), hand
        return {"players": players, "target": 1}

    def first_seeds(self, found: Json) -> list[int]:
        """Return a seed with which seat 0 deals."""
        return super().first_seeds(found)[:1]

    def longest(self, found: Json) -> int:  # noqa: ARG002
        """Return an upper bound: each card is dealt, drawn, played or put aside, and passed on."""
        return 6 * len(self.deck)

    def is_cut_off(self, position: EkkoPosition) -> bool:
        """Return whether the round has ended, with no card in any hand if the game is not over."""
        return position.round > 1

    def hand_size(self) -> int:
        """Return the number of cards dealt to each player."""
        return int(self._hand)


class _State(pyspiel.State):  # type: ignore[misc]
    """The state of a game: before the first position is chosen, while cards are dealt, or at a position.

    position: None before the first one is chosen. dealt: the cards of the deal so far. known: by seat, what
    it has seen, in order; the last entry is what everybody has seen.
    """

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.rules = game
        self.spaces, self._seeds = game.spaces, game.seeds
        self.position: Any = None
        self.chosen = NONE
        self.dealt: list[int] = []
        self.known: list[list[Json]] = [[] for _ in range(self.spaces.players + 1)]
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
        return not self.position.actors() or self.rules.is_cut_off(self.position)

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
            outcomes = [card - 1 for card in self.rules.deck if card not in self.dealt]
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
            self.dealt.append(action + 1)
            if len(self.dealt) == len(self.rules.deck):
                order, self.dealt = self.dealt, []
                self._go_on([], self.rules.dealt(self.position, order))
        else:
            chosen = self.chosen
            after, self.chosen = self.spaces.play(self.position, action, chosen)
            if self.chosen == NONE:
                integers = [action] if chosen == NONE else [chosen, action]
                seat = self.position.actors()[0]
                self._go_on([(seat, self.spaces.action(self.position, integers))], after)

    def _go_on(self, decisions: list[tuple[int, Any]], after: Position) -> None:
        """Note what each seat sees of decisions, and what else has changed for it. Rule: K6.4."""
        for player, known in zip([*range(self.spaces.players), NOBODY], self.known, strict=True):
            known.extend(decisions_seen(self.spaces.game, decisions, player))
            before, now = (self.rules.news(position, player) for position in (self.position, after))
            changed = {name: value for name, value in now.items() if not known or value != before[name]}
            if changed:
                known.append(changed)
        self.position = after

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> _State:
        """Return a state that a seat may hold possible, drawn by chance; the history stays that of this one.

        Other seats have seen in it what this one knows of them, and the cards that they now hold.
        """
        other = cast("_State", self.clone())
        if not isinstance(self.rules, EkkoGame) or self.position is None or self.current_player() < 0:
            return other
        other.position = self.rules.resampled(self.position, player_id, int(probability_sampler() * 2**52))
        for seat, hand in enumerate(other.position.hands):
            if seat != player_id:
                other.known[seat] = [*self.known[NOBODY], {"hand": list(hand)}]
        return other

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

    is_recalling: all that it has seen so far, as text, and of a small game as the array ``seen`` (docs).
    """

    def __init__(self, game: _Game, *, is_recalling: bool) -> None:
        self._spaces, self._is_recalling, self._deck = game.spaces, is_recalling, game.deck
        self.tensor, self.dict = None, {}
        if not is_recalling:
            shapes = {name: space.shape or () for name, space in self._spaces.observation.spaces.items()}
        elif game.kind.provides_information_state_tensor:
            columns = self._spaces.players + len(_KINDS) + 2 * len(self._deck)
            shapes = {"seat": (self._spaces.players,), "seen": (game.max_game_length(), columns)}
        else:
            return
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def set_from(self, state: _State, player: int) -> None:
        """Write the arrays of a seat."""
        for name, part in self.dict.items():
            part.fill(0)
            if state.position is not None and not self._is_recalling:
                part[...] = self._spaces.observe(state.position, player, state.chosen)[name]
        if self.dict and self._is_recalling:
            self.dict["seat"][player] = 1
            for row, entry in zip(self.dict["seen"], state.known[player], strict=False):
                self._write(row, entry)

    def _write(self, row: np.ndarray[Any, Any], entry: Json) -> None:
        """Write one entry: its seat, its kind, cards in hand or played, cards turned over or put aside."""
        action = entry.get("action") or {"type": "hand"}
        ends = np.cumsum([self._spaces.players, len(_KINDS), len(self._deck)])
        whose, kind, cards, others = np.split(row, ends)
        if "seat" in entry:
            whose[entry["seat"]] = 1
        kind[_KINDS.index(action["type"])] = 1
        for card in entry.get("hand", ()) or [action.get("card")]:
            cards[np.equal(self._deck, card)] = 1
        for card in entry.get("turned", ()) or [action.get("aside")]:
            others[np.equal(self._deck, card)] = 1

    def string_from(self, state: _State, player: int) -> str:
        """Return what a seat sees now, or has seen so far, as JSON."""
        if self._is_recalling:
            seen: Any = {"seat": player, "seen": state.known[player]}
        else:
            seen = {"seat": player, "view": state.position and state.position.view(player)}
        return json.dumps(seen | ({"chosen": state.chosen} if state.chosen != NONE else {}))


for _game in (EkoGame, EkkoGame, SmallEkkoGame):
    pyspiel.register_game(_game.kind, _game)

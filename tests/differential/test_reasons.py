"""Why not: the rule that the engine cites is one that the action breaks by the reference too."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ekoes.games.api.registry import game
from tests import reference
from tests.differential.compare import engine_reads, text, times
from tests.kit.examples import one_quick
from tests.reference.generate import PHASES, random_game, random_tiles, random_variants, set_up, synthetic

Action = dict[str, Any]
Position = dict[str, Any]
ACTIONS = 60


def some_space(rng: Random, position: Position) -> str:
    """A stack, a building or any space at all, at times one that is not there."""
    stacks, buildings = sorted(position["stacks"]), sorted(position["buildings"])
    spaces = rng.choice([stacks, stacks, buildings, reference.board_of(position).spaces])
    return "0,77" if rng.random() < 1 / 50 else rng.choice(spaces or ["0,0"])


def near_space(rng: Random, position: Position, start: str) -> str:
    board = reference.board_of(position)
    near = board.adjacent.get(start, []) + board.steps.get(start, [])
    return rng.choice(near) if near and rng.random() < 1 / 2 else some_space(rng, position)


def some_zones(rng: Random, position: Position) -> list[str]:
    """Zones in their order, at times in another one, twice, or what is none."""
    board = reference.board_of(position)
    heads = sorted(set(board.zone.values()))
    zones = board.sorted(rng.sample(heads, min(len(heads), rng.choice([0, 0, 1, 1, 2, 3]))))
    if zones and rng.random() < 1 / 5:
        zones = rng.choice([zones[::-1], [*zones, zones[0]], [*zones, board.spaces[-1]]])
    return zones


def some_action(rng: Random, position: Position) -> Action:
    """Any action, for the most part of a kind that is asked for."""
    start = some_space(rng, position)
    target = near_space(rng, position, start)
    flag = rng.random() < 1 / 2
    move: Action = {"type": "move", "from": start, "to": target, "emperor_lost": flag}
    kinds: dict[str, Action] = {
        "swap": {"type": "swap", "space": start},
        "place": {"type": "place", "space": start, "emperor": flag},
        "sandtemple": {"type": "sandtemple", "space": start},
        "move": move | {"zones": some_zones(rng, position)},
        "build": {"type": "build", "from": start, "site": target, "emperor": flag}
        | {"kind": rng.choice(["camp", "tower", "castle"])},
        "march": {"type": "march"},
        "reinforce": {"type": "reinforce", "space": start, "count": rng.randint(0, 4), "emperor": flag},
        "moon": {"type": "moon", "space": start, "emperor": flag},
        "ransom": {"type": "ransom", "captive": rng.randint(0, 4)},
        "end": {"type": "end"},
    }
    asked = {
        "action": ["move", "move", "build", "build", "sandtemple", "end"],
        "after": ["march", "reinforce", "reinforce", "moon", "end"],
        "second": ["move", "build"],
        "reinforce": ["reinforce", "reinforce", "moon", "end"],
    }
    phase = position["turn"]["phase"]
    is_any = phase not in asked or rng.random() < 1 / 10
    return kinds[rng.choice(sorted(kinds) if is_any else asked[phase])]


def altered(rng: Random, position: Position) -> Action:
    """A legal action with one thing changed: most of it is right."""
    options = reference.legal(position)
    if not options:
        return some_action(rng, position)
    action, other = dict(rng.choice(options)), some_action(rng, position)
    keys = sorted(set(action) & set(other) - {"type"})
    if action["type"] == "move":
        keys += ["zones", "emperor_lost"]
        other = some_action(rng, position) | {"zones": some_zones(rng, position), "emperor_lost": True}
    if keys:
        key = rng.choice(keys)
        action[key] = other[key] if key in other else action[key]
    return action


def compare_reasons(rng: Random, position: Position) -> set[str]:
    """Ask for actions of all sorts; returns the codes of the refusals."""
    engine, codes = engine_reads(position), set()
    asked = (*engine.actors(), 0)[0]
    for number in range(ACTIONS):
        action = altered(rng, position) if number % 2 else some_action(rng, position)
        seat = (asked + (rng.random() < 1 / 20)) % position["players"]
        refusal = engine.why_not(seat, game("eko").parse_action(action))
        broken = reference.broken(position, seat, action)
        said = f"{refusal} / {sorted(broken)}: {text(action)} of {seat} in {text(position)}"
        assert (refusal is None) == (not broken), said
        if refusal is not None:
            assert refusal.rule in broken, said
            codes.add(refusal.code)
    return codes


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("players", one_quick(3, [2, 4]))
def test_the_reason_is_a_rule_that_is_broken(players: int, phase: str) -> None:
    if phase == "ransom":
        players = 4  # E5.7: with fewer nobody ever has a choice
    rng = Random(f"reasons {players} {phase}")
    for _ in range(times(6)):
        tiles = random_tiles(rng, players, random_variants(rng))
        for _ in range(5):
            compare_reasons(rng, synthetic(rng, players, tiles, phase))


@pytest.mark.long
@pytest.mark.parametrize("setup", ["standard", "draft"])
def test_the_reason_in_games_from_set_up_to_end(setup: str) -> None:
    rng = Random(f"reasons {setup}")
    for _ in range(times(3)):
        tiles = random_tiles(rng, 2, random_variants(rng))
        for position, _ in random_game(rng, set_up(rng, 2, tiles, setup), 150):
            if rng.random() < 1 / 8 or "winners" in position:
                compare_reasons(rng, position)

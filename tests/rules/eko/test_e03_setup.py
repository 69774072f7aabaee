"""E3: set-up."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from ekoes.games.api.registry import game
from ekoes.games.eko.position.action import Place, Swap
from tests.rules.eko.board import allowed, asked, at, of_type, options, phase, place, play, refused, swap

if TYPE_CHECKING:
    from ekoes.games.eko.position.position import EkoPosition

ALL_VARIANTS = ["portals", "labyrinth", "beacon", "moon", "sandtemple", "pyramids", "wind"]


def new(players: int = 2, seed: int = 1, **more: object) -> EkoPosition:
    position: EkoPosition = game("eko").new({"players": players, **more}, seed)  # type: ignore[assignment]
    return position


def spaces_of(position: EkoPosition, seat: int, *, emperor: bool) -> list[str]:
    stacks = position.to_json()["stacks"].items()
    return [space for space, s in stacks if s["owner"] == seat and s["emperor"] == emperor]


def test_e3_1_one_disc_on_each_sand_space_none_on_tempests() -> None:
    for players in (2, 3, 4):
        position = new(players, variants=ALL_VARIANTS)
        layout, stacks = position.layout, position.to_json()["stacks"]
        for space, terrain in zip(layout.spaces, layout.terrain, strict=True):
            assert (str(space) in stacks) == (terrain.word == "sand")
        assert {stack["height"] for stack in stacks.values()} == {1}
        owners = Counter(stack["owner"] for stack in stacks.values())
        assert owners == dict.fromkeys(range(players), 16)


def test_e3_1_discs_lie_at_random() -> None:
    deals = {json.dumps(new(seed=seed).to_json()["stacks"]) for seed in range(20)}
    assert len(deals) == 20


def test_e3_2_one_seed_one_game() -> None:
    for setup in ("standard", "draft"):
        one = new(4, 77, variants=ALL_VARIANTS, setup=setup).to_json()
        assert one == new(4, 77, variants=ALL_VARIANTS, setup=setup).to_json()
        assert one != new(4, 78, variants=ALL_VARIANTS, setup=setup).to_json()


def test_e3_2_the_first_player_is_drawn() -> None:
    firsts = Counter(new(4, seed).to_json()["turn"].get("first", 0) for seed in range(80))
    assert set(firsts) == {0, 1, 2, 3}
    assert min(firsts.values()) > 5


def test_e3_3_each_player_may_swap_from_the_first_clockwise() -> None:
    seed = next(s for s in range(99) if new(3, s).to_json()["turn"]["player"] == 1)
    position = new(3, seed)
    for seat in (1, 2, 0):
        assert phase(position) == f"{seat} swap"
        assert position.to_json()["turn"] == {"number": 0, "player": seat, "first": 1, "phase": "swap"}
        own = spaces_of(position, seat, emperor=False)
        assert options(position) == {swap(), *map(swap, own)}
        (old,) = spaces_of(position, seat, emperor=True)
        after = allowed(position, swap(own[4]))
        assert at(after, own[4]) == f"{seat}:1E"
        assert at(after, old) == f"{seat}:1"
        assert play(position, swap()).to_json()["stacks"] == position.to_json()["stacks"]
        position = after
    assert position.to_json()["turn"] == {"number": 1, "player": 1, "phase": "action"}


def test_e3_3_no_swap_with_an_enemy_disc_or_nothing() -> None:
    position = new()
    seat = asked(position)
    (own,) = spaces_of(position, seat, emperor=True)
    for where in (spaces_of(position, 1 - seat, emperor=False)[0], own):
        refused(position, swap(where), "E3.3", "swap-not-own-disc")


def test_e3_4_players_place_in_turns() -> None:
    position = new(3, setup="draft")
    first = asked(position)
    for count in range(48):
        seat = (first + count) % 3
        assert phase(position) == f"{seat} place"
        actions = of_type(position, "place")
        assert actions == options(position)
        free = {str(action.space) for action in actions if isinstance(action, Place)}
        assert len(free) == 48 - count
        last = count >= 45
        assert {action.emperor for action in actions if isinstance(action, Place)} == (
            {last} if last else {True, False}
        )
        position = play(position, place(min(free), emperor=last))
    assert position.to_json()["turn"] == {"number": 1, "player": first, "phase": "action"}
    assert "unplaced" not in position.to_json()


def test_e3_4_the_emperor_at_any_time() -> None:
    position = new(setup="draft")
    seat = asked(position)
    free = sorted({str(action.space) for action in options(position) if isinstance(action, Place)})
    early = allowed(position, place(free[0], emperor=True))
    assert early.to_json()["unplaced"][seat] == {"discs": 15, "emperor": False}
    early = play(early, place(free[1]))
    refused(early, place(free[2], emperor=True), "E3.4", "place-no-disc")
    refused(early, place(free[1]), "E3.4", "place-occupied")


def test_e3_4_the_last_disc_is_the_emperor() -> None:
    position = new(setup="draft")
    for _ in range(30):
        plain = [a for a in options(position) if isinstance(a, Place) and not a.emperor]
        position = play(position, min(plain, key=str))
    (one, other) = sorted({str(a.space) for a in options(position) if isinstance(a, Place)})
    refused(position, place(one), "E3.4", "place-emperor-last")
    position = allowed(position, place(other, emperor=True))
    assert options(position) == {place(one, emperor=True)}


def test_e3_4_no_swap_after_the_draft() -> None:
    """Ruling: it would undo the placing."""
    position = new(setup="draft")
    while phase(position).endswith("place"):
        position = play(position, min(options(position), key=str))
    assert phase(position).endswith("action")
    assert not any(isinstance(action, Swap) for action in options(position))

"""What holds in every position and for every decision."""

from __future__ import annotations

import copy
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import IllegalActionError
from ekoes.games.eko.game import EKO, perft
from ekoes.games.eko.position.action import action_from_json, action_to_json
from ekoes.games.eko.position.position import EkoPosition
from ekoes.records import Decision, GameRecord, read_record, replay, write_record
from tests.kit.examples import property_settings
from tests.properties.positions import Json, position_values, positions

SUPPLY = {"camp": 5, "tower": 3, "castle": 1}

examples = property_settings(100, interpreted=30)


def text(position: EkoPosition) -> str:
    return json.dumps(position.to_json())


def assert_nothing_is_lost(value: Json) -> None:
    """E1.2, E1.3: 15 ordinary discs and an Emperor each, and no more buildings than there are."""
    ordinary, emperors = Counter(), Counter()  # type: Counter[int], Counter[int]
    for stack in value["stacks"].values():
        assert 1 <= stack["height"] <= 4
        ordinary[stack["owner"]] += stack["height"] - stack["emperor"]
        emperors[stack["owner"]] += stack["emperor"]
    for key in ("reserve", "unplaced"):
        for seat, hand in enumerate(value.get(key, [])):
            ordinary[seat] += hand["discs"]
            emperors[seat] += hand["emperor"]
    for seat in range(value["players"]):
        ordinary[seat] += value["removed"][seat]
        emperors.update(value["captives"][seat])
    assert ordinary == dict.fromkeys(range(value["players"]), 15)
    assert emperors == dict.fromkeys(range(value["players"]), 1)
    owned = Counter((building["owner"], building["kind"]) for building in value["buildings"].values())
    assert all(count <= SUPPLY[kind] for (_, kind), count in owned.items())


@examples
@given(positions())
def test_discs_and_buildings_are_conserved(position: EkoPosition) -> None:
    before = position.to_json()
    for action in list(position.legal())[:40]:
        after = position.play(position.actors()[0], action).to_json()
        assert_nothing_is_lost(after)
        assert all(new >= old for new, old in zip(after["removed"], before["removed"], strict=True))


@examples
@given(positions())
def test_a_position_reads_what_it_writes(position: EkoPosition) -> None:
    again = EKO.from_json(json.loads(text(position)))
    assert again == position
    assert hash(again) == hash(position)
    assert text(again) == text(position)


@examples
@given(position_values(), st.randoms(use_true_random=False))
def test_the_order_of_spaces_in_a_file_means_nothing(value: Json, rng: object) -> None:
    shuffled = copy.deepcopy(value)
    for key in ("stacks", "buildings"):
        items = list(shuffled[key].items())
        rng.shuffle(items)  # type: ignore[attr-defined]
        shuffled[key] = dict(items)
    assert text(EKO.from_json(shuffled)) == text(EKO.from_json(value))


@examples
@given(positions())
def test_actions_read_what_they_write(position: EkoPosition) -> None:
    for action in position.legal():
        value = json.loads(json.dumps(action_to_json(action)))
        assert action_from_json(value) == action


@examples
@given(positions())
def test_a_position_never_changes(position: EkoPosition) -> None:
    before = text(position)
    for action in list(position.legal())[:20]:
        position.play(position.actors()[0], action)
    assert text(position) == before


@examples
@given(positions(), position_values())
def test_every_action_is_legal_or_refused_with_a_rule(position: EkoPosition, other: Json) -> None:
    """Tried with the actions of another position too, and for seats that are not asked."""
    candidates = {*list(position.legal())[:30], *list(EKO.from_json(other).legal())[:60]}
    for seat in range(position.players):
        own = set(position.legal(seat))
        for action in candidates:
            refusal = position.why_not(seat, action)
            assert (refusal is None) == (action in own)
            if refusal is not None:
                assert refusal.rule.startswith("E")
                with pytest.raises(IllegalActionError, match=refusal.rule):
                    position.play(seat, action)


@examples
@given(positions())
def test_a_game_goes_on_until_it_is_over(position: EkoPosition) -> None:
    """No player is asked without a choice, and none after the end."""
    over = position.outcome() is not None
    assert (position.actors() == ()) == over
    assert (len(position.legal()) == 0) == over
    kinds = {action.type for action in position.legal()}
    assert kinds != {"end"}


@examples
@given(positions())
def test_perft_is_the_sum_over_the_first_decisions(position: EkoPosition) -> None:
    children = [position.play(position.actors()[0], action) for action in position.legal()]
    assert perft(position, 0) == 1
    assert perft(position, 1) == (len(children) or 1)
    assert perft(position, 2) == (sum(perft(child, 1) for child in children) if children else 1)


@examples
@given(position_values(), st.lists(st.integers(0, 10**6), max_size=40))
def test_replay_equals_play(value: Json, choices: list[int]) -> None:
    position = EKO.from_json(value)
    start, decisions, texts = position, [], [text(position)]
    for choice in choices:
        actions = position.legal()
        if not actions:
            break
        decision = Decision(position.actors()[0], actions[choice % len(actions)])
        position = position.play(decision.seat, decision.action)
        decisions.append(decision)
        texts.append(text(position))
    record = read_record(write_record(GameRecord("eko", start, tuple(decisions), position.outcome())))
    assert [json.dumps(one.to_json()) for one in replay(record)] == texts

"""What holds in every position of EKKO and for every decision."""

from __future__ import annotations

import json
from itertools import chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import IllegalActionError
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.table import Arrival
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.machine import clock_action, judge_card
from ekoes.games.ekko.live.state import LiveOptions, Verdict
from ekoes.games.ekko.position.action import (
    Action,
    Deal,
    Draw,
    Mirror,
    Misplay,
    Play,
    action_from_json,
    action_to_json,
)
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import Phase
from ekoes.records import Decision, GameRecord, read_record, replay, write_record
from tests.kit.examples import property_settings
from tests.properties.ekko_positions import Json, chances, new_games, positions, read_like, some_action
from tests.reference import ekko as reference

examples = property_settings(100, interpreted=30)


def text(position: EkkoPosition) -> str:
    return json.dumps(position.to_json())


def cards(position: EkkoPosition) -> list[int]:
    """Every card that lies anywhere."""
    return sorted(chain(position.pile, position.zone, *position.hands, *position.aside))


def actions_of(position: EkkoPosition) -> list[Action]:
    """Everything that may happen now, but for deals; live actions too."""
    if position.phase in (Phase.DEAL, Phase.OVER):
        return []
    if position.live:
        return [EKKO.parse_action(action) for _, action in reference.live_legal(position.to_json())]
    return list(position.legal())


def follow(position: EkkoPosition, action: Action) -> EkkoPosition:
    return position.play(position.seat_of(action), action)


@examples
@given(new_games(), chances)
def test_the_98_cards_are_conserved(position: EkkoPosition, rng: Random) -> None:
    for _ in range(150):
        action = some_action(rng, position)
        if action is None:
            break
        position = follow(position, action)
        assert cards(position) == ([] if position.phase == Phase.DEAL else list(range(1, 99)))


@examples
@given(positions())
def test_no_card_comes_or_goes_in_a_round(position: EkkoPosition) -> None:
    for action in actions_of(position):
        after = follow(position, action)
        if after.phase != Phase.DEAL:
            assert cards(after) == cards(position)
            assert all(set(old) <= set(new) for old, new in zip(position.aside, after.aside, strict=True))
        assert after.zone[: len(position.zone)] == position.zone or after.phase == Phase.DEAL


@examples
@given(positions())
def test_scores_only_grow(position: EkkoPosition) -> None:
    for action in actions_of(position):
        after = follow(position, action)
        assert all(new >= old for new, old in zip(after.scores, position.scores, strict=True))
        is_open = after.phase not in (Phase.DEAL, Phase.OVER)
        assert not is_open or after.scores == position.scores


@examples
@given(positions())
def test_a_position_reads_what_it_writes(position: EkkoPosition) -> None:
    again = read_like(json.loads(text(position)), position)
    assert text(again) == text(position)
    assert again.actors() == position.actors()
    assert list(again.legal()) == list(position.legal())


@examples
@given(positions())
def test_actions_read_what_they_write(position: EkkoPosition) -> None:
    for action in [*actions_of(position), Deal(tuple(range(98, 0, -1)))]:
        value = json.loads(json.dumps(action_to_json(action)))
        assert action_from_json(value) == action


@examples
@given(positions())
def test_a_position_never_changes(position: EkkoPosition) -> None:
    before, seen = text(position), json.dumps([position.view(eye) for eye in (None, 0, 1)])
    for action in actions_of(position):
        follow(position, action)
    assert text(position) == before
    assert json.dumps([position.view(eye) for eye in (None, 0, 1)]) == seen


@examples
@given(positions(), positions())
def test_every_action_is_legal_or_refused_with_a_rule(position: EkkoPosition, other: EkkoPosition) -> None:
    """Tried with the actions of another position too, and for every seat and chance."""
    allowed = set(actions_of(position))
    for action in {*list(allowed)[:20], *actions_of(other)[:20]}:
        for seat in (CHANCE, *range(position.players)):
            refusal = position.why_not(seat, action)
            if position.live:
                assert (refusal is None) == (action in allowed and seat == position.seat_of(action))
            elif not isinstance(action, Misplay):  # K6.3: taken, though it isn't listed
                assert (refusal is None) == (action in position.legal(seat))
            if refusal is not None:
                assert refusal.rule.startswith("K")
                with pytest.raises(IllegalActionError, match=refusal.rule):
                    position.play(seat, action)


@examples
@given(positions())
def test_a_game_goes_on_until_it_is_over(position: EkkoPosition) -> None:
    """No player is asked without a choice, and none after the end."""
    over = position.outcome() is not None
    assert (position.actors() == ()) == over
    assert (len(position.legal()) == 0) == over
    assert over == (max(position.scores) >= position.target)


@examples
@given(new_games(), chances)
def test_every_game_ends(position: EkkoPosition, rng: Random) -> None:
    for _ in range(4_000):
        action = some_action(rng, position)
        if action is None:
            break
        position = follow(position, action)
    outcome = position.outcome()
    assert outcome is not None
    lowest = min(position.scores)
    assert outcome.winners == tuple(s for s, score in enumerate(position.scores) if score == lowest)


@examples
@given(positions(), st.integers(1, 7))
def test_no_seat_is_special(position: EkkoPosition, step: int) -> None:
    value = position.to_json()
    there = read_like(other_seats(value, step), position)
    for action in actions_of(position):
        seat = position.seat_of(action)
        after = there.play(seat if seat == CHANCE else (seat + step) % position.players, action)
        assert json.dumps(other_seats(follow(position, action).to_json(), step)) == text(after)


def other_seats(value: Json, step: int) -> Json:
    """Every player sits `step` seats further."""
    players: int = value["players"]

    def around(items: list[object]) -> list[object]:
        return [items[(place - step) % players] for place in range(players)]

    turn = dict(value["turn"])
    for key in ("dealer", "player", "last", "asked", "leaving"):
        if key in turn:
            turn[key] = (turn[key] + step) % players
    if "blocked" in turn:
        turn["blocked"] = around(turn["blocked"])
    moved = {key: around(value[key]) for key in ("hands", "aside", "scores")}
    there = value | moved | {"turn": turn}
    if "winners" in value:
        there["winners"] = sorted((seat + step) % players for seat in value["winners"])
    return there


@examples
@given(positions())
def test_what_the_clock_does_is_possible(position: EkkoPosition) -> None:
    """K7.5: a turn that is over by the clock is played as its player could have played it."""
    if position.live and position.phase == Phase.PLAY and position.leaving is None:
        action = clock_action(position)
        assert position.why_not(position.player or 0, action) is None


@examples
@given(positions())
def test_a_judged_card_can_be_played_so(position: EkkoPosition) -> None:
    """K7.3: what the table says of a card that answers the top card is what the rules take."""
    if not position.live or position.phase != Phase.PLAY:
        return
    for seat, hand in enumerate(position.hands):
        assert (position.why_not(seat, Draw()) is None) == (reference_draws(position) == seat)
        for card in hand:
            judged = judge_card(position, seat, card, position.top or 0, position, misplays=True)
            taken = {
                Verdict.PLAY: position.why_not(seat, Play(card)) is None,
                Verdict.MISPLAY: position.why_not(seat, Misplay(card)) is None,
                Verdict.MIRROR: any(isinstance(a, Mirror) and a.card == card for a in actions_of(position)),
            }
            assert taken == {verdict: verdict is judged.verdict for verdict in taken}
            assert (judged.verdict is Verdict.REFUSED) == (not any(taken.values()))


def reference_draws(position: EkkoPosition) -> int | None:
    """Who may draw."""
    for seat, action in reference.live_legal(position.to_json()):
        if action == {"type": "draw"}:
            return seat
    return None


@examples
@given(new_games(), chances, st.integers(0, 300))
def test_replay_equals_play(start: EkkoPosition, rng: Random, length: int) -> None:
    position, decisions, texts = start, [], [text(start)]
    for number in range(length):
        action = some_action(rng, position)
        if action is None:
            break
        if position.live and isinstance(action, Mirror):
            action = Mirror(action.card, action.effect, action.aside, position.top)
        arrival = Arrival(number * 10_000, saw=position.top) if position.live else None
        decisions.append(Decision(position.seat_of(action), action, arrival=arrival))
        position = follow(position, action)
        texts.append(text(position))
    table = LiveOptions() if start.live else None
    written = GameRecord("ekko", start, tuple(decisions), position.outcome(), table=table)
    record = read_record(write_record(written))
    assert [text(one) for one in replay(record)] == texts  # type: ignore[arg-type]

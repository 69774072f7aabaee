"""Races that an older judge judged otherwise: hands stand as they stood, and nothing happens in silence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest

from ekoes.errors import IllegalActionError, RecordError
from ekoes.games.api.chance import Chance
from ekoes.games.ekko.game import EKKO, Ekko
from ekoes.games.ekko.live import judge
from ekoes.games.ekko.live.machine import Judgement, clock_action, judge_card
from ekoes.games.ekko.live.state import Stage, Verdict
from ekoes.games.ekko.position.action import Draw, Mirror
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.records import read_record
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Intent, Resign, Tick
from ekoes.tables.settings import Seat
from tests.kit.tables import refusal
from tests.unit.storage.keeping import NOW, Keeper

_play = EkkoPosition.play
_KEYS = count()


def draws_two(position: EkkoPosition, seat: int, action: Any) -> EkkoPosition:
    """A judge by whom a draw brings two cards."""
    after = _play(position, seat, action)
    if not isinstance(action, Draw):
        return after
    value = after.to_state()
    value["position"]["hands"][seat].append(value["position"]["pile"].pop(0))
    value["position"]["hands"][seat].sort()
    return EKKO.from_state(value)


def knows_no_misplay(*arguments: Any, **options: Any) -> Judgement:
    """A stricter judge: what is a misplay is refused."""
    judgement = judge_card(*arguments, **options)
    is_misplay = judgement.verdict is Verdict.MISPLAY
    return Judgement(Verdict.REFUSED, judgement.refusal) if is_misplay else judgement


@contextmanager
def older(rules: str, play: Any = _play) -> Iterator[None]:
    """Let an older release judge."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EkkoPosition, "play", play)
        patch.setattr(Ekko, "rules_version", rules)
        yield


def race(store: Store) -> Keeper:
    """Return a race for two at which a draw is due, after some plays."""
    seats = tuple(Seat("open", f"P{seat}", seat, session=f"p{seat}") for seat in range(2))
    keeper = Keeper(store, new_table("ekko", {"players": 2, "reaction": 3}, 1, seats))
    go_on(keeper)
    while not isinstance(clock_action(keeper.table.position), Draw):
        go_on(keeper)
    return keeper


def go_on(keeper: Keeper) -> None:
    """Give all automatic orders, and let the player in turn do what the clock would do."""
    while (due := keeper.table.automatic_order(now(keeper), Chance(7))) is not None:
        keeper.give(due[0], None, now(keeper))
    if keeper.table.play.stage is Stage.LOOK:
        for seat in (0, 1):
            send(keeper, seat, "ready", round=keeper.table.position.round)
    elif keeper.table.play.stage is Stage.RACE:
        position = keeper.table.position
        action: Any = clock_action(position)
        if isinstance(action, Draw):
            draw(keeper)
        else:
            word = "mirror" if isinstance(action, Mirror) else "play"
            effect = {"effect": "draw"} if isinstance(action, Mirror) else {}
            send(keeper, position.player, word, card=action.card, on=position.top, **effect)
    else:
        keeper.give(Tick(key=f"key-{next(_KEYS)}"), None, now(keeper) + timedelta(minutes=1))


def now(keeper: Keeper) -> datetime:
    """Return the moment of the next order."""
    return NOW + timedelta(minutes=keeper.stored.events) / 60


def send(keeper: Keeper, seat: int, kind: str, **content: Any) -> None:
    intent = Intent(key=f"key-{next(_KEYS)}", seat=seat, action={"type": kind, **content})
    keeper.give(intent, f"p{seat}")


def misplay(keeper: Keeper) -> None:
    """Let the player who is not in turn put a card."""
    seat = 1 - keeper.table.position.player
    hand, top = keeper.table.position.hands[seat], keeper.table.position.top
    send(keeper, seat, "play", card=hand[0], on=top)
    assert json.loads(keeper.store.log("t")[-1])["verdict"] == "misplay"


def draw(keeper: Keeper) -> None:
    send(keeper, keeper.table.position.player, "draw", on=keeper.table.position.top)


def past(store: Store, entries: int) -> Any:
    return store.past("t", entries)


def hands(keeper: Keeper) -> Any:
    return keeper.table.position.hands


def test_misplay_that_a_stricter_judge_refuses_stays_in_the_table(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = race(store)
    draw(keeper)
    before = hands(keeper)
    misplay(keeper)
    stood, log = hands(keeper), store.log("t")
    keeper.close()
    monkeypatch.setattr(judge, "judge_card", knows_no_misplay)
    keeper.open_again()
    assert hands(keeper) == stood
    assert store.log("t") == log
    go_on(keeper)
    with pytest.raises(IllegalActionError):
        misplay(keeper)
    assert refusal(store.past, "t", len(log)) == "table/other-rules"
    assert past(store, len(log) - 1).position.hands == before
    keeper.give(Resign(key="end", seat=0), "p0")
    text = store.record("t")
    assert f'[Rules "{EKKO.rules_version}"]' in text
    assert f"{json.loads(log[-1])['action']['card']}?{{" in text


def test_two_cards_that_an_older_judge_drew_stay_in_the_hand(store: Store) -> None:
    keeper = race(store)
    before = hands(keeper)
    drawer = keeper.table.position.player
    with older(EKKO.rules_version, draws_two):
        draw(keeper)
    keeper.close()
    stood = hands(keeper)
    assert len(stood[drawer]) == len(before[drawer]) + 2
    keeper.open_again()
    assert hands(keeper) == stood
    go_on(keeper)
    keeper.open_again()
    assert hands(keeper)[drawer] == stood[drawer], "the other one went on"
    assert refusal(store.past, "t", keeper.table.length - 1) == "table/other-rules"
    assert past(store, keeper.table.length).position == keeper.table.position
    assert past(store, keeper.table.length - 2).position.hands == before
    while keeper.table.position.round == 1:
        go_on(keeper)
    keeper.give(Resign(key="end", seat=0), "p0")
    with pytest.raises(RecordError, match=r"^line \d+: "):
        read_record(store.record("t"))


def test_record_of_another_version_names_it_and_is_not_verified(store: Store) -> None:
    with older("0"):
        keeper = race(store)
    with older("0", draws_two):
        draw(keeper)
    keeper.close()
    keeper.open_again()
    rules = f"0, {EKKO.rules_version} from {keeper.table.length + 1}"
    go_on(keeper)
    keeper.give(Resign(key="end", seat=0), "p0")
    assert f'[Rules "{rules}"]' in store.record("t")
    with pytest.raises(
        RecordError, match=f"Rules: judged by rules {rules}; this program knows rules {EKKO.rules_version} "
    ):
        read_record(store.record("t"))


def test_record_of_today_is_verified_and_knows_the_points(store: Store) -> None:
    """Three rounds, with their points and deals, opened again every so often."""
    keeper = race(store)
    while keeper.table.position.round <= 3 and keeper.table.outcome is None:
        go_on(keeper)
        if keeper.stored.events % 9 == 0:
            keeper.open_again()
    if keeper.table.outcome is None:
        keeper.give(Resign(key="end", seat=0), "p0")
    record = read_record(store.record("t"))
    assert re.findall(r"^(\d)\. points: ", store.record("t"), re.MULTILINE)[:3] == ["1", "2", "3"]
    assert record.outcome == keeper.table.outcome
    assert len(record.decisions) == keeper.table.length
    for entries in range(1, keeper.table.length + 1):
        assert store.past("t", entries).length == entries

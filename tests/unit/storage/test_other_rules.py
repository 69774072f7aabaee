"""Tables that an older judge judged otherwise go on as they stood; nothing of them is rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ekoes.errors import EkoesError, RecordError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import Eko
from ekoes.games.eko.position.position import EkoPosition, encode
from ekoes.records import read_record
from ekoes.storage.store import Store
from ekoes.tables.orders import Draw, EndTurn, Undo
from tests.kit.tables import refusal
from tests.unit.storage.keeping import Keeper, eko_table

_play = EkoPosition.play


def asks_nobody(position: EkoPosition, _seat: int, action: Any) -> EkoPosition:
    """Rules that let any seat decide for the one in turn."""
    return position.play_code(encode(action, position.layout))


def plays_twice(position: EkoPosition, seat: int, action: Any) -> EkoPosition:
    """Rules by which one more decision follows each decision."""
    after = _play(position, seat, action)
    (asked,) = after.actors()
    return _play(after, asked, after.legal(asked)[0])


@contextmanager
def older(judge: Any, rules: str = "1") -> Iterator[None]:
    """Let an older release judge."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EkoPosition, "play", judge)
        patch.setattr(Eko, "rules_version", rules)
        yield


def written_by(store: Store, judge: Any, rules: str = "1", decisions: int = 70) -> Keeper:
    """Return a table where the judge was an older one from the sixth decision on, and was stopped then."""
    keeper = Keeper(store, eko_table())
    keeper.play(5)
    with older(judge, rules):
        if judge is asks_nobody:
            keeper.act(keeper.table.position.legal()[0], seat=1 - keeper.table.asked[0])
        keeper.play(decisions - keeper.table.length, seed=2)
    keeper.close()
    return keeper


JUDGES = pytest.mark.parametrize(
    ("judge", "rules"), [(asks_nobody, "1"), (plays_twice, "1"), (plays_twice, "0"), (_play, "0")]
)


@JUDGES
def test_table_goes_on_as_it_stood(store: Store, judge: Any, rules: str) -> None:
    keeper = written_by(store, judge, rules)
    stood, log = keeper.table, store.log("t")
    keeper.open_again()
    assert (keeper.table.position, keeper.table.begun) == (stood.position, stood.begun)
    assert (keeper.table.version, keeper.table.asked, keeper.table.length) == (70, stood.asked, 70)
    keeper.play(1)
    assert store.log("t")[:70] == log
    assert len(store.log("t")) == 71
    keeper.open_again()
    assert (keeper.table.version, keeper.table.length) == (71, 71)


@JUDGES
def test_record_is_written_as_it_was_judged(store: Store, judge: Any, rules: str) -> None:
    keeper = written_by(store, judge, rules)
    entries = keeper.table.log
    keeper.open_again()
    keeper.play(1)
    text = store.record("t")
    versions = {"1": "1", "0": "1, 0 from 6, 1 from 71"}[rules]
    assert f'[Rules "{versions}"]' in text.split("\n")
    lines = re.findall(r"^(\d+)\. seat (\d): (.*)$", text, re.MULTILINE)
    words = [
        (int(turn), int(seat), word.split("{")[0]) for turn, seat, said in lines for word in said.split(" ")
    ]
    assert words[:70] == [(entry.turn.number, entry.seat, entry.about["notation"]) for entry in entries]


@pytest.mark.parametrize(
    ("judge", "rules", "reason"),
    [
        (asks_nobody, "1", r"line \d+: .* is said to be of"),
        (plays_twice, "1", r"line \d+: "),
        (plays_twice, "0", "line 3: tag Rules: judged by rules 1, 0 from 6; this program knows rules 1"),
        (_play, "0", "line 3: tag Rules: judged by rules 1, 0 from 6; this program knows rules 1"),
    ],
)
def test_record_is_never_verified_by_other_rules(store: Store, judge: Any, rules: str, reason: str) -> None:
    written_by(store, judge, rules)
    with pytest.raises(RecordError, match=f"^{reason}"):
        read_record(store.record("t"))


@pytest.mark.parametrize("judge", [asks_nobody, plays_twice])
def test_moments_that_today_s_rules_do_not_come_to_are_refused(store: Store, judge: Any) -> None:
    """The first five decisions were judged as today, and the seventeenth on follow a state that was kept."""
    keeper = written_by(store, judge)
    stood = [entry.position for entry in keeper.table.log]
    for decisions in (0, 1, 5):
        then = store.past("t", decisions)
        assert keeper.table.past_state(decisions, then)["position"] == (
            stood[decisions - 1] if decisions else eko_table().position
        ).view(None)
    for decisions in (6, 7, 15):
        with pytest.raises(TableError, match="today's rules judge an earlier decision otherwise") as refused:
            store.past("t", decisions)
        assert refused.value.code == "table/other-rules"
    assert refusal(store.history("t").moments) == "table/other-rules"
    if judge is asks_nobody:  # whose later decisions fit today's rules
        assert store.past("t", 66).log[-1].position == stood[65]


def test_another_version_that_judges_alike_hides_no_moment(store: Store) -> None:
    keeper = written_by(store, _play, "0")
    for decisions, entry in enumerate(keeper.table.log, start=1):
        assert store.past("t", decisions).log[-1].position == entry.position


@pytest.mark.postgres
def test_moments_after_an_undo_are_those_that_stand(store: Store) -> None:
    """Undone decisions leave the log; what is played instead has their numbers."""
    keeper, chance = Keeper(store, eko_table(3)), Chance(4)
    undone = 0
    while keeper.table.length < 80:
        asked = keeper.table.asked[0]
        for _ in range(2):
            keeper.act(chance.choice(keeper.table.position.legal(asked)), hold=True)
            if keeper.table.undo_seat != asked:
                break
            keeper.order(Undo, seat=asked)
            undone += 1
        else:
            keeper.act(chance.choice(keeper.table.position.legal(asked)), hold=True)
        if keeper.table.held is not None:
            keeper.order(EndTurn, seat=asked)
        keeper.order(Draw, seat=0, offer=bool(chance.below(2)))
        if keeper.stored.events % 7 == 0:
            stood = keeper.table
            keeper.open_again()
            assert keeper.table.position == stood.position
            assert keeper.table.undoable == stood.undoable
    assert undone > 20
    record = read_record(store.record("t"))
    position, moments = record.start, store.history("t").moments()
    assert [then.length for then in moments] == [*range(81)]
    for number, decision in enumerate(record.decisions, start=1):
        position = position.play(decision.seat, decision.action)
        assert store.past("t", number).log[-1].position == position
        assert moments[number].log[-1].position == position
    assert position == keeper.table.position
    assert [f'"n":{number},' in text for number, text in enumerate(store.log("t"), 1)] == [True] * 80


def test_stricter_judge_refuses_what_the_table_keeps(store: Store) -> None:
    """What today's rules refuse is in the table, and stays refused."""
    keeper = written_by(store, asks_nobody)
    keeper.open_again()
    with pytest.raises(EkoesError):
        keeper.act(keeper.table.position.legal()[0], seat=1 - keeper.table.asked[0])

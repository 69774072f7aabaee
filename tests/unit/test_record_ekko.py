"""Records of EKKO: sequences of decisions, games of live tables, and what verification finds in them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ekoes.errors import RecordError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Outcome, RefusedError
from ekoes.games.api.reading import milliseconds_between
from ekoes.games.api.table import Arrival
from ekoes.games.ekko.book import Race as RaceOf
from ekoes.games.ekko.book import opening_from_tags, opening_tags, races
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.machine import judge_card
from ekoes.games.ekko.live.state import LiveOptions, Verdict
from ekoes.games.ekko.position.action import (
    Claim,
    Deal,
    Draw,
    Effect,
    Late,
    Mirror,
    Misplay,
    Pass,
    Play,
    format_arrived,
)
from ekoes.games.ekko.position.position import EkkoPosition, shuffled_cards
from ekoes.games.ekko.rules.record import mirror_of
from ekoes.records import Decision, GameRecord, read_record, replay, write_record
from tests.kit.examples import property_settings
from tests.kit.tables import open_record
from tests.unit.ekko_games import LiveGame, clock_game, random_ekko
from tests.unit.tables.racing import NOW, Race, stacked
from tests.unit.test_record import change, check_any_damage, check_refused


def played(seed: int, most: int = 10_000, **options: object) -> GameRecord:
    """Return the record of a random sequence."""
    steps = list(random_ekko(seed, most, **options))
    last = steps[-1][0].play(*steps[-1][1:])
    decisions = tuple(Decision(seat, action) for _, seat, action in steps)
    return GameRecord("ekko", steps[0][0], decisions, last.outcome(), seed=seed)


def lived(seed: int, most: int, table: LiveOptions, **options: object) -> GameRecord:
    """Return the record of a live game in which everybody sends cards at random."""
    game = LiveGame(seed, table, **options)
    game.play(most)
    return GameRecord("ekko", game.start, tuple(game.decisions), game.position.outcome(), table=table)


def races_of(record: GameRecord) -> list[RaceOf]:
    assert isinstance(record.start, EkkoPosition)
    return races(record.start, record.decisions)


tables = st.builds(
    LiveOptions,
    misplays=st.booleans(),
    reaction=st.integers(1, 20_000),
    turn_clock=st.none() | st.integers(1, 100_000),
    calm=st.booleans(),
    window=st.none() | st.integers(1, 20_000),
    hints=st.booleans(),
)


@st.composite
def sequences(draw: st.DrawFn) -> GameRecord:
    players = draw(st.integers(2, 8))
    record = played(
        draw(st.integers(0, 2**32)),
        draw(st.integers(1, 80)),
        players=players,
        target=draw(st.integers(1, 60)),
    )
    times = st.none() | st.integers(0, 10**9)
    return replace(
        record,
        decisions=tuple(replace(one, milliseconds=draw(times)) for one in record.decisions),
        names=draw(st.just(()) | st.tuples(*[st.text(max_size=12)] * players)),
        date=draw(st.none() | st.just("2026-05-01")),
        tags=draw(st.just({}) | st.just({"Event": 'A "game" at home', "Reaction": "at once"})),
    )


@property_settings(60)
@given(sequences())
def test_reading_undoes_writing(record: GameRecord) -> None:
    text = write_record(record)
    again = read_record(text)
    assert again == record
    assert write_record(again) == text


@property_settings(60)
@given(tables, st.integers(0, 2**32), st.integers(1, 150), st.integers(2, 8))
@example(LiveOptions(misplays=False, reaction=1, calm=True, window=None), 47705, 66, 7)
@example(LiveOptions(misplays=False, calm=True, window=6000), 0, 150, 8)
def test_reading_undoes_writing_of_a_live_game(
    table: LiveOptions, seed: int, most: int, players: int
) -> None:
    record = lived(seed, most, table, players=players)
    text = write_record(record)
    assert read_record(text) == record
    assert write_record(read_record(text)) == text


@pytest.mark.parametrize("players", range(2, 9))
def test_replay_equals_play_to_the_rules_own_result(players: int) -> None:
    record = played(players, players=players, target=10)
    assert record.outcome is not None
    steps = [position for position, _, _ in random_ekko(players, players=players, target=10)]
    again = list(replay(read_record(write_record(record))))
    assert again[:-1] == steps
    assert again[-1].outcome() == record.outcome


def test_a_whole_live_game_ends_with_the_rules_own_result() -> None:
    record = lived(4, 10_000, LiveOptions(), target=12)
    assert record.outcome is not None
    assert read_record(write_record(record)).outcome == record.outcome


def test_a_game_begins_anywhere() -> None:
    steps = list(random_ekko(6, 60))
    start = EKKO.from_json(steps[40][0].to_json())
    record = GameRecord("ekko", start, tuple(Decision(seat, action) for _, seat, action in steps[40:]))
    assert "[Position " in write_record(record)
    assert read_record(write_record(record)) == record


def test_a_short_record_has_its_dealer_from_the_seed() -> None:
    text = '[Game "ekko"]\n[Format "1"]\n[Players "5"]\n[Seed "8"]\n\nresult: open\n'
    assert read_record(text).start == EKKO.new({"players": 5}, 8)


@given(st.integers(2, 8), st.integers(1, 1000), st.integers(0, 2**64), st.booleans())
def test_an_opening_is_written_and_read(players: int, target: int, seed: int, live: bool) -> None:
    start = EKKO.new({"players": players, "target": target, "live": live}, seed)
    tags = opening_tags(start) | ({"Live": "yes"} if live else {})
    assert opening_from_tags(tags) == start


ORDER = stacked({0: [10, 45], 1: [30, 73, 20], 2: [12]}, 37, 3, 2)
"""Seat 2 deals and turns 37 over; seat 0 is in turn, seat 1 holds the mirror."""


def race(*decisions: Decision, table: LiveOptions | None = None, players: int = 3) -> GameRecord:
    """Return a live game that begins with that deal."""
    start = opening_from_tags({"Players": str(players), "Dealer": "2", "Live": "yes"})
    dealt = Decision(CHANCE, Deal(ORDER), arrival=Arrival(0))
    return GameRecord("ekko", start, (dealt, *decisions), table=table or LiveOptions())


RACE = race(
    Decision(1, Claim(73), arrival=Arrival(4100, 37)),
    Decision(0, Late(45), arrival=Arrival(4126, 37, 26)),
    Decision(1, Mirror(73, Effect.DISCARD, 20, 37), arrival=Arrival(6000, 37)),
    Decision(2, Misplay(12), arrival=Arrival(6500, 73)),
)


def test_what_a_race_looks_like() -> None:
    lines = write_record(RACE).split("\n")
    assert lines[:5] == [
        '[Game "ekko"]',
        '[Format "1"]',
        '[Live "yes"]',
        '[Misplays "yes"]',
        '[Reaction "3"]',
    ]
    assert lines[5:9] == ['[Players "3"]', '[Target "25"]', '[Dealer "2"]', ""]
    assert lines[9].startswith("1. table: deal:")
    assert lines[10:] == [
        "1. seat 1: claim:73{at 4.1, saw 37}",
        "1. seat 0: late:45{at 4.126, saw 37, behind 0.026}",
        "1. seat 1: 73/37-20{at 6, saw 37}",
        "1. seat 2: 12?{at 6.5, saw 73}",
        "",
        "result: open",
        "",
    ]
    assert read_record(write_record(RACE)) == RACE


def test_the_points_of_a_round_are_a_check() -> None:
    text = write_record(played(1))
    points = [line for line in text.split("\n") if "points" in line]
    assert points[0] == "1. points: 0 3 5, in all 0 3 5"
    assert read_record(text.replace(points[0] + "\n", "")) == read_record(text)
    wrong = text.replace(points[0], "1. points: 0 3 6, in all 0 3 6")
    with pytest.raises(RecordError, match=r"^line \d+: the rules give '1. points: 0 3 5, in all 0 3 5'"):
        read_record(wrong)
    with pytest.raises(RecordError, match="points stand behind the decision that ended a round"):
        read_record(text.replace("1. seat 0:", f"{points[0]}\n1. seat 0:", 1))


def test_the_clock_plays_as_the_rules_say() -> None:
    start, decisions = clock_game(3)
    record = GameRecord("ekko", start, tuple(decisions), table=LiveOptions(turn_clock=30_000))
    assert read_record(write_record(record)) == record
    text = write_record(record)
    with pytest.raises(RecordError, match=r"K7.5: this table has no turn clock"):
        read_record(text.replace('[TurnClock "30"]\n', ""))
    line = next(line for line in text.split("\n") if "draw{" in line)
    with pytest.raises(RecordError):
        read_record(text.replace(line, line.replace("draw", "98"), 1))


def _changed(number: int, **changes: object) -> GameRecord:
    decisions = list(RACE.decisions)
    decisions[number] = replace(decisions[number], **changes)  # type: ignore[arg-type]
    return replace(RACE, decisions=tuple(decisions))


def _at(at: int, *, saw: int | None = None, behind: int | None = None, is_clock: bool = False) -> Arrival:
    return Arrival(at, saw, behind, is_clock)


@pytest.mark.parametrize(
    ("record", "line", "reason"),
    [
        (
            _changed(2, arrival=_at(4126, saw=37, behind=27)),
            12,
            "times of arrival it was 26 ms behind",
        ),
        (_changed(2, arrival=_at(4126, saw=37)), 12, "it was 26 ms behind"),
        (_changed(2, arrival=_at(4126, saw=38, behind=26)), 12, "K7.2"),
        (_changed(2, arrival=_at(4126, behind=26)), 12, "the top card that its player saw"),
        (_changed(2, arrival=_at(4000, saw=37, behind=26)), 12, "is earlier"),
        (_changed(2, arrival=None), 12, "when each intent came"),
        (_changed(2, action=Play(45)), 12, "K3.2: a mirror has been claimed"),
        (_changed(2, action=Draw()), 12, "K3.2: a mirror has been claimed"),
        (_changed(1, action=Claim(30)), 11, "the table would say 'misplay'"),
        (_changed(1, action=Claim(22)), 11, "the table would say 'refused'"),
        (_changed(1, action=Late(73)), 11, "the table would say 'mirror'"),
        (_changed(1, seat=0), 11, "the table would say 'refused'"),
        (_changed(1, arrival=_at(4100, saw=37, is_clock=True)), 11, "K7.5"),
        (_changed(3, arrival=_at(6000, saw=37, is_clock=True)), 13, "K7.5"),
        (race(Decision(0, Late(45), arrival=_at(5, saw=37, behind=5))), 11, "would say 'play'"),
        (race(Decision(1, Late(None), arrival=_at(5, saw=37, behind=5))), 11, "37 has not been covered"),
        (
            race(Decision(0, Pass(), arrival=_at(5)), Decision(1, Play(73), arrival=_at(6, saw=37))),
            12,
            "the table would say 'mirror'",
        ),
        (race(Decision(0, Pass())), 11, "when each intent came"),
    ],
)
def test_what_did_not_come_about_is_refused(record: GameRecord, line: int, reason: str) -> None:
    check_refused(_write_unchecked(record), line, reason)


def _write_unchecked(record: GameRecord) -> str:
    """Write a record whose decisions need not be possible."""
    whole = write_record(replace(RACE, table=record.table)).split("\n")
    lines = []
    for one in record.decisions[1:]:
        line = write_record(replace(record, decisions=(replace(one, action=Late(1)),))).split("\n")[9]
        lines.append(line.replace("late:1", format_arrived(one.action)))
    return "\n".join([*whole[:10], *lines, "", "result: open", ""])


LEAVING = """\
[Game "ekko"]
[Format "1"]
[Live "yes"]
[Position "{position}"]

3. seat 0: 20{{at 1, saw 33}}
{rest}
"""


def leaving(rest: str, *tags: str) -> str:
    """Return a record in which seat 0 puts its last card after one second."""
    position = (
        '{"game":"ekko","version":1,"players":3,"target":25,"pile":[12,55,3],"zone":[18,44],'
        '"hands":[[20],[2,8],[40,90]],"aside":[[],[],[]],"scores":[0,4,11],'
        '"turn":{"round":3,"dealer":2,"player":0,"last":2,"phase":"play"}}'
    ).replace('"', '\\"')
    text = LEAVING.format(position=position, rest=rest).replace("saw 33", "saw 44")
    return text.replace('[Live "yes"]\n', '[Live "yes"]\n' + "".join(f"{tag}\n" for tag in tags))


CLOSED = "3. points: 0 2 2, in all 0 6 13\nresult: open"


@pytest.mark.parametrize(
    ("rest", "tags"),
    [
        (f"3. table: close{{at 4}}\n{CLOSED}", ()),
        (f"3. seat 1: pass{{at 2}}\n3. seat 2: pass{{at 2.5}}\n3. table: close{{at 2.5}}\n{CLOSED}", ()),
        (f"3. table: close{{at 1.5}}\n{CLOSED}", ('[Reaction "0.5"]',)),
        (f"3. table: close{{at 7}}\n{CLOSED}", ('[Calm "yes"]', '[Window "6"]')),
        ("3. seat 1: 2/+{at 2, saw 20}\nresult: open", ()),
    ],
)
def test_reaction_time_ends_by_the_clock_or_by_passes(rest: str, tags: tuple[str, ...]) -> None:
    assert read_record(leaving(rest, *tags)).table is not None


def next_round(rest: str) -> str:
    """Return a record in which that round ends after four seconds, and the next one is dealt."""
    deal = format_arrived(Deal(tuple(range(1, 99))))
    points, _ = CLOSED.split("\n")
    return leaving(f"3. table: close{{at 4}}\n{points}\n4. table: {deal}{{at 4}}\n{rest}\nresult: open")


LATE_MIRROR = "4. seat 1: late:2{at 4.02, saw 20, behind 0.02}"


def test_late_cards_of_the_round_before_stand_after_the_next_deal() -> None:
    record = read_record(next_round(f"4. seat 2: resign{{at 4.01}}\n{LATE_MIRROR}\n4. seat 0: ready{{at 5}}"))
    assert write_record(record).count(LATE_MIRROR) == 1
    assert races_of(record) == [], "the end of the round was quicker, not a card"


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        (LATE_MIRROR.replace("behind 0.02", "behind 0.01"), "it was 20 ms behind"),
        (LATE_MIRROR.replace("late:2{", "late:8{"), "'refused': Too late: the round was already over"),
        (f"{LATE_MIRROR}\n4. seat 0: late:20{{at 5, saw 44, behind 4}}", "the table would say 'refused'"),
    ],
)
def test_damage_of_a_late_card_of_the_round_before_is_named(rest: str, reason: str) -> None:
    read_record(next_round(LATE_MIRROR))
    with pytest.raises(RecordError) as caught:
        read_record(next_round(rest))
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("rest", "tags", "reason"),
    [
        (f"3. table: close{{at 3.999}}\n{CLOSED}", (), "K7.4: the reaction time is not over"),
        (f"3. seat 1: pass{{at 2}}\n3. table: close{{at 2}}\n{CLOSED}", (), "not all players have passed"),
        (f"3. table: close{{at 99}}\n{CLOSED}", ('[Calm "yes"]',), "not all players have passed"),
        (f"3. seat 1: close{{at 9}}\n{CLOSED}", (), "K7.4: only the table deals and closes"),
        ("3. seat 1: draw{at 2}\nresult: open", (), "K7.4"),
        ("3. seat 2: 90?{at 2, saw 20}\nresult: open", (), "the table would say 'refused'"),
        ("3. seat 2: claim:draw{at 2}\nresult: open", (), "K3.2"),
        ("3. seat 2: pass{two}\nresult: open", (), "a time is written {4.2} or {at 4.2, saw 38}"),
        ("3. seat 2: pass{at 1.2.3}\nresult: open", (), "a time is written"),
        ("3. seat 2 : pass{at 2}\nresult: open", (), "decisions are written '12. seat 0: 67 …'"),
        ("3. seat 2: 100{at 2}\nresult: open", (), "a card, 1 to 98"),
        (
            "2. seat 2: pass{at 2}\nresult: open",
            (),
            "'2. seat 2', but here comes '3. table'",
        ),
        ("3. seat 7: pass{at 2}\nresult: open", (), "is said to be of '3. seat 7'"),
        ("result: 1 by resignation (K5.6)", (), "a resignation ends a game for two"),
        ("result: 1 by time (E11.5)", (), "'time' is no reason of a table"),
        ("result: 1 by agreement (K5.6)", (), "no player wins by agreement"),
        ("result: 1 by resignation (E11.5)", (), "resignation is not E11.5"),
    ],
)
def test_damage_is_named_by_line_and_reason(rest: str, tags: tuple[str, ...], reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_record(leaving(rest, *tags))
    assert str(caught.value).startswith("line ")
    assert reason in str(caught.value)


CLAIMED = """\
[Game "ekko"]
[Format "1"]
[Live "yes"]
[Calm "yes"]
[Position "{position}"]

3. seat 1: claim:8{{at 1, saw 80}}
{rest}
"""


def claimed(hand: list[int], rest: str) -> str:
    """Return a calm record in which seat 1 claims the mirror of 80 in the turn of seat 0."""
    position = (
        '{"game":"ekko","version":1,"players":3,"target":25,"pile":[12,55,3],"zone":[18,80],'
        f'"hands":[[20,30],{hand},[40,90]],"aside":[[],[],[]],"scores":[0,4,11],'
        '"turn":{"round":3,"dealer":2,"player":0,"last":2,"phase":"play"}}'
    ).replace('"', '\\"')
    return CLAIMED.format(position=position, rest=rest)


LATE = "3. seat 0: late:20{at 1.5, saw 80, behind 0.5}"
MIRRORED = "3. seat 1: 8/80+{at 3, saw 80}"


@pytest.mark.parametrize(
    ("hand", "lines"),
    [
        ([8, 70], (LATE, MIRRORED)),
        ([8], (MIRRORED, "3. points: 4 0 3, in all 4 4 14")),
    ],
)
def test_a_claim_in_calm_mode_ends_in_its_mirror(hand: list[int], lines: tuple[str, ...]) -> None:
    record = read_record(claimed(hand, "\n".join([*lines, "result: open"])))
    assert record.decisions[-1].action == Mirror(8, Effect.DRAW, on=80)


def test_k3_4_no_card_is_late_where_the_mirror_is_the_last_card() -> None:
    with pytest.raises(RecordError, match=r"^line 8: .*K7.2: the table would say 'mirror'"):
        read_record(claimed([8], f"{LATE}\n{MIRRORED}\nresult: open"))


@pytest.mark.parametrize(
    ("damage", "line", "reason"),
    [
        (change('[Live "yes"]', '[Live "maybe"]'), 3, "tag Live: must be yes or no"),
        (change('[Reaction "3"]', '[Reaction "long"]'), 5, "tag Reaction: must be a number of seconds"),
        (change('[Reaction "3"]', '[Reaction "0"]'), 5, "tag Reaction: must be a number of seconds above 0"),
        (change('[Reaction "3"]', '[TurnClock "0.0"]'), 5, "tag TurnClock: must be a number of seconds ab"),
        (change('[Reaction "3"]', '[Window "0"]'), 5, "tag Window: must be a number of seconds above 0"),
        (change('[Players "3"]', '[Players "9"]'), 6, "the tags give no first position"),
        (change('[Players "3"]', '[Players "three"]'), 6, "must be a whole number"),
        (change('[Players "3"]', f'[Players "{10**39}"]'), 6, "the tags give no first position"),
        (change('[Target "25"]', '[Target "0"]'), 7, "the tags give no first position"),
        (change('[Dealer "2"]', '[Dealer "3"]'), 8, "the tags give no first position"),
        (change('[Players "3"]', '[Position "[}"]'), 6, "not JSON: line 1, column 2"),
        (change("deal:", "deal:1,1,"), 10, "character"),
        (change('[Live "yes"]', '[Live "no"]'), 10, "K6.3"),
        (change("result: open", "result: 0 by lowest-total (K5.6)"), 16, "not over by the rules"),
        (change("result: open", "2. points: 0 0 0, in all 0 0 0\nresult: open"), 16, "points stand behind"),
    ],
)
def test_damage_of_a_race_is_named(damage: Callable[[str], str], line: int, reason: str) -> None:
    check_refused(damage(write_record(RACE)), line, reason)


@pytest.mark.parametrize(
    "decision",
    [
        Decision(1, Misplay(30)),
        Decision(1, Mirror(73, Effect.DRAW, on=37)),
        Decision(1, Late(30)),
        Decision(1, Pass(), arrival=Arrival(1)),
    ],
)
def test_a_sequence_has_nothing_of_a_live_table(decision: Decision) -> None:
    record = race(decision)
    text = _write_unchecked(record).replace('[Live "yes"]\n', "").replace("{at 0}", "")
    with pytest.raises(RecordError, match=r"line 10: .*K6.3"):
        read_record(text)


def test_of_two_players_one_may_resign() -> None:
    record = replace(played(3, 12, players=2), outcome=Outcome((1,), "resignation", "K5.6"))
    assert read_record(write_record(record)) == record


@property_settings(200)
@given(st.data())
def test_any_damage_is_refused_in_one_line_or_harmless(data: st.DataObject) -> None:
    check_any_damage(data, data.draw(st.sampled_from(_SAMPLES)))


_SAMPLES = (write_record(played(11, 60)), write_record(lived(11, 60, LiveOptions())), write_record(RACE))


def test_milliseconds_are_whole_and_add_up() -> None:
    from datetime import timedelta

    late = NOW + timedelta(microseconds=26_999)
    assert milliseconds_between(NOW, late) == 26


@pytest.mark.parametrize("calm", [True, False])
def test_what_came_as_a_round_had_ended_is_in_the_record_of_a_table(calm: bool) -> None:
    """The clock plays two rounds; at the end of the first all cards come, for all top cards there were."""
    chance, race = Chance(1), Race(turn_clock=5, calm=calm, target=99)
    race.shuffled = lambda: shuffled_cards(chance)  # type: ignore[method-assign]
    tops: list[int] = []
    while race.table.position.round == 1:
        tops, held = [*tops, race.table.position.top], race.table.position.hands
        race.wait(5000)
    was = race.table.length
    for on, (seat, hand) in product(dict.fromkeys(tops), enumerate(held)):
        for card in hand:
            with suppress(RefusedError):
                race.send(seat, "play", card=card, on=on, round=1, after=1)
    late = race.table.entries_json(was)
    assert {(entry["round"], entry["verdict"]) for entry in late} == {(1, "late")}
    for _ in range(5):
        race.wait(5000)
    table = race.table
    record = read_record(open_record(table))
    assert [one.action for one in record.decisions] == [entry.action for entry in table.log]
    assert list(replay(record))[-1] == table.position
    assert sum(len(each.late) for each in races_of(record)) == len(late) > 5


@pytest.mark.parametrize("seed", range(20))
def test_a_card_that_has_become_the_mirror_is_judged_as_one(seed: int) -> None:
    """K3.4: whatever its player saw, unless it was valid there: then it is too late (K7.2)."""
    seen: dict[int, EkkoPosition] = {}
    for position, _, _ in random_ekko(seed, 200, live=True):
        if position.top is None:
            seen.clear()
            continue
        seen[position.top] = position
        mirror = mirror_of(position.top)
        for seat, hand in enumerate(position.hands):
            if mirror in hand and mirror not in position.blocked[seat]:
                verdicts = {
                    judge_card(position, seat, mirror, on, then, misplays=True).verdict
                    for on, then in seen.items()
                }
                assert verdicts <= {Verdict.MIRROR, Verdict.LATE}
                assert judge_card(position, seat, mirror, position.top, position, misplays=True).verdict == (
                    Verdict.MIRROR
                )

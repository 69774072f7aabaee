"""Game records: round trips, verification, damage, and the Rules tag."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import RecordError
from ekoes.games.api.contract import Outcome
from ekoes.games.eko.game import EKO, Eko
from ekoes.games.eko.position.position import EkoPosition
from ekoes.records import (
    Decision,
    GameRecord,
    Place,
    read_record,
    read_records,
    read_tree,
    replay,
    rules_text,
    write_record,
)
from tests.kit.examples import property_settings
from tests.rules.eko.board import drawn
from tests.unit.games import ALL_VARIANTS, random_game

_times = st.none() | st.integers(0, 10**9)


def played(seed: int, most: int = 10_000, **options: object) -> GameRecord:
    """Return the record of a random game."""
    steps = list(random_game(seed, most, **options))
    last = steps[-1][0].play(*steps[-1][1:])
    decisions = tuple(Decision(seat, action) for _, seat, action in steps)
    return GameRecord("eko", steps[0][0], decisions, last.outcome(), seed=seed)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    players = draw(st.integers(2, 4))
    record = played(
        draw(st.integers(0, 2**32)),
        draw(st.integers(1, 60)),
        players=players,
        variants=draw(st.lists(st.sampled_from(ALL_VARIANTS), unique=True)),
        setup=draw(st.sampled_from(["standard", "draft"])),
    )
    skip = draw(st.integers(0, len(record.decisions) - 1))
    start = list(replay(record))[draw(st.sampled_from([0, skip]))]
    decisions = record.decisions[list(replay(record)).index(start) :]
    names = draw(st.just(()) | st.tuples(*[st.text(max_size=12)] * players))
    return GameRecord(
        "eko",
        start,
        tuple(Decision(one.seat, one.action, draw(_times)) for one in decisions),
        record.outcome,
        names=names,
        date=draw(st.none() | st.just("2026-05-01")),
        seed=draw(st.none() | st.integers(-(2**63), 2**64)),
        turn_limit=draw(st.none() | st.integers(100, 1000)),
        tags=draw(st.just({}) | st.just({"Event": 'A "game" at home', "Place": "ü\n\\"})),
    )


@property_settings(60)
@given(records())
def test_reading_undoes_writing(record: GameRecord) -> None:
    text = write_record(record)
    again = read_record(text)
    assert again == record
    assert write_record(again) == text


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_ends_with_the_rules_own_result(players: int) -> None:
    record = played(players, players=players)
    assert record.outcome is not None
    again = read_record(write_record(record))
    assert again.outcome == record.outcome
    assert list(replay(again))[-1].outcome() == record.outcome


def test_what_a_record_looks_like() -> None:
    record = played(7, 4, variants=["portals"])
    text = write_record(GameRecord("eko", record.start, record.decisions, names=("Ada", "Bo"), seed=7))
    lines = text.split("\n")
    assert lines[:5] == ['[Game "eko"]', '[Format "1"]', '[Seat0 "Ada"]', '[Seat1 "Bo"]', '[Seed "7"]']
    assert [line[1:].split(" ")[0] for line in lines[5:11]] == [
        "Players", "Setup", "Tiles", "Discs0", "Discs1", "First",
    ]  # fmt: skip
    assert lines[12].startswith(("0. seat 0: ", "0. seat 1: "))
    assert lines[-2:] == ["result: open", ""]


def test_a_short_record_is_dealt_from_its_seed() -> None:
    text = '[Game "eko"]\n[Format "1"]\n[Players "3"]\n[Variants "moon wind"]\n[Seed "5"]\n\nresult: open\n'
    assert read_record(text).start == EKO.new({"players": 3, "variants": ["moon", "wind"]}, 5)


def test_comments_and_empty_lines_are_ignored() -> None:
    record = played(3, 12)
    lines = write_record(record).split("\n")
    commented = "\n".join(
        f"{line} ; {number}\n\n; and more" for number, line in enumerate(lines) if line[:1] != "["
    )
    tags = "\n".join(line for line in lines if line[:1] == "[")
    assert read_record(f"\N{ZERO WIDTH NO-BREAK SPACE}; a game\r\n{tags}\n{commented}") == record


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_lines_end_as_on_any_system(end: str) -> None:
    record = played(3, 12)
    assert read_record(write_record(record).replace("\n", end)) == record
    with pytest.raises(RecordError, match="line 2: "):
        read_record(f'[Game "eko"]{end}[Format]{end}')
    assert read_tree(write_record(record).replace("\n", end)).record == record


def test_games_of_one_text_are_read_one_after_the_other() -> None:
    games = [played(3, 12), played(4), played(5, 1)]
    texts = list(map(write_record, games))
    assert list(read_records("; three games\n" + "; the next one\n\n".join(texts) + "; the end")) == games
    assert list(read_records("".join(text.replace("\n\n", "\n") for text in texts))) == games
    lines = len(texts[0].split("\n")) + len(texts[1].split("\n")) - 2
    for damaged in (texts[2].replace("result: open", ""), texts[2] + "1. seat 0: end"):
        with pytest.raises(RecordError) as caught:
            list(read_records("".join([*texts[:2], damaged])))
        assert int(str(caught.value).removeprefix("line ").partition(":")[0]) > lines


@pytest.mark.parametrize(
    ("day", "reason"),
    [
        ("2025-02-29", "there is no such day: '2025-02-29'"),
        ("2026-13-01", "there is no such day: '2026-13-01'"),
        ("2026-5-1", "there is no such day: '2026-5-1'"),
        ("yesterday", "there is no such day: 'yesterday'"),
        ("20260501", "a day is written 2026-05-01, not '20260501'"),
        ("2026-W18-5", "a day is written 2026-05-01, not '2026-W18-5'"),
        ("2026-05-01T10:00", "there is no such day: '2026-05-01T10:00'"),
    ],
)
def test_a_date_is_a_day_that_there_was(day: str, reason: str) -> None:
    text = write_record(replace(played(3, 2), date="2024-02-29"))
    assert read_record(text).date == "2024-02-29"
    with pytest.raises(RecordError) as caught:
        read_record(text.replace("2024-02-29", day))
    assert str(caught.value) == f"line 3: tag Date: {reason}"


def test_resigning_and_agreeing_need_a_table() -> None:
    open_game = played(3, 12)
    for outcome in (Outcome((1,), "resignation", "E11.5"), Outcome((), "agreement", "E11.5")):
        record = GameRecord("eko", open_game.start, open_game.decisions, outcome)
        assert read_record(write_record(record)).outcome == outcome


def check_refused(text: str, line: int, reason: str) -> None:
    """A record is refused, and the line and the reason are named."""
    with pytest.raises(RecordError) as caught:
        read_record(text)
    assert str(caught.value).startswith(f"line {line}: ")
    assert reason in str(caught.value)


def change(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


def _without_line(start: str) -> Callable[[str], str]:
    return lambda text: "\n".join(line for line in text.split("\n") if not line.startswith(start))


@pytest.mark.parametrize(
    ("damage", "line", "reason"),
    [
        (change('"eko"', '"chess"'), 1, "no game is called 'chess'"),
        (change('[Format "1"]', '[Format "9"]'), 2, "this program reads format 1"),
        (change('[Seed "7"]', '[Seed "seven"]'), 3, "tag Seed: must be a whole number"),
        (change('[Seed "7"]', "[Seed 7]"), 3, "a tag is written"),
        (change('[Seed "7"]', '[Seed "7"]\n[Seed "8"]'), 4, "tag Seed appears twice, first on line 3"),
        (change('[Seed "7"]', '[Seed "\\x"]'), 3, "no JSON string"),
        (change('[Seed "7"]', '[Seed "\\ud800"]'), 3, "no JSON string"),
        (change('[Players "2"]', '[Players "9"]'), 4, "must be from 0 to 4"),
        (change('[Tiles "', '[Tiles "Z,0,0,0 '), 6, "the tags give no first position"),
        (change('[Tiles "', '[Tiles "A;0,0,0 '), 6, "a placed tile is written"),
        (change('[Discs0 "', '[Discs0 "x '), 7, "a space is written"),
        (_without_line("[Game"), 1, "tag Game: missing"),
        (_without_line("result"), 16, "the record ends before its result"),
        (change("0. seat", "1. seat"), 11, "here comes '0. seat"),
        (change("0. seat", "0 seat"), 11, "decisions are written"),
        (change(": ", ": march "), 11, "'march': E12"),
        (change(": ", ": fly "), 11, "'fly': character 1: expected a space"),
        (change("result: open", "result: 0 by points (E11.2)"), 16, "not over by the rules"),
        (change("result: open", "result: somebody"), 16, "a result is written"),
        (change("result: open", "result: nobody by repetition (E11.6)"), 16, "three times"),
        (change("result: open", "result: nobody by turn-limit (E11.5)"), 16, "TurnLimit"),
        (change("result: open", "result: 0 by agreement (E11.5)"), 16, "no player wins by agreement"),
        (change("result: open", "result: 3 by resignation (E11.5)"), 16, "no seat in this game"),
        (change("result: open", "result: nobody by resignation (E11.5)"), 16, "the other player wins"),
        (change("result: open", "result: 0 0 by resignation (E11.5)"), 16, "each once"),
        (change("result: open", "result: 0 1 by resignation (E11.5)"), 16, "the other player wins"),
        (change('[Seed "7"]', '[TurnLimit "0"]'), 3, "tag TurnLimit: a game has at least one turn, not 0"),
        (change('[Seed "7"]', '[TurnLimit "-5"]'), 3, "tag TurnLimit: a game has at least one turn, not -5"),
        (change('[Seed "7"]', '[TurnLimit "3.0"]'), 3, "tag TurnLimit: must be a whole number"),
        (change("result: open", "result: open\n1. seat 0: end"), 17, "nothing may follow the result"),
    ],
)
def test_damage_is_named_by_line_and_reason(damage: Callable[[str], str], line: int, reason: str) -> None:
    text = write_record(played(7, 5))
    assert len(text.split("\n")) == 17
    damaged = damage(text)
    assert damaged != text
    check_refused(damaged, line, reason)


def test_a_resignation_ends_a_game_for_two_alone() -> None:
    text = write_record(played(3, 12, players=3)).replace("result: open", "result: 0 by resignation (E11.5)")
    with pytest.raises(RecordError, match="a resignation ends a game for two"):
        read_record(text)


def limited(turns: int, limit: int, end: str) -> str:
    """A game of so many turns at a table with a limit."""
    record = played(7, 200)
    steps = list(replay(record))
    last = next(
        place for place, position in enumerate(steps) if cast("EkoPosition", position).turn_number > turns
    )
    text = write_record(replace(record, decisions=record.decisions[:last], outcome=None, turn_limit=limit))
    return text.replace("result: open", end)


def test_a_game_ends_as_the_turn_beyond_its_limit_would_begin() -> None:
    """E12.9; open where the last turn was still held."""
    ended = "result: nobody by turn-limit (E11.5)"
    for end in (ended, "result: open", "result: 1 by resignation (E11.5)"):
        read_record(limited(3, 3, end))
    with pytest.raises(RecordError, match=r"has not been reached"):
        read_record(limited(2, 3, ended))
    for end in (ended, "result: open"):
        with pytest.raises(RecordError, match=r"E11\.5: the turn limit \(tag TurnLimit\) was reached"):
            read_record(limited(20, 3, end))


LONELY = drawn("4E@0,2", "4E@-1,-1")
"""Two stacks that may walk to and fro."""
ROUND = ("0,2>1,2", "-1,-1>-1,0", "1,2>0,2", "-1,0>-1,-1")


def wandering(moves: int, end: str) -> str:
    """A record that begins with a position; each four moves lead back to it."""
    lines = [f"{7 + n}. seat {n % 2}: {ROUND[n % 4]}" for n in range(moves)]
    position = json.dumps(json.dumps(LONELY))
    return "\n".join(['[Game "eko"]', '[Format "1"]', f"[Position {position}]", *lines, end])


def test_the_first_position_counts_where_it_begins_a_turn() -> None:
    """E11.6: the position of the tag has begun a turn once, as that of any other turn."""
    ended = "result: nobody by repetition (E11.6)"
    assert len(read_record(wandering(8, ended)).decisions) == 8
    with pytest.raises(RecordError, match=r"^line 8: the last position has not begun a turn three times"):
        read_record(wandering(4, ended))
    for end in (ended, "result: open"):
        with pytest.raises(
            RecordError, match=r"^line 12: '0,2>1,2': E11\.6: the same position .* third time"
        ):
            read_record(wandering(9, end))


def test_a_key_that_stands_twice_in_a_position_is_refused() -> None:
    text = wandering(0, "result: open").replace('{\\"game\\"', '{\\"players\\": 3, \\"game\\"', 1)
    with pytest.raises(RecordError, match=r"^line 3: .*'players': appears twice"):
        read_record(text)


def test_a_wrong_result_of_a_game_that_is_over_is_found() -> None:
    record = played(2)
    text = write_record(record)
    for wrong in ("result: open", "result: 0 1 by points (E11.2)", "result: 0 by resignation (E11.5)"):
        damaged = text[: text.index("result:")] + wrong
        with pytest.raises(RecordError, match=r"the game is over|the rules give"):
            read_record(damaged)


def check_any_damage(data: st.DataObject, text: str) -> None:
    """Damage a record: it is read all the same, or refused in one line."""
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(len(text), begin + 30)))
    damaged = text[:begin] + data.draw(st.text(max_size=8)) + text[end:]
    refusal = ""
    try:
        read_record(damaged)
    except RecordError as error:
        refusal = str(error)
    assert len(refusal.splitlines()) <= 1
    assert refusal == "" or refusal.startswith("line ")


@property_settings(200)
@given(st.data())
def test_any_damage_is_refused_in_one_line_or_harmless(data: st.DataObject) -> None:
    check_any_damage(data, _SAMPLE)


_SAMPLE = write_record(played(11, 30, variants=["labyrinth"]))


TEXT = (Path(__file__).parents[1] / "golden" / "games" / "two-greedy.txt").read_text("utf-8")


def judged_by(rules: str) -> str:
    return TEXT.replace('[Format "1"]\n', f'[Format "1"]\n[Rules "{rules}"]\n')


@pytest.mark.parametrize(
    ("versions", "text"),
    [("", ""), ("1", "1"), ("111", "1"), ("1122", "1, 2 from 3"), ("1221", "1, 2 from 2, 1 from 4")],
)
def test_rules_tag_lists_changes_by_decision(versions: str, text: str) -> None:
    assert rules_text(list(versions)) == text


def test_record_without_the_tag_is_read_and_written_as_before() -> None:
    record = read_record(TEXT)
    assert record.rules is None
    assert write_record(record) == TEXT


def test_record_of_todays_rules_is_verified() -> None:
    record = read_record(judged_by(EKO.rules_version))
    assert record.rules == EKO.rules_version
    assert write_record(record) == judged_by(EKO.rules_version)
    with pytest.raises(RecordError, match="the rules give"):
        read_record(judged_by("1").replace("result: ", "result: 9 "))


@pytest.mark.parametrize("rules", ["2", "0", "1, 2 from 57", "2, 1 from 57", "1-rc.2"])
def test_record_of_other_rules_is_refused_plainly(rules: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_record(judged_by(rules))
    assert str(refused.value) == (
        f"line 3: tag Rules: judged by rules {rules}; this program knows rules 1 and can't verify it"
    )


def test_record_of_an_earlier_release_is_refused_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Eko, "rules_version", "2")
    with pytest.raises(RecordError, match="judged by rules 1; this program knows rules 2"):
        read_record(judged_by("1"))


@pytest.mark.parametrize("rules", ["", "1,2", "1, 2", "1 from 3", "1, 2 from x", "one two"])
def test_tag_that_says_nothing_is_refused(rules: str) -> None:
    with pytest.raises(RecordError, match="line 3: tag Rules: is written 1, or 1, 2 from 57, not "):
        read_record(judged_by(rules))


def test_record_is_written_as_it_stood_and_not_by_replay() -> None:
    """The places come from the store; no rule is applied."""
    start = EKO.new({"players": 2}, 1)
    nonsense = EKO.parse_action({"type": "march"})
    record = GameRecord(
        "eko",
        start,
        (Decision(1, nonsense), Decision(1, nonsense), Decision(0, nonsense)),
        Outcome((0,), "points", "E11.2"),
        rules="0",
    )
    text = write_record(record, [Place(4), Place(4, "4. points: 1 2, in all 1 2"), Place(4)])
    assert text.split("\n")[-6:-1] == [
        "4. seat 1: march march", "4. points: 1 2, in all 1 2", "4. seat 0: march", "",
        "result: 0 by points (E11.2)",
    ]  # fmt: skip

"""The tag ``Rules``: by which rules a game was judged, and that no others verify it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ekoes.errors import RecordError
from ekoes.games.api.contract import Outcome
from ekoes.games.eko.game import EKO, Eko
from ekoes.records import Decision, GameRecord, Place, read_record, rules_text, write_record

TEXT = (Path(__file__).parents[1] / "golden" / "games" / "two-greedy.txt").read_text("utf-8")


def judged_by(rules: str) -> str:
    return TEXT.replace('[Format "1"]\n', f'[Format "1"]\n[Rules "{rules}"]\n')


@pytest.mark.parametrize(
    ("versions", "text"),
    [("", ""), ("1", "1"), ("111", "1"), ("1122", "1, 2 from 3"), ("1221", "1, 2 from 2, 1 from 4")],
)
def test_changes_of_the_rules_are_told_by_decision(versions: str, text: str) -> None:
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
    """The places come from whoever kept the game; no rule is asked."""
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

"""The commands of EKKO, as the interchange specification says them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.state import LiveOptions
from ekoes.games.ekko.position.action import Late
from ekoes.records import Decision, GameRecord, write_record
from tests.docs.pages import fences, read
from tests.unit.cli.conftest import Ekoes
from tests.unit.ekko_games import LiveGame, random_ekko

MIDDLE = {
    "game": "ekko", "version": 1, "players": 3, "target": 25,
    "pile": [12, 55, 3], "zone": [38, 33, 67], "hands": [[1, 20, 76], [8], [44, 90]], "aside": [[], [17], []],
    "scores": [0, 4, 11],
    "turn": {"round": 1, "dealer": 2, "player": 2, "last": 1, "phase": "play"},
}  # fmt: skip
"""Seat 2 has to play 90; seat 0 holds the mirror of 67."""


@pytest.fixture
def position(tmp_path: Path) -> Path:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(MIDDLE))
    return file


def test_new_prints_the_phase_before_the_deal(ekoes: Ekoes) -> None:
    done = ekoes("ekko", "new", "--players", 5, "--seed", 7, "--target", 30)
    assert (done.status, done.err) == (0, "")
    assert done.lines == [EKKO.new({"players": 5, "target": 30}, 7).to_json()]
    assert done.lines[0]["turn"]["phase"] == "deal"


@pytest.mark.parametrize(("players", "cards"), [(2, 6), (3, 6), (4, 5), (5, 5), (6, 4), (8, 4)])
def test_new_deals_the_first_round_from_the_seed(ekoes: Ekoes, players: int, cards: int) -> None:
    first, same, other = (
        ekoes("ekko", "new", "--players", players, "--seed", seed, "--deal").lines[0] for seed in (7, 7, 8)
    )
    assert first == same != other
    assert [len(hand) for hand in first["hands"]] == [cards] * players
    assert len(first["pile"]) == 98 - 1 - cards * players
    assert first["turn"]["dealer"] == EKKO.new({"players": players}, 7).dealer
    assert EKKO.from_json(first).to_json() == first


def test_legal_prints_one_action_per_line(ekoes: Ekoes, position: Path) -> None:
    assert ekoes("ekko", "legal", position).lines == [{"type": "play", "card": 90}]
    asked = MIDDLE | {"turn": MIDDLE["turn"] | {"phase": "mirror", "asked": 0}}  # type: ignore[operator]
    assert ekoes("ekko", "legal", "-", stdin=json.dumps(asked)).lines == [
        {"type": "mirror", "card": 76, "effect": "discard", "aside": 1},
        {"type": "mirror", "card": 76, "effect": "discard", "aside": 20},
        {"type": "mirror", "card": 76, "effect": "draw"},
        {"type": "pass"},
    ]


def test_legal_before_a_deal_names_the_deal_alone(ekoes: Ekoes) -> None:
    new = ekoes("ekko", "new", "--players", 2, "--seed", 1).out
    assert ekoes("ekko", "legal", "-", stdin=new).out == '{"type":"deal"}\n'


def test_apply_takes_what_happened_at_a_live_table(ekoes: Ekoes, position: Path) -> None:
    lines = [
        '{"type":"misplay","card":8}',
        '{"type":"mirror","card":76,"on":67,"effect":"discard","aside":1}',
        '{"type":"misplay","card":44}',
    ]
    done = ekoes("ekko", "apply", position, "-", stdin="\n".join(lines)).lines[0]
    assert done["zone"] == [38, 33, 67, 76]
    assert done["hands"] == [[20], [8, 12], [44, 55, 90]]
    assert done["turn"]["blocked"] == [[], [], [55]]
    value = json.loads(position.read_text())
    value |= {"zone": [38, 33, 67, 20], "hands": [[], [8], [2, 44, 90]]}
    value["turn"] |= {"player": 1, "last": 0, "leaving": 0}
    file = position.with_name("close.txt")
    file.write_text("8\n")
    refused = ekoes("ekko", "apply", "-", file, stdin=json.dumps(value))
    assert refused.err.startswith("ekoes: line 1: K7.4: A last card has been played")
    file.write_text("close\n")
    closed = ekoes("ekko", "apply", "-", file, stdin=json.dumps(value))
    assert closed.lines[0]["scores"] == [0, 5, 15]
    assert closed.lines[0]["turn"] == {"round": 2, "dealer": 0, "phase": "deal"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("draw", "K2.2: You hold a valid card"),
        ("44", "K2.1: The top card is odd"),
        ("20", "K2.1"),
        ("pass", "K6.1: You are not asked for a mirror now."),
        ("76/+", "K6.1: You are not asked for a mirror now."),
        ("76/67+\n90/67+", "K3.1: This card is not the mirror of the top card."),
        ("close", "K7.4: No one has played a last card."),
        ("90?", "K4.1: This card can be played now."),
        ("76?", "K4.1: This card can be played now."),
        ("76/37-1", "K3.1"),
        ("76/67-8", "K3.2: Put aside another card that you hold."),
        ("deal", "K6.0: This round has been dealt."),
    ],
)
def test_apply_names_the_line_and_the_rule(ekoes: Ekoes, position: Path, line: str, reason: str) -> None:
    done = ekoes("ekko", "apply", position, "-", stdin=line)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"ekoes: line {len(line.splitlines())}: {reason}")


def test_races_print_the_first_card_and_the_late_ones(ekoes: Ekoes) -> None:
    page = read("docs/reference/records.md")
    (record,) = fences(page, "record race")
    done = ekoes("ekko", "races", "-", stdin=record)
    assert (done.status, done.err) == (0, "")
    assert done.out in page
    assert len(done.lines) == 1


def test_a_sequence_has_no_races(ekoes: Ekoes) -> None:
    steps = list(random_ekko(6, 40))
    record = GameRecord("ekko", steps[0][0], tuple(Decision(seat, action) for _, seat, action in steps))
    done = ekoes("ekko", "races", "-", stdin=write_record(record))
    assert (done.status, done.out) == (0, "")
    assert "it has no races" in done.err


def test_every_late_card_belongs_to_a_race(ekoes: Ekoes) -> None:
    game = LiveGame(12, LiveOptions(), players=4)
    game.play(300)
    decisions, outcome = tuple(game.decisions), game.position.outcome()
    text = write_record(GameRecord("ekko", game.start, decisions, outcome, table=game.table))
    found = ekoes("ekko", "races", "-", stdin=text).lines
    late = [one for race in found for one in race["late"]]
    sent = [one for one in game.decisions if isinstance(one.action, Late)]
    assert len(late) == len(sent) > 20
    assert {one["behind"] for one in late} == {one.arrival.behind for one in sent if one.arrival}
    assert sum(race["kind"] == "mirror" for race in found) == text.count("claim:")


def test_review_prints_sentences_or_json(ekoes: Ekoes) -> None:
    file = Path(__file__).parents[2] / "golden/ekko/games/live-four-players-to-12.txt"
    lines = file.read_text("utf-8").splitlines()
    record = "\n".join([*lines[:22], "result: open", ""])
    limits = ("--deals", "8", "--workers", "1")
    done = ekoes("ekko", "review", "-", *limits, stdin=record)
    assert (done.status, done.out.count("median: turn")) == (0, 4)
    assert "seat 0 held" not in done.out
    found = json.loads(ekoes("ekko", "review", "-", *limits, "--json", stdin=record).out)
    assert (found["version"], found["players"], len(found["totals"]), found["luck"][0]["n"]) == (1, 4, 4, 1)

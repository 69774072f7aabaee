"""Plans: what is refused, the line-ups, and the schedule of the games."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Any

import pytest

from ekoes.arena.plan import Pairing, Plan, Schedule, read_plan
from ekoes.arena.run import play_bots
from ekoes.errors import NotationError
from tests.unit.arena.plans import plan

GOOD = """\
# who is better
game = "eko"
seats = 2
rounds = 10
seed = 3
turn_limit = 100
seconds = 0.5
iterations = 1000
lineups = [["one", "two"]]

[[players]]
name = "one"
bot = "greedy"
seconds = 1
iterations = 7

[[players]]
name = "two"
program = [
  "python3",
  "two.py",
]
level = "casual"
memory = 64

[[layouts]]
name = "drawn"
seed = 4
options = { setup = "draft" }

[[variants]]
name = "moon"

[variants.options]
variants = ["moon"]

[sprt]
elo0 = 0
elo1 = 10.5
alpha = 0.05
beta = 0.1
"""


def test_a_plan_is_read() -> None:
    plan = read_plan(GOOD)
    assert plan.options(plan.layouts[0], plan.variants[0]) == {
        "players": 2,
        "setup": "draft",
        "variants": ["moon"],
    }
    assert plan.players[1].program == ("python3", "two.py")
    assert (plan.limit(plan.players[0], 5).seconds, plan.limit(plan.players[1], 5).seconds) == (1, 0.5)
    assert (plan.limit(plan.players[0], 5).iterations, plan.limit(plan.players[1], 5).iterations) == (7, 1000)
    assert Plan.model_validate(plan.model_dump(mode="json")) == plan


def test_every_key_of_a_plan_is_tried_below() -> None:
    said = set(re.findall(r"^(\w+) =|(?<!\[)\[(\w+)\]|\[\[(\w+)\]\]", GOOD, flags=re.MULTILINE))
    tried = {change[0].split(" ")[0].strip("[]") for change in BAD}
    assert {"".join(names) for names in said} <= tried | {"name", "options"}
    fields = {name for model in ("Plan", "Entrant", "Layout", "Variant", "Sprt") for name in _fields(model)}
    assert fields <= tried | {"settings", "options"}


def _fields(model: str) -> set[str]:
    import ekoes.arena.plan

    return set(getattr(ekoes.arena.plan, model).model_fields)


BAD = [
    ('game = "eko"', 'game = "go"', 2, "'game': no game is called 'go'; there are: eko, ekko"),
    ('game = "eko"', "game = 3", 2, "'game': must be a text"),
    ("seats = 2", "seats = 7", 3, "'seats': a table of eko has 2 to 4 seats, not 7"),
    ("seats = 2", "seat = 2", 3, "'seat': this key is unknown here"),
    ("rounds = 10", "rounds = 0", 4, "'rounds': must be at least 1"),
    ("rounds = 10", "", 1, "'rounds': this key is missing"),
    ("rounds = 10", "rounds = 100_000_000", 4, "'rounds': that would be 200000000 games"),
    ("seed = 3", "seed = -1", 5, "'seed': must be at least 0"),
    ("seed = 3", "seed = 3\nseed = 4", None, "not TOML: line 6, column 9 does not fit"),
    ("turn_limit = 100", "turn_limit = 0.5", 6, "'turn_limit': must be a whole number"),
    ("seconds = 0.5", "seconds = 0", 7, "'seconds': does not fit here"),
    ("iterations = 1000", 'iterations = "many"', 8, "'iterations': must be a whole number"),
    ('lineups = [["one", "two"]]', 'lineups = [["one"]]', 9, "'lineups.1': a table has 2 seats, not 1"),
    ('lineups = [["one", "two"]]', 'lineups = [["one", "me"]]', 9, "'lineups.1': no player is called 'me'"),
    ('name = "one"', 'nam = "one"', 11, "'players.1.name': this key is missing"),
    ('name = "one"', 'name = "two"', 18, "'players.2.name': 'two' appears twice"),
    ('bot = "greedy"', 'bot = "clever"', 13, "'players.1.bot': no bot is called 'clever'"),
    ('bot = "greedy"', "", 11, "'players.1': a player is either a bot or a program"),
    (
        'bot = "greedy"',
        'bot = "greedy"\nsettings.width = 3',
        14,
        "'players.1.settings.width': greedy takes no",
    ),
    ("program = [", "program = [ 3,", 19, "'players.2.program.1': must be a text"),
    ('level = "casual"', "level = 5", 23, "'players.2.level': must be a text"),
    ("memory = 64", "memory = 1", 24, "'players.2.memory': must be at least 16"),
    ("[[players]]", "[[player]]", 11, "'player': this key is unknown here"),
    ("[[layouts]]", "[[layout]]", 26, "'layout': this key is unknown here"),
    ('setup = "draft"', 'setup = "quick"', 29, "'layouts.1.options.setup': must be"),
    ('setup = "draft"', "players = 3", 29, "'layouts.1.options.players': set seats instead"),
    ("[[variants]]", "[[variant]]", None, "'variants': "),
    ('variants = ["moon"]', 'variants = ["sun"]', 35, "'variants.1.options.variants.0'"),
    ("[sprt]", "[spirit]", 37, "'spirit': this key is unknown here"),
    ("elo0 = 0", "elo0 = 20", 37, "'sprt': elo0 must be less than elo1"),
    ("elo1 = 10.5", "elo1 = true", 39, "'sprt.elo1': does not fit here"),
    ("alpha = 0.05", "alpha = 0.5", 40, "'sprt.alpha': must be less than 0.5"),
    ("beta = 0.1", "beta = nan", 41, "'sprt.beta': must be less than 0.5"),
    ("[sprt]", "[sprt", None, "not TOML: line 37, column 6 does not fit"),
]


@pytest.mark.parametrize(("good", "bad", "line", "reason"), BAD)
def test_a_bad_plan_is_refused_with_line_and_key(good: str, bad: str, line: int | None, reason: str) -> None:
    assert good in GOOD
    with pytest.raises(NotationError) as refused:
        read_plan(GOOD.replace(good, bad, 1))
    assert reason in str(refused.value)
    if line is not None:
        assert str(refused.value).startswith(f"line {line}: ")


def test_only_two_are_tested_against_each_other() -> None:
    three = GOOD.replace("[[layouts]]", '[[players]]\nname = "three"\nbot = "random"\n[[layouts]]')
    plain = three.replace('lineups = [["one", "two"]]', "")
    with pytest.raises(NotationError, match="'sprt': two are tested against each other"):
        read_plan(plain)


NAMED = [{"name": name, "bot": "random"} for name in "abcde"]
LAYOUTS = [{"name": "one", "seed": 5}, {"name": "two"}]
VARIANTS = [{"name": "plain"}, {"name": "moon", "options": {"variants": ["moon"]}}]


def games(**more: Any) -> list[Pairing]:
    schedule = Schedule(plan(**more))
    return [schedule[number] for number in range(len(schedule))]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_player_sits_in_every_seat_on_every_layout_with_every_variant(seats: int) -> None:
    sat: Counter[Any] = Counter(
        (place, seat, pairing.layout.name, pairing.variant.name)
        for pairing in games(players=NAMED, seats=seats, layouts=LAYOUTS, variants=VARIANTS)
        for seat, place in enumerate(pairing.seats)
    )
    assert len(sat) == len(NAMED) * seats * len(LAYOUTS) * len(VARIANTS)
    assert len(set(sat.values())) == 1


@pytest.mark.parametrize(("players", "seats"), [(2, 3), (2, 4), (3, 4), (1, 2)])
def test_fewer_players_than_seats_sit_there_several_times(players: int, seats: int) -> None:
    sat = Counter(
        (place, seat)
        for pairing in games(players=NAMED[:players], seats=seats)
        for seat, place in enumerate(pairing.seats)
    )
    assert len(sat) == players * seats
    assert len(set(sat.values())) == 1


def test_games_of_an_opening_begin_alike_and_its_players_change_seats() -> None:
    openings = defaultdict(list)
    for pairing in games(players=NAMED, layouts=LAYOUTS):
        openings[pairing.opening].append(pairing)
    for together in openings.values():
        assert len({(pairing.seed, pairing.deals, pairing.layout.name) for pairing in together}) == 1
    assert len({together[0].deals for together in openings.values()}) == len(openings)


def test_a_layout_with_a_seed_begins_alike_in_every_round() -> None:
    seeds = {(pairing.layout.name, pairing.seed) for pairing in games(layouts=LAYOUTS, rounds=4)}
    assert Counter(name for name, _ in seeds) == {"one": 1, "two": 4}
    assert ("one", 5) in seeds


def test_each_game_has_a_chance_of_its_own_and_another_seed_another() -> None:
    chances = [pairing.chance for seed in (1, 2) for pairing in games(seed=seed, rounds=50)]
    assert len(set(chances)) == len(chances)


def test_more_rounds_leave_the_first_ones_as_they_are() -> None:
    short, long = games(players=NAMED), games(players=NAMED, rounds=6)
    assert long[: len(short)] == short
    assert len(long) == 2 * len(short)


def test_line_ups_that_are_named_are_those_that_play() -> None:
    seats = {frozenset(pairing.seats) for pairing in games(players=NAMED, lineups=[["a", "b"], ["c", "b"]])}
    assert seats == {frozenset({0, 1}), frozenset({2, 1})}


def test_there_is_no_game_beyond_the_last() -> None:
    schedule = Schedule(plan())
    with pytest.raises(IndexError):
        schedule[len(schedule)]


@pytest.mark.parametrize(
    ("bots", "settings", "message"),
    [
        ({"a": 3, "b": "random"}, {}, r"'players\.1\.bot': is a name or an object with choose.*, not int"),
        ({"a": "nobody", "b": "random"}, {}, r"'players\.1\.bot': no bot is called 'nobody'"),
        ({"a": "random", "b": "random"}, {"turns": 1}, "'turns': this key is unknown here"),
    ],
)
def test_bots_that_play_without_a_file_are_checked_as_in_one(
    bots: dict[str, Any], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(NotationError, match=message):
        play_bots("eko", bots, **settings)


class Speechless:
    def choose(self, *_: object) -> None:
        return None


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_a_bot_that_decides_nothing_is_told_so(game: str) -> None:
    with pytest.raises(NotationError, match=r"a decision is one of legal\(\), not NoneType"):
        play_bots(game, {"a": Speechless(), "b": "random"})

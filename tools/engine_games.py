"""Write games for the tests of the page's rules: ``python -m tools.engine_games``.

Python plays them, at random and by the golden records; the page has to play them too and to see the same in
each position. Each game has its first position, the number of its decisions, and a hash of all that was seen.
Also records with damages, and what is wrong with each of them.
Some positions are searched too, and bots decide in them; tries of puzzles are judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ekoes.bots import info_of
from ekoes.errors import EkoesError, RecordError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json, Outcome
from ekoes.games.ekko.game import EKKO
from ekoes.games.eko.bots import levels
from ekoes.games.eko.bots.levels import CASUAL, Level
from ekoes.games.eko.bots.one_turn import GREEDY
from ekoes.games.eko.bots.search import Search
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import (
    BUILDINGS,
    Action,
    action_from_json,
    action_to_json,
    format_action,
    parse_action,
)
from ekoes.games.eko.position.layout import MAX_SPACES, Fault, Layout
from ekoes.games.eko.position.position import FLAGS, PHASES, EkoPosition
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import TURNS, VARIANTS, TileSet, default_tileset
from ekoes.games.eko.presenter import PRESENTER
from ekoes.games.eko.puzzles import listed, puzzle
from ekoes.games.eko.rules.board import HIGHEST_LEVEL
from ekoes.games.eko.rules.record import SUPPLY, Phase, Whereabouts
from ekoes.records import (
    Decision,
    GameRecord,
    GameTree,
    Node,
    read_record,
    read_tree,
    replay,
    write_record,
    write_tree,
)

_ROOT = Path(__file__).parents[1]
FILE = _ROOT / "web" / "src" / "engine" / "eko" / "games.json"
RECORDS_FILE = FILE.with_name("records.json")
EKKO_RECORDS = FILE.parents[1] / "ekko" / "records.json"
SEARCHES = FILE.with_name("searches.json")
VERDICTS = FILE.with_name("verdicts.json")
DRAFTS = FILE.with_name("drafts.json")
RECORDS = _ROOT / "tests" / "golden" / "games"
MOST_DECISIONS = 200
_TRIED = 12
_MIXED = ("to", "zones", "site", "kind", "space", "count")
_SEED, _FACTOR, _STEP, _MODULUS = 1, 1664525, 1013904223, 1 << 32
"""A linear congruential generator (Numerical Recipes), which TypeScript repeats with doubles."""


def plans() -> Iterator[dict[str, Any]]:
    """Yield the options of each game."""
    own = default_tileset().to_json()
    own["tiles"]["X"] = {"terrain": "t", "cells": [[0, 0]], "copies": 6, "variant": "wind"}
    for players in (2, 3, 4):
        yield {"players": players}
        yield {"players": players, "variants": VARIANTS}
        yield {"players": players, "variants": VARIANTS, "setup": "draft"}
    yield {"players": 3, "variants": VARIANTS, "tileset": own}


def compact(value: object) -> str:
    """Write JSON as JavaScript does."""
    return json.dumps(value, separators=(",", ":"))


def play(position: EkoPosition, decisions: Sequence[Action] | None = None) -> tuple[int, str]:
    """Play decisions, by default random ones. Returns: how many, and the hash."""
    seen = sha256(compact(PRESENTER.board(position)).encode())
    most = MOST_DECISIONS if decisions is None else len(decisions)
    number, tried = _SEED, list[Json]()
    for count in range(most + 1):
        seen.update(position.states.tobytes())
        actions = position.legal()
        outcome = position.outcome()
        result = outcome and [outcome.winners, outcome.reason, outcome.rule]
        listed = list(map(action_to_json, actions))
        players = [_player(position, seat) for seat in range(position.layout.players)]
        seen.update(compact([position.to_json(), position.actors(), listed, players, result]).encode())
        seen.update(compact(refusals(position, tried)).encode())
        if not actions or count == most:
            break
        number = (number * _FACTOR + _STEP) % _MODULUS
        action = actions[number * len(actions) // _MODULUS] if decisions is None else decisions[count]
        tried += wrong(action_to_json(action), tried)
        after = position.play(position.actors()[0], action)
        told = PRESENTER.describe(position, action, after)
        seen.update(compact(dict(sorted(told.items()))).encode())
        position = after
    return count, seen.hexdigest()[:16]


def _player(position: EkoPosition, seat: int) -> Json:
    """Return what a page shows of a player: points by source (E11.1, E10.6), Emperor, discs, buildings."""
    view = position.plain
    match view.whereabouts[seat]:
        case Whereabouts.BOARD:
            emperor: Json = {"where": "board", "space": position.layout.coordinates[view.emperor[seat]]}
        case Whereabouts.CAPTIVE:
            emperor = {"where": "captive", "by": view.captor[seat]}
        case Whereabouts.UNPLACED:
            emperor = {"where": "unplaced"}
        case _:
            emperor = {"where": "reserve"}
    return {
        "points": {"total": view.points[seat], **position.points(seat)},
        "capital": view.capitals[seat] > 0,
        "reserve": {
            "discs": view.reserve[seat],
            "emperor": view.whereabouts[seat] == Whereabouts.RESERVE,
        },
        "emperor": emperor,
        "supply": {
            "camp": SUPPLY[1] - view.camps[seat],
            "tower": SUPPLY[2] - view.towers[seat],
            "castle": SUPPLY[3] - view.castles[seat],
        },
        "removed": view.removed[seat],
        "discs": view.discs[seat],
    }


def wrong(action: Json, tried: list[Json]) -> list[Json]:
    """Return a decision that has been played, and a mixture of it and another one of its type."""
    other = next((one for one in reversed(tried) if one["type"] == action["type"]), {})
    return [action, action | {key: other[key] for key in _MIXED if key in other}]


def refusals(position: EkoPosition, tried: list[Json]) -> list[list[str] | None]:
    """Return why the latest of these decisions are not legal, for the seat to move and for the next one."""
    seat = (*position.actors(), 0)[0]
    found = [position.why_not(seat, action_from_json(action)) for action in tried[-_TRIED:]]
    if tried:
        found.append(position.why_not((seat + 1) % position.players, action_from_json(tried[-1])))
    return [None if one is None else [one.code, one.rule] for one in found]


def games() -> str:
    """Return the content of the file."""
    lines = []
    for seed, options in enumerate(plans()):
        position: Any = EKO.new(options, seed)
        decisions, seen = play(position)
        lines.append(
            {"name": f"random {seed}", "start": position.to_json(), "decisions": decisions, "hash": seen}
        )
    for path in sorted(RECORDS.glob("*.txt")):
        record = read_record(path.read_text("utf-8"))
        position = record.start
        decisions, seen = play(position, [decision.action for decision in record.decisions])
        lines.append({"name": path.name, "start": position.to_json(), "decisions": decisions, "hash": seen})
    return "[\n" + ",\n".join(map(compact, lines)) + "\n]\n"


DAMAGES = (
    ("", ""),
    ("", "\ufeff; a game\r\n\r\n"),
    ("\n", "\r\n"),
    ("[Game", "; [Game"),
    ('[Format "1"]', '[Format "9"]'),
    ('[Rules "1"]', '[Rules "2"]'),
    ('[Rules "1"]', '[Rules "one, two"]'),
    ('[Date "2024-02-29"]', '[Date "2025-02-29"]'),
    ('[Date "2024-02-29"]', '[Date "20240229"]'),
    ('[Date "2024-02-29"]', '[Date "today"]'),
    ('[Seat0 "Zo\u00eb"]', '[Seat1 "Bo"]'),
    ('[Seed "7"]', '[Seed "-007"]'),
    ('[Seed "7"]', '[Seed "seven"]'),
    ('[Seed "7"]', "[Seed 7]"),
    ('[Seed "7"]', '[Seed "7"]\n[Seed "8"]'),
    ('[Seed "7"]', '[Seed "\\x"]'),
    ('[Seed "7"]', '[Seed "\\ud800"]'),
    ('[Seed "7"]', '[TurnLimit "0"]'),
    ('[Seed "7"]', '[TurnLimit "3.0"]'),
    ('[Seed "7"]', '[TurnLimit "1"]'),
    ('[Players "2"]', '[Players "9"]'),
    ('[Tiles "', '[Tiles "Z,0,0,0 '),
    ('[Tiles "', '[Tiles "A;0,0,0 '),
    ('[Discs0 "', '[Discs0 "x '),
    ("0. seat", "1. seat"),
    ("0. seat", "0 seat"),
    (": swap", ": march swap"),
    (": swap", ": fly swap"),
    ("{1.25}", "{soon}"),
    ("{1.25}", "{at 1.25}}"),
    ("{1.25}", " ; a thought"),
    ("result: open", ""),
    ("result: open", "result: open\n1. seat 0: end"),
    ("result: open", "result: 0 by points (E11.2)"),
    ("result: open", "result: 0 by magic (E11.2)"),
    ("result: open", "result: somebody"),
    ("result: open", "result: 1 by resignation (E11.5)"),
    ("result: open", "result: 1 by time (E11.6)"),
    ("result: open", "result: nobody by agreement (E11.5)"),
    ("result: open", "result: nobody by repetition (E11.6)"),
    ("result: open", "result: nobody by turn-limit (E11.5)"),
    ("result: open", "result: 0 by agreement (E11.5)"),
    ("result: open", "result: 3 by resignation (E11.5)"),
    ("result: open", "result: nobody by resignation (E11.5)"),
    ("result: open", "result: 0 0 by resignation (E11.5)"),
    ('Variations "yes"', 'Variations "no"'),
    ("; (\n", "; (\n; (\n"),
    ("; (\n", '; (\n; "early"\n'),
    ("; (\n", "; (\n; )\n"),
    ("; )\n", ""),
    ("; )\n", "; )\n; )\n"),
    ("; !?", "; !?\n; !"),
    ("; !?", "; !?!"),
    ('; "A', '; "one"\n; "A'),
    ("\u00fc", "\\ud800"),
    ("\u00fc", '"'),
    (";   0. seat", ";   1. seat"),
)
"""What is replaced in records, and by what."""


def annotated() -> GameTree:
    """Return a game for two with a variation, a sign, a comment and a time."""
    start: Any = EKO.new({"players": 2}, 7)
    positions, decisions = [start], list[Decision]()
    for _ in range(5):
        (seat,) = positions[-1].actors()
        action = positions[-1].legal(seat)[1]
        decisions.append(Decision(seat, action, None if decisions else 1250))
        positions.append(positions[-1].play(seat, action))
    (seat,) = positions[1].actors()
    nodes = [Node(number, decision) for number, decision in enumerate(decisions)]
    nodes[1] = Node(1, decisions[1], "!?", 'A "plan"; \u00fc\n')
    other = Node(1, Decision(seat, positions[1].legal(seat)[0]), "??")
    later = [Node(parent, node.decision) for parent, node in zip((2, 4, 5), nodes[2:], strict=True)]
    record = GameRecord(
        "eko",
        start,
        tuple(decisions),
        names=("Zo\u00eb", ""),
        date="2024-02-29",
        seed=7,
        rules=EKO.rules_version,
        tags={"Event": "A game \U0001f3dc"},
    )
    return GameTree(record, (Node(comment="The start"), *nodes[:2], other, *later))


def records() -> str:
    """Return the content of the file of records."""
    tree = annotated()
    limited = GameRecord("eko", EKO.new({"players": 2}, 3), turn_limit=1, outcome=None)
    drawn = Outcome((), "agreement", "E11.5")
    later: Any = EKO.from_json(tree.record.start.to_json())
    for decision in tree.record.decisions:
        later = later.play(decision.seat, decision.action)
    texts = [
        write_tree(tree),
        write_record(limited),
        write_record(GameRecord("eko", later, outcome=drawn)),
        write_record(GameRecord("eko", EKO.new({"players": 3, "setup": "draft"}, 5))),
    ]
    lines = []
    for text in texts:
        tried = DAMAGES if text is texts[0] else DAMAGES[:1]
        lines.append(
            compact({"text": text, "tried": [[old, new, _read(text, old, new)] for old, new in tried]})
        )
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _read(text: str, old: str, new: str) -> list[str]:
    """Return how a record is written once it is read, or the beginning of what is wrong with it."""
    try:
        count = -1 if old == "\n" else 1
        return ["written", write_tree(read_tree(text.replace(old, new, count)))]
    except RecordError as error:
        if error.__cause__ is None:
            return ["error", str(error)]
        # the rules and the parser have words of their own in TypeScript
        rule = getattr(error.__cause__, "rule", None)
        place, what, *_ = str(error).split(": ")
        return ["error", f"{place}: {what}" + (f": {rule}" if rule and what.startswith("'") else "")]


_BRANCHED = 10
"""Decisions of a game of EKKO, of which each may have a variation."""
EKKO_DAMAGES = (
    ("", ""),
    ('[Rules "2"]', '[Rules "1"]'),
    ('[Players "3"]', '[Players "9"]'),
    ('[Target "25"]\n', ""),
    ('[Target "25"]', '[Target "0"]'),
    ('[Dealer "', '[Dealer "1'),
    ('[Dealer "', '[Position "{"]\n[Dealer "'),
    ("1. table", "2. table"),
    ("table: deal:", "table: deal "),
    ("deal:", "deal:99,"),
    ("deal:", "close deal:"),
    ("seat 2: 74", "seat 2: 1?"),
    ("seat 2: 74", "seat 2: late:1"),
    ("seat 2: 74", "seat 2: resign"),
    ("seat 2: 74", "seat 2: draw:"),
    ("seat 2: 74", "seat 2: 99"),
    ("seat 2: 74", "seat 2: 100"),
    ("seat 2: 74", "seat 2: 14/41+"),
    ("seat 2: 74", "seat 2: 14/+"),
    ("seat 2: 74", "seat 2: pass"),
    ("1. points: ", "1. points: 9 "),
    ("1. points: ", "result: open\n1. points: "),
    ("[Seed", "1. points: 0 0\n[Seed"),
    ("; !?\n", "1. points: 1 1 1\n; !?\n"),
    ("result: open", "result: 0 by resignation (K5.6)"),
    ("result: open", "result: nobody by agreement (K5.6)"),
    ("result: open", "result: 0 by agreement (K5.6)"),
    ("result: open", "result: nobody by repetition (K5.6)"),
    ("result: open", "result: 0 by lowest-total (K5.6)"),
    ("; (\n", "; (\n;   1. points: 0 0 0, in all 0 0 0\n"),
)
"""What is replaced in a record of EKKO, and by what."""


def ekko_game(players: int, seed: int, most: int) -> GameRecord:
    """Return a random game of so many decisions at most, with times and names."""
    chance, start = Chance(seed), EKKO.new({"players": players}, seed)
    position, decisions = start, list[Decision]()
    while len(decisions) < most and position.outcome() is None:
        (seat,) = position.actors()
        legal = position.legal()
        action = position.chance_action(chance) if seat == CHANCE else legal[chance.below(len(legal))]
        decisions.append(Decision(seat, action, 1250 if len(decisions) == 1 else None))
        position = position.play(seat, action)
    names = ("Zo\u00eb", *[""] * (players - 1)) if seed % 2 else ()
    rules = EKKO.rules_version
    return GameRecord("ekko", start, tuple(decisions), position.outcome(), names, seed=seed, rules=rules)


def ekko_tree() -> GameTree:
    """Return a game for three with the end of a round, variations, signs and a comment."""
    game = ekko_game(3, 7, 400)
    positions: list[Any] = list(replay(game))
    end = next(n for n, position in enumerate(positions) if position.round == 2)
    record = replace(game, decisions=game.decisions[: end + 4], outcome=None)
    nodes, here = [Node()], 0
    for n, (position, decision) in enumerate(zip(positions, record.decisions, strict=False), 1):
        parent, here = here, len(nodes)
        nodes.append(Node(parent, decision, "!?" if n == end else "", "\u00fc" if n == 2 else ""))
        others = [action for action in position.legal() if action != decision.action]
        if decision.seat != CHANCE and others and n < _BRANCHED:
            nodes.append(Node(parent, Decision(decision.seat, others[0]), "??"))
    return GameTree(record, tuple(nodes))


def ekko_records() -> str:
    """Return the content of the file of EKKO's records."""
    tree = ekko_tree()
    position = EKKO.from_json(list(replay(tree.record))[9].to_json())
    games = [ekko_game(players, players, _BRANCHED * players) for players in EKKO.players]
    later = GameRecord("ekko", position, tags={"Event": "A round"})
    lines = list[str]()
    for text in (write_tree(tree), *map(write_record, (*games, ekko_game(2, 1, 2000), later))):
        tried = EKKO_DAMAGES if not lines else EKKO_DAMAGES[:1]
        lines.append(
            compact({"text": text, "tried": [[old, new, _read(text, old, new)] for old, new in tried]})
        )
    return "[\n" + ",\n".join(lines) + "\n]\n"


SEARCHED: tuple[tuple[dict[str, Any], int], ...] = (
    ({"players": 2}, 40),
    ({"players": 3}, 10),
    ({"players": 4, "variants": VARIANTS}, 60),
)
"""Options of games, and after how many decisions at least their positions are searched."""
_ITERATIONS, _MORE = 120, 60
_MEMORY = 1  # MiB
_LONGEST = 200
"""Iterations of a level that are enough for a test."""


def searches() -> str:
    """Return what searches and bots find in some positions."""
    lines = []
    for seed, (options, least) in enumerate(SEARCHED):
        position: Any = EKO.new(options, seed)
        chance = Chance(seed)
        played = 0
        while played < least or not ending(position):
            position = position.play(position.actors()[0], CASUAL.think(position, 0, chance, iterations=1))
            played += 1
        lines.append({"position": position.to_json(), **searched(position)})
    return "[\n" + ",\n".join(map(compact, lines)) + "\n]\n"


def ending(position: EkoPosition) -> list[Action]:
    """Return the decisions that end the turn."""
    (seat,) = position.actors()
    legal, number = position.legal(), position.turn_number
    return [action for action in legal if position.play(seat, action).turn_number > number > 0]


def searched(position: EkoPosition) -> Json:
    """Return what a search finds in a position, in one after it, and where a repetition ends the game."""
    search = Search(position, memory=_MEMORY)
    search.run(iterations=_ITERATIONS)
    found = info_of(search, 3, 0.0)
    after = position
    played = found.lines[0].actions[:2]
    for action in played:
        after = after.play(after.actors()[0], action)
    search.move_to(after)
    search.run(iterations=_MORE)
    (seat,) = position.actors()
    drawing = ending(position)[0]
    drawn = Search(position, [position.play(seat, drawing).digest()] * 2, _MEMORY)
    drawn.run(iterations=_ITERATIONS)
    bots: Json = {}
    seed = position.turn_number
    for level in vars(levels).values():
        if isinstance(level, Level):
            action = level.think(position, seat, Chance(seed), iterations=_LONGEST)
            bots[level.name] = action_to_json(action)
    greedy = GREEDY.choose(position, seat, Chance(seed))
    return {
        "iterations": [_ITERATIONS, _MORE],
        "found": found.to_json(position),
        "played": list(map(action_to_json, played)),
        "then": info_of(search, 3, 0.0).to_json(after),
        "drawing": [action_to_json(drawing)],
        "drawn": info_of(drawn, 3, 0.0).to_json(position),
        "most": _LONGEST,
        "word": str(Chance(seed).bits()),
        "bots": bots,
        "greedy": action_to_json(greedy),
    }


_EACH = 16
"""Of so many puzzles the tries of one are judged."""


def verdicts() -> str:
    """Return what Python says of tries of puzzles: the solution up to each decision, and others there."""
    lines = []
    for name in list(listed())[::_EACH]:
        of = puzzle(name)
        now, tries = of.position, list[tuple[str, str]]()
        for count, text in enumerate(of.solution):
            legal = now.legal()
            for action in (parse_action(text, now), legal[0], legal[-1]):
                words = " ".join((*of.solution[:count], format_action(action, now)))
                tries.append((words, of.judge(now.play(of.seat, action))))
            now = now.play(of.seat, parse_action(text, now))
        lines.append(compact({"id": name, "tries": tries}))
    return "[\n" + ",\n".join(lines) + "\n]\n"


OWN_TILES: dict[str, Json] = {
    "V": {"terrain": "t", "cells": [[0, 0]], "copies": 99, "variant": "wind"},
    "W": {"terrain": "xx.rC", "cells": [[0, 0], [1, 0], [2, 0], [2, 1], [-9, 9]], "copies": 9},
    "X": {"replaces": [["E", "W....c."]]},
    "Y": {"replaces": [["K", ".C...W."], ["B", "x..P..."]], "open": 3},
    "Z": {"terrain": "PP", "cells": [[0, 0], [4, 0]], "open": 2, "copies": 2, "variant": "portals"},
}
"""Of boxes with tiles of one's own."""
_FAR = 9900
_DRAFTS, _POSITIONS = 6, 150
_PLACE = re.compile(r"(?:stacks|buildings)\.(-?[0-9]+,-?[0-9]+)$")
PERFT = _ROOT / "tests" / "golden" / "perft"


def drafts(seeds: range) -> Iterator[Json]:
    """Yield drafts of boards, most of them with faults: damaged boards, and rows of tiles of one's own."""
    rows: tuple[list[list[Any]], ...] = (
        [["V", 6 + 2 * n, 0, 0] for n in range(25)],
        [["V", 4 + n, 0, 0] for n in range(MAX_SPACES + 1 - 49)],
        [["W", (n * n) % 7 - 3, n // 3, n % TURNS] for n in range(MAX_SPACES - 7)],
    )
    for row in rows:
        board = random_layout(2, (), Chance(len(row))).to_json()
        yield {"players": 2, "tiles": [*board, *row], "own": ["V", "W"]}
    for seed in seeds:
        chance = Chance(seed)
        players = 2 + chance.below(3)
        variants = [variant for variant in VARIANTS if chance.below(2)]
        tiles: list[list[Any]] = [list(tile) for tile in random_layout(players, variants, chance).tiles]
        own = [name for name in OWN_TILES if chance.below(3) == 0]
        names = [*"ABCDEFGHIJKLMNOPQRSTU", *own, *own, *own]
        for _ in range(chance.below(5)):
            tile = tiles[chance.below(len(tiles))]
            match chance.below(6):
                case 0:
                    tiles.remove(tile)
                case 1:
                    tiles.append([chance.choice(names), *tile[1:]])
                case 2:
                    tile[0] = chance.choice(names)
                case 3:
                    tile[1 + chance.below(2)] += chance.choice((-1, 1, 2, 7))
                case 4:
                    tile[1 + chance.below(2)] = chance.choice((-_FAR, _FAR))
                case _:
                    tile[3] = chance.below(TURNS)
        yield {"players": players, "tiles": tiles, "own": own}


def box_of(own: Sequence[str]) -> TileSet | None:
    """Return our box with some of these tiles; None without them."""
    value = default_tileset().to_json()
    value["tiles"] |= {name: OWN_TILES[name] for name in own}
    return TileSet.from_json(value) if own else None


def numbers_of(fault: Fault) -> list[int]:
    """Return an entry of a report."""
    broken, values, tiles, spaces, *_ = fault
    places = [number for space in spaces for number in (space.q, space.r)]
    return [broken, len(values), len(tiles), len(places), *values, *tiles, *places]


def damaged(position: Json, chance: Chance) -> Json:  # noqa: C901, PLR0912 - a case for each change
    """Return a position with some changes, in a form that can be read."""
    value: Json = json.loads(json.dumps(position))
    stacks, buildings, held, turn = (value[key] for key in ("stacks", "buildings", "reserve", "turn"))
    layout = EKO.from_json(position).layout
    players, spaces = value["players"], layout.coordinates
    sites = [space for space, terrain in zip(spaces, layout.terrain, strict=True) if HIGHEST_LEVEL[terrain]]
    for _ in range(1 + chance.below(2)):
        seat, space, stack = chance.below(players), chance.choice(spaces), chance.choice(list(stacks))
        match chance.below(13):
            case 0:
                stacks[stack] = {"owner": seat, "height": 1 + chance.below(4), "emperor": False}
            case 1:
                stacks[space] = stacks.pop(stack)
            case 2:
                stacks[stack]["emperor"] = not stacks[stack]["emperor"]
            case 3:
                buildings[space] = {"owner": seat, "kind": chance.choice(list(BUILDINGS))}
            case 4:
                held[seat]["discs"] = chance.below(16)
            case 5:
                held[seat]["emperor"] = not held[seat]["emperor"]
            case 6:
                moved = chance.below(1 + held[seat]["discs"])
                held[seat]["discs"] -= moved
                value["removed"][seat] += moved
            case 7:
                value["captives"][seat] = sorted({chance.below(players), chance.below(players)})
            case 8:
                turn.update(phase=chance.choice(PHASES), number=1)
            case 9:
                turn["player"] = seat
            case 10:
                turn.update(paid=[space])
            case 11:
                turn.update(placed=[stack, space])
            case _:
                buildings |= {site: {"owner": seat, "kind": "camp"} for site in sites}
    return with_turn(value, chance)


def with_turn(value: Json, chance: Chance) -> Json:
    """Return a position with just the keys of its phase."""
    turn, held = value["turn"], value["reserve"]
    phase = Phase[turn["phase"].upper()]
    is_set_up = phase <= Phase.SWAP
    allowed = {"number", "player", "phase"} | ({"first"} if is_set_up else set())
    allowed |= {"ransom", "resume"} if phase == Phase.RANSOM else set()
    allowed |= {"placed"} if phase == Phase.REINFORCE else set()
    allowed |= set() if is_set_up or phase == Phase.OVER else {"paid", *FLAGS}
    asked = {"ransom": 0, "resume": "after"} | turn if phase == Phase.RANSOM else turn
    value["turn"] = {key: one for key, one in asked.items() if key in allowed}
    value["turn"]["number"] = 0 if is_set_up else max(1, turn["number"])
    value.pop("winners", None)
    value.pop("unplaced", None)
    if phase == Phase.OVER:
        value["winners"] = [chance.below(len(held))]
    if phase == Phase.PLACE:
        value["unplaced"], value["reserve"] = held, [{"discs": 0, "emperor": False} for _ in held]
    return value


def positions(seeds: range) -> Iterator[Json]:
    """Yield positions with changes: their file, the keys that changed, and what Python reads."""
    files = [file for file in sorted(PERFT.glob("*.perft")) if "draft" not in file.name]
    for seed in seeds:
        chance = Chance(seed)
        file = chance.choice(files)
        start: Json = json.loads(file.read_text("utf-8").splitlines()[1])
        value = damaged(start, chance)
        keys = [key for key in {**start, **value} if value.get(key) != start.get(key)]
        try:
            found = [sha256(EKO.from_json(value).states.tobytes()).hexdigest()[:16]]
        except EkoesError as error:
            place = _PLACE.match(error.key or "")
            found = [error.rule or "", *([place[1]] if place else [])]
        yield {"file": file.name, "changes": {key: value.get(key) for key in keys}, "found": found}


def drafts_text(boards: range = range(_DRAFTS), changed: range = range(_POSITIONS)) -> str:
    """Return the own tiles, drafts of boards with their reports, and positions.

    Of a test's own positions those with a new state or refusal.
    """
    judged, read = list[str](), dict[str, str]()
    for draft in drafts(boards):
        found = Layout.faults(draft["players"], draft["tiles"], box_of(draft["own"]))
        report = [number for one in found for number in numbers_of(one)]
        judged.append(compact({**draft, "report": report}))
    for one in positions(changed):
        read.setdefault(one["found"][0] if len(changed) == _POSITIONS else str(len(read)), compact(one))
    parts = (compact(OWN_TILES), f"[{','.join(judged)}]", f"[{','.join(read.values())}]")
    return "[" + ",\n".join(parts).replace("},{", "},\n{") + "]\n"


def main() -> None:
    """Write the files."""
    FILE.write_text(games(), encoding="utf-8")
    RECORDS_FILE.write_text(records(), encoding="utf-8")
    EKKO_RECORDS.write_text(ekko_records(), encoding="utf-8")
    SEARCHES.write_text(searches(), encoding="utf-8")
    VERDICTS.write_text(verdicts(), encoding="utf-8")
    DRAFTS.write_text(drafts_text(), encoding="utf-8")


if __name__ == "__main__":
    main()

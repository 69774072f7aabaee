"""A variant that does not ship: springs. It is applied to a copy of the project, as the guide says.

E10.8: a spring stands amid three tempest spaces; each building beside one of these is worth 1 point more.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ECHO = "src/ekoes/games/eko"
TILE = """
V = { terrain = "ttt", cells = [[0, 0], [1, 0], [0, 1]], copies = 2, variant = "springs", sign = "spring" }
"""
SHAPE = [{"d": "M0 -18C9 -6 12 2 12 8A12 12 0 0 1 -12 8C-12 2 -9 -6 0 -18Z", "fill": "#4fa3d1"}]
KERNELS = '''
@helper
def buildings_beside(board: Any, state: Any, index: int, player: int) -> int:
    """Return how many buildings of a player stand beside the spaces of a sign. Rule: E10.8."""
    rest = read(board.signs, index)
    beside = rest
    while not is_empty(rest):
        beside = union(beside, read(board.near, lowest(rest)))
        rest = drop_lowest(rest)
    count = 0
    for level in range(1, LEVELS + 1):
        count += size(both(beside, read(state.built[player], level)))
    return count


@helper
def points_at('''
RULE = """    worth = WORTH[board.sign[index]]
    if board.sign[index] == Sign.SPRING:
        return worth * buildings_beside(board, state, index, player)
"""
LESSON: dict[str, Any] = {
    "name": "springs",
    "position": {
        "game": "eko",
        "version": 1,
        "players": 2,
        "tiles": [
            ["A", 0, 0, 0],
            ["C", 2, 1, 0],
            ["D", 3, -2, 0],
            ["E", 1, -3, 0],
            ["G", -2, -1, 0],
            ["B", -3, 2, 0],
            ["F", -1, 3, 0],
            ["V", 1, 3, 0],
        ],
        "stacks": {
            "0,2": {"owner": 0, "height": 2, "emperor": False},
            "-3,1": {"owner": 0, "height": 1, "emperor": True},
            "2,2": {"owner": 1, "height": 2, "emperor": True},
        },
        "buildings": {},
        "reserve": [{"discs": 0, "emperor": False}, {"discs": 0, "emperor": False}],
        "removed": [13, 14],
        "captives": [[], []],
        "turn": {"number": 9, "player": 0, "phase": "action"},
    },
    "task": {
        "goal": {"points": 2},
        "solution": [{"type": "build", "from": "0,2", "site": "0,3", "kind": "camp"}],
        "tries": [{"action": {"type": "build", "from": "0,2", "site": "0,1", "kind": "camp"}, "says": "dry"}],
    },
}
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "name": "Springs",
        "one": "{n} building at a spring",
        "other": "{n} buildings at a spring",
        "help": "A building beside a spring's three spaces is worth 1 point more",
        "rule": "Each building beside one of the three spaces around a spring is worth 1 point more.",
        "about": "Build at the water.",
        "text": "A building beside the spring is worth 1 point more. Build where it counts 2.",
        "dry": "No spring is near there: that is 1 point.",
        "done": "1 point for the encampment, and 1 for the spring.",
    },
    "de": {
        "name": "Quellen",
        "one": "{n} Gebäude an einer Quelle",
        "other": "{n} Gebäude an Quellen",
        "help": "Ein Gebäude neben den drei Feldern einer Quelle zählt 1 Punkt mehr",
        "rule": "Jedes Gebäude neben einem der drei Felder um eine Quelle zählt 1 Punkt mehr.",
        "about": "Bau am Wasser.",
        "text": "Ein Gebäude an der Quelle zählt 1 Punkt mehr. Bau, wo es 2 zählt.",
        "dry": "Dort ist keine Quelle: Das zählt 1 Punkt.",
        "done": "1 Punkt für das Lager und 1 für die Quelle.",
    },
    "fr": {
        "name": "Sources",
        "one": "{n} bâtiment près d’une source",
        "many": "{n} de bâtiments près d’une source",
        "other": "{n} bâtiments près d’une source",
        "help": "Un bâtiment à côté des trois cases d’une source vaut 1 point de plus",
        "rule": "Chaque bâtiment à côté d’une des trois cases d’une source vaut 1 point de plus.",
        "about": "Construire près de l’eau.",
        "text": "Un bâtiment près de la source vaut 1 point de plus. Construisez là où il en vaut 2.",
        "dry": "Pas de source par là : cela fait 1 point.",
        "done": "1 point pour le campement, et 1 pour la source.",
    },
    "cs": {
        "name": "Prameny",
        "one": "{n} budova u pramene",
        "few": "{n} budovy u pramene",
        "many": "{n} budovy u pramene",
        "other": "{n} budov u pramene",
        "help": "Budova vedle tří polí pramene má o 1 bod víc",
        "rule": "Každá budova vedle některého ze tří polí kolem pramene má o 1 bod víc.",
        "about": "Stavte u vody.",
        "text": "Budova u pramene má o 1 bod víc. Postavte ji tam, kde má 2 body.",
        "dry": "Tam žádný pramen není: je to 1 bod.",
        "done": "1 bod za tábor a 1 za pramen.",
    },
}


def apply(root: Path) -> set[str]:
    """Add the variant to a copy of the project. Returns the files that it changed."""
    changed: set[str] = set()

    def edit(path: str, *pairs: tuple[str, str]) -> None:
        text = (root / path).read_text("utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, f"{path} has {old!r} once"
            text = text.replace(old, new)
        (root / path).write_text(text, "utf-8")
        changed.add(path)

    def merge(path: str, change: Any) -> None:
        value = json.loads((root / path).read_text("utf-8"))
        change(value)
        (root / path).write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", "utf-8")
        changed.add(path)

    def shape(symbols: dict[str, Any]) -> None:
        symbols["signs"]["spring"] = {"worth": 1, "shape": SHAPE}
        symbols["variants"]["springs"] = "spring"

    def lesson(study: dict[str, Any]) -> None:
        words = {
            tag: {"title": own["name"]} | {key: own[key] for key in ("about", "text", "dry", "done")}
            for tag, own in WORDS.items()
        }
        study["chapters"].append(LESSON | {"words": words})

    edit(
        f"{ECHO}/tiles.toml",
        ('"wind"]', '"wind", "springs"]'),
        ('sign = "beacon" }\n', f'sign = "beacon" }}{TILE}'),
    )
    merge(f"{ECHO}/symbols.json", shape)
    merge(f"{ECHO}/lessons/2-variants.json", lesson)
    edit(
        f"{ECHO}/rules/signs.py",
        ("    BEACON = 2\n", "    BEACON = 2\n    SPRING = 3\n"),
        ('_LETTERS = " pb"', '_LETTERS = " pbs"'),
        ("np.array([0, 2, 0], np.int8)", "np.array([0, 2, 0, 1], np.int8)"),
        ("import bit, both, has, read", "import bit, both, drop_lowest, has, is_empty, lowest, read"),
        (
            "\nfrom ekoes.games.kernels.bits",
            "\nfrom ekoes.games.eko.rules.record import LEVELS\nfrom ekoes.games.kernels.bits",
        ),
        ("\n@helper\ndef points_at(", KERNELS),
        ("    worth = WORTH[board.sign[index]]\n", RULE),
    )
    for tag, words in WORDS.items():
        plurals = {key: text for key, text in words.items() if text.startswith("{n}")}
        keys = {"variant.springs": words["name"], "variant.springs.help": words["help"]}
        keys |= {"points.springs": words["name"]}
        keys |= {f"points.springs.{number}": text for number, text in plurals.items()}
        merge(f"web/src/i18n/eko/{tag}.json", lambda catalogue, keys=keys: catalogue.update(keys))
        text = (root / f"docs/rules/eko.{tag}.md").read_text("utf-8")
        heading = next(line for line in text.splitlines() if line.startswith("## E11"))
        edit(
            f"docs/rules/eko.{tag}.md",
            (f"\n{heading}\n", f"\n### E10.8 {words['name']}\n{words['rule']}\n\n{heading}\n"),
        )
    return changed

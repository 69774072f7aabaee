"""An engine that plays any legal action: ``engine.py FILE MODE``.

FILE gets the id of its process. MODE: ``legal``; ``illegal``: it answers what is never legal; ``dying``: it
ends whenever it is asked.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from random import choice
from typing import Any

from ekoes.cli.games import legal_actions, play_all
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Position
from ekoes.games.api.registry import game
from ekoes.games.ekko.position.position_reader import position_from_view

FILE, MODE = sys.argv[1:]
HELLO = {"name": "Any", "version": "1", "protocol": 1, "games": ["eko", "ekko"], "levels": []}


def choose(request: Any) -> Any:
    if MODE == "dying":
        sys.exit(1)
    if MODE == "illegal":
        return {"action": {"type": "march"}}
    if "view" in request:
        position: Position = position_from_view(request["view"], request["seat"])
    else:
        first = request["position"]
        position = play_all(game(first["game"]).from_json(first), request["actions"])
    return {"action": position.game.action_to_json(choice(legal_actions(position)))}


def main() -> None:
    Path(FILE).write_text(str(os.getpid()))
    for name in ("eko", "ekko"):  # no clock runs before the hello
        position = game(name).new({"players": 2}, 1)
        while CHANCE in position.actors():
            position = position.play(CHANCE, position.chance_action(Chance(1)))
        legal_actions(position)
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "quit":
            return
        result = HELLO if request["cmd"] == "hello" else choose(request)
        sys.stdout.write(json.dumps({"id": request["id"], "result": result}) + "\n")
        sys.stdout.flush()


main()

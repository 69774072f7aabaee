"""Plays EKKO by the engine protocol with the network that train_ekko.py has trained: play_ekko.py FOLDER."""

import json
import sys
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from train_ekko import GAME, features

from ekoes.envs.batch import BatchEnv
from ekoes.games.api.registry import game

HELLO = {"name": "MaskablePPO", "version": "1", "protocol": 1, "games": ["ekko"], "levels": []}
EKKO, SPACES = game("ekko"), BatchEnv("ekko", 1, **GAME).spaces


def possible(view, seat):
    """Return a position that looks like this to a seat: what it can't see lies anyhow."""
    hidden = [card for card in range(1, 99) if card not in view["zone"] + view["hand"] + view["aside"]]
    position = {key: view[key] for key in ("game", "version", "players", "target", "zone", "scores", "turn")}
    for key, own, counts in (("hands", "hand", "sizes"), ("aside", "aside", "set_aside")):
        rows = [sorted(hidden.pop() for _ in range(count)) for count in view[counts]]
        position[key] = [*rows[:seat], view[own], *rows[seat + 1 :]]
    return EKKO.from_json(position | {"pile": hidden[: view["pile"]]})


def choose(policy, request):
    seat = request["seat"]
    position = possible(request["view"], seat)
    seen = {name: array[None] for name, array in SPACES.observe(position, seat).items()}
    integer = policy.predict(features(seen), action_masks=SPACES.mask(position), deterministic=True)[0][0]
    return {"action": EKKO.action_to_json(SPACES.action(position, [int(integer)]))}


def main(folder):
    torch.set_num_threads(1)
    policy = MaskablePPO.load(Path(folder) / "model.zip", device="cpu").policy
    for line in sys.stdin:
        request = json.loads(line)
        match request["cmd"]:
            case "quit":
                break
            case "hello":
                answer = {"result": HELLO}
            case "choose":
                answer = {"result": choose(policy, request)}
            case "stop":
                answer = {"result": None}
            case _:
                answer = {"error": "this command is unknown"}
        print(json.dumps({"id": request["id"]} | answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

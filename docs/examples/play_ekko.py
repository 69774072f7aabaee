"""Plays EKKO by the engine protocol with the network that train_ekko.py has trained: play_ekko.py FOLDER."""

import json
import sys
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from train_ekko import GAME, features

from ekoes.envs.match import spaces_of
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.position_reader import position_from_view

HELLO = {"name": "MaskablePPO", "version": "1", "protocol": 1, "games": ["ekko"], "levels": []}
SPACES = spaces_of("ekko", GAME)


def choose(policy, request):
    seat = request["seat"]
    position = position_from_view(request["view"], seat)
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

"""Plays Ekö and EKKO by the engine protocol: any legal action. The rules are asked of `ekoes batch`."""

import json
import random
import subprocess
import sys

HELLO = {"name": "Any action", "version": "1", "protocol": 1, "games": ["eko", "ekko"], "levels": []}
RULES = subprocess.Popen(["ekoes", "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def rules(command, position, **more):
    print(json.dumps({"cmd": command, "position": position, **more}), file=RULES.stdin, flush=True)
    return json.loads(RULES.stdout.readline())["result"]


def possible(view, seat):
    """Return a position that looks like this to a seat of EKKO: what it can't see lies anyhow."""
    hidden = [card for card in range(1, 99) if card not in view["zone"] + view["hand"] + view["aside"]]
    position = {key: view[key] for key in ("game", "version", "players", "target", "zone", "scores", "turn")}
    for key, own, counts in (("hands", "hand", "sizes"), ("aside", "aside", "set_aside")):
        rows = [sorted(hidden.pop() for _ in range(count)) for count in view[counts]]
        position[key] = [*rows[:seat], view[own], *rows[seat + 1 :]]
    return position | {"pile": hidden[: view["pile"]]}


def choose(request):
    position = possible(request["view"], request["seat"]) if "view" in request else request["position"]
    position = rules("apply", position, actions=request.get("actions", []))
    return {"action": random.Random(request.get("seed")).choice(rules("legal", position))}


for start in ("eko new", "ekko new --deal"):  # no clock runs before the hello: what loads slowly, loads now
    words = ["ekoes", *start.split(), "--players", "2", "--seed", "1"]
    rules("legal", json.loads(subprocess.check_output(words)))
commands = {"hello": lambda _: HELLO, "choose": choose, "stop": lambda _: None}
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "quit":
        break
    known = request["cmd"] in commands
    answer = {"result": commands[request["cmd"]](request)} if known else {"error": "this command is unknown"}
    print(json.dumps({"id": request["id"]} | answer), flush=True)

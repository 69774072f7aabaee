"""A bot for Ekö that plays any legal action, with HTTP alone. Usage: bot_http.py SERVER TOKEN."""

import json
import random
import sys
import threading

import httpx

http = httpx.Client(base_url=sys.argv[1], headers={"Authorization": f"Bearer {sys.argv[2]}"}, timeout=30)


def lines(path):
    with http.stream("GET", path) as answer:
        yield from map(json.loads, answer.iter_lines())


def play(table):
    for message in lines(f"/api/tables/{table}/stream?actions=full"):
        for seat, actions in message.get("own", {}).get("actions", {}).items():
            action = random.choice(actions)  # put your own thought here
            order = {"type": "act", "version": message["version"], "seat": int(seat), "action": action}
            http.post(f"/api/tables/{table}/orders", json=order | {"key": f"{message['version']}-{seat}"})


for event in lines("/api/bot/stream"):
    if event["type"] == "challenge" and not event["challenge"]["yours"]:
        http.post(f"/api/challenges/{event['challenge']['id']}/accept")
    elif event["type"] == "started" and event["game"] == "eko":
        threading.Thread(target=play, args=[event["table"]], daemon=True).start()

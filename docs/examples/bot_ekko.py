"""A bot for EKKO: plays its first card that fits. Usage: bot_ekko.py SERVER TOKEN."""

import asyncio
import sys
from contextlib import suppress

from ekoes.client import Client, RefusedError


def intent_of(state, seat):
    """Return what a seat wants to do now, None: nothing. Put your own thought here."""
    turn, hand = state["position"]["turn"], state["hands"][str(seat)]
    if state["stage"] == "look" and seat not in state["ready"]:
        return {"type": "ready", "round": turn["round"]}
    top = (state["position"]["zone"] or [0])[-1]
    if state["stage"] == "race" and turn["player"] == seat:
        is_free = turn["last"] == seat and not turn.get("again")  # nobody followed: any card fits
        for card in hand["hand"]:
            if card not in hand["blocked"] and (is_free or (card > top if top % 2 else card < top)):
                return {"type": "play", "card": card, "on": top}
        return {"type": "draw", "on": top}
    if state["stage"] == "effect" and state["claim"]["seat"] == seat:
        return {"type": "effect", "effect": "draw"}  # its card was the mirror of the top card
    if state["stage"] in ("window", "leaving") and seat not in [*state["decided"], turn.get("leaving")]:
        return {"type": "pass", "on": top}
    return None


async def play(client, table_id):
    async with client.table(table_id) as table:
        async for view in table:
            for seat in view.own:
                if not view.is_over and (intent := intent_of(view.state, seat)):
                    with suppress(RefusedError):  # somebody was quicker
                        await table.intend(seat, intent)
        print(f"{table_id}: seats {view.winners} have won", flush=True)


async def main(server, token):
    async with Client(server, token) as client, asyncio.TaskGroup() as games:
        async for event in client.events():
            if event["type"] == "challenge" and not event["challenge"]["yours"]:
                await client.accept(event["challenge"]["id"])
            elif event["type"] == "started" and event["game"] == "ekko":
                games.create_task(play(client, event["table"]))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

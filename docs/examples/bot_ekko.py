"""A bot for EKKO at tables with hints: plays what fits, looks for no mirror. bot_ekko.py SERVER TOKEN."""

import asyncio
import sys
from contextlib import suppress

from ekoes.client import Client, RefusedError


def wish(state, seat):
    """Return what a seat wants to do now, None: nothing. Put your own thought here."""
    turn, zone, playable = (
        state["position"]["turn"],
        state["position"]["zone"],
        state["hands"][str(seat)]["playable"],
    )
    if state["stage"] == "look" and seat not in state["ready"]:
        return {"type": "ready", "round": turn["round"]}
    if state["stage"] == "race" and turn["player"] == seat:
        return (
            {"type": "play", "card": playable[0], "on": zone[-1]}
            if playable
            else {"type": "draw", "on": zone[-1]}
        )
    if state["stage"] in ("window", "leaving") and seat not in [*state["decided"], turn.get("leaving")]:
        return {"type": "pass", "on": zone[-1]}
    return None


async def play(client, table_id):
    async with client.table(table_id) as table:
        async for view in table:
            for seat in view.own:
                if not view.is_over and (intent := wish(view.state, seat)):
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

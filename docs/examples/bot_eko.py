"""A bot for Ekö: takes what captures or builds, else any legal action. Usage: bot_eko.py SERVER TOKEN."""

import asyncio
import random
import sys

from ekoes.client import Client

EAGER = {"build": 2, "move": 1}


def choose(view, seat):
    """Return one of the legal actions, the eager kinds first: put your own thought here."""
    return max(view.legal(seat), key=lambda action: (EAGER.get(action["type"], 0), random.random()))


async def play(client, table_id):
    async with client.table(table_id) as table:
        async for view in table:
            for seat in view.asked:
                await table.act(seat, choose(view, seat))
        print(f"{table_id}: seats {view.winners} have won", flush=True)


async def main(server, token):
    async with Client(server, token) as client, asyncio.TaskGroup() as games:
        async for event in client.events():
            if event["type"] == "challenge" and not event["challenge"]["yours"]:
                await client.accept(event["challenge"]["id"])
            elif event["type"] == "started" and event["game"] == "eko":
                games.create_task(play(client, event["table"]))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

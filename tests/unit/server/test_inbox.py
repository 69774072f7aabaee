"""One reads what others put in, in its order; who stops waiting takes nothing away."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from ekoes.server.realtime.connection import Mailbox
from tests.unit.server.hub_room import in_loop, settled


@in_loop
async def test_items_come_in_the_order_in_which_they_were_put_in_before_and_while_somebody_waits() -> None:
    inbox: Mailbox[int] = Mailbox()
    inbox.put_nowait(1)
    inbox.put_nowait(2)
    assert inbox.items == [1, 2]
    assert [await inbox.get(), await inbox.get()] == [1, 2]
    assert not inbox.items
    third = asyncio.create_task(inbox.get())
    await settled()
    inbox.put_nowait(3)
    inbox.put_nowait(4)
    assert [await third, await inbox.get()] == [3, 4]


@in_loop
async def test_what_comes_as_the_reader_is_cancelled_waits_for_the_next_one() -> None:
    inbox: Mailbox[int] = Mailbox()
    reader = asyncio.create_task(inbox.get())
    await settled()
    inbox.put_nowait(1)
    reader.cancel()
    with suppress(asyncio.CancelledError):
        await reader
    assert await inbox.get() == 1


def test_an_empty_one_is_small() -> None:
    inbox: Mailbox[int] = Mailbox()
    assert sys.getsizeof(inbox) + sys.getsizeof(inbox.items) < 200

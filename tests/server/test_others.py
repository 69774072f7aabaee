"""What others feel while one address uses all its limits, in counts: how far it has come meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from ekoes.server.app import create_app
from ekoes.server.settings import Settings
from tests.kit.client import PASSWORD
from tests.kit.loops import run_apart


@run_apart
async def test_sockets_open_while_an_address_signs_in_sixty_times(tmp_path: Path) -> None:
    """A new socket needs one of asyncio's threads, to ask the database who opens it."""
    app = create_app(Settings(data=tmp_path, bot_workers=0))
    transport = httpx.ASGITransport(app, client=("198.51.100.7", 1))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://here", timeout=600) as web,
    ):
        hashed: list[int] = []

        async def sign_in(number: int) -> int:
            wish = {"name": f"Nobody {number}", "password": PASSWORD}
            status = (await web.post("/api/account/sign-in", json=wish)).status_code
            if status == 403:
                hashed.append(number)
                begun.set()
            return status

        begun = asyncio.Event()
        asked = [asyncio.create_task(sign_in(number)) for number in range(60)]
        await begun.wait()
        await asyncio.to_thread(int)
        assert len(hashed) <= 4, "two are hashed at a time"
        statuses = await asyncio.gather(*asked)
        assert (statuses.count(403), statuses.count(503)) == (30, 30), "a quarter of the queue is theirs"

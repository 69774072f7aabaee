"""How a server is served, and how it goes: what was begun comes to its end, and no clock runs on."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from fastapi import FastAPI

from ekoes.server.hub import Hub
from ekoes.server.logs import log_of
from ekoes.server.people.lines import Lines
from ekoes.server.wire import uvicorn_config

__all__ = ["PATIENCE", "Server"]

_LOG = log_of("ekoes.server")
PATIENCE = 10
"""Seconds in which lines and requests have to come to their end when the server goes, each of both."""


class Server(uvicorn.Server):
    """Serves the application until it is told to go (SIGTERM, or Ctrl-C).

    Then nobody is let in any more, and clocks stand. What has been read is judged, kept and answered;
    lines are closed with ``RESTARTS``, at which pages come back by themselves; requests get their answers.
    """

    def __init__(self, app: FastAPI) -> None:
        """Serve an application."""
        super().__init__(uvicorn_config(app, patience=PATIENCE))
        self._hub: Hub = app.state.hub
        self._lines: Lines = app.state.register.lines

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Go."""
        _LOG.info("the server goes", lines=self._lines.number)
        for server in self.servers:
            server.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._hub.rest()
                await self._lines.leave()
        except TimeoutError:
            _LOG.warning("lines are cut off", lines=self._lines.number)
        await super().shutdown(sockets)
        _LOG.info("the server has gone")

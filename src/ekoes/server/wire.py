"""Web sockets as uvicorn serves them, but that small messages travel as they are.

Deflating an update of some hundred bytes costs more than all else that is done to send it, and spares
next to nothing; the whole table shrinks to a sixth.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import Sequence
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame
from websockets.typing import ExtensionParameter

__all__ = ["LARGE", "WebSockets"]

LARGE = 4096
"""Bytes of a message from which it is deflated."""


class _LargeAlone(PerMessageDeflate):
    """Deflates large messages; each for itself, so that nothing is kept between them."""

    def encode(self, frame: Frame) -> Frame:
        """Deflate a frame if it is worth it."""
        return super().encode(frame) if len(frame.data) >= LARGE else frame


class _Offer(ServerPerMessageDeflateFactory):
    """Agrees with a browser on how messages are deflated."""

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Return what is agreed on."""
        agreed, usual = super().process_request_params(params, accepted_extensions)
        return agreed, _LargeAlone(
            usual.remote_no_context_takeover,
            usual.local_no_context_takeover,
            usual.remote_max_window_bits,
            usual.local_max_window_bits,
            self.compress_settings,
        )


_OFFER = _Offer(server_no_context_takeover=True, client_no_context_takeover=True)


class WebSockets(WebSocketsSansIOProtocol):
    """One web socket."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        """Offer browsers our way of deflating."""
        super().__init__(config, server_state, app_state, _loop)
        self.conn.available_extensions = [_OFFER]

from __future__ import annotations

from tests.server.conftest import own_server

__all__ = ["own_server"]

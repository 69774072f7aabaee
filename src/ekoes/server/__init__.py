"""The game server: an HTTP API and WebSockets around ``ekoes.tables``, which ``ekoes.storage`` persists."""

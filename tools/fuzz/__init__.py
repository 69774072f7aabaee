"""Fuzzes a server: its routes, as its OpenAPI describes them, and its WebSockets."""

"""The protocol's JSON Schema, by which tests check what goes over the wire."""

from __future__ import annotations

from functools import cache

from jsonschema import Draft202012Validator

from ekoes.protocol.outgoing import protocol_schema

__all__ = ["way"]


@cache
def way(name: str) -> Draft202012Validator:
    """What checks the messages that go one way."""
    return Draft202012Validator({"$ref": f"#/$defs/{name}", **protocol_schema()})

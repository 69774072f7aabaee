"""What can be chosen, told from the models that check it."""

from __future__ import annotations

from collections.abc import Collection

from pydantic import BaseModel

from ekoes.games.contract import Json

__all__ = ["fields_about"]

_LIMITS = (("least", "minimum"), ("most", "maximum"), ("values", "enum"))
"""Our words for those of JSON Schema."""


def fields_about(model: type[BaseModel], besides: Collection[str] = ()) -> Json:
    """Describe each field of a model but some: what its default is and which values it takes.

    Returns: for each name ``default`` unless it must be given, and where they apply ``least`` and
    ``most``, ``values``, ``several`` (a list of the values), ``null`` (it may be null), ``fields`` (it is an
    object of these).
    """
    schema = model.model_json_schema()
    told, models = schema["properties"], schema.get("$defs", {})
    return {name: _about(field, models) for name, field in told.items() if name not in besides}


def _about(field: Json, models: Json) -> Json:
    kinds = [_of(kind, models) for kind in field.get("anyOf", [field])]
    about: Json = {"default": field["default"]} if "default" in field else {}
    for kind in kinds:
        values = kind.get("items", kind)
        about |= {word: values[key] for word, key in _LIMITS if key in values}
        if "properties" in kind:
            about["fields"] = {name: _about(inner, models) for name, inner in kind["properties"].items()}
        if "enum" in kind.get("items", ()):
            about["several"] = True
    return about | ({"null": True} if {"type": "null"} in kinds else {})


def _of(kind: Json, models: Json) -> Json:
    """Return a kind as it is written, also where it is named after its model."""
    name = kind.get("$ref", "").rpartition("/")[2]
    found: Json = models.get(name, kind)
    return found

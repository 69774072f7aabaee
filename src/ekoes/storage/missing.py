"""Adding what is not there yet, in one statement, whoever else adds it at the same time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Insert
from sqlalchemy.ext.compiler import compiles

__all__ = ["AddMissing"]


class AddMissing(Insert):
    """Adds the rows of which the keys are free, and passes over the others."""

    inherit_cache = True


@compiles(AddMissing)
def _written(element: AddMissing, compiler: Any, **words: Any) -> str:  # noqa: ANN401 - of SQLAlchemy
    """Write it with the words that both databases understand."""
    return f"{compiler.visit_insert(element, **words)} ON CONFLICT DO NOTHING"

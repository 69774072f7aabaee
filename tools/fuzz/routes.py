"""Every route of a server, asked as its own description says, and otherwise: by schemathesis.

An answer has to be as the description has it (status, type, content), and no failure of the server.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

_GOES_ON = {"GET /api/bot/stream", "GET /api/tables/{table_id}/stream"}
"""Answers that do not end; tests of their own read them."""
_LAST = "POST /api/account/sign-out"
"""Called last: it ends the session."""
_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
_PATIENCE = 60


def asked(address: str, cookies: httpx.Cookies, table: str, examples: int, start: int) -> Iterator[str]:
    """Ask all routes in both ways, and yield what was wrong.

    address: of the server. table: one there, of which many requests are.
    examples: requests of each route and way.
    """
    description = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    operations = [one.ok() for one in description.get_all_operations() if isinstance(one, Ok)]
    for operation in sorted(operations, key=lambda one: one.label == _LAST):
        if operation.label not in _GOES_ON:
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                yield from _asked(operation, mode, dict(cookies), table, examples, start)


def _asked(
    operation: APIOperation[Any, Any, Any, Any],
    mode: GenerationMode,
    cookies: dict[str, str],
    table: str,
    examples: int,
    start: int,
) -> list[str]:
    """Return what was wrong with the answers of one route, each sort of it once."""
    found: dict[str, str] = {}
    turns = itertools.count()

    @seed(start)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def ask(case: Case[Any]) -> None:
        if "table_id" in case.path_parameters and next(turns) % 4:
            case.path_parameters["table_id"] = table
        found.update(_wrong(case, cookies))

    ask()
    return list(found.values())


def _wrong(case: Case[Any], cookies: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Ask, and yield in which ways the answer is not as it ought to be: in a word, and in many."""
    answer = case.call(cookies=cookies, timeout=_PATIENCE)
    try:
        case.validate_response(answer, checks=_CHECKS)
    except FailureGroup as failures:
        for failure in failures.exceptions:
            what = f"{case.operation.label}: {answer.status_code}: {failure}"
            yield f"{answer.status_code} {failure.title}", f"{what} ({case.as_curl_command()[:300]})"

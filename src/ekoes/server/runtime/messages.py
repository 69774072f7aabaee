"""Errors as messages for clients, and the scopes of tokens."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

from ekoes.errors import AccountError, EkoesError, LimitError, NotationError, StorageError, TalkError
from ekoes.games.api.contract import Json, RefusedError
from ekoes.protocol import Analyse, MessageError, Show, Stop, Ways, Why
from ekoes.server.ops.logs import log_of
from ekoes.tables.chat import Listen, Mute, Say
from ekoes.tables.orders import Order
from ekoes.tables.table import Table

_LOG = log_of("ekoes.server")


def error_json(error: EkoesError) -> Json:
    """Return an error as JSON for clients: code and message; rule, refusal, field, scope, time if any.

    Details of storage errors are only logged.
    """
    if isinstance(error, StorageError):
        _LOG.error("storage failed", code=error.code, error=str(error))
        return {"code": error.code, "message": "storage failed; nothing was changed"}
    is_unread = isinstance(error, NotationError) and error.code == NotationError.default_code
    code = MessageError.default_code if is_unread else error.code
    value: Json = {"code": code}
    if error.rule:
        value["rule"] = error.rule
    if isinstance(error, RefusedError):
        value["refusal"] = error.refusal.code
    if error.key is not None:
        value["field"] = error.key
    if isinstance(error, AccountError) and error.scope is not None:
        value["scope"] = error.scope
    if isinstance(error, LimitError) and error.wait is not None:
        value["retry_after"] = error.wait
    if isinstance(error, TalkError) and error.until is not None:
        value["until"] = error.until.isoformat()
    return value | {"message": str(error)}


Scope = Literal["account:read", "table:read", "table:play", "challenge", "chat", "lobby"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

Scopes = frozenset[str]
ALL: Scopes = frozenset(SCOPES)


def scope_of(message: object) -> Scope:
    """Return the scope that a token needs for a message to a table."""
    if isinstance(message, Listen | Say | Mute):
        return "chat"
    return "table:read" if isinstance(message, Why | Ways | Show | Analyse | Stop) else "table:play"


def check_allowed(scopes: Scopes, message: object, table: Table) -> None:
    """Raise AccountError unless a message to a table is allowed: only people play rated games."""
    if scopes is ALL:
        return
    check_scope(scopes, scope_of(message))
    if table.rated and isinstance(message, Order):
        check_no_token(scopes)


def check_no_token(scopes: Scopes) -> None:
    """Raise AccountError if a program with a token takes part in a rated game."""
    if scopes is not ALL:
        text = "a rated game is played by people, not by programs"
        raise AccountError(text, code="account/program-rated")


def check_scope(scopes: Collection[str], scope: Scope) -> None:
    """Raise AccountError unless the scopes include the one needed."""
    if scope not in scopes:
        message = f"this token does not allow {scope}"
        raise AccountError(message, code="account/scope", scope=scope)

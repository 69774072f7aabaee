"""Write what the protocol's models and routes say: ``python -m tools.protocol``.

The JSON Schema of messages, of what routes take and of what they return, of which the page's TypeScript types
are made, and docs/reference/rest.md, from the OpenAPI description.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ekoes.protocol import protocol_schema
from ekoes.server.app import create_app
from ekoes.server.http.requests import services_of
from ekoes.server.settings import Settings

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "reference" / "protocol.schema.json"
REST = ROOT / "docs" / "reference" / "rest.md"

Json = dict[str, Any]

INTRO = """# The REST interface

Written by `python -m tools.protocol` from the server's OpenAPI description, `GET /api/openapi.json`.
[The protocol](protocol.md) describes sessions, tokens, messages and error codes.

*Scope*: what a [token](protocol.md#programs) needs; `any`: every token will do; none: only a browser's
cookie is accepted. Bodies are JSON objects with the keys listed; `?` marks optional ones, here and in
answers (`→`), where a name stands for keys that are listed above. Queries stand in parentheses. Routes
without an answer return 204; those that create something return 201. What needs a finished game answers 409
`table/not-over` before its end; what is computed or drawn, 503 `limit/busy` while too many wait; a game
without pictures 404, without reviews or openings 422 `table/wrong-order`.
"""

SECTIONS = {
    "Server": ("/api/meta", "/healthz", "/readyz"),
    "Tables": ("/api/tables", "/api/{name}/preview", "/api/{game}/watch", "/api/passes"),
    "Analysis board": ("/api/{name}/analysis", "/api/{name}/openings"),
    "Coach": ("/api/{game}/coach",),
    "Boards": ("/api/{name}/layouts", "/api/{name}/fairness"),
    "Lessons": ("/api/lessons",),
    "Studies": ("/api/studies",),
    "Puzzles": ("/api/{game}/puzzles",),
    "Accounts": ("/api/account",),
    "Profiles and ratings": ("/api/profile", "/api/ratings"),
    "Archive": ("/api/archive", "/api/games"),
    "Relations and moderation": ("/api/relations", "/api/reports", "/api/moderation"),
    "Tournaments": ("/api/tournaments",),
    "League of bots": ("/api/league",),
    "Clubs": ("/api/clubs",),
    "Events and challenges": ("/api/bot", "/api/challenges", "/api/lobby"),
    "Notifications": ("/api/push",),
}
"""Section -> how the paths of its routes begin."""


def schema_text() -> str:
    """Return the JSON Schema of the protocol as a file holds it."""
    schema = protocol_schema()
    schema["$defs"] = _exchanged(_description()) | schema["$defs"]
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _exchanged(description: Json) -> Json:
    """Return the definitions of what requests send, and of what they return if they succeed, by name."""
    text = json.dumps(description).replace("#/components/schemas/", "#/$defs/")
    description, found = json.loads(text), {}

    def collect(part: Any) -> None:  # noqa: ANN401 - any part of a schema
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).rpartition("/")[2]
            if name and name not in found:
                found[name] = description["components"]["schemas"][name]
                collect(found[name])
        for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            collect(inner)

    for operations in description["paths"].values():
        for operation in operations.values():
            collect(operation.get("requestBody"))
            collect([answer for status, answer in operation["responses"].items() if status.startswith("2")])
    return dict(sorted(found.items()))


def rest_text() -> str:
    """Return the page on the REST interface: a list for each section. Raises KeyError for a path in none."""
    description = _description()
    schemas, answers = description["components"]["schemas"], _Answers(description)
    rows: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for path in sorted(description["paths"], key=lambda path: [*SECTIONS].index(_section(path))):
        for method, operation in description["paths"][path].items():
            rows[_section(path)].append(_row(method, path, operation, schemas) + answers.text(operation))
    lists = [f"## {section}\n\n" + "\n".join(each) + "\n" for section, each in rows.items()]
    return "\n".join([INTRO, *lists])


def _description() -> Json:
    with TemporaryDirectory() as folder:
        app = create_app(Settings(data=Path(folder), bot_workers=0))
        services_of(app).store.close()
        return app.openapi()


def _section(path: str) -> str:
    for section, beginnings in SECTIONS.items():
        if path.startswith(beginnings):
            return section
    raise KeyError(path)


def _row(method: str, path: str, operation: Json, schemas: Json) -> str:
    queries = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
    names = ", ".join(_key(each["name"], is_required=each["required"]) for each in queries)
    asked = f" ({names})" if queries else ""
    scope, body = _scope(operation), _body(operation, schemas)
    head = [
        f"`{method.upper()} {path}`{asked}",
        *([f"scope {scope}"] if scope else []),
        *([f"body {body}"] if body else []),
    ]
    return f"- {', '.join(head)}: {_text(operation['description'])}"


def _scope(operation: Json) -> str:
    """Return the scope that a token needs, empty if tokens are refused."""
    scopes = [each["token"] for each in operation["security"] if "token" in each]
    return f"`{(scopes[0] or ['any'])[0]}`" if scopes else ""


def _body(operation: Json, schemas: Json) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return ""
    schema = content["application/json"]["schema"]
    if "discriminator" in schema:
        return "[a message](protocol.md#web-socket-apitablesidsocketprotocol3)"
    model = schemas[schema["$ref"].rpartition("/")[2]]
    return ", ".join(
        _key(name, is_required=name in model.get("required", ())) for name in model["properties"]
    )


def _key(name: str, *, is_required: bool) -> str:
    return f"`{name}`" if is_required else f"`{name}`?"


class _Answers:
    """Writes what routes return: the keys of models, each where it comes first, and what models say of them.

    Where a model comes again it is named. Messages are named by the text of a route.
    """

    def __init__(self, description: Json) -> None:
        self._schemas: Json = description["components"]["schemas"]
        references = Counter(re.findall(r"schemas/(\w+)", json.dumps(description)))
        self._named = {name for name, number in references.items() if number > 1}
        self._written: set[str] = set()

    def text(self, operation: Json) -> str:
        """Return the answer of a route; empty for texts, files and messages."""
        ((_, response),) = (each for each in operation["responses"].items() if each[0] != "4XX")
        notes: list[str] = []
        contents = response.get("content", {}).items()
        keys = "".join(self._keys(each["schema"], notes) for media, each in contents if "json" in media)
        return f" → `{keys}` {' '.join(notes)}".rstrip() if keys else ""

    def _keys(self, schema: Json, notes: list[str]) -> str:
        """Return the keys of a schema. notes: what its models say is added."""
        schema = next((each for each in schema.get("anyOf", ()) if each.get("type") != "null"), schema)
        if "items" in schema:
            inner = self._keys(schema["items"], notes)
            return f"[{inner}]" if inner else ""
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        model = self._schemas.get(name, {})
        properties = model.get("properties", {})
        if not properties or "const" in properties.get("type", {}):
            return ""
        if name in self._written:
            return name
        self._written.add(name)
        notes += filter(None, [_text(model.get("description", "")).partition(". ")[2]])
        required, rows = model.get("required", ()), []
        for key, each in properties.items():
            inner = self._keys(each, notes)
            can_be_null = key in required and {"type": "null"} in each.get("anyOf", ())
            shape = f": {inner}" if inner else ""
            rows.append(f'"{key}"{"" if key in required else "?"}{shape}{" or null" * can_be_null}')
        return f"{name} " * (name in self._named) + f"{{{', '.join(rows)}}}"


def _text(description: str) -> str:
    return " ".join(description.split()).replace("``", "`")


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
    REST.write_text(rest_text(), encoding="utf-8")
    print(FILE, REST)

"""The protocol: parsing, OpenAPI, the server description, and the page that documents them."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import pytest
from fastapi.routing import APIRoute
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError
from pydantic_core import to_json

from ekoes import errors
from ekoes.bots import bots
from ekoes.games.api.registry import games
from ekoes.games.api.table import fields_about
from ekoes.games.api.values import checksum, difference, patched
from ekoes.protocol import (
    MESSAGES,
    Failure,
    LobbyMessage,
    MessageError,
    Show,
    encode,
    key_of,
    protocol_schema,
    read_message,
)
from ekoes.server.app import ROUTERS, create_app
from ekoes.server.http.policy import LIMITS, owner_finder, policy_of, routes_of
from ekoes.server.http.requests import services_of
from ekoes.server.http.tables import about_server
from ekoes.server.runtime.permissions import SCOPES
from ekoes.server.runtime.viewers import error_json
from ekoes.server.settings import Settings
from ekoes.tables import orders
from ekoes.tables.chat import Listen, Mute, Say
from ekoes.tables.create import table_class
from ekoes.tables.orders import Order, Pace, Rename
from ekoes.tables.settings import TableOptions
from tests.docs.pages import sent_codes

Json = dict[str, Any]
ROOT = Path(__file__).parents[3]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
KEYS = st.sampled_from(["type", "key", "version", "seat", "action", "hold", "name", "milliseconds"])
TYPES = st.sampled_from(["act", "undo", "sit", "pace", "table", "intent", "rematch", "tick", "fly"])
ACTIONS = st.fixed_dictionaries(
    {"type": st.sampled_from(["play", "mirror", "effect", "draw", "pass", "ready", "deal"])},
    optional={key: st.integers(-1, 99) | VALUES for key in ("card", "on", "aside", "round", "effect")},
)
INTENTS = ACTIONS.map(lambda action: {"type": "intent", "key": "k", "seat": 0, "action": action})
SENT = INTENTS | st.dictionaries(KEYS | st.text(), VALUES).flatmap(
    lambda message: TYPES.map(lambda kind: {**message, "type": kind})
)


@given(VALUES | SENT)
def test_any_json_is_a_message_or_a_message_error(value: object) -> None:
    answer_to(json.dumps(value))


@given(st.text())
def test_any_text_is_a_message_or_a_message_error(text: str) -> None:
    answer_to(text)


def answer_to(text: str) -> None:
    key = key_of(text)
    assert key is None or len(key) <= 64
    try:
        read_message(text, MESSAGES)
    except MessageError as error:
        answer = error_json(error)
        assert answer["code"].startswith("message/")
        encode(answer | {"key": key}).encode()


ACT: Json = {"type": "act", "key": "k", "version": 0, "seat": 0, "action": {"type": "swap"}}


@pytest.mark.parametrize(
    ("frame", "code", "named"),
    [
        ("{", "message/bad-json", "JSON"),
        ("", "message/bad-json", "JSON"),
        ("null", "message/bad-type", ""),
        ("[]", "message/bad-type", ""),
        ('"act"', "message/bad-type", ""),
        ("{}", "message/unknown-type", "type"),
        ('{"type": "steal", "key": "k"}', "message/unknown-type", "steal"),
        ('{"type": 7, "key": "k"}', "message/unknown-type", "type"),
        ("NaN", "message/bad-json", "NaN is no number"),
        ('{"type": "undo", "type": "undo", "key": "k"}', "message/bad-json", "'type': appears twice"),
        (json.dumps(ACT)[:-1] + ', "action": {}}', "message/bad-json", "'action': appears twice"),
        (json.dumps(ACT | {"": 1}), "message/unknown-key", "'': this key is unknown"),
        ('{"type": "act", "key": "\\ud800"}', "message/bad-json", ""),
        ("[" * 20000, "message/bad-json", ""),
        ('{"type":"act","key":"k","version":0,"seat":0,"action":' + '{"a":' * 5000, "message/bad-json", ""),
        (json.dumps(ACT | {"colour": "red"}), "message/unknown-key", "colour"),
        (json.dumps({"type": "undo", "version": 0, "seat": 0}), "message/missing-key", "key"),
        (json.dumps({"type": "undo", "key": "k", "seat": 0}), "message/missing-key", "version"),
        (json.dumps(ACT | {"version": "0"}), "message/bad-type", "version"),
        (json.dumps(ACT | {"version": 1.5}), "message/bad-type", "version"),
        (json.dumps(ACT | {"version": True}), "message/bad-type", "version"),
        (json.dumps(ACT | {"seat": -1}), "message/bad-type", "seat"),
        (json.dumps(ACT | {"seat": 10**30}), "message/bad-type", "seat"),
        (json.dumps(ACT | {"hold": 1}), "message/bad-type", "hold"),
        (json.dumps(ACT | {"action": "swap"}), "message/bad-type", "action"),
        (json.dumps(ACT | {"key": ""}), "message/bad-type", "key"),
        (json.dumps(ACT | {"key": "k" * 65}), "message/bad-type", "key"),
        (json.dumps(ACT | {"key": None}), "message/bad-type", "key"),
        (json.dumps({"type": "pace", "key": "k", "milliseconds": 5001}), "message/bad-type", "milliseconds"),
        (json.dumps({"type": "sit", "key": "k", "seat": 1, "name": "A\nB"}), "message/bad-type", "name"),
        (json.dumps({"type": "sit", "key": "k", "seat": 1, "name": "A" * 41}), "message/bad-type", "name"),
    ],
)
def test_unreadable_messages_are_refused_by_key(frame: str, code: str, named: str) -> None:
    with pytest.raises(MessageError) as refused:
        read_message(frame, MESSAGES)
    error = error_json(refused.value)
    assert error["code"] == code
    assert named in error["message"]
    assert len(error["message"]) < 300


@given(SENT)
def test_what_is_read_is_written_back_the_same(message: dict[str, object]) -> None:
    with suppress(MessageError):
        read = read_message(json.dumps(message), MESSAGES)
        assert read_message(to_json(read).decode(), MESSAGES) == read


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Json:
    app = create_app(Settings(data=tmp_path_factory.mktemp("openapi"), bot_workers=0))
    made: Json = app.openapi()
    services_of(app).store.close()
    return made


def operations(described: Json) -> list[tuple[str, Json]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]


def test_each_route_has_a_name_of_its_own_and_says_what_it_does(described: Json) -> None:
    names = Counter(operation["operationId"] for _, operation in operations(described))
    assert {name for name, number in names.items() if number > 1} == set()
    assert [route for route, operation in operations(described) if not operation.get("description")] == []


def test_each_route_says_how_it_fails(described: Json) -> None:
    for route, operation in operations(described):
        content = operation["responses"]["4XX"]["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/Failure"}, route
    assert set(described["components"]["schemas"]["Failure"]["properties"]) == set(Failure.model_fields)


def test_each_route_declares_its_policy() -> None:
    declared = [policy_of(route.endpoint) for route in routes_of(ROUTERS)]
    assert len(declared) > 80
    assert {one.limit for one in declared} == set(LIMITS)
    assert {one.scope for one in declared} == {None, "any", *SCOPES}


def test_each_route_with_a_table_in_its_path_is_owned_by_the_table() -> None:
    for route in routes_of(ROUTERS):
        has_table = "{table_id}" in route.path
        assert (policy_of(route.endpoint).owner == "table") == has_table, route.path


@pytest.mark.parametrize(
    ("method", "path", "owner"),
    [
        ("GET", "/api/tables/abc1", "abc1"),
        ("GET", "/api/games/abc1", "abc1"),
        ("GET", "/t/abc1", "abc1"),
        ("POST", "/api/tables", None),
        ("GET", "/api/tables/a.b", None),
        ("GET", "/api/challenges", "lobby"),
        ("POST", "/api/tournaments/abc/start", "lobby"),
        ("GET", "/api/bot/stream", "lobby"),
        ("GET", "/api/meta", None),
        ("GET", "/assets/index.js", None),
    ],
)
def test_owner_of_a_request_follows_from_its_route(method: str, path: str, owner: str | None) -> None:
    find = owner_finder(ROUTERS, "lobby")
    assert find({"type": "http", "method": method, "path": path, "headers": []}) == owner


def test_each_route_says_which_scope_opens_it(described: Json) -> None:
    scopes = {
        f"{method} {route.path}": policy_of(route.endpoint).scope
        for route in routes_of(ROUTERS)
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    schemes = set(described["components"]["securitySchemes"])
    for route, operation in operations(described):
        allowed = {name: scopes for one in operation["security"] for name, scopes in one.items()}
        assert set(allowed) <= schemes
        scope = scopes[route]
        expected = None if scope is None else [] if scope == "any" else [scope]
        assert allowed.get("token") == expected, route


def test_orders_are_described_one_by_one(described: Json) -> None:
    body = described["paths"]["/api/tables/{table_id}/orders"]["post"]["requestBody"]
    kinds = body["content"]["application/json"]["schema"]["discriminator"]["mapping"]
    assert {"act", "intent", "sit", "resign"} <= set(kinds)


def numbers(value: Any, schemas: Json) -> Iterator[Json]:
    """Yield how each number is described that may come in, wherever it is described."""
    if isinstance(value, list):
        for one in value:
            yield from numbers(one, schemas)
    elif isinstance(value, dict):
        if str(value.get("type")) in {"integer", "number"}:
            yield value
        name = str(value.get("$ref", "")).rpartition("/")[2]
        for one in (*value.values(), schemas.get(name)):
            yield from numbers(one, schemas)


def test_every_number_that_may_come_in_has_bounds(described: Json) -> None:
    """Beyond 64 bits no database takes it."""
    asked = [[each.get("parameters"), each.get("requestBody")] for _, each in operations(described)]
    said = protocol_schema()["$defs"]
    found = [*numbers(asked, described["components"]["schemas"])]
    found += numbers([said["to_table"], said["to_lobby"]], said)
    assert len(found) > 50
    assert [one for one in found if not {"maximum", "exclusiveMaximum"} & set(one)] == []


PAGE = (ROOT / "docs/reference/protocol.md").read_text(encoding="utf-8")


def test_every_error_code_is_documented() -> None:
    _, _, section = PAGE.partition("## Codes")
    documented = set(re.findall(r"`([a-z]+(?:/[a-z-]+)?)`", section.partition("\n## ")[0]))
    kinds = {getattr(errors, name).default_code for name in errors.__all__}
    assert (sent_codes() | kinds) - documented == {"notation"}, "read as message/bad-type"
    assert {code for code in documented if "/" in code} - sent_codes() == set()


@pytest.mark.parametrize(
    "message",
    [*get_args(Order), Show, Listen, Say, Mute, *get_args(LobbyMessage)],
    ids=lambda message: message.__name__,
)
def test_every_message_is_documented_with_its_keys(message: type[orders.Strict]) -> None:
    kind = message.model_fields["type"].default
    (line,) = re.findall(rf'`{{"type":"{kind}"(.*?)}}`', PAGE)[:1]
    sent = set(re.findall(r'"(\w+)"', line))
    assert sent == set(message.model_fields) - {"type"}


ABOUT = about_server()
GAMES: dict[str, Json] = {game["name"]: game for game in ABOUT["games"]}


class Inner(BaseModel):
    """A field that has fields."""

    size: Annotated[int, Field(ge=1)]


class Wish(BaseModel):
    """One field of every kind."""

    given: int
    flag: bool = True
    size: Annotated[int, Field(ge=2, le=8)] = 4
    word: Literal["small", "large"] = "small"
    extras: frozenset[Literal["a", "b"]] = frozenset()
    clock: Annotated[int, Field(ge=1)] | None = None
    inner: Inner | None = None


def test_fields_are_described_from_their_model() -> None:
    assert fields_about(Wish, besides={"flag"}) == {
        "given": {},
        "size": {"default": 4, "least": 2, "most": 8},
        "word": {"default": "small", "values": ["small", "large"]},
        "extras": {"default": [], "values": ["a", "b"], "several": True},
        "clock": {"default": None, "least": 1, "null": True},
        "inner": {"default": None, "fields": {"size": {"least": 1}}, "null": True},
    }


def test_the_page_is_tested_with_what_the_server_says() -> None:
    example = json.loads((ROOT / "tests/golden/meta.json").read_text("utf-8"))
    assert example == {key: value for key, value in ABOUT.items() if key != "rules"}


@pytest.mark.parametrize("game", games())
def test_every_game_is_described_with_its_bots_and_options(game: str) -> None:
    about = GAMES[game]
    assert about["bots"] == list(bots(game))
    assert about["stand_in"] in about["bots"]
    least, most = about["players"]
    assert 1 < least < most <= ABOUT["limits"]["seats"] == ABOUT["limits"]["colours"]
    options = {name: option["default"] for name, option in about["options"].items()}
    given = {name: value for name, value in options.items() if name not in TableOptions.model_fields}
    assert table_class(game).new(game, {"players": most, **given}, 1, (), None).position.players == most


@pytest.mark.parametrize("game", games())
def test_every_game_has_the_levels_in_their_order(game: str) -> None:
    about = GAMES[game]
    levels = [level for level in ABOUT["levels"] if level in about["bots"]]
    assert about["levels"] == levels == [bot for bot in about["bots"] if bot in about["levels"]]
    assert {"beginner", "casual", "skilled", "strong", "master"} <= set(levels)


def test_every_level_is_that_of_a_game() -> None:
    assert set(ABOUT["levels"]) == {level for about in GAMES.values() for level in about["levels"]}


def test_the_page_says_of_a_level_what_the_server_says() -> None:
    words = json.loads((ROOT / "web/src/i18n/en.json").read_text("utf-8"))
    assert ABOUT["levels"] == {name: words[f"level.{name}.help"] for name in ABOUT["levels"]}


def test_options_of_both_games_are_described_alike() -> None:
    eko = GAMES["eko"]
    assert eko["options"]["variants"] == {"default": [], "values": eko["variants"], "several": True}
    assert eko["options"]["setup"] == {"default": "standard", "values": eko["setups"]}
    assert {"seed", "turn_limit", "layout", "tileset"} <= set(eko["options"])
    assert not {"seed", "turn_limit"} & set(GAMES["ekko"]["options"])


def test_limits_are_those_that_messages_are_held_to() -> None:
    limits = ABOUT["limits"]
    Rename(key="a", seat=0, name="x" * limits["name"])
    with pytest.raises(ValidationError):
        Rename(key="a", seat=0, name="x" * (limits["name"] + 1))
    pace = limits["pace"]
    assert pace["least"] <= pace["default"] <= pace["most"]
    Pace(key="a", milliseconds=pace["most"])
    with pytest.raises(ValidationError):
        Pace(key="a", milliseconds=pace["most"] + 1)


def test_languages_are_those_of_the_list() -> None:
    assert ABOUT["languages"] == json.loads((ROOT / "src/ekoes/languages.json").read_text("utf-8"))
    assert all(set(language) == {"tag", "name", "dir"} for language in ABOUT["languages"])


def test_every_key_is_described() -> None:
    _, _, section = PAGE.partition("### Server description")
    text = section.partition("\n## ")[0]
    words = {*ABOUT, *ABOUT["limits"], *ABOUT["languages"][0]}
    words |= {key for game in GAMES.values() for key in game}
    words |= {key for game in GAMES.values() for option in game["options"].values() for key in option}
    assert {word for word in words if f'"{word}"' not in text and f"`{word}`" not in text} == set()


def values(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.none() | leaves | st.text(max_size=2),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text("ab1", max_size=2), inner, max_size=4)
        ),
        max_leaves=12,
    )


NUMBERS, TRUTHS = values(st.integers(-3, 3)), values(st.booleans())
ANY_VALUES = values(st.booleans() | st.integers(-3, 3))
PAIRS = st.tuples(NUMBERS, NUMBERS) | st.tuples(TRUTHS, TRUTHS)
"""In no place a number and a truth value take turns, so that all differences are seen."""


def text_of(value: object) -> str:
    return json.dumps(value, sort_keys=True)


@given(PAIRS)
def test_a_change_leads_from_one_value_to_the_other(pair: tuple[Any, Any]) -> None:
    before, after = pair
    was = copy.deepcopy(before)
    change = difference(before, after)
    assert text_of(patched(before, change)) == text_of(after)
    assert text_of(before) == text_of(was), "the value itself stays as it is"
    assert json.loads(json.dumps(change)) == change


@given(ANY_VALUES)
def test_what_stays_the_same_has_not_changed(value: Any) -> None:
    assert difference(value, copy.deepcopy(value)) in ({}, [value])


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ({"held": None}, {"held": 1}, {"held": [1]}),
        ({"held": 1}, {"held": None}, {"held": [None]}),
        ({"held": 1}, {}, {"held": None}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1, "z": 3}}, {"a": {"y": None, "z": [3]}}),
        ({"zone": [38, 67]}, {"zone": [38, 67, 76]}, {"zone": {"2": [76]}}),
        ({"zone": [38, 67]}, {"zone": [38]}, {"zone": [[38]]}),
    ],
)
def test_a_change_says_no_more_than_it_has_to(before: Any, after: Any, change: Any) -> None:
    assert difference(before, after) == change


def test_the_sum_of_a_state_is_the_page_s() -> None:
    """The same figures stand in web/src/net/diff.test.ts."""
    stacks = {"0,0": {"owner": 0, "height": 2}, "1,0": {"owner": 1, "height": 1}}
    assert checksum({"stacks": stacks, "zone": [38, 67], "held": None}) == "b138499f"
    assert checksum({"name": 'Zoë "Z"\n\u0001', "on": True}) == "a04bd43b"

"""Routes: named layouts, and reports of how fair a board is."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Request, Response
from pydantic import Field

from ekoes.games.api.contract import Json
from ekoes.server.http.analysis import GameName
from ekoes.server.http.answers import FairnessInfo, LayoutInfo, Lines, answers, answers_file
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import address_of, api_router
from ekoes.server.http.services import ServicesDep
from ekoes.server.runtime.fairness import boards_of
from ekoes.tables.orders import Strict

board_routes = api_router()

_GAMES, _MOST_GAMES = 400, 2000
_MOST_TILES = 130
_LARGEST_SEED = 2**53 - 1


@board_routes.get("/{name}/layouts", **answers(list[LayoutInfo]))
@Policy("look")
def list_layouts(name: GameName) -> list[Json]:
    """List the named layouts of a game, each with the report of its fairness.

    ``[{"name", "title", "text", "players", "variants", "tiles", "report"}]``: ``title`` and ``text`` by
    language; ``tiles`` are the option ``layout`` of a new table; ``report`` is as of ``fairness``, without
    ``heat``.
    """
    return [layout._asdict() for layout in boards_of(name).named_layouts()]


@board_routes.get("/{name}/layouts/{layout}/picture.svg", **answers_file("image/svg+xml"))
@Policy("reading")
def draw_named(name: GameName, layout: Annotated[str, Path(max_length=40)]) -> Response:
    """Return a picture of a named layout. 404 if there is none of this name."""
    boards = boards_of(name)
    found = next((one for one in boards.named_layouts() if one.name == layout), None)
    if found is None:
        return Response(status_code=404)
    headers = {"cache-control": "public, max-age=86400"}
    return Response(boards.draw_layout(found), media_type="image/svg+xml", headers=headers)


class BoardPlan(Strict):
    """A board to judge, as ``read_board`` reads it. games: rounded up to whole deals."""

    layout: Annotated[list[Any], Field(max_length=_MOST_TILES)] | dict[str, Any]
    games: Annotated[int, Field(ge=1, le=_MOST_GAMES)] = _GAMES
    seed: Annotated[int, Field(ge=0, le=_LARGEST_SEED)] = 1


@board_routes.post("/{name}/fairness", response_class=Lines, **answers(FairnessInfo))
@Policy("connect")
async def judge_board(request: Request, services: ServicesDep, name: GameName, body: BoardPlan) -> Lines:
    """Stream how far the report of a board's fairness is, as JSON lines, the last with the report.

    ``layout``: placed tiles, or a position before the first turn. ``{"played", "games", "report"}``; the
    report as the command ``fairness`` prints it with ``--json``. Equal bodies give equal reports. Without a
    report at its end the request has failed.
    """
    return Lines(await services.fairness.begin(name, body.layout, body.games, body.seed, address_of(request)))

"""``ekoes engine`` answers the engine protocol; ``ekoes bridge`` plays with an engine on a server."""

from __future__ import annotations

import asyncio
import gc
import mmap
import secrets
import shlex
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise
from math import inf
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import Annotated, Any, NamedTuple, TypeVar

import typer
from pydantic import BaseModel, ConfigDict, Field

from ekoes import __version__
from ekoes.arena.players import BUDGETS, DEFAULT_MEMORY, PROTOCOL, VIEW_KEYS, Program
from ekoes.bots import (
    KeptSearch,
    Search,
    asked_seat,
    begin_search,
    bot,
    bots,
    info_of,
    is_bot,
    sight_from_view,
)
from ekoes.cli.console import emit_json, need_extra, standard_input
from ekoes.cli.games import play_each
from ekoes.cli.requests import (
    Command,
    Incoming,
    Request,
    answer_to,
    game_of,
    perform,
    read_requests,
    read_seat,
)
from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Game, Json
from ekoes.games.api.reading import read_list, read_options
from ekoes.games.api.registry import game as game_named
from ekoes.games.api.registry import games
from ekoes.games.api.table import History

P = TypeVar("P")
_QUEUE_SIZE = 1000
"""Requests that are read ahead; the others stay in the pipe."""


class _Requests:
    """The requests, in order; the first one is current until it has been answered. None ends them.

    One thread adds and another one answers. A stop ends the search of the current request, also if it is only
    about to begin.
    """

    def __init__(self) -> None:
        self._waiting: deque[Incoming | None] = deque()
        self._changed = Condition()
        self._search: Search | None = None
        self._is_stopped = False

    def put(self, asked: Incoming | None) -> None:
        """Add a request, a stop right after the current one. Blocks while there are too many."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < _QUEUE_SIZE)
            place = len(self._waiting)
            if place and _is(asked, "stop"):
                self._is_stopped, place = True, 1
                if self._search is not None:
                    self._search.stop()
                while place < len(self._waiting) and _is(self._waiting[place], "stop"):
                    place += 1
            self._waiting.insert(place, asked)
            self._changed.notify_all()

    def first(self) -> Incoming | None:
        """Wait for a request and return it; it is the current one now."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            return self._waiting[0]

    def begin(self, search: Search) -> Search:
        """Set the search of the current request; if that was stopped before, the search ends at once."""
        with self._changed:
            self._search = search
            if self._is_stopped:
                search.stop()
        return search

    def done(self) -> None:
        """Remove the current request."""
        with self._changed:
            self._waiting.popleft()
            self._search, self._is_stopped = None, False
            self._changed.notify_all()


REQUESTS = _Requests()


KEPT = KeptSearch()
"""The search of the latest request whose choice need not be repeatable."""


WHAT = ("position", "actions", *VIEW_KEYS)
"""The keys of a request that describe the decision."""


class DecisionRequest(NamedTuple):
    """The seat to move and what it sees. seen: the positions that began the turns before (E11.6)."""

    game: Game
    sight: Any
    seat: int
    seen: tuple[bytes, ...] = ()


def read_asked(request: Request) -> DecisionRequest:
    """Read the decision that a request is about."""
    if ("view" in request) == ("position" in request):
        raise NotationError("a choice needs a position or a view", key="position")
    return _from_view(request) if "view" in request else _from_position(request)


def _from_position(request: Request) -> DecisionRequest:
    _refuse(request, ("seen",), "position")
    value = request["position"]
    first = game_of(value, "position").from_json(value)
    positions = [first, *play_each(first, request.get("actions", []))]
    position = positions[-1]
    seat = asked_seat(position, read_seat(request))
    history = History.of(first)
    for before, after in pairwise(positions):
        history = history.then(before, after)
    return DecisionRequest(position.game, position.sight(seat), seat, history.begun)


def _from_view(request: Request) -> DecisionRequest:
    """Read a view. What the seat saw before is checked but not used: the bots are stateless."""
    _refuse(request, ("actions",), "view")
    seat = read_seat(request)
    if seat is None:
        raise NotationError("missing with a view", key="seat")
    game = game_of(request["view"], "view")
    for number, entry in enumerate(read_list(request.get("seen", []), "seen")):
        if not isinstance(entry, dict) or entry.keys() != {"seat", "action"}:
            raise NotationError("must have a seat and an action", key=f"seen[{number}]")
    return DecisionRequest(game, sight_from_view(game, request["view"], seat), seat)


def _refuse(request: Request, keys: tuple[str, ...], beside: str) -> None:
    for key in keys:
        if key in request:
            raise NotationError(f"can't be combined with a {beside}", key=key)


_SEEDS = 2**64


class Limits(BaseModel):
    """The limits of a choice; the first one reached ends the search.

    time: seconds of wall clock. iterations: steps of a search. depth: turns to look ahead. seed: makes a
    choice reproducible. level: the name of a bot. threads: at most. memory: MiB.
    """

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    time: Annotated[float, Field(gt=0)] = inf
    iterations: Annotated[int, Field(ge=1)] = 2**63
    depth: Annotated[int, Field(ge=1)] = 2**63
    seed: int = Field(default_factory=lambda: secrets.randbelow(_SEEDS))
    level: str = ""
    threads: Annotated[int, Field(ge=1)] = 1
    memory: Annotated[int, Field(ge=1)] = DEFAULT_MEMORY

    @property
    def tree(self) -> int:
        """MiB for the search tree: what the program itself and the stacks of more threads leave."""
        return max(_SMALLEST_TREE, self.memory - _taken() - _SPARE - _STACK * (self.usable_threads - 1))

    @property
    def seconds(self) -> float | None:
        """The time, if it is limited."""
        return self.time if self.time < inf else None

    @property
    def is_repeatable(self) -> bool:
        """Whether equal requests always get equal answers: those with a seed and without a time do."""
        return "seed" in self.model_fields_set and self.seconds is None

    @property
    def usable_threads(self) -> int:
        """The threads that search: one if the answer must be repeatable, never more than the cores."""
        from ekoes.server.workers.worker_process import cores

        return 1 if self.is_repeatable else min(self.threads, cores())

    @property
    def of_run(self) -> tuple[float | None, int, int, int]:
        """The arguments of ``Search.run``."""
        return self.seconds, self.iterations, self.usable_threads, self.depth


_PAGES = Path("/proc/self/statm")
_SMALLEST_TREE = 4
_SPARE = 16
"""MiB for requests and answers."""
_STACK = 8
"""MiB of the stack of a thread."""
_USUALLY_TAKEN = 224
_TO_COMPILE = 1024


def _taken() -> int:
    """Return the MiB that this process takes: its data if a referee limits that, else what is resident.

    Where the system does not report it, a usual value is returned.
    """
    if not _PAGES.exists():
        return _USUALLY_TAKEN
    _, resident, *_, data, _ = map(int, _PAGES.read_text("ascii").split())
    return (resident if _data_limit() == inf else data) * mmap.PAGESIZE >> 20


def _data_limit() -> float:
    """Return how many MiB of data this process may take."""
    if sys.platform == "win32":
        return inf
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return inf if most == resource.RLIM_INFINITY else most / 2**20


class AnalysisOptions(BaseModel):
    """How an analysis is reported. lines: variations; every: seconds between two reports."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    lines: Annotated[int, Field(ge=1, le=1000)] = 1
    every: Annotated[float, Field(ge=0.01)] = 0.25


def _hello(_request: Request) -> Json:
    levels = dict.fromkeys(level for game in games() for level in bots(game))
    return {
        "name": "Ekoes",
        "version": __version__,
        "protocol": PROTOCOL,
        "games": list(games()),
        "levels": list(levels),
    }


def _choose(request: Request) -> Json:
    """Let a bot choose. A bot without a search returns no ``value``."""
    limits = _limits(request)
    game, sight, seat, seen = read_asked(request)
    player: Any = bot(game.name, _level(game, limits))
    chance = Chance(limits.seed)
    if not hasattr(player, "begin"):
        return {"action": game.action_to_json(player.choose(sight, seat, chance))}
    can_be_kept = getattr(player, "keeps_tree", False)
    search = REQUESTS.begin(
        _search(limits, ("choose", game, player) if can_be_kept else None, sight, seen, player.begin)
    )
    if limits.level:
        player.run(search, *limits.of_run)
    else:
        search.run(*limits.of_run)
    action = game.action_to_json(player.pick(search, chance))
    return {"action": action, "value": list(search.value), "iterations": search.iterations}


def _search(
    limits: Limits,
    kind: object,
    position: P,
    seen: tuple[bytes, ...],
    begin: Callable[[P, tuple[bytes, ...], int], Search],
) -> Search:
    """Return a search for a request: the latest one of its kind, unless the answer must be repeatable.

    kind: None: always a new one.
    """
    if kind is None or limits.is_repeatable:
        KEPT.drop()
        return begin(position, seen, limits.tree)
    key = (kind, limits.memory, limits.usable_threads)
    return KEPT.next(key, position, seen, lambda: begin(position, seen, limits.tree))


def _limits(request: Request) -> Limits:
    limits = read_options(Limits, {key: request[key] for key in Limits.model_fields if key in request})
    if not limits.model_fields_set & set(BUDGETS):
        raise NotationError(f"a choice needs one of {', '.join(BUDGETS)}", key=BUDGETS[0])
    return limits


def _level(game: Game, limits: Limits) -> str:
    """Return the bot of a level, or the strongest. Raises NotationError naming the levels of the game."""
    if "level" not in limits.model_fields_set:
        return list(game.parts.bots)[-1]
    if not is_bot(game.name, limits.level):
        raise NotationError(f"must be one of {', '.join(bots(game.name))} at {game.name}", key="level")
    return limits.level


def _analyse(request: Request) -> Json:
    """Report the state of a search now and then, and at its end."""
    limits = _limits(request)
    options = read_options(
        AnalysisOptions, {key: request[key] for key in AnalysisOptions.model_fields if key in request}
    )
    game, position, _, seen = read_asked(request)
    search = REQUESTS.begin(_search(limits, ("analyse", game), position, seen, partial(begin_search, game)))
    begun = monotonic()
    worker = Thread(target=search.run, args=limits.of_run, daemon=True)
    worker.start()
    worker.join(options.every)
    while worker.is_alive():
        info = info_of(search, options.lines, begun).to_json(position)
        emit_json({"id": request["id"], "info": info})
        worker.join(options.every)
    return info_of(search, options.lines, begun).to_json(position)


def _no_result(_request: Request) -> None:
    """Answer a stop: the current request has been answered before."""


COMMANDS = {
    "hello": Command(_hello),
    "choose": Command(_choose, optional=(*WHAT, *Limits.model_fields)),
    "analyse": Command(_analyse, optional=(*WHAT, *Limits.model_fields, "lines", "every")),
    "stop": Command(_no_result),
    "quit": Command(_no_result),
}
"""Name -> command; ``quit`` ends the program when what was asked before is answered."""


def _warm_up_all() -> None:
    """Let every bot answer once in each form, so that everything is loaded before a clock runs."""
    for name in games():
        for level in bots(name):
            with suppress(Exception):  # a bot that fails will fail again when asked
                _warm_up(game_named(name), level)


def _warm_up(game: Game, level: str) -> None:
    position = game.new({"players": game.players.start}, 1)
    while CHANCE in position.actors():
        position = position.play(CHANCE, position.chance_action(Chance(1)))
    seat = asked_seat(position)
    for what in ({"position": position.to_json()}, {"view": position.view(seat), "seat": seat}):
        _choose(what | {"level": level, "iterations": 1})


def engine() -> None:
    """Serve the bots of all games to other programs: one JSON request per line, until ``quit``."""
    _get_ready()
    KEPT.drop()
    worker = Thread(target=_answer_all, daemon=True)
    worker.start()
    for request in read_requests(standard_input()):
        if _is(request, "quit"):
            break
        REQUESTS.put(request)
    REQUESTS.put(None)
    worker.join()


def _get_ready() -> None:
    """Compile and load everything, so that an answer takes no longer than its search.

    Raises: EkoesError if something is not compiled yet and a referee limits the memory too much for that.
    """
    from ekoes.cli.bots import warm_once
    from ekoes.server.workers.warmup import COMPLETE, is_marked, load_bots

    if _data_limit() < _TO_COMPILE and not is_marked(COMPLETE):
        raise EkoesError(
            "not compiled yet, which takes more memory than this program may use: run `ekoes warm`"
        )
    warm_once()
    load_bots()
    _warm_up_all()
    gc.collect()


def _is(asked: Incoming | None, name: str) -> bool:
    """Return whether this is a request of a name without other keys; one with them is refused in its turn."""
    return asked is not None and asked.request.get("cmd") == name and asked.request.keys() <= {"id", "cmd"}


def _answer_all() -> None:
    """Answer the requests until they end."""
    while (asked := REQUESTS.first()) is not None:
        answer = answer_to(asked, _do)
        REQUESTS.done()  # before the answer is sent: the next request must not find it current
        with suppress(typer.Exit):  # the reader is gone: the end of the input will follow
            emit_json(answer)
    REQUESTS.done()


def _do(request: Request) -> object:
    """Execute a request. Raises only EkoesError, so that the program lives on."""
    try:
        return perform(request, COMMANDS)
    except EkoesError:
        raise
    except Exception as error:
        raise EkoesError(f"internal error, please report it: {type(error).__name__}: {error}") from error


def bridge(
    engine: Annotated[str, typer.Argument(help="The command of the engine, as one argument.")],
    token: Annotated[str, typer.Option(envvar="EKOES_TOKEN", help="A token of the playing account.")],
    server: Annotated[str, typer.Option(help="The address of the server.")] = "http://127.0.0.1:8765",
    time: Annotated[float, typer.Option(min=0.05, max=60, help="Seconds per decision, at most.")] = 1.0,
    level: Annotated[str, typer.Option(help="The level of the engine.")] = "",
    game: Annotated[list[str] | None, typer.Option(help="Play this game only; repeatable.")] = None,
) -> None:
    """Play with an engine on a server: it accepts challenges and plays until Ctrl-C."""
    need_extra("client")
    try:
        words = shlex.split(engine)
    except ValueError as error:  # such as a quotation mark that is not closed
        raise EkoesError(f"the command of the engine: {str(error).lower()}") from None
    if not words:
        raise EkoesError("the command of the engine is empty")
    with suppress(KeyboardInterrupt), Program(words, level=level or None) as program:
        asyncio.run(_play(program, server, token, time, game))


async def _play(program: Program, server: str, token: str, seconds: float, games: list[str] | None) -> None:
    from ekoes.client.bridge import Bridge
    from ekoes.client.client import Client

    async with Client(server, token) as client:
        name = await client.account()
        typer.echo(f"{program.hello['name']} plays as {name} at {server}   (Ctrl-C ends it)")
        await Bridge(client, program, seconds, games, report=lambda line: typer.echo(line, err=True)).run()

"""Routes: puzzles, and what accounts have solved."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import takewhile
from typing import Annotated, Literal

from fastapi import Path, Query, Request, Response
from pydantic import Field

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.protocol import RatingInfo
from ekoes.server.http.openapi import Shape, answers, answers_file
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    AccountDep,
    AddressDep,
    GameName,
    Services,
    ServicesDep,
    api_router,
    session_of,
)
from ekoes.server.ops.secrets import fresh_seed
from ekoes.server.pictures import drawn_puzzle
from ekoes.storage.puzzles import Progress, PuzzleAnswer
from ekoes.tables.orders import Count, Strict
from ekoes.tables.puzzles import (
    daily_puzzle,
    first_rating,
    judge_decisions,
    next_puzzle,
    puzzle_of,
    puzzles_of,
    rush_puzzles,
)
from ekoes.tables.ratings import Rating
from ekoes.tables.studies import LONGEST_TASK

puzzle_routes = api_router()

PuzzleName = Annotated[str, Path(max_length=20)]


_MOST_SOLVED = 2000
SolvedNames = Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=_MOST_SOLVED)]


class PuzzleInfo(Shape):
    """A puzzle. theme: a word of the game. rating: by people's answers. seat: of the solver, who moves."""

    id: str
    theme: str
    rating: RatingInfo
    seat: int
    position: Json


@puzzle_routes.get("/{game}/puzzles/daily", **answers(PuzzleInfo))
@Policy("look")
def show_daily(game: GameName, services: ServicesDep) -> Json:
    """Return the puzzle of the day (UTC), the same for everybody."""
    return _shown(services, game, daily_puzzle(game, services.clock.now().date()))


class RushInfo(Shape):
    """The ids of the puzzles of a rush, the easiest first."""

    puzzles: list[str]


@puzzle_routes.get("/{game}/puzzles/rush", **answers(RushInfo))
@Policy("look")
def show_rush(game: GameName, services: ServicesDep, run: Annotated[int, Query(ge=1, le=999)] = 1) -> Json:
    """Draw the puzzles of a rush of today (UTC). run: 1 for the first of the day, the same for everybody.

    The page plays and judges it; nothing of it is stored.
    """
    return {"puzzles": rush_puzzles(game, services.clock.now().date(), run)}


class PuzzleProgress(RatingInfo):
    """The puzzles of an account. answers: the rated ones. solved: the number of puzzles.

    streak: days in a row with the daily puzzle. daily: today's is solved.
    """

    answers: int
    solved: int
    streak: int
    daily: bool


@puzzle_routes.get("/{game}/puzzles/progress", **answers(PuzzleProgress))
@Policy("search")
def show_progress(game: GameName, services: ServicesDep, account: AccountDep) -> Json:
    """Return the puzzle rating of the account and what it has solved."""
    return _progress_json(services, services.store.puzzles.progress(account.user_id, game))


class NextPuzzle(Strict):
    """Which puzzle is wanted next.

    after: the one before, which does not come again if there is another. solved: by a guest; the server knows
    those of an account.
    """

    after: Annotated[str, Field(max_length=20)] = ""
    theme: Annotated[str, Field(max_length=20)] | None = None
    solved: SolvedNames = Field(default_factory=list)


@puzzle_routes.post("/{game}/puzzles/next", **answers(PuzzleInfo))
@Policy("search")
def choose_next(request: Request, services: ServicesDep, game: GameName, body: NextPuzzle) -> Json:
    """Return a puzzle near the account's rating that it has not solved, nor tried if there is one.

    Without an account, one that is not in ``solved``. 404 ``puzzle/none-left`` if all of the theme are
    solved.
    """
    user, puzzles = _account_of(request, services), services.store.puzzles
    done = Progress(solved=frozenset(body.solved)) if user is None else puzzles.progress(user, game)
    name = next_puzzle(
        game,
        Chance(fresh_seed()),
        done.rating,
        puzzles.ratings(game),
        theme=body.theme,
        solved=done.solved,
        tried=done.tried | {body.after},
    )
    return _shown(services, game, name)


class SolvedByGuest(Strict):
    """The puzzles that a guest has solved, as stored in the browser.

    streak: days in a row with the daily puzzle, until today or else yesterday; as far as those are in
    ``solved``.
    """

    solved: SolvedNames
    streak: Count = 0
    today: bool = False


@puzzle_routes.post("/{game}/puzzles/solved", **answers(PuzzleProgress))
@Policy("change")
def take_over(game: GameName, services: ServicesDep, account: AccountDep, body: SolvedByGuest) -> Json:
    """Store what the guest of this browser solved before it was signed in, without rating it."""
    now, known = services.clock.now(), puzzles_of(game)
    day = now.date() if body.today else now.date() - timedelta(days=1)
    solved = {name for name in body.solved if name in known}
    days = (day - timedelta(days=ago) for ago in range(min(body.streak, len(solved))))
    streak = sum(1 for _ in takewhile(lambda one: daily_puzzle(game, one) in solved, days))
    run = (day, streak) if streak else None
    services.store.puzzles.take_over(account.user_id, game, solved, run, now)
    return _progress_json(services, services.store.puzzles.progress(account.user_id, game))


@puzzle_routes.get("/{game}/puzzles/{name}", **answers(PuzzleInfo))
@Policy("look")
def show_puzzle(game: GameName, name: PuzzleName, services: ServicesDep) -> Json:
    """Return a puzzle."""
    return _shown(services, game, name)


@puzzle_routes.get("/{game}/puzzles/{name}/picture.svg", **answers_file("image/svg+xml"))
@Policy("reading")
def draw_puzzle(game: GameName, name: PuzzleName) -> Response:
    """Return a picture of a puzzle's position."""
    headers = {"cache-control": "public, max-age=86400"}
    return Response(drawn_puzzle(game, name), media_type="image/svg+xml", headers=headers)


class SolutionStep(Shape):
    """A decision of a solution."""

    notation: str
    action: Json


class PuzzleRated(Shape):
    """The puzzle rating of an account before and after its first answer to a puzzle."""

    before: RatingInfo
    after: RatingInfo


class PuzzleAnswered(Shape):
    """The result of an answer to a puzzle.

    verdict: ``right`` or ``wrong``; ``open`` while the decisions are neither. solution: once it was found or
    given up. rated: by the first answer of an account; giving up is a wrong one. Not rated are answers after
    another one from the same address on that day, and more than ten a minute.
    """

    verdict: Literal["open", "right", "wrong"]
    solution: list[SolutionStep] | None
    rated: PuzzleRated | None


class PuzzleDecisions(Strict):
    """The solver's decisions, in order; what follows a right or wrong one is ignored.

    gives_up: shows the solution.
    """

    decisions: Annotated[list[Json], Field(max_length=LONGEST_TASK)]
    gives_up: bool = False


@puzzle_routes.post("/{game}/puzzles/{name}", **answers(PuzzleAnswered))
@Policy("board")
async def answer_puzzle(
    request: Request,
    services: ServicesDep,
    address: AddressDep,
    game: GameName,
    name: PuzzleName,
    body: PuzzleDecisions,
) -> Json:
    """Judge and rate the solver's decisions."""
    puzzle_of(game, name)
    verdict = await services.sandbox.do(judge_decisions, game, name, body.decisions, address=address)
    rated = None
    if body.gives_up or verdict != "open":
        is_right, place = verdict == "right" and not body.gives_up, services.seat_guard.place(address)
        may_rate = await services.quotas.may_rate(f"{game} {name}", place, session_of(request))
        rated = await asyncio.to_thread(_answered, request, services, game, name, is_right, may_rate)
    is_known = body.gives_up or verdict == "right"
    solution = await asyncio.to_thread(solution_of, game, name) if is_known else None
    return {"verdict": verdict, "solution": solution, "rated": rated}


def _account_of(request: Request, services: Services) -> str | None:
    """Return the user of a request who has an account, None without one."""
    user = session_of(request)
    return None if user is None or services.store.people.name(user) is None else user


def _answered(
    request: Request,
    services: Services,
    game: str,
    name: str,
    is_right: bool,  # noqa: FBT001 - run in a thread
    may_rate: bool,  # noqa: FBT001
) -> Json | None:
    """Store the answer of an account; return its ratings before and after, None if not rated."""
    user = _account_of(request, services)
    if user is None:
        return None
    now = services.clock.now()
    day = now.date() if daily_puzzle(game, now.date()) == name else None
    first = first_rating(puzzles_of(game)[name])
    given = PuzzleAnswer(game, name, is_right, first, now, day, may_rate)
    ratings = services.store.puzzles.answer(user, given)
    if ratings is None:
        return None
    before, after = ratings
    return {"before": before.to_json(), "after": after.to_json()}


def solution_of(game: str, name: str) -> list[Json]:
    """Return the decisions of a solution, each as notation and as action."""
    puzzle, of = puzzle_of(game, name), game_of(game)
    notation, now, steps = load(of.parts.notation), puzzle.position, []
    for text in puzzle.solution:
        action = notation.parse_action(text, now)
        steps.append({"notation": text, "action": of.action_to_json(action)})
        now = now.play(puzzle.seat, action)
    return steps


def _progress_json(services: Services, progress: Progress) -> Json:
    today = services.clock.now().date()
    return {
        **progress.rating.to_json(),
        "answers": progress.answers,
        "solved": len(progress.solved),
        "streak": progress.streak_on(today),
        "daily": progress.day == today,
    }


def _shown(services: Services, game: str, name: str) -> Json:
    return about_puzzle(game, name, services.store.puzzles.rating(game, name))


def about_puzzle(game: str, name: str, rating: Rating | None = None) -> Json:
    """Return a puzzle for pages. rating: None: that of its difficulty."""
    puzzle, about = puzzle_of(game, name), puzzles_of(game)[name]
    rating = rating or first_rating(about)
    return {
        "id": name,
        "theme": about.theme,
        "rating": rating.to_json(),
        "seat": puzzle.seat,
        "position": puzzle.position.to_json(),
    }

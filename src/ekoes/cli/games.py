"""The commands that every game has: new, legal, apply, playouts, show, replay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ekoes.cli.console import (
    chosen_seed,
    emit,
    emit_json,
    emit_rich,
    label,
    note,
    progress,
    read_position,
    read_text,
    within,
    write_json,
)
from ekoes.errors import NotationError, RecordError
from ekoes.games.api.contract import Json, Position
from ekoes.games.api.reading import parse_json
from ekoes.games.api.registry import game, load

if TYPE_CHECKING:
    from ekoes.records import GameRecord

PositionFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A position as JSON; - is standard input.", show_default=False),
]
RecordFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="Game records, one after the other; - is standard input.", show_default=False
    ),
]
Seed = Annotated[int | None, typer.Option(help="Equal seeds give equal positions; random if not given.")]
Option = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=JSON", help="An option of the game; repeatable."),
]


def read_options(texts: list[str] | None) -> Json:
    """Read options. Raises NotationError naming the option."""
    options: Json = {}
    for text in texts or ():
        name, is_given, value = text.partition("=")
        if not is_given or not name:
            raise NotationError(f"an option is written NAME=JSON, not {text!r:.40}", key="option")
        if name in options:
            raise NotationError("is given twice", key=name[:40])
        options[name] = parse_json(value)
    return options


LARGEST_DEPTH = 100
"""The largest depth of a perft, far beyond what is feasible."""


def legal_actions(position: Position) -> list[Any]:
    """Return the legal actions of all seats to move; none once the game is over."""
    return [action for seat in position.actors() for action in position.legal(seat)]


def play_next(position: Position, action: object) -> Position:
    """Play an action for the seat it belongs to. Raises IllegalActionError, also if the game is over."""
    return position.play(position.seat_of(action), action)


def play_all(position: Position, actions: object) -> Position:
    """Play a list of actions in JSON. Raises an error that names the action by its number."""
    for after in play_each(position, actions):
        position = after
    return position


def play_each(position: Position, actions: object) -> Iterator[Position]:
    """Yield the position after each of a list of actions in JSON. Raises as ``play_all`` does."""
    if not isinstance(actions, list):
        raise NotationError("must be a list of actions", key="actions")
    for number, value in enumerate(actions, start=1):
        with within(f"action {number}"):
            position = play_next(position, position.game.parse_action(value))
        yield position


def new(
    name: str,
    players: Annotated[int | None, typer.Option(help="The number of players, by default the fewest.")] = None,
    seed: Seed = None,
    option: Option = None,
) -> None:
    """Print a position at its first decision."""
    played = game(name)
    options = {"players": players or played.players.start, **read_options(option)}
    emit_json(played.new(options, chosen_seed(seed)).to_json())


def legal(name: str, file: PositionFile) -> None:
    """Print the legal actions of a position, one per line."""
    position = read_position(file, name)
    emit(write_json(position.game.action_to_json(action)) for action in legal_actions(position))


def apply(
    name: str,
    file: PositionFile,
    actions: Annotated[
        str,
        typer.Argument(
            help="One action per line, as JSON or in notation; - is standard input.", show_default=False
        ),
    ],
) -> None:
    """Print the position after some actions, or the line and the broken rule of an illegal one."""
    if file == actions == "-":
        raise NotationError("only one of FILE and ACTIONS can be standard input")
    position = read_position(file, name)
    notation = load(position.game.parts.notation)
    for number, line in enumerate(read_text(actions).split("\n"), start=1):
        if line.strip():
            with within(f"line {number}"):
                position = play_next(position, _parse(line, position, notation))
    emit_json(position.to_json())


def _parse(line: str, position: Position, notation: ModuleType) -> object:
    if line.lstrip()[:1] in ("{", "[", '"'):
        return position.game.parse_action(parse_json(line))
    return notation.parse_action(line, position)


LARGEST_COUNT = 10_000_000


def playouts(
    name: str,
    file: PositionFile,
    count: Annotated[
        int, typer.Option(min=1, max=LARGEST_COUNT, help="Number of games.", show_default=False)
    ],
    seed: Annotated[int, typer.Option(help="Equal seeds give equal games.", show_default=False)],
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Games played in parallel.")] = 1,
) -> None:
    """Play random games from a position to the end and count the wins."""
    position = read_position(file, name)
    playouts = load(position.game.parts.playouts or "").playouts
    with progress("playouts", count) as advance:
        result = playouts(position, count, seed, threads=threads, progress=advance)
    emit_json(
        {
            "games": result.games,
            "decisions": result.decisions,
            "seconds": result.seconds,
            "wins": list(result.wins),
            "drawn": result.drawn,
        }
    )


def show(name: str, file: PositionFile) -> None:
    """Show a position in the terminal, in colour where supported."""
    position = read_position(file, name)
    emit_rich(load(position.game.parts.show or "").show_position(position))


def replay(
    name: str,
    file: RecordFile,
    at: Annotated[int | None, typer.Option(min=0, help="Stop after this many decisions.")] = None,
    every: Annotated[bool, typer.Option("--every", help="Print every position, one per line.")] = False,
) -> None:
    """Replay game records and print the position that each leads to."""
    from ekoes.records import replay

    for record in read_games(read_text(file), file, name):
        if at is not None and at > len(record.decisions):
            raise RecordError(f"{label(file)}: the record has {len(record.decisions)} decisions, not {at}")
        positions = list(islice(replay(record), None if at is None else at + 1))
        emit(write_json(position.to_json()) for position in (positions if every else positions[-1:]))
        note(_end(record))


def read_games(text: str, file: str, game: str) -> Iterator[GameRecord]:
    """Read the records of a game, one after the other. Raises an error that names the file."""
    from ekoes.records import read_records

    with within(label(file)):
        for record in read_records(text):
            if record.game != game:
                raise RecordError(f"a record of {record.game}: `ekoes {record.game} replay` reads it")
            yield record


def _end(record: GameRecord) -> str:
    """Describe the length and the result of a game."""
    count = f"{len(record.decisions)} decisions"
    if record.outcome is None:
        return f"{count}; the game goes on"
    winners = ", ".join(f"seat {seat}" for seat in record.outcome.winners) or "no one"
    return f"{count}; {winners} by {record.outcome.reason} ({record.outcome.rule})"

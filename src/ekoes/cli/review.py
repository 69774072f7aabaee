"""The commands ``ekoes eko review`` and ``ekoes ekko review``: recorded games, with English sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Annotated

import typer

from ekoes.cli.arena import Workers, pool_for
from ekoes.cli.console import emit, label, read_text, track, within, write_json
from ekoes.errors import RecordError
from ekoes.games.api.contract import Json
from ekoes.records import GameRecord
from ekoes.records.referee import book_of
from ekoes.records.review import Effort, Finding, reviewed_game
from ekoes.records.text import result_line

_FACTS = {
    "review/lead-changed": "{name} took the lead",
    "review/largest-miss": "{name} lost most chances, {loss} points: {kind}",
    "review/missed-win": "{name} missed a win",
    "review/turning-point": "the turning point, by {name}: from here on {winner} had at least {chance} %",
    "review/won": "{name} won by points, most of them by {source} ({count})",
}
_JUDGEMENTS = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
_KINDS = {
    "win": "missed a win in this turn",
    "loses": "lets the next player win",
    "emperor": "leaves the Emperor to be captured",
    "capture": "missed an Emperor",
    "back": "leaves the own Emperor in captivity",
    "forced-win": "missed a win that no one could prevent",
    "forced-loss": "allows a win that no one can prevent",
    "capital": "missed a capital",
    "attack": "missed an attack: discs {count}",
    "points": "missed points: {count}",
    "exposed": "leaves more discs to be attacked: {count}",
    "wasted": "spends more discs: {count}",
    "hunt": "missed a threat to an Emperor",
    "sites": "missed sites to build on next: {count}",
    "threats": "missed threats to stacks: {count}",
    "later": "the better one pays in later turns",
}


def _examine(text: str, effort: Effort, n: int) -> tuple[int, Finding]:
    """Examine a position of a record's game."""
    return n, reviewed_game(text).examine(n, effort)


RecordFile = Annotated[
    str, typer.Argument(metavar="RECORD", help="A game record; - is standard input.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the review as JSON.")]


def review(
    record: RecordFile,
    workers: Workers,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.01, help="Seconds of a search; at most two are made for each decision."),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Iterations of a search; equal ones give equal reviews.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Review a game: chances, mistakes with better alternatives, what decided it, accuracy."""
    game, found = _reviewed(record, "eko", workers, Effort(seconds, iterations))
    emit([write_json(found)] if as_json else _lines(game, found))


def review_rounds(
    record: RecordFile,
    workers: Workers,
    deals: Annotated[int | None, typer.Option(min=4, help="Sampled deals for each decision.")] = None,
    as_json: AsJson = False,
) -> None:
    """Review a game: better cards, missed mirrors, races, reaction times, luck of each deal."""
    game, found = _reviewed(record, "ekko", workers, Effort(iterations=deals))
    emit([write_json(found)] if as_json else _round_lines(game, found))


def _reviewed(file: str, name: str, workers: int, effort: Effort) -> tuple[GameRecord, Json]:
    """Read and review a record of a game."""
    text = read_text(file)
    with within(label(file)):
        game = reviewed_game(text)
        if game.record.game != name:
            other = game.record.game
            raise RecordError(f"a record of {other}: `ekoes {other} review` reads it")
    questions = game.questions
    with pool_for(workers, None) as pool:
        found = pool(partial(_examine, text, effort), questions)
        findings = dict(track(found, "decisions", len(questions)))
    return game.record, game.sum_up(findings)


def _lines(record: GameRecord, found: Json) -> Iterator[str]:
    """Yield a line for each player, each fact and each mistake."""
    judged = [one for one in found["decisions"] if "judgement" in one]
    overturned = [one for one in found["decisions"] if "until" in one]
    for seat, accuracy in enumerate(found["accuracy"]):
        counts = Counter(one["judgement"] for one in judged if one["seat"] == seat)
        errors = ", ".join(f"{plural} {counts[word]}" for word, plural in _JUDGEMENTS.items())
        yield f"{_name(record, seat):12} accuracy {'–' if accuracy is None else accuracy:>5} %   {errors}"
    yield ""
    for fact in found["facts"]:
        yield f"turn {fact['turn']:>3}, decision {fact['n']:>3}: {_sentence(record, fact)}"
    yield result_line(record.outcome)
    book = book_of(record.game)
    if judged:
        yield ""
        yield "   n turn player       lost              played and better"
    for one in judged:
        n = one["n"]
        played = book.format_action(record.decisions[n - 1].action, record.start)
        better = " ".join(entry["notation"] for entry in one["better"])
        yield (
            f"{n:>4} {one['turn']:>4} {_name(record, one['seat']):12} {100 * one['loss']:4.0f}"
            f"  {one['judgement']:10}  {played}  →  {better}   ({_kind(one)})"
        )
    if overturned:
        yield ""
    for one in overturned:
        n, until = one["n"], one["until"]
        played = book.format_action(record.decisions[n - 1].action, record.start)
        yield (
            f"{n:>4} {one['turn']:>4} {_name(record, one['seat']):12} {100 * one['fell']:4.0f}"
            f"  {played}: a good move until {_name(record, until['seat'])} answers {until['notation']}"
        )


def _sentence(record: GameRecord, fact: Json) -> str:
    percent = {key: round(100 * fact[key]) for key in ("loss", "chance") if key in fact}
    words = {"name": _name(record, fact["seat"]), "kind": _kind(fact) if "kind" in fact else ""}
    if "winner" in fact:
        words["winner"] = _name(record, fact["winner"])
    return _FACTS[fact["code"]].format_map(fact | percent | words)


def _kind(of: Json) -> str:
    return _KINDS[of["kind"]].format(count=of.get("count"))


def _name(record: GameRecord, seat: int) -> str:
    return (record.names[seat] if record.names else "") or f"seat {seat}"


_BOUNDS = " ({least} to {most} %)"
_ROUND_FACTS = {
    "review/better": "{played} by {name}, better {better}: {loss} points expected",
    "review/missed-mirror": "{name} held {card}, the mirror of {on}, and did not play it",
    "review/race": "{name} was {behind} ms quicker than {loser} with {card} on {on}",
    "review/lucky": "lucky deal for {name}: better than {percentile} % of random ones" + _BOUNDS,
    "review/unlucky": "unlucky deal for {name}: better than {percentile} % of random ones" + _BOUNDS,
}


def _round_lines(record: GameRecord, found: Json) -> Iterator[str]:
    """Yield a line for each player and each fact."""
    for one in found["totals"]:
        yield (
            f"{_name(record, one['seat']):12} good {one['good']}/{one['decisions']}"
            f"   points lost {one['loss']}   mirrors missed {one['missed']}"
            f"   races won {one['won']}, lost {one['lost']}"
            f"   median: turn {_ms(one['turn'])}, mirror {_ms(one['mirror'])}"
        )
    yield ""
    for fact in found["facts"]:
        yield f"round {fact['turn']:>2}, decision {fact['n']:>3}: {_round_sentence(record, found, fact)}"
    yield result_line(record.outcome)


def _round_sentence(record: GameRecord, found: Json, fact: Json) -> str:
    words: Json = {"name": _name(record, fact["seat"])}
    if "loser" in fact:
        words["loser"] = _name(record, fact["loser"])
    if fact["code"] == "review/better":
        (judged,) = (one for one in found["decisions"] if one["n"] == fact["n"])
        book = book_of(record.game)
        words["played"] = book.format_action(record.decisions[fact["n"] - 1].action, record.start)
        words["better"] = judged["better"][0]["notation"]
    more = []
    if fact["code"] == "review/missed-mirror":
        more += [f"possible for {_ms(fact['milliseconds'])}"] if "milliseconds" in fact else []
        more += [f"{_ms(fact['behind'])} too late"] if "behind" in fact else []
        more += [f"{fact['loss']} points expected"] if fact["loss"] else []
    return "; ".join([_ROUND_FACTS[fact["code"]].format_map(fact | words), *more])


def _ms(milliseconds: int | None) -> str:
    return "–" if milliseconds is None else f"{milliseconds} ms"

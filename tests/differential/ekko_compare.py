"""Hold the engine of EKKO against the reference on one position and all the way through a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ekoes.games.ekko.book import as_live
from ekoes.games.ekko.game import EKKO
from tests.differential.compare import sorted_texts, text
from tests.reference import ekko as reference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ekoes.games.ekko.position.position import EkkoPosition

Value = dict[str, Any]


def engine_reads(value: Value, *, live: bool = False) -> EkkoPosition:
    """The engine's position; a file doesn't tell whether it comes from a live table (K7.1)."""
    position = EKKO.from_json(value)
    return as_live(position) if live else position


def compare(value: Value) -> list[Value]:
    """Assert that the engine reads, lists and plays a position of the decision sequence alike (K6).

    Returns the positions after each action, but for a deal.
    """
    position = engine_reads(value)
    assert text(position.to_json()) == text(value)
    compare_legal(position, value)
    actions = [action for action in reference.legal(value) if action["type"] != "deal"]
    compare_taken(position, value)
    return [compare_step(position, value, action) for action in actions]


def compare_taken(position: EkkoPosition, value: Value) -> None:
    """What a live table adds is taken where it fits (K6.3), and refused elsewhere."""
    if value["turn"]["phase"] not in ("mirror", "play"):
        return
    legal = [(position.actors()[0], action) for action in reference.legal(value)]
    taken = reference.taken(value)
    for seat, action in [*taken, *live_candidates(value)]:
        parsed = EKKO.parse_action(action)
        refusal = position.why_not(seat, parsed)
        is_taken = (seat, action) in legal + taken
        assert (refusal is None) == is_taken, f"{refusal} {seat} {text(action)} {text(value)}"
        if is_taken:
            after = reference.follow(value, action)
            assert text(position.play(seat, parsed).to_json()) == text(after), f"{text(value)} {text(action)}"


def compare_live(value: Value) -> list[Value]:
    """The same of a live table, for everything that may arrive there (K7)."""
    position = engine_reads(value, live=True)
    assert text(position.to_json()) == text(value)
    allowed = [action for action in reference.live_legal(value) if action[1]["type"] != "deal"]
    candidates = [*allowed, *live_candidates(value)]
    afterwards = []
    for seat, action in candidates:
        parsed = EKKO.parse_action(action)
        refusal = position.why_not(seat, parsed)
        answers = {"on": value["zone"][-1]} if value["zone"] else {}  # K7.2: of no effect but to be judged
        plain = {key: content for key, content in action.items() if (key, content) not in answers.items()}
        is_allowed = (seat, plain) in allowed
        assert (refusal is None) == is_allowed, f"{refusal} {seat} {text(action)} {text(value)}"
        if is_allowed:
            assert position.seat_of(parsed) == seat
            after = reference.live_follow(value, action)
            assert text(position.play(seat, parsed).to_json()) == text(after), f"{text(value)} {text(action)}"
            afterwards.append(after)
    return afterwards


def live_candidates(value: Value) -> Iterable[tuple[int, Value]]:
    """Every card of every hand as a play, a misplay and a mirror, and the rest, by each seat."""
    for seat, hand in enumerate(value["hands"]):
        yield seat, {"type": "draw"}
        yield seat, {"type": "close"}
        yield seat, {"type": "pass"}
        for card in hand:
            yield seat, {"type": "play", "card": card}
            yield seat, {"type": "misplay", "card": card}
            yield (seat + 1) % value["players"], {"type": "misplay", "card": card}
            yield seat, {"type": "mirror", "card": card, "effect": "draw"}
            yield seat, {"type": "mirror", "card": card, "effect": "draw", "on": value["zone"][0]}
            yield seat, {"type": "mirror", "card": card, "effect": "discard", "aside": hand[0]}


def compare_legal(position: EkkoPosition, value: Value) -> None:
    """Who is asked, and for what."""
    assert position.actors() == actors(value), text(value)
    listed = [EKKO.action_to_json(action) for action in position.legal()]
    assert sorted_texts(listed) == sorted_texts(reference.legal(value)), text(value)
    outcome = position.outcome()
    assert (outcome is not None) == ("winners" in value), text(value)
    if outcome is not None:
        assert list(outcome.winners) == value["winners"], text(value)


def actors(value: Value) -> tuple[int, ...]:
    """Chance, the mirror's holder, the player in turn, or nobody (K6)."""
    turn = value["turn"]
    if turn["phase"] == "over":
        return ()
    if turn["phase"] == "deal" or (turn["phase"] == "play" and "leaving" in turn):
        return (-1,)
    return (turn.get("asked", turn["player"]),)


def compare_step(position: EkkoPosition, value: Value, action: Value) -> Value:
    """Play one action on both sides; the reference's position after it."""
    after = reference.follow(value, action)
    played = position.play(position.actors()[0], EKKO.parse_action(action))
    assert text(played.to_json()) == text(after), f"{text(value)} {text(action)}"
    return after

"""An entry of a live table's log, as everybody may see it (K6.4) and as a record holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ekoes.games.contract import Json
from ekoes.games.ekko.action import Action, Deal, Mirror, action_to_json
from ekoes.games.ekko.live.entry import Entry, Round
from ekoes.games.ekko.remarks import Claim, Late, Ready, Remark, Resign, format_arrived, points_text
from ekoes.games.ekko.rules.cards import mirror_of
from ekoes.games.recording import Arrival, Decision, milliseconds_between, moment_text

__all__ = ["in_order_of_arrival", "told"]


def told(entry: Entry) -> Json:
    """Write an entry without what only one eye may see."""
    shown = _open(entry.action)
    value: Json = {
        "round": entry.round,
        "seat": entry.seat,
        "action": _action_json(shown, entry.on),
        "verdict": entry.verdict.value,
        "notation": format_arrived(shown),
        "at": moment_text(entry.at),
    }
    if entry.on is not None:
        value["on"] = entry.on
    if entry.behind is not None:
        value["behind"] = entry.behind
    if entry.draws:
        value["draws"] = [list(draw) for draw in entry.draws]
    if entry.by_clock:
        value["clock"] = True
    return value


def in_order_of_arrival(
    entries: Sequence[Entry], rounds: Sequence[Round]
) -> list[tuple[Decision, int, str | None]]:
    """Return a whole log as a record holds it: decisions, their rounds, and the points that one brought.

    Times count from the first entry. A claim that was kept to the end of its window stands where it
    came (K7.1).
    """
    arrived = sorted(entries, key=lambda entry: entry.at)
    last = {entry.round: index for index, entry in enumerate(arrived)}
    return [
        (
            _decision(entry, milliseconds_between(arrived[0].at, entry.at)),
            entry.round,
            _points(rounds, entry.round) if last[entry.round] == index else None,
        )
        for index, entry in enumerate(arrived)
    ]


def _points(rounds: Sequence[Round], number: int) -> str | None:
    """Return what is noted behind the end of a round, None if it goes on."""
    if number > len(rounds):
        return None
    finished = rounds[number - 1]
    return points_text(number, finished.points, finished.totals)


def _decision(entry: Entry, at: int) -> Decision:
    arrival = Arrival(at, entry.on, entry.behind, entry.by_clock)
    return Decision(entry.seat, entry.action, arrival=arrival)


def _open(action: Action | Remark) -> Action | Remark:
    """Return an action as everybody may see it: a deal without its cards, a mirror without the card aside."""
    match action:
        case Deal():
            return Deal()
        case Mirror():
            return replace(action, aside=None)
        case _:
            return action


def _action_json(action: Action | Remark, on: int | None) -> Json:
    """Write an action; of what is no decision, what its player wanted to do."""
    match action:
        case Late(card=None):
            return {"type": "draw"}
        case Late(card=card):
            is_mirror = on is not None and card == mirror_of(on)
            return {"type": "mirror" if is_mirror else "play", "card": card}
        case Claim(card=card):
            return {"type": "mirror", "card": card}
        case Resign() | Ready():
            return {"type": format_arrived(action)}
        case _:
            return action_to_json(action)

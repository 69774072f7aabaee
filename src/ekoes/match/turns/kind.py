"""Tables of turns as a kind of table: all that ``ekoes.match.kinds.TableKind`` asks for."""

from __future__ import annotations

from ekoes.match.turns.agreed import (
    check_take_back,
    granted,
    replaced,
    returned,
    silent,
    wishes,
    with_consent,
)
from ekoes.match.turns.ahead import copied_ahead
from ekoes.match.turns.bots import is_busy, move, questions, rested
from ekoes.match.turns.clock import counts_since, lag_noted, strikes_at, vacation_noted, with_clock
from ekoes.match.turns.decide import (
    advised,
    begun,
    check_seat_is_free_for,
    decided,
    expects,
    merits,
    order_of,
    position_of,
    tempo,
    vacated,
)
from ekoes.match.turns.due import due
from ekoes.match.turns.new import about, check_plan, new_table, preview, table_at
from ekoes.match.turns.record import record_text
from ekoes.match.turns.stored import entry_from_state, entry_to_state, from_state, to_state
from ekoes.match.turns.views import (
    board_json,
    entries_json,
    kept_entries,
    notes,
    options_json,
    own_state,
    past_state,
    shared_state,
    timed,
    ways,
    why_not,
)

__all__ = [
    "about",
    "advised",
    "begun",
    "board_json",
    "check_plan",
    "check_seat_is_free_for",
    "check_take_back",
    "copied_ahead",
    "counts_since",
    "decided",
    "due",
    "entries_json",
    "entry_from_state",
    "entry_to_state",
    "expects",
    "from_state",
    "granted",
    "is_busy",
    "kept_entries",
    "lag_noted",
    "merits",
    "move",
    "new_table",
    "notes",
    "options_json",
    "order_of",
    "own_state",
    "past_state",
    "position_of",
    "preview",
    "questions",
    "record_text",
    "replaced",
    "rested",
    "returned",
    "shared_state",
    "silent",
    "strikes_at",
    "table_at",
    "tempo",
    "timed",
    "to_state",
    "vacated",
    "vacation_noted",
    "ways",
    "why_not",
    "wishes",
    "with_clock",
    "with_consent",
]

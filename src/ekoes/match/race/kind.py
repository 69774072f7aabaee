"""Tables where the quicker hand wins as a kind of table: all that ``ekoes.match.kinds`` asks for."""

from __future__ import annotations

from ekoes.match.race.bots import (
    counts_since,
    due,
    is_busy,
    lag_noted,
    move,
    questions,
    strikes_at,
)
from ekoes.match.race.decide import (
    advised,
    begun,
    check_seat_is_free_for,
    decided,
    expects,
    merits,
    order_of,
    position_of,
    rested,
    tempo,
    vacated,
    ways,
    why_not,
)
from ekoes.match.race.new import about, check_plan, new_table, preview, table_at, with_clock
from ekoes.match.race.record import record_text
from ekoes.match.race.stored import entry_from_state, entry_to_state, from_state, to_state
from ekoes.match.race.views import (
    board_json,
    entries_json,
    kept_entries,
    options_json,
    own_state,
    past_state,
    shared_state,
    timed,
)

__all__ = [
    "about",
    "advised",
    "begun",
    "board_json",
    "check_plan",
    "check_seat_is_free_for",
    "counts_since",
    "decided",
    "due",
    "entries_json",
    "entry_from_state",
    "entry_to_state",
    "expects",
    "from_state",
    "is_busy",
    "kept_entries",
    "lag_noted",
    "merits",
    "move",
    "new_table",
    "options_json",
    "order_of",
    "own_state",
    "past_state",
    "position_of",
    "preview",
    "questions",
    "record_text",
    "rested",
    "shared_state",
    "strikes_at",
    "table_at",
    "tempo",
    "timed",
    "to_state",
    "vacated",
    "ways",
    "why_not",
    "with_clock",
]

"""Who looks on at a table, and what each of them is shown.

Who comes is shown the whole table; from then on everybody hears what has changed since. What all eyes
share is worked out and written once. What only the holder of some seats sees goes to them alone, whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ekoes.games.contract import Json
from ekoes.match.difference import checksum, difference
from ekoes.match.kinds import kind_of
from ekoes.match.pace import wishes_json
from ekoes.match.seats import session_seats
from ekoes.match.state import Table, seats_of
from ekoes.server.clock import Clock
from ekoes.server.messages import encode

__all__ = ["Audience", "Viewer"]


class Viewer(Protocol):
    """A connection to a table."""

    session: str

    def send(self, text: str) -> None:
        """Send a message without waiting; messages arrive in this order."""


class Shown(NamedTuple):
    """What all viewers know, whenever they came: the shared state at a version of the table."""

    version: int
    state: Json


class Audience:
    """The viewers of one table. It is told the table each time: what it shows is never older than that."""

    def __init__(self, table_id: str, clock: Clock) -> None:
        """Begin with nobody."""
        self._id = table_id
        self._clock = clock
        self._viewers: set[Viewer] = set()
        self._shown: Shown | None = None

    @property
    def is_there(self) -> bool:
        """Whether anybody looks on."""
        return bool(self._viewers)

    def has(self, session: str) -> bool:
        """Tell whether a session looks on."""
        return any(viewer.session == session for viewer in self._viewers)

    def join(self, viewer: Viewer, table: Table, early: Sequence[str]) -> None:
        """Show the table to one more, and tell the others if that brings a seat online."""
        was_online = self._online
        self._viewers.add(viewer)
        self.show_table(viewer, table, early)
        self._tell_online(was_online, self._viewers - {viewer}, table)

    def leave(self, viewer: Viewer, table: Table) -> None:
        """Show the table to one less."""
        was_online = self._online
        self._viewers.discard(viewer)
        if not self._viewers:
            self._shown = None
        self._tell_online(was_online, self._viewers, table)

    def show_table(self, viewer: Viewer, table: Table, early: Sequence[str]) -> None:
        """Send the whole table to one viewer. early: its log before ``log_start``, entry by entry."""
        shared = self._shared(table)
        if self._shown is None:
            self._shown = Shown(table.version, shared)
        viewer.send(self._table_text(viewer.session, table, shared, early))

    def show_change(self, before: Table, table: Table) -> None:
        """Send what has changed since an earlier table to every viewer."""
        if not self._viewers:
            return
        if table.version != before.version or _holders(table) != _holders(before):
            self._show_update(before, table)
        elif table.seats != before.seats:
            self._show_seats(self._viewers, table)
        if _pace_json(table) != _pace_json(before):
            _send_all(self._viewers, encode({"type": "pace", **_pace_json(table)}))

    def table_text(self, session: str, table: Table, early: Sequence[str]) -> str:
        """Return the ``table`` message for a session; the early log goes into it as it is kept."""
        return self._table_text(session, table, self._shared(table), early)

    def _table_text(self, session: str, table: Table, shared: Json, early: Sequence[str]) -> str:
        kind = kind_of(table.game)
        message: Json = {
            "type": "table",
            "id": self._id,
            "game": table.game,
            "version": table.version,
            "pace": table.pace,
            "wishes": wishes_json(table),
            "paused": table.paused,
            "chat": table.chat,
            "seats": self._seats_json(session, table),
            "options": kind.options_json(table),
            "board": kind.board_json(table),
            "state": shared,
            **_own(table, session_seats(table.seats, session), shared),
        }
        late = encode(kind.entries_json(table, table.log_start))[1:-1]
        log = ",".join((*early, late) if late else early)
        return f'{encode(message)[:-1]},"log":[{log}]}}'

    def _shared(self, table: Table) -> Json:
        return kind_of(table.game).shared_state(table, self._clock.now())

    @property
    def is_empty(self) -> bool:
        """Whether nobody looks on."""
        return not self._viewers

    @property
    def _online(self) -> frozenset[str]:
        return frozenset(viewer.session for viewer in self._viewers)

    def _seats_json(self, session: str, table: Table) -> list[Json]:
        return seats_of(table, session, self._online)

    def _tell_online(self, was_online: frozenset[str], viewers: Iterable[Viewer], table: Table) -> None:
        """Tell viewers if a seat's holder came or went."""
        changed = self._online ^ was_online
        if any(seat.session in changed for seat in table.seats):
            self._show_seats(viewers, table)

    def _show_seats(self, viewers: Iterable[Viewer], table: Table) -> None:
        for _, alike in _alike(viewers, table):
            seats = self._seats_json(alike[0].session, table)
            _send_all(alike, encode({"type": "seats", "seats": seats}))

    def _show_update(self, before: Table, table: Table) -> None:
        """Tell what has changed: to each kind of eye the same, and what is its own."""
        shared = self._shared(table)
        text = encode(self._update_json(before, table, shared))
        has_seats = table.seats != before.seats
        for seats, alike in _alike(self._viewers, table):
            own = _own(table, seats, shared)
            if has_seats:
                own["seats"] = self._seats_json(alike[0].session, table)
            _send_all(alike, f"{text[:-1]},{encode(own)[1:]}" if own else text)

    def _update_json(self, before: Table, table: Table, shared: Json) -> Json:
        """Return the part of an update that is the same for everybody, and note that all know it."""
        kind = kind_of(table.game)
        base = self._shown or Shown(before.version, {})
        self._shown = Shown(table.version, shared)
        timed = {key: [shared[key]] for key in kind.timed(table)}
        keep = kind.kept_entries(table, before)
        return {
            "type": "update",
            "version": table.version,
            "base": base.version,
            "change": difference(base.state, shared) | timed,
            "check": checksum(shared),
            "keep": keep,
            "entries": kind.entries_json(table, keep),
        }


def _pace_json(table: Table) -> Json:
    """Describe how quick the bots are, and who would like them otherwise."""
    return {"milliseconds": table.pace, "wishes": wishes_json(table), "paused": table.paused}


def _own(table: Table, seats: Collection[int], shared: Json) -> Json:
    """Return under ``own`` what the holder of some seats sees otherwise than everybody; {}: nothing."""
    own = kind_of(table.game).own_state(table, seats) if seats else {}
    differs = {key: value for key, value in own.items() if value != shared.get(key)}
    return {"own": differs} if differs else {}


def _alike(viewers: Iterable[Viewer], table: Table) -> Iterator[tuple[frozenset[int], list[Viewer]]]:
    """Group viewers by the seats they hold: what one session of a group sees, all of them see."""
    groups: dict[frozenset[int], list[Viewer]] = {}
    for viewer in viewers:
        groups.setdefault(session_seats(table.seats, viewer.session), []).append(viewer)
    return iter(groups.items())


def _send_all(viewers: Iterable[Viewer], text: str) -> None:
    for viewer in viewers:
        viewer.send(text)


def _holders(table: Table) -> list[str | None]:
    return [seat.session for seat in table.seats]

"""Who looks on at a table, and what each of them is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from ekoes.games.contract import Json
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


class Audience:
    """The viewers of one table. It is told the table each time: what it shows is never older than that."""

    def __init__(self, table_id: str, clock: Clock) -> None:
        """Begin with nobody."""
        self._id = table_id
        self._clock = clock
        self._viewers: set[Viewer] = set()

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
        self._tell_online(was_online, self._viewers, table)

    def show_table(self, viewer: Viewer, table: Table, early: Sequence[str]) -> None:
        """Send the whole table to one viewer. early: its log before ``log_start``, entry by entry."""
        viewer.send(self.table_text(viewer.session, table, early))

    def show_change(self, before: Table, table: Table) -> None:
        """Send what has changed since an earlier table to every viewer."""
        if table.version != before.version or _holders(table) != _holders(before):
            self._show_update(before, table)
        elif table.seats != before.seats:
            self._show_seats(self._viewers, table)
        if _pace_json(table) != _pace_json(before):
            _send_all(self._viewers, {"type": "pace", **_pace_json(table)})

    def table_text(self, session: str, table: Table, early: Sequence[str]) -> str:
        """Return the ``table`` message for a session; the early log goes into it as it is kept."""
        late = map(encode, kind_of(table.game).entries_json(table, table.log_start))
        log = ",".join((*early, *late))
        return f'{encode(self._table_json(session, table))[:-1]},"log":[{log}]}}'

    def _table_json(self, session: str, table: Table) -> Json:
        """Return the ``table`` message for a session, without the log."""
        kind = kind_of(table.game)
        return {
            "type": "table",
            "id": self._id,
            "game": table.game,
            "version": table.version,
            "pace": table.pace,
            "wishes": wishes_json(table),
            "paused": table.paused,
            "seats": self._seats_json(session, table),
            "options": kind.options_json(table),
            "board": kind.board_json(table),
            "state": _state_json(session, table, kind.shared_state(table, self._clock.now())),
        }

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
        for session, alike in _alike(viewers, table):
            _send_all(alike, {"type": "seats", "seats": self._seats_json(session, table)})

    def _show_update(self, before: Table, table: Table) -> None:
        kind = kind_of(table.game)
        keep = kind.kept_entries(table, before)
        shared = kind.shared_state(table, self._clock.now())
        entries = kind.entries_json(table, keep)
        for session, alike in _alike(self._viewers, table):
            update: Json = {"type": "update", "version": table.version}
            if table.seats != before.seats:
                update["seats"] = self._seats_json(session, table)
            state = _state_json(session, table, shared)
            _send_all(alike, update | {"state": state, "keep": keep, "entries": entries})


def _pace_json(table: Table) -> Json:
    """Describe how quick the bots are, and who would like them otherwise."""
    return {"milliseconds": table.pace, "wishes": wishes_json(table), "paused": table.paused}


def _state_json(session: str, table: Table, shared: Json) -> Json:
    return shared | kind_of(table.game).own_state(table, session_seats(table.seats, session))


def _alike(viewers: Iterable[Viewer], table: Table) -> Iterator[tuple[str, list[Viewer]]]:
    """Group viewers by the seats they hold: what one session of a group sees, all of them see."""
    groups: dict[frozenset[int], list[Viewer]] = {}
    for viewer in viewers:
        groups.setdefault(session_seats(table.seats, viewer.session), []).append(viewer)
    return ((alike[0].session, alike) for alike in groups.values())


def _send_all(viewers: Iterable[Viewer], message: Json) -> None:
    text = encode(message)
    for viewer in viewers:
        viewer.send(text)


def _holders(table: Table) -> list[str | None]:
    return [seat.session for seat in table.seats]

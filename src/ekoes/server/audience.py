"""Who looks on at a table, and what each of them is shown.

Who comes is shown the whole table; from then on everybody hears what has changed since. What all eyes
share is worked out and written once. What only the holder of some seats sees goes to them alone, whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ekoes.games.contract import Json
from ekoes.match.consent import consent_json
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
    """What all viewers know, whenever they came.

    state: the shared one, at a version of the table. beside: what is told apart from it, by type of message.
    """

    version: int
    state: Json
    options: Json
    beside: dict[str, Json]

    @classmethod
    def of(cls, table: Table, state: Json) -> Shown:
        """Return what those know who are shown a table."""
        return cls(table.version, state, kind_of(table.game).options_json(table), _beside(table))


class Audience:
    """The viewers of one table. It is told the table each time: what it shows is never older than that."""

    def __init__(
        self,
        table_id: str,
        clock: Clock,
        is_program: Callable[[str], bool] = lambda _: False,
        *,
        all_online: bool = False,
    ) -> None:
        """Begin with nobody.

        is_program: tells who is a bot of somebody's. all_online: viewers are not told who of the players is
        there.
        """
        self._is_program = is_program
        self._all_online = all_online
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

    def strangers(self, home: Callable[[str], Audience]) -> list[Viewer]:
        """Return the viewers that belong elsewhere. home: tells where a session does."""
        return [viewer for viewer in self._viewers if home(viewer.session) is not self]

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
            self._shown = Shown.of(table, shared)
        viewer.send(self._table_text(viewer.session, table, shared, early))

    def show_change(self, before: Table, table: Table) -> None:
        """Send what has changed since an earlier table to every viewer."""
        known = self._shown
        if known is None:
            return
        if table.version != before.version or _holders(table) != _holders(before):
            known = self._show_update(known, before, table)
        elif table.seats != before.seats:
            self._show_seats(self._viewers, table)
        else:
            self._show_notes(before, table)
        self._shown = known._replace(beside=_beside(table))
        for word, told in self._shown.beside.items():
            if told != known.beside[word]:
                _send_all(self._viewers, encode({"type": word, **told}))

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
            "consent": consent_json(table),
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
        online = {seat.session or "" for seat in table.seats} if self._all_online else self._online
        told = seats_of(table, session, online)
        for seat, about in zip(table.seats, told, strict=True):
            if seat.session is not None and self._is_program(seat.session):
                about["program"] = True
        return told

    def _tell_online(self, was_online: frozenset[str], viewers: Iterable[Viewer], table: Table) -> None:
        """Tell viewers if a seat's holder came or went."""
        changed = self._online ^ was_online
        if any(seat.session in changed for seat in table.seats):
            self._show_seats(viewers, table)

    def _show_seats(self, viewers: Iterable[Viewer], table: Table) -> None:
        for _, alike in _alike(viewers, table):
            seats = self._seats_json(alike[0].session, table)
            _send_all(alike, encode({"type": "seats", "seats": seats}))

    def _show_notes(self, before: Table, table: Table) -> None:
        """Tell those alone whose notes have changed: nobody else hears that there are any."""
        kind = kind_of(table.game)
        for seats, alike in _alike(self._viewers, table):
            notes = kind.notes(table, seats)
            if notes != kind.notes(before, seats):
                _send_all(alike, encode({"type": "notes", "notes": notes}))

    def _show_update(self, known: Shown, before: Table, table: Table) -> Shown:
        """Tell what has changed: all the same, and each what is its own. Returns what all know now."""
        shared = self._shared(table)
        text = encode(_update_json(known, before, table, shared))
        has_seats = table.seats != before.seats
        options = kind_of(table.game).options_json(table)
        for seats, alike in _alike(self._viewers, table):
            own = _own(table, seats, shared)
            if has_seats:
                own["seats"] = self._seats_json(alike[0].session, table)
            if options != known.options:
                own["options"] = options
            _send_all(alike, f"{text[:-1]},{encode(own)[1:]}" if own else text)
        return known._replace(version=table.version, state=shared, options=options)


def _update_json(known: Shown, before: Table, table: Table, shared: Json) -> Json:
    """Return the part of an update that is the same for everybody. known: what they all know."""
    kind = kind_of(table.game)
    timed = {key: [shared[key]] for key in kind.timed(table)}
    keep = kind.kept_entries(table, before)
    return {
        "type": "update",
        "version": table.version,
        "base": known.version,
        "change": difference(known.state, shared) | timed,
        "check": checksum(shared),
        "keep": keep,
        "entries": kind.entries_json(table, keep),
    }


def _beside(table: Table) -> dict[str, Json]:
    """Return what is told by messages of its own: the bots' pace, and what people agree on."""
    return {"pace": _pace_json(table), "consent": consent_json(table)}


def _pace_json(table: Table) -> Json:
    """Describe how quick the bots are, and who would like them otherwise."""
    return {"milliseconds": table.pace, "wishes": wishes_json(table), "paused": table.paused}


def _own(table: Table, seats: Collection[int], shared: Json) -> Json:
    """Return under ``own`` what the holder of some seats sees otherwise than everybody; {}: nothing."""
    own = kind_of(table.game).own_state(table, seats) if seats else {}
    differs = {key: value for key, value in own.items() if value != shared.get(key)}
    return {"own": differs} if differs else {}


def _alike(viewers: Iterable[Viewer], table: Table) -> Iterator[tuple[frozenset[int], list[Viewer]]]:
    """Group viewers by the seats that are theirs: what one session of a group sees, all of them see."""
    groups: dict[tuple[frozenset[int], frozenset[int]], list[Viewer]] = {}
    for viewer in viewers:
        kept = frozenset(lent.seat for lent in table.consent.lent if lent.holder == viewer.session)
        groups.setdefault((session_seats(table.seats, viewer.session), kept), []).append(viewer)
    return ((seats, alike) for (seats, _), alike in groups.items())


def _send_all(viewers: Iterable[Viewer], text: str) -> None:
    for viewer in viewers:
        viewer.send(text)


def _holders(table: Table) -> list[str | None]:
    return [seat.session for seat in table.seats]

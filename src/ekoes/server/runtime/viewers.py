"""The viewers of a table, and the messages to them: full states, diffs and errors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import NamedTuple, Protocol

from ekoes.errors import AccountError, EkoesError, LimitError, NotationError, StorageError, TalkError
from ekoes.games.api.contract import Json, RefusedError
from ekoes.games.api.reading import unix_milliseconds
from ekoes.games.api.values import checksum, difference
from ekoes.protocol import MessageError, encode
from ekoes.server.ops.logs import LOG
from ekoes.tables.create import table_class
from ekoes.tables.ratings import NEW, Rating, pool
from ekoes.tables.settings import Seat, clock_json
from ekoes.tables.table import Table

_OMITTED = frozenset({"seed", "players"})


Marks = Callable[[str | None, str], Json]
"""Returns the marks of a user under a name, such as ``account``; see ``SeatGuard.marks``."""


Ratings = Callable[[str, str], Rating | None]
"""Returns the rating of an account in a pool."""


def _no_marks(_user: str | None, _name: str) -> Json:
    return {}


def error_json(error: EkoesError) -> Json:
    """Return an error as JSON for clients: code and message; rule, refusal, field, scope, time if any.

    Details of storage errors are only logged.
    """
    if isinstance(error, StorageError):
        LOG.error("storage failed", code=error.code, error=str(error))
        return {"code": error.code, "message": "storage failed; nothing was changed"}
    is_unread = isinstance(error, NotationError) and error.code == NotationError.default_code
    code = MessageError.default_code if is_unread else error.code
    value: Json = {"code": code}
    if error.rule:
        value["rule"] = error.rule
    if isinstance(error, RefusedError):
        value["refusal"] = error.refusal.code
    if error.key is not None:
        value["field"] = error.key
    if isinstance(error, AccountError) and error.scope is not None:
        value["scope"] = error.scope
    if isinstance(error, LimitError) and error.wait is not None:
        value["retry_after"] = error.wait
    if isinstance(error, TalkError) and error.until is not None:
        value["until"] = error.until.isoformat()
    return value | {"message": str(error)}


def public_entry(table: Table, since: int, marks: Marks = _no_marks) -> Json:
    """Return the entry of a public table in the lobby. since: when it was created, in milliseconds."""
    return {
        "game": table.game,
        "open": not table.is_full,
        "options": chosen(table.game, table.options),
        "seats": [_seat(seat, marks) for seat in table.seats],
        "since": since,
        **({"rated": True} if table.rated else {}),
        **({"clock": clock_json(table.clock)} if table.clock else {}),
    }


def own_entry(table: Table, user: str, since: int, marks: Marks = _no_marks) -> Json:
    """Return the entry of a table in the lobby for one of its players.

    due: when the running clock of a correspondence game runs out, in milliseconds.
    """
    strikes = table.deadline if table.clock and table.clock.days else None
    due = {} if strikes is None else {"due": unix_milliseconds(strikes)}
    own = {"standing": table.status(user), "public": table.public, **due}
    return public_entry(table, since, marks) | own


def looks_different(before: Table, table: Table) -> bool:
    """Return whether more than the turn may have changed; only the players see the turn."""
    return (
        bool(table.agreements.substitutes)
        or table.seats is not before.seats
        or table.agreements is not before.agreements
        or table.outcome is not before.outcome
        or table.rematch != before.rematch
        or table.public != before.public
        or table.options is not before.options
    )


def chosen(game: str, options: Json) -> Json:
    """Return the options that differ from their defaults."""
    defaults = _defaults(game)
    return {key: value for key, value in options.items() if key in defaults and defaults[key] != value}


@cache
def _defaults(game: str) -> Mapping[str, object]:
    about = table_class(game).about(game)["options"]
    return {key: value.get("default") for key, value in about.items() if key not in _OMITTED}


def _seat(seat: Seat, marks: Marks) -> Json:
    entry = {"name": seat.name, "colour": seat.colour, "taken": seat.is_taken}
    bot = {} if seat.bot is None else {"bot": seat.bot}
    return entry | bot | marks(seat.session, seat.name)


class Viewer(Protocol):
    """A connection to a table. lists_actions: ``own`` has its seats' legal actions too."""

    session: str
    lists_actions: bool

    def send(self, text: str) -> None:
        """Send a message without waiting; messages arrive in this order."""


class Shown(NamedTuple):
    """The state that all viewers have.

    state: the shared one, at a version of the table. separate: fields with messages of their own, by type.
    """

    version: int
    state: Json
    options: Json
    separate: dict[str, Json]


class Audience:
    """The viewers of one table, and what they have been sent. sessions: how many viewers each session has."""

    def __init__(
        self,
        table_id: str,
        now: Callable[[], datetime],
        marks: Marks = _no_marks,
        ratings: Ratings = lambda _user, _pool: None,
    ) -> None:
        """Create it without viewers."""
        self.sessions: dict[str, int] = {}
        self._marks = marks
        self._ratings_of = ratings
        self._ratings: dict[str, Json | None] = {}
        self._id = table_id
        self._now = now
        self._viewers: set[Viewer] = set()
        self._shown: Shown | None = None
        self._groups: list[tuple[frozenset[int], list[Viewer]]] = []
        self._groups_of: tuple[object, object] | None = None

    def join(self, viewer: Viewer, table: Table, early: Sequence[str]) -> None:
        """Add a viewer, send it the table, and inform the others if a seat comes online."""
        session, others = viewer.session, list(self._viewers)
        is_first = session not in self.sessions
        self._viewers.add(viewer)
        self.sessions[session] = self.sessions.get(session, 0) + 1
        self._groups_of = None
        self.show_table(viewer, table, early)
        if is_first and others:
            self._show_online(session, others, table)

    def leave(self, viewer: Viewer, table: Table) -> None:
        """Remove a viewer, and inform the others if a seat goes offline."""
        session = viewer.session
        self._viewers.discard(viewer)
        self.sessions[session] -= 1
        self._groups_of = None
        if not self.sessions[session]:
            del self.sessions[session]
            self._show_online(session, self._viewers, table)
        if not self._viewers:
            self._shown = None

    def show_table(self, viewer: Viewer, table: Table, early: Sequence[str]) -> None:
        """Send the whole table to one viewer. early: its log before ``log_start``, entry by entry."""
        shared = table.shared_state(self._now())
        if self._shown is None:
            options = table.options_json()
            self._shown = Shown(table.version, shared, options, _separate_fields(table))
        text = self.table_text(viewer.session, table, early, shared, lists_actions=viewer.lists_actions)
        viewer.send(text)

    def show_change(self, before: Table, table: Table) -> None:
        """Send what has changed since an earlier table to every viewer."""
        known = self._shown
        if known is None:
            return
        if table.joint is not None and table.is_started and not before.is_started:
            self._shown = None
            for viewer in self._viewers:  # the first position is another one
                self.show_table(viewer, table, ())
            return
        has_same_settings = table.has_same_settings(before)
        options = known.options if has_same_settings else table.options_json()
        if table.version != before.version or _users(table) != _users(before):
            known = self._show_update(known, options, before, table)
        elif table.seats != before.seats:
            self._show_seats(self._viewers, table)
        else:
            self._show_conditional_moves(before, table)
        separate = known.separate if has_same_settings else _separate_fields(table)
        self._shown = known._replace(separate=separate)
        for kind, fields in separate.items():
            if fields != known.separate[kind]:
                _send_all(self._viewers, encode({"type": kind, **fields}))

    def show_declined(self, seat: int) -> None:
        """Send every viewer the seat that declines or withdraws a proposal, before the change itself."""
        _send_all(self._viewers, encode({"type": "declined", "seat": seat}))

    def table_text(
        self,
        session: str,
        table: Table,
        early: Sequence[str],
        shared: Json | None = None,
        *,
        lists_actions: bool = False,
    ) -> str:
        """Return the ``table`` message for a session. early: log entries as JSON. shared: None: as of now."""
        shared = table.shared_state(self._now()) if shared is None else shared
        message: Json = {
            "type": "table",
            "id": self._id,
            "game": table.game,
            "version": table.version,
            "pace": table.pace,
            "pace_votes": table.pace_votes_json(),
            "paused": table.paused,
            "chat": table.chat,
            "agreements": table.agreements_json(),
            "seats": self._seats_json(session, table),
            "options": table.options_json(),
            "board": table.board_json(),
            "state": shared,
            **_own(table, table.seats_of(session), shared, lists_actions=lists_actions),
        }
        late = encode(table.entries_json(table.log_start))[1:-1]
        log = ",".join((*early, late) if late else early)
        return f'{encode(message)[:-1]},"log":[{log}]}}'

    def _seats_json(self, session: str, table: Table) -> list[Json]:
        seats = table.seats_json(session, self.sessions)
        for seat, entry in zip(table.seats, seats, strict=True):
            entry.update(self._marks(seat.session, seat.name))
            if "account" in entry and (rating := self._rating(str(seat.session), table)):
                entry["rating"] = rating
        return seats

    def _rating(self, account: str, table: Table) -> Json | None:
        """Return the rating of an account before the game, which is not read again once it is known."""
        if account not in self._ratings and table.outcome is None:
            with suppress(StorageError):  # the change that is shown with it is stored
                rating = self._ratings_of(account, pool(table)) or (NEW if table.rated else None)
                self._ratings[account] = rating and rating.to_json()
        return self._ratings.get(account)

    def _show_online(self, session: str, viewers: Iterable[Viewer], table: Table) -> None:
        """Send the connected seats if a session with a seat has connected or disconnected."""
        if any(seat.session == session for seat in table.seats):
            self._show_seats(viewers, table)

    def _show_seats(self, viewers: Iterable[Viewer], table: Table) -> None:
        for _, group in _grouped(viewers, table):
            seats = self._seats_json(group[0].session, table)
            _send_all(group, encode({"type": "seats", "seats": seats}))

    def _show_conditional_moves(self, before: Table, table: Table) -> None:
        """Send conditional moves that have changed to their owners; no one else learns that there are any."""
        for seats, group in self._grouped_viewers(table):
            moves = table.conditional_moves_json(seats)
            if moves != before.conditional_moves_json(seats):
                _send_all(group, encode({"type": "conditional_moves", "conditional_moves": moves}))

    def _show_update(self, known: Shown, options: Json, before: Table, table: Table) -> Shown:
        """Send the shared changes, encoded once, and each group's own; return the new shared state."""
        shared = table.shared_state(self._now())
        keep = table.unchanged_entries(before)
        change = difference(known.state, shared)
        for key in table.timed_keys():
            change[key] = [shared[key]]
        update: Json = {
            "type": "update",
            "version": table.version,
            "change": change,
            "check": checksum(shared),
            "entries": table.entries_json(keep),
        }
        if known.version != table.version - 1:
            update["base"] = known.version
        if keep < before.length:
            update["keep"] = keep
        text = encode(update)
        has_seats = table.seats != before.seats
        for seats, group in self._grouped_viewers(table):
            own = _own(table, seats, shared, lists_actions=group[0].lists_actions)
            if has_seats:
                own["seats"] = self._seats_json(group[0].session, table)
            if options != known.options:
                own["options"] = options
            message = f"{text[:-1]},{encode(own)[1:]}" if own else text
            for viewer in group:
                viewer.send(message)
        return known._replace(version=table.version, state=shared, options=options)

    def _grouped_viewers(self, table: Table) -> list[tuple[frozenset[int], list[Viewer]]]:
        """Return the groups of all viewers; they change only with the seats and the viewers."""
        seats, bots = table.seats, table.agreements.substitutes
        if self._groups_of is None or self._groups_of[0] is not seats or self._groups_of[1] is not bots:
            self._groups = _grouped(self._viewers, table)
            self._groups_of = seats, bots
        return self._groups


def _separate_fields(table: Table) -> dict[str, Json]:
    """Return the fields with messages of their own: the bots' pace, and proposals."""
    pace = {"milliseconds": table.pace, "pace_votes": table.pace_votes_json(), "paused": table.paused}
    return {"pace": pace, "agreements": table.agreements_json()}


def _own(table: Table, seats: Collection[int], shared: Json, *, lists_actions: bool) -> Json:
    """Return under ``own`` what the user with some seats sees differently; {}: nothing."""
    own = table.own_state(seats) if seats else {}
    for key in own.keys() & shared.keys():
        if own[key] == shared[key]:
            del own[key]
    if lists_actions:
        own["actions"] = table.actions_json(seats)
    return {"own": own} if own else {}


def _grouped(viewers: Iterable[Viewer], table: Table) -> list[tuple[frozenset[int], list[Viewer]]]:
    """Group viewers by their seats: all viewers of a group see the same."""
    groups: dict[tuple[frozenset[int], frozenset[int], bool], list[Viewer]] = {}
    for viewer in viewers:
        own = frozenset(one.seat for one in table.agreements.substitutes if one.user == viewer.session)
        key = table.seats_of(viewer.session), own, viewer.lists_actions
        groups.setdefault(key, []).append(viewer)
    return [(seats, group) for (seats, *_), group in groups.items()]


def _send_all(viewers: Iterable[Viewer], text: str) -> None:
    for viewer in viewers:
        viewer.send(text)


def _users(table: Table) -> list[str | None]:
    return [seat.session for seat in table.seats]

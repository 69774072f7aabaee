"""Clubs: their changes with limits, and their rooms, where members see chat and tables live."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from limits import parse

from ekoes.errors import ClubError, EkoesError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import unix_milliseconds
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Count, Tempo
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import fresh_id, fresh_seed
from ekoes.server.ops.tasks import Errands
from ekoes.server.realtime.rooms import Rooms, Seen
from ekoes.server.runtime.chat import check_speech
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.viewers import Marks, public_entry
from ekoes.storage.accounts import Account
from ekoes.storage.clubs import Club, Role
from ekoes.storage.schema import ModeratorActionRow
from ekoes.storage.store import Store
from ekoes.tables.create import table_class, table_from_plan
from ekoes.tables.settings import SeatPlan, TableOptions, TablePlan
from ekoes.tables.table import Table

SECTIONS = ("about", "tables", "lines")
_NEW = (parse("5 per day"),)
_NEW_OF_ALL = (parse("20 per day"),)
_JOINED = (parse("30 per hour"),)
_CHANGED = (parse("30 per hour"),)


def about(club: Club) -> Json:
    """Return a club as everybody may see it."""
    return {"name": club.name, "text": club.text, "open": club.is_open, "members": club.members}


class Clubs:
    """Founds clubs and changes them, and shows members their chat and tables. Methods raise EkoesError.

    marks: of users under their names.
    """

    def __init__(self, hub: Hub, store: Store, clock: Clock, marks: Marks, count: Count) -> None:
        self.rooms = Rooms(clock, "club", SECTIONS, self._look, store.clubs.check_member)
        self._hub = hub
        self._store = store
        self._stored = store.clubs
        self._clock = clock
        self._marks = marks
        self._tempo = Tempo(count)
        self._counter = count("clubs")
        self._tables: dict[str, dict[str, Json]] = {}
        """Club -> its tables as its room shows them, by id."""
        self._errands = Errands("clubs")
        hub.listeners.append(self._notice)
        hub.chat_listeners.append(self._show_chats)

    async def stop(self) -> None:
        """Stop all broadcasts."""
        await self._errands.end()
        await self.rooms.stop()

    # ------------------------------------------------------------ the club

    async def make(
        self, account: Account, address: str | None, name: str, text: str, *, is_open: bool
    ) -> str:
        """Found a club and return its id."""
        await self._counter.check(_NEW, f"new {account.user_id}", "new clubs")
        if address is not None:
            await self._counter.check(_NEW_OF_ALL, f"new at {address}", "new clubs from this address")
        club = Club(fresh_id(), name, text, is_open, fresh_id(), 1, self._clock.now())
        await asyncio.to_thread(self._stored.make, club, account.user_id)
        return club.id

    async def change(self, club_id: str, account: Account, name: str, text: str, *, is_open: bool) -> None:
        """Change name, text and who may join."""
        await self._counter.check(_CHANGED, f"changed {account.user_id}", "changes of clubs")
        await asyncio.to_thread(self._stored.change, club_id, account.user_id, name, text, is_open=is_open)
        await self.rooms.show(club_id)

    def renew(self, club_id: str, account: Account) -> str:
        """Replace the secret of the link and return it. Blocks."""
        invitation = fresh_id()
        self._stored.renew(club_id, account.user_id, invitation)
        return invitation

    async def remove(self, club_id: str, account: Account) -> None:
        """Delete a club, as its owner or a moderator."""
        await asyncio.to_thread(self._remove, club_id, account)
        self.rooms.close(club_id)

    def _remove(self, club_id: str, account: Account) -> None:
        club, by = self._stored.load(club_id), account.user_id
        is_owner = self._stored.role(club_id, by) == "owner"
        if is_owner or not self._store.moderation.rights(by).is_moderator:
            self._stored.remove(club_id, by)
            return
        owner = self._stored.people(club_id, 0)[0]
        concerned = ("remove-club", owner.user, owner.name, f"club {club_id}: {club.name}")
        self._stored.remove(club_id, by, ModeratorActionRow(self._clock.now(), account.name, *concerned))

    # ------------------------------------------------------------ members

    async def join(self, club_id: str, account: Account, invitation: str | None) -> None:
        """Add a member."""
        await self._counter.check(_JOINED, f"joined {account.user_id}", "clubs to join")
        await asyncio.to_thread(self._stored.join, club_id, account.user_id, invitation, self._clock.now())
        await self.rooms.show(club_id)

    async def leave(self, club_id: str, account: Account) -> None:
        """Remove a member at their own wish."""
        await asyncio.to_thread(self._stored.leave, club_id, account.user_id)
        await self.rooms.show(club_id)

    async def appoint(self, club_id: str, account: Account, name: str, role: Role | None) -> None:
        """Give the account of a name another role, ban it, or (None) remove it or its ban."""
        await asyncio.to_thread(self._appoint, club_id, account.user_id, name, role)
        await self.rooms.show(club_id)

    def _appoint(self, club_id: str, by: str, name: str, role: Role | None) -> None:
        other = self._store.people.named(name)
        if other is None:
            raise ClubError("there is no such member", code="club/nobody", key="account")
        self._stored.appoint(club_id, by, other.user_id, role, self._clock.now())

    # ------------------------------------------------------------ chat

    async def say(self, club_id: str, account: Account, text: str) -> None:
        """Store a message of a member and show it."""
        user, now = account.user_id, self._clock.now()
        await asyncio.to_thread(self._stored.check_member, club_id, user)
        rights = await asyncio.to_thread(self._store.moderation.rights, user)
        check_speech(rights.silence(now))
        await self._tempo.line(club_id, user, plays=True)
        await asyncio.to_thread(self._stored.say, club_id, user, text, now)
        await self.rooms.show(club_id)

    # ------------------------------------------------------------ viewers

    def _look(self, club_id: str, users: Collection[str]) -> Seen:
        """Return what members see; a user who has left or is banned sees nothing."""
        club, lines = self._stored.load(club_id), self._stored.lines(club_id)
        roles, blocked = self._stored.roles(club_id, users), self._stored.blocked(users)
        if club_id not in self._tables:
            self._tables[club_id] = self._read_tables(club_id)
        alone: dict[str, Json | None] = {
            user: {
                "role": roles[user],
                "hidden": [line.number for line in lines if line.user in blocked.get(user, ())],
            }
            if roles.get(user, "banned") != "banned"
            else None
            for user in users
        }
        sections = {
            "about": about(club),
            "tables": self._tables[club_id],
            "lines": {
                str(line.number): {"name": line.name, "text": line.text, "at": line.at.isoformat()}
                for line in lines
            },
        }
        return sections, alone

    def _read_tables(self, club_id: str) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for table_id, since in self._stored.tables(club_id):
            try:
                stored = self._store.load(table_id)
            except EkoesError as error:
                LOG.warning("a table of a club can't be read", table=table_id, error=str(error))
                continue
            if stored is not None and stored.table.goes_on:
                found[table_id] = public_entry(stored.table, unix_milliseconds(since), self._marks)
        return found

    async def add_table(self, club_id: str, table_id: str) -> None:
        """Let only members sit down at a new table, and show it to them."""
        await asyncio.to_thread(self._stored.add_table, club_id, table_id)
        self._tables.pop(club_id, None)
        await self.rooms.show(club_id)

    async def set_weekly(self, club_id: str, account: Account, weekly: Json | None) -> None:
        """Have a table by correspondence made each week, as an organiser; None: no more."""
        if weekly is not None:
            await asyncio.to_thread(_weekly_table, weekly)  # which checks it
        await self._counter.check(_CHANGED, f"changed {account.user_id}", "changes of clubs")
        now = self._clock.now()
        await asyncio.to_thread(self._stored.set_weekly, club_id, account.user_id, weekly, now)
        await self.make_weekly(club_id)

    async def make_weekly(self, club_id: str) -> None:
        """Make the table of the week if it is due and none by correspondence has free seats.

        It is called whenever a user opens the club: no one misses the table before.
        """
        if not await asyncio.to_thread(self._stored.is_week_due, club_id, self._clock.now()):
            return  # without reading all tables
        tables = await asyncio.to_thread(self._read_tables, club_id)
        if any(one["open"] and "days" in one.get("clock", {}) for one in tables.values()):
            return
        weekly = await asyncio.to_thread(self._stored.take_week, club_id, self._clock.now())
        if weekly is not None:
            table = await asyncio.to_thread(_weekly_table, weekly)
            await self.add_table(club_id, await self._hub.create(table))

    def _notice(self, table_id: str, table: Table) -> None:
        """Show a table of a club as it has changed."""
        for club_id, tables in list(self._tables.items()):
            if (room := self.rooms.get(club_id)) is None:
                del self._tables[club_id]
            elif table_id in tables:
                since = tables.pop(table_id)["since"]
                if table.goes_on:
                    tables[table_id] = public_entry(table, since, self._marks)
                room.broadcast.put("tables", table_id, tables.get(table_id))

    def _show_chats(self, user: str) -> None:
        """Update the rooms in which a user is, or all rooms if the user's name was deleted."""
        is_gone = self._store.people.name(user) is None
        for club_id in self.rooms:
            room = self.rooms.get(club_id)
            if is_gone or (room is not None and user in room.own):
                self._errands.run(self._show(club_id))

    async def _show(self, club_id: str) -> None:
        try:
            await self.rooms.show(club_id)
        except EkoesError as error:
            if error.code == "club/not-found":
                self.rooms.close(club_id)
            else:
                LOG.warning("a club can't be shown", club=club_id, error=str(error))


def _weekly_table(weekly: Json) -> Table:
    """Return a new table by correspondence whose seats are all free. Raises EkoesError."""
    if "clock" not in table_class(weekly["game"]).about(weekly["game"])["options"]:
        raise ClubError("this game is not played by correspondence", code="club/weekly", key="game")
    options = {"players": weekly["players"], "clock": {"days": weekly["days"]}}
    seats = [SeatPlan(kind="open") for _ in range(weekly["players"])]
    plan = TablePlan(game=weekly["game"], options=TableOptions.model_validate(options), seats=seats)
    return table_from_plan(plan, "", fresh_seed=fresh_seed())

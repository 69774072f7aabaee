"""Who owns what, where several processes share a database.

members ──< leases   what each process that is there owns

A process is a *member* for as long as its row stands; what it owns, a table say, is a *lease* in its name.
It lets its row beat. Who has not heard another one beat for long ends it: deletes its row, for good, as no
id comes twice. From then on whatever it owned is free, and nothing that it still writes is kept: a commit
looks, as the last thing in its transaction, whether the leases of what it writes stand, in its epoch and in
the name of a member that is there. So no clock decides what is kept, neither the database's nor anybody's:
clocks only decide how soon somebody is thought to be gone.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, Engine, delete, exists, insert, literal, select, union, update

from ekoes.errors import StorageError
from ekoes.storage.database import transaction
from ekoes.storage.schema import LeaseRow, MemberRow, TableRow
from ekoes.storage.uptime import HAS_A_CLOCK

__all__ = ["Lease", "Leases", "Peer", "add_leases", "check_leases"]

_ID_BYTES = 12


class Lease(NamedTuple):
    """That a member owns something. epoch: how many have owned it."""

    name: str
    member: str
    epoch: int


class Peer(NamedTuple):
    """A process that is there. address: where the others reach it; beats: as often as it was heard.

    clock: the time as it had it then; None: it has told nobody.
    """

    address: str
    beats: int
    clock: datetime | None = None


_THERE = select(MemberRow.id)
_IS_FREE = LeaseRow.member.not_in(_THERE)
_GOES_ON = union(select(TableRow.id).where(TableRow.stirs), select(TableRow.id).where(HAS_A_CLOCK))
"""Two selects and no ``or``: each has an index, and few tables go on of all that have ever had an owner."""
_LEFT = select(LeaseRow.name).where(LeaseRow.name.in_(_GOES_ON), _IS_FREE)


class Leases:
    """The members of a database, and what they own. Every method is one transaction.

    All may raise StorageError. The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        """Use a database that is open."""
        self._engine = engine

    def join(self, address: str, clock: datetime | None = None) -> str:
        """Let a process be a member, and return its id. Whoever was at the same address before is gone.

        clock: the time as it has it.
        """
        member = secrets.token_hex(_ID_BYTES)
        with transaction(self._engine) as connection:
            connection.execute(delete(MemberRow).where(MemberRow.address == address))
            connection.execute(insert(MemberRow).values(id=member, address=address, beats=0, clock=clock))
        return member

    def beat(self, member: str, clock: datetime | None = None) -> Mapping[str, Peer] | None:
        """Be heard, and return all members by their ids; None: others have ended this one."""
        with transaction(self._engine) as connection:
            mine = update(MemberRow).where(MemberRow.id == member)
            connection.execute(mine.values(beats=MemberRow.beats + 1, clock=clock))
            peers = _peers(connection)
        return peers if member in peers else None

    def peers(self) -> Mapping[str, Peer]:
        """Return all members by their ids."""
        with transaction(self._engine) as connection:
            return _peers(connection)

    def end(self, member: str, beats: int | None = None) -> None:
        """End a member, which frees all that it owns. beats: only if it was not heard since."""
        gone = delete(MemberRow).where(MemberRow.id == member)
        with transaction(self._engine) as connection:
            connection.execute(gone if beats is None else gone.where(MemberRow.beats == beats))

    def claim(self, member: str, name: str) -> Lease | None:
        """Own something if it is free. Returns: who owns it now; None: there is no such table.

        What has a colon in its name is no table. Raises: StorageError ``storage/conflict`` if others claim
        it at the same time, ``storage/fenced`` if this member, or just now the owner, was ended.
        """
        with transaction(self._engine) as connection:
            is_there = exists().where(MemberRow.id == member)
            free = (LeaseRow.name == name, _IS_FREE, is_there)
            connection.execute(update(LeaseRow).where(*free).values(member=member, epoch=LeaseRow.epoch + 1))
            if (lease := _find(connection, name)) is None:
                there = is_there if ":" in name else is_there & exists().where(TableRow.id == name)
                first = select(literal(name), literal(member), literal(1)).where(there)
                connection.execute(insert(LeaseRow).from_select(["name", "member", "epoch"], first))
                lease = _find(connection, name)
            if lease is not None and not _is_there(connection, lease.member):
                raise _fenced()
        return lease

    def give_back(self, lease: Lease) -> None:
        """Own something no more; nothing if it has another owner already."""
        mine = (LeaseRow.name == lease.name, LeaseRow.member == lease.member, LeaseRow.epoch == lease.epoch)
        with transaction(self._engine) as connection:
            connection.execute(update(LeaseRow).where(*mine).values(member=""))

    def left(self) -> list[str]:
        """Return the tables whose owner is gone, and where something goes on by itself."""
        with transaction(self._engine) as connection:
            return list(connection.scalars(_LEFT))


def add_leases(connection: Connection, leases: Collection[Lease]) -> None:
    """Let new tables have their first owner."""
    if leases:
        connection.execute(insert(LeaseRow), [lease._asdict() for lease in leases])


def check_leases(connection: Connection, leases: Collection[Lease]) -> None:
    """Raise StorageError unless all leases stand; until the transaction ends they do.

    It has to be the last that a transaction does: SQLite's begin with what they write.
    """
    if not leases:
        return
    held = (
        select(LeaseRow.name, LeaseRow.member, LeaseRow.epoch)
        .join(MemberRow, MemberRow.id == LeaseRow.member)
        .where(LeaseRow.name.in_([lease.name for lease in leases]))
        .with_for_update(read=True, key_share=True, of=MemberRow)
    )
    if not set(leases) <= {Lease(*row) for row in connection.execute(held)}:
        raise _fenced()


def _peers(connection: Connection) -> Mapping[str, Peer]:
    columns = (MemberRow.id, MemberRow.address, MemberRow.beats, MemberRow.clock)
    found = connection.execute(select(*columns))
    return {name: Peer(address, beats, clock) for name, address, beats, clock in found}


def _find(connection: Connection, name: str) -> Lease | None:
    found = select(LeaseRow.name, LeaseRow.member, LeaseRow.epoch).where(LeaseRow.name == name)
    row = connection.execute(found).first()
    return None if row is None else Lease(*row)


def _is_there(connection: Connection, member: str) -> bool:
    return connection.scalar(select(MemberRow.id).where(MemberRow.id == member)) is not None


def _fenced() -> StorageError:
    message = "another process has taken this over; it goes on there"
    return StorageError(message, code="storage/fenced")

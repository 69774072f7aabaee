"""Leases: which process owns which tables, with epochs that fence writes, and when a server was up."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, exists, insert, literal, select, union, update
from sqlalchemy.orm import Session

from ekoes.errors import StorageError
from ekoes.storage.engine import Repository, columns_of
from ekoes.storage.schema import LeaseRow, MemberRow, TableRow

HAS_A_CLOCK = TableRow.wakes_at > datetime.min.replace(tzinfo=UTC)
"""A comparison instead of ``IS NOT NULL``, so that SQLite reads only the index."""


_ID_BYTES = 12


class Lease(NamedTuple):
    """Ownership by a member. epoch: the fencing number, higher with each owner."""

    name: str
    member: str
    epoch: int


_THERE = select(MemberRow.id)
_IS_FREE = LeaseRow.member.not_in(_THERE)
_GOES_ON = union(select(TableRow.id).where(TableRow.is_active), select(TableRow.id).where(HAS_A_CLOCK))
"""Two selects instead of ``OR``, as each has an index."""
_LEFT = select(LeaseRow.name).where(LeaseRow.name.in_(_GOES_ON), _IS_FREE)


class Leases(Repository):
    """The server processes and the tables they own."""

    def join(self, address: str, clock: datetime | None = None) -> str:
        """Register a process, and return its id; an earlier one at the same address is removed.

        clock: its time.
        """
        member = secrets.token_hex(_ID_BYTES)
        with self._session() as session:
            session.execute(delete(MemberRow).where(MemberRow.address == address))
            session.add(MemberRow(member, address, 0, clock))
        return member

    def beat(self, member: str, clock: datetime | None = None) -> Mapping[str, MemberRow] | None:
        """Send a heartbeat, and return all members by id; None if this one was removed."""
        mine = update(MemberRow).where(MemberRow.id == member)
        with self._session() as session:
            session.execute(mine.values(beats=MemberRow.beats + 1, clock=clock))
            peers = _peers(session)
        return peers if member in peers else None

    def peers(self) -> Mapping[str, MemberRow]:
        """Return all members by id."""
        with self._session() as session:
            return _peers(session)

    def end(self, member: str, beats: int | None = None) -> None:
        """Remove a member, which frees its leases. beats: only without a heartbeat since."""
        gone = delete(MemberRow).where(MemberRow.id == member)
        self._execute(gone if beats is None else gone.where(MemberRow.beats == beats))

    def claim(self, member: str, name: str) -> Lease | None:
        """Take a lease if it is free. Returns: the lease after that; None if there is no such table.

        A name with a colon is not a table's. Raises: StorageError ``storage/conflict`` if others claim it at
        the same time, ``storage/fenced`` if this member, or just now the owner, was removed.
        """
        with self._transaction() as connection:
            is_there = exists().where(MemberRow.id == member)
            free = (LeaseRow.name == name, _IS_FREE, is_there)
            connection.execute(update(LeaseRow).where(*free).values(member=member, epoch=LeaseRow.epoch + 1))
            if (lease := _find(connection, name)) is None:
                there = is_there if ":" in name else is_there & exists().where(TableRow.id == name)
                first = select(literal(name), literal(member), literal(1)).where(there)
                connection.execute(insert(LeaseRow).from_select(["name", "member", "epoch"], first))
                lease = _find(connection, name)
            if lease is not None and not connection.scalar(
                select(exists().where(MemberRow.id == lease.member))
            ):
                raise _fenced()
        return lease

    def give_back(self, lease: Lease) -> None:
        """Release a lease; does nothing if it has another owner already."""
        mine = (LeaseRow.name == lease.name, LeaseRow.member == lease.member, LeaseRow.epoch == lease.epoch)
        self._execute(update(LeaseRow).where(*mine).values(member=""))

    def left(self) -> list[str]:
        """Return the active tables whose owner has ended."""
        return self._scalars(_LEFT)


def add_leases(connection: Connection, leases: Collection[Lease]) -> None:
    """Store the first leases of new tables."""
    if leases:
        connection.execute(insert(LeaseRow), [lease._asdict() for lease in leases])


def check_leases(connection: Connection, leases: Collection[Lease]) -> None:
    """Raise StorageError unless all leases are held, and lock them until the transaction ends.

    Call it last in a transaction: SQLite takes its lock at the first write.
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


def _peers(session: Session) -> Mapping[str, MemberRow]:
    return {row.id: row for row in session.scalars(select(MemberRow))}


def _find(connection: Connection, name: str) -> Lease | None:
    row = connection.execute(select(*columns_of(LeaseRow, Lease)).where(LeaseRow.name == name)).first()
    return None if row is None else Lease(*row)


def _fenced() -> StorageError:
    return StorageError("another process of the server has taken this over", code="storage/fenced")

"""Web Push subscriptions of browsers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from sqlalchemy import delete, insert, select

from ekoes.storage.accounts import add_session
from ekoes.storage.engine import Repository
from ekoes.storage.schema import PushRow

_MOST = 20
"""Subscriptions per user; the oldest is dropped."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription. credential: of its cookie; endpoint: where messages are sent; p256dh, auth: its keys.

    origin: the URL by which the browser knows this server.
    """

    holder: str
    credential: str
    endpoint: str
    p256dh: str
    auth: str
    origin: str

    @property
    def id(self) -> str:
        """A short name of its endpoint."""
        return sha256(self.endpoint.encode()).hexdigest()


class Pushes(Repository):
    """Web Push subscriptions."""

    def keep(self, subscription: Subscription, at: datetime) -> None:
        """Store a subscription, replacing one of the same endpoint."""
        row = {field: getattr(subscription, field) for field in Subscription.__slots__}
        own = select(PushRow.id).where(PushRow.holder == subscription.holder).order_by(PushRow.since.desc())
        with self._transaction() as connection:
            add_session(connection, subscription.holder, at)
            connection.execute(delete(PushRow).where(PushRow.id == subscription.id))
            connection.execute(insert(PushRow).values({**row, "id": subscription.id, "since": at}))
            surplus = list(connection.scalars(own.offset(_MOST)))
            if surplus:
                connection.execute(delete(PushRow).where(PushRow.id.in_(surplus)))

    def of(self, holder: str) -> list[Subscription]:
        """Return the subscriptions of a user."""
        columns = (PushRow.holder, PushRow.credential, PushRow.endpoint)
        keys = (PushRow.p256dh, PushRow.auth, PushRow.origin)
        found = select(*columns, *keys).where(PushRow.holder == holder).order_by(PushRow.since)
        return [Subscription(*row) for row in self._rows(found)]

    def drop(self, subscription_id: str, holder: str | None = None) -> None:
        """Delete a subscription. holder: only if it belongs to this user."""
        is_this = [PushRow.id == subscription_id]
        if holder is not None:
            is_this.append(PushRow.holder == holder)
        self._execute(delete(PushRow).where(*is_this))

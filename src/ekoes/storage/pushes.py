"""Browsers that want notices while their page is closed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Engine, delete, insert, select

from ekoes.storage.database import transaction
from ekoes.storage.people import add_session
from ekoes.storage.schema import PushRow

__all__ = ["Pushes", "Subscription"]

_MOST = 20
"""Browsers of one holder; the oldest gives way."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser. credential: what its cookie carries; endpoint: where its notices go; p256dh, auth: its keys.

    origin: the address by which it knows this server.
    """

    holder: str
    credential: str
    endpoint: str
    p256dh: str
    auth: str
    origin: str

    @property
    def id(self) -> str:
        """The name of its endpoint, which is long."""
        return sha256(self.endpoint.encode()).hexdigest()


class Pushes:
    """Keeps subscriptions. Each method is one transaction and may raise StorageError.

    The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        """Keep them in a database."""
        self._engine = engine

    def keep(self, subscription: Subscription, at: datetime) -> None:
        """Keep a subscription, in place of what was kept of the same endpoint."""
        row = {field: getattr(subscription, field) for field in Subscription.__slots__}
        own = select(PushRow.id).where(PushRow.holder == subscription.holder).order_by(PushRow.since.desc())
        with transaction(self._engine) as connection:
            add_session(connection, subscription.holder, at)
            connection.execute(delete(PushRow).where(PushRow.id == subscription.id))
            connection.execute(insert(PushRow).values({**row, "id": subscription.id, "since": at}))
            surplus = list(connection.scalars(own.offset(_MOST)))
            if surplus:
                connection.execute(delete(PushRow).where(PushRow.id.in_(surplus)))

    def of(self, holder: str) -> list[Subscription]:
        """Return the browsers of somebody."""
        columns = (PushRow.holder, PushRow.credential, PushRow.endpoint)
        keys = (PushRow.p256dh, PushRow.auth, PushRow.origin)
        found = select(*columns, *keys).where(PushRow.holder == holder).order_by(PushRow.since)
        with transaction(self._engine) as connection:
            return [Subscription(*row) for row in connection.execute(found)]

    def drop(self, subscription_id: str, holder: str | None = None) -> None:
        """Forget a subscription. holder: only if it is theirs."""
        is_this = [PushRow.id == subscription_id]
        if holder is not None:
            is_this.append(PushRow.holder == holder)
        with transaction(self._engine) as connection:
            connection.execute(delete(PushRow).where(*is_this))

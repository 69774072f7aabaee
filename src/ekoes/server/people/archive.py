"""All that is kept of an account, as one file for its owner."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from ekoes.storage.people import Account, Device, Place
from ekoes.storage.programs import Token
from ekoes.storage.results import Standing
from ekoes.storage.talk import Line
from ekoes.storage.ties import Tie
from ekoes.storage.tournaments import Joined
from ekoes.storage.vacations import Vacation

__all__ = ["archive"]


def archive(
    account: Account,
    devices: Sequence[Device],
    places: Sequence[Place],
    standings: Sequence[Standing],
    records: Mapping[str, str],
    said: Sequence[tuple[str, Line]],
    ties: Sequence[Tie],
    vacations: Sequence[Vacation],
    tokens: Sequence[Token],
    joined: Sequence[Joined],
) -> bytes:
    """Return a zip file.

    records: those of the tables that may be seen by now, by table. said: what they said, with the tables.
    """
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        made.writestr("account.json", _json({"name": account.name, "since": account.since.isoformat()}))
        made.writestr("devices.json", _json([_device(device) for device in devices]))
        made.writestr("tables.json", _json([_place(place) for place in places]))
        made.writestr("ratings.json", _json([_standing(standing) for standing in standings]))
        made.writestr("lines.json", _json([_line(table_id, line) for table_id, line in said]))
        made.writestr("people.json", _json([_tie(tie) for tie in ties]))
        made.writestr("vacations.json", _json([_vacation(vacation) for vacation in vacations]))
        made.writestr("tokens.json", _json([_token(token) for token in tokens]))
        made.writestr("tournaments.json", _json([_joined(one) for one in joined]))
        for table_id, text in records.items():
            made.writestr(f"records/{table_id}.txt", text)
    return file.getvalue()


def _joined(one: Joined) -> dict[str, object]:
    return {"tournament": one.id, "name": one.name, "number": one.number, "made_at": one.made_at.isoformat()}


def _device(device: Device) -> dict[str, str]:
    return {
        "about": device.about,
        "since": device.since.isoformat(),
        "seen_at": device.seen_at.isoformat(),
    }


def _place(place: Place) -> dict[str, object]:
    return {
        "table": place.table_id,
        "seat": place.seat,
        "game": place.game,
        "is_over": place.is_over,
        "made_at": place.made_at.isoformat(),
    }


def _standing(standing: Standing) -> dict[str, object]:
    rating = {"mean": standing.rating.mean, "deviation": standing.rating.deviation}
    return {"pool": standing.pool, **rating, "games": standing.games, "won": standing.won}


def _line(table_id: str, line: Line) -> dict[str, object]:
    said = {"text": line.text} if line.phrase is None else {"phrase": line.phrase}
    return {"table": table_id, **said, "at": line.at.isoformat()}


def _tie(tie: Tie) -> dict[str, str]:
    return {"kind": tie.kind, "name": tie.name, "since": tie.since.isoformat()}


def _vacation(vacation: Vacation) -> dict[str, str]:
    return {"began": vacation.began.isoformat(), "until": vacation.until.isoformat()}


def _token(token: Token) -> dict[str, object]:
    used_at = None if token.used_at is None else token.used_at.isoformat()
    facts = {"name": token.name, "scopes": sorted(token.scopes)}
    return facts | {"since": token.since.isoformat(), "used_at": used_at}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

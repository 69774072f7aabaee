"""All that is kept of an account, as one file for its owner."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from ekoes.storage.people import Account, Device, Place
from ekoes.storage.results import Standing
from ekoes.storage.talk import Line
from ekoes.storage.ties import Tie

__all__ = ["archive"]


def archive(
    account: Account,
    devices: Sequence[Device],
    places: Sequence[Place],
    standings: Sequence[Standing],
    records: Mapping[str, str],
    said: Sequence[tuple[str, Line]],
    ties: Sequence[Tie],
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
        for table_id, text in records.items():
            made.writestr(f"records/{table_id}.txt", text)
    return file.getvalue()


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


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

"""The public facts of a table's deal, and the check of a record: everything is drawn again from the parts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from ekoes.bots import Secret
from ekoes.errors import RecordError
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.api.reading import json_tag, read_object
from ekoes.records import GameRecord, replay
from ekoes.records.referee import book_of
from ekoes.tables.create import table_class
from ekoes.tables.deals import NO_PART, commitment, joint_seed, round_chance, secret_of, start_seeds
from ekoes.tables.table import Table

_TABLE, _SECRET, _PARTS, _FIRST, _OPTIONS = "DealTable", "DealSecret", "DealParts", "DealFirst", "DealOptions"
_FORMS = {
    _TABLE: re.compile("[0-9a-z]{1,32}"),
    _SECRET: re.compile("[0-9a-f]{64}"),
    _PARTS: re.compile("(-|[0-9a-f]{32})( (-|[0-9a-f]{32})){0,7}"),
    _FIRST: re.compile("[0-7]"),
}


def deal_json(table_id: str, table: Table, secret: Secret) -> Json:
    """Return the public facts of a table's deal: the commitment, after the game also secret and parts."""
    joint, own = table.joint, secret_of(secret)
    shown: Json = {"commitment": commitment(own)}
    if joint is None or joint.seed is None or table.outcome is None:
        return shown
    first = {} if joint.first is None else {"first": joint.first}
    parts = joint.text(len(table.seats))
    return shown | {"table": table_id, "secret": own.hex(), "parts": parts} | first


def deal_tags(table_id: str, table: Table, secret: Secret) -> dict[str, str]:
    """Return the tags by which a record can be checked; none before the game is over."""
    shown = deal_json(table_id, table, secret)
    if "secret" not in shown:
        return {}
    first = {_FIRST: str(shown["first"])} if "first" in shown else {}
    tags = {_TABLE: table_id, _SECRET: shown["secret"], _PARTS: shown["parts"], **first}
    return tags | {_OPTIONS: json.dumps(table.options, separators=(",", ":"))}


@dataclass(frozen=True, slots=True)
class CheckedDeal:
    """A deal that was drawn again. parts: by seat, None where there is none. rounds: how many were dealt.

    faults: each difference between the record and what follows from the parts.
    """

    commitment: str
    parts: tuple[str | None, ...]
    rounds: int
    faults: tuple[str, ...]


def check_deal(record: GameRecord) -> CheckedDeal:
    """Draw the game of a record again. Raises EkoesError if the record does not say how."""
    tags = record.tags
    for name, form in _FORMS.items():
        if not form.fullmatch(tags.get(name, "0" if name == _FIRST else "")):
            message = f"tag {name}: missing or malformed, so this record does not say how its deal was drawn"
            raise RecordError(message)
    secret, parts = bytes.fromhex(tags[_SECRET]), tags[_PARTS].split(" ")
    seed, first = joint_seed(secret, tags[_TABLE], tags[_PARTS]), tags.get(_FIRST)
    players = record.start.players
    options = read_object(json_tag({_OPTIONS: "", **tags}, _OPTIONS), _OPTIONS)
    # With other players the one who begins may never be found.
    if [len(parts), options.get("players")] != [players] * 2 or int(first or 0) >= players:
        raise RecordError(f"tags {_PARTS}, {_FIRST} and {_OPTIONS} are for {players} players")
    faults: list[str] = []
    for number in start_seeds(seed):
        made = table_class(record.game).new(record.game, options, number, (), None)
        if first is None or made.first_seat == int(first):
            break
    if made.position != record.start or record.seed not in {None, number}:
        faults.append("the parts give another first position")
    rounds = 0
    for position, decision in zip(replay(record), record.decisions, strict=False):
        round_number = book_of(record.game).number(position)
        if decision.seat != CHANCE or round_number <= rounds:
            continue
        rounds = round_number
        if position.chance_action(round_chance(seed, rounds)) != decision.action:
            faults.append(f"the parts give another deal in round {rounds}")
    shown = tuple(None if part == NO_PART else part for part in parts)
    return CheckedDeal(commitment(secret), shown, rounds, tuple(faults))

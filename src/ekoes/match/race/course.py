"""How a table goes on: entries into the log, positions, and the stage that follows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ekoes.games.contract import CHANCE
from ekoes.games.ekko import remarks
from ekoes.games.ekko.action import Action, Close, Deal, Draw, Effect, Mirror, Misplay, Play
from ekoes.games.ekko.live import clock_action, may_be_mirrored
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.rules.record import Ending, Phase
from ekoes.match.race.entry import Claim, Entry, Moment, Receipt, Round, Stage, Verdict
from ekoes.match.race.state import RaceTable

__all__ = [
    "after_clock",
    "begin_round",
    "claim_entry",
    "deal",
    "end_window",
    "enter",
    "make_claim",
    "note",
    "perform",
]

_VERDICTS: dict[type[Action], Verdict] = {
    Deal: Verdict.DEAL,
    Play: Verdict.PLAY,
    Mirror: Verdict.MIRROR,
    Draw: Verdict.DRAW,
    Misplay: Verdict.MISPLAY,
    Close: Verdict.CLOSE,
}


def enter(table: RaceTable, stage: Stage, at: datetime) -> RaceTable:
    """Return the table at the beginning of a stage."""
    kept_claim = table.claim if stage is Stage.EFFECT else None
    since = Moment(table.length, at)
    return replace(table, stage=stage, since=since, claim=kept_claim, passed=frozenset(), withheld=())


def note(table: RaceTable, entry: Entry) -> RaceTable:
    """Return the table with one more entry in its log."""
    return replace(table, log=(*table.log, entry))


def deal(table: RaceTable, order: tuple[int, ...], at: datetime) -> RaceTable:
    """Deal a round: everybody looks at their hand, the next card is still face down. Rule: K1.2, K1.3."""
    after = table.position.play(CHANCE, Deal(order))
    entry = Entry(after.round, CHANCE, Deal(order), Verdict.DEAL, at, after)
    table = replace(note(table, entry), position=after, ready=frozenset())
    return enter(table, Stage.LOOK, at)


def begin_round(table: RaceTable, at: datetime) -> RaceTable:
    """Turn the first card over. Rule: K1.3."""
    top_since = Moment(table.length, at)
    fresh = replace(table, top_since=top_since, drew_since=(None,) * len(table.seats))
    return _go_on(fresh, at)


def perform(
    table: RaceTable,
    seat: int,
    action: Action,
    at: datetime,
    *,
    saw: int | None = None,
    by_clock: bool = False,
) -> RaceTable:
    """Do what the rules allow, and go on to the stage that follows.

    saw: the top card that the player saw; at: now. Raises IllegalActionError.
    """
    before, after = table.position, table.position.play(seat, action)
    verdict = _VERDICTS[type(action)]
    came_at = table.claim.at if isinstance(action, Mirror) and table.claim is not None else at
    entry = Entry(
        before.round,
        seat,
        action,
        verdict,
        at,
        after,
        on=saw,
        draws=_draws(before, after, seat, action),
        covers=before.top if isinstance(action, Play | Mirror) else None,
        came_at=came_at,
        by_clock=by_clock,
    )
    after_table = _with_moments(replace(note(table, entry), position=after), entry)
    if isinstance(action, Mirror):
        after_table = _with_receipt(after_table, seat, action, came_at)
    if isinstance(action, Misplay) and after.round == before.round and after.phase == Phase.PLAY:
        return after_table  # play stands where it stood (K4.1)
    return _go_on(_with_round(after_table, before), at)


def make_claim(table: RaceTable, claim: Claim, at: datetime) -> RaceTable:
    """Play a claimed mirror, or wait for its effect if its player has to choose. Rule: K3.2, K3.4."""
    if claim.effect is None and len(table.position.hands[claim.seat]) > 1:
        receipt = Receipt(table.length, claim.seat, claim.card, "mirror", claim.at)
        return enter(replace(table, claim=claim, receipt=receipt), Stage.EFFECT, at)
    effect = Effect(claim.effect or Effect.DRAW)
    return perform(table, claim.seat, Mirror(claim.card, effect, claim.aside, claim.on), at, saw=claim.on)


def claim_entry(table: RaceTable, claim: Claim) -> Entry:
    """Return the entry of a claim that is not played at once."""
    position = table.position
    action = remarks.Claim(claim.card)
    return Entry(position.round, claim.seat, action, Verdict.CLAIM, claim.at, position, on=claim.on)


def end_window(table: RaceTable, at: datetime) -> RaceTable:
    """Judge what a window brought: its claim, the end of a reaction time, or nothing. Rule: K5.1, K7.4."""
    claim = table.claim if table.has_window else None
    table = replace(table, log=(*table.log, *table.withheld), withheld=())
    if claim is not None:
        return make_claim(table, claim, at)
    if table.position.leaving is not None:
        return perform(table, CHANCE, Close(), at)
    return enter(table, Stage.RACE, at)


def after_clock(table: RaceTable, at: datetime) -> RaceTable:
    """Do what the clock makes due. Rule: K5.1, K7.5."""
    match table.stage:
        case Stage.LOOK:
            return begin_round(table, at)
        case Stage.WINDOW | Stage.LEAVING:
            return end_window(table, at)
        case Stage.EFFECT if table.claim is not None:
            claim = table.claim
            action: Action = Mirror(claim.card, Effect.DRAW, on=claim.on)
            return perform(table, claim.seat, action, at, saw=claim.on, by_clock=True)
        case _:
            position = table.position
            seat = position.player if position.player is not None else 0
            return perform(table, seat, clock_action(position), at, saw=position.top, by_clock=True)


def _go_on(table: RaceTable, at: datetime) -> RaceTable:
    """Enter the stage that the position calls for."""
    position = table.position
    if position.phase == Phase.OVER:
        return replace(enter(table, Stage.OVER, at), outcome=position.outcome())
    if position.phase == Phase.DEAL:
        return enter(table, Stage.WAITING, at)
    if position.leaving is not None:
        return enter(table, Stage.LEAVING, at)
    is_window = table.rules.calm and may_be_mirrored(position)
    return enter(table, Stage.WINDOW if is_window else Stage.RACE, at)


def _with_moments(table: RaceTable, entry: Entry) -> RaceTable:
    """Note when the top card came and who drew when."""
    now = Moment(table.length, entry.at)
    drew = {seat for seat, _ in entry.draws}
    since = tuple(now if seat in drew else moment for seat, moment in enumerate(table.drew_since))
    return replace(table, drew_since=since, top_since=table.top_since if entry.covers is None else now)


def _with_receipt(table: RaceTable, seat: int, mirror: Mirror, came_at: datetime) -> RaceTable:
    """Tell who was first; a receipt that was begun with the claim keeps its losers."""
    begun = table.receipt
    losers = begun.losers if begun is not None and (begun.seat, begun.at) == (seat, came_at) else ()
    receipt = Receipt(table.length, seat, mirror.card, "mirror", came_at, losers)
    return replace(table, receipt=receipt)


def _with_round(table: RaceTable, before: EkkoPosition) -> RaceTable:
    """Note how the round ended, if it has. Rule: K5."""
    end = table.position.round_end
    if table.position.phase not in {Phase.DEAL, Phase.OVER} or end is None:
        return table
    by = end.by if end.ending is not Ending.PILE_EMPTY and end.by < before.players else None
    reason = end.ending.name.lower().replace("_", "-")
    finished = Round(before.dealer, end.points, end.sizes, table.position.scores, reason, by)
    return replace(table, rounds=(*table.rounds, finished), receipt=None)


def _draws(
    before: EkkoPosition, after: EkkoPosition, seat: int, action: Action
) -> tuple[tuple[int, int], ...]:
    """Return who drew how many cards through an action of a seat, clockwise from seat 0.

    Hand sizes tell it also where the round has ended, and the position speaks of the next one.
    """
    end = after.round_end if after.phase in {Phase.DEAL, Phase.OVER} else None
    sizes = [len(hand) for hand in after.hands] if end is None else list(end.sizes)
    spent = [0] * before.players
    if isinstance(action, Play | Mirror):
        has_aside = isinstance(action, Mirror) and action.aside is not None
        spent[seat] = 2 if has_aside else 1
    drew = [size - len(hand) + out for size, hand, out in zip(sizes, before.hands, spent, strict=True)]
    return tuple((each, number) for each, number in enumerate(drew) if number)

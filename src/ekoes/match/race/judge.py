"""Judging what a player sends, in the order in which it comes. Rule: K3.5, K4, K7."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from typing import Literal

from ekoes.errors import TableError
from ekoes.games.contract import Refusal
from ekoes.games.ekko import remarks
from ekoes.games.ekko.action import Draw, Effect, Mirror, Misplay, Pass, Play
from ekoes.games.ekko.intents import (
    ChooseEffect,
    DrawCard,
    IntentAction,
    LetPass,
    MirrorCard,
    PlayCard,
    SayReady,
)
from ekoes.games.ekko.live import Judgement, judge_card, judge_draw
from ekoes.games.ekko.live import Verdict as CardVerdict
from ekoes.games.ekko.refusal import refusal
from ekoes.games.ekko.rules.cards import mirror_of
from ekoes.match.race import course
from ekoes.match.race.entry import Claim, Entry, Loser, Receipt, Stage, Verdict
from ekoes.match.race.state import RaceTable
from ekoes.match.refused import RefusedError

__all__ = ["judged"]


def judged(table: RaceTable, seat: int, action: IntentAction, at: datetime) -> RaceTable:
    """Return the table after what a player sent; itself if it comes to nothing any more.

    Raises: IllegalActionError naming the rule, TableError.
    """
    if table.stage in {Stage.WAITING, Stage.LOOK}:
        if isinstance(action, LetPass):
            return table  # the reaction time ended while it was on its way
        raise TableError("the round has not begun", code="table/not-now", rule="K1.3")
    match action:
        case PlayCard() | MirrorCard():
            return _card(table, seat, action, at)
        case ChooseEffect():
            return _effect(table, seat, action, at)
        case DrawCard(on=on):
            return _draw(table, seat, on, at)
        case LetPass(on=on):
            return _pass(table, seat, on, at)
        case SayReady():
            return table


def _card(table: RaceTable, seat: int, sent: PlayCard | MirrorCard, at: datetime) -> RaceTable:
    """Judge a card; the mirror of the top card is a claim, however it is sent (K3.4)."""
    judgement = _judge(table, seat, sent)
    match judgement.verdict:
        case CardVerdict.LATE:
            return _late(table, seat, sent.card, sent.on, at)
        case CardVerdict.MIRROR:
            return _claim(table, _claim_of(table, seat, sent, at), at)
        case CardVerdict.PLAY:
            return course.perform(table, seat, Play(sent.card), at, saw=sent.on)
        case CardVerdict.MISPLAY:
            return course.perform(table, seat, Misplay(sent.card), at, saw=sent.on)
        case CardVerdict.REFUSED:
            raise _refused(judgement.refusal)


def _judge(table: RaceTable, seat: int, sent: PlayCard | MirrorCard) -> Judgement:
    """Return what a card comes to at this stage. Raises TableError where no card can be put now.

    Where claims are collected, and out of turn in calm mode, nothing is a misplay: haste is not to be
    punished there.
    """
    is_open = _is_open(table, seat)
    misplays = table.rules.misplays and is_open
    judgement = judge_card(table.position, seat, sent.card, sent.on, table.seen(sent.on), misplays=misplays)
    if is_open or judgement.verdict in {CardVerdict.LATE, CardVerdict.REFUSED}:
        return judgement
    if table.stage is Stage.EFFECT:
        return _beside_a_claim(judgement)
    return _in_a_window(table, seat, judgement)


def _is_open(table: RaceTable, seat: int) -> bool:
    """Tell whether a seat may put any card now and see what comes of it."""
    is_collecting = table.stage is Stage.EFFECT or table.has_window
    return not is_collecting and (not table.rules.calm or seat == table.position.player)


def _beside_a_claim(judgement: Judgement) -> Judgement:
    """Judge a card while an effect is being chosen: the mirror was quicker than every card that fits."""
    if judgement.verdict is CardVerdict.PLAY:
        return Judgement(CardVerdict.LATE)
    raise TableError("the mirror's player chooses its effect first", code="table/not-now", rule="K3.2")


def _in_a_window(table: RaceTable, seat: int, judgement: Judgement) -> Judgement:
    """Judge a card in calm mode: in a window a mirror alone, out of turn nothing else either."""
    if not table.has_window:
        return Judgement(CardVerdict.REFUSED, refusal("nothing-asked"))
    if seat in table.decided:
        raise TableError("you have decided", code="table/not-now", rule="K7.4")
    if judgement.verdict is CardVerdict.PLAY:
        raise TableError("everybody may still claim a mirror", code="table/not-now", rule="K3.2")
    return judgement


def _claim_of(table: RaceTable, seat: int, sent: PlayCard | MirrorCard, at: datetime) -> Claim:
    """Return the claim of a mirror. Raises RefusedError if its effect is not possible."""
    on = table.position.top or sent.on  # its player may have seen another one when the card was sent (K3.4)
    if isinstance(sent, PlayCard) or sent.effect is None:
        return Claim(seat, sent.card, on, at)
    mirror = Mirror(sent.card, Effect(sent.effect), sent.aside, on)
    _check_effect(table, seat, mirror)
    return Claim(seat, sent.card, on, at, sent.effect, sent.aside)


def _check_effect(table: RaceTable, seat: int, mirror: Mirror) -> None:
    """Raise RefusedError unless a mirror may be played with this effect. Rule: K3.2, K3.4."""
    if mirror.effect is Effect.DRAW and mirror.aside is not None:
        raise TableError("the effect draw names no card put aside", code="table/wrong-effect", rule="K3.2")
    reason = table.position.why_not(seat, mirror)
    if reason is not None:
        raise _refused(reason)


def _claim(table: RaceTable, claim: Claim, at: datetime) -> RaceTable:
    """Take a claim at once, or keep it to the end of the window, where nobody else sees it."""
    if table.has_window:
        kept = (*table.withheld, course.claim_entry(table, claim))
        return _ended_if_all_decided(replace(table, claim=claim, withheld=kept), at)
    if claim.effect is None and len(table.position.hands[claim.seat]) > 1:
        table = course.note(table, course.claim_entry(table, claim))
    return course.make_claim(table, claim, at)


def _effect(table: RaceTable, seat: int, sent: ChooseEffect, at: datetime) -> RaceTable:
    claim = table.claim
    if table.stage is not Stage.EFFECT or claim is None or claim.seat != seat:
        raise TableError("you have no mirror that waits for its effect", code="table/not-now", rule="K3.2")
    mirror = Mirror(claim.card, Effect(sent.effect), sent.aside, claim.on)
    _check_effect(table, seat, mirror)
    return course.perform(table, seat, mirror, at, saw=claim.on)


def _draw(table: RaceTable, seat: int, on: int, at: datetime) -> RaceTable:
    """Draw, unless another card has come upon the one that the player saw. Rule: K2.2, K7.2."""
    position = table.position
    is_claimed = table.stage is Stage.EFFECT and on == position.top
    seen = table.seen(on)
    if seen is None:
        raise _refused(refusal("never-top"))
    if is_claimed or on != position.top:
        if seen.player != seat:
            raise _refused(refusal("not-your-turn"))
        return _late(table, seat, None, on, at)
    reason = judge_draw(position, seat)
    if reason is not None:
        raise _refused(reason)
    if table.has_window:
        raise TableError("everybody may still claim a mirror", code="table/not-now", rule="K3.2")
    return course.perform(table, seat, Draw(), at, saw=on)


def _pass(table: RaceTable, seat: int, on: int, at: datetime) -> RaceTable:
    """Note that a player lets the mirror go by; where that is no longer asked, nothing. Rule: K7.4."""
    position = table.position
    if table.seen(on) is None:
        raise _refused(refusal("never-top"))
    is_asked = table.stage in {Stage.WINDOW, Stage.LEAVING} and on == position.top
    if not is_asked or seat == position.leaving or seat in table.decided:
        return table
    after = replace(table, passed=table.passed | {seat})
    if table.stage is Stage.LEAVING:
        entry = Entry(position.round, seat, Pass(), Verdict.PASS, at, position, on=on)
        if table.has_window:
            after = replace(after, withheld=(*table.withheld, entry))
        else:
            after = course.note(after, entry)
    return _ended_if_all_decided(after, at)


def _ended_if_all_decided(table: RaceTable, at: datetime) -> RaceTable:
    """End a window or a reaction time that nobody needs any more. Rule: K7.4, K7.6."""
    asked = set(range(len(table.seats))) - {table.position.leaving}
    return course.end_window(table, at) if table.decided >= asked else table


def _late(table: RaceTable, seat: int, card: int | None, on: int, at: datetime) -> RaceTable:
    """Note what came too late, and by how much; it goes back to the hand. Rule: K3.5, K7.2.

    Once is enough: the same again leaves no trace.
    """
    late = remarks.Late(card)
    if any(entry.seat == seat and entry.action == late and entry.on == on for entry in _this_round(table)):
        return table
    first = _first(table, on)
    if first is None:
        raise _refused(refusal("play-late"))
    behind = first.behind(table.log[0].at, at)
    entry = Entry(table.position.round, seat, late, Verdict.LATE, at, table.position, on=on, behind=behind)
    noted = course.note(table, entry)
    if card is None:
        return noted
    loser = Loser(seat, card, "mirror" if card == mirror_of(on) else "play", behind)
    begun = table.receipt
    is_same = begun is not None and (begun.seat, begun.card) == (first.seat, first.card)
    losers = (*begun.losers, loser) if begun is not None and is_same else (loser,)
    return replace(noted, receipt=replace(first, number=noted.length, losers=losers))


def _first(table: RaceTable, on: int) -> Receipt | None:
    """Return who was first to put a card on a card of this round, without the others."""
    claim = table.claim
    if table.stage is Stage.EFFECT and claim is not None and claim.on == on:
        return Receipt(0, claim.seat, claim.card, "mirror", claim.at)
    for entry in _this_round(table):
        if entry.covers == on and isinstance(entry.action, Play | Mirror):
            kind: Literal["mirror", "play"] = "mirror" if isinstance(entry.action, Mirror) else "play"
            return Receipt(0, entry.seat, entry.action.card, kind, entry.came_at or entry.at)
    return None


def _this_round(table: RaceTable) -> Iterator[Entry]:
    """Yield the entries of this round, the latest first."""
    return takewhile(lambda entry: entry.round == table.position.round, reversed(table.log))


def _refused(reason: Refusal | None) -> RefusedError:
    return RefusedError(reason or refusal("never-top"))

"""What the people at a table agree on: somebody proposes, all others agree or one refuses.

Bots have no say, and who is absent has none where others must not have to wait for them. What all agreed to
is done in the same order as the last word; nothing else ever comes of a proposal.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypeVar

from ekoes.bots import stand_in
from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Json
from ekoes.games.recording import moment_text
from ekoes.games.registry import game
from ekoes.match.kinds import kind_of
from ekoes.match.orders import Away, GoOn, Propose, Vote
from ekoes.match.proposal import Consent, Lent, Proposal, What
from ekoes.match.rated import with_gone
from ekoes.match.state import Table, with_seat

__all__ = ["awaited", "check_goes_on", "consent_json", "follow_up", "judged", "returned"]

T = TypeVar("T", bound=Table)

_LASTS = timedelta(minutes=2)
"""How long a proposal can be answered."""
_WITHOUT_AWAY = frozenset({"bot", "draw", "pause"})
"""What is decided by those who are there: the others must not have to wait for who is not."""


def judged(table: T, order: Propose | Vote | GoOn | Away, at: datetime) -> T:
    """Return the table after what somebody says about it. Raises TableError."""
    match order:
        case Propose():
            return _proposed(table, order, at)
        case Vote():
            return _voted(table, order, at)
        case GoOn():
            return _gone_on(table, at)
        case Away():
            return _noted(table, order)


def _proposed(table: T, order: Propose, at: datetime) -> T:
    """Return the table with one more proposal. Raises TableError if it can't be, or another one is open."""
    _check_goes_on(table)
    consent = table.consent
    if consent.asks(at) is not None:
        raise TableError("something else is proposed; it comes first", code="table/proposal-open")
    _check_wish(table, order, at)
    proposal = Proposal(
        number=consent.count + 1,
        what=order.what,
        by=order.seat,
        agreed=_of_the_same(table, order.seat),
        about=order.about,
        days=order.days,
        until=None if order.what == "take_back" else at + _LASTS,
    )
    return _with(table, count=proposal.number, open=proposal)


def _voted(table: T, order: Vote, at: datetime) -> T:
    """Return the table after an answer: one who refuses is enough. Raises TableError."""
    _check_goes_on(table)
    proposal = table.consent.asks(at)
    if proposal is None or proposal.number != order.number:
        raise TableError("this is not proposed any more", code="table/no-proposal", key="number")
    has_a_say = order.seat in _asked(table, proposal) | {proposal.by}
    if not has_a_say:
        raise TableError("this is for the others to say", code="table/not-yours-to-say", key="seat")
    if not order.agree:
        return _with(table, open=None)
    agreed = proposal.agreed | _of_the_same(table, order.seat)
    return _with(table, open=changed(proposal, agreed=agreed))


def _gone_on(table: T, at: datetime) -> T:
    """Return the table with its rest about to end. Raises TableError if there is none."""
    rest = table.consent.rest
    if rest is None or rest.until is not None:
        raise TableError("the game does not rest", code="table/not-now")
    return changed(table, consent=table.consent.going_on(at))


def _noted(table: T, order: Away) -> T:
    """Return the table with a note of who is absent, or back."""
    away = table.consent.away
    is_held = order.seat < len(table.seats) and table.seats[order.seat].session is not None
    return _with(table, away=away | {order.seat} if order.away and is_held else away - {order.seat})


def returned(table: T, seat: int, session: str | None, at: datetime) -> T | None:
    """Return the table with somebody back at the seat that a bot has kept; None if it keeps it for nobody."""
    lent = table.consent.lent_to(seat, session, at)
    if lent is None or table.outcome is not None:
        return None
    left = tuple(one for one in table.consent.lent if one != lent)
    back = with_seat(_with(table, lent=left), seat, kind=lent.kind, bot=None, session=session)
    after: T = kind_of(table.game).returned(back, seat, at)
    return after


def check_goes_on(table: Table, at: datetime) -> None:
    """Raise TableError while the game rests."""
    if table.consent.rests(at):
        raise TableError("the game rests", code="table/rests")


def follow_up(before: T, table: T, at: datetime) -> T:
    """Return a table after an order: what all agree to is done, and what is asked for no more is dropped."""
    proposal = table.consent.open
    if proposal is None:
        return table
    if table.consent.asks(at) is None or _is_over(before, table, proposal):
        return _with(table, open=None)
    if awaited(table):
        return table
    return _granted(_with(table, open=None), proposal, at)


def consent_json(table: Table) -> Json:
    """Tell what is proposed and what may be, who is absent, and whether the game rests."""
    consent, kind = table.consent, kind_of(table.game)
    goes_on = table.is_started and table.outcome is None
    return {
        "proposal": None if consent.open is None else _proposal_json(table, consent.open),
        "may": [*kind.wishes(table), *_draw(table)],
        "away": sorted(consent.away),
        "silent": sorted(kind.silent(table)) if goes_on else [],
        "kept": sorted(lent.seat for lent in consent.lent),
        "rest": _rest_json(consent),
    }


def _draw(table: Table) -> tuple[What, ...]:
    """Return a draw, where a rule knows it."""
    return () if game(table.game).table_ends.agreement is None else ("draw",)


def awaited(table: Table) -> frozenset[str]:
    """Return who has yet to say something to what is proposed."""
    proposal = table.consent.open
    if proposal is None:
        return frozenset()
    agreed = {table.seats[seat].session for seat in proposal.agreed}
    asked = {table.seats[seat].session for seat in _asked(table, proposal)}
    return frozenset(session for session in asked - agreed if session is not None)


def _proposal_json(table: Table, proposal: Proposal) -> Json:
    until = {} if proposal.until is None else {"until": moment_text(proposal.until)}
    return proposal.to_json() | {"asked": sorted(_asked(table, proposal))} | until


def _rest_json(consent: Consent) -> Json | None:
    if consent.rest is None:
        return None
    return {"until": None if consent.rest.until is None else moment_text(consent.rest.until)}


def _check_goes_on(table: Table) -> None:
    if table.outcome is not None:
        raise TableError("the game is over", code="table/game-over", rule=table.outcome.rule)
    if not table.is_started:
        raise TableError("a seat is still free", code="table/not-started")


def _check_wish(table: Table, order: Propose, at: datetime) -> None:
    """Raise TableError if something can't be proposed."""
    kind = kind_of(table.game)
    if order.what in {"bot", *_draw(table)}:
        _check_gone(table, order)
    elif order.what == "take_back":
        check_goes_on(table, at)
        kind.check_take_back(table, order.seat)
    elif order.what not in kind.wishes(table):
        raise TableError("nobody can ask for this here, or not now", code="table/not-now", key="what")


def _check_gone(table: Table, order: Propose) -> None:
    """Raise TableError unless nobody need wait for the player of a seat."""
    if order.about not in _gone(table, order.what) or order.about in _of_the_same(table, order.seat):
        raise TableError("this player is still there", code="table/still-there", key="about")


def _gone(table: Table, what: What) -> frozenset[int]:
    """Return who is absent; where a bot may play on, also who leaves turn after turn to the clock."""
    silent = kind_of(table.game).silent(table) if what == "bot" else ()
    return table.people & table.consent.away.union(silent)


def _of_the_same(table: Table, seat: int) -> frozenset[int]:
    """Return the seats of whoever holds a seat."""
    holder = table.seats[seat].session
    return frozenset(number for number, chair in enumerate(table.seats) if chair.session == holder)


def _asked(table: Table, proposal: Proposal) -> frozenset[int]:
    """Return the seats that have a say."""
    held = frozenset(seat for seat, chair in enumerate(table.seats) if chair.session is not None)
    return held - {proposal.about} - (table.consent.away if proposal.what in _WITHOUT_AWAY else frozenset())


def _is_over(before: Table, table: Table, proposal: Proposal) -> bool:
    """Tell whether an order has done away with a proposal: what it is about is not as it was."""
    chair = table.seats[proposal.by]
    if table.outcome is not None or chair.session is None:
        return True
    kind = kind_of(table.game)
    if proposal.what == "take_back":
        return kind.position_of(table) is not kind.position_of(before)
    if proposal.about is None:
        return False
    return proposal.about not in _gone(table, proposal.what)


def _granted(table: T, proposal: Proposal, at: datetime) -> T:
    """Return the table after what all have agreed to."""
    if proposal.what == "bot" and proposal.about is not None:
        return _lent(table, proposal.about, at)
    after: T = kind_of(table.game).granted(table, proposal, at)
    return with_gone(after, table.consent.away) if proposal.what == "draw" else after


def _lent(table: T, seat: int, at: datetime) -> T:
    """Let a bot play on at a seat, and keep it for its player for as long as the table has it."""
    chair, consent = table.seats[seat], table.consent
    until = at + timedelta(minutes=consent.back)
    others = tuple(one for one in consent.lent if one.seat != seat)
    lent = Lent(seat, "here" if chair.kind == "here" else "open", chair.session or "", until)
    noted = _with(table, lent=(*others, lent), away=consent.away - {seat})
    sits = with_seat(noted, seat, kind="bot", bot=stand_in(table.game), session=None)
    after: T = kind_of(table.game).replaced(sits, seat, at)
    return after


def _with(table: T, **fields: object) -> T:
    return changed(table, consent=changed(table.consent, **fields))

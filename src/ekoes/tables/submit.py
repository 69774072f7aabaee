"""`submit` applies an order of a user to a table, or raises why it is refused."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal, TypeVar, cast

from ekoes.errors import TableError
from ekoes.games.api.contract import Outcome
from ekoes.games.api.values import changed
from ekoes.tables.create import following_table
from ekoes.tables.deals import Joint, start_seeds
from ekoes.tables.orders import (
    Abort,
    Absent,
    AnyOrder,
    Begin,
    Draw,
    Fill,
    Forfeit,
    GameOrder,
    GivePart,
    GoOn,
    HandOver,
    Instead,
    Pace,
    Pause,
    ProgramOrder,
    Propose,
    Rematch,
    Rematched,
    Rename,
    Resign,
    Sit,
    Stand,
    Timing,
    Vote,
)
from ekoes.tables.ratings import with_absent_left, with_left
from ekoes.tables.settings import Proposal, Substitute
from ekoes.tables.table import ABORTED, DEFAULT_PACE, NO_SHOW, Table, not_due

T = TypeVar("T", bound=Table)

_VOTING_TIME = timedelta(minutes=2)


def submit(table: T, order: AnyOrder, session: str | None, at: datetime) -> T:
    """Return the table after an order; itself if the order changes nothing.

    session: who sends it, None for the server and its bots. at: the time. Repeated orders are recognised by
    the caller. Raises: TableError (stale, not your seat, …), IllegalActionError, NotationError.
    """
    _check_right(table, order, session)
    after = _after_order(table, order, session, at)
    if after.pace_votes:
        after = _with_pace_agreed(after)
    if after.agreements.open is not None:
        after = _with_proposal_decided(table, after, at)
    if after.seats is not table.seats:
        after = with_left(table, after)
    if after is table or (after.log is table.log and after == table):
        return table
    if not isinstance(order, GameOrder | Rematch) and not _changes_game(table, after, order):
        return after
    return after.with_next_version(table)


def _changes_game(before: Table, after: Table, order: AnyOrder) -> bool:
    """Return whether an order about agreements has changed the game, and not only a vote."""
    was, now = before.agreements, after.agreements
    if now is was or isinstance(order, Timing):
        return False
    has_changed = (now.pause, now.substitutes) != (was.pause, was.substitutes)
    return has_changed or changed(after, agreements=was) != before


def _check_right(table: Table, order: AnyOrder, session: str | None) -> None:
    if isinstance(order, ProgramOrder | Timing):
        is_allowed = session is None
    elif isinstance(order, Pause):
        is_allowed = not (table.people or table.is_exhibition)
    elif isinstance(order, Pace):
        is_watching = not (table.people or table.is_exhibition)
        is_allowed = is_watching or any(seat.session == session for seat in table.seats)
    elif isinstance(order, Fill):
        is_allowed = session is not None and session == table.host and table.is_held_by(session, order.seat)
    elif isinstance(order, Sit):
        is_allowed = order.seat < len(table.seats)
    elif isinstance(order, Abort) and session is None:
        is_allowed = True
    elif isinstance(order, Propose | Vote | GoOn):
        is_allowed = session is not None and table.is_held_by(session, order.seat)
    else:
        is_allowed = table.is_held_by(session, order.seat)
    if not is_allowed:
        raise TableError("this seat is not yours", code="table/not-your-seat")


def _after_order(table: T, order: AnyOrder, session: str | None, at: datetime) -> T:
    match order:
        case Sit() | Stand() | Rename() | HandOver():
            return _seated(table, order, session, at)
        case GivePart(seat=seat, part=part):
            return _with_part(table, seat, part)
        case Begin(seed=seed):
            return _begun(table, bytes.fromhex(seed))
        case Propose() | Vote() | GoOn() | Absent():
            return _voted_on(table, order, at)
        case Pace(milliseconds=milliseconds):
            return _with_pace_vote(table, session, milliseconds)
        case Pause(paused=paused):
            is_moot = table.paused == paused or table.outcome is not None
            return table if is_moot else changed(table if paused else table.resumed(at), paused=paused)
        case Fill(free=free):
            return _with_free_seats_filled(table, free)
        case Rematch():
            return _with_rematch_answered(table, order)
        case Rematched(table=rematch):
            return changed(table, rematch=rematch)
        case _:
            return _played(table, order, at)


def _played(table: T, order: AnyOrder, at: datetime) -> T:
    _check_not_over(table)
    if isinstance(order, Abort):
        return _aborted(table, at)
    if isinstance(order, Forfeit):
        return _forfeited(table, frozenset(order.seats), at)
    if not isinstance(order, Resign | Draw | Timing):
        _check_not_paused(table, at)
    return table.apply(order, at)


def _aborted(table: T, at: datetime) -> T:
    if not table.can_abort:
        message = "only a rated game can be aborted, before each of its players has decided twice"
        raise TableError(message, code="table/no-abort")
    return table.ended(Outcome((), ABORTED, ""), at)


def _forfeited(table: T, missing: frozenset[int], at: datetime) -> T:
    """Return the table after players have not come: of two, the other wins; of more, the others play on."""
    there = table.people - missing
    if not there:
        return table.ended(Outcome((), ABORTED, ""), at)
    if len(table.seats) == 2:
        return table.ended(Outcome(tuple(there), NO_SHOW, ""), at)
    for seat in sorted(missing & table.people):
        table = table.apply(Resign(key="forfeit", version=table.version, seat=seat), at)
    return table


def _check_not_paused(table: Table, at: datetime) -> None:
    pause = table.agreements.pause
    if pause is not None and pause.holds(at):
        raise TableError("the game is paused", code="table/paused")


# ---------------------------------------------------------------- seats and pace


def _seated(table: T, order: Sit | Stand | Rename | HandOver, session: str | None, at: datetime) -> T:
    match order:
        case Sit():
            return _back_from_substitute(table, order.seat, session, at) or _sit(table, order, session)
        case Stand(seat=seat):
            return _stand(table, seat)
        case Rename(seat=seat, name=name):
            if table.rated and name:
                message = "at a rated table everybody has the name of their account"
                raise TableError(message, code="table/rated", key="name")
            return table.with_seat(seat, name=name)
        case HandOver(seat=seat, user=user):
            return _handed_over(table, seat, user)


def _sit(table: T, order: Sit, session: str | None) -> T:
    seat, joint = order.seat, table.joint
    if table.rematch is not None:
        raise TableError("the game goes on at another table", code="table/moved")
    if table.seats[seat].is_taken:
        raise TableError("this seat is taken", code="table/seat-taken")
    if table.rated and table.seats_of(session):
        raise TableError("a rated game needs two different players", code="table/rated", key="seat")
    table.check_can_sit(session)
    if joint is not None and order.gives_part:
        table = changed(table, joint=changed(joint, awaits=joint.awaits | {seat}))
    return table.with_seat(seat, session=session, **({"name": order.name} if order.name else {}))


def _stand(table: T, seat: int) -> T:
    if table.seats[seat].kind != "open":
        raise TableError("only an open seat can be left", code="table/not-your-seat")
    if table.length or (table.joint is not None and table.is_started):
        raise TableError("the game has begun; a seat can only be resigned now", code="table/started")
    joint = table.joint and table.joint.without(seat)
    return changed(table.vacated(seat).with_seat(seat, session=None, name=""), pace=DEFAULT_PACE, joint=joint)


def _handed_over(table: T, seat: int, user: str) -> T:
    if seat >= len(table.seats) or table.seats[seat].session is None:
        raise TableError("this seat is free", code="table/not-your-seat", key="seat")
    if table.seats[seat].session == user:
        return table
    if table.rated:
        raise TableError("a seat of a rated table stays its player's", code="table/rated", key="seat")
    table.check_can_sit(user)
    return table.with_seat(seat, session=user)


def _with_pace_vote(table: T, session: str | None, milliseconds: int) -> T:
    """Return the table with a session's vote; with bots only, at this pace."""
    if not table.people:
        return changed(table, pace=milliseconds)
    seats = frozenset() if session is None else table.seats_of(session)
    others = {(seat, pace) for seat, pace in table.pace_votes if seat not in seats}
    return changed(table, pace_votes=frozenset(others | {(seat, milliseconds) for seat in seats}))


def _with_pace_agreed(table: T) -> T:
    """Return the table at the pace that all people vote for, without the votes that are met or obsolete."""
    votes = {
        seat: pace for seat, pace in table.pace_votes if seat in table.people and table.seats[seat].is_taken
    }
    if votes.keys() == table.people and len(set(votes.values())) == 1:
        return changed(table, pace=next(iter(votes.values())), pace_votes=frozenset())
    unmet = frozenset((seat, pace) for seat, pace in votes.items() if pace != table.pace)
    return table if unmet == table.pace_votes else changed(table, pace_votes=unmet)


# ---------------------------------------------------------------- rematches and free seats


def _with_rematch_answered(table: T, order: Rematch) -> T:
    """Return the table with one more seat that wants a rematch and so counts as present again.

    If the order declines, no seat wants one any more. Raises TableError.
    """
    seat, absent = order.seat, order.absent
    if table.outcome is None:
        raise TableError("the game goes on", code="table/not-over")
    if table.binding:
        raise TableError("the tournament draws the next game", code="table/not-now")
    if table.rematch is not None:
        return table
    if not order.wanted:
        return changed(table, agreed=frozenset())
    wanted = table.absent if absent is None else frozenset((int(other), how) for other, how in absent.items())
    if not dict(wanted).keys() <= table.people:
        raise TableError("this seat has no player", code="table/not-your-seat", key="absent")
    left = frozenset((other, how) for other, how in wanted if other != seat)
    if seat in table.agreed and left == table.absent:
        return table
    after = changed(table, agreed=(table.agreed | {seat}) - dict(left).keys(), absent=left)
    following_table(after, table.seed)  # raises if it is not possible
    return after


def _with_free_seats_filled(table: T, free: Instead) -> T:
    """Return the table with bots in its free seats, or a table without these seats.

    A game of fewer players gets a new table, to which all players move. Raises TableError.
    """
    if table.is_full or table.rematch is not None:
        raise TableError("all seats are taken", code="table/started")
    taken = frozenset(number for number, seat in enumerate(table.seats) if seat.is_taken)
    absent = frozenset((number, free) for number in range(len(table.seats)) if number not in taken)
    moving = changed(table, absent=absent, agreed=taken & table.people)
    fresh = following_table(moving, table.seed)
    if free == "out":
        return moving
    names = ("version", "pace", "pace_votes", "paused", "joint")
    return cast("T", changed(fresh, **{name: getattr(table, name) for name in names}))


# ---------------------------------------------------------------- the seed of the deal


def _open_joint(table: Table) -> Joint:
    """Return the seed to which players add parts. Raises TableError if they can't, or no longer."""
    if table.joint is None or table.joint.seed is not None or table.outcome is not None:
        raise TableError("nobody can add to the seed of this game now", code="table/no-part")
    return table.joint


def _with_part(table: T, seat: int, part: str) -> T:
    """Return the table with the part of a seat. The first one stays: its browser will look for it."""
    joint = _open_joint(table)
    if dict(joint.parts).get(seat, part) != part:
        raise TableError("this seat has added another part", code="table/no-part", key="part")
    return changed(table, joint=joint.with_part(seat, part))


def _begun(table: T, seed: bytes) -> T:
    """Return the table with its first position drawn; in a rematch, until the right player begins."""
    joint = _open_joint(table)
    if not table.is_drawn_now:
        raise not_due()
    tried = (table.redrawn(number) for number in start_seeds(seed))
    fresh = next(one for one in tried if joint.first in {None, one.first_seat})
    return changed(fresh, joint=changed(joint, awaits=frozenset(), seed=seed.hex()))


# ---------------------------------------------------------------- proposals and votes


def _voted_on(table: T, order: Propose | Vote | GoOn | Absent, at: datetime) -> T:
    match order:
        case Propose():
            return _proposed(table, order, at)
        case Vote():
            return _voted(table, order, at)
        case GoOn():
            if not table.agreements.is_paused:
                raise TableError("the game is not paused", code="table/not-now")
            return changed(table, agreements=table.agreements.ending_pause(at))
        case Absent(seat=seat, absent=absent):
            is_held = seat < len(table.seats) and table.seats[seat].session is not None
            before = table.agreements.absent
            return _with(table, absent=before | {seat} if absent and is_held else before - {seat})


def _check_not_over(table: Table) -> None:
    if table.outcome is not None:
        raise TableError("the game is over", code="table/game-over", rule=table.outcome.rule)


def _check_running(table: Table) -> None:
    _check_not_over(table)
    table.check_started()


def _proposed(table: T, order: Propose, at: datetime) -> T:
    _check_running(table)
    agreements = table.agreements
    if agreements.open_at(at) is not None:
        raise TableError("another proposal is open and has to be decided first", code="table/proposal-open")
    _check_proposable(table, order, at)
    proposal = Proposal(
        number=agreements.count + 1,
        what=order.what,
        by=order.seat,
        agreed=table.seats_of_user(order.seat),
        about=order.about,
        days=order.days,
        until=None if order.what == "take_back" else at + _VOTING_TIME,
    )
    return _with(table, count=proposal.number, open=proposal)


def _check_proposable(table: Table, order: Propose, at: datetime) -> None:
    if order.what in {"bot", *table.draw_proposals()}:
        is_own = order.about in table.seats_of_user(order.seat)
        if is_own or order.about not in _absent(table, order.what):
            raise TableError("this player is still there", code="table/still-there", key="about")
    elif order.what == "take_back":
        _check_not_paused(table, at)
        table.check_takeback(order.seat)
    elif order.what not in table.proposable():
        raise TableError("this can't be proposed at this table, or not now", code="table/not-now", key="what")


def _absent(table: Table, what: str) -> frozenset[int]:
    """Return the seats of absent players; for a substitute bot, also of those who time out."""
    return table.people & table.agreements.absent.union(table.timed_out_seats() if what == "bot" else ())


def _voted(table: T, order: Vote, at: datetime) -> T:
    """Return the table after a vote: a proposal needs all votes."""
    _check_running(table)
    proposal = table.agreements.open_at(at)
    if proposal is None or proposal.number != order.number:
        raise TableError("this proposal is no longer open", code="table/no-proposal", key="number")
    if order.seat not in table.voters(proposal) | {proposal.by}:
        raise TableError("only the other players can answer this", code="table/not-yours-to-say", key="seat")
    if not order.agree:
        return _with(table, open=None)
    agreed = proposal.agreed | table.seats_of_user(order.seat)
    return _with(table, open=changed(proposal, agreed=agreed))


def _with_proposal_decided(before: Table, table: T, at: datetime) -> T:
    """Return the table with its open proposal carried out if all agreed, or dropped if it is moot."""
    proposal = table.agreements.open_at(at)
    if proposal is None or _is_moot(before, table, proposal):
        return _with(table, open=None)
    if table.awaited_voters():
        return table
    decided = _with(table, open=None)
    if proposal.what == "bot" and proposal.about is not None:
        return _with_substitute(decided, proposal.about, at)
    after = decided.carry_out(proposal, at)
    return with_absent_left(after, table.agreements.absent) if proposal.what == "draw" else after


def _is_moot(before: Table, table: Table, proposal: Proposal) -> bool:
    if table.outcome is not None or table.seats[proposal.by].session is None:
        return True
    if proposal.what == "take_back":
        return table.position is not before.position
    return proposal.about is not None and proposal.about not in _absent(table, proposal.what)


def _with_substitute(table: T, seat: int, at: datetime) -> T:
    """Let a bot play for an absent player, who may return for as long as the table allows."""
    held, agreements = table.seats[seat], table.agreements
    until = at + timedelta(minutes=agreements.back)
    others = tuple(one for one in agreements.substitutes if one.seat != seat)
    kind: Literal["here", "open"] = "here" if held.kind == "here" else "open"
    substitute = Substitute(seat, kind, held.session or "", until)
    left = _with(table, substitutes=(*others, substitute), absent=agreements.absent - {seat})
    return left.with_bot(seat).with_other_player(seat, at)


def _back_from_substitute(table: T, seat: int, session: str | None, at: datetime) -> T | None:
    """Return the table with a player back at their seat; None if no substitute plays for them."""
    substitute = table.agreements.substitute_for(seat, session, at)
    if substitute is None or table.outcome is not None:
        return None
    others = tuple(one for one in table.agreements.substitutes if one != substitute)
    back = _with(table, substitutes=others)
    return back.with_seat(seat, kind=substitute.kind, bot=None, session=session).with_other_player(seat, at)


def _with(table: T, **fields: object) -> T:
    return changed(table, agreements=changed(table.agreements, **fields))

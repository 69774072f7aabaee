"""What a card that arrives comes to, and what the clock decides. Rule: K3.5, K4, K7.

An intent names the top card that its player saw.
"""

from __future__ import annotations

from dataclasses import dataclass

from ekoes.games.contract import Refusal
from ekoes.games.ekko.action import Action, Draw, Effect, Mirror, Misplay, Play
from ekoes.games.ekko.live.entry import Verdict
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.refusal import Situation, card_code, explain, is_valid, refusal
from ekoes.games.ekko.rules.cards import mirror_of

__all__ = ["Judgement", "clock_action", "judge_card", "judge_draw", "may_be_mirrored"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict; refusal: why the card is no play, if it isn't one."""

    verdict: Verdict
    refusal: Refusal | None = None


def judge_card(
    position: EkkoPosition, seat: int, card: int, on: int, seen: Situation | None, *, misplays: bool
) -> Judgement:
    """Judge a card as it arrives. Rule: K3.4, K3.5, K4.1-K4.3, K7.2-K7.4.

    on: the top card that it answers. seen: the latest position of this round in which that was the top
    card, None if it never was: nobody can have seen it. misplays: whether a wrong card costs one (K4.3);
    where it doesn't, a card that fits by luck goes back too.
    """
    if card not in position.hands[seat]:
        return _judged(Verdict.REFUSED, "not-in-hand")
    if seen is None:
        is_wrong = misplays and position.why_not(seat, Misplay(card)) is None
        return _judged(Verdict.MISPLAY if is_wrong else Verdict.REFUSED, "never-top")
    if card == mirror_of(on) and on != position.top:
        return _judged(Verdict.LATE, "mirror-late")
    if on != position.top and seen.leaving is None and is_valid(seen, seat, card):
        return _judged(Verdict.LATE, "play-late")
    is_mirror = card == mirror_of(position.top or 0) and card not in position.blocked[seat]
    code = None if is_mirror else card_code(position, seat, card)
    if code is None and on != position.top and not misplays:
        code = "play-late"  # where nothing is paid for a wrong card, nothing is gained by sending many
    if code is None:
        return Judgement(Verdict.MIRROR if is_mirror else Verdict.PLAY)
    if seen.leaving is not None and position.zone[-2:-1] == (on,):
        code = "leaving"  # it answered a last card that has just been mirrored: that cost nothing (K7.4)
    return _judged(Verdict.MISPLAY if misplays and code != "leaving" else Verdict.REFUSED, code)


def judge_draw(position: EkkoPosition, seat: int) -> Refusal | None:
    """Tell why a seat may not draw now, None if it may. Rule: K2.2, K7.4."""
    return explain(position, seat, Draw())


def clock_action(position: EkkoPosition) -> Action:
    """Return what the program does for a player in turn whose time is up. Rule: K7.5."""
    seat = position.player if position.player is not None else 0
    valid = [card for card in position.hands[seat] if is_valid(position, seat, card)]
    mirror = mirror_of(position.top) if position.top is not None else 0
    plays = [card for card in valid if card != mirror]
    if plays:
        return Play(plays[0])
    return Mirror(mirror, Effect.DRAW, on=position.top) if valid else Draw()


def may_be_mirrored(position: EkkoPosition) -> bool:
    """Tell whether, for all that everybody has seen, the top card may still be mirrored. Rule: K3.1."""
    mirror = mirror_of(position.top) if position.top is not None else 0
    return mirror != 0 and mirror not in position.zone


def _judged(verdict: Verdict, code: str) -> Judgement:
    return Judgement(verdict, refusal(code))

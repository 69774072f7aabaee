"""Games of EKKO for tests: random play from a seed, as a sequence (K6) and at a live table (K7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.table import Arrival
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.machine import AFTER_MISPLAY, clock_action, judge_card
from ekoes.games.ekko.live.state import LiveOptions, Verdict
from ekoes.games.ekko.position.action import (
    Action,
    Claim,
    Close,
    Deal,
    Draw,
    Effect,
    Late,
    Mirror,
    Misplay,
    Pass,
    Play,
    Ready,
)
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.position.refusal import is_valid
from ekoes.games.ekko.rules.record import Phase, mirror_of
from ekoes.records import Decision
from tests.unit.games import random_steps


def random_ekko(seed: int, most: int = 10_000, **options: Any) -> Iterator[tuple[EkkoPosition, int, Any]]:
    """Yield (position, seat, action) of a random sequence, ``most`` decisions of it at most."""
    return random_steps(EKKO.new({"players": 3} | options, seed), Chance(seed), most)


def some_position(seed: int, players: int, decisions: int, *, live: bool = False) -> EkkoPosition:
    """Return a position in which a player is asked, after some random decisions."""
    chance = Chance(seed)
    position = EKKO.new({"players": players, "target": 1000, "live": live}, seed)
    while decisions > 0 or position.actors() == (CHANCE,):
        (seat,) = position.actors()
        dealt = seat == CHANCE
        action = position.chance_action(chance) if dealt else chance.choice(position.legal(seat))
        position = position.play(seat, action)
        decisions -= 1
    return position


class LiveGame:
    """A table where everybody sends cards at random, now and then on a card that is no longer on top.

    It knows by itself what a table makes of them, so that the machine is held against it. is_closed: in
    calm mode, whether the window has ended, so that only the player in turn may put a card.
    """

    def __init__(self, seed: int, table: LiveOptions, **options: Any) -> None:
        self.chance, self.table, self.now = Chance(seed), table, 0
        self.position = EKKO.new({"players": 3, "live": True} | options, seed)
        self.start = self.position
        self.decisions: list[Decision] = []
        self.seen: dict[int, EkkoPosition] = {}
        self.covered: dict[int, tuple[int, int, int]] = {}
        self.busy: dict[int, int] = {}
        self.is_closed = False

    def play(self, most: int) -> None:
        """Let ``most`` intents arrive, or fewer if the game ends before."""
        while len(self.decisions) < most and self.position.phase != Phase.OVER:
            self.now += self.chance.below(900)
            if self.position.phase == Phase.DEAL:
                self._take(CHANCE, self.position.chance_action(self.chance))
            elif self.position.leaving is not None and self.chance.below(2):
                self._wait()
            else:
                self._send()

    def _take(self, seat: int, action: Action, saw: int | None = None, came: int | None = None) -> None:
        """Let an action happen; came: when it was claimed, if that was earlier."""
        top, self.position = self.position.top, self.position.play(seat, action)
        self.is_closed = isinstance(action, Misplay)
        self._keep(seat, action, saw)
        if isinstance(action, Deal):
            self.seen, self.covered, self.busy = {}, {}, {}
        elif isinstance(action, Misplay):
            self.busy[seat] = self.now + AFTER_MISPLAY
        elif top is not None and isinstance(action, Play | Mirror):
            self.covered[top] = self.now if came is None else came, seat, action.card
        if self.position.top is not None:
            self.seen[self.position.top] = self.position

    def _keep(self, seat: int, action: Any, saw: int | None = None, behind: int | None = None) -> None:
        arrival = Arrival(self.now, saw, behind)
        self.decisions.append(Decision(seat, action, arrival=arrival))

    def _wait(self) -> None:
        """Let the reaction time end, by everybody's pass or by the clock."""
        limit = self.table.window if self.table.calm else self.table.reaction
        if limit is None or self.chance.below(2):
            self._pass_all(besides=set())
        else:
            self.now += limit
        self._take(CHANCE, Close())

    def _pass_all(self, besides: set[int]) -> None:
        for seat in range(self.position.players):
            if seat not in {self.position.leaving, *besides}:
                self._keep(seat, Pass(), self.position.top)

    def _send(self) -> None:
        seat = self.chance.below(self.position.players)
        if self.chance.below(12) == 0:
            self._keep(seat, Ready())
            return
        if seat == self.position.player and self.position.why_not(seat, Draw()) is None:
            self._take(seat, Draw())
            return
        on = self.position.top if self.chance.below(3) else self.chance.choice(list(self.seen))
        hand = self.position.hands[seat]
        if on is None or not hand:
            return
        mirror = mirror_of(on)
        card = mirror if mirror in hand else self.chance.choice(hand)
        self._judge(seat, card, on)

    def _judge(self, seat: int, card: int, on: int) -> None:
        answers = self._answered(seat, card, on)
        is_open = not self.table.calm or seat == self.position.player
        misplays = self.table.misplays and is_open
        seen = self.seen.get(answers)
        judged = judge_card(self.position, seat, card, answers, seen, misplays=misplays).verdict
        if judged is Verdict.LATE:
            self._keep(seat, Late(card), on, self.now - self.covered[answers][0])
        elif self.now < self.busy.get(seat, 0) and (judged is Verdict.MISPLAY or not self.table.calm):
            return  # its hand takes a card back
        elif self.table.calm and seat != self.position.player and not self._may_claim(judged):
            return  # nothing is a misplay out of turn
        elif judged is Verdict.MISPLAY:
            self._take(seat, Misplay(card), on)
        elif judged is Verdict.PLAY:
            self._take(seat, Play(card), on)
        elif judged is Verdict.MIRROR:
            self._mirror(seat, card, self.position.top or 0)

    def _answered(self, seat: int, card: int, on: int) -> int:
        """Return what a card answers: not what its sender has covered (K7.2)."""
        while on != self.position.top and mirror_of(on) != card and self.covered[on][1] == seat:
            on = self.covered[on][2]
        return on

    def _may_claim(self, judged: Verdict) -> bool:
        return judged is Verdict.MIRROR and not self.is_closed

    def _mirror(self, seat: int, card: int, on: int) -> None:
        """Claim a mirror and choose its effect later; now and then another card comes between.

        A mirror that is its player's last card has no effect to choose (K3.4): it is played at once, in calm
        mode as the window ends, and no card comes between.
        """
        has_choice = len(self.position.hands[seat]) > 1
        if not self.table.calm and not has_choice:
            self._take(seat, Mirror(card, Effect.DRAW, on=on), on)
            return
        claimed = self.now
        self._keep(seat, Claim(card), on)
        if self.table.calm and self.position.leaving is not None:
            self._pass_all(besides={seat})
        self.now += 1 + self.chance.below(50)
        if has_choice:
            self._send_late(seat, on, claimed)
        left = [one for one in self.position.hands[seat] if one != card]
        self.now += self.chance.below(900)
        if left and self.chance.below(2):
            self._take(seat, Mirror(card, Effect.DISCARD, self.chance.choice(left), on), on, claimed)
        else:
            self._take(seat, Mirror(card, Effect.DRAW, on=on), on, claimed)

    def _send_late(self, seat: int, on: int, claimed: int) -> None:
        """Let the player in turn send every valid card while a seat chooses the effect of its mirror."""
        player = self.position.player or 0
        for other in self.position.hands[player]:
            is_late = is_valid(self.position, player, other) and self.position.leaving is None
            if is_late and player != seat:  # beside one's own claim nothing is late (K7.2)
                self._keep(player, Late(other), on, self.now - claimed)


def clock_game(seed: int) -> tuple[EkkoPosition, list[Decision]]:
    """Return a round that the turn clock alone plays, every thirty seconds (K7.5)."""
    start = position = EKKO.new({"players": 2, "live": True}, seed)
    decisions, now = [Decision(CHANCE, position.chance_action(Chance(seed)), arrival=Arrival(0))], 0
    position = position.play(CHANCE, decisions[0].action)
    while position.phase == Phase.PLAY and position.leaving is None:
        now += 30_000
        seat, action = position.player or 0, clock_action(position)
        decisions.append(Decision(seat, action, arrival=Arrival(now, position.top, is_clock=True)))
        position = position.play(seat, action)
    return start, decisions

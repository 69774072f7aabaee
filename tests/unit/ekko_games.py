"""Games of EKKO for tests: random play from a seed, as a sequence (K6) and at a live table (K7)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json, RefusedError
from ekoes.games.api.table import Arrival
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.machine import clock_action
from ekoes.games.ekko.live.state import Stage, Verdict
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import Phase, mirror_of
from ekoes.records import Decision
from tests.reference import ekko as reference
from tests.unit.games import random_steps
from tests.unit.tables.racing import Race


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


NOTHING_NEW = {("late", "nothing"), ("refused", "nothing")}
"""The same again is noted once; a card for one that is not there yet makes its hand busy."""


class Rain(Race):
    """A table whose cards are shuffled, and whose players send whatever they like."""

    def __init__(self, rng: Random, players: int, **options: Any) -> None:
        self.rng = rng
        self.shown: list[Json] = []
        super().__init__(players=players, begins=False, **options)

    def shuffled(self) -> tuple[int, ...]:
        return tuple(self.rng.sample(range(1, 99), 98))

    def drop(self) -> None:
        """Send one thing, sensible as often as not; a refused one changes nothing."""
        seat, content = self.sensible() if self.rng.random() < 1 / 2 else self.any_intent()
        before, wanted = self.table, self.verdict(seat, content)
        try:
            self.send(seat, **content)
        except EkoesError as error:
            assert self.table == before
            is_busy = isinstance(error, RefusedError) and error.refusal.code == "hand-busy"
            assert is_busy or wanted in (None, "refused") or seat not in before.people, content
        else:
            came = [entry for entry in self.table.log[before.length :] if entry.seat == seat]
            found = came[0].verdict.value.replace("claim", "mirror") if came else "nothing"
            assert wanted in {None, found} or (wanted, found) in NOTHING_NEW, content

    def verdict(self, seat: int, content: Json) -> str | None:
        """What a card comes to by the rules alone; None for what the reference does not judge."""
        play = self.table.play
        is_judged = play.stage in (Stage.RACE, Stage.LEAVING) and not play.options.calm
        if not is_judged or content["kind"] not in ("play", "mirror") or "effect" in content:
            return None
        since = max(n for n, entry in enumerate(self.table.log) if entry.verdict is Verdict.DEAL)
        self.shown += [entry.position.to_json() for entry in self.table.log[len(self.shown) :]]
        card, on = content["card"], content["on"]
        by_clock = [entry for entry in self.table.log[since:] if entry.by_clock]
        clocked = [entry.position.top for entry in by_clock if entry.verdict is not Verdict.DRAW]
        misplays = play.options.misplays
        return reference.live_verdict(self.shown[since:], seat, card, on, clocked=clocked, misplays=misplays)

    def sensible(self) -> tuple[int, Json]:
        """What moves the game on, at times too late."""
        position, seats = self.table.position, range(self.table.position.players)
        stage, top = self.table.play.stage, position.top
        if stage is Stage.LOOK:
            return self.rng.choice(seats), {"kind": "ready", "round": position.round}
        if stage is Stage.EFFECT and self.table.play.claim is not None:
            return self.table.play.claim.seat, {"kind": "effect", "effect": "draw"}
        hands = enumerate(position.hands)
        late = [(seat, on) for seat, hand in hands for on in position.zone[:-1] if mirror_of(on) in hand]
        if late and self.rng.random() < 1 / 4:
            seat, on = self.rng.choice(late)
            return seat, {"kind": "play", "card": mirror_of(on), "on": on}
        holders = [seat for seat in seats if mirror_of(top or 0) in position.hands[seat]]
        if holders and self.rng.random() < 1 / 2:
            return holders[0], {"kind": "play", "card": mirror_of(top or 0), "on": top}
        if stage in (Stage.WINDOW, Stage.LEAVING):
            return self.rng.choice(seats), {"kind": "pass", "on": top}
        action = EKKO.action_to_json(clock_action(position)) if position.phase == Phase.PLAY else {}
        kind = action.pop("type", "draw")
        return position.player or 0, {"kind": kind, "on": top} | action

    def any_intent(self) -> tuple[int, Json]:
        """Anything that has a form."""
        rng, position = self.rng, self.table.position
        seat = rng.randrange(position.players)
        cards = [*position.hands[seat], rng.randint(1, 98)]
        on = rng.choice([position.top or 7, *position.zone[-3:], rng.randint(1, 98)])
        card, aside = rng.choice(cards), rng.choice(cards)
        content = rng.choice(
            [
                {"kind": "play", "card": card, "on": on},
                {"kind": "play", "card": card, "on": on},
                {"kind": "mirror", "card": card, "on": on},
                {"kind": "mirror", "card": card, "on": on, "effect": "draw"},
                {"kind": "mirror", "card": card, "on": on, "effect": "discard", "aside": aside},
                {"kind": "effect", "effect": "discard", "aside": aside},
                {"kind": "draw", "on": on},
                {"kind": "pass", "on": on},
                {"kind": "ready", "round": position.round},
            ]
        )
        return seat, content


def rain(rng: Random, players: int, *, target: int = 12, **options: Any) -> Rain:
    """Play until the end of the game, or for a long time; return the table."""
    table = Rain(rng, players, target=target, **options)
    for _ in range(1_500):
        if table.table.outcome is not None:
            break
        if rng.random() < 1 / 1000 and len(table.table.people) > 1:
            table.resign(rng.choice(sorted(table.table.people)))
        elif rng.random() < 1 / 4:
            table.wait(rng.choice([1, 40, 700, 3_000, 40_000]))
        else:
            table.drop()
    return table

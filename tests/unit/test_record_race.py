"""The record of a table where the quicker hand wins: whatever people send, it reads back and replays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.machine import judge_card
from ekoes.games.ekko.live.state import Verdict
from ekoes.games.ekko.position.position import EkkoPosition, shuffled_cards
from ekoes.games.ekko.rules.record import mirror_of
from ekoes.records import read_record, replay
from tests.tables import made
from tests.unit.ekko_games import random_ekko
from tests.unit.tables.racing import Race

MOST = 120


class Crowd:
    """Everybody at a table sends whatever comes to mind, at times on a card that is long covered."""

    def __init__(self, seed: int, players: int, **options: object) -> None:
        self.chance, self.players = Chance(seed), players
        self.race = Race(players=players, **options)  # type: ignore[arg-type]
        self.race.shuffled = lambda: shuffled_cards(self.chance)  # type: ignore[method-assign]
        self.tops: list[int] = []

    def play(self) -> None:
        for _ in range(MOST):
            if self.race.table.outcome is not None:
                return
            try:
                self.race.wait(self.chance.choice([0, 1, 30, 400, 2500]))
                self._send(self.chance.below(self.players))
            except EkoesError:
                pass  # refused, and not kept

    def _send(self, seat: int) -> None:
        table, send = self.race.table, self.race.send
        position = table.position
        if position.top is not None and position.top not in self.tops:
            self.tops.append(position.top)
        on = self.chance.choice(self.tops[-4:]) if self.chance.below(3) == 0 else position.top
        if self.race.stage == "look":
            send(seat, "ready", round=position.round)
        elif self.race.stage == "effect" and table.play.claim is not None and self.chance.below(2):
            self._choose(table.play.claim.seat, table.play.claim.card)
        elif self.race.stage in {"window", "leaving"} and self.chance.below(2):
            send(seat, "pass", on=on)
        elif self.chance.below(200) == 0:
            self.race.resign(seat)
        elif self.chance.below(4) == 0:
            send(seat, "draw", on=on)
        else:
            self._put(seat, on or 0)

    def _choose(self, seat: int, mirror: int) -> None:
        others = [card for card in self.race.hand(seat) if card != mirror]
        if others and self.chance.below(2):
            self.race.send(seat, "effect", effect="discard", aside=self.chance.choice(others))
        else:
            self.race.send(seat, "effect", effect="draw")

    def _put(self, seat: int, on: int) -> None:
        """Put the mirror if somebody holds it, else any card, mostly in turn."""
        mirror = mirror_of(on)
        users = [other for other in range(self.players) if mirror in self.race.hand(other)]
        if users and self.chance.below(2):
            self.race.send(users[0], "play", card=mirror, on=on)
            return
        player = self.race.table.position.player
        if player is not None and self.chance.below(4):
            seat = player
        if self.race.hand(seat):
            self.race.send(seat, "play", card=self.chance.choice(self.race.hand(seat)), on=on)


@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 2**32),
    players=st.integers(2, 6),
    misplays=st.booleans(),
    calm=st.booleans(),
    clock=st.sampled_from([None, 10]),
    window=st.sampled_from([None, 6]),
)
def test_a_tables_record_reads_back_and_replays(
    seed: int, players: int, misplays: bool, calm: bool, clock: int | None, window: int | None
) -> None:
    windows = {"window": window} if calm else {}
    crowd = Crowd(seed, players, misplays=misplays, calm=calm, turn_clock=clock, target=12, **windows)
    crowd.play()
    table = crowd.race.table
    record = read_record(table.open_record_text(made(table), table.log, [EKKO.rules_version] * table.length))
    assert len(record.decisions) == len(table.log)
    assert list(replay(record))[-1] == table.position
    assert record.outcome == table.outcome


@pytest.mark.parametrize("seed", range(20))
def test_a_card_that_has_become_the_mirror_is_judged_as_one(seed: int) -> None:
    """K3.4: whatever its player saw, unless it was valid there: then it is too late (K7.2)."""
    seen: dict[int, EkkoPosition] = {}
    for position, _, _ in random_ekko(seed, 200, live=True):
        if position.top is None:
            seen.clear()
            continue
        seen[position.top] = position
        mirror = mirror_of(position.top)
        for seat, hand in enumerate(position.hands):
            if mirror in hand and mirror not in position.blocked[seat]:
                verdicts = {
                    judge_card(position, seat, mirror, on, then, misplays=True).verdict
                    for on, then in seen.items()
                }
                assert verdicts <= {Verdict.MIRROR, Verdict.LATE}
                assert judge_card(position, seat, mirror, position.top, position, misplays=True).verdict == (
                    Verdict.MIRROR
                )

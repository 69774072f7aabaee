"""The fault harness notices a hidden card in a message."""

from __future__ import annotations

from typing import Any

from tools.faults.witness import Witness

Json = dict[str, Any]


def table(seat: int, hand: list[int], *, zone: tuple[int, ...] = (40,), **more: Any) -> Json:
    """Return the message of a table at one version to the player of a seat."""
    own = {"hands": {str(seat): {"hand": hand, "blocked": [], "aside": []}}}
    position = {"zone": list(zone), "sizes": [2, 2], "turn": {"round": 1, "player": 0}}
    return {
        "id": "t",
        "game": "ekko",
        "version": 3,
        "state": {"position": position},
        "own": own,
        "log": [],
        **more,
    }


def faults(*messages: Json) -> list[str]:
    witness = Witness()
    return [fault for viewer, one in enumerate(messages) for fault in witness.check(f"p{viewer}", one, one)]


def test_a_card_of_another_hand_is_seen_wherever_it_stands() -> None:
    assert faults(table(0, [5, 6]), table(1, [7, 8])) == []
    (fault,) = faults(table(0, [5, 6], news={"list": [[8]]}), table(1, [7, 8]))
    assert "p0 received [8] in the hand of seat 1, as list" in fault


def test_a_players_own_card_may_be_sent_outside_the_hand() -> None:
    assert faults(table(0, [5, 6], news=[6]), table(1, [7, 8])) == []


def test_a_card_that_has_lain_open_in_the_round_may_be_sent() -> None:
    assert faults(table(0, [5, 6], news=[8], zone=(8, 40)), table(1, [7, 8], zone=(8, 40))) == []


def test_a_card_that_a_late_intent_names_may_be_sent() -> None:
    late = {"round": 1, "seat": 0, "action": {"type": "misplay", "card": 6}, "on": 8}
    assert faults(table(0, [5, 6], log=[late]), table(1, [7, 8], log=[late])) == []


def test_another_hand_among_ones_own_is_seen() -> None:
    both = table(0, [5, 6])
    both["own"]["hands"]["1"] = {"hand": [7], "blocked": [], "aside": []}
    (fault,) = faults(both)
    assert "sees the hands [0, 1]" in fault

"""E10: portals, tempests, Beacon, temples, pyramids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ekoes.games.api.registry import game
from ekoes.games.eko.position.action import Move, Space
from ekoes.games.eko.position.layout import Layout
from tests.rules.eko.board import (
    BEACON,
    END,
    HEXAGON,
    MARCH,
    PYRAMID,
    SOUTH,
    WEST,
    WONDERS,
    allowed,
    at,
    build,
    draw,
    ended,
    moon,
    move,
    of_type,
    options,
    phase,
    play,
    refused,
    reinforce,
    reserve,
    sandtemple,
)

if TYPE_CHECKING:
    from ekoes.games.eko.position.position import EkoPosition


def wonders(*players: str, **turn: object) -> EkoPosition:
    return draw(*players, tiles=WONDERS, **turn)


def ways(position: EkoPosition, start: str, end: str) -> set[tuple[str, ...]]:
    """The sets of zones that the moves from one space to another are paid with."""
    return {
        tuple(str(zone) for zone in action.zones)
        for action in of_type(position, "move")
        if isinstance(action, Move) and (str(action.source), str(action.target)) == (start, end)
    }


def cheapest(position: EkoPosition, start: str, end: str) -> set[tuple[str, ...]]:
    """Those of the ways that cost least; detours by other zones cost more."""
    all_ways = ways(position, start, end)
    least = min(map(len, all_ways))
    return {zones for zones in all_ways if len(zones) == least}


# --- E10.1 portals: their open sides face -2,-2 and 3,0 -------------------------------------


def test_e10_1_through_the_portal_and_on() -> None:
    """Shut in but for the portal behind -2,-2, whose other end lies in the east."""
    position = wonders("2E@-3,-1", "3@-1,-2 3@-1,-1 1E@3,-1 2@-4,-1 2@-4,0")
    moves = {str(a.target) for a in of_type(position, "move") if isinstance(a, Move)}
    assert {"-2,-2", "3,0", "2,0", "2,1"} <= moves
    assert at(allowed(position, move("-3,-1", "2,1")), "2,1") == "0:2E"


def test_e10_1_regroup_and_attack_through_a_portal() -> None:
    regroup = wonders("2E@-2,-2 1@3,0", "3@-1,-2 1E@0,2")
    assert at(allowed(regroup, move("-2,-2", "3,0")), "3,0") == "0:3E"
    attack = wonders("2E@-2,-2", "2@3,0 3@-1,-2 1E@0,2")
    assert at(allowed(attack, move("-2,-2", "3,0")), "3,0") == "0:2E"


def test_e10_1_blocked_behind_it_a_portal_can_not_be_used() -> None:
    walls = "3@-1,-2 3@-1,-1 4@-3,-1"
    strong = wonders("2E@-2,-2", f"3@3,0 {walls} 1E@0,2")
    assert {a for a in of_type(strong, "move") if isinstance(a, Move) and a.source == Space(-2, -2)} == set()
    full = wonders("2E@-2,-2 3@3,0", f"{walls} 1E@0,2")
    refused(full, move("-2,-2", "3,0"), "E5.2", "too-high")


def test_e10_1_nobody_stops_on_a_portal_or_builds_there() -> None:
    position = wonders("2E@3,0", "1E@0,2")
    refused(position, move("3,0", "4,0"), "E5.1", "not-a-movement-space")
    refused(position, build("3,0", "4,0", "camp"), "E1.5", "not-a-site")


def test_e10_1_only_the_open_side() -> None:
    """3,1 and 4,-1 touch the eastern portal too, but it opens to 3,0 alone."""
    layout = Layout(2, WONDERS)
    assert layout.portal_link == (layout.index[Space(-2, -2)], layout.index[Space(3, 0)])


def test_e10_1_portals_never_join_zones() -> None:
    """One portal opens on the southern zone, one on the pyramid's; they stay two."""
    tiles = [tile for tile in WONDERS if tile[0] != "R"] + [["R", 3, 3, 3], ["R", 6, -3, 3]]
    layout = Layout(2, tiles)
    assert [str(layout.spaces[front]) for *_, front in layout.portals] == ["5,-3", "2,3"]
    assert len(layout.zones) == 4
    position = draw("3@2,2 1E@-4,2", "1E@0,-3", tiles=tiles)
    assert {(PYRAMID,), (PYRAMID, SOUTH)} <= ways(position, "2,2", "5,-3")


# --- E10.2 tempests -------------------------------------------------------------------------


def test_e10_2_a_zone_is_a_connected_group_of_whatever_tiles() -> None:
    layout = Layout(2, [*HEXAGON, ["P", 1, 3, 0], ["Q", 3, 3, 2], ["S", 5, -4, 0]])
    zones = [{str(layout.spaces[space]) for space in zone} for zone in layout.zones]
    assert zones == [{"5,-4", "6,-4", "5,-3"}, {"1,3", "2,3", "1,4", "3,2", "3,3", "3,4"}]


def test_e10_2_one_disc_for_each_zone_stopped_in() -> None:
    after = allowed(wonders("3@2,2 1E@-4,2", "1E@-1,-1"), move("2,2", "1,4", SOUTH))
    assert (at(after, "1,4"), reserve(after, 0)) == ("0:2", "1")
    assert after.to_json()["turn"]["paid"] == [SOUTH]


def test_e10_2_one_disc_for_each_zone_passed_through() -> None:
    """-3,2 is blocked, so the way to -4,2 leads through the west."""
    position = wonders("3@-3,-1 1E@2,2", "4@-3,2 1E@0,2")
    assert cheapest(position, "-3,-1", "-4,2") == {(WEST,)}
    refused(position, move("-3,-1", "-4,2"), "E10.2", "own-zones")
    after = allowed(position, move("-3,-1", "-4,2", WEST))
    assert (at(after, "-4,2"), reserve(after, 0)) == ("0:2", "1")


def test_e10_2_one_disc_for_the_zone_it_starts_from() -> None:
    position = wonders("3@-4,0 1E@2,2", "1E@0,2")
    assert cheapest(position, "-4,0", "-3,-1") == {(WEST,)}
    after = allowed(position, move("-4,0", "-3,-1", WEST))
    assert (at(after, "-3,-1"), reserve(after, 0)) == ("0:2", "1")


def test_e10_2_each_set_of_zones_is_an_action_of_its_own() -> None:
    """Ruling: from -3,-1 to -4,2 through the west, or round it, or with a detour by the Beacon."""
    position = wonders("3@-3,-1 1E@2,2", "1E@0,2")
    assert ways(position, "-3,-1", "-4,2") >= {(), (WEST,), (BEACON,), (WEST, BEACON)}


def test_e10_2_every_zone_on_the_way_is_paid() -> None:
    """Ruling: a detour by the Beacon and through the west; for this turn both are paid."""
    position = wonders("4@-3,-1 1E@2,2", "1E@0,2")
    after = allowed(position, move("-3,-1", "-4,2", WEST, BEACON))
    assert (at(after, "-4,2"), reserve(after, 0)) == ("0:2", "2")
    assert after.to_json()["turn"]["paid"] == [WEST, BEACON]


def test_e10_2_a_stack_must_survive_its_detours() -> None:
    position = wonders("2@-3,-1 1E@2,2", "1E@0,2")
    assert {len(zones) for zones in ways(position, "-3,-1", "-4,2")} == {0, 1}


def test_e10_2_once_a_turn_over_both_actions() -> None:
    """Ruling: whichever stacks move."""
    position = wonders("3@2,2 2@1,2 1E@-4,2 +3", "1E@-1,-1")
    position = play(position, move("2,2", "1,4", SOUTH), MARCH)
    assert cheapest(position, "1,2", "1,3") == {()}
    assert cheapest(position, "1,4", "2,2") == {()}
    after = allowed(position, move("1,2", "1,3"))
    assert at(after, "1,3") == "0:2"


def test_e10_2_again_in_the_next_turn() -> None:
    position = play(
        wonders("4@2,2 1E@-4,2", "1E@-1,-1"),
        move("2,2", "1,4", SOUTH),
        reinforce("-4,2", 1),
        move("-1,-1", "-1,0"),
    )
    assert phase(position) == "0 action"
    assert cheapest(position, "1,4", "2,2") == {(SOUTH,)}


def test_e10_2_the_emperor_may_be_among_the_lost() -> None:
    position = wonders("2E@2,2", "1E@-1,-1")
    stored = allowed(position, move("2,2", "1,3", SOUTH))
    assert (at(stored, "1,3"), reserve(stored, 0)) == ("0:1E", "1")
    lost = allowed(position, move("2,2", "1,3", SOUTH, emperor_lost=True))
    assert (at(lost, "1,3"), reserve(lost, 0)) == ("0:1", "0E")
    refused(position, move("2,2", "1,2", emperor_lost=True), "E10.2", "no-disc-lost")


def test_e10_2_only_an_emperor_in_the_stack_is_lost() -> None:
    position = wonders("2@2,2 1E@-4,2", "1E@-1,-1")
    refused(position, move("2,2", "1,3", SOUTH, emperor_lost=True), "E10.2", "no-emperor-in-stack")


def test_e10_2_each_zone_is_named_once_and_in_order() -> None:
    position = wonders("4E@2,2", "1E@-1,-1")
    refused(position, move("2,2", "1,3", SOUTH, SOUTH), "E10.2", "zones-order")
    detours = (tuple(way.zones) for way in of_type(position, "move") if isinstance(way, Move))
    one, other = max(detours, key=len)[:2]
    refused(position, move("2,2", "-1,1", str(other), str(one)), "E10.2", "zones-order")


def test_e10_2_move_without_zones_that_none_would_allow_is_refused_for_what_stands_there() -> None:
    position = wonders("3@2,3 1E@-4,2", "2@1,3 1E@-1,-1")
    refused(position, move("2,3", "1,3", SOUTH), "E5.3", "too-weak")
    refused(position, move("2,3", "1,3"), "E5.3", "too-weak")


def test_e10_2_zones_that_no_way_takes_are_no_reason_to_be_too_weak() -> None:
    position = wonders("2@2,2 1E@-4,2", "2@2,1 1E@-1,-1")
    refused(position, move("2,2", "2,1", WEST), "E10.2", "own-zones")
    refused(position, move("2,2", "2,1"), "E5.3", "too-weak")


def test_e10_2_losses_before_an_attack() -> None:
    position = wonders("3@2,2 1E@-4,2", "2@1,3 1E@-1,-1")
    refused(position, move("2,2", "1,3", SOUTH), "E5.3", "too-weak")
    stronger = wonders("4@2,2 1E@-4,2", "2@1,3 1E@-1,-1")
    assert at(allowed(stronger, move("2,2", "1,3", SOUTH)), "1,3") == "0:3"


def test_e10_2_two_discs_become_a_kamikaze_on_the_way() -> None:
    after = allowed(wonders("2@2,2 1E@-4,2", "4@1,3 1E@-1,-1"), move("2,2", "1,3", SOUTH))
    assert (at(after, "1,3"), reserve(after, 0), reserve(after, 1)) == ("", "2", "4")


def test_e10_2_the_emperor_lost_does_not_fight() -> None:
    position = wonders("3E@2,2", "2@1,3 1E@-1,-1")
    allowed(position, move("2,2", "1,3", SOUTH))
    refused(position, move("2,2", "1,3", SOUTH, emperor_lost=True), "E5.3", "too-weak")


def test_e10_2_losses_before_a_regroup() -> None:
    """Ruling: three and two are five, but one is lost on the way."""
    after = allowed(wonders("3@2,2 2@1,3 1E@-4,2", "1E@-1,-1"), move("2,2", "1,3", SOUTH))
    assert (at(after, "1,3"), reserve(after, 0)) == ("0:4", "1")


def test_e10_2_a_last_disc_is_lost_on_entering() -> None:
    """Ruling: the move ends at the first tempest space; 1,4 lies too deep."""
    position = wonders("1@2,2 1E@-4,2", "1E@-1,-1")
    after = allowed(position, move("2,2", "2,3", SOUTH))
    assert (at(after, "2,2"), at(after, "2,3"), reserve(after, 0)) == ("", "", "1")
    refused(position, move("2,2", "1,4", SOUTH), "E10.2", "no-discs-left")


def test_e10_2_a_last_disc_is_lost_at_the_start() -> None:
    """Ruling: destination and start are the same, and nothing else is possible."""
    position = wonders("1E@1,3 4@-4,2", "1E@-1,-1")
    own = {a for a in of_type(position, "move") if isinstance(a, Move) and a.source == Space(1, 3)}
    assert own == {move("1,3", "1,3", SOUTH, emperor_lost=True)}
    after = allowed(position, move("1,3", "1,3", SOUTH, emperor_lost=True))
    assert (at(after, "1,3"), reserve(after, 0)) == ("", "0E")


def test_e10_2_a_lone_emperor_lost_must_be_named() -> None:
    position = wonders("1E@2,2 4@-4,2", "1E@-1,-1")
    refused(position, move("2,2", "2,3", SOUTH), "E10.2", "emperor-must-be-lost")


def test_e10_2_without_a_disc_no_attack_and_no_regroup() -> None:
    """Ruling."""
    attack = wonders("1@2,2 1E@-4,2", "4@1,3 1E@-1,-1")
    refused(attack, move("2,2", "1,3", SOUTH), "E10.2", "no-discs-left")
    regroup = wonders("1@2,2 2@1,3 1E@-4,2", "1E@-1,-1")
    refused(regroup, move("2,2", "1,3", SOUTH), "E10.2", "no-discs-left")


def test_e10_2_no_disc_is_set_up_on_a_tempest() -> None:
    options_ = {"players": 2, "variants": ["labyrinth"], "setup": "draft"}
    position: EkoPosition = game("eko").new(options_, 3)  # type: ignore[assignment]
    layout = position.layout
    words = {layout.terrain[layout.index[a.space]].word for a in options(position)}  # type: ignore[index,union-attr]
    assert words == {"sand"}


# --- E10.3 the Beacon -----------------------------------------------------------------------


def test_e10_3_who_holds_the_beacon_ignores_tempests() -> None:
    position = wonders("2@2,2 1E@-4,4 2@-4,1 +1", "1E@-1,-1")
    assert ways(position, "2,2", "1,3") == {()}
    assert ways(position, "-4,1", "-3,-1") == {()}
    after = allowed(position, move("2,2", "1,3"))
    assert at(after, "1,3") == "0:2"
    assert {reinforce("1,3", 1), reinforce("-4,1", 1)} <= options(after)


def test_e10_3_a_tie_helps_nobody() -> None:
    position = wonders("2@2,2 1E@-4,4", "1E@-3,4")
    assert cheapest(position, "2,2", "1,3") == {(SOUTH,)}
    more = wonders("2@2,2 1E@-4,4 1@-4,5", "4E@-3,4")
    assert ways(more, "2,2", "1,3") == {()}


def test_e10_3_for_the_holder_alone() -> None:
    position = wonders("2@2,2 1E@-4,2", "1E@-4,4")
    assert cheapest(position, "2,2", "1,3") == {(SOUTH,)}


def test_e10_3_judged_as_the_action_begins() -> None:
    """Ruling: the stack that holds the Beacon leaves it, and pays nothing on this move."""
    position = wonders("2E@-3,4 +1", "1E@-1,-1")
    assert ways(position, "-3,4", "1,3") == {()}
    after = allowed(position, move("-3,4", "1,3"))
    assert at(after, "1,3") == "0:2E"


def test_e10_3_judged_again_at_reinforcement() -> None:
    """Ruling: it has left the Beacon, so the tempest it stands on takes no reinforcement."""
    after = play(wonders("2E@-3,4 1@0,2 +1", "1E@-1,-1"), move("-3,4", "1,3"))
    assert options(after) == {reinforce("0,2", 1)}


# --- E10.4 the Temple of the Moon -------------------------------------------------------------


def test_e10_4_two_discs_for_one_placed_anywhere() -> None:
    """Next to an enemy camp, on a tempest, on an empty space; never on an enemy or on four."""
    position = wonders("1E@0,2 4@2,2 camp@-2,-1 +3", "1E@-1,-1 camp@0,3", phase="reinforce")
    targets = {str(a.space) for a in of_type(position, "moon")}  # type: ignore[union-attr]
    assert {"0,2", "1,2", "1,3", "-4,4"} <= targets
    assert not {"2,2", "-1,-1", "0,3", "0,0", "4,0"} & targets
    refused(position, moon("2,2"), "E10.4", "moon-space")
    after = allowed(position, moon("1,3"))
    assert (at(after, "1,3"), reserve(after, 0)) == ("0:1", "0")
    assert after.to_json()["removed"][0] == position.to_json()["removed"][0] + 2


def test_e10_4_needs_the_building_and_three_discs() -> None:
    without = wonders("1E@0,2 +3", "1E@-1,-1 camp@-2,-1", phase="reinforce")
    refused(without, moon("1,2"), "E10.4", "moon-no-building")
    poor = wonders("1E@0,2 camp@-2,-1 +2", "1E@-1,-1", phase="reinforce")
    refused(poor, moon("1,2"), "E10.4", "moon-reserve")


def test_e10_4_the_disc_may_be_the_emperor_but_need_not() -> None:
    """Ruling; the two removed are ordinary ones."""
    position = wonders("1@0,2 camp@-2,-1 +3E", "1E@-1,-1", phase="reinforce")
    crowned = allowed(position, moon("1,2", emperor=True))
    assert (at(crowned, "1,2"), reserve(crowned, 0)) == ("0:1E", "1")
    plain = allowed(position, moon("1,2"))
    assert (at(plain, "1,2"), reserve(plain, 0)) == ("0:1", "0E")
    two = wonders("1@0,2 camp@-2,-1 +2E", "1E@-1,-1", phase="reinforce")
    allowed(two, moon("1,2", emperor=True))
    refused(two, moon("1,2"), "E10.4", "moon-reserve")


def test_e10_4_once_a_turn_and_on_top_of_reinforcement() -> None:
    """Ruling."""
    position = wonders("1E@0,2 camp@-2,-1 +7", "1E@-1,-1", phase="reinforce")
    after = allowed(position, moon("1,2"))
    assert reinforce("0,2", 1) in options(after)
    refused(after, moon("2,2"), "E10.4", "moon-used")
    first = allowed(position, reinforce("0,2", 1))
    assert moon("1,2") in options(first)
    refused(first, reinforce("0,2", 1), "E8.2", "one-stack-only")


def test_e10_4_counts_as_the_disc_that_must_come_back() -> None:
    """Ruling."""
    position = wonders("1E@0,2 camp@-2,-1 +4", "1E@-1,-1", phase="reinforce")
    refused(position, END, "E8.1", "must-reinforce")
    assert phase(allowed(play(position, moon("1,2")), END)) == "1 action"


def test_e10_4_is_never_compulsory() -> None:
    """Ruling: nothing can be reinforced, the Moon may be declined."""
    position = wonders("4E@0,2 camp@-2,-1 +3", "1E@-1,-1", phase="reinforce")
    assert END in options(position)
    assert phase(allowed(position, END)) == "1 action"


def test_e10_4_a_stack_of_the_moon_can_be_reinforced() -> None:
    """Ruling."""
    after = play(wonders("4E@0,2 camp@-2,-1 +5", "1E@-1,-1", phase="reinforce"), moon("1,2"))
    assert reinforce("1,2", 2) in options(after)


# --- E10.5 the Temple of the Sand -------------------------------------------------------------


def test_e10_5_two_discs_send_an_enemy_disc_home() -> None:
    position = wonders("1E@0,2 camp@3,1 +2", "3E@-1,-1 1@2,-1")
    after = allowed(position, sandtemple("-1,-1"))
    assert (at(after, "-1,-1"), reserve(after, 0), reserve(after, 1)) == ("1:2E", "0", "1")
    assert after.to_json()["removed"][0] == position.to_json()["removed"][0] + 2
    assert phase(after) == "0 action"
    gone = allowed(position, sandtemple("2,-1"))
    assert (at(gone, "2,-1"), reserve(gone, 1)) == ("", "1")


def test_e10_5_never_an_emperor_nor_an_own_disc() -> None:
    position = wonders("2E@0,2 camp@3,1 +2", "1E@-1,-1 1@2,-1")
    for target in ("-1,-1", "0,2", "1,2"):
        refused(position, sandtemple(target), "E10.5", "sandtemple-target")


def test_e10_5_needs_the_building_and_two_ordinary_discs() -> None:
    refused(wonders("1E@0,2 +2", "2E@-1,-1"), sandtemple("-1,-1"), "E10.5", "sandtemple-no-building")
    poor = wonders("1@0,2 camp@3,1 +1E", "2E@-1,-1")
    refused(poor, sandtemple("-1,-1"), "E10.5", "sandtemple-reserve")


def test_e10_5_once_a_turn_before_the_action() -> None:
    position = wonders("1E@0,2 camp@3,1 +5", "4E@-1,-1")
    after = allowed(position, sandtemple("-1,-1"))
    refused(after, sandtemple("-1,-1"), "E10.5", "sandtemple-used")
    moved = play(position, move("0,2", "1,2"))
    refused(moved, sandtemple("-1,-1"), "E12.3", "wrong-phase")


def test_e10_5_a_turn_with_nothing_else_is_a_turn() -> None:
    """Ruling: player 1 is shut in and can't reinforce, but has the Temple of the Sand."""
    position = wonders("4@-3,2 4@-4,1 1E@0,2", "4@-4,2 camp@-3,1 camp@3,1 +2E")
    after = play(position, move("0,2", "1,2"))
    assert phase(after) == "1 action"
    assert {a.type for a in options(after)} == {"sandtemple", "end"}
    assert after.to_json()["turn"]["number"] == 8


def test_e10_5_can_end_the_game() -> None:
    """The last disc of the only enemy goes home."""
    position = wonders("1E@0,2 camp@3,1 +2", "1@-1,-1 +E")
    assert ended(allowed(position, sandtemple("-1,-1"))) == ((0,), "E11.3")


# --- E10.6 pyramids -----------------------------------------------------------------------------


def test_e10_6_two_points_for_most_of_the_three_spaces() -> None:
    one = wonders("1E@5,-4", "1E@-1,-1")
    assert (one.points(0)["pyramids"], one.points(1)["pyramids"]) == (2, 0)
    tie = wonders("1E@5,-4", "4E@6,-4")
    assert (tie.points(0)["pyramids"], tie.points(1)["pyramids"]) == (0, 0)
    two = wonders("1E@5,-4 1@5,-3", "4E@6,-4")
    assert (two.points(0)["pyramids"], two.points(1)["pyramids"]) == (2, 0)


def test_e10_6_pyramids_stand_among_tempests() -> None:
    position = wonders("2@4,-3 1E@-4,2", "1E@-1,-1")
    assert cheapest(position, "4,-3", "5,-4") == {(PYRAMID,)}


# --- E10.7 the Temple of the Wind -----------------------------------------------------------------


def test_e10_7_reinforcements_may_be_spread() -> None:
    position = wonders("1E@0,2 1@2,2 1@-2,1 camp@4,-1 +3", "1E@-1,-1", phase="reinforce")
    one = allowed(position, reinforce("0,2", 1))
    assert phase(one) == "0 reinforce"
    assert one.to_json()["turn"]["placed"] == ["0,2"]
    refused(one, reinforce("0,2", 1), "E12.6", "already-reinforced")
    two = allowed(one, reinforce("2,2", 1))
    assert options(two) == {reinforce("-2,1", 1), END}
    assert phase(allowed(two, END)) == "1 action"
    three = allowed(two, reinforce("-2,1", 1))
    assert phase(three) == "1 action"


def test_e10_7_without_the_building_one_stack() -> None:
    position = wonders("1E@0,2 1@2,2 +3", "1E@-1,-1 camp@4,-1", phase="reinforce")
    assert phase(allowed(position, reinforce("0,2", 1))) == "1 action"


def test_e10_7_every_other_rule_of_reinforcement_holds() -> None:
    position = wonders("1@0,2 1@2,2 3@-2,1 1@1,3 camp@4,-1 +3E", "1E@-1,-1 camp@0,1", phase="reinforce")
    first = {reinforce("2,2", n, emperor=True) for n in (1, 2, 3)} | {reinforce("-2,1", 1, emperor=True)}
    assert options(position) == first
    then = allowed(position, reinforce("2,2", 1, emperor=True))
    assert options(then) == {reinforce("-2,1", 1), END}


def test_e10_5_over_by_itself_when_nothing_is_left_to_do() -> None:
    """Four would still be three on the tempest; so the turn ends with the temple."""
    position = wonders("4@-3,2 4@-4,1 1E@0,2", "4@-4,2 camp@-3,1 camp@3,1 +2E")
    after = play(position, move("0,2", "1,2"), sandtemple("-4,1"))
    assert at(after, "-4,1") == "0:3"
    assert after.to_json()["turn"] == {"number": 9, "player": 0, "phase": "action"}

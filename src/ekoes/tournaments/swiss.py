"""Swiss pairings by the Dutch system of FIDE (Handbook C.04.3), computed by a library."""

from __future__ import annotations

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from ekoes.tournaments.standings import after_rounds, missed, points_of
from ekoes.tournaments.state import Entrant, Tournament

_BYE = ColorToken.BYE_OR_NOT_PAIRED


def swiss(tournament: Tournament, planned: int) -> tuple[tuple[int, ...], ...] | None:
    """Return the next Swiss pairings, the first player first; a single player has a bye.

    planned: the number of rounds. Returns None if the system has no pairing for the next one.
    """
    places = {entrant.number: place for place, entrant in enumerate(tournament.entrants, 1)}
    numbers = {place: number for number, place in places.items()}
    points = after_rounds(tournament)
    players = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=places[entrant.number],
            points_times_ten=int(points[entrant.number] * 10),
            rank=places[entrant.number],
            results=[
                _result(tournament, entrant, played, places) for played in range(len(tournament.rounds))
            ],
        )
        for entrant in tournament.entrants
    ]
    gone = {places[entrant.number] for entrant in tournament.entrants if entrant.left is not None}
    forfeits = [game for games in tournament.rounds for game in games if game.absent]
    drawn = {(places[game.seats[0]], places[game.seats[1]]) for game in forfeits}
    rules = XSection(number_of_rounds=planned, zeroed_ids=gone, forbidden_pairs=drawn)
    try:
        pairs = DutchEngine.generate_pairings(ParsedTrf(player_sections=players, x_section=rules))
    except PairingError:
        return None
    return tuple(
        tuple(numbers[place] for place in (pair.white, pair.black) if place in numbers) for pair in pairs
    )


def _result(tournament: Tournament, entrant: Entrant, played: int, places: dict[int, int]) -> RoundResult:
    """Return an entrant's result in a round, in the format of the pairing library."""
    found = tournament.game_of(entrant.number, played)
    if found is None:
        token = ResultToken.HALF_POINT_BYE if missed(entrant, played) else ResultToken.ZERO_POINT_BYE
        return RoundResult(id=0, color=_BYE, result=token)
    game, seat = found
    if game.is_bye:
        return RoundResult(id=0, color=_BYE, result=ResultToken.PAIRING_ALLOCATED_BYE)
    points = points_of(game, seat)
    if game.absent:
        token = ResultToken.FORFEIT_WIN if points else ResultToken.FORFEIT_LOSS
    else:
        token = ResultToken.WIN if points == 1 else ResultToken.DRAW if points else ResultToken.LOSS
    colour = ColorToken.BLACK if seat else ColorToken.WHITE
    return RoundResult(id=places[game.seats[1 - seat]], color=colour, result=token)

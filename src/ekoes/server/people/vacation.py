"""The routes of vacations: how many days are left, going, and coming back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from ekoes.games.contract import Json
from ekoes.server.api import own_origin
from ekoes.server.bodies import StrictRoute
from ekoes.server.people.routes import CallerOf, RegisterOf
from ekoes.server.vacations import Vacations

__all__ = ["vacation_routes"]

vacation_routes = APIRouter(
    prefix="/api/account/vacation", route_class=StrictRoute, dependencies=[Depends(own_origin)]
)


def _vacations(request: Request) -> Vacations:
    vacations: Vacations = request.app.state.hub.vacations
    return vacations


VacationsOf = Annotated[Vacations, Depends(_vacations)]


@vacation_routes.get("")
async def show_vacation(register: RegisterOf, caller: CallerOf, vacations: VacationsOf) -> Json:
    """Tell how many days the account has and how many are left, and whether it is on vacation."""
    account = await register.account(caller)
    return await vacations.about(account.holder)


@vacation_routes.post("")
async def begin_vacation(register: RegisterOf, caller: CallerOf, vacations: VacationsOf) -> Json:
    """Go on vacation: clocks of days stand for this account."""
    account = await register.account(caller)
    await vacations.begin(account.holder)
    return await vacations.about(account.holder)


@vacation_routes.delete("")
async def end_vacation(register: RegisterOf, caller: CallerOf, vacations: VacationsOf) -> Json:
    """Come back."""
    account = await register.account(caller)
    await vacations.end(account.holder)
    return await vacations.about(account.holder)

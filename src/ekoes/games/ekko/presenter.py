"""EKKO at a live table: adapts ``live`` to ``ekoes.tables.race``. Rule: K7."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import Any

from ekoes.games.api.contract import Json
from ekoes.games.api.reading import read_options
from ekoes.games.api.table import fields_about
from ekoes.games.api.values import changed
from ekoes.games.ekko.bots import player
from ekoes.games.ekko.bots.levels import LEVELS
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live import judge, machine, views
from ekoes.games.ekko.live import state as stored
from ekoes.games.ekko.live.state import LiveForm, LiveOptions, LiveState
from ekoes.games.ekko.position.position import EkkoOptions

_OF_GAME = ("players", "target")
_PERSON = 1500
"""Milliseconds that a person takes to notice and play a mirror; bots are described relative to it."""


class EkkoPresenter:
    """The presenter of EKKO; most methods delegate to ``live``."""

    secrecy = "K6.4"
    timed: Collection[str] = ("remaining",)
    public_entry = staticmethod(views.public_entry)
    in_order_of_arrival = staticmethod(views.in_order_of_arrival)
    deal = staticmethod(machine.deal)
    time_out = staticmethod(machine.time_out)
    resign = staticmethod(judge.resign)
    ended = staticmethod(judge.ended)
    with_people = staticmethod(judge.with_people)
    answer = staticmethod(player.answer)
    fallback = staticmethod(views.fallback)
    asked = staticmethod(views.asked)
    shared_state = staticmethod(views.shared_state)
    own_state = staticmethod(views.own_state)
    actions = staticmethod(views.actions)
    first = staticmethod(attrgetter("position.dealer"))
    past_state = staticmethod(views.past_state)
    to_state = staticmethod(stored.to_state)
    from_state = staticmethod(stored.from_state)
    entry_to_state = staticmethod(stored.entry_to_state)
    entry_from_state = staticmethod(stored.entry_from_state)

    def about(self) -> Json:
        """Describe the options of a table."""
        options = fields_about(EkkoOptions, besides=("players", "live")) | fields_about(LiveForm)
        races = {name: level.lost_races(_PERSON) for name, level in LEVELS.items()}
        return {"players": [EKKO.players.start, EKKO.players.stop - 1], "options": options, "races": races}

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options and return them complete. Raises PositionError naming the key."""
        live = _options(options)
        game = read_options(EkkoOptions, {key: options[key] for key in _OF_GAME if key in options})
        return game.model_dump(include=set(_OF_GAME)) | live.to_json()

    def at_one_browser(self, settings: Json) -> Json:
        """Return the settings without clocks. Raises TableError outside the calm mode."""
        return settings | _options(settings).at_one_browser().to_json()

    def begin(self, settings: Json, seed: int, people: frozenset[int]) -> LiveState:
        """Return the state before the first deal. Rule: K1."""
        position = EKKO.new({key: settings[key] for key in _OF_GAME} | {"live": True}, seed)
        return LiveState(options=_options(settings), position=position, people=people)

    def merits(self, state: LiveState) -> tuple[int, ...]:
        """Return the negative totals, so that the highest is the best. Rule: K5.4."""
        return tuple(-score for score in state.position.scores)

    def tempo(self, settings: Json) -> str:
        """Return the word for the tempo of a table."""
        return "calm" if settings["calm"] else "live"

    def judge(self, state: LiveState, seat: int, intent: Json, at: datetime) -> LiveState:
        """Apply an intent. Raises NotationError, IllegalActionError, TableError."""
        return judge.apply_intent(state, seat, judge.read_intent(intent), at)

    def may_show(self, state: LiveState) -> bool:
        """Return whether the hands after each round are hidden but could be shown."""
        return not state.options.open_hands

    def showing(self, state: LiveState) -> tuple[LiveState, Json]:
        """Return the state with open hands from now on, and the changed settings."""
        options = replace(state.options, open_hands=True)
        return changed(state, options=options), {"open_hands": True}


PRESENTER = EkkoPresenter()


def _options(settings: Mapping[str, Any]) -> LiveOptions:
    return LiveOptions.read({key: value for key, value in settings.items() if key not in _OF_GAME})

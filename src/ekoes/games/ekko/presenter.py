"""EKKO at a live table: the machine of ``live``, as ``ekoes.match.race`` asks for it. Rule: K7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ekoes.games.about import fields_about
from ekoes.games.changing import changed
from ekoes.games.contract import Json, Outcome
from ekoes.games.ekko.action import Action, Deal
from ekoes.games.ekko.bots.levels import LEVELS
from ekoes.games.ekko.bots.unhurried import unhurried
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.intents import read_intent
from ekoes.games.ekko.live import asks as questions
from ekoes.games.ekko.live import clock, course, silence, stored, views
from ekoes.games.ekko.live.entry import Entry
from ekoes.games.ekko.live.judge import drawn, judged, resigned, with_people
from ekoes.games.ekko.live.options import LiveForm, LiveOptions
from ekoes.games.ekko.live.so_far import moved
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.live.told import in_order_of_arrival, told
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.setup import EkkoOptions
from ekoes.games.racing import Ask, Step
from ekoes.games.recording import Decision

__all__ = ["PRESENTER", "EkkoPresenter"]

_OF_GAME = ("players", "target")
_PERSON = 1500
"""Milliseconds in which a person sees a mirror and plays it; what is told of bots is told beside that."""


class EkkoPresenter:
    """EKKO as its table plays and shows it."""

    secrecy = "K6.4"
    timed = ("remaining",)
    told = staticmethod(told)
    answer = staticmethod(unhurried)
    instead = staticmethod(questions.instead)
    rested = staticmethod(clock.rested)
    strikes_at = staticmethod(clock.ends_at)
    shared = staticmethod(views.shared_state)
    own = staticmethod(views.own_state)
    silent = staticmethod(silence.silent)
    impatient = staticmethod(silence.impatient)
    past = staticmethod(views.past_state)
    to_state = staticmethod(stored.to_state)
    from_state = staticmethod(stored.from_state)
    entry_to_state = staticmethod(stored.entry_to_state)
    entry_from_state = staticmethod(stored.entry_from_state)

    def about(self) -> Json:
        """Describe what a table of EKKO can be set to."""
        options = fields_about(EkkoOptions, besides=("players", "live")) | fields_about(LiveForm)
        races = {name: level.lost_races(_PERSON) for name, level in LEVELS.items()}
        return {"players": [EKKO.players.start, EKKO.players.stop - 1], "options": options, "races": races}

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options and return them complete. Raises PositionError naming the key."""
        live = LiveOptions.read({key: value for key, value in options.items() if key not in _OF_GAME})
        game = EkkoOptions.read({key: options[key] for key in _OF_GAME if key in options})
        return game.model_dump(include=set(_OF_GAME)) | live.to_json()

    def at_one_browser(self, settings: Json) -> Json:
        """Return the settings without clocks. Raises TableError outside the calm mode."""
        return settings | _options(settings).at_one_browser().to_json()

    def begin(self, settings: Json, seed: int, people: frozenset[int]) -> LiveState:
        """Return the state before the first deal. Rule: K1."""
        position = EKKO.new({key: settings[key] for key in _OF_GAME} | {"live": True}, seed)
        return LiveState(options=_options(settings), position=position, people=people)

    def stands(
        self, settings: Json, position: EkkoPosition, people: frozenset[int], at: datetime
    ) -> LiveState:
        """Return the state of a game that goes on from a position after the deal."""
        live = EkkoPosition(position.states.copy())
        live.states["live"] = True
        state = LiveState(options=_options(settings), position=live, people=people, began=at)
        return course.begin_round(moved(state, live), at)

    def position(self, state: LiveState) -> EkkoPosition:
        """Return where the game stands."""
        return state.position

    def outcome(self, state: LiveState) -> Outcome | None:
        """Return how the game ended."""
        return state.outcome

    def merits(self, state: LiveState) -> tuple[int, ...]:
        """Tell the players' totals, the least of which is the best. Rule: K5.4."""
        return tuple(-score for score in state.position.scores)

    def tempo(self, settings: Json) -> str:
        """Tell whether haste counts."""
        return "calm" if settings["calm"] else "live"

    def options(self, state: LiveState) -> LiveOptions:
        """Return the options as the book writes them."""
        return state.options

    def needs_deal(self, state: LiveState) -> bool:
        """Tell whether a round is to be dealt."""
        return state.needs_deal

    def deal(self, state: LiveState, action: Action, at: datetime) -> Step:
        """Deal a round. Rule: K1.2. Raises IllegalActionError."""
        order = action.order if isinstance(action, Deal) else ()
        return Step(*course.deal(state, order, at).taken())

    def judge(self, state: LiveState, seat: int, intent: Json, at: datetime) -> Step | None:
        """Judge what a player sent. Raises NotationError, IllegalActionError, TableError."""
        after = judged(state, seat, read_intent(intent), at)
        return None if after is state else Step(*after.taken())

    def resign(self, state: LiveState, seat: int, at: datetime) -> Step:
        """Let a player go."""
        return Step(*resigned(state, seat, at).taken())

    def draw(self, state: LiveState, at: datetime) -> Step:
        """End the game without a winner."""
        return Step(*drawn(state, at).taken())

    def with_people(self, state: LiveState, people: frozenset[int], at: datetime) -> Step:
        """Go on with persons at other seats."""
        return Step(*with_people(state, people, at).taken())

    def may_show(self, state: LiveState) -> bool:
        """Tell whether hands stay hidden after each round."""
        return not state.options.open_hands

    def showing(self, state: LiveState) -> tuple[LiveState, Json]:
        """Return the state with open hands after each round from now on."""
        options = replace(state.options, open_hands=True)
        return changed(state, options=options), {"open_hands": True}

    def strike(self, state: LiveState, at: datetime) -> Step:
        """Do what the clock makes due. Rule: K5.1, K7.5."""
        return Step(*course.strike(state, at).taken())

    def asked(self, state: LiveState, seat: int) -> Iterator[Ask]:
        """Yield what a bot is asked."""
        return questions.asked(state, seat)

    def said(self, state: LiveState, entries: Sequence[Entry]) -> list[tuple[Decision, int, str | None]]:
        """Return a log as a record holds it (K7.1)."""
        return in_order_of_arrival(entries, state.rounds)


PRESENTER = EkkoPresenter()


def _options(settings: Json) -> LiveOptions:
    return LiveOptions.read({key: value for key, value in settings.items() if key not in _OF_GAME})

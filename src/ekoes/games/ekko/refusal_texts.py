"""The words of a refusal: for each code the rule it cites and one English sentence.

The page says the same in its reader's language (`refusal.<code>` in `web/src/i18n`); the English
catalogue and this module hold equal sentences, which `tests/docs/test_catalogues.py` checks.
"""

from __future__ import annotations

from typing import Final

RULE: Final[dict[str, str]] = {
    "game-over": "K5.6",
    "deal-first": "K6.0",
    "deal-order": "K6.0",
    "already-dealt": "K6.0",
    "not-your-turn": "K2.1",
    "not-in-hand": "K2.1",
    "too-low": "K2.1",
    "too-high": "K2.1",
    "must-play": "K2.2",
    "nobody-followed": "K2.4",
    "no-mirror": "K3.1",
    "aside-not-in-hand": "K3.2",
    "mirror-as-mirror": "K3.4",
    "mirror-was-last": "K3.4",
    "mirror-late": "K3.5",
    "blocked": "K4.1",
    "no-misplay": "K4.1",
    "answer-mirror": "K6.1",
    "mirror-first": "K6.1",
    "nothing-asked": "K6.1",
    "play-late": "K7.2",
    "never-top": "K7.2",
    "hand-busy": "K7.2",
    "leaving": "K7.4",
    "nobody-leaving": "K7.4",
}

TEXT: Final[dict[str, str]] = {
    "game-over": "The game is over.",
    "deal-first": "This round has not been dealt yet.",
    "deal-order": "A deal names each of the 98 cards once.",
    "already-dealt": "This round has been dealt.",
    "not-your-turn": "It is not your turn.",
    "not-in-hand": "You do not hold this card.",
    "too-low": "The top card is odd: play a higher card.",
    "too-high": "The top card is even: play a lower card.",
    "must-play": "You hold a valid card and must play one.",
    "nobody-followed": "Nobody followed your card: every card is valid, and you must play one.",
    "no-mirror": "This card is not the mirror of the top card.",
    "aside-not-in-hand": "Put aside another card that you hold.",
    "mirror-as-mirror": "This card is the mirror of the top card: play it as a mirror, with an effect.",
    "mirror-was-last": "The mirror was your last card: the other players draw.",
    "mirror-late": "Another card is on top by now: the mirror comes too late.",
    "blocked": "You have just drawn this card for a misplay: it is blocked for now.",
    "no-misplay": "This card can be played now.",
    "answer-mirror": "The mirror of the top card comes first: play it or pass.",
    "mirror-first": "Somebody else holds the mirror of the top card and decides first.",
    "nothing-asked": "You are not asked for a mirror now.",
    "play-late": "Another card was quicker: yours goes back to your hand.",
    "never-top": "The card that you name has not been the top card of this round.",
    "hand-busy": "Your hand is still taking a card back, or was too hasty: wait a moment.",
    "leaving": "A last card has been played: only its mirror may answer now.",
    "nobody-leaving": "Nobody has played a last card.",
}

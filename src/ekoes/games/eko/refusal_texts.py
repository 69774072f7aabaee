"""The words of a refusal: for each code the rule it cites and one English sentence.

The page says the same in its reader's language (`refusal.<code>` in `web/src/i18n`); the English
catalogue and this module hold equal sentences, which `tests/docs/test_catalogues.py` checks.
"""

from __future__ import annotations

from typing import Final

RULE: Final[dict[str, str]] = {
    "not-your-turn": "E4.1",
    "game-over": "E11.1",
    "wrong-phase": "E12.2",
    "no-such-space": "E2.1",
    "not-your-stack": "E5.1",
    "not-a-movement-space": "E5.1",
    "no-path": "E5.1",
    "same-space": "E5.1",
    "too-high": "E5.2",
    "too-weak": "E5.3",
    "own-zones": "E10.2",
    "no-discs-left": "E10.2",
    "no-emperor-in-stack": "E6.4",
    "emperor-must-be-spent": "E6.4",
    "emperor-must-be-lost": "E10.2",
    "not-adjacent": "E6.1",
    "not-a-site": "E1.5",
    "terrain-too-weak": "E6.2",
    "kind-order": "E6.2",
    "too-few-discs": "E6.3",
    "no-supply": "E6.5",
    "march-used": "E7.1",
    "march-reserve": "E7.1",
    "march-no-action": "E7.1",
    "reserve-too-small": "E8.1",
    "reinforce-empty-space": "E8.2",
    "reinforce-too-high": "E8.2",
    "one-stack-only": "E8.2",
    "near-enemy-building": "E8.3",
    "on-tempest": "E8.3",
    "emperor-first": "E8.4",
    "emperor-alone": "E8.5",
    "already-reinforced": "E10.7",
    "moon-no-building": "E10.4",
    "moon-used": "E10.4",
    "moon-reserve": "E10.4",
    "moon-space": "E10.4",
    "sandtemple-no-building": "E10.5",
    "sandtemple-used": "E10.5",
    "sandtemple-reserve": "E10.5",
    "sandtemple-target": "E10.5",
    "ransom-not-held": "E5.7",
    "swap-not-own-disc": "E3.3",
    "place-occupied": "E3.4",
    "place-no-disc": "E3.4",
    "place-emperor-last": "E3.4",
    "must-act": "E4.2",
    "must-reinforce": "E8.1",
    "must-bring-emperor": "E8.4",
}
"""The rule that each refusal code stands for."""

TEXT: Final[dict[str, str]] = {
    "not-your-turn": "It is not your turn.",
    "game-over": "The game is over.",
    "wrong-phase": "That is not what is asked for now.",
    "no-such-space": "The board has no such space.",
    "not-your-stack": "None of your stacks stands there.",
    "not-a-movement-space": "Discs stand on movement spaces only.",
    "no-path": "No free path leads there: stacks and other terrain stand in the way.",
    "same-space": "A move has to end on another space than it began.",
    "too-high": "Together they would be more than 4 discs.",
    "too-weak": (
        "This stack is too weak: it takes more discs, or as many with your Emperor, or one "
        "disc against four."
    ),
    "own-zones": "These are not the tempest zones that a path to this space takes.",
    "no-discs-left": "The tempests would take the last disc before the stack arrives.",
    "no-emperor-in-stack": "Your Emperor is not in this stack.",
    "emperor-must-be-spent": "This spends the whole stack, so the Emperor goes with it.",
    "emperor-must-be-lost": "The tempests take the whole stack, so the Emperor is lost with it.",
    "not-adjacent": "This stack is not adjacent to that construction space.",
    "not-a-site": "Nothing can be built there: it is not a construction space.",
    "terrain-too-weak": "This terrain cannot carry such a building.",
    "kind-order": (
        "On an empty space only an encampment, on your own building only the next higher "
        "kind, on an enemy’s the same or the next higher."
    ),
    "too-few-discs": "This stack has too few discs to pay for that building.",
    "no-supply": "You have no building of this kind left.",
    "march-used": "One forced march a turn is all there is.",
    "march-reserve": "A forced march takes 3 ordinary discs of your reserve.",
    "march-no-action": "A forced march would leave you no action to take.",
    "reserve-too-small": "Your reserve does not hold these discs.",
    "reinforce-empty-space": "Reinforcements join one of your stacks, never an empty space.",
    "reinforce-too-high": "The stack would be higher than 4 discs.",
    "one-stack-only": "All reinforcements of a turn join one single stack.",
    "near-enemy-building": "This stack stands next to an enemy building.",
    "on-tempest": "A stack on a tempest cannot be reinforced.",
    "emperor-first": "Your Emperor is in the reserve and has to be among the discs.",
    "emperor-alone": "Next to an enemy building the Emperor comes back alone.",
    "already-reinforced": "This stack has had its reinforcements this turn.",
    "moon-no-building": "You have no building on the Temple of the Moon.",
    "moon-used": "The Temple of the Moon serves once a turn.",
    "moon-reserve": (
        "The Temple of the Moon takes 2 ordinary discs of your reserve and places one more."
    ),
    "moon-space": "This disc goes on an empty movement space or on a stack of yours below 4.",
    "sandtemple-no-building": "You have no building on the Temple of the Sand.",
    "sandtemple-used": "The Temple of the Sand serves once a turn.",
    "sandtemple-reserve": "The Temple of the Sand takes 2 ordinary discs of your reserve.",
    "sandtemple-target": "The Temple of the Sand sends away an ordinary disc of an enemy stack.",
    "ransom-not-held": "You do not hold this Emperor.",
    "swap-not-own-disc": "The Emperor swaps with another disc of your own.",
    "place-occupied": "A disc is placed on an empty sand space.",
    "place-no-disc": "You have no such disc left to place.",
    "place-emperor-last": "Your last disc is the Emperor.",
    "must-act": "An action is compulsory while one is possible.",
    "must-reinforce": "You have to bring back at least one disc.",
    "must-bring-emperor": "Your Emperor can come back, so it has to.",
}
"""One whole English sentence for each refusal code, without the rule's number."""

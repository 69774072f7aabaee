// Written by `python -m tools.engine_modules` from the kernels: not to be changed by hand.
export const HASH = '46b132331f82e386';
export const EKO = {
 "data": 672,
 "records": {
  "BOARD": {
   "size": 8544,
   "fields": {
    "step": {
     "offset": 0,
     "type": "uint64",
     "count": 256
    },
    "near": {
     "offset": 2048,
     "type": "uint64",
     "count": 256
    },
    "zone": {
     "offset": 4096,
     "type": "uint64",
     "count": 256
    },
    "carries": {
     "offset": 6144,
     "type": "uint64",
     "count": 8
    },
    "signs": {
     "offset": 6208,
     "type": "uint64",
     "count": 256
    },
    "sets": {
     "offset": 8256,
     "type": "uint64",
     "count": 18
    },
    "sign": {
     "offset": 8400,
     "type": "int8",
     "count": 128
    },
    "n_signs": {
     "offset": 8528,
     "type": "int64",
     "count": 1
    },
    "players": {
     "offset": 8536,
     "type": "int64",
     "count": 1
    }
   }
  },
  "STATE": {
   "size": 672,
   "fields": {
    "own": {
     "offset": 0,
     "type": "uint64",
     "count": 8
    },
    "tall": {
     "offset": 64,
     "type": "uint64",
     "count": 10
    },
    "built": {
     "offset": 144,
     "type": "uint64",
     "count": 32
    },
    "ward": {
     "offset": 400,
     "type": "uint64",
     "count": 8
    },
    "paid": {
     "offset": 464,
     "type": "uint64",
     "count": 2
    },
    "number": {
     "offset": 480,
     "type": "int32",
     "count": 1
    },
    "height": {
     "offset": 484,
     "type": "int8",
     "count": 128
    },
    "emperor": {
     "offset": 612,
     "type": "int8",
     "count": 4
    },
    "whereabouts": {
     "offset": 616,
     "type": "int8",
     "count": 4
    },
    "captor": {
     "offset": 620,
     "type": "int8",
     "count": 4
    },
    "reserve": {
     "offset": 624,
     "type": "int8",
     "count": 4
    },
    "removed": {
     "offset": 628,
     "type": "int8",
     "count": 4
    },
    "unplaced": {
     "offset": 632,
     "type": "int8",
     "count": 4
    },
    "points": {
     "offset": 636,
     "type": "int8",
     "count": 4
    },
    "capitals": {
     "offset": 640,
     "type": "int8",
     "count": 4
    },
    "placed": {
     "offset": 644,
     "type": "int8",
     "count": 16
    },
    "n_placed": {
     "offset": 660,
     "type": "int8",
     "count": 1
    },
    "player": {
     "offset": 661,
     "type": "int8",
     "count": 1
    },
    "first": {
     "offset": 662,
     "type": "int8",
     "count": 1
    },
    "phase": {
     "offset": 663,
     "type": "int8",
     "count": 1
    },
    "chooser": {
     "offset": 664,
     "type": "int8",
     "count": 1
    },
    "resume": {
     "offset": 665,
     "type": "int8",
     "count": 1
    },
    "winners": {
     "offset": 666,
     "type": "int8",
     "count": 1
    },
    "marched": {
     "offset": 667,
     "type": "int8",
     "count": 1
    },
    "sandtemple_used": {
     "offset": 668,
     "type": "int8",
     "count": 1
    },
    "moon_used": {
     "offset": 669,
     "type": "int8",
     "count": 1
    },
    "filler": {
     "offset": 670,
     "type": "int8",
     "count": 2
    }
   }
  },
  "WORK": {
   "size": 1988824,
   "fields": {
    "cells": {
     "offset": 0,
     "type": "uint64",
     "count": 256
    },
    "rim": {
     "offset": 2048,
     "type": "uint64",
     "count": 256
    },
    "region": {
     "offset": 4096,
     "type": "int16",
     "count": 128
    },
    "meeting": {
     "offset": 4352,
     "type": "uint64",
     "count": 10
    },
    "offers": {
     "offset": 4432,
     "type": "uint64",
     "count": 12
    },
    "met": {
     "offset": 4528,
     "type": "uint64",
     "count": 25902
    },
    "entered": {
     "offset": 211744,
     "type": "uint64",
     "count": 25902
    },
    "code": {
     "offset": 418960,
     "type": "int64",
     "count": 65411
    },
    "targets": {
     "offset": 942248,
     "type": "uint64",
     "count": 130822
    }
   }
  }
 },
 "kernels": {
  "lay_tiles": "int64",
  "read_position": "IntEnum<int64>(Wrong)",
  "list_decisions": "int64[]",
  "perform_decision": "none",
  "is_legal": "bool",
  "find_refusal": "int64",
  "export_state": "int64[]",
  "find_effect": "int64",
  "trace_paths": "int16[][]",
  "find_prospects": "none",
  "perft_leaves": "int64",
  "judge_puzzle": "IntEnum<int64>(Verdict)"
 },
 "Area": {
  "WALKABLE": 0,
  "SAND": 1,
  "TEMPEST": 2,
  "SITES": 3,
  "CAPITALS": 4,
  "MOON": 5,
  "SANDTEMPLE": 6,
  "WIND": 7,
  "ZONE_HEADS": 8
 },
 "Phase": {
  "PLACE": 0,
  "SWAP": 1,
  "ACTION": 2,
  "AFTER": 3,
  "SECOND": 4,
  "REINFORCE": 5,
  "RANSOM": 6,
  "OVER": 7
 },
 "Whereabouts": {
  "BOARD": 0,
  "RESERVE": 1,
  "CAPTIVE": 2,
  "UNPLACED": 3
 },
 "Terrain": {
  "SAND": 0,
  "TEMPEST": 1,
  "CHASM": 2,
  "REG": 3,
  "CANYON": 4,
  "CAPITAL": 5,
  "MOUNTAIN": 6,
  "MOON": 7,
  "SANDTEMPLE": 8,
  "WIND": 9,
  "PORTAL": 10
 },
 "Sign": {
  "NONE": 0,
  "PYRAMID": 1,
  "BEACON": 2
 },
 "Cell": {
  "Q": 0,
  "R": 1,
  "TERRAIN": 2,
  "TILE": 3,
  "SIGN": 4,
  "OPEN": 5
 },
 "Drawn": {
  "TILE": 0,
  "Q": 1,
  "R": 2,
  "ROT": 3
 },
 "Kind": {
  "CELLS": 0,
  "OPEN": 1,
  "COPIES": 2,
  "PLAYERS": 3,
  "SIGN": 4,
  "FIRST": 5,
  "CHOICES": 6
 },
 "List": {
  "USED": 0,
  "STANDING": 1,
  "BY": 2,
  "NEEDED": 3,
  "MET": 4
 },
 "Broken": {
  "NO_STAND_IN": 0,
  "STAND_IN": 1,
  "OVERLAP": 2,
  "SIZE": 3,
  "APART": 4,
  "OUT_OF_PLAY": 5,
  "REPLACED": 6,
  "COPIES": 7,
  "MISSING": 8,
  "SAND": 9,
  "CAPITAL": 10,
  "PORTAL_COUNT": 11,
  "PORTAL": 12,
  "UNREACHABLE": 13,
  "ZONES": 14
 },
 "Report": {
  "END": 0,
  "LAST": 1,
  "FIRST": 2
 },
 "Entry": {
  "BROKEN": 0,
  "VALUES": 1,
  "TILES": 2,
  "SPACES": 3
 },
 "Stood": {
  "SPACE": 0,
  "OWNER": 1,
  "HEIGHT": 2,
  "EMPEROR": 3
 },
 "Built": {
  "SPACE": 0,
  "OWNER": 1,
  "LEVEL": 2
 },
 "Held": {
  "RESERVE": 0,
  "KING_RESERVE": 1,
  "REMOVED": 2,
  "CAPTIVES": 3,
  "UNPLACED": 4,
  "KING_UNPLACED": 5,
  "ALL": 6,
  "KINGS": 7
 },
 "Turn": {
  "PHASE": 0,
  "NUMBER": 1,
  "PLAYER": 2,
  "FIRST": 3,
  "MARCHED": 4,
  "SANDTEMPLE_USED": 5,
  "MOON_USED": 6,
  "CHOOSER": 7,
  "RESUME": 8,
  "WINNERS": 9
 },
 "Wrong": {
  "NOTHING": 0,
  "STACK_TERRAIN": 1,
  "STACK_HEIGHT": 2,
  "BUILDING_TERRAIN": 3,
  "SUPPLY": 4,
  "RESERVE": 5,
  "REMOVED": 6,
  "CAPTIVES": 7,
  "UNPLACED": 8,
  "DISCS": 9,
  "EMPEROR": 10,
  "NUMBER": 11,
  "MISPLACED": 12,
  "PAID": 13,
  "PLACED": 14,
  "SET_UP": 15,
  "SET_UP_STACK": 16,
  "SWAP": 17,
  "DRAFT_RESERVE": 18,
  "DRAFT_TURNS": 19,
  "DRAFT_OVER": 20,
  "RANSOM": 21,
  "DECIDED": 22,
  "WINNERS": 23
 },
 "Reason": {
  "POINTS": 0,
  "LAST_ON_BOARD": 1,
  "BOTH": 2,
  "NOBODY": 3,
  "NO_MOVES": 4
 },
 "Asked": {
  "TYPE": 0,
  "SOURCE": 1,
  "TARGET": 2,
  "AMOUNT": 3,
  "EMPEROR": 4,
  "ZONE_COUNT": 5,
  "ZONES": 6
 },
 "ActionType": {
  "SWAP": 0,
  "PLACE": 1,
  "SANDTEMPLE": 2,
  "MOVE": 3,
  "BUILD": 4,
  "MARCH": 5,
  "REINFORCE": 6,
  "MOON": 7,
  "RANSOM": 8,
  "END": 9
 },
 "Effect": {
  "MOVE": 0,
  "REGROUP": 1,
  "ATTACK": 2,
  "KAMIKAZE": 3,
  "PERISH": 4,
  "BUILD": 5,
  "UPGRADE": 6,
  "REPLACE": 7,
  "REINFORCE": 8,
  "MOON": 9,
  "SANDTEMPLE": 10,
  "PLACE": 11,
  "SWAP": 12,
  "KEEP": 13,
  "MARCH": 14,
  "RANSOM": 15,
  "END": 16
 },
 "Control": {
  "LOCK": 0,
  "STOP": 1,
  "LIMIT": 2,
  "BEGUN": 3,
  "DONE": 4,
  "USED": 5,
  "DEPTH": 6,
  "FREE": 7,
  "FREE_COUNT": 8,
  "HAND": 9,
  "FEW": 10,
  "RECYCLED": 11,
  "GARBAGE": 12,
  "TURNS": 13,
  "TURN_LIMIT": 14
 },
 "SearchParams": {
  "C_PUCT": 0,
  "TEMPERATURE": 1,
  "BEST": 2,
  "FULL_VISIT": 3,
  "WARM_UP": 4
 },
 "Feature": {
  "NEXT": 0,
  "POINTS": 1,
  "POINTS_PAST_5": 2,
  "POINTS_PAST_8": 3,
  "CAPITAL": 4,
  "CAPITAL_POINTS": 5,
  "CAPITAL_POINTS_PAST_8": 6,
  "CAMPS": 7,
  "TOWERS": 8,
  "CASTLES": 9,
  "CAPTIVES": 10,
  "RESERVE": 11,
  "RESERVE_PAST_3": 12,
  "RESERVE_PAST_8": 13,
  "REMOVED": 14,
  "UNPLACED": 15,
  "HEIGHT_1": 16,
  "HEIGHT_2": 17,
  "HEIGHT_3": 18,
  "HEIGHT_4": 19,
  "FEW_STACKS": 20,
  "LAST_STACK": 21,
  "EMPEROR_RESERVE": 22,
  "EMPEROR_CAPTIVE": 23,
  "EMPEROR_2": 24,
  "EMPEROR_3": 25,
  "EMPEROR_4": 26,
  "REINFORCING": 27,
  "COMING": 28,
  "GROWING": 29,
  "ROOM": 30,
  "SHUT": 31,
  "BUILDERS": 32,
  "GAIN": 33,
  "GAIN_PAST_1": 34,
  "GAIN_CAPITAL": 35,
  "NEAR_BUILDERS": 36,
  "NEAR_CAPITAL": 37,
  "RAIDED": 38,
  "RAIDED_CAPITAL": 39,
  "PREY": 40,
  "PREY_EMPEROR": 41,
  "EXPOSED": 42,
  "EXPOSED_DISCS": 43,
  "EXPOSED_WORST": 44,
  "EXPOSED_EMPEROR": 45,
  "EXPOSED_LAST": 46,
  "STILL": 47,
  "WINS": 48,
  "MARCH": 49,
  "MARCHING": 50,
  "SECOND_ACTION": 51,
  "SECOND_GAIN": 52,
  "WALK_GAIN": 53,
  "BUILDABLE": 54,
  "RAIDED_POINTS": 55,
  "TERRITORY": 56,
  "EMPEROR_ROOM": 57
 },
 "Theme": {
  "WIN": 0,
  "STOP": 1,
  "CAPTURE": 2,
  "SAVE": 3
 },
 "Verdict": {
  "WRONG": 0,
  "RIGHT": 1,
  "OPEN": 2,
  "UNKNOWN": 3
 },
 "COLUMNS": 64,
 "SETS": 154,
 "CAPTIVE_POINTS": 3,
 "MOST_PLAYERS": 4,
 "WINNING_POINTS": 12,
 "WORDS": 2,
 "WIDTH": 24,
 "BEAM": 49,
 "FIRST_UNITS": 32,
 "FARTHEST": 32,
 "NONE": 0,
 "PLACES": 4093,
 "RESERVE": 1024,
 "ROOT": 0,
 "VIEWS": 3,
 "NOBODY": -1,
 "DEEPEST": 128,
 "TRIALS": 2,
 "CHILDREN": 6,
 "MEMORY": 32,
 "BUDGET": 15000,
 "WIN": -1,
 "CAPTURE": 4,
 "DEEP": 12,
 "WIDE": 2048,
 "SOURCE_SHIFT": 4,
 "SPACE_MASK": 127,
 "TARGET_SHIFT": 11,
 "LEVELS": 3,
 "TALLEST": 4,
 "ZONE_COUNT_MASK": 7,
 "ZONE_COUNT_SHIFT": 22,
 "DISCS": 16,
 "MAX_ZONES": 24,
 "NO_SPACE": 127,
 "SPACES": 128,
 "SINGLE_NUMBERS": 16,
 "SEAT_FIELDS": 14,
 "ANYWHERE": -1,
 "PROSPECTS": 3,
 "TYPE_MASK": 15,
 "SPACE_BITS": 7,
 "AMOUNT_SHIFT": 18,
 "AMOUNT_MASK": 7,
 "EMPEROR_SHIFT": 21,
 "ZONES_SHIFT": 25,
 "MOST_CELLS": 19,
 "MOST_TILES": 199,
 "MOST_CHOICES": 19,
 "MOST_LAID": 2413,
 "LONGEST_REPORT": 32768,
 "CAPACITY": 128,
 "FEWEST_PLAYERS": 2,
 "ORDINARY_DISCS": 15,
 "MARCH_PRICE": 3,
 "MOON_PRICE": 2,
 "SANDTEMPLE_PRICE": 2,
 "OFFERS": 6,
 "DIRECTIONS": [
  [
   1,
   0
  ],
  [
   1,
   -1
  ],
  [
   0,
   -1
  ],
  [
   -1,
   0
  ],
  [
   -1,
   1
  ],
  [
   0,
   1
  ]
 ],
 "LETTERS": ".txrcCmMSWP",
 "SUPPLY": [
  0,
  5,
  3,
  1
 ],
 "BOX": {
  "groups": {
   "blue": 3,
   "grey": 2,
   "red": 4
  },
  "tiles": {
   "A": {
    "terrain": "C..x..r",
    "group": "grey"
   },
   "B": {
    "terrain": ".r..c..",
    "group": "grey"
   },
   "C": {
    "terrain": "m...x..",
    "group": "grey"
   },
   "D": {
    "terrain": ".m.c...",
    "group": "grey"
   },
   "E": {
    "terrain": "r....c.",
    "group": "grey"
   },
   "F": {
    "terrain": ".c.r.x.",
    "group": "grey"
   },
   "G": {
    "terrain": ".m.r.r.",
    "group": "grey"
   },
   "H": {
    "terrain": "C......",
    "group": "blue"
   },
   "I": {
    "terrain": ".m..r..",
    "group": "blue"
   },
   "J": {
    "terrain": ".c.r...",
    "group": "blue"
   },
   "K": {
    "terrain": ".C...r.",
    "group": "red"
   },
   "L": {
    "terrain": "m......",
    "group": "red"
   },
   "M": {
    "terrain": ".c.x...",
    "group": "red"
   },
   "N": {
    "replaces": [
     [
      "E",
      "S....c."
     ],
     [
      "B",
      ".S..c.."
     ]
    ],
    "variant": "sandtemple"
   },
   "O": {
    "replaces": [
     [
      "E",
      "M....c."
     ]
    ],
    "variant": "moon"
   },
   "P": {
    "terrain": "ttt",
    "cells": [
     [
      0,
      0
     ],
     [
      1,
      0
     ],
     [
      0,
      1
     ]
    ],
    "copies": 3,
    "variant": "labyrinth"
   },
   "Q": {
    "terrain": "ttt",
    "cells": [
     [
      -1,
      0
     ],
     [
      0,
      0
     ],
     [
      1,
      0
     ]
    ],
    "copies": 3,
    "variant": "labyrinth"
   },
   "R": {
    "terrain": "P",
    "cells": [
     [
      0,
      0
     ]
    ],
    "copies": 2,
    "variant": "portals"
   },
   "S": {
    "terrain": "ttt",
    "cells": [
     [
      0,
      0
     ],
     [
      1,
      0
     ],
     [
      0,
      1
     ]
    ],
    "copies": 2,
    "variant": "pyramids",
    "dealt": [
     1,
     2,
     2
    ],
    "sign": "pyramid"
   },
   "T": {
    "terrain": "W",
    "cells": [
     [
      0,
      0
     ]
    ],
    "variant": "wind"
   },
   "U": {
    "terrain": "ttt",
    "cells": [
     [
      0,
      0
     ],
     [
      1,
      0
     ],
     [
      0,
      1
     ]
    ],
    "variant": "beacon",
    "sign": "beacon"
   }
  }
 },
 "VARIANTS": [
  "portals",
  "labyrinth",
  "beacon",
  "moon",
  "sandtemple",
  "pyramids",
  "wind"
 ],
 "SOURCES": [
  "camps",
  "towers",
  "castles",
  "captives",
  "pyramids"
 ],
 "PARAMS": [
  1.0,
  0.1,
  0.5,
  4.0,
  16.0
 ],
 "BOTS": {
  "beginner": {
   "iterations": 1,
   "error": 600,
   "careful": false,
   "spares": 2,
   "keeps": false
  },
  "learner": {
   "iterations": 1,
   "error": 330,
   "careful": false,
   "spares": 0,
   "keeps": false
  },
  "casual": {
   "iterations": 1,
   "error": 60,
   "careful": false,
   "spares": 0,
   "keeps": false
  },
  "skilled": {
   "iterations": 30,
   "error": 30,
   "careful": true,
   "spares": 0,
   "keeps": false
  },
  "strong": {
   "iterations": 300,
   "error": 0,
   "careful": true,
   "spares": 0,
   "keeps": false
  },
  "expert": {
   "iterations": 4000,
   "error": 0,
   "careful": true,
   "spares": 0,
   "keeps": false
  },
  "master": {
   "iterations": 80000,
   "error": 0,
   "careful": true,
   "spares": 0,
   "keeps": true
  }
 },
 "JUDGE": "expert",
 "REFUSALS": [
  [
   "not-your-turn",
   "E4.1"
  ],
  [
   "not-your-turn",
   "E3.3"
  ],
  [
   "not-your-turn",
   "E3.4"
  ],
  [
   "ransom-first",
   "E5.7"
  ],
  [
   "game-over",
   "E11.2"
  ],
  [
   "game-over",
   "E11.3"
  ],
  [
   "game-over",
   "E11.4"
  ],
  [
   "game-over",
   "E11.4"
  ],
  [
   "game-over",
   "E4.2"
  ],
  [
   "wrong-phase",
   "E12.2"
  ],
  [
   "wrong-phase",
   "E12.1"
  ],
  [
   "wrong-phase",
   "E12.3"
  ],
  [
   "wrong-phase",
   "E12.4"
  ],
  [
   "wrong-phase",
   "E12.5"
  ],
  [
   "wrong-phase",
   "E12.6"
  ],
  [
   "wrong-phase",
   "E12.7"
  ],
  [
   "no-such-space",
   "E2.1"
  ],
  [
   "not-your-stack",
   "E5.1"
  ],
  [
   "not-your-stack",
   "E6.1"
  ],
  [
   "not-your-stack",
   "E8.2"
  ],
  [
   "not-a-movement-space",
   "E5.1"
  ],
  [
   "no-path",
   "E5.1"
  ],
  [
   "same-space",
   "E5.1"
  ],
  [
   "too-high",
   "E5.2"
  ],
  [
   "too-weak",
   "E5.3"
  ],
  [
   "own-zones",
   "E10.2"
  ],
  [
   "zones-order",
   "E10.2"
  ],
  [
   "no-discs-left",
   "E10.2"
  ],
  [
   "no-disc-lost",
   "E10.2"
  ],
  [
   "no-emperor-in-stack",
   "E6.4"
  ],
  [
   "no-emperor-in-stack",
   "E10.2"
  ],
  [
   "emperor-must-be-spent",
   "E6.4"
  ],
  [
   "emperor-must-be-lost",
   "E10.2"
  ],
  [
   "not-adjacent",
   "E6.1"
  ],
  [
   "not-a-site",
   "E1.5"
  ],
  [
   "terrain-too-weak",
   "E6.2"
  ],
  [
   "kind-order",
   "E6.2"
  ],
  [
   "too-few-discs",
   "E6.3"
  ],
  [
   "no-supply",
   "E6.5"
  ],
  [
   "march-used",
   "E7.1"
  ],
  [
   "march-reserve",
   "E7.1"
  ],
  [
   "march-no-action",
   "E7.1"
  ],
  [
   "reserve-too-small",
   "E8.1"
  ],
  [
   "reinforce-empty-space",
   "E8.2"
  ],
  [
   "reinforce-too-high",
   "E8.2"
  ],
  [
   "one-stack-only",
   "E8.2"
  ],
  [
   "near-enemy-building",
   "E8.3"
  ],
  [
   "on-tempest",
   "E8.3"
  ],
  [
   "emperor-first",
   "E8.4"
  ],
  [
   "emperor-alone",
   "E8.5"
  ],
  [
   "already-reinforced",
   "E12.6"
  ],
  [
   "moon-no-building",
   "E10.4"
  ],
  [
   "moon-used",
   "E10.4"
  ],
  [
   "moon-reserve",
   "E10.4"
  ],
  [
   "moon-space",
   "E10.4"
  ],
  [
   "sandtemple-no-building",
   "E10.5"
  ],
  [
   "sandtemple-used",
   "E10.5"
  ],
  [
   "sandtemple-reserve",
   "E10.5"
  ],
  [
   "sandtemple-target",
   "E10.5"
  ],
  [
   "ransom-not-held",
   "E5.7"
  ],
  [
   "swap-not-own-disc",
   "E3.3"
  ],
  [
   "place-occupied",
   "E3.4"
  ],
  [
   "place-no-disc",
   "E3.4"
  ],
  [
   "place-emperor-last",
   "E3.4"
  ],
  [
   "must-act",
   "E4.2"
  ],
  [
   "must-reinforce",
   "E8.1"
  ],
  [
   "must-bring-emperor",
   "E8.4"
  ]
 ],
 "WRONG_RULES": [
  "",
  "E1.5",
  "E1.6",
  "E1.5",
  "E1.3",
  "E1.2",
  "E1.2",
  "E5.6",
  "E1.2",
  "E1.2",
  "E1.2",
  "E12.9",
  "E12",
  "E10.2",
  "E12.6",
  "E3",
  "E3.1",
  "E3.3",
  "E3.4",
  "E3.4",
  "E3.4",
  "E5.7",
  "E11",
  "E11"
 ],
 "REASON_RULES": [
  "E11.2",
  "E11.3",
  "E11.4",
  "E11.4",
  "E4.2"
 ],
 "RULES": "1",
 "TABLE_ENDS": {
  "resignation": "E11.5",
  "time": "E11.5",
  "agreement": "E11.5",
  "repetition": "E11.6",
  "turn-limit": "E11.5"
 },
 "REPETITIONS": 3,
 "IDENTITY": [
  "own",
  "height",
  "emperor",
  "built",
  "reserve",
  "whereabouts",
  "captor",
  "removed",
  "player"
 ],
 "VERDICTS": [
  "wrong",
  "right",
  "open",
  "wrong"
 ]
} as const;
export const EKKO = {
 "data": 1968,
 "records": {
  "STATE": {
   "size": 952,
   "fields": {
    "hands": {
     "offset": 0,
     "type": "uint64",
     "count": 16
    },
    "aside": {
     "offset": 128,
     "type": "uint64",
     "count": 16
    },
    "blocked": {
     "offset": 256,
     "type": "uint64",
     "count": 16
    },
    "scores": {
     "offset": 384,
     "type": "int32",
     "count": 8
    },
    "target": {
     "offset": 416,
     "type": "int32",
     "count": 1
    },
    "number": {
     "offset": 420,
     "type": "int32",
     "count": 1
    },
    "pile": {
     "offset": 424,
     "type": "uint8",
     "count": 98
    },
    "zone": {
     "offset": 522,
     "type": "uint8",
     "count": 98
    },
    "drew_seat": {
     "offset": 620,
     "type": "uint8",
     "count": 98
    },
    "drew_at": {
     "offset": 718,
     "type": "uint8",
     "count": 98
    },
    "drew_why": {
     "offset": 816,
     "type": "uint8",
     "count": 98
    },
    "points": {
     "offset": 914,
     "type": "uint8",
     "count": 8
    },
    "sizes": {
     "offset": 922,
     "type": "uint8",
     "count": 8
    },
    "pile_size": {
     "offset": 930,
     "type": "uint8",
     "count": 1
    },
    "zone_size": {
     "offset": 931,
     "type": "uint8",
     "count": 1
    },
    "n_drew": {
     "offset": 932,
     "type": "uint8",
     "count": 1
    },
    "players": {
     "offset": 933,
     "type": "int8",
     "count": 1
    },
    "dealer": {
     "offset": 934,
     "type": "int8",
     "count": 1
    },
    "player": {
     "offset": 935,
     "type": "int8",
     "count": 1
    },
    "last": {
     "offset": 936,
     "type": "int8",
     "count": 1
    },
    "phase": {
     "offset": 937,
     "type": "int8",
     "count": 1
    },
    "asked": {
     "offset": 938,
     "type": "int8",
     "count": 1
    },
    "again": {
     "offset": 939,
     "type": "int8",
     "count": 1
    },
    "leaving": {
     "offset": 940,
     "type": "int8",
     "count": 1
    },
    "live": {
     "offset": 941,
     "type": "int8",
     "count": 1
    },
    "ending": {
     "offset": 942,
     "type": "int8",
     "count": 1
    },
    "ended_by": {
     "offset": 943,
     "type": "int8",
     "count": 1
    },
    "winners": {
     "offset": 944,
     "type": "uint8",
     "count": 1
    },
    "filler": {
     "offset": 945,
     "type": "uint8",
     "count": 7
    }
   }
  }
 },
 "kernels": {
  "list_decisions": "int64",
  "perform_decision": "none",
  "deal_round": "none",
  "count_draws": "none",
  "find_refusal": "int64",
  "play_out": "int64",
  "barred_cards": "int64",
  "noticed_decision": "int64",
  "best_decision": "int64",
  "decision_values": "int64",
  "win_shares": "none"
 },
 "Phase": {
  "DEAL": 0,
  "MIRROR": 1,
  "PLAY": 2,
  "OVER": 3
 },
 "Why": {
  "TURN": 0,
  "EFFECT": 1,
  "MISPLAY": 2,
  "LEAVING": 3
 },
 "Ending": {
  "NONE": 0,
  "LAST_CARD": 1,
  "MIRROR": 2,
  "ASIDE": 3,
  "PILE_EMPTY": 4
 },
 "ActionType": {
  "DEAL": 0,
  "PLAY": 1,
  "MIRROR_DISCARD": 2,
  "MIRROR_DRAW": 3,
  "PASS": 4,
  "DRAW": 5,
  "MISPLAY": 6,
  "CLOSE": 7
 },
 "SCRATCH": 2,
 "CARDS": 98,
 "MOST_PLAYERS": 8,
 "NOBODY": -1,
 "WORDS": 2,
 "RANDOM_DECISIONS": 20,
 "MOST_DECISIONS": 198,
 "TYPE_MASK": 15,
 "CARD_SHIFT": 4,
 "CARD_MASK": 127,
 "ASIDE_SHIFT": 11,
 "FEWEST_PLAYERS": 2,
 "DEFAULT_TARGET": 25,
 "LEGAL": -1,
 "REFUSALS": [
  [
   "game-over",
   "K5.6"
  ],
  [
   "deal-first",
   "K6.0"
  ],
  [
   "deal-order",
   "K6.0"
  ],
  [
   "already-dealt",
   "K6.0"
  ],
  [
   "not-your-turn",
   "K2.1"
  ],
  [
   "not-in-hand",
   "K2.1"
  ],
  [
   "too-low",
   "K2.1"
  ],
  [
   "too-high",
   "K2.1"
  ],
  [
   "must-play",
   "K2.2"
  ],
  [
   "nobody-followed",
   "K2.4"
  ],
  [
   "no-mirror",
   "K3.1"
  ],
  [
   "aside-not-in-hand",
   "K3.2"
  ],
  [
   "mirror-as-mirror",
   "K3.4"
  ],
  [
   "mirror-was-last",
   "K3.4"
  ],
  [
   "mirror-late",
   "K3.5"
  ],
  [
   "blocked",
   "K4.1"
  ],
  [
   "no-misplay",
   "K4.1"
  ],
  [
   "answer-mirror",
   "K6.1"
  ],
  [
   "mirror-first",
   "K6.1"
  ],
  [
   "nothing-asked",
   "K6.1"
  ],
  [
   "leaving",
   "K7.4"
  ],
  [
   "nobody-leaving",
   "K7.4"
  ]
 ],
 "HIGHEST_TARGET": 1000,
 "BOTS": {
  "random": {
   "misses": 60,
   "sees": 0,
   "deals": 0,
   "remembers": false
  },
  "beginner": {
   "misses": 45,
   "sees": 25,
   "deals": 0,
   "remembers": false
  },
  "casual": {
   "misses": 35,
   "sees": 44,
   "deals": 0,
   "remembers": false
  },
  "skilled": {
   "misses": 25,
   "sees": 78,
   "deals": 0,
   "remembers": false
  },
  "strong": {
   "misses": 12,
   "sees": 0,
   "deals": 28,
   "remembers": false
  },
  "master": {
   "misses": 4,
   "sees": 0,
   "deals": 4000,
   "remembers": true
  }
 },
 "RULES": "2",
 "TABLE_ENDS": {
  "resignation": "K5.6",
  "agreement": "K5.6"
 }
} as const;

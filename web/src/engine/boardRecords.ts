// Written by `python -m tools.engine_modules` from the kernels: not to be changed by hand.
export const BOARDS = {
 "data": 48,
 "records": {},
 "kernels": {
  "draw_standard": "int64",
  "draw_free": "int64"
 },
 "Made": {
  "COUNT": 0,
  "OPEN": 1
 },
 "Drawn": {
  "TILE": 0,
  "Q": 1,
  "R": 2,
  "ROT": 3
 },
 "Grid": {
  "OUTLINE": 0,
  "TERRAIN": 1,
  "SEEN": 2
 },
 "List": {
  "BORDER": 0,
  "SPACES": 1,
  "LAID": 2,
  "SIZES": 3,
  "STEPS": 4,
  "OTHER": 5,
  "SCORES": 6,
  "ORIGINS": 7,
  "ROTS": 8,
  "ORDER": 9,
  "HANDS": 10,
  "SHAPES": 11,
  "LEFT": 12,
  "QUEUE": 13
 },
 "MAX_ZONES": 24,
 "NO_SPACE": 127,
 "MOST_CELLS": 19,
 "PLACES": 16384,
 "LONGEST": 762,
 "BOARDS": 8,
 "CENTRES": {
  "2": [
   [
    0,
    0
   ],
   [
    2,
    1
   ],
   [
    3,
    -2
   ],
   [
    1,
    -3
   ],
   [
    -2,
    -1
   ],
   [
    -3,
    2
   ],
   [
    -1,
    3
   ]
  ],
  "3": [
   [
    0,
    0
   ],
   [
    2,
    1
   ],
   [
    3,
    -2
   ],
   [
    1,
    -3
   ],
   [
    -2,
    -1
   ],
   [
    -3,
    2
   ],
   [
    -1,
    3
   ],
   [
    5,
    -1
   ],
   [
    -1,
    -4
   ],
   [
    -4,
    5
   ]
  ],
  "4": [
   [
    0,
    0
   ],
   [
    2,
    1
   ],
   [
    3,
    -2
   ],
   [
    1,
    -3
   ],
   [
    -2,
    -1
   ],
   [
    -3,
    2
   ],
   [
    -1,
    3
   ],
   [
    5,
    -1
   ],
   [
    -1,
    -4
   ],
   [
    -4,
    5
   ],
   [
    4,
    -5
   ],
   [
    -5,
    1
   ],
   [
    1,
    4
   ]
  ]
 }
} as const;

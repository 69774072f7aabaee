// Written by `python -m tools.engine_modules` from the kernels: not to be changed by hand.
export const SEARCH = {
 "data": 144,
 "records": {
  "NODE": {
   "size": 64,
   "fields": {
    "code": {
     "offset": 0,
     "type": "int64",
     "count": 1
    },
    "value": {
     "offset": 8,
     "type": "float32",
     "count": 4
    },
    "average": {
     "offset": 24,
     "type": "int32",
     "count": 4
    },
    "prior": {
     "offset": 40,
     "type": "float32",
     "count": 1
    },
    "visits": {
     "offset": 44,
     "type": "int32",
     "count": 1
    },
    "child": {
     "offset": 48,
     "type": "int32",
     "count": 1
    },
    "sibling": {
     "offset": 52,
     "type": "int32",
     "count": 1
    },
    "seat": {
     "offset": 56,
     "type": "int8",
     "count": 1
    },
    "proven": {
     "offset": 57,
     "type": "int8",
     "count": 1
    },
    "stage": {
     "offset": 58,
     "type": "int8",
     "count": 1
    },
    "busy": {
     "offset": 59,
     "type": "int8",
     "count": 1
    },
    "filler": {
     "offset": 60,
     "type": "int8",
     "count": 4
    }
   }
  },
  "NETWORK": {
   "size": 12672,
   "fields": {
    "inputs": {
     "offset": 0,
     "type": "int16",
     "count": 4096
    },
    "bias": {
     "offset": 8192,
     "type": "int32",
     "count": 32
    },
    "second": {
     "offset": 8320,
     "type": "int16",
     "count": 2048
    },
    "second_bias": {
     "offset": 12416,
     "type": "int32",
     "count": 32
    },
    "output": {
     "offset": 12544,
     "type": "int32",
     "count": 32
    }
   }
  }
 },
 "kernels": {
  "play_out": "int64",
  "turn_decision": "int64",
  "grow": "none",
  "find_node": "int64",
  "move_root": "none",
  "rank_children": "int64[]",
  "choose_decision": "int64"
 }
} as const;

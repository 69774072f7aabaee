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
     "shape": []
    },
    "value": {
     "offset": 8,
     "type": "float32",
     "shape": [
      4
     ]
    },
    "average": {
     "offset": 24,
     "type": "int32",
     "shape": [
      4
     ]
    },
    "prior": {
     "offset": 40,
     "type": "float32",
     "shape": []
    },
    "visits": {
     "offset": 44,
     "type": "int32",
     "shape": []
    },
    "child": {
     "offset": 48,
     "type": "int32",
     "shape": []
    },
    "sibling": {
     "offset": 52,
     "type": "int32",
     "shape": []
    },
    "seat": {
     "offset": 56,
     "type": "int8",
     "shape": []
    },
    "proven": {
     "offset": 57,
     "type": "int8",
     "shape": []
    },
    "stage": {
     "offset": 58,
     "type": "int8",
     "shape": []
    },
    "busy": {
     "offset": 59,
     "type": "int8",
     "shape": []
    },
    "filler": {
     "offset": 60,
     "type": "int8",
     "shape": [
      4
     ]
    }
   }
  },
  "NETWORK": {
   "size": 12672,
   "fields": {
    "inputs": {
     "offset": 0,
     "type": "int16",
     "shape": [
      64,
      64
     ]
    },
    "bias": {
     "offset": 8192,
     "type": "int32",
     "shape": [
      32
     ]
    },
    "second": {
     "offset": 8320,
     "type": "int16",
     "shape": [
      32,
      64
     ]
    },
    "second_bias": {
     "offset": 12416,
     "type": "int32",
     "shape": [
      32
     ]
    },
    "output": {
     "offset": 12544,
     "type": "int32",
     "shape": [
      32
     ]
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

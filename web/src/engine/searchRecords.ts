// Written by `python -m tools.engine_modules` from the kernels: not to be changed by hand.
export const SEARCH = {
  data: 144,
  records: {
    BOARD: {
      size: 8544,
      fields: {
        step: {
          offset: 0,
          type: 'uint64',
          shape: [128, 2],
        },
        near: {
          offset: 2048,
          type: 'uint64',
          shape: [128, 2],
        },
        zone: {
          offset: 4096,
          type: 'uint64',
          shape: [128, 2],
        },
        carries: {
          offset: 6144,
          type: 'uint64',
          shape: [4, 2],
        },
        signs: {
          offset: 6208,
          type: 'uint64',
          shape: [128, 2],
        },
        sets: {
          offset: 8256,
          type: 'uint64',
          shape: [9, 2],
        },
        sign: {
          offset: 8400,
          type: 'int8',
          shape: [128],
        },
        n_signs: {
          offset: 8528,
          type: 'int64',
          shape: [],
        },
        players: {
          offset: 8536,
          type: 'int64',
          shape: [],
        },
      },
    },
    STATE: {
      size: 672,
      fields: {
        own: {
          offset: 0,
          type: 'uint64',
          shape: [4, 2],
        },
        tall: {
          offset: 64,
          type: 'uint64',
          shape: [5, 2],
        },
        built: {
          offset: 144,
          type: 'uint64',
          shape: [4, 4, 2],
        },
        ward: {
          offset: 400,
          type: 'uint64',
          shape: [4, 2],
        },
        paid: {
          offset: 464,
          type: 'uint64',
          shape: [1, 2],
        },
        number: {
          offset: 480,
          type: 'int32',
          shape: [],
        },
        height: {
          offset: 484,
          type: 'int8',
          shape: [128],
        },
        emperor: {
          offset: 612,
          type: 'int8',
          shape: [4],
        },
        whereabouts: {
          offset: 616,
          type: 'int8',
          shape: [4],
        },
        captor: {
          offset: 620,
          type: 'int8',
          shape: [4],
        },
        reserve: {
          offset: 624,
          type: 'int8',
          shape: [4],
        },
        removed: {
          offset: 628,
          type: 'int8',
          shape: [4],
        },
        unplaced: {
          offset: 632,
          type: 'int8',
          shape: [4],
        },
        points: {
          offset: 636,
          type: 'int8',
          shape: [4],
        },
        capitals: {
          offset: 640,
          type: 'int8',
          shape: [4],
        },
        placed: {
          offset: 644,
          type: 'int8',
          shape: [16],
        },
        n_placed: {
          offset: 660,
          type: 'int8',
          shape: [],
        },
        player: {
          offset: 661,
          type: 'int8',
          shape: [],
        },
        first: {
          offset: 662,
          type: 'int8',
          shape: [],
        },
        phase: {
          offset: 663,
          type: 'int8',
          shape: [],
        },
        chooser: {
          offset: 664,
          type: 'int8',
          shape: [],
        },
        resume: {
          offset: 665,
          type: 'int8',
          shape: [],
        },
        winners: {
          offset: 666,
          type: 'int8',
          shape: [],
        },
        marched: {
          offset: 667,
          type: 'int8',
          shape: [],
        },
        sandtemple_used: {
          offset: 668,
          type: 'int8',
          shape: [],
        },
        moon_used: {
          offset: 669,
          type: 'int8',
          shape: [],
        },
        filler: {
          offset: 670,
          type: 'int8',
          shape: [2],
        },
      },
    },
    WORK: {
      size: 1988824,
      fields: {
        cells: {
          offset: 0,
          type: 'uint64',
          shape: [128, 2],
        },
        rim: {
          offset: 2048,
          type: 'uint64',
          shape: [128, 2],
        },
        region: {
          offset: 4096,
          type: 'int16',
          shape: [128],
        },
        meeting: {
          offset: 4352,
          type: 'uint64',
          shape: [5, 2],
        },
        offers: {
          offset: 4432,
          type: 'uint64',
          shape: [6, 2],
        },
        met: {
          offset: 4528,
          type: 'uint64',
          shape: [12951, 2],
        },
        entered: {
          offset: 211744,
          type: 'uint64',
          shape: [12951, 2],
        },
        code: {
          offset: 418960,
          type: 'int64',
          shape: [65411],
        },
        targets: {
          offset: 942248,
          type: 'uint64',
          shape: [65411, 2],
        },
      },
    },
    NODE: {
      size: 64,
      fields: {
        code: {
          offset: 0,
          type: 'int64',
          shape: [],
        },
        value: {
          offset: 8,
          type: 'float32',
          shape: [4],
        },
        average: {
          offset: 24,
          type: 'int32',
          shape: [4],
        },
        prior: {
          offset: 40,
          type: 'float32',
          shape: [],
        },
        visits: {
          offset: 44,
          type: 'int32',
          shape: [],
        },
        child: {
          offset: 48,
          type: 'int32',
          shape: [],
        },
        sibling: {
          offset: 52,
          type: 'int32',
          shape: [],
        },
        seat: {
          offset: 56,
          type: 'int8',
          shape: [],
        },
        proven: {
          offset: 57,
          type: 'int8',
          shape: [],
        },
        stage: {
          offset: 58,
          type: 'int8',
          shape: [],
        },
        busy: {
          offset: 59,
          type: 'int8',
          shape: [],
        },
        filler: {
          offset: 60,
          type: 'int8',
          shape: [4],
        },
      },
    },
    NETWORK: {
      size: 12672,
      fields: {
        inputs: {
          offset: 0,
          type: 'int16',
          shape: [64, 64],
        },
        bias: {
          offset: 8192,
          type: 'int32',
          shape: [32],
        },
        second: {
          offset: 8320,
          type: 'int16',
          shape: [32, 64],
        },
        second_bias: {
          offset: 12416,
          type: 'int32',
          shape: [32],
        },
        output: {
          offset: 12544,
          type: 'int32',
          shape: [32],
        },
      },
    },
  },
  kernels: {
    play_out: {
      takes: ['BOARD', 'STATE', 'STATE', 'WORK', 'uint64', 'number', 'int64'],
      returns: 'int64',
    },
    turn_decision: {
      takes: ['BOARD', 'STATE', 'WORK', 'STATE', 'uint64'],
      returns: 'int64',
    },
    grow: {
      takes: ['BOARD', 'STATE', 'WORK', 'STATE', 'NETWORK', 'float64', 'int64', 'float64', 'NODE', 'int64'],
      returns: 'none',
    },
    find_node: {
      takes: ['BOARD', 'WORK', 'STATE', 'uint64', 'NODE', 'int64'],
      returns: 'int64',
    },
    move_root: {
      takes: ['NODE', 'int64', 'int64', 'number'],
      returns: 'none',
    },
    rank_children: {
      takes: ['NODE', 'number'],
      returns: 'int64[]',
    },
    choose_decision: {
      takes: [
        'BOARD',
        'STATE',
        'WORK',
        'NODE',
        'number',
        'number',
        'number',
        'uint64',
        ['STATE', 'int64', 'int64', 'int64', 'number'],
      ],
      returns: 'int64',
    },
  },
} as const;

/** Searches of Ekö's positions, and the decisions of its bots (bots/search.py, bots/levels.py). */
import { type Item, type KernelArray, Kernels } from '../module';
import { EKO } from '../records';
import { SEARCH } from '../searchRecords';
import { type Action, decode, encode } from './action';
import type { Layout } from './layout';
import type { EkoPosition } from './position';

const {
  BEAM,
  BOTS,
  BUDGET,
  COLUMNS,
  Control,
  DEEP,
  FARTHEST,
  Feature,
  FIRST_UNITS,
  MOST_PLAYERS,
  NONE,
  PARAMS,
  PLACES,
  RESERVE,
  ROOT,
  SearchParams,
  TRIALS,
  VIEWS,
  WIDE,
  WIN,
} = EKO;
const SEARCHED = { ...SEARCH, records: { ...EKO.records, ...SEARCH.records } };
const { NETWORK, NODE, STATE } = SEARCHED.records;
const MEBIBYTE = 1 << 20;
/** Of the tree of a search: the iterations of `master` fill it about once. */
export const MEMORY = 32;
/** Decisions that repeat a position for the third time, of one position. */
const MOST_DRAWN = 1024;

/** network.json: by number of players, the weights by part; those of a feature have its name. */
export interface Networks {
  readonly networks: { readonly [players: string]: { readonly [part: string]: readonly number[] } };
}

/** The names of the levels, weakest first; `greedy` looks one turn ahead without a search. */
export type Level = keyof typeof BOTS;
export const LEVELS = Object.keys(BOTS) as Level[];

export interface Variation {
  /** Each player's chance to win. */
  readonly value: readonly number[];
  readonly actions: readonly Action[];
  readonly iterations: number;
  readonly proven?: true;
}

/** What a search has found. `depth`: of the deepest simulation, in decisions. */
export interface Info {
  readonly value: readonly number[];
  readonly iterations: number;
  readonly depth: number;
  readonly lines: readonly Variation[];
}

/** What a kernel needs to search two turns to their end (`Scratch` of bots/levels.py): states, codes, marks, and what is left of the budget. */
export type TurnArrays = readonly [KernelArray, KernelArray, KernelArray, KernelArray];

export function turnArrays(kernels: Pick<Kernels, 'array'>): TurnArrays {
  const longest = 2 * DEEP;
  return [
    kernels.array('STATE', longest),
    kernels.array('int64', longest, WIDE),
    kernels.array('int64', longest, 2),
    kernels.array('int64', 2),
  ];
}

/** What the kernels of a search take. */
function arraysOf(kernels: Kernels<typeof SEARCHED>, mebibytes: number) {
  return {
    board: kernels.array('BOARD', 1),
    root: kernels.array('STATE', 1),
    work: kernels.array('WORK', 1),
    trials: kernels.array('STATE', TRIALS),
    network: kernels.array('NETWORK', 1),
    params: kernels.array('float64', PARAMS.length),
    drawn: kernels.array('int64', MOST_DRAWN),
    history: kernels.array('float64', MOST_PLAYERS, VIEWS, PLACES),
    nodes: kernels.array('NODE', Math.floor((mebibytes * MEBIBYTE) / NODE.size)),
    control: kernels.array('int64', Object.keys(Control).length),
    states: kernels.array('STATE', FARTHEST + 2),
    path: kernels.array('int64', FARTHEST + 1),
    stream: kernels.array('uint64', 1),
    beam: kernels.array('STATE', BEAM),
  };
}

/** Searches one position after the other, of any board. The tree of a position is kept for those that follow it. */
export class Search {
  private readonly kernels: Kernels<typeof SEARCHED>;
  private readonly arrays: ReturnType<typeof arraysOf>;
  private readonly levels: TurnArrays;
  private layout: Layout | undefined;
  private drawing = 0;
  private isForced = false;

  /** `mebibytes`: of the tree; when it is full, the children of little visited nodes are recycled. `exploration`: how much more than usual is explored. */
  constructor(
    module: WebAssembly.Module,
    private readonly networks: Networks,
    mebibytes = MEMORY,
    exploration = 1,
  ) {
    this.kernels = new Kernels(module, SEARCHED);
    this.arrays = arraysOf(this.kernels, mebibytes);
    this.levels = turnArrays(this.kernels);
    this.arrays.params.items('float64').set(PARAMS);
    this.arrays.params.items('float64')[SearchParams.C_PUCT]! *= exploration;
  }

  /** Search another position from now on. `drawn`: the decisions that end the game by a third repetition (E11.6). `keeps`: its tree, if it is in the one of the position before. */
  moveTo(position: EkoPosition, drawn: readonly Action[] = [], keeps = true): void {
    const { layout, state } = position;
    const codes = drawn.map((action) => encode(action, layout)!).slice(0, MOST_DRAWN);
    const { length: choices } = position.legal();
    this.isForced = choices === 1;
    const canBeKept = keeps && this.layout === layout && this.drawing + codes.length === 0 && choices <= RESERVE;
    const depth = canBeKept ? this.find(state) : -1;
    const { nodes, control, path, root } = this.arrays;
    if (depth >= 0) this.kernels.number('move_root', nodes, control, path, depth);
    else this.begin(position, codes);
    root.bytes.set(state);
  }

  /** Go on until so many iterations have been done at this position, or something is proven. Returns whether more would help. */
  run(iterations: number): boolean {
    const { board, root, work, trials, network, params, drawn, history, nodes, control } = this.arrays;
    control.items('int64')[Control.LIMIT] = BigInt(iterations);
    this.kernels.number(
      'grow',
      ...[board, root, work, trials, network, params],
      ...[drawn.as('int64', this.drawing), history, nodes, control],
    );
    return this.iterations >= iterations;
  }

  /** The iterations done, without those of earlier positions. */
  get iterations(): number {
    return Number(this.arrays.control.items('int64')[Control.DONE]);
  }

  /** What is known. `count`: the best variations. */
  info(count: number): Info {
    const { iterations } = this;
    const depth = Number(this.arrays.control.items('int64')[Control.DEPTH]);
    const best = this.ranked(ROOT).subarray(0, count);
    return {
      value: this.value(ROOT),
      iterations,
      depth,
      lines: Array.from(best, (node) => this.variation(Number(node))),
    };
  }

  /** The most iterations of a level at this position. */
  limit(level: Level): number {
    return this.isForced ? 1 : BOTS[level].iterations;
  }

  /** The decision of a level, whose iterations have been done. `seed`: a random number of 64 bits. */
  choose(level: Level, seed: bigint): Action {
    const { board, root, work, nodes, stream } = this.arrays;
    const { error, careful, spares } = BOTS[level];
    stream.items('uint64')[0] = seed | 1n;
    this.levels[3].items('int64').set([BigInt(BUDGET), 0n]);
    return this.action(
      this.kernels.code('choose_decision', board, root, work, nodes, error, Number(careful), spares, stream, [
        ...this.levels,
        WIN,
      ]),
    );
  }

  /** The first decision of the best rest of the turn as `greedy` sees it, which needs no search. */
  chooseGreedily(seed: bigint): Action {
    const { board, root, work, beam, stream } = this.arrays;
    stream.items('uint64')[0] = seed | 1n;
    return this.action(this.kernels.code('turn_decision', board, root, work, beam, stream));
  }

  private begin({ layout, players }: EkoPosition, drawn: readonly bigint[]): void {
    if (this.layout?.players !== players) this.load(players);
    this.layout = layout;
    this.drawing = drawn.length;
    const { board, history, control, nodes } = this.arrays;
    board.bytes.set(layout.board);
    this.arrays.drawn.items('int64').set(drawn);
    for (const array of [history, control]) array.bytes.fill(0);
    nodes.bytes.fill(0, 0, NODE.size);
  }

  /** How many decisions a state is below the root, -1 if it is not in the tree; the way there is written. */
  private find(state: Uint8Array): number {
    const { board, root, work, nodes, control, states, path } = this.arrays;
    if (control.items('int64')[Control.USED] === 0n) return -1;
    states.bytes.set(root.bytes);
    states.bytes.set(state, (FARTHEST + 1) * STATE.size);
    const words = states.as('uint64', FARTHEST + 2, STATE.size / 8);
    return this.kernels.number('find_node', board, work, states, words, nodes, path);
  }

  private load(players: number): void {
    const part = <T extends Item>(name: keyof typeof NETWORK.fields, type: T) => this.arrays.network.field(name, type);
    const read = this.networks.networks[players]!;
    const [inputs, second] = [part('inputs', 'int16'), part('second', 'int16')];
    inputs.fill(0);
    second.fill(0);
    for (const [name, column] of Object.entries(Feature)) {
      read[name.toLowerCase()]!.forEach((weight, unit) => (inputs[unit * COLUMNS + column] = weight));
    }
    read['second']!.forEach(
      (weight, place) => (second[Math.floor(place / FIRST_UNITS) * COLUMNS + (place % FIRST_UNITS)] = weight),
    );
    part('bias', 'int32').set(read['bias']!);
    part('second_bias', 'int32').set(read['second_bias']!);
    part('output', 'int32').set(read['output']!);
  }

  private ranked(node: number): BigInt64Array {
    return this.kernels.items('rank_children', 'int64', this.arrays.nodes, node).items;
  }

  private value(node: number): number[] {
    return Array.from(this.arrays.nodes.field('value', 'float32', node).subarray(0, this.layout!.players));
  }

  private variation(node: number): Variation {
    const actions = [this.actionOf(node)];
    const { nodes } = this.arrays;
    for (let at = node; nodes.field('child', 'int32', at)[0] !== NONE; ) {
      at = Number(this.ranked(at)[0]);
      actions.push(this.actionOf(at));
    }
    const isProven = nodes.field('proven', 'int8', node)[0] !== 0;
    return {
      value: this.value(node),
      actions,
      iterations: nodes.field('visits', 'int32', node)[0]!,
      ...(isProven && { proven: true as const }),
    };
  }

  private actionOf(node: number): Action {
    return decode(this.arrays.nodes.field('code', 'int64', node)[0]!, this.layout!);
  }

  private action(code: bigint): Action {
    return decode(code, this.layout!);
  }
}

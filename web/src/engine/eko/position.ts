/** Positions of Ekö (E12), on the kernels of its module. */
import { type KernelArray, Kernels } from '../module';
import type { Outcome } from '../record';
import { EKO } from '../records';
import { type Action, askedOf, decode, encode, KINDS, type Kind, MOST_ASKED, type Space } from './action';
import {
  addMember,
  BOX,
  type Laid,
  Layout,
  members,
  type PlacedTile,
  readReport,
  rowsOf,
  type TileSet,
  writtenTileSet,
} from './layout';

const { Phase, Whereabouts, Effect, Reason, REASON_RULES, REFUSALS, NOBODY, NO_SPACE, LEVELS, SUPPLY, MOST_PLAYERS } =
  EKO;
const { CAPTIVE_POINTS, SOURCES, SINGLE_NUMBERS, SEAT_FIELDS, ANYWHERE, PROSPECTS } = EKO;
const [COLUMNS, KINDS_OF_TILES, LISTS] = [EKO.Cell, EKO.Kind, EKO.List].map(
  (columns) => Object.keys(columns).length,
) as [number, number, number];
const DIRECTIONS = EKO.DIRECTIONS.length;
const { MOST_TILES, MOST_CHOICES, MOST_CELLS, MOST_LAID, LONGEST_REPORT } = EKO;
const WORDS = 2;
/** Legal decisions beyond these are not looked at to explain a refusal; no board of the box has so many. */
const MOST_CODES = 1 << 15;
const LAYOUTS_KEPT = 16;

const words = <E extends object>(numbers: E): Lowercase<keyof E & string>[] =>
  Object.keys(numbers).map((name) => name.toLowerCase() as Lowercase<keyof E & string>);
const PHASES = words(Phase);
const EFFECTS = words(Effect);
const REASONS = words(Reason).map((name) => name.replaceAll('_', '-'));
export type Phase = (typeof PHASES)[number];
/** What a decision does, as a page names it. */
export type Effect = (typeof EFFECTS)[number];

export interface Stack {
  readonly owner: number;
  readonly height: number;
  readonly emperor: boolean;
}
export interface Building {
  readonly owner: number;
  readonly kind: Kind;
}
export interface Reserve {
  readonly discs: number;
  readonly emperor: boolean;
}
export interface TurnJson {
  readonly number: number;
  readonly player: number;
  readonly first?: number;
  readonly phase: Phase;
  readonly marched?: true;
  readonly sandtemple_used?: true;
  readonly moon_used?: true;
  readonly paid?: readonly Space[];
  readonly placed?: readonly Space[];
  readonly ransom?: number;
  readonly resume?: Phase;
}

/** The interchange form, version 1. */
export interface PositionJson {
  readonly game: 'eko';
  readonly version: 1;
  readonly tileset?: TileSet;
  readonly players: number;
  readonly tiles: readonly PlacedTile[];
  readonly stacks: { readonly [space: Space]: Stack };
  readonly buildings: { readonly [space: Space]: Building };
  readonly reserve: readonly Reserve[];
  readonly removed: readonly number[];
  readonly captives: readonly (readonly number[])[];
  readonly unplaced?: readonly Reserve[];
  readonly turn: TurnJson;
  readonly winners?: readonly number[];
}

/** Why an action is not possible: a stable word, as in a page's catalogues, and the number of the rule. */
export interface Refusal {
  readonly code: string;
  readonly rule: string;
}

/** A player's points by source (E11.1, E10.6). */
export type Points = Readonly<Record<'total' | (typeof SOURCES)[number], number>>;

/** Where a stack can go: the space, the number of the node before it (-1: the start), the first space of a zone that takes a disc on entry. */
export type Node = readonly [space: number, before: number, zone?: number];

/** A legal decision and what it changes. */
export interface Description {
  readonly effect: Effect;
  /** The spaces of a shortest path, of a move. */
  readonly path?: readonly Space[];
  /** Discs on the decision's space afterwards. */
  readonly height?: number;
  /** Discs lost to tempests. */
  readonly lost?: number;
  /** Discs spent or removed. */
  readonly cost?: number;
  /** The enemy building that was replaced. */
  readonly razed?: Building;
  /** The enemy stack as it stood. */
  readonly met?: Stack;
  /** The owners of the Emperors that an exchange brings back (E5.7). */
  readonly freed?: readonly number[];
  /** What each seat wins or loses by it (E11.1). */
  readonly points?: readonly number[];
}

/** What a player could do if its turn began now: the spaces that its stacks could go to or take, the sites it could build on. */
export interface Prospects {
  readonly moves: readonly Space[];
  readonly takes: readonly Space[];
  readonly sites: readonly Space[];
}

/** The rules of Ekö: a module with its memory. */
export class Eko {
  readonly kernels: Kernels<typeof EKO>;
  private readonly board: KernelArray;
  private readonly laying: Readonly<
    Record<'kinds' | 'shapes' | 'choices' | 'placed' | 'board' | 'near' | 'cells' | 'lists' | 'report', KernelArray>
  >;
  private readonly reading: Readonly<
    Record<'stacks' | 'buildings' | 'held' | 'turn' | 'paid' | 'placed' | 'place', KernelArray>
  >;
  private readonly before: KernelArray;
  private readonly after: KernelArray;
  private readonly work: KernelArray;
  private readonly zones: KernelArray;
  private readonly codes: KernelArray;
  private readonly asked: KernelArray;
  private readonly found: KernelArray;
  private readonly layouts = new Map<string, Layout>();
  private laid: Layout | undefined;

  constructor(module: WebAssembly.Module) {
    this.kernels = new Kernels(module, EKO);
    [this.board, this.work] = [this.kernels.array('BOARD', 1), this.kernels.array('WORK', 1)];
    [this.before, this.after] = [this.kernels.array('STATE', 1), this.kernels.array('STATE', 1)];
    const numbers = (...shape: number[]): KernelArray => this.kernels.array('int64', ...shape);
    this.laying = {
      kinds: numbers(MOST_TILES, KINDS_OF_TILES),
      shapes: numbers(MOST_TILES, MOST_CELLS, 3),
      choices: numbers(MOST_TILES * MOST_CHOICES, 1 + MOST_CELLS),
      placed: numbers(NO_SPACE, Object.keys(EKO.Drawn).length),
      board: this.kernels.array('BOARD', 1),
      near: this.kernels.array('int16', MOST_LAID, DIRECTIONS),
      cells: numbers(MOST_LAID, COLUMNS),
      lists: numbers(LISTS, MOST_TILES),
      report: numbers(LONGEST_REPORT),
    };
    this.reading = {
      stacks: numbers(NO_SPACE, Object.keys(EKO.Stood).length),
      buildings: numbers(NO_SPACE, Object.keys(EKO.Built).length),
      held: numbers(MOST_PLAYERS, Object.keys(EKO.Held).length),
      turn: numbers(Object.keys(EKO.Turn).length),
      paid: numbers(NO_SPACE),
      placed: numbers(EKO.DISCS),
      place: numbers(1),
    };
    [this.zones, this.found] = [this.kernels.array('uint64', 1, WORDS), this.kernels.array('uint64', PROSPECTS, WORDS)];
    [this.codes, this.asked] = [this.kernels.array('int64', MOST_CODES), this.kernels.array('int64', MOST_ASKED)];
  }

  /** A board of placed tiles. Throws a RangeError for one that can't be played on (E2.8). */
  layout(players: number, tiles: readonly PlacedTile[], tileset?: TileSet): Layout {
    const written = tileset && writtenTileSet(tileset);
    const own = written && JSON.stringify(written) !== JSON.stringify(BOX) ? written : undefined;
    const key = JSON.stringify([players, tiles, own]);
    const known = this.layouts.get(key);
    if (known) return known;
    const laid = this.lay(players, tiles, own);
    const [fault] = laid.faults;
    if (fault) throw new RangeError(`${fault.code} (${fault.rule})`);
    const layout = new Layout(players, tiles, own, laid);
    if (this.layouts.size === LAYOUTS_KEPT) this.layouts.delete(this.layouts.keys().next().value!);
    this.layouts.set(key, layout);
    return layout;
  }

  /** Lay tiles out, whatever is wrong with them. used: tiles that are in play without being placed. Throws a RangeError for tiles that the box has not, and for too many. */
  lay(players: number, tiles: readonly PlacedTile[], box: TileSet = BOX, used: readonly string[] = []): Laid {
    const { names, kinds, shapes, choices } = rowsOf(box);
    const number = (name: string): number => {
      if (!Object.hasOwn(box.tiles, name)) throw new RangeError(`the tile set has no tile ${name} (E2.3)`);
      return names.indexOf(name);
    };
    if (tiles.length > NO_SPACE) throw new RangeError(`more than ${NO_SPACE} tiles (E2.8)`);
    const placed = tiles.flatMap(([name, ...at]) => [number(name), ...at]);
    const { board, near, cells, lists, report } = this.laying;
    for (const array of [board, near, cells, lists, report]) array.bytes.fill(0);
    for (const name of used) lists.items('int64')[number(name)]! += 1n;
    const count = this.kernels.number(
      'lay_tiles',
      ...[players, this.fill(this.laying.kinds, kinds), this.fill(this.laying.shapes, shapes)],
      ...[this.fill(this.laying.choices, choices), this.fill(this.laying.placed, placed)],
      ...[board, near, cells, lists, report],
    );
    const numbers = report.items('int64');
    const [cellItems, nearItems] = [cells.items('int64'), near.items('int16')];
    return {
      faults: readReport(Array.from(numbers.subarray(0, Number(numbers[EKO.Report.END])), Number), names),
      cells: Array.from({ length: count }, (_, at) =>
        Array.from(cellItems.subarray(COLUMNS * at, COLUMNS * (at + 1)), Number),
      ),
      near: Array.from({ length: count }, (_, at) => [...nearItems.subarray(DIRECTIONS * at, DIRECTIONS * (at + 1))]),
      board: board.bytes.slice(),
      large: this.large(names, box),
    };
  }

  /** The large tiles that are in play after `lay_tiles`, with their letters. */
  private large(names: readonly string[], { tiles }: TileSet): Map<string, string> {
    const items = this.laying.lists.items('int64');
    const listed = (list: number, tile: number): number => Number(items[MOST_TILES * list + tile]);
    return new Map(
      names.flatMap((name, tile): [string, string][] => {
        if (listed(EKO.List.NEEDED, tile) === 0) return [];
        const { terrain, replaces = [] } = tiles[name]!;
        const first = Number(this.laying.kinds.items('int64')[KINDS_OF_TILES * tile + EKO.Kind.FIRST]);
        return [[name, terrain ?? replaces[listed(EKO.List.STANDING, tile) - first]![1]]];
      }),
    );
  }

  /** Read the interchange form. Throws a PositionError for an impossible position, a RangeError for such a board. */
  position(value: PositionJson): EkoPosition {
    const layout = this.layout(value.players, value.tiles, value.tileset);
    this.use(layout);
    const numbers = numbersOf(value, layout);
    const taken = (name: keyof typeof numbers): KernelArray => this.fill(this.reading[name], numbers[name]);
    this.before.bytes.fill(0);
    const wrong = this.kernels.number(
      'read_position',
      ...[this.board, taken('stacks'), taken('buildings'), taken('held'), taken('turn'), taken('paid')],
      ...[taken('placed'), this.before, this.after, this.reading.place],
    );
    if (wrong !== EKO.Wrong.NOTHING) {
      const name = Object.keys(EKO.Wrong)[wrong]!;
      const rows = { STACK: numbers.stacks, SET_UP_STACK: numbers.stacks, BUILDING: numbers.buildings };
      const [, row] = Object.entries(rows).find(([part]) => name.startsWith(part)) ?? [];
      const place = Number(this.reading.place.items('int64')[0]);
      const spaces = row ? [layout.coordinates[row[place]![EKO.Stood.SPACE]!]!] : [];
      throw new PositionError(name.toLowerCase().replaceAll('_', '-'), EKO.WRONG_RULES[wrong]!, spaces);
    }
    return new EkoPosition(this, layout, this.before.bytes.slice());
  }

  /** The codes of all legal decisions. */
  list({ layout, state }: EkoPosition): BigInt64Array {
    this.take(layout, state);
    return this.kernels.items('list_decisions', 'int64', this.board, this.before, this.work).items;
  }

  allows({ layout, state }: EkoPosition, code: bigint): boolean {
    this.take(layout, state);
    return this.kernels.number('is_legal', this.board, this.before, this.work, code) !== 0;
  }

  /** Why an illegal action of a seat is refused. codes: the legal decisions. */
  refusal({ layout, state }: EkoPosition, codes: BigInt64Array, seat: number, action: Action): number {
    this.take(layout, state);
    const count = Math.min(codes.length, MOST_CODES);
    this.codes.items('int64').set(codes.subarray(0, count));
    this.asked.items('int64').set(askedOf(action, layout));
    return this.kernels.number('find_refusal', this.board, this.before, this.codes, count, seat, this.asked);
  }

  /** The state after a legal decision. */
  perform({ layout, state }: EkoPosition, code: bigint): Uint8Array {
    this.take(layout, state);
    this.kernels.number('perform_decision', this.board, this.before, this.after, this.work, code);
    return this.after.bytes.slice();
  }

  /** The number of decision sequences of a length. */
  perft({ layout, state }: EkoPosition, depth: number): number {
    this.take(layout, state);
    return this.kernels.number('perft_leaves', this.board, this.before, this.work, depth);
  }

  /** The numbers of a state (rules/export.py). */
  numbers({ layout, state }: EkoPosition): number[] {
    this.take(layout, state);
    return Array.from(this.kernels.items('export_state', 'int64', this.board, this.before).items, Number);
  }

  effect({ state }: EkoPosition, code: bigint): number {
    this.before.bytes.set(state);
    return this.kernels.number('find_effect', this.before, code);
  }

  /** The paths of a stack, the nearest first; with a target the path that meets just these zones is the last. */
  trace(
    { layout, state }: EkoPosition,
    start: number,
    target: number = NO_SPACE,
    zones: readonly number[] = [],
  ): Node[] {
    this.take(layout, state);
    this.zones.bytes.fill(0);
    for (const zone of zones) addMember(this.zones.bytes, 0, 0, zone);
    const { items, shape } = this.kernels.items(
      'trace_paths',
      'int16',
      this.board,
      this.before,
      start,
      target,
      this.zones,
    );
    return Array.from({ length: shape[0]! }, (_, place) => {
      const [space, before, zone] = items.subarray(3 * place, 3 * place + 3) as unknown as [number, number, number];
      return zone === NO_SPACE ? [space, before] : [space, before, zone];
    });
  }

  /** What a player could do if its turn began now: three sets of spaces. */
  prospects({ layout, state }: EkoPosition, seat: number, source: number = ANYWHERE): number[][] {
    this.take(layout, state);
    this.kernels.number('find_prospects', this.board, this.before, this.work, this.after, seat, source, this.found);
    return Array.from({ length: PROSPECTS }, (_, row) => members(this.found.bytes, 8 * WORDS * row));
  }

  /** The first rows of an array, with these numbers. */
  private fill(array: KernelArray, numbers: readonly (number | readonly number[])[]): KernelArray {
    const flat = numbers.flat();
    const [most, ...shape] = array.shape as [number, ...number[]];
    const rows = flat.length / shape.reduce((all, one) => all * one, 1);
    if (rows > most) throw new RangeError(`more than ${most} of them`);
    array.items('int64').set(flat.map(BigInt));
    return array.as('int64', rows, ...shape);
  }

  private take(layout: Layout, state: Uint8Array): void {
    this.use(layout);
    this.before.bytes.set(state);
  }

  private use(layout: Layout): void {
    if (this.laid === layout) return;
    this.board.bytes.set(layout.board);
    this.laid = layout;
  }
}

/** A position; immutable, `play` returns another one. */
export class EkoPosition {
  private readonly known: { codes?: BigInt64Array; legal?: ReadonlySet<bigint>; view?: View } = {};

  constructor(
    private readonly rules: Eko,
    readonly layout: Layout,
    /** The record of the kernels (`STATE` of records.ts). */
    readonly state: Uint8Array,
  ) {}

  get players(): number {
    return this.layout.players;
  }

  get phase(): Phase {
    return PHASES[this.view.phase]!;
  }

  /** The player in turn; the last one to move once the game is over. */
  get player(): number {
    return this.view.player;
  }

  /** The number of the turn, from 1; 0 in the set-up. */
  get turnNumber(): number {
    return this.view.number;
  }

  /** Whether nothing has been decided in this turn (E4.1). */
  get isTurnStart(): boolean {
    const turn = this.turn();
    return (turn.phase === 'action' || turn.phase === 'reinforce') && Object.keys(turn).length === 3;
  }

  /** The seat to move, which in a ransom is not the player in turn (E5.7); none once the game is over. */
  actors(): number[] {
    return this.view.actor === NOBODY ? [] : [this.view.actor];
  }

  /** All legal actions of the seat to move. */
  legal(): Action[] {
    return Array.from(this.codes, (code) => decode(code, this.layout));
  }

  isLegal(action: Action): boolean {
    const code = encode(action, this.layout);
    if (code === undefined || !this.known.codes) return code !== undefined && this.rules.allows(this, code);
    return (this.known.legal ??= new Set(this.known.codes)).has(code);
  }

  /** The rule that an action of a seat breaks; undefined if it is legal. */
  whyNot(seat: number, action: Action): Refusal | undefined {
    if (this.view.actor === seat && this.isLegal(action)) return undefined;
    const [code, rule] = REFUSALS[this.rules.refusal(this, this.codes, seat, action)]!;
    return { code, rule };
  }

  /** The position after a legal action of the seat to move. Throws a RangeError for another action. */
  play(action: Action): EkoPosition {
    if (!this.isLegal(action)) throw new RangeError(`not legal here: ${JSON.stringify(action)}`);
    return new EkoPosition(this.rules, this.layout, this.rules.perform(this, encode(action, this.layout)!));
  }

  /** The number of decision sequences of a length, 1 or more; a game that ends earlier counts as one. */
  perft(depth: number): number {
    return this.rules.perft(this, depth);
  }

  /** The outcome (E11), by points (E11.2), last-on-board (E11.3), both, nobody (E11.4) or no-moves (E4.2); undefined while the game goes on. */
  outcome(): Outcome | undefined {
    const { reason, winners } = this.view;
    return reason === NOBODY
      ? undefined
      : { winners: seatsOf(winners), reason: REASONS[reason]!, rule: REASON_RULES[reason]! };
  }

  /** A player's points by source. */
  points(seat: number): Points {
    const { points, camps, towers, castles, captives, signs } = this.view;
    const held = CAPTIVE_POINTS * seatsOf(captives[seat]!).length;
    const won = [camps[seat], 2 * towers[seat]!, 3 * castles[seat]!, held, ...signs.map((row) => row[seat])];
    const bySource = SOURCES.map((source, place) => [source, won[place]!]);
    return { total: points[seat]!, ...Object.fromEntries(bySource) };
  }

  stack(space: Space): Stack | undefined {
    const number = this.layout.number(space);
    return number === undefined ? undefined : stackOf(this.view.stacks.get(number) ?? 0);
  }

  building(space: Space): Building | undefined {
    const number = this.layout.number(space);
    return number === undefined ? undefined : buildingOf(this.view.buildings.get(number) ?? 0);
  }

  /** What a player has, as a page shows it: points, the Emperor, discs, and buildings left. */
  toPlayer(seat: number): PlayerJson {
    const { whereabouts, emperor, captor, reserve, removed, discs, capitals, camps, towers, castles } = this.view;
    const where = whereabouts[seat]!;
    const places = {
      [Whereabouts.BOARD]: { where: 'board', space: this.layout.coordinates[emperor[seat]!]! },
      [Whereabouts.RESERVE]: { where: 'reserve' },
      [Whereabouts.CAPTIVE]: { where: 'captive', by: captor[seat]! },
      [Whereabouts.UNPLACED]: { where: 'unplaced' },
    } as const;
    const built = [camps, towers, castles];
    return {
      points: this.points(seat),
      capital: capitals[seat]! > 0,
      reserve: { discs: reserve[seat]!, emperor: where === Whereabouts.RESERVE },
      emperor: places[where as keyof typeof places],
      supply: Object.fromEntries(
        KINDS.map((kind, level) => [kind, SUPPLY[level + 1]! - built[level]![seat]!]),
      ) as Record<Kind, number>,
      removed: removed[seat]!,
      discs: discs[seat]!,
    };
  }

  /** What a legal action does. */
  effect(action: Action): Effect {
    return EFFECTS[this.rules.effect(this, encode(action, this.layout)!)]!;
  }

  /** What a player, or one of its stacks, could do if its turn began now. */
  prospects(seat: number, from?: Space): Prospects {
    const [moves, takes, sites] = this.rules
      .prospects(this, seat, from === undefined ? ANYWHERE : this.layout.number(from)!)
      .map((spaces) => spaces.map((one) => this.layout.coordinates[one]!));
    return { moves: moves!, takes: takes!, sites: sites! };
  }

  /** The spaces of a shortest path through just the zones of a legal move. */
  path({ from, to, zones = [] }: Extract<Action, { type: 'move' }>): Space[] {
    const number = (space: Space): number => this.layout.number(space)!;
    const nodes = this.rules.trace(this, number(from), number(to), zones.map(number));
    const path: Space[] = [];
    for (let node = nodes.at(-1); node; node = nodes[node[1]]) path.unshift(this.layout.coordinates[node[0]]!);
    return path.at(-1) === to ? path : [from, to];
  }

  /** What a legal action does and changes. after: the position that it leads to. */
  describe(action: Action, after: EkoPosition = this.play(action)): Description {
    const [was, now] = [this.view, after.view];
    const [effect, space] = [this.effect(action), spaceOf(action)];
    const there = space === undefined ? undefined : this.stack(space);
    const isEnemy =
      there !== undefined && there.owner !== was.actor && (action.type === 'move' || action.type === 'sandtemple');
    const height = (position: EkoPosition, on: Space): number => position.stack(on)?.height ?? 0;
    const freed = was.whereabouts.flatMap((where, seat) => {
      const isTaken = where === Whereabouts.CAPTIVE || (isEnemy && there.emperor && there.owner === seat);
      return isTaken && now.whereabouts[seat] === Whereabouts.RESERVE ? [seat] : [];
    });
    const points = now.points.map((total, seat) => total - was.points[seat]!);
    return {
      effect,
      ...(action.type === 'move' && {
        path: this.path(action),
        height: height(after, action.to),
        ...(action.zones?.length && { lost: action.zones.length }),
      }),
      ...(action.type === 'build' && {
        height: height(after, action.from),
        cost: height(this, action.from) - height(after, action.from),
      }),
      ...(action.type === 'reinforce' && { height: height(after, action.space) }),
      ...(['march', 'moon', 'sandtemple'].includes(action.type) && {
        cost: now.removed[was.player]! - was.removed[was.player]!,
      }),
      ...(effect === 'replace' && { razed: this.building(space!)! }),
      ...(isEnemy && { met: there }),
      ...(freed.length > 0 && { freed }),
      ...(points.some((change) => change !== 0) && { points }),
    };
  }

  /** The interchange form; equal positions give equal text. */
  toJson(): PositionJson {
    const { layout, view } = this;
    const on = <V>(codes: ReadonlyMap<number, number>, read: (code: number) => V): Record<Space, V> =>
      Object.fromEntries([...codes].map(([space, code]) => [layout.coordinates[space]!, read(code)]));
    const held = (discs: readonly number[], place: number): Reserve[] =>
      discs.map((count, seat) => ({ discs: count, emperor: view.whereabouts[seat] === place }));
    return {
      game: 'eko',
      version: 1,
      ...(layout.tileset && { tileset: layout.tileset }),
      players: layout.players,
      tiles: layout.tiles,
      stacks: on(view.stacks, (code) => stackOf(code)!),
      buildings: on(view.buildings, (code) => buildingOf(code)!),
      reserve: held(view.reserve, Whereabouts.RESERVE),
      removed: view.removed,
      captives: view.captives.map(seatsOf),
      ...(view.phase === Phase.PLACE && { unplaced: held(view.unplaced, Whereabouts.UNPLACED) }),
      turn: this.turn(),
      ...(view.phase === Phase.OVER && { winners: seatsOf(view.winners) }),
    };
  }

  private turn(): TurnJson {
    const { layout, view } = this;
    const spaces = (numbers: readonly number[]): Space[] => numbers.map((space) => layout.coordinates[space]!);
    const isSetUp = view.phase === Phase.PLACE || view.phase === Phase.SWAP;
    return {
      number: view.number,
      player: view.player,
      ...(isSetUp && view.first > 0 && { first: view.first }),
      phase: PHASES[view.phase]!,
      ...(view.marched > 0 && { marched: true as const }),
      ...(view.sandtempleUsed > 0 && { sandtemple_used: true as const }),
      ...(view.moonUsed > 0 && { moon_used: true as const }),
      ...(view.paid.length > 0 && { paid: spaces(view.paid) }),
      ...(view.placed.length > 0 && { placed: spaces(view.placed) }),
      ...(view.phase === Phase.RANSOM && { ransom: view.chooser, resume: PHASES[view.resume]! }),
    };
  }

  private get codes(): BigInt64Array {
    return (this.known.codes ??= this.rules.list(this));
  }

  private get view(): View {
    return (this.known.view ??= viewOf(this.rules.numbers(this), this.players));
  }
}

/** What a page shows of a player. */
export interface PlayerJson {
  readonly points: Points;
  readonly capital: boolean;
  readonly reserve: Reserve;
  readonly emperor: {
    readonly where: 'board' | 'reserve' | 'captive' | 'unplaced';
    readonly space?: Space;
    readonly by?: number;
  };
  readonly supply: Record<Kind, number>;
  readonly removed: number;
  readonly discs: number;
}

type View = ReturnType<typeof viewOf>;

/** The names of a state's exported numbers, in their order (rules/export.py), and of those that each seat has. */
const SINGLE = [
  ...(['number', 'player', 'phase', 'actor', 'chooser', 'resume', 'winners', 'first', 'marched'] as const),
  ...(['sandtempleUsed', 'moonUsed', 'placedCount', 'paidCount', 'stackCount', 'buildingCount', 'reason'] as const),
];
const BY_SEAT = [
  ...(['points', 'camps', 'towers', 'castles', 'captives', 'capitals', 'reserve', 'removed'] as const),
  ...(['unplaced', 'whereabouts', 'emperor', 'captor', 'discs'] as const),
];

/** The exported numbers of a state by name; lists have one number for each seat. */
function viewOf(numbers: readonly number[], players: number) {
  const named = <Name extends string, Value>(names: readonly Name[], values: readonly Value[]): Record<Name, Value> =>
    Object.fromEntries(names.map((name, place) => [name, values[place]])) as Record<Name, Value>;
  let at = SINGLE_NUMBERS;
  const take = (count: number): number[] => numbers.slice(at, (at += count));
  const rows = Array.from({ length: SEAT_FIELDS }, () => take(players));
  const single = named(SINGLE, numbers);
  const [placed, paid] = [take(single.placedCount), take(single.paidCount)];
  const pairs = (count: number): Map<number, number> => {
    const [spaces, codes] = [take(count), take(count)];
    return new Map(spaces.map((space, place) => [space, codes[place]!]));
  };
  const [stacks, buildings] = [pairs(single.stackCount), pairs(single.buildingCount)];
  return { ...single, ...named(BY_SEAT, rows), signs: rows.slice(BY_SEAT.length), placed, paid, stacks, buildings };
}

/** The seats of a bit set, ascending. */
function seatsOf(set: number): number[] {
  return Array.from({ length: MOST_PLAYERS }, (_, seat) => seat).filter((seat) => (set >> seat) & 1);
}

/** The stack of a code: owner << 4 | height << 1 | Emperor. */
function stackOf(code: number): Stack | undefined {
  const height = (code >> 1) & 7;
  return height > 0 ? { owner: code >> 4, height, emperor: (code & 1) === 1 } : undefined;
}

/** The building of a code: owner << 2 | level. */
function buildingOf(code: number): Building | undefined {
  const level = code & LEVELS;
  return level > 0 ? { owner: code >> 2, kind: KINDS[level - 1]! } : undefined;
}

/** The space that a decision leads to or concerns. */
function spaceOf(action: Action): Space | undefined {
  if (action.type === 'move') return action.to;
  if (action.type === 'build') return action.site;
  return 'space' in action ? action.space : undefined;
}

/** Why a position is impossible. */
export class PositionError extends RangeError {
  constructor(
    /** A stable word. */
    readonly code: string,
    readonly rule: string,
    readonly spaces: readonly Space[] = [],
  ) {
    super(`an impossible position: ${code} ${spaces.join(' ')} (${rule})`);
  }
}

/** A position as `read_position` takes it. Throws a PositionError for seats, spaces and phases that there are not. */
function numbersOf(
  value: PositionJson,
  layout: Layout,
): Readonly<Record<'turn' | 'paid' | 'placed', number[]>> &
  Readonly<Record<'stacks' | 'buildings' | 'held', number[][]>> {
  const space = (name: Space): number => {
    const number = layout.number(name);
    if (number === undefined) throw new PositionError('space', 'E2.1', [name]);
    return number;
  };
  const seat = (number: number): number => {
    if (!Number.isInteger(number) || number < 0 || number >= layout.players) throw new PositionError('seat', 'E1.1');
    return number;
  };
  const phase = (name: Phase): number => {
    if (!PHASES.includes(name)) throw new PositionError('phase', 'E12');
    return PHASES.indexOf(name);
  };
  const set = (seats: readonly number[]): number => seats.reduce((all, one) => all | (1 << seat(one)), 0);
  const row = <C extends object>(columns: C, values: Partial<Record<keyof C, number | boolean>>): number[] =>
    Object.keys(columns).map((name) => Number(values[name as keyof C] ?? 0));
  const { turn, reserve, removed, captives, unplaced, winners = [] } = value;
  return {
    stacks: Object.entries(value.stacks).map(([name, { owner, height, emperor }]) =>
      row(EKO.Stood, { SPACE: space(name), OWNER: seat(owner), HEIGHT: height, EMPEROR: emperor }),
    ),
    buildings: Object.entries(value.buildings).map(([name, { owner, kind }]) =>
      row(EKO.Built, { SPACE: space(name), OWNER: seat(owner), LEVEL: 1 + KINDS.indexOf(kind) }),
    ),
    held: Array.from({ length: layout.players }, (_, one) =>
      row(EKO.Held, {
        RESERVE: reserve[one]!.discs,
        KING_RESERVE: reserve[one]!.emperor,
        REMOVED: removed[one]!,
        CAPTIVES: set(captives[one]!),
        UNPLACED: unplaced?.[one]?.discs ?? 0,
        KING_UNPLACED: unplaced?.[one]?.emperor ?? false,
      }),
    ),
    turn: row(EKO.Turn, {
      PHASE: phase(turn.phase),
      NUMBER: turn.number,
      PLAYER: seat(turn.player),
      FIRST: seat(turn.first ?? 0),
      MARCHED: turn.marched ?? false,
      SANDTEMPLE_USED: turn.sandtemple_used ?? false,
      MOON_USED: turn.moon_used ?? false,
      CHOOSER: turn.ransom === undefined ? NOBODY : seat(turn.ransom),
      RESUME: turn.resume === undefined ? 0 : phase(turn.resume),
      WINNERS: set(winners),
    }),
    paid: (turn.paid ?? []).map(space),
    placed: (turn.placed ?? []).map(space),
  };
}

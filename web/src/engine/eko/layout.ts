/** Placed tiles as a board of Ekö (E2): its spaces and their names, what the kernels read of it, and what a page shows. */
import { fieldOf } from '../module';
import { EKO } from '../records';

const { DIRECTIONS, LETTERS, Terrain, Sign, Cell, Area, Kind, Broken, Report, Entry, MOST_CELLS } = EKO;
const BOARD = EKO.records.BOARD;
/** A set of spaces takes two words of 64 bits. */
const SET_BYTES = 16;
export const FLOWER: readonly Offset[] = [[0, 0], ...DIRECTIONS];
const LAST_LETTER = 26;
const MOST_ROWS = LAST_LETTER * (LAST_LETTER + 1);
const MOST_DIAGONALS = 9999;

type Offset = readonly [q: number, r: number];
export type PlacedTile = readonly [tile: string, q: number, r: number, rot: number];
export type Terrain = Lowercase<keyof typeof Terrain>;
export type SignKind = Lowercase<Exclude<keyof typeof Sign, 'NONE'>>;
/** By number. */
export const TERRAINS = Object.keys(Terrain).map((name) => name.toLowerCase() as Terrain);

/** A tile of a box; the keys are explained at the top of tiles.toml. */
export interface Tile {
  readonly terrain?: string;
  readonly cells?: readonly Offset[];
  readonly group?: string;
  readonly replaces?: readonly (readonly [tile: string, terrain: string])[];
  readonly copies?: number;
  readonly variant?: string;
  readonly dealt?: readonly number[];
  readonly sign?: SignKind;
  readonly open?: number;
}

export interface TileSet {
  readonly groups: { readonly [name: string]: number };
  readonly tiles: { readonly [name: string]: Tile };
}

/** The project's own box, which positions leave out. */
export const BOX: TileSet = EKO.BOX;

/** A tile set in its one written form: names ascending, keys in their order, without those at their default. */
export function writtenTileSet({ groups, tiles }: TileSet): TileSet {
  const sorted = <V>(value: { readonly [name: string]: V }): [string, V][] =>
    Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  const tile = ({ terrain, cells, group, replaces = [], copies = 1, variant, dealt, sign, open = 0 }: Tile): Tile => ({
    ...(terrain !== undefined && { terrain }),
    ...(cells && JSON.stringify(cells) !== JSON.stringify(FLOWER) && { cells }),
    ...(group !== undefined && { group }),
    ...(replaces.length > 0 && { replaces }),
    ...(copies !== 1 && { copies }),
    ...(variant !== undefined && { variant }),
    ...(dealt && { dealt }),
    ...(sign !== undefined && { sign }),
    ...(open !== 0 && { open }),
  });
  return {
    groups: Object.fromEntries(sorted(groups)),
    tiles: Object.fromEntries(sorted(tiles).map(([name, one]) => [name, tile(one)])),
  };
}

/** What `lay_tiles` takes of a box: its tiles, by their names in ascending order. */
export interface BoxRows {
  readonly names: readonly string[];
  readonly kinds: readonly number[];
  readonly shapes: readonly number[];
  readonly choices: readonly number[];
}

export function rowsOf({ groups, tiles }: TileSet): BoxRows {
  const names = Object.keys(tiles).sort();
  const choices: number[] = [];
  const filled = (numbers: readonly number[], length: number): number[] =>
    Array.from({ length }, (_, place) => numbers[place] ?? 0);
  const terrains = (letters: string): number[] => [...letters].map((letter) => LETTERS.indexOf(letter));
  const kinds: number[] = [];
  const shapes: number[] = [];
  for (const name of names) {
    const { cells = FLOWER, open = 0, copies = 1, group, sign, terrain, replaces = [] } = tiles[name]!;
    const kind: Record<keyof typeof Kind, number> = {
      CELLS: cells.length,
      OPEN: open,
      COPIES: copies,
      PLAYERS: group === undefined ? 0 : groups[group]!,
      SIGN: sign ? Sign[sign.toUpperCase() as keyof typeof Sign] : Sign.NONE,
      FIRST: choices.length / (1 + MOST_CELLS),
      CHOICES: replaces.length,
    };
    kinds.push(...Object.keys(Kind).map((column) => kind[column as keyof typeof Kind]));
    const letters = terrains(terrain ?? '');
    shapes.push(
      ...filled(
        cells.flatMap(([q, r], cell) => [q, r, letters[cell] ?? 0]),
        3 * MOST_CELLS,
      ),
    );
    for (const [replaced, other] of replaces)
      choices.push(...filled([names.indexOf(replaced), ...terrains(other)], 1 + MOST_CELLS));
  }
  return { names, kinds, shapes, choices };
}

/** A broken check of placed tiles (E2.8). */
export interface Fault {
  /** A stable word, as in the page's catalogues. */
  readonly code: string;
  readonly rule: string;
  /** The parts of a sentence about it, by name. */
  readonly values: Readonly<Record<string, string | number>>;
  /** The placed tiles concerned, by number. */
  readonly tiles: readonly number[];
  readonly spaces: readonly string[];
}

/** By check the names of its values (`Broken` of rules/layout.py). */
const VALUES: Readonly<Record<keyof typeof Broken, readonly string[]>> = {
  NO_STAND_IN: ['tile'],
  STAND_IN: ['tile', 'other'],
  OVERLAP: ['tile', 'other'],
  SIZE: ['count', 'most'],
  APART: [],
  OUT_OF_PLAY: ['tile', 'players'],
  REPLACED: ['tile', 'other'],
  COPIES: ['tile', 'count', 'most'],
  MISSING: ['players', 'tiles'],
  SAND: ['players', 'wanted', 'count'],
  CAPITAL: [],
  PORTAL_COUNT: ['count'],
  PORTAL: ['tile'],
  UNREACHABLE: [],
  ZONES: ['count', 'most'],
};
const CHECKS = Object.keys(Broken) as (keyof typeof Broken)[];

/** What a report of `lay_tiles` says. names: of the tiles of the box. */
export function readReport(report: readonly number[], names: readonly string[]): Fault[] {
  const faults: Fault[] = [];
  for (let at: number = Report.FIRST; at < report[Report.END]!; ) {
    const [broken, ...counts] = report.slice(at, (at += Object.keys(Entry).length)) as [number, ...number[]];
    const [numbers, tiles, spaces] = counts.map((count) => report.slice(at, (at += count)));
    const check = CHECKS[broken]!;
    const values = VALUES[check].map((name, place): [string, string | number] => {
      if (name === 'tiles')
        return [
          name,
          numbers!
            .slice(place)
            .map((tile) => names[tile])
            .join(', '),
        ];
      return [name, name === 'tile' || name === 'other' ? names[numbers![place]!]! : numbers![place]!];
    });
    faults.push({
      code: check === 'NO_STAND_IN' ? 'stand-in' : check.toLowerCase().replaceAll('_', '-'),
      rule: check === 'ZONES' ? 'E10.2' : 'E2.8',
      values: Object.fromEntries(values),
      tiles: tiles!,
      spaces: Array.from({ length: spaces!.length / 2 }, (_, n) => `${spaces![2 * n]},${spaces![2 * n + 1]}`),
    });
  }
  return faults;
}

/** Placed tiles as the kernels lay them out. */
export interface Laid {
  readonly faults: readonly Fault[];
  /** Columns (`Cell`) of each space, in the order of E2.6. */
  readonly cells: readonly (readonly number[])[];
  /** For each space the neighbour in each direction. */
  readonly near: readonly (readonly number[])[];
  /** The record of the kernels (`BOARD` of records.ts). */
  readonly board: Uint8Array;
  /** The large tiles that a layout needs, with their letters; ascending. */
  readonly large: ReadonlyMap<string, string>;
}

/** What a page draws of a board. Spaces by their coordinates. */
export interface BoardJson extends Partial<Record<`${SignKind}s`, string[][]>> {
  spaces: {
    space: string;
    name: string;
    q: number;
    r: number;
    terrain: Terrain;
    tile: number;
    zone?: string;
    capital?: true;
  }[];
  tiles: PlacedTile[];
  portals: { space: string; direction: number; front: string }[];
}

/** A board. Spaces are numbered in the order of E2.6. */
export class Layout {
  /** By space. */
  readonly coordinates: readonly string[];
  readonly terrain: readonly Terrain[];
  readonly names: readonly string[];
  private readonly left: number;
  private readonly top: number;
  private readonly index: ReadonlyMap<string, number>;

  constructor(
    readonly players: number,
    readonly tiles: readonly PlacedTile[],
    /** Undefined: the project's own box. */
    readonly tileset: TileSet | undefined,
    private readonly laid: Laid,
  ) {
    const { cells } = laid;
    this.left = Math.min(...cells.map((cell) => cell[Cell.Q]!));
    this.top = Math.min(...cells.map((cell) => cell[Cell.R]!));
    this.coordinates = cells.map((cell) => `${cell[Cell.Q]},${cell[Cell.R]}`);
    this.terrain = cells.map((cell) => TERRAINS[cell[Cell.TERRAIN]!]!);
    this.names = cells.map((cell) => this.name(cell[Cell.Q]!, cell[Cell.R]!));
    this.index = new Map(this.coordinates.map((space, number) => [space, number]));
  }

  /** The record of the kernels (`BOARD` of records.ts). */
  get board(): Uint8Array {
    return this.laid.board;
  }

  /** The number of a space; undefined: the board has no such space. */
  number(space: string): number | undefined {
    return this.index.get(space);
  }

  /** The first spaces of the tempest zones (E10.2). */
  get zones(): number[] {
    return this.set('sets', Area.ZONE_HEADS);
  }

  /** The spaces of a zone by its first one. */
  zone(head: number): number[] {
    return this.set('zone', head);
  }

  /** The name of a space (E2.1), such as c5; also of one that the board has not. */
  nameOf(space: string): string {
    const [q, r] = space.split(',').map(Number);
    return this.name(q!, r!);
  }

  /** Read a name or coordinates (E2.1). Undefined: the text is neither. */
  read(text: string): string | undefined {
    const [, letters, digits] = /^([a-z]{1,2})([1-9]\d{0,3})$/.exec(text.toLowerCase()) ?? [];
    if (!letters) return /^(0|-?[1-9]\d{0,3}),(0|-?[1-9]\d{0,3})$/.test(text) ? text : undefined;
    const row = [...letters].reduce((all, letter) => LAST_LETTER * all + letter.charCodeAt(0) - 96, 0) - 1;
    return `${this.left + Number(digits) - 1},${this.top + row}`;
  }

  toJson(): BoardJson {
    const { cells, near } = this.laid;
    const spaces = (numbers: readonly number[]): string[] => numbers.map((space) => this.coordinates[space]!);
    const zones = new Map(this.zones.flatMap((head) => this.zone(head).map((space) => [space, head])));
    const portals = [...this.terrain.keys()].filter((space) => this.terrain[space] === 'portal');
    const kinds = [...fieldOf(BOARD, this.board.buffer, 'sign', 'int8')];
    const signs = Object.entries(Sign)
      .slice(1)
      .map(([name, kind]) => [
        `${name.toLowerCase()}s`,
        kinds.flatMap((one, row) => (one === kind ? [spaces(this.set('signs', row))] : [])),
      ]);
    return {
      spaces: cells.map((cell, number) => ({
        space: this.coordinates[number]!,
        name: this.names[number]!,
        q: cell[Cell.Q]!,
        r: cell[Cell.R]!,
        terrain: this.terrain[number]!,
        tile: cell[Cell.TILE]!,
        ...(zones.has(number) && { zone: this.coordinates[zones.get(number)!]! }),
        ...(this.terrain[number] === 'capital' && { capital: true as const }),
      })),
      tiles: [...this.tiles],
      portals: portals.map((space) => {
        const direction = cells[space]![Cell.OPEN]!;
        return { space: this.coordinates[space]!, direction, front: this.coordinates[near[space]![direction]!]! };
      }),
      ...Object.fromEntries(signs),
    };
  }

  private set(name: 'sets' | 'zone' | 'signs', row: number): number[] {
    return members(this.board, BOARD.fields[name].offset + SET_BYTES * row);
  }

  private name(q: number, r: number): string {
    const [row, diagonal] = [r - this.top, q - this.left + 1];
    if (row < 0 || row >= MOST_ROWS || diagonal < 1 || diagonal > MOST_DIAGONALS) return `${q},${r}`;
    const letter = (place: number): string => String.fromCharCode(97 + place);
    const before = Math.floor(row / LAST_LETTER);
    return `${before > 0 ? letter(before - 1) : ''}${letter(row % LAST_LETTER)}${diagonal}`;
  }
}

/** The members of a set of two words in a record, ascending. */
export function members(bytes: Uint8Array, offset: number): number[] {
  return Array.from({ length: 8 * SET_BYTES }, (_, member) => member).filter(
    (member) => (bytes[offset + (member >> 3)]! >> (member & 7)) & 1,
  );
}

/** Add a member to the set in a row of a field of a record. */
export function addMember(bytes: Uint8Array, offset: number, row: number, member: number): void {
  bytes[offset + SET_BYTES * row + (member >> 3)]! |= 1 << (member & 7);
}

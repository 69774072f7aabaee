/** Placed tiles as a board of Ekö (E2): its spaces and their names, what the kernels read of it, and what a page shows. */
import { fieldOf } from '../module';
import { EKO } from '../records';

const { DIRECTIONS, LETTERS, Terrain, Sign, Cell, Area, NO_SPACE } = EKO;
const BOARD = EKO.records.BOARD;
/** A set of spaces takes two words of 64 bits. */
const SET_BYTES = 16;
const TURNS = DIRECTIONS.length;
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

/** What `lay_out` takes: a row of columns (`Cell`) for each space, in the order of E2.6. */
export function cellsOf(tiles: readonly PlacedTile[], { tiles: box }: TileSet): number[][] {
  const letters = lettersOf(
    tiles.map(([name]) => name),
    box,
  );
  const rows = tiles.flatMap(([name, q, r, rot], place) => {
    const tile = box[name];
    if (!tile) throw new RangeError(`the tile set has no tile ${name} (E2.3)`);
    return (tile.cells ?? FLOWER).map((cell, at) => {
      const [dq, dr] = turned(cell, rot);
      const row = Array.from({ length: Object.keys(Cell).length }, () => 0);
      [row[Cell.Q], row[Cell.R]] = [q + dq, r + dr];
      row[Cell.TERRAIN] = LETTERS.indexOf(letters.get(name)![at]!);
      row[Cell.TILE] = place;
      row[Cell.SIGN] = tile.sign ? Sign[tile.sign.toUpperCase() as keyof typeof Sign] : Sign.NONE;
      row[Cell.OPEN] = ((tile.open ?? 0) + rot) % TURNS;
      return row;
    });
  });
  rows.sort((one, other) => one[Cell.R]! - other[Cell.R]! || one[Cell.Q]! - other[Cell.Q]!);
  const twice = rows.find(
    (row, place) => row[Cell.R] === rows[place + 1]?.[Cell.R] && row[Cell.Q] === rows[place + 1]?.[Cell.Q],
  );
  if (twice) throw new RangeError(`two cells overlap on ${twice[Cell.Q]},${twice[Cell.R]} (E2.8)`);
  if (rows.length > NO_SPACE) throw new RangeError(`at most ${NO_SPACE} spaces are supported (E2.8)`);
  return rows;
}

/** Turn an offset counter-clockwise by steps of 60° (E2.2). */
function turned([q, r]: Offset, rot: number): Offset {
  return rot === 0 ? [q, r] : turned([q + r, -q], rot - 1);
}

/** The tile that each temple tile stands in for, and its terrain; the one with fewer choices chooses first (E2.8). */
export function standIns(names: Iterable<string>, box: TileSet['tiles']): Map<string, readonly [string, string]> {
  const choices = (name: string): NonNullable<Tile['replaces']> => box[name]?.replaces ?? [];
  const found = new Map<string, readonly [string, string]>();
  const taken = new Set<string>();
  for (const name of [...new Set(names)]
    .sort()
    .filter((one) => choices(one).length > 0)
    .sort((one, other) => choices(one).length - choices(other).length)) {
    const free = choices(name).find(([replaced]) => !taken.has(replaced));
    if (!free) throw new RangeError(`no tile is left that tile ${name} could stand in for (E2.8)`);
    taken.add(free[0]);
    found.set(name, free);
  }
  return found;
}

/** The letters of the terrain by tile. A temple tile has those of the tile that it stands in for. */
export function lettersOf(names: readonly string[], box: TileSet['tiles']): Map<string, string> {
  const temples = standIns(names, box);
  return new Map(names.map((name) => [name, box[name]?.terrain ?? temples.get(name)?.[1] ?? '']));
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
    private readonly cells: readonly (readonly number[])[],
    private readonly near: readonly (readonly number[])[],
    /** The record of the kernels (`BOARD` of records.ts). */
    readonly board: Uint8Array,
  ) {
    this.left = Math.min(...cells.map((cell) => cell[Cell.Q]!));
    this.top = Math.min(...cells.map((cell) => cell[Cell.R]!));
    this.coordinates = cells.map((cell) => `${cell[Cell.Q]},${cell[Cell.R]}`);
    this.terrain = cells.map((cell) => TERRAINS[cell[Cell.TERRAIN]!]!);
    this.names = cells.map((cell) => this.name(cell[Cell.Q]!, cell[Cell.R]!));
    this.index = new Map(this.coordinates.map((space, number) => [space, number]));
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
      spaces: this.cells.map((cell, number) => ({
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
        const direction = this.cells[space]![Cell.OPEN]!;
        return { space: this.coordinates[space]!, direction, front: this.coordinates[this.near[space]![direction]!]! };
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

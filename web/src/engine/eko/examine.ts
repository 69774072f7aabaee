/** What is wrong with boards and positions that are being made, and the tiles to make them of. */
import { EKO } from '../records';
import { KINDS, type Kind } from './action';
import {
  BOX,
  type BoardJson,
  type Fault,
  FLOWER,
  type PlacedTile,
  type SignKind,
  TERRAINS,
  type Terrain,
  type TileSet,
} from './layout';
import { type Eko, type EkoPosition, PositionError, type PositionJson } from './position';

const { LETTERS, SUPPLY, TALLEST, ORDINARY_DISCS, NO_SPACE, MOST_CELLS, MOST_CHOICES, MOST_TILES } = EKO;

/** A board that is being made. position: what is on it. */
export interface Draft {
  readonly players: number;
  readonly tiles: readonly PlacedTile[];
  readonly tileset?: TileSet;
  readonly position?: Omit<PositionJson, 'game' | 'version' | 'players' | 'tiles' | 'tileset'>;
}

/** A tile of the box, unturned. */
export interface BoxTile {
  readonly name: string;
  readonly cells: readonly (readonly [q: number, r: number, terrain: Terrain])[];
  readonly copies: number;
  /** Whether so many players may use it. */
  readonly offered: boolean;
  readonly variant: string | null;
  readonly sign: SignKind | null;
  /** The direction of a portal's open side. */
  readonly open: number;
}
/** What boards and positions are made of. */
export interface Box {
  readonly discs: number;
  readonly tallest: number;
  readonly supply: Readonly<Record<Kind, number>>;
  readonly tiles: readonly BoxTile[];
}
export const PIECES: Omit<Box, 'tiles'> = {
  discs: ORDINARY_DISCS,
  tallest: TALLEST,
  supply: Object.fromEntries(KINDS.map((kind, level) => [kind, SUPPLY[level + 1]!])) as Record<Kind, number>,
};

export interface Examined {
  readonly box: Box;
  /** Every broken check of the board, else the first one of the position. */
  readonly faults: readonly Fault[];
  /** null: the board has faults. */
  readonly board: BoardJson | null;
  /** null: there is none, or it has a fault. */
  readonly position: EkoPosition | null;
}

/** Judge a draft, however unfinished. */
export function examine(rules: Eko, { players, tiles, tileset = BOX, position }: Draft): Examined {
  const unknown = tiles.flatMap(([name], number) =>
    Object.hasOwn(tileset.tiles, name) ? [] : [fault('no-such-tile', 'E2.3', { tile: name }, [number])],
  );
  const isTooMany = tiles.length > NO_SPACE;
  const laid = rules.lay(players, unknown.length > 0 || isTooMany ? [] : tiles, tileset);
  const box = { ...PIECES, tiles: tilesOf(tileset, laid.large) };
  const faults = [...unknown, ...laid.faults];
  if (isTooMany) faults.push(fault('too-many', 'E2.8', { count: tiles.length, most: NO_SPACE }));
  if (tiles.length === 0) faults.push(fault('empty', 'E2.8'));
  if (faults.length > 0) return { box, faults, board: null, position: null };
  const board = rules.layout(players, tiles, tileset).toJson();
  if (!position) return { box, faults, board, position: null };
  try {
    const content = { game: 'eko', version: 1, ...(tileset !== BOX && { tileset }), players, tiles } as const;
    return { box, faults, board, position: rules.position({ ...content, ...position }) };
  } catch (error) {
    if (!(error instanceof PositionError)) throw error;
    return { box, faults: [fault('position', error.rule, {}, [], error.spaces)], board, position: null };
  }
}

const fault = (
  code: string,
  rule: string,
  values: Fault['values'] = {},
  tiles: readonly number[] = [],
  spaces: readonly string[] = [],
): Fault => ({ code, rule, values, tiles, spaces });

/** large: the tiles in play with their letters. A temple tile that is not looks as its first choice makes it. */
function tilesOf({ tiles }: TileSet, large: ReadonlyMap<string, string>): BoxTile[] {
  return Object.keys(tiles)
    .sort()
    .map((name) => {
      const { cells = FLOWER, terrain, replaces = [], copies = 1, group, variant, sign, open = 0 } = tiles[name]!;
      const letters = large.get(name) ?? terrain ?? replaces[0]![1];
      return {
        name,
        cells: cells.map(([q, r], cell) => [q, r, TERRAINS[LETTERS.indexOf(letters[cell]!)]!] as const),
        copies,
        offered: group === undefined || large.has(name),
        variant: variant ?? null,
        sign: sign ?? null,
        open,
      };
    });
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
const isName = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9]{1,8}$/.test(value);
const isTerrain = (value: unknown, cells: number): value is string =>
  typeof value === 'string' && value.length === cells && [...value].every((letter) => LETTERS.includes(letter));
const KEYS = ['terrain', 'cells', 'group', 'replaces', 'copies', 'variant', 'dealt', 'sign', 'open'];
const FURTHEST = 9;
const MOST_COPIES = 99;
const SIGNED = 3;
const SIGNS = Object.keys(EKO.Sign)
  .slice(1)
  .map((name) => name.toLowerCase());

/** Whether a value is the content of a tile file (E2.3). */
export function isTileSet(value: unknown): value is TileSet {
  if (!isObject(value) || Object.keys(value).sort().join() !== 'groups,tiles') return false;
  const { groups, tiles } = value;
  if (!isObject(groups) || !isObject(tiles)) return false;
  const isGroup = (name: unknown): boolean => typeof name === 'string' && Object.hasOwn(groups, name);
  const isReplaced = (name: string): boolean => {
    const tile = Object.hasOwn(tiles, name) && tiles[name];
    return isObject(tile) && isGroup(tile['group']);
  };
  const counts = [Object.keys(groups), Object.keys(tiles)].map(({ length }) => length) as [number, number];
  return (
    isWhole(counts[0], 1, MOST_COPIES) &&
    isWhole(counts[1], 1, MOST_TILES) &&
    Object.entries(groups).every(
      ([name, players]) => isName(name) && isWhole(players, EKO.FEWEST_PLAYERS, EKO.MOST_PLAYERS),
    ) &&
    Object.entries(tiles).every(([name, tile]) => isName(name) && isObject(tile) && isTile(tile, isGroup, isReplaced))
  );
}

function isTile(
  tile: Readonly<Record<string, unknown>>,
  isGroup: (name: unknown) => boolean,
  isReplaced: (name: string) => boolean,
): boolean {
  const { terrain = null, cells = FLOWER, group = null, replaces = [], copies = 1 } = tile;
  const { variant = null, dealt = null, sign = null, open = 0 } = tile;
  if (!Object.keys(tile).every((key) => KEYS.includes(key)) || !Array.isArray(cells) || !Array.isArray(replaces))
    return false;
  const count = cells.length;
  const offsets = cells as readonly (readonly number[])[];
  if (!isWhole(count, 1, MOST_CELLS) || replaces.length > MOST_CHOICES) return false;
  const places = PLAYER_COUNTS.length;
  const isPair = (pair: unknown): boolean =>
    Array.isArray(pair) && pair.length === 2 && isName(pair[0]) && isReplaced(pair[0]) && isTerrain(pair[1], count);
  if (
    !offsets.every(
      (cell) => Array.isArray(cell) && cell.length === 2 && cell.every((n) => isWhole(n, -FURTHEST, FURTHEST)),
    )
  )
    return false;
  const touch = ([q, r]: readonly number[], [a, b]: readonly number[]): boolean =>
    Math.max(Math.abs(q! - a!), Math.abs(r! - b!), Math.abs(q! - a! + r! - b!)) === 1;
  const letters = [terrain, ...replaces.map((pair: unknown) => (Array.isArray(pair) ? (pair[1] as unknown) : null))];
  const carriesSign =
    count === SIGNED &&
    offsets.every((one, n) => offsets.slice(n + 1).every((other) => touch(one, other))) &&
    letters.every((word) => word === null || /^[.t]*$/.test(String(word)));
  return (
    new Set(offsets.map(String)).size === count &&
    (terrain === null ? replaces.length > 0 : replaces.length === 0 && isTerrain(terrain, count)) &&
    replaces.every(isPair) &&
    (group === null || (isGroup(group) && replaces.length === 0)) &&
    isWhole(copies, 1, group !== null || replaces.length > 0 ? 1 : MOST_COPIES) &&
    (variant === null || (EKO.VARIANTS as readonly unknown[]).includes(variant)) &&
    (dealt === null ||
      (Array.isArray(dealt) && dealt.length === places && dealt.every((n: unknown) => isWhole(n, 0, copies)))) &&
    (sign === null || (SIGNS.includes(sign as string) && carriesSign)) &&
    isWhole(open, 0, EKO.DIRECTIONS.length - 1)
  );
}
const PLAYER_COUNTS = Array.from({ length: EKO.MOST_PLAYERS - EKO.FEWEST_PLAYERS + 1 });

/** Random boards of Ekö (E2.5, E9) and its first positions (E3): equal seeds draw what Python draws from them. */
import { BOARDS } from '../boardRecords';
import { Chance } from '../chance';
import { type KernelArray, Kernels } from '../module';
import { EKO } from '../records';
import { firstPosition } from './book';
import { BOX, FLOWER, type PlacedTile, type TileSet } from './layout';
import type { Eko, PositionJson, Stack } from './position';

const { Drawn, Made, MOST_CELLS } = BOARDS;
const PORTAL = EKO.LETTERS[EKO.Terrain.PORTAL];
const MOST_TILES = EKO.NO_SPACE;
const COLUMNS = Object.keys(Drawn).length;

export interface SetUp {
  readonly players: number;
  readonly variants: readonly string[];
  readonly setup: 'standard' | 'draft';
  readonly layout?: readonly PlacedTile[];
  readonly tileset?: TileSet;
}

/** Draws boards by the kernels of boards.wasm. */
export class Boards {
  private readonly kernels: Kernels<typeof BOARDS>;
  private readonly arrays: Readonly<
    Record<'cells' | 'made' | 'centres' | 'grids' | 'lists' | 'outline' | 'stream' | 'placed', KernelArray>
  >;

  constructor(module: WebAssembly.Module) {
    const kernels = new Kernels(module, BOARDS);
    this.kernels = kernels;
    this.arrays = {
      cells: kernels.array('int64', MOST_TILES, MOST_CELLS, 3),
      made: kernels.array('int64', MOST_TILES, Object.keys(Made).length),
      centres: kernels.array('int64', MOST_TILES, 2),
      grids: kernels.array('int32', Object.keys(BOARDS.Grid).length, BOARDS.PLACES),
      lists: kernels.array('int64', Object.keys(BOARDS.List).length, BOARDS.LONGEST),
      outline: kernels.array('int64', MOST_TILES, COLUMNS),
      stream: kernels.array('uint64', 1),
      placed: kernels.array('int64', MOST_TILES, COLUMNS),
    };
  }

  /** The first position of a game. Throws a RangeError for a box that gives no board. */
  setUp(rules: Eko, { players, variants, setup, layout, tileset }: SetUp, seed: bigint): PositionJson {
    const chance = new Chance(seed);
    const tiles = layout ?? this.draw(rules, players, variants, chance, tileset);
    const first = chance.below(players);
    const { terrain, coordinates } = rules.layout(players, tiles, tileset);
    const sand = coordinates.filter((_, space) => terrain[space] === 'sand');
    const isDraft = setup === 'draft';
    if (!isDraft) chance.shuffle(sand);
    const stacks = (isDraft ? [] : sand).map((space, n): [string, Stack] => [
      space,
      { owner: Math.floor(n / EKO.DISCS), height: 1, emperor: n % EKO.DISCS === 0 },
    ]);
    return firstPosition({
      players,
      tiles: [...tiles],
      ...(tileset && { tileset }),
      stacks: Object.fromEntries(stacks),
      first,
      isDraft,
    });
  }

  private draw(
    rules: Eko,
    players: number,
    variants: readonly string[],
    chance: Chance,
    tileset: TileSet = BOX,
  ): PlacedTile[] {
    const { letters, small, portals } = chosen(rules, players, variants, tileset);
    const large = [...letters.keys()];
    const names = [...large, ...small, ...portals];
    const spaces = names.reduce((all, name) => all + (tileset.tiles[name]!.cells ?? FLOWER).length, 0);
    if (spaces > EKO.NO_SPACE) throw new RangeError(`at most ${EKO.NO_SPACE} spaces are supported (E2.8)`);
    const { stream, centres, grids, lists, outline } = this.arrays;
    const [cells, made] = this.rows(names, letters, tileset);
    const placed = this.arrays.placed.as('int64', names.length, COLUMNS);
    const middles = BOARDS.CENTRES[players as 2 | 3 | 4];
    const isStandard =
      names.length === large.length &&
      large.length === middles.length &&
      large.every((name) => JSON.stringify(tileset.tiles[name]!.cells ?? FLOWER) === JSON.stringify(FLOWER));
    if (isStandard) centres.items('int64').set(middles.flat().map(BigInt));
    for (let board = 1; ; board++) {
      stream.items('uint64')[0] = chance.state;
      const count = isStandard
        ? this.kernels.number(
            'draw_standard',
            ...[cells, made, centres.as('int64', large.length, 2), grids, lists, stream, placed],
          )
        : this.kernels.number(
            'draw_free',
            ...[cells, made, large.length, small.length, grids, lists, outline, stream, placed],
          );
      chance.state = stream.items('uint64')[0]!;
      const items = placed.items('int64');
      const tiles = Array.from({ length: count }, (_, number): PlacedTile => {
        const at = (column: number): number => Number(items[COLUMNS * number + column]);
        return [names[at(Drawn.TILE)]!, at(Drawn.Q), at(Drawn.R), at(Drawn.ROT)];
      });
      if (count === names.length && rules.lay(players, tiles, tileset).faults.length === 0) return tiles;
      if (board === BOARDS.BOARDS) throw new RangeError('this box gives no playable board (E2.8)');
    }
  }

  /** The arguments `cells` and `made` of the kernels. */
  private rows(
    names: readonly string[],
    large: ReadonlyMap<string, string>,
    tileset: TileSet,
  ): [KernelArray, KernelArray] {
    const cells = this.arrays.cells.as('int64', names.length, MOST_CELLS, 3);
    const made = this.arrays.made.as('int64', names.length, Object.keys(Made).length);
    const [cellItems, madeItems] = [cells.items('int64'), made.items('int64')];
    names.forEach((name, number) => {
      const tile = tileset.tiles[name]!;
      const spaces = tile.cells ?? FLOWER;
      const letters = large.get(name) ?? tile.terrain!;
      spaces.forEach(([q, r], cell) => {
        cellItems.set([q, r, EKO.LETTERS.indexOf(letters[cell]!)].map(BigInt), 3 * (MOST_CELLS * number + cell));
      });
      madeItems.set([spaces.length, tile.open ?? 0].map(BigInt), 2 * number);
    });
    return [cells, made];
  }
}

/** The tiles of a board to draw: the large ones with their letters, and the others in the order of the kernels. */
function chosen(
  rules: Eko,
  players: number,
  variants: readonly string[],
  tileset: TileSet,
): { letters: ReadonlyMap<string, string>; small: string[]; portals: string[] } {
  const { tiles } = tileset;
  const names = Object.keys(tiles).sort();
  const added = EKO.VARIANTS.filter((variant) => variants.includes(variant)).flatMap((variant) =>
    names
      .filter((name) => tiles[name]!.variant === variant)
      .flatMap((name) => {
        const { copies = 1, dealt } = tiles[name]!;
        return Array.from({ length: dealt?.[players - EKO.FEWEST_PLAYERS] ?? copies }, () => name);
      }),
  );
  const isLarge = (name: string): boolean =>
    tiles[name]!.group !== undefined || (tiles[name]!.replaces ?? []).length > 0;
  const { large: letters, faults } = rules.lay(players, [], tileset, added);
  if (faults[0]) throw new RangeError(`${faults[0].code} (${faults[0].rule})`);
  const small = added.filter((name) => !isLarge(name));
  const portals = small.filter((name) => tiles[name]!.terrain === PORTAL);
  const isPair = portals.length === 2; // else one is part of a larger tile
  return {
    letters,
    small: isPair ? small.filter((name) => !portals.includes(name)) : small,
    portals: isPair ? portals : [],
  };
}

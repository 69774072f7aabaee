import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { moduleOf } from '../testing';
import { Boards, type SetUp } from './boards';
import { isTileSet } from './examine';
import { BOX, type PlacedTile, readReport, rowsOf, type TileSet } from './layout';
import { Eko, PositionError, type PositionJson } from './position';

const POSITIONS = new URL('../../../../tests/golden/positions/', import.meta.url);
const eko = new Eko(moduleOf('eko'));
const boards = new Boards(moduleOf('boards'));

describe('a first position that is drawn', () => {
  it.each(readdirSync(POSITIONS).sort())('%s: is the one that Python draws', (name) => {
    const { options, seed, position } = JSON.parse(readFileSync(new URL(name, POSITIONS), 'utf8')) as {
      options: Partial<SetUp> & Pick<SetUp, 'players'>;
      seed: number;
      position: PositionJson;
    };
    const drawn = boards.setUp(eko, { variants: [], setup: 'standard', ...options }, BigInt(seed));
    expect(drawn).toEqual(position);
    expect(eko.position(drawn).toJson()).toEqual(position);
  });

  it('keeps a board that was chosen', () => {
    const tiles = boards.setUp(eko, { players: 3, variants: ['moon'], setup: 'draft' }, 5n).tiles;
    const again = boards.setUp(eko, { players: 3, variants: [], setup: 'standard', layout: tiles }, 6n);
    expect(again.tiles).toEqual(tiles);
    expect(Object.keys(again.stacks)).toHaveLength(3 * 16);
  });

  it('is refused for a box of too many spaces', () => {
    const sand = { terrain: '.', cells: [[0, 0]] as const, variant: 'moon', copies: 99 };
    const tileset = { groups: { all: 2 }, tiles: { A: { terrain: '.......', group: 'all' }, B: sand, C: sand } };
    expect(() => boards.setUp(eko, { players: 2, variants: ['moon'], setup: 'draft', tileset }, 1n)).toThrow('E2.8');
  });

  it('is refused for a box that gives no board', () => {
    const tileset = { groups: { all: 2 }, tiles: { A: { terrain: '.xxxxxx', group: 'all' } } };
    const far = { ...tileset, tiles: { ...tileset.tiles, B: { terrain: 'x.xxxxx', group: 'all' } } };
    expect(() => boards.setUp(eko, { players: 2, variants: ['moon'], setup: 'draft', tileset: far }, 1n)).toThrow(
      'E2.8',
    );
  });
});

interface Judged {
  readonly players: number;
  readonly tiles: readonly PlacedTile[];
  readonly own: readonly string[];
  readonly report: readonly number[];
}
interface Read {
  readonly file: string;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly found: readonly string[];
}
/** What Python says of drafts; a longer list of them may be elsewhere (tests/engine). */
const DRAFTS = process.env['EKOES_DRAFTS'] ?? new URL('drafts.json', import.meta.url);
const [ownTiles, judged, read] = JSON.parse(readFileSync(DRAFTS, 'utf8')) as [TileSet['tiles'], Judged[], Read[]];
/** Our box with tiles of one's own. */
const boxWith = (own: readonly string[]): TileSet => ({
  ...BOX,
  tiles: { ...BOX.tiles, ...Object.fromEntries(own.map((name) => [name, ownTiles[name]!])) },
});

describe('what is wrong with a board', () => {
  it.each(judged)('is what Python says: $players players, $own', ({ players, tiles, own, report }) => {
    const box = boxWith(own);
    expect(isTileSet(box)).toBe(true);
    const { faults } = eko.lay(players, tiles, box);
    expect(faults).toEqual(readReport([report.length + 2, 0, ...report], rowsOf(box).names));
    if (faults.length > 0) expect(() => eko.layout(players, tiles, box)).toThrow(faults[0]!.code);
    else expect(eko.layout(players, tiles, box).terrain.length).toBeGreaterThan(48);
  });

  it('has names for the values of a sentence', () => {
    const said = eko
      .lay(2, [
        ['A', 0, 0, 0],
        ['A', 1, 0, 0],
        ['C', 9, 9, 0],
      ])
      .faults.map(({ code, values }) => [code, values]);
    expect(said).toEqual([
      ['overlap', { tile: 'A', other: 'A' }],
      ['apart', {}],
      ['copies', { tile: 'A', count: 2, most: 1 }],
      ['missing', { players: 2, tiles: 'B, D, E, F, G' }],
      ['sand', { players: 2, wanted: 32, count: expect.any(Number) }],
      ['unreachable', {}],
    ]);
  });
});

describe('a position', () => {
  it.each(read)('is refused or has the state as in Python: $file $found', ({ file, changes, found }) => {
    const [, start = ''] = readFileSync(new URL(`../perft/${file}`, POSITIONS), 'utf8').split('\n');
    const entries = Object.entries({ ...(JSON.parse(start) as object), ...changes }).filter(
      ([, value]) => value !== null,
    );
    const position = Object.fromEntries(entries) as unknown as PositionJson;
    const [first, ...spaces] = found;
    if (!first!.startsWith('E')) {
      const { state } = eko.position(position);
      expect(createHash('sha256').update(state).digest('hex').slice(0, 16)).toBe(first);
      return;
    }
    expect(() => eko.position(position)).toThrow(PositionError);
    try {
      eko.position(position);
    } catch (error) {
      expect(error).toMatchObject({ rule: first, spaces });
    }
  });
});

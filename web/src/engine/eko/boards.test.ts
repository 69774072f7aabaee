import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Boards, type SetUp } from './boards';
import { Eko, type PositionJson } from './position';

const POSITIONS = new URL('../../../../tests/golden/positions/', import.meta.url);
const module = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(new URL(`../${name}.wasm`, import.meta.url)));
const eko = new Eko(module('eko'));
const boards = new Boards(module('boards'));

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

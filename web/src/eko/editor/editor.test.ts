import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { examine } from '../../engine/eko/examine';
import { BOX as OURS } from '../../engine/eko/layout';
import { Eko, type PositionJson } from '../../engine/eko/position';
import { moduleOf } from '../../engine/testing';
import type { Position } from '../protocol';
import { type Draft, Editor } from './editor.svelte';
import { draftOf, editorWith, opened, packedIn } from './files';
import { clear, empty, handmade, move, positionOf, put, remove, rest, send, stackUp, take, turnTo } from './position';
import { type Box, boardOf, cellsOf, freePlace, type Placed, turned } from './tiles';

const rules = new Eko(moduleOf('eko'));
const FLOWER = [
  [0, 0],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, 1],
  [0, 1],
] as const;
const tile = (name: string, more: object = {}) => ({
  name,
  cells: FLOWER.map(([q, r]) => [q, r, 'sand'] as const),
  copies: 1,
  offered: true,
  variant: null,
  sign: null,
  open: 0,
  ...more,
});
const BOX: Box = {
  discs: 15,
  tallest: 4,
  supply: { camp: 5, tower: 3, castle: 1 },
  tiles: [
    tile('A'),
    tile('B'),
    tile('R', { cells: [[0, 0, 'portal']], copies: 2, open: 1 }),
    tile('S', {
      cells: [
        [0, 0, 'tempest'],
        [1, 0, 'tempest'],
        [0, 1, 'tempest'],
      ],
      sign: 'pyramid',
    }),
  ],
};
const START = JSON.parse(
  readFileSync(new URL('../../../../tests/golden/perft/swap-2.perft', import.meta.url), 'utf8').split('\n')[1]!,
) as PositionJson;

const editing = (tiles: readonly Placed[] = []): Editor => new Editor({ players: 2, tiles }, rules);
/** Codes and rules of what is wrong with a position on the board of the golden one. */
const wrongWith = (changes: Partial<PositionJson>): string[] =>
  examine(rules, { ...START, position: { ...START, ...changes } }).faults.map(({ code, rule }) => `${code} ${rule}`);

describe('tiles', () => {
  it('turn by sixths, counter-clockwise', () => {
    expect(turned({ q: 1, r: 0 }, 1)).toEqual({ q: 1, r: -1 });
    expect(turned({ q: 2, r: 1 }, 6)).toEqual({ q: 2, r: 1 });
    expect(cellsOf(BOX.tiles[3]!, ['S', 5, 0, 3])).toMatchObject([
      { q: 5, r: 0 },
      { q: 4, r: 0 },
      { q: 5, r: -1 },
    ]);
  });
  it('are drawn with portals and signs, the first on top where two overlap', () => {
    const board = boardOf(BOX, [
      ['A', 0, 0, 0],
      ['R', 1, 0, 0],
      ['R', 2, 0, 4],
      ['S', 9, 0, 0],
    ]);
    expect(board.spaces.find(({ space }) => space === '1,0')).toMatchObject({ terrain: 'sand', tile: 0 });
    expect(board.portals).toEqual([{ space: '2,0', direction: 5, front: '2,1' }]);
    expect(board.pyramids).toEqual([['9,0', '10,0', '9,1']]);
  });
  it('find a free place that touches as much as possible', () => {
    const [, q, r] = freePlace(BOX, [['A', 0, 0, 0]], BOX.tiles[1]!);
    const taken = new Set(
      boardOf(BOX, [
        ['A', 0, 0, 0],
        ['B', q, r, 0],
      ]).spaces.map(({ space }) => space),
    );
    expect(taken.size).toBe(14);
    expect(Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r))).toBe(3);
  });
});

describe('the editor', () => {
  it('places, moves, turns and removes tiles, and goes back and forth', () => {
    const editor = editing();
    editor.hold('A');
    editor.turn();
    editor.placeAt(1, 2);
    expect([editor.draft.tiles, editor.chosen, editor.held]).toEqual([[['A', 1, 2, 1]], 0, null]);
    editor.moveBy(0, -1, -2);
    editor.turn(-1);
    editor.place('B');
    editor.removeTile(0);
    expect(editor.draft.tiles.map(([name]) => name)).toEqual(['B']);
    for (let i = 0; i < 4; i++) editor.undo();
    expect(editor.draft.tiles).toEqual([['A', 1, 2, 1]]);
    editor.redo();
    expect([editor.draft.tiles, editor.canRedo]).toEqual([[['A', 0, 0, 1]], true]);
    editor.setPlayers(3);
    expect([editor.draft.players, editor.canRedo]).toEqual([3, false]);
  });
  it('says what is wrong with the tiles as they lie', () => {
    const editor = editing(START.tiles);
    expect([editor.isPlayable, editor.board.spaces.length, editor.faults]).toEqual([true, 49, []]);
    editor.moveBy(6, 9, 9);
    expect([editor.isPlayable, editor.faults.map(({ code }) => code)]).toEqual([false, ['apart', 'unreachable']]);
    expect(editor.faults[0]).toMatchObject({ rule: 'E2.8', tiles: [6] });
    expect(editor.faults[0]?.spaces).toHaveLength(7);
    editor.open({ players: 2, tiles: [['Z', 0, 0, 0]] });
    expect(editor.faults).toMatchObject([{ code: 'no-such-tile', values: { tile: 'Z' }, tiles: [0] }]);
    editor.open({ players: 2, tiles: [] });
    expect(editor.faults).toMatchObject([{ code: 'empty' }]);
    editor.open({ players: 2, tiles: Array.from({ length: 128 }, () => ['A', 0, 0, 0] as const) });
    expect(editor.faults).toMatchObject([{ code: 'too-many' }]);
  });
  it('offers the tiles of so many players, a temple tile as the tile that it stands in for', () => {
    const offered = ({ box }: Editor): string =>
      box.tiles
        .filter((one) => one.offered)
        .map(({ name }) => name)
        .join('');
    expect(offered(editing())).toBe('ABCDEFGNOPQRSTU');
    expect(offered(editing([['O', 0, 0, 0]]))).toBe('ABCDFGNOPQRSTU');
    const terrains = ({ box }: Editor): string[] =>
      box.tiles.find(({ name }) => name === 'N')!.cells.map(([, , terrain]) => terrain);
    expect(terrains(editing([['N', 0, 0, 0]]))[0]).toBe('sandtemple');
    expect(
      terrains(
        editing([
          ['N', 0, 0, 0],
          ['O', 9, 0, 0],
        ]),
      )[1],
    ).toBe('sandtemple');
  });
  it('reads a position with the reserve that follows from it, and says what is wrong', () => {
    const editor = editing(START.tiles);
    const sand = editor.board.spaces.filter(({ terrain }) => terrain === 'sand').map(({ space }) => space);
    editor.edit((made, box) => put(made, 'emperor', 1, sand[0]!, box));
    expect(editor.faults).toMatchObject([{ code: 'position', rule: 'E11' }]);
    editor.edit((made, box) => put(made, 'emperor', 0, sand[9]!, box));
    expect(editor.position?.toJson().reserve).toEqual([
      { discs: 15, emperor: false },
      { discs: 15, emperor: false },
    ]);
    editor.edit((made) => stackUp(made, 0, sand[9]!, 5));
    expect([editor.position, editor.faults]).toMatchObject([null, [{ rule: 'E1.6', spaces: [sand[9]] }]]);
    editor.edit((made, box) => put(made, 'disc', 0, '99,99', box));
    editor.edit((made) => stackUp(made, 0, sand[9]!, 1));
    expect(editor.faults).toMatchObject([{ rule: 'E2.1', spaces: ['99,99'] }]);
  });
  it('knows the checks of the set-up and of the turn', () => {
    const [first = '', second = ''] = Object.keys(START.stacks).filter((space) => START.stacks[space]!.owner === 0);
    const { [first]: one, [second]: _, ...others } = START.stacks;
    expect(wrongWith({})).toEqual([]);
    expect(wrongWith({ stacks: { ...others, [first]: { ...one!, height: 2 } } })).toEqual(['position E3.1']);
    expect(wrongWith({ turn: { ...START.turn, number: 1 } })).toEqual(['position E12.9']);
    expect(wrongWith({ turn: { ...START.turn, marched: true } })).toEqual(['position E12']);
    expect(wrongWith({ turn: { ...START.turn, phase: 'ransom', number: 1 } })).toEqual(['position E12']);
    expect(wrongWith({ removed: [16, 0] })).toEqual(['position E1.2']);
    const kings = START.reserve.map((held, seat) => ({ ...held, emperor: seat === 0 }));
    const spaces = Object.entries(START.stacks).map(([space, stack]) => [
      space,
      { ...stack, emperor: stack.emperor && stack.owner === 1 },
    ]);
    const all = Object.fromEntries(spaces) as PositionJson['stacks'];
    const king = Object.keys(START.stacks).find(
      (space) => START.stacks[space]!.emperor && START.stacks[space]!.owner === 0,
    )!;
    const { [king]: __, ...rest } = all;
    expect(wrongWith({ stacks: rest, reserve: kings })).toEqual(['position E3.3']);
  });
  it('comes back from its address', async () => {
    const draft: Draft = { players: 3, tiles: [['A', -1, 2, 5]], position: put(empty(3), 'camp', 2, '0,0', BOX) };
    expect(await packedIn((await editorWith(draft)).split('?')[1] ?? '', 'draft')).toEqual(draft);
    expect(await packedIn('draft=nothing', 'draft')).toBeNull();
  });
});

describe('a position by hand', () => {
  it('counts discs and puts the Emperor in one place', () => {
    let made = empty(2);
    for (let i = 0; i < 5; i++) made = put(made, 'disc', 0, '0,0', BOX);
    made = put(made, 'emperor', 0, '1,0', BOX);
    made = put(made, 'emperor', 0, '0,0', BOX);
    expect(made.stacks).toEqual({ '0,0': { owner: 0, height: 4, emperor: true } });
    expect(rest(remove(made, 0, 2), 0, BOX)).toBe(10);
    made = send(made, 0, 1);
    expect([made.stacks['0,0'], made.captives]).toEqual([{ owner: 0, height: 3, emperor: false }, [[], [0]]]);
    expect(positionOf(made, BOX).reserve).toEqual([
      { discs: 12, emperor: false },
      { discs: 15, emperor: true },
    ]);
  });
  it('moves, lowers and clears', () => {
    let made = stackUp(put(empty(2), 'tower', 1, '2,0', BOX), 0, '0,0', 2);
    made = move(move(made, '0,0', '1,0'), '2,0', '3,0');
    expect([Object.keys(made.stacks), Object.keys(made.buildings)]).toEqual([['1,0'], ['3,0']]);
    expect(take(take(made, '1,0'), '1,0').stacks).toEqual({});
    expect(clear(made, '3,0').buildings).toEqual({});
  });
  it('has what is still to be placed only in that phase', () => {
    const places = turnTo(empty(2), { phase: 'place' });
    expect(places.turn).toEqual({ number: 0, player: 0, phase: 'place' });
    expect(positionOf(places, BOX).unplaced?.[0]).toEqual({ discs: 15, emperor: true });
    expect(turnTo(places, { phase: 'ransom' }).turn).toEqual({
      number: 1,
      player: 0,
      phase: 'ransom',
      ransom: 0,
      resume: 'after',
    });
  });
});

it('opens layouts, tile sets and positions, and nothing else', () => {
  const draft: Draft = { players: 2, tiles: [] };
  expect(opened('[["A",0,0,0]]', draft)?.tiles).toEqual([['A', 0, 0, 0]]);
  expect(opened(JSON.stringify(OURS), draft)?.tileset).toEqual(OURS);
  expect(draftOf({ ...draft, tileset: OURS })?.tileset).toEqual(OURS);
  const position = { game: 'eko', players: 3, tiles: [], ...positionOf(empty(3), BOX) };
  expect(opened(JSON.stringify(position), draft)).toEqual({
    players: 3,
    tiles: [],
    position: handmade(position as unknown as Position),
  });
  for (const text of ['', '7', '{"groups":{},"tiles":{}}', '{}', '{"tiles":{}}', '[["A",0,0,9]]', '[null]'])
    expect(opened(text, draft)).toBeNull();
  expect(draftOf({ players: 9, tiles: [] })).toBeNull();
  expect(draftOf({ players: 2, tiles: [], position: { ...empty(2), stacks: { '0,0': { owner: 7 } } } })).toEqual({
    players: 2,
    tiles: [],
  });
});

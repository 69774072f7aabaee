import { describe, expect, it } from 'vitest';
import { Refused } from '../../net/api';
import type { Position } from '../protocol';
import { type Answer, type Draft, Editor } from './editor.svelte';
import { draftOf, editorWith, opened, packedIn } from './files';
import { clear, empty, handmade, move, positionOf, put, remove, rest, send, stackUp, take, turnTo } from './position';
import { type Box, boardOf, cellsOf, freePlace, type Placed, turned } from './tiles';

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
const ANSWER: Answer = { box: BOX, faults: [], board: null, position: null, players: null, record: null };

async function editing(tiles: Placed[] = []): Promise<{ editor: Editor; asked: object[] }> {
  const asked: object[] = [];
  const editor = new Editor({ players: 2, tiles }, (content) => Promise.resolve((asked.push(content), ANSWER)));
  await editor.judge();
  return { editor, asked };
}

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
  it('places, moves, turns and removes tiles, and goes back and forth', async () => {
    const { editor } = await editing();
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
  it('asks the server for what is shown, and drops a late answer', async () => {
    const answers: ((answer: Answer) => void)[] = [];
    const editor = new Editor({ players: 2, tiles: [] }, () => new Promise((done) => answers.push(done)));
    const first = editor.judge();
    editor.open({ players: 2, tiles: [['A', 0, 0, 0]] });
    const second = editor.judge();
    answers[1]?.({
      ...ANSWER,
      faults: [{ code: 'missing', message: '', rule: 'E2.8', key: null, tiles: [], spaces: [], values: {} }],
    });
    await second;
    answers[0]?.(ANSWER);
    await first;
    expect([editor.isJudged, editor.faults.length, editor.isPlayable]).toEqual([true, 1, false]);
  });
  it('shows what the server can’t read, and asks again', async () => {
    const board = boardOf(BOX, []);
    let fails: Refused | null = null;
    const editor = new Editor({ players: 2, tiles: [] }, () =>
      fails ? Promise.reject(fails) : Promise.resolve({ ...ANSWER, board }),
    );
    await editor.judge();
    editor.open({ players: 2, tiles: [['Z', 0, 0, 0]] });
    fails = new Refused('layout', 'no tile Z');
    await editor.judge();
    expect([editor.problem, editor.answer?.board, editor.isPlayable]).toEqual(['no tile Z', null, false]);
    fails = null;
    await editor.judge();
    expect([editor.problem, editor.isPlayable]).toEqual([null, true]);
  });
  it('sends a position with the reserve that follows from it', async () => {
    const { editor, asked } = await editing([['A', 0, 0, 0]]);
    editor.edit((made, box) => put(made, 'emperor', 1, '0,0', box));
    await editor.judge();
    expect(asked.at(-1)).toMatchObject({
      position: {
        stacks: { '0,0': { owner: 1, height: 1, emperor: true } },
        reserve: [
          { discs: 15, emperor: true },
          { discs: 15, emperor: false },
        ],
      },
    });
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
  expect(opened('{"groups":{},"tiles":{}}', draft)?.tileset).toEqual({ groups: {}, tiles: {} });
  const position = { game: 'eko', players: 3, tiles: [], ...positionOf(empty(3), BOX) };
  expect(opened(JSON.stringify(position), draft)).toEqual({
    players: 3,
    tiles: [],
    position: handmade(position as unknown as Position),
  });
  for (const text of ['', '7', '{}', '{"tiles":{}}', '[["A",0,0,9]]', '[null]']) expect(opened(text, draft)).toBeNull();
  expect(draftOf({ players: 9, tiles: [] })).toBeNull();
  expect(draftOf({ players: 2, tiles: [], position: { ...empty(2), stacks: { '0,0': { owner: 7 } } } })).toEqual({
    players: 2,
    tiles: [],
  });
});

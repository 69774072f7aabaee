import { describe, expect, it, vi } from 'vitest';
import { FakeServer, opened, QUIET, seat, updateTo } from '../shell/testing';
import { preferEko } from './preferences.svelte';
import type { Choice, Entry, Intent, Rows, State, TableMessage } from './protocol';
import { Table } from './table.svelte';

type Sent = Intent & { key: string };
class EkoServer extends FakeServer<Sent> {
  get decisions(): Sent[] {
    return this.sent.filter(({ type }) => type !== 'ways');
  }
  get ways(): Sent[] {
    return this.sent.filter(({ type }) => type === 'ways');
  }
  show(now: State, keep: number, entries: Entry[]): void {
    this.update(now, { keep, entries }, ['choices', 'undo']);
  }
}

const MOVE: Choice = { action: { type: 'move', from: '0,0', to: '1,0' }, effect: 'move' };
const END: Choice = { action: { type: 'end' }, effect: 'end' };
const BACK: Choice = { action: { type: 'reinforce', space: '0,0', count: 1 }, effect: 'reinforce' };
const FAR: Choice = { ...MOVE, action: { type: 'move', from: '0,0', to: '2,0' } };
const OTHER: Choice = { ...MOVE, action: { type: 'move', from: '1,0', to: '2,0' } };
/** The choices as the server sends them. */
const ROWS = new Map<Choice, Rows>([
  [MOVE, { move: [[0, '2']] }],
  [FAR, { move: [[0, '4']] }],
  [OTHER, { move: [[0, '4'], [1, '4']] }],
  [END, { end: [[]] }],
  [BACK, { reinforce: [['1', 1]] }],
]);

const ENTRY = { n: 1, turn: 1, seat: 0, action: MOVE.action, notation: 'x', effect: 'move' as const, at: '' };

function state(choices: Choice[], more: Partial<State> = {}): State {
  return {
    position: {
      players: 2,
      stacks: { '0,0': { owner: 0, height: 2, emperor: true } },
      buildings: {},
      reserve: [
        { discs: 1, emperor: false },
        { discs: 0, emperor: false },
      ],
      removed: [0, 0],
      captives: [[], []],
      turn: { number: 1, player: 0, phase: 'action' },
    },
    asked: choices.length ? [0] : [],
    asked_to: 'action',
    choices: choices.length ? { '0': Object.assign({}, ...choices.map((choice) => ROWS.get(choice))) as Rows } : {},
    players: [],
    held: null,
    undo: [],
    outcome: null,
    repetition: 1,
    draw_offers: [],
    rematch: { agreed: [], table: null },
    ...more,
  };
}

function message(version: number, now: State): TableMessage {
  return {
    ...QUIET,
    type: 'table',
    id: 'abc',
    game: 'eko',
    version,
    pace: 0,
    seats: [seat(0, '', { yours: true }), seat(1, '')],
    options: { players: 2, variants: [], setup: 'standard' },
    board: {
      spaces: ['0,0', '1,0', '2,0'].map((space, q) => ({ space, name: `a${q + 1}`, q, r: 0, terrain: 'sand', tile: 0 })),
      tiles: [],
      portals: [],
      pyramids: [],
      beacons: [],
    },
    state: now,
    log: [],
  };
}

function sitDown(now: State): { server: EkoServer; table: Table } {
  preferEko({ autoEnd: false });
  const server = new EkoServer();
  const table = opened(new Table(server), server);
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ state: now })));
  server.say(message(1, now));
  return { server, table };
}

describe('a table', () => {
  it('sends the decision that a tap means, held open for an undo', () => {
    const { server, table } = sitDown(state([MOVE]));
    table.tap('0,0');
    table.tap('1,0');
    expect(server.decisions).toEqual([
      { type: 'act', key: 'key-1', version: 1, seat: 0, action: MOVE.action, hold: true },
    ]);
    expect(table.waiting).toBe(1);
  });

  it('ends the turn at once if the player prefers it', () => {
    const { server, table } = sitDown(state([MOVE]));
    preferEko({ autoEnd: true });
    table.act(MOVE);
    expect(server.decisions[0]).toMatchObject({ hold: false });
  });

  it('waits for the answer before it takes another gesture', () => {
    const { server, table } = sitDown(state([MOVE]));
    table.act(MOVE);
    table.act(MOVE);
    table.undo();
    expect(server.decisions).toHaveLength(1);
    server.say({ type: 'ack', key: 'key-0', version: 2 });
    expect(table.waiting).toBe(1);
    server.show(state([], { held: 0, undo: [0] }), 0, []);
    expect(table.waiting).toBe(0);
    table.undo();
    expect(server.decisions).toHaveLength(2);
  });

  it('keeps the selection over a lost connection, unless the table has moved on', () => {
    const { server, table } = sitDown(state([MOVE]));
    table.tap('0,0');
    server.lose();
    server.comeBack();
    server.say(message(1, state([MOVE])));
    expect(table.selection.from).toBe('0,0');
    server.say(message(2, state([MOVE])));
    expect(table.selection.from).toBeNull();
  });

  it('ends the turn with the planned discs, and with the end that is offered after them', () => {
    const { server, table } = sitDown(state([BACK]));
    table.tap('0,0');
    expect(table.draft?.action.count).toBe(1);
    table.endTurn();
    expect(server.decisions[0]).toMatchObject({ type: 'act', action: BACK.action, hold: false });
    server.say({ type: 'ack', key: 'key-0', version: 2 });
    server.show(state([MOVE, END]), 0, [{ ...ENTRY, action: BACK.action }]);
    expect(server.decisions[1]).toMatchObject({ type: 'act', version: 2, action: { type: 'end' } });
  });

  it('keeps the selection when a draw is offered', () => {
    const { server, table } = sitDown(state([BACK, END]));
    table.tap('0,0');
    server.show(state([BACK, END], { draw_offers: [1] }), 0, []);
    expect(table.draft?.action.count).toBe(1);
  });

  it('says that an offer of a draw was declined, not that it was withdrawn or has lapsed', () => {
    const { server, table } = sitDown(state([BACK, END]));
    const offer = (draw_offers: number[], turn = 1): void => {
      const now = state([BACK, END], { draw_offers });
      server.show({ ...now, position: { ...now.position, turn: { ...now.position.turn, number: turn } } }, 0, []);
    };
    offer([0]);
    table.offerDraw(0, false);
    offer([]);
    expect(table.notice).toBeNull();
    server.say({ type: 'ack', key: 'key-0', version: 3 });
    offer([0]);
    offer([], 2);
    expect(table.notice).toBeNull();
    offer([0], 2);
    offer([], 2);
    expect(table.notice?.code).toBe('draw-declined');
  });

  it('does not end a turn without the planned discs', () => {
    const { server, table } = sitDown(state([BACK, END]));
    table.tap('0,0');
    table.endTurn();
    server.show(state([BACK, END], { draw_offers: [1] }), 0, []);
    server.say({ type: 'error', key: 'key-0', code: 'table/stale', message: 'late' });
    expect(server.decisions).toHaveLength(1);
  });

  it('does not end a later turn because of an end requested before the connection was lost', () => {
    const { server, table } = sitDown(state([BACK, END]));
    table.tap('0,0');
    table.endTurn();
    server.lose();
    server.comeBack();
    server.say(message(2, state([BACK, END])));
    server.say({ type: 'ack', key: 'key-0', version: 2 });
    const sent = server.decisions.length;
    table.act(BACK);
    server.show(state([BACK, END]), 0, [ENTRY]);
    expect(server.decisions).toHaveLength(sent + 1);
  });

  it('undoes and ends nothing while an earlier position is shown', async () => {
    const { server, table } = sitDown(state([MOVE]));
    server.show(state([], { held: 0, undo: [0] }), 0, [ENTRY]);
    await table.look(0);
    table.undo();
    table.endTurn();
    expect(server.decisions).toEqual([]);
  });

  it('drops an earlier position that arrives after deselecting', async () => {
    const { server, table } = sitDown(state([MOVE]));
    server.show(state([MOVE]), 0, [ENTRY]);
    const looking = table.look(0);
    table.deselect();
    await looking;
    expect(table.past).toBeNull();
  });

  it('stays as it is when an earlier position cannot be loaded', async () => {
    const { server, table } = sitDown(state([MOVE]));
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    server.show(state([MOVE]), 0, [ENTRY]);
    await table.look(0);
    expect(table.past).toBeNull();
  });

  it('ends a held turn', () => {
    const { server, table } = sitDown(state([], { held: 0 }));
    expect(table.mayEnd && table.onlyEnd).toBe(true);
    table.endTurn();
    expect(server.decisions[0]).toMatchObject({ type: 'end_turn', seat: 0 });
  });

  it('asks the server why, and shows its answer', () => {
    const { server, table } = sitDown(state([FAR]));
    table.tap('0,0');
    table.tap('1,0');
    expect(server.decisions[0]).toMatchObject({ type: 'why', action: { type: 'move', from: '0,0', to: '1,0' } });
    server.say({ type: 'why', key: 'key-1', refusal: { code: 'no-path', rule: 'E5.1', message: 'no way' } });
    expect(table.notice).toMatchObject({ code: 'no-path', rule: 'E5.1' });
    expect(table.selection.from).toBe('0,0');
  });

  it('says of another stack that is picked only that it would be too high', () => {
    const { server, table } = sitDown(state([OTHER]));
    for (const [i, code] of ['no-path', 'too-high'].entries()) {
      table.tap('0,0');
      table.tap('1,0');
      server.say({ type: 'why', key: `key-${2 * i + 1}`, refusal: { code, rule: 'E5', message: '' } });
      expect(table.selection.from).toBe('1,0');
      expect(table.notice?.code).toBe(code === 'too-high' ? code : undefined);
    }
  });

  it("refers to the rule when it is another player's turn", () => {
    const { server, table } = sitDown(state([]));
    table.tap('0,0');
    expect(table.notice?.rule).toBe('E4.1');
    expect(server.decisions).toEqual([]);
  });

  it('shortens the moves by an undo and looks at earlier positions', async () => {
    const { server, table } = sitDown(state([MOVE]));
    server.show(state([MOVE]), 0, [ENTRY]);
    server.show(state([MOVE]), 1, [{ ...ENTRY, n: 2 }]);
    expect(table.step?.entry.n).toBe(2);
    await table.look(1);
    expect(table.past?.n).toBe(1);
    expect(table.asked).toBeNull();
    server.show(state([MOVE]), 1, []);
    expect(table.log).toHaveLength(1);
    expect(table.past).toBeNull();
    expect(table.step).toBeNull();
  });

  it('animates no step where several decisions arrive at once', () => {
    const { server, table } = sitDown(state([MOVE]));
    server.show(state([MOVE]), 0, [ENTRY, { ...ENTRY, n: 2 }]);
    expect([table.log.length, table.step]).toEqual([2, null]);
  });

  it('requests the paths of a stack once, and shows them when they arrive', () => {
    const { server, table } = sitDown(state([MOVE]));
    table.requestPaths('0,0');
    table.tap('0,0');
    expect(server.ways).toEqual([{ type: 'ways', of: 0, key: 'key-0' }]);
    expect(table.marks.get('1,0')?.choices[0]?.path).toBeUndefined();
    server.say({ type: 'ways', key: 'key-0', version: 1, ways: { nodes: [[0, -1], [2, 0], [1, 1]], choices: {} } });
    expect(table.marks.get('1,0')?.choices[0]?.path).toEqual(['0,0', '2,0', '1,0']);
  });

  it('requests the missing choices of stacks one after the other, before one is picked', () => {
    const { server, table } = sitDown(state([], { asked: [0], choices: { '0': { more: '3' } } }));
    expect(server.ways).toEqual([{ type: 'ways', of: 0, key: 'key-0' }]);
    server.say({ type: 'ways', key: 'key-0', version: 1, ways: { nodes: [[0, -1], [2, 0, 2]], choices: { move: [[0, '4', [2]]] } } });
    expect(server.ways).toEqual([{ type: 'ways', of: 0, key: 'key-0' }, { type: 'ways', of: 1, key: 'key-1' }]);
    server.say({ type: 'ways', key: 'key-1', version: 1, ways: { nodes: [[1, -1]], choices: {} } });
    expect(server.ways).toHaveLength(2);
    table.tap('0,0');
    expect(table.marks.get('2,0')?.choices[0]?.path).toEqual(['0,0', '2,0']);
    expect(server.ways).toHaveLength(2);
  });

  it('drops paths of another version', () => {
    const { server, table } = sitDown(state([MOVE]));
    table.tap('0,0');
    server.say({ type: 'ways', key: 'key-0', version: 0, ways: { nodes: [[0, -1], [1, 0]], choices: {} } });
    expect(table.marks.get('1,0')?.choices[0]?.path).toBeUndefined();
    server.show(state([MOVE]), 0, [ENTRY]);
    table.tap('0,0');
    expect(server.ways).toHaveLength(2);
  });

  it('picks a stack with missing choices, and applies a tap once they arrive', () => {
    const { server, table } = sitDown(state([], { asked: [0], choices: { '0': { more: '1' } } }));
    expect([...table.marks.keys()]).toEqual(['0,0']);
    table.tap('0,0');
    table.tap('1,0');
    expect(server.decisions).toEqual([]);
    server.say({ type: 'ways', key: 'key-0', version: 1, ways: { nodes: [[0, -1], [1, 0, 1]], choices: { move: [[0, '2', [1]]] } } });
    expect(server.decisions).toMatchObject([{ type: 'act', action: { type: 'move', from: '0,0', to: '1,0', zones: ['1,0'] } }]);
  });

  it('requests the whole table when an update does not fit, and continues from it', () => {
    const { server, table } = sitDown(state([MOVE]));
    server.say({ ...updateTo(state([]), { version: 2, base: 1 }, { keep: 0, entries: [ENTRY] }), check: '00000000' });
    server.say(updateTo(state([]), { version: 3, base: 2 }, { keep: 1, entries: [] }));
    expect(server.decisions).toMatchObject([{ type: 'table' }]);
    expect([table.version, table.log.length]).toEqual([1, 0]);
    server.say(message(3, state([END])));
    server.show(state([]), 0, [ENTRY]);
    expect([table.version, table.log.length]).toEqual([4, 1]);
  });
});

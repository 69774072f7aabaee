import { QUIET } from '../shell/quiet.test-data';
import { describe, expect, it } from 'vitest';
import type { Socket } from '../shell/connection.svelte';
import { updateTo } from '../shell/testing';
import type { Rows } from './choices';
import type { Choice, ClientMessage, Entry, ServerMessage, State, TableMessage } from './protocol';
import { Table } from './table.svelte';

/** The other end of the line: what was sent, and a hand to answer. */
class Line {
  sockets: Socket[] = [];
  sent: ClientMessage[] = [];
  /** What was asked of ways, beside all else. */
  ways: ClientMessage[] = [];
  tasks: (() => void)[] = [];
  #keys = 0;

  readonly around = {
    open: (): Socket => {
      const socket: Socket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (text) => {
          const message = JSON.parse(text) as ClientMessage;
          (message.type === 'ways' ? this.ways : this.sent).push(message);
        },
        close: () => undefined,
      };
      this.sockets.push(socket);
      return socket;
    },
    later: (task: () => void) => {
      this.tasks.push(task);
      return () => undefined;
    },
    key: () => `key-${this.#keys++}`,
  };

  get socket(): Socket {
    return this.sockets.at(-1)!;
  }
  #version = 0;
  /** Tells the next state. */
  update(version: number, now: State, keep: number, entries: Entry[]): void {
    this.say(updateTo(now, { version, base: this.#version }, { keep, entries }, ['choices', 'undo']));
  }
  say(message: ServerMessage): void {
    if (message.type === 'table' || message.type === 'update') this.#version = message.version;
    this.socket.onmessage?.({ data: JSON.stringify(message) });
  }
  lose(code = 1006): void {
    this.socket.onclose?.({ code });
  }
  comeBack(): void {
    this.tasks.splice(0).forEach((task) => task());
    this.socket.onopen?.();
  }
}

const MOVE: Choice = { action: { type: 'move', from: '0,0', to: '1,0' }, effect: 'move' };
const END: Choice = { action: { type: 'end' }, effect: 'end' };
const BACK: Choice = { action: { type: 'reinforce', space: '0,0', count: 1 }, effect: 'reinforce' };
const FAR: Choice = { ...MOVE, action: { type: 'move', from: '0,0', to: '2,0' } };
/** The same as the server tells them. */
const ROWS = new Map<Choice, Rows>([
  [MOVE, { move: [[0, '2']] }],
  [FAR, { move: [[0, '4']] }],
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
  const seat = { name: '', kind: 'here' as const, bot: null, taken: true, online: true };
  return {
    ...QUIET,
    type: 'table',
    id: 'abc',
    game: 'eko',
    version,
    pace: 0,
    seats: [
      { ...seat, seat: 0, colour: 0, yours: true },
      { ...seat, seat: 1, colour: 1, yours: false },
    ],
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

function sitDown(now: State, autoEnd = false, position = () => Promise.resolve(now)): { line: Line; table: Table } {
  const line = new Line();
  const table = new Table(line.around, { autoEnd: () => autoEnd, pace: () => 0, position });
  table.open();
  line.socket.onopen?.();
  line.say(message(1, now));
  return { line, table };
}

describe('a table', () => {
  it('sends the decision that a tap means, held open for an undo', () => {
    const { line, table } = sitDown(state([MOVE]));
    table.tap('0,0');
    table.tap('1,0');
    expect(line.sent).toEqual([
      { type: 'act', key: 'key-1', version: 1, seat: 0, action: MOVE.action, hold: true },
    ]);
    expect(table.waiting).toBe(1);
  });

  it('does not hold the turn open for who wishes it to end by itself', () => {
    const { line, table } = sitDown(state([MOVE]), true);
    table.act(MOVE);
    expect(line.sent[0]).toMatchObject({ hold: false });
  });

  it('waits for the answer before it takes another gesture', () => {
    const { line, table } = sitDown(state([MOVE]));
    table.act(MOVE);
    table.act(MOVE);
    table.undo();
    expect(line.sent).toHaveLength(1);
    line.say({ type: 'ack', key: 'key-0', version: 2 });
    expect(table.waiting).toBe(1);
    line.update(2, state([], { held: 0, undo: [0] }), 0, []);
    expect(table.waiting).toBe(0);
    table.undo();
    expect(line.sent).toHaveLength(2);
  });

  it('sends a decision again after a lost line, with the same key', () => {
    const { line, table } = sitDown(state([MOVE]));
    line.lose();
    expect(table.line).toBe('lost');
    table.act(MOVE);
    expect(line.sent).toHaveLength(0);
    line.comeBack();
    line.say(message(1, state([MOVE])));
    line.lose();
    line.comeBack();
    expect(line.sent.map(({ key }) => key)).toEqual(['key-0', 'key-0']);
    line.say({ type: 'ack', key: 'key-0', version: 2 });
    line.lose();
    line.comeBack();
    expect(line.sent).toHaveLength(2);
  });

  it('keeps what is in hand over a lost line, and lets go when the table has moved on', () => {
    const { line, table } = sitDown(state([MOVE]));
    table.tap('0,0');
    line.lose();
    line.comeBack();
    line.say(message(1, state([MOVE])));
    expect(table.selection.from).toBe('0,0');
    line.say(message(2, state([MOVE])));
    expect(table.selection.from).toBeNull();
  });

  it('ends the turn with the discs that were planned, and with what is offered after them', () => {
    const { line, table } = sitDown(state([BACK]));
    table.tap('0,0');
    expect(table.draft?.action.count).toBe(1);
    table.endTurn();
    expect(line.sent[0]).toMatchObject({ type: 'act', action: BACK.action, hold: false });
    line.say({ type: 'ack', key: 'key-0', version: 2 });
    line.update(2, state([MOVE, END]), 0, [{ ...ENTRY, action: BACK.action }]);
    expect(line.sent[1]).toMatchObject({ type: 'act', version: 2, action: { type: 'end' } });
  });

  it('keeps what is in hand while a draw is offered', () => {
    const { line, table } = sitDown(state([BACK, END]));
    table.tap('0,0');
    line.update(2, state([BACK, END], { draw_offers: [1] }), 0, []);
    expect(table.draft?.action.count).toBe(1);
  });

  it('does not end a turn without the discs that were planned', () => {
    const { line, table } = sitDown(state([BACK, END]));
    table.tap('0,0');
    table.endTurn();
    line.update(2, state([BACK, END], { draw_offers: [1] }), 0, []);
    line.say({ type: 'error', key: 'key-0', code: 'table/stale', message: 'late' });
    expect(line.sent).toHaveLength(1);
  });

  it('does not end a later decision by an end that was wished before the line was lost', () => {
    const { line, table } = sitDown(state([BACK, END]));
    table.tap('0,0');
    table.endTurn();
    line.lose();
    line.comeBack();
    line.say(message(2, state([BACK, END])));
    line.say({ type: 'ack', key: 'key-0', version: 2 });
    const sent = line.sent.length;
    table.act(BACK);
    line.update(3, state([BACK, END]), 0, [ENTRY]);
    expect(line.sent).toHaveLength(sent + 1);
  });

  it('takes nothing back and ends nothing while an earlier position is looked at', async () => {
    const { line, table } = sitDown(state([MOVE]));
    line.update(2, state([], { held: 0, undo: [0] }), 0, [ENTRY]);
    await table.look(0);
    table.undo();
    table.endTurn();
    expect(line.sent).toEqual([]);
  });

  it('drops an earlier position that arrives after letting go', async () => {
    const { line, table } = sitDown(state([MOVE]));
    line.update(2, state([MOVE]), 0, [ENTRY]);
    const looking = table.look(0);
    table.deselect();
    await looking;
    expect(table.past).toBeNull();
  });

  it('keeps showing what it shows when an earlier position does not come', async () => {
    const { line, table } = sitDown(state([MOVE]), false, () => Promise.reject(new Error('the line is lost')));
    line.update(2, state([MOVE]), 0, [ENTRY]);
    await table.look(0);
    expect(table.past).toBeNull();
  });

  it('does not go on asking for a table that does not exist', () => {
    const { line, table } = sitDown(state([MOVE]));
    line.lose(4404);
    expect(table.line).toBe('absent');
    expect(line.tasks).toEqual([]);
  });

  it('ends a held turn', () => {
    const { line, table } = sitDown(state([], { held: 0 }));
    expect(table.mayEnd && table.onlyEnd).toBe(true);
    table.endTurn();
    expect(line.sent[0]).toMatchObject({ type: 'end_turn', seat: 0 });
  });

  it('asks the server why, and shows its answer', () => {
    const { line, table } = sitDown(state([FAR]));
    table.tap('0,0');
    table.tap('1,0');
    expect(line.sent[0]).toMatchObject({ type: 'why', action: { type: 'move', from: '0,0', to: '1,0' } });
    line.say({ type: 'why', key: 'key-1', refusal: { code: 'no-path', rule: 'E5.1', message: 'no way' } });
    expect(table.notice).toMatchObject({ code: 'no-path', rule: 'E5.1' });
    expect(table.selection.from).toBe('0,0');
  });

  it('says whose turn it is when it is not ours', () => {
    const { line, table } = sitDown(state([]));
    table.tap('0,0');
    expect(table.notice?.rule).toBe('E4.1');
    expect(line.sent).toEqual([]);
  });

  it('shortens the moves by an undo and looks at earlier positions', async () => {
    const { line, table } = sitDown(state([MOVE]));
    const entry = { n: 1, turn: 1, seat: 0, action: MOVE.action, notation: 'x', effect: 'move' as const, at: '' };
    line.update(2, state([MOVE]), 0, [entry]);
    line.update(3, state([MOVE]), 1, [{ ...entry, n: 2 }]);
    expect(table.step?.entry.n).toBe(2);
    await table.look(1);
    expect(table.past?.n).toBe(1);
    expect(table.asked).toBeNull();
    line.update(4, state([MOVE]), 1, []);
    expect(table.log).toHaveLength(1);
    expect(table.past).toBeNull();
    expect(table.step).toBeNull();
  });

  it('shows no step where several decisions were told at once', () => {
    const { line, table } = sitDown(state([MOVE]));
    const entry = { n: 1, turn: 1, seat: 0, action: MOVE.action, notation: 'x', effect: 'move' as const, at: '' };
    line.update(2, state([MOVE]), 0, [entry, { ...entry, n: 2 }]);
    expect([table.log.length, table.step]).toEqual([2, null]);
  });

  it('asks for the ways of a stack once, and shows them when they have come', () => {
    const { line, table } = sitDown(state([MOVE]));
    table.approach('0,0');
    table.tap('0,0');
    expect(line.ways).toEqual([{ type: 'ways', of: 0, key: 'key-0' }]);
    expect(table.marks.get('1,0')?.choices[0]?.path).toBeUndefined();
    line.say({ type: 'ways', key: 'key-0', version: 1, ways: { nodes: [[0, -1], [2, 0], [1, 1]], choices: {} } });
    expect(table.marks.get('1,0')?.choices[0]?.path).toEqual(['0,0', '2,0', '1,0']);
  });

  it('asks one after the other for what is not told of stacks, before anybody picks one', () => {
    const { line, table } = sitDown(state([], { asked: [0], choices: { '0': { more: '3' } } }));
    expect(line.ways).toEqual([{ type: 'ways', of: 0, key: 'key-0' }]);
    line.say({ type: 'ways', key: 'key-0', version: 1, ways: { nodes: [[0, -1], [2, 0, 2]], choices: { move: [[0, '4', [2]]] } } });
    expect(line.ways).toEqual([{ type: 'ways', of: 0, key: 'key-0' }, { type: 'ways', of: 1, key: 'key-1' }]);
    line.say({ type: 'ways', key: 'key-1', version: 1, ways: { nodes: [[1, -1]], choices: {} } });
    expect(line.ways).toHaveLength(2);
    table.tap('0,0');
    expect(table.marks.get('2,0')?.choices[0]?.path).toEqual(['0,0', '2,0']);
    expect(line.ways).toHaveLength(2);
  });

  it('does not take ways for those of another version', () => {
    const { line, table } = sitDown(state([MOVE]));
    table.tap('0,0');
    line.say({ type: 'ways', key: 'key-0', version: 0, ways: { nodes: [[0, -1], [1, 0]], choices: {} } });
    expect(table.marks.get('1,0')?.choices[0]?.path).toBeUndefined();
    line.update(2, state([MOVE]), 0, [ENTRY]);
    table.tap('0,0');
    expect(line.ways).toHaveLength(2);
  });

  it('picks a stack that can do more than is told, and keeps a tap until that is known', () => {
    const { line, table } = sitDown(state([], { asked: [0], choices: { '0': { more: '1' } } }));
    expect([...table.marks.keys()]).toEqual(['0,0']);
    table.tap('0,0');
    table.tap('1,0');
    expect(line.sent).toEqual([]);
    line.say({ type: 'ways', key: 'key-0', version: 1, ways: { nodes: [[0, -1], [1, 0, 1]], choices: { move: [[0, '2', [1]]] } } });
    expect(line.sent).toMatchObject([{ type: 'act', action: { type: 'move', from: '0,0', to: '1,0', zones: ['1,0'] } }]);
  });

  it('asks for the whole table when an update does not fit, and goes on from there', () => {
    const { line, table } = sitDown(state([MOVE]));
    line.say({ ...updateTo(state([]), { version: 2, base: 1 }, { keep: 0, entries: [ENTRY] }), check: '00000000' });
    line.say(updateTo(state([]), { version: 3, base: 2 }, { keep: 1, entries: [] }));
    expect(line.sent).toMatchObject([{ type: 'table' }]);
    expect([table.version, table.log.length]).toEqual([1, 0]);
    line.say(message(3, state([END])));
    line.update(4, state([]), 0, [ENTRY]);
    expect([table.version, table.log.length]).toEqual([4, 1]);
  });
});

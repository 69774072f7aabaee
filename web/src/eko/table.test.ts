import { describe, expect, it, vi } from 'vitest';
import type { PositionJson } from '../engine/eko/position';
import { moduleOf } from '../engine/testing';
import { nameOf } from '../table/seats';
import { emptyStorage, FakeServer, opened, QUIET, seat, updateTo } from '../table/testing';
import { loadTexts, plural, t } from '../ui/i18n.svelte';
import { visit } from '../ui/settings.svelte';
import { sentence } from './describe';
import { engine, startEngine } from './engine';
import { adviceLine } from './hints.svelte';
import { preferEko } from './preferences.svelte';
import type { Action, Choice, Entry, Order, SpaceName, Stack, State, TableMessage } from './protocol';
import { EkoTableState } from './table.svelte';

startEngine(moduleOf('eko'));

type Sent = Order & { key: string };
class EkoServer extends FakeServer<Sent> {
  show(now: State, keep: number, entries: Entry[]): void {
    this.update(now, { keep, entries }, ['undo']);
  }
}

const LINE = [0, 1, 2, 3, 4, 5, 6] as const;
/** A row of spaces, the last two of them a tempest, with a capital at its end. The other sand lies behind the second stack. */
const TILESET = {
  groups: {},
  tiles: {
    T: { terrain: '....ttC', cells: LINE.map((q) => [q, 0] as const) },
    S: { terrain: '.......', cells: LINE.map((r) => [0, r] as const), copies: 4 },
  },
};
const TILES = [['T', 0, 0, 0] as const, ...[0, 1, 2, 3].map((n) => ['S', 5, 1 + LINE.length * n, 0] as const)];
const own = (height: number, emperor = false): Stack => ({ owner: 0, height, emperor });
const LONE: Record<SpaceName, Stack> = { '0,0': own(1, true) };

/** What seat 0 may do: move, bring back its disc, or march and end its turn. */
type Asks = 'action' | 'after' | 'end';

function position(asks: Asks, others: Record<SpaceName, Stack>): PositionJson {
  const stacks = {
    ...others,
    ...(asks === 'end' && { '0,0': own(4, true) }),
    '5,0': { owner: 1, height: 1, emperor: true },
  };
  const reserve = [
    { discs: asks === 'end' ? 3 : 2, emperor: false },
    { discs: 0, emperor: false },
  ];
  const left = reserve.map(({ discs }, seat) =>
    Object.values(stacks).reduce(
      (all, { owner, height, emperor }) => all - (owner === seat ? height - Number(emperor) : 0),
      15 - discs,
    ),
  );
  return {
    game: 'eko',
    version: 1,
    tileset: TILESET,
    players: 2,
    tiles: TILES,
    stacks,
    buildings: {},
    reserve,
    removed: left,
    captives: [[], []],
    turn: { number: 1, player: 0, phase: asks === 'action' ? 'action' : 'after' },
  };
}

const MOVE: Action = { type: 'move', from: '0,0', to: '2,0' };
const BACK: Action = { type: 'reinforce', space: '0,0', count: 1 };
const ENTRY = { n: 1, turn: 1, seat: 0, action: MOVE, notation: 'x', effect: 'move' as const, at: 0 };

/** asks: null: nobody is asked. */
function state(asks: Asks | null, more: Partial<State> = {}, stacks = LONE): State {
  return {
    position: position(asks ?? 'action', stacks),
    asked: asks ? [0] : [],
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
    board: engine().position(now.position).layout.toJson(),
    state: now,
    log: [],
  };
}

function sitDown(now: State): { server: EkoServer; table: EkoTableState } {
  preferEko({ autoEnd: false });
  const server = new EkoServer();
  const table = opened(new EkoTableState(server), server);
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ state: now })));
  server.say(message(1, now));
  return { server, table };
}

const choice = (table: EkoTableState, type: Action['type']): Choice =>
  table.asked!.choices.find(({ action }) => action.type === type)!;

describe('a table', () => {
  it('sends the decision that a tap means, held open for an undo', () => {
    const { server, table } = sitDown(state('action'));
    table.tap('0,0');
    table.tap('2,0');
    expect(server.sent).toEqual([{ type: 'act', key: 'key-0', version: 1, seat: 0, action: MOVE, hold: true }]);
    expect(table.waiting).toBe(1);
  });

  it('ends the turn at once if the player prefers it', () => {
    const { server, table } = sitDown(state('action'));
    preferEko({ autoEnd: true });
    table.act(choice(table, 'move'));
    expect(server.sent[0]).toMatchObject({ hold: false });
  });

  it('waits for the answer before it takes another gesture', () => {
    const { server, table } = sitDown(state('action'));
    table.act(choice(table, 'move'));
    table.act(choice(table, 'move'));
    table.undo();
    expect(server.sent).toHaveLength(1);
    server.say({ type: 'ack', key: 'key-0', version: 2 });
    expect(table.waiting).toBe(1);
    server.show(state(null, { held: 0, undo: [0] }), 0, []);
    expect(table.waiting).toBe(0);
    table.undo();
    expect(server.sent).toHaveLength(2);
  });

  it('offers to take the last turn back where there is nothing to undo', () => {
    const { server, table } = sitDown(state('action', { take_back: [0, 1] }));
    expect(table.takeBackSeat).toBe(0);
    server.show(state(null, { held: 0, undo: [0], take_back: [0, 1] }), 0, [ENTRY]);
    expect(table.takeBackSeat).toBeNull();
    server.show(state(null, { take_back: [1] }), 1, []);
    expect(table.takeBackSeat).toBeNull();
  });

  it('keeps the selection over a lost connection, unless the table has moved on', () => {
    const { server, table } = sitDown(state('action'));
    table.tap('0,0');
    server.lose();
    server.comeBack();
    server.say(message(1, state('action')));
    expect(table.selection.from).toBe('0,0');
    server.say(message(2, state('action')));
    expect(table.selection.from).toBeNull();
  });

  it('ends the turn with the planned discs, and with the end that is offered after them', () => {
    const { server, table } = sitDown(state('after'));
    table.tap('0,0');
    expect(table.draft?.action.count).toBe(1);
    table.endTurn();
    expect(server.sent[0]).toMatchObject({ type: 'act', action: BACK, hold: false });
    server.say({ type: 'ack', key: 'key-0', version: 2 });
    server.show(state('end'), 0, [{ ...ENTRY, action: BACK }]);
    expect(server.sent[1]).toMatchObject({ type: 'act', version: 2, action: { type: 'end' } });
  });

  it('says that the player to move is not connected, but not where days are to go by', () => {
    const { server, table } = sitDown(state(null));
    const gone = (options: object): void => {
      const known = message(2, state(null));
      const seats = known.seats.map((one) => ({ ...one, yours: false, online: false }));
      server.say({ ...known, seats, options: { ...known.options!, ...options } });
    };
    gone({});
    expect(sentence(table)).toBe(t('asked.offline', { name: nameOf(table.seats, 0) }));
    gone({ clock: { days: 3, up: 'lose' } });
    expect(sentence(table)).toBe(t('asked.waiting', { name: nameOf(table.seats, 0) }));
  });

  it('asks for more discs only where more can come back, and undoes them alone', () => {
    const { server, table } = sitDown(state('after'));
    table.tap('0,0');
    expect(sentence(table)).toBe(plural('asked.draft', 1));
    table.tap('0,0');
    expect(sentence(table)).toBe(plural('asked.draft-all', 2));
    table.undo();
    expect([table.draft, server.sent]).toEqual([null, []]);
  });

  it('knows that a bot has taken over for good, not that one plays meanwhile', () => {
    const { server, table } = sitDown(state('action'));
    const bot = (more = {}): void =>
      server.say({ type: 'seats', seats: [seat(0, '', { kind: 'bot', bot: 'greedy', ...more }), seat(1, '')] });
    bot({ substitute_until: '2026-01-01T00:00:00Z' });
    expect(table.out).toBeNull();
    server.say(message(2, state('action')));
    bot();
    expect(table.out).toBe('left');
    bot();
    expect(table.out).toBe('left');
    server.say(message(3, state('action')));
    expect(table.out).toBeNull();
  });

  it('knows whether time ran out, and after a reload that its seat was taken over', () => {
    const lost = [seat(0, '', { kind: 'bot', bot: 'greedy' }), seat(1, '')];
    const clock = { base: 10, increment: 0, up: 'lose' } as const;
    const timed = (version: number): TableMessage => ({
      ...message(version, state('action')),
      options: { players: 2, variants: [], setup: 'standard', clock },
    });
    const { server, table } = sitDown(state('action'));
    server.say(timed(2));
    server.say({ type: 'seats', seats: lost });
    expect(table.out).toBe('time');
    const gone = sitDown(state('action'));
    gone.server.say(timed(2));
    gone.table.resign(0);
    gone.server.say({ type: 'seats', seats: lost });
    expect(gone.table.out).toBe('left');
    emptyStorage();
    visit({ id: 'abc', game: 'eko', at: '', seats: [{ name: '', colour: 0, held: true }] });
    const later = new EkoServer();
    const reloaded = opened(new EkoTableState(later), later);
    later.say({ ...message(9, state(null)), seats: lost });
    expect(reloaded.out).toBe('left');
  });

  it('keeps the selection when a draw is offered', () => {
    const { server, table } = sitDown(state('after'));
    table.tap('0,0');
    server.show(state('after', { draw_offers: [1] }), 0, []);
    expect(table.draft?.action.count).toBe(1);
  });

  it('says that an offer of a draw was declined, not that it was withdrawn or has lapsed', () => {
    const { server, table } = sitDown(state('after'));
    const offer = (draw_offers: number[], turn = 1): void => {
      const now = state('after', { draw_offers });
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

  it('calls an advised attack an attack, and a building by its kind', async () => {
    await loadTexts('eko');
    const { table } = sitDown(state('action'));
    const line = (action: Action): string => adviceLine({ action, reasons: [] }, table);
    expect(line(MOVE)).toMatch(/^Move the stack/);
    expect(line({ ...MOVE, to: '5,0' } as Action)).toMatch(/^Attack the stack/);
    expect(line({ type: 'build', from: '0,0', site: '6,0', kind: 'tower', emperor: false })).toMatch(/^Build a tower/);
  });

  it('does not end a turn without the planned discs', () => {
    const { server, table } = sitDown(state('after'));
    table.tap('0,0');
    table.endTurn();
    server.show(state('after', { draw_offers: [1] }), 0, []);
    server.say({ type: 'error', key: 'key-0', code: 'table/stale', message: 'late' });
    expect(server.sent).toHaveLength(1);
  });

  it('does not end a later turn because of an end requested before the connection was lost', () => {
    const { server, table } = sitDown(state('after'));
    table.tap('0,0');
    table.endTurn();
    server.lose();
    server.comeBack();
    server.say(message(2, state('after')));
    server.say({ type: 'ack', key: 'key-0', version: 2 });
    const sent = server.sent.length;
    table.act(choice(table, 'reinforce'));
    server.show(state('after'), 0, [ENTRY]);
    expect(server.sent).toHaveLength(sent + 1);
  });

  it('undoes and ends nothing while an earlier position is shown', async () => {
    const { server, table } = sitDown(state('action'));
    server.show(state(null, { held: 0, undo: [0] }), 0, [ENTRY]);
    await table.look(0);
    table.undo();
    table.endTurn();
    expect(server.sent).toEqual([]);
  });

  it('drops an earlier position that arrives after deselecting', async () => {
    const { server, table } = sitDown(state('action'));
    server.show(state('action'), 0, [ENTRY]);
    const looking = table.look(0);
    table.deselect();
    await looking;
    expect(table.past).toBeNull();
  });

  it('stays as it is when an earlier position cannot be loaded', async () => {
    const { server, table } = sitDown(state('action'));
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    server.show(state('action'), 0, [ENTRY]);
    await table.look(0);
    expect(table.past).toBeNull();
  });

  it('ends a held turn', () => {
    const { server, table } = sitDown(state(null, { held: 0 }));
    expect(table.mayEnd && table.onlyEnd).toBe(true);
    table.endTurn();
    expect(server.sent[0]).toMatchObject({ type: 'end_turn', seat: 0 });
  });

  it('says why a space is not possible, with the rule, and asks nobody', () => {
    const { server, table } = sitDown(state('action', {}, { '0,0': own(1, true) }));
    table.tap('0,0');
    table.tap('6,0');
    expect(table.notice).toMatchObject({ kind: 'why', code: 'not-adjacent', rule: 'E6.1' });
    expect([table.selection.from, server.sent]).toEqual(['0,0', []]);
  });

  it('says of another stack that is picked only that it would be too high', () => {
    for (const [between, code] of [
      [{}, 'too-high'],
      [{ '1,0': own(4) }, undefined],
    ] as const) {
      const { table } = sitDown(state('action', {}, { '0,0': own(3, true), '2,0': own(3), ...between }));
      table.tap('0,0');
      table.tap('2,0');
      expect([table.selection.from, table.notice?.code]).toEqual(['2,0', code]);
    }
  });

  it("refers to the rule when it is another player's turn", () => {
    const { server, table } = sitDown(state(null));
    table.tap('0,0');
    expect(table.notice?.rule).toBe('E4.1');
    expect(server.sent).toEqual([]);
  });

  it('shortens the moves by an undo and looks at earlier positions', async () => {
    const { server, table } = sitDown(state('action'));
    server.show(state('action'), 0, [ENTRY]);
    server.show(state('action'), 1, [{ ...ENTRY, n: 2 }]);
    expect(table.step?.entry.n).toBe(2);
    await table.look(1);
    expect(table.past?.n).toBe(1);
    expect(table.past?.state.position.stacks['2,0']).toEqual(own(1, true));
    expect(table.asked).toBeNull();
    server.show(state('action'), 1, []);
    expect(table.log).toHaveLength(1);
    expect(table.past).toBeNull();
    expect(table.step).toBeNull();
  });

  it('asks the server for the first position alone, and plays on by itself', async () => {
    const { server, table } = sitDown(state('action'));
    const clock = { left: [9000, 8000], running: [] };
    server.show(state('after'), 0, [
      { ...ENTRY, left: clock.left },
      { ...ENTRY, n: 2 },
    ]);
    const asked = vi.fn(() => Promise.resolve(Response.json({ state: state('action') })));
    vi.stubGlobal('fetch', asked);
    await table.look(1);
    expect(table.past?.state).toMatchObject({ position: { turn: { phase: 'after' } }, asked: [0], ...clock });
    await table.look(0);
    expect(table.past?.state).toEqual(state('action'));
    await table.look(1);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('animates no step where several decisions arrive at once', () => {
    const { server, table } = sitDown(state('action'));
    server.show(state('action'), 0, [ENTRY, { ...ENTRY, n: 2 }]);
    expect([table.log.length, table.step]).toEqual([2, null]);
  });

  it('shows what a stack can do, with its paths and what it costs', () => {
    const { server, table } = sitDown(state('action', {}, { '0,0': own(3), '3,0': own(2, true) }));
    expect([...table.marks].map(([space, { kind }]) => [space, kind])).toEqual([
      ['0,0', 'pick'],
      ['3,0', 'pick'],
    ]);
    table.tap('3,0');
    expect(table.marks.get('5,0')).toMatchObject({
      kind: 'attack',
      choices: [{ path: ['3,0', '4,0', '5,0'], lost: 1, height: 1 }],
    });
    table.tap('2,0');
    const choices = table.marks.get('2,0')!.choices.map(({ action, path, lost, height }) => ({
      path,
      lost,
      height,
      emperor: action.type === 'move' && action.emperor_lost,
    }));
    const through = { path: ['3,0', '4,0', '3,0', '2,0'], lost: 1, height: 1 };
    expect(choices).toEqual([{ path: ['3,0', '2,0'], lost: 0, height: 2 }, through, { ...through, emperor: true }]);
    expect([table.selection.palette, server.sent]).toEqual(['2,0', []]);
  });

  it('requests the whole table when an update does not fit, and continues from it', () => {
    const { server, table } = sitDown(state('action'));
    server.say({ ...updateTo(state(null), { version: 2, base: 1 }, { keep: 0, entries: [ENTRY] }), check: '00000000' });
    server.say(updateTo(state(null), { version: 3, base: 2 }, { keep: 1, entries: [] }));
    expect(server.sent).toMatchObject([{ type: 'table' }]);
    expect([table.version, table.log.length]).toEqual([1, 0]);
    server.say(message(3, state('end')));
    server.show(state(null), 0, [ENTRY]);
    expect([table.version, table.log.length]).toEqual([4, 1]);
  });
});

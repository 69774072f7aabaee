import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ekkoBook } from '../engine/ekko/book';
import { readRecord } from '../engine/record';
import type { SeatPlan } from '../protocol/messages';
import { emptyStorage } from '../table/testing';
import { begin, EkkoDeviceGame, goOn } from './device.svelte';
import { engine } from './engine';
import { preferEkko } from './preferences.svelte';
import type { Options, Seat } from './protocol';
import { EkkoTableState } from './table.svelte';
import { asks, startRules } from './testing';

const games = vi.hoisted(() => new Map<string, object>());
// Node has no IndexedDB
vi.mock('../table/deviceGames', () => ({
  keep: (id: string, game: object) => Promise.resolve(void games.set(id, structuredClone(game))),
  kept: (id: string) => Promise.resolve(games.get(id)),
}));

const OPTIONS: Options = {
  players: 2,
  target: 3,
  misplays: true,
  reaction: 3,
  turn_clock: 30,
  calm: false,
  window: null,
  hints: true,
};

beforeEach(() => {
  emptyStorage();
  startRules();
  preferEkko({ pace: 0 });
  asks.length = 0;
});

const seats = (players: number, people: number, bot = 'beginner'): SeatPlan[] =>
  Array.from({ length: players }, (_, seat) => (seat < people ? { kind: 'here' } : { kind: 'bot', bot }));
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A page that shows a game. */
function shown(id: string): { game: EkkoDeviceGame; table: EkkoTableState } {
  const game = new EkkoDeviceGame(id);
  const table = new EkkoTableState(game);
  table.open();
  return { game, table };
}

/** What the page's people do: the first thing that is possible. */
function act(table: EkkoTableState): void {
  const { state, yours } = table;
  if (!state) return;
  const { stage, position, claim, decided, ready } = state;
  const top = position.zone.at(-1)!;
  const tell = (seat: Seat, action: object): void =>
    (table as unknown as { send(sent: object): void }).send({ type: 'intent', seat, action });
  for (const seat of yours) {
    const { playable = [], hand } = state.hands[seat]!;
    if (stage === 'look' && !ready.includes(seat)) tell(seat, { type: 'ready', round: position.turn.round });
    else if (stage === 'effect' && claim?.seat === seat) {
      const aside = hand.find((card) => card !== claim.card)!;
      tell(seat, seat % 2 ? { type: 'effect', effect: 'draw' } : { type: 'effect', effect: 'discard', aside });
    } else if ((stage === 'window' || stage === 'leaving') && !decided.includes(seat) && position.turn.leaving !== seat)
      tell(seat, playable.length > 0 ? { type: 'play', card: playable[0], on: top } : { type: 'pass', on: top });
    else if (stage === 'race' && position.turn.player === seat)
      tell(seat, playable.length > 0 ? { type: 'play', card: playable[0], on: top } : { type: 'draw', on: top });
  }
}

async function playOn(table: EkkoTableState, until: () => boolean): Promise<void> {
  for (let tries = 0; !until() && tries < 20_000; tries++) {
    if (!table.waiting) act(table);
    await settled();
  }
  expect(until()).toBe(true);
}

const isOver = (table: EkkoTableState) => () => table.state?.stage === 'over';

describe.each([
  [2, 1, 'beginner'],
  [4, 2, 'casual'],
  [8, 1, 'random'],
] as const)('a game of %i, %i of them people, with %s', (players, people, bot) => {
  it('is played to its end, goes on after a reload, shows own hands alone, and is a record', async () => {
    const options = { ...OPTIONS, players };
    const id = await begin({ game: 'ekko', options, seats: seats(players, people, bot) });
    const first = shown(id);
    await playOn(first.table, () => first.table.log.length > 5);
    const { table, game } = first;
    expect(table.options).toMatchObject({ calm: true, misplays: false, turn_clock: null });
    first.table.close();
    await settled();

    const again = shown(id);
    await playOn(again.table, () => again.table.state !== null);
    expect(again.table.log.slice(0, table.log.length)).toEqual(table.log);
    expect(again.game.decisions.slice(0, game.decisions.length)).toEqual(game.decisions);
    const own = Array.from({ length: people }, (_, seat) => String(seat));
    await playOn(again.table, () => {
      expect(Object.keys(again.table.state?.hands ?? {})).toEqual(own);
      return isOver(again.table)();
    });

    const record = readRecord(again.game.record, ekkoBook(engine()));
    const { place } = record.nodes.at(-1)!;
    expect(place.position.scores).toEqual(again.table.state!.position.scores);
    expect(again.game.record).toMatch(/result: .* by (lowest-total|tie) \(K5.6\)\n$/);
    expect(again.game.record).toContain(`[Seat${players - 1} "${bot}"]`);
    const past = await again.game.stateAfter(5);
    expect(Object.keys(past.hands)).toHaveLength(players);
    again.table.close();
  });
});

it('tells bots what their seats see, and has each think about a mirror whether it is held or not', async () => {
  const options = { ...OPTIONS, players: 4 };
  const { table } = shown(await begin({ game: 'ekko', options, seats: seats(4, 1) }));
  await playOn(table, () => table.state?.stage === 'window');
  await settled();
  const { zone } = table.state!.position;
  const seen = asks
    .flatMap((one) => (one.asked === 'values' ? [] : [one.view]))
    .filter((view) => JSON.stringify(view.zone) === JSON.stringify(zone));
  expect(seen).toHaveLength(3);
  for (const [n, view] of seen.entries())
    expect([view.turn.phase, view.hand.length, typeof view.pile]).toEqual(['play', view.sizes[n + 1], 'number']);
  expect(table.state!.decided).toEqual([1, 2, 3]);
  table.close();
});

it('refuses a wrong card by its rule, and ends when a player gives up', async () => {
  const { table } = shown(await begin({ game: 'ekko', options: OPTIONS, seats: seats(2, 2) }));
  await playOn(table, () => table.state?.stage === 'race');
  const { hands, position } = table.state!;
  const player = position.turn.player!;
  table.take(player);
  table.play(hands[1 - player]!.hand[0]!);
  await settled();
  expect(table.notice).toMatchObject({ kind: 'why', code: 'not-in-hand', rule: 'K2.1' });
  table.resign(player);
  await settled();
  expect(table.state!.outcome).toMatchObject({ winners: [1 - player], reason: 'resignation' });
  table.rematch();
  await playOn(table, () => table.state!.rematch.table !== null);
  expect(table.state!.rematch.table).toMatch(/^device-ekko-/);
  table.close();
});

it('passes for all its people at once', async () => {
  const { table } = shown(await begin({ game: 'ekko', options: { ...OPTIONS, players: 4 }, seats: seats(4, 4) }));
  await playOn(table, () => table.state?.stage === 'window');
  table.passForAll();
  expect(table.state!.stage).toBe('race');
  table.close();
});

it('goes on with a table of the server: its points, and a new deal of its round', async () => {
  const { table } = shown(await begin({ game: 'ekko', options: OPTIONS, seats: seats(2, 1) }));
  await playOn(table, () => table.state?.stage === 'look');
  const { state, seats: sat, options } = table;
  const position = { ...state!.position, scores: [3, 4], turn: { ...state!.position.turn, round: 3 } };
  table.close();
  const next = shown(await goOn({ state: { ...state!, position }, seats: sat, options }));
  await playOn(next.table, () => next.table.state?.stage === 'look');
  expect(next.table.state!.position).toMatchObject({ scores: [3, 4], turn: { round: 3 } });
  next.table.close();
});

it('passes for a person alone whose time for a mirror is over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
  try {
    const options = { ...OPTIONS, window: 6 };
    const { table } = shown(await begin({ game: 'ekko', options, seats: seats(2, 1) }));
    const go = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);
    while (table.state?.stage !== 'window') {
      if (!table.waiting) act(table);
      await go(1);
    }
    expect(table.state.of).toBe(6000);
    preferEkko({ pace: 5000 });
    await go(5900);
    expect(table.state.stage).toBe('window');
    await go(200);
    expect(table.state.stage).toBe('race');
    table.close();
  } finally {
    vi.useRealTimers();
  }
});

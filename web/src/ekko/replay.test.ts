import { beforeEach, expect, it } from 'vitest';
import { FakeServer, seat } from '../table/testing';
import { loadTexts, setLanguage } from '../ui/i18n.svelte';
import type { Entry, State } from './protocol';
import { type Played, RACE, Replay, STAY } from './replay.svelte';
import { streamState } from './train/reflex.svelte';

const SEATS = ['Ada', 'Bo'].map((name, number) => seat(number, name, { yours: true }));
const entry = (n: number, more: Partial<Entry>): Entry => ({
  n,
  round: 1,
  seat: 0,
  action: { type: 'play' },
  verdict: 'play',
  notation: '',
  at: n,
  ...more,
});
const LOG: Entry[] = [
  entry(1, { seat: -1, verdict: 'deal', action: { type: 'deal' } }),
  entry(2, { action: { type: 'play', card: 37 }, on: 40, at: 1000 }),
  entry(3, { seat: 1, verdict: 'claim', action: { type: 'mirror', card: 73 }, on: 37, at: 1500 }),
  entry(4, { verdict: 'late', action: { type: 'play', card: 91 }, on: 37, behind: 20, at: 1520 }),
  entry(5, { seat: 1, verdict: 'mirror', action: { type: 'mirror', card: 73, effect: 'draw' }, on: 37, at: 2000 }),
];
const ZONES = [[], [40], [40, 37], [40, 37], [40, 37], [40, 37, 73]];

let asked: number[];
let server: FakeServer;
let left: boolean;

function replay(): Replay {
  const stateAfter = (n: number): Promise<State> => {
    asked.push(n);
    return Promise.resolve(streamState(1, ZONES[n]!, [91], 80));
  };
  const played: Played = { id: 'abc', seats: SEATS, yours: [0, 1], options: null, log: LOG, stateAfter };
  return new Replay(played, server, () => (left = true));
}

beforeEach(async () => {
  [asked, server, left] = [[], new FakeServer(), false];
  await setLanguage('en');
  await loadTexts('ekko');
});

it('shows the table as it was, with the log up to then', async () => {
  const game = replay();
  await game.playback.go(2);
  expect([game.n, game.top, game.log.length, game.latest?.n]).toEqual([2, 37, 2, 2]);
  expect(game.hotSeat).toBe(false);
});

it('counts steps from the position that is asked for, as the server may be slow', async () => {
  const game = replay();
  const steps = [1, 2, 3].map(() => game.playback.go(game.playback.n + 1));
  expect([game.n, game.playback.n, game.log.length]).toEqual([0, 3, 0]);
  await Promise.all(steps);
  expect([game.n, game.playback.n, game.log.length]).toEqual([3, 3, 3]);
});

it('lets a claimed mirror lie open while its effect is chosen', async () => {
  const game = replay();
  await game.playback.go(3);
  expect(game.state).toMatchObject({ stage: 'effect', claim: { seat: 1, card: 73, on: 37 } });
  await game.playback.go(5);
  expect(game.state?.claim).toBeNull();
});

it('shows the events of a step, none after a jump', async () => {
  const game = replay();
  await game.playback.go(1);
  await game.playback.go(2);
  expect(game.events.recent.map(({ n }) => n)).toEqual([2]);
  await game.playback.go(4);
  expect(game.events.recent).toEqual([]);
});

it('plays to the end by itself, a race for longer than a step', async () => {
  const game = replay();
  await game.playback.play();
  const waits: number[] = [];
  while (game.playback.playing) {
    const wait = server.waits.filter((milliseconds) => milliseconds === STAY || milliseconds === RACE).at(-1) ?? 0;
    waits.push(wait);
    server.pass(wait);
    await new Promise(setImmediate);
  }
  expect(asked).toEqual([0, 1, 2, 3, 4, 5]);
  expect(waits).toEqual([STAY, STAY, STAY, RACE, RACE]);
});

it('stays where it is stopped, and goes back to the table', async () => {
  const game = replay();
  await game.playback.play();
  game.playback.toggle();
  expect([game.playback.playing, server.waits]).toEqual([false, []]);
  game.playback.leave();
  expect(left).toBe(true);
});

it('sends nothing', async () => {
  const game = replay();
  await game.playback.go(2);
  game.draw();
  game.tap(91);
  expect([game.waiting, game.sending]).toEqual([false, []]);
});

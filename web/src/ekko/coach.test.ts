import { expect, it } from 'vitest';
import type { Reviewed } from '../table/review.svelte';
import { adviceFor, curve, figuresOf, missedIn, others, own } from './coach';

const total = (seat: number, missed: number, won: number, lost: number, loss: number) => ({
  seat,
  decisions: 10,
  missed,
  won,
  lost,
  loss,
});
const reaction = (seat: number, kind: string, milliseconds: number) => ({ n: 1, turn: 1, seat, kind, milliseconds });

/** The reader has seat 1, seat 2 is a bot. */
const game = (mirror: number): Reviewed => ({
  table: `of-${mirror}`,
  ended_at: '2026-11-30T12:00:00+00:00',
  players: 3,
  won: false,
  seats: [1],
  people: [0, 1],
  review: {
    turns: 3,
    decisions: [],
    reactions: [
      reaction(0, 'turn', 3000),
      reaction(0, 'mirror', 900),
      reaction(1, 'turn', 2000),
      reaction(1, 'mirror', mirror),
      reaction(2, 'mirror', 10),
    ] as never,
    totals: [total(0, 1, 2, 0, 2), total(1, 3, 0, 2, 9), total(2, 0, 9, 0, 0)] as never,
  },
});

it('measures the reader beside the other people, without bots', () => {
  const games = [game(1500), game(1100)];
  expect(figuresOf(games, own)).toEqual({ turn: 2000, mirror: 1300, used: 0.25, won: 0, loss: 0.9 });
  expect(figuresOf(games, others)).toEqual({ turn: 3000, mirror: 900, used: 0.5, won: 1, loss: 0.2 });
  expect(figuresOf([], own)).toEqual({ turn: null, mirror: null, used: null, won: null, loss: null });
});

it('lists the games in which the reader missed mirrors', () => {
  expect(missedIn([game(1100)])).toEqual([{ table: 'of-1100', ended: '2026-11-30T12:00:00+00:00', n: 3 }]);
});

it('shows the time for a mirror from game to game, the oldest first', () => {
  expect(curve([game(1100), game(1500)])).toEqual([1500, 1100]);
});

it('advises what is worse than with the others, mirrors that are not seen first', () => {
  const good = { turn: 2000, mirror: 900, used: 0.9, won: 0.5, loss: 0.2 };
  expect(adviceFor({ ...good, used: 0.5 }, good)).toBe('mirrors');
  expect(adviceFor({ ...good, mirror: 1500 }, good)).toBe('quicker');
  expect(adviceFor({ ...good, loss: 0.8 }, good)).toBe('cards');
  expect(adviceFor(good, good)).toBeNull();
  const alone = { turn: null, mirror: null, used: null, won: null, loss: null };
  expect(adviceFor({ ...good, used: 0.6 }, alone)).toBe('mirrors');
  expect(adviceFor({ ...good, loss: 0.6 }, alone)).toBe('cards');
  expect(adviceFor(good, alone)).toBeNull();
});

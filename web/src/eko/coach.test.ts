import { expect, it } from 'vitest';
import type { Reviewed } from '../table/review.svelte';
import { coached } from './coach';

const game = (table: string, decisions: object[], players = 2): Reviewed => ({
  table,
  ended_at: '2026-11-30T12:00:00+00:00',
  players,
  won: false,
  seats: [0],
  people: [0],
  review: { turns: 30, decisions: decisions as never, reactions: [], totals: [] },
});

it('names first what costs most, with the largest mistakes first', () => {
  const { groups } = coached([
    game('a', [
      { n: 4, turn: 2, loss: 0.1, judgement: 'mistake', kind: 'exposed' },
      { n: 40, turn: 20, loss: 0.2, judgement: 'blunder', kind: 'emperor' },
      { n: 50, turn: 25, loss: 0.1, judgement: 'mistake', kind: 'win' },
    ]),
    game('b', [{ n: 9, turn: 5, loss: 0.02 }]),
  ]);
  expect(groups.map(({ name, share, loss }) => [name, share, loss])).toEqual([
    ['save', expect.closeTo(0.75), expect.closeTo(0.15)],
    ['win', expect.closeTo(0.25), expect.closeTo(0.1)],
  ]);
  expect(groups[0]?.slips.map(({ table, n }) => [table, n])).toEqual([
    ['a', 40],
    ['a', 4],
  ]);
});

it('divides a game into three, and games by their players', () => {
  const slip = (turn: number, loss: number) => ({ n: turn, turn, loss, judgement: 'mistake', kind: 'points' });
  const { phases, sizes } = coached([
    game('a', [slip(1, 0.1), slip(10, 0.1), slip(11, 0.3)]),
    game('b', [slip(21, 0.2), slip(30, 0.3)], 3),
    game('c', [], 3),
  ]);
  expect(phases.map(({ name, share }) => [name, share])).toEqual([
    ['opening', expect.closeTo(0.2)],
    ['middle', expect.closeTo(0.3)],
    ['end', expect.closeTo(0.5)],
  ]);
  expect(sizes).toEqual([
    { players: 2, mistakes: 3 },
    { players: 3, mistakes: 1 },
  ]);
});

it('a mistake of an unknown kind is one of planning, and without mistakes nothing is said', () => {
  expect(coached([game('a', [{ n: 1, turn: 1, loss: 0.1, judgement: 'mistake' }])]).groups[0]?.name).toBe('plan');
  expect(coached([game('a', [])]).groups).toEqual([]);
});

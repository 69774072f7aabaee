import { describe, expect, it } from 'vitest';
import { verdictOf } from './seats';

describe('how a game ended', () => {
  it.each([
    [[0], [0], 2, 'won'],
    [[0], [1], 2, 'lost'],
    [[0, 2], [0], 3, 'shared'],
    [[], [0], 2, 'nobody'],
    [[0], [], 2, 'over'],
    [[0], [0, 1], 2, 'over'],
    [[1], [0, 1], 3, 'won'],
  ] as const)('%j won, %j are mine of %i: %s', (winners, yours, players, verdict) => {
    expect(verdictOf(winners, yours, players)).toBe(verdict);
  });
});

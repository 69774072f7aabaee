import { describe, expect, it } from 'vitest';
import { pointsOverTime, turningPoint } from './story';
import type { Entry, Player } from './protocol';

const entry = (n: number, points?: number[]): Entry => ({ n, turn: n, seat: 0, action: { type: 'end' }, effect: 'end', notation: '', at: '', ...(points && { points }) });
const player = (total: number): Player => ({ points: { total } }) as Player;
const LOG = [entry(1), entry(2, [1, 0]), entry(3, [3, -3]), entry(4, [1, 0])];

describe('how a game went', () => {
  it('is told by every decision that changed points, back from how it stands', () => {
    expect(pointsOverTime(LOG, [player(7), player(1)])).toEqual([
      [2, 2, 3, 6, 7],
      [4, 4, 4, 1, 1],
    ]);
  });
  it('turned where most points moved', () => {
    expect(turningPoint(LOG)?.n).toBe(3);
    expect(turningPoint([entry(1)])).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { Entry } from './protocol';
import { replayStart } from './replay.svelte';

describe('what happened since my last turn', () => {
  const log = (seats: number[]): Entry[] =>
    seats.map((seat, i) => ({ n: i + 1, turn: i, seat, action: { type: 'end' }, notation: '', effect: 'end', at: '' }));
  it('begins after it', () => {
    expect(replayStart(log([0, 0, 1, 1, 2]), [0])).toBe(2);
    expect(replayStart(log([0, 1, 2, 0]), [0])).toBe(1);
  });
  it('is the last decision for who watches or shares a browser', () => {
    expect(replayStart(log([0, 1]), [])).toBe(1);
    expect(replayStart(log([0, 1]), [0, 1])).toBe(1);
  });
});

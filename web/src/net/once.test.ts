import { afterEach, describe, expect, it, vi } from 'vitest';
import { onceFor } from './once';

afterEach(() => void vi.useRealTimers());

describe('onceFor', () => {
  it.each([
    [undefined, ['a', 'b']],
    [1000, ['a', 'b', 'a']],
  ])('asks once for each key, and again after %s milliseconds', async (kept, expected) => {
    vi.useFakeTimers();
    const asked: string[] = [];
    const load = onceFor(async (key) => asked.push(key), kept);
    expect(await Promise.all([load('a'), load('a'), load('b')])).toEqual([1, 1, 2]);
    expect(await load('a')).toBe(1);
    vi.advanceTimersByTime(1000);
    await load('a');
    expect(asked).toEqual(expected);
  });

  it('asks again after a failure', async () => {
    let lost = true;
    const load = onceFor(async () => {
      if (lost) throw new Error('lost');
      return 'here';
    });
    await expect(load('a')).rejects.toThrow('lost');
    lost = false;
    expect(await load('a')).toBe('here');
  });
});

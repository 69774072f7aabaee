import { beforeEach, describe, expect, it } from 'vitest';
import type { SeatInfo } from '../net/protocol';
import { loadTexts, setLanguage } from '../ui/i18n.svelte';
import type { Advice } from './advice';
import { adviceLine, Hints, mayLine, reasonLine } from './hints.svelte';
import type { State } from './protocol';
import type { EkkoTableState } from './table.svelte';

const ADVICE: Advice = {
  top: 37,
  fits: [41, 95],
  mirror: 73,
  action: { type: 'play', card: 95 },
  reasons: [
    { reason: 'narrow', n: 1 },
    { reason: 'keeps', card: 6 },
  ],
};

/** The part of a table that hints depend on. */
function table(more: Partial<{ isAlone: boolean; yours: number[]; stage: State['stage'] }> = {}): EkkoTableState {
  const { isAlone = true, yours = [0], stage = 'race' } = more;
  return {
    id: 'abc',
    version: 4,
    isAlone,
    yours,
    viewer: 0,
    state: { stage },
    seats: [] as SeatInfo[],
  } as unknown as EkkoTableState;
}

beforeEach(async () => {
  await setLanguage('en');
  await loadTexts('ekko');
});

describe('hints', () => {
  it('are offered to one person against bots once a card is on top', () => {
    const offered = (more: Parameters<typeof table>[0]): boolean => new Hints(table(more)).offered;
    expect(offered({})).toBe(true);
    expect(offered({ isAlone: false })).toBe(false);
    expect(offered({ yours: [0, 1] })).toBe(false);
    expect([offered({ stage: 'look' }), offered({ stage: 'over' })]).toEqual([false, false]);
  });

  it('disappear when the table changes', async () => {
    const at = table();
    const advising = new Hints(at, () => Promise.resolve(ADVICE));
    await advising.advise();
    expect(advising.current).toBe(ADVICE);
    at.version++;
    expect(advising.current).toBeNull();
  });

  it('say so while they are thought about, and can be closed meanwhile', async () => {
    const at = table();
    let resolve = (_: Advice): void => undefined;
    const advising = new Hints(at, () => new Promise<Advice>((done) => (resolve = done)));
    const first = advising.advise();
    expect(advising.thinks).toBe(true);
    advising.deselect();
    expect(advising.thinks).toBe(false);
    resolve(ADVICE);
    await first;
    expect([advising.current, advising.thinks]).toEqual([null, false]);
    const again = advising.advise();
    resolve(ADVICE);
    await again;
    expect([advising.current, advising.thinks]).toEqual([ADVICE, false]);
  });

  it('are dropped when they arrive too late or not at all', async () => {
    const at = table();
    const late = new Hints(at, () => Promise.resolve(ADVICE).finally(() => at.version++));
    await late.advise();
    const none = new Hints(at, () => Promise.reject(new Error('lost')));
    await none.advise();
    expect([late.current, none.current]).toEqual([null, null]);
  });

  it('are put into words', () => {
    expect(mayLine(ADVICE)).toBe(
      'On 37 you can play 41 and 95. You hold its mirror, 73: it can be played at any time.',
    );
    expect(adviceLine(ADVICE)).toBe('Play 95.');
    expect(reasonLine(ADVICE)).toContain(
      'it leaves the fewest answers: 1 card that you have not seen fits on it, your 06 is worth keeping',
    );
    expect(adviceLine({ ...ADVICE, action: null })).toBe('Wait.');
    expect(adviceLine({ ...ADVICE, action: { type: 'effect', effect: 'discard', aside: 6 } })).toBe('Put 06 aside.');
  });
});

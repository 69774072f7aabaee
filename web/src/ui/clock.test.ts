import { beforeAll, describe, expect, it } from 'vitest';
import { allowed, invitationTerms, planLine, planOf, rate, timeText, upLine, upsOf } from './clock';
import { setLanguage } from './i18n.svelte';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

beforeAll(() => setLanguage('en'));

describe('a time in figures', () => {
  it('has tenths in the last ten seconds, never more than is left', () => {
    expect([9_999, 4_050, 99, 0, -300].map((left) => timeText(left))).toEqual(['9.9', '4.0', '0.0', '0.0', '0.0']);
  });
  it('has minutes, hours and days as they are there', () => {
    expect([10_000, 65_900, 64 * MINUTE + 5_000].map((left) => timeText(left))).toEqual(['0:10', '1:05', '1:04:05']);
    expect([DAY, 2 * DAY + 5 * 60 * MINUTE].map((left) => timeText(left))).toEqual(['1d 0h', '2d 5h']);
  });
  it('is refreshed as often as it changes', () => {
    expect([9_000, 3 * MINUTE, 2 * DAY].map(rate)).toEqual([100, 250, MINUTE]);
  });
});

describe('a plan', () => {
  const live = { base: 300, increment: 10, up: 'lose' } as const;

  it('is the stored one, if valid', () => {
    expect(planOf({ ...live })).toEqual(live);
    expect(planOf({ days: 3, up: 'pass' })).toEqual({ days: 3, up: 'pass' });
    for (const odd of [null, undefined, {}, { days: 3 }, { base: 300, up: 'lose' }, { days: 3, up: 'draw' }])
      expect(planOf(odd)).toBeNull();
  });
  it('allows passing only with enough time per turn', () => {
    expect(upsOf({ base: 300, increment: 4, up: 'lose' })).toEqual(['lose', 'bot']);
    expect(allowed({ base: 300, increment: 4, up: 'pass' }).up).toBe('lose');
    expect(allowed({ days: 1, up: 'pass' }).up).toBe('pass');
  });
  it('is put into words, with what happens when time runs out', () => {
    expect(planLine(live)).toBe('5 min + 10 s per turn');
    expect(planLine({ days: 1, up: 'bot' })).toBe('1 day per turn');
    expect(upLine(live, 2)).toMatch(/lose/);
    expect(upLine(live, 3)).toMatch(/bot takes over/);
  });
});

it('is named to whoever is invited, or that there is none', () => {
  expect(invitationTerms(true, { days: 3, up: 'lose' }, true)).toEqual(['Rated', '3 days per turn']);
  expect(invitationTerms(false, undefined, true)).toEqual(['no clock']);
  expect(invitationTerms(false, 30, false)).toEqual([]);
});

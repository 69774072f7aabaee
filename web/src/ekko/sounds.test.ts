import { describe, expect, it } from 'vitest';
import type { Entry, Verdict } from './protocol';
import { soundOf } from './sounds';

const happened = (...verdicts: Verdict[]): Entry[] =>
  verdicts.map((verdict, n) => ({ n, round: 1, seat: 1, action: { type: verdict }, verdict, notation: '', at: 0 }));

describe('the sound of what happened', () => {
  it.each([
    [['play', 'late'], 'late'],
    [['mirror', 'late'], 'mirror'],
    [['claim', 'late'], 'mirror'],
    [['misplay'], 'misplay'],
    [['pass', 'close'], 'end'],
    [['play'], 'card'],
    [['draw'], 'draw'],
    [[], null],
  ] as const)('%j', (verdicts, sound) => {
    const news = happened(...verdicts);
    expect(soundOf(news, news, 1, [0])).toBe(sound);
  });
  it("signals the player's turn", () => {
    expect(soundOf(happened('play'), [], 0, [0])).toBe('turn');
  });
  it('is that of a claimed mirror once, not of its effect again', () => {
    const log = happened('claim', 'mirror').map((entry) => ({ ...entry, action: { type: entry.verdict, card: 73 } }));
    expect(soundOf(log.slice(1), log)).toBe(null);
  });
});

import { expect, it } from 'vitest';
import { listedLog, freshlyPut, settles } from './log';
import type { Entry, Verdict } from './protocol';

const entry = (n: number, verdict: Verdict, card: number, round = 1): Entry => ({ n, round, seat: 1, action: { type: verdict, card }, verdict, notation: '', at: '' });

it('shows a mirror once: as it is claimed, not again as its effect is chosen', () => {
  const [claim, mirror] = [entry(1, 'claim', 76), entry(2, 'mirror', 76)];
  expect(freshlyPut(76, [claim], [claim])).toBe(claim);
  expect(freshlyPut(76, [mirror], [claim, mirror])).toBeNull();
});
it('shows a mirror without a claim as it comes', () => {
  const mirror = entry(3, 'mirror', 76, 2);
  expect(settles(mirror, [entry(1, 'claim', 76, 1), mirror])).toBe(false);
  expect(freshlyPut(76, [mirror], [mirror])).toBe(mirror);
});
it('takes no card for put that came back', () => {
  expect(freshlyPut(76, [entry(1, 'late', 76), entry(2, 'misplay', 76)], [])).toBeNull();
});
it('tells a mirror where it was claimed, before what came too late for it', () => {
  const [claim, late, mirror] = [entry(1, 'claim', 76), entry(2, 'late', 70), entry(3, 'mirror', 76)];
  expect(listedLog([claim, late])).toEqual([claim, late]);
  expect(listedLog([claim, late, mirror])).toEqual([mirror, late]);
});
it('tells a mirror of a later round in its own place', () => {
  const log = [entry(1, 'claim', 76), entry(2, 'mirror', 76), entry(3, 'play', 67, 2), entry(4, 'mirror', 76, 2)];
  expect(listedLog(log).map(({ n }) => n)).toEqual([2, 3, 4]);
});

import { describe, expect, it } from 'vitest';
import { freshlyPut, listedAs, listedLog, openMirror, raceAt, settles, turnedOver } from './log';
import type { Entry, State, Verdict } from './protocol';

let n = 0;
/** An entry of the first round, some milliseconds after it was dealt. */
function entry(seat: number, verdict: Verdict, at: number, more: Partial<Entry> & { card?: number } = {}): Entry {
  const { card, ...rest } = more;
  return {
    n: ++n,
    round: 1,
    seat,
    verdict,
    notation: '',
    at: at,
    action: { type: 'play', ...(card !== undefined && { card }) },
    ...rest,
  };
}

/** 40 is turned over; 37 is played on it; 73 mirrors 37, and 91 comes 41 ms too late for it; then 91 is played without a race. */
function log(): Entry[] {
  n = 0;
  return [
    entry(-1, 'deal', 0),
    entry(0, 'play', 4000, { card: 37, on: 40 }),
    entry(1, 'claim', 4812, { card: 73, on: 37 }),
    entry(2, 'late', 4853, { card: 91, on: 37, behind: 41 }),
    entry(1, 'mirror', 6000, { card: 73, on: 37 }),
    entry(2, 'play', 9000, { card: 91, on: 73 }),
  ];
}

describe('a race', () => {
  it('is won by the first card, with its time and the late ones', () => {
    const race = {
      on: 37,
      took: 812,
      runners: [
        { seat: 1, card: 73, behind: 0 },
        { seat: 2, card: 91, behind: 41 },
      ],
    };
    expect(raceAt(log(), 3)).toEqual(race);
    expect(raceAt(log(), 4)).toEqual(race);
  });

  it('needs a late card, and is not the choice of an effect', () => {
    expect([1, 2, 5, 6].map((at) => raceAt(log(), at))).toEqual([null, null, null, null]);
  });

  it('is also won by a mirror without rivals', () => {
    const alone = log().filter(({ verdict }) => verdict !== 'late');
    expect(raceAt(alone, 3)?.runners).toHaveLength(1);
  });

  it('is lost to the card before, whatever card the loser answered', () => {
    // 2 played 37 and at once 91, which is judged on it; 73 was quicker
    const two = [...log().slice(0, 3), entry(0, 'late', 4853, { card: 91, on: 40, behind: 41 })];
    two[3] = { ...two[3], n: 4 } as Entry;
    expect(raceAt(two, 4)?.on).toBe(37);
  });

  it('has no time for the card turned over, whose time is not in the log', () => {
    const first = [entry(-1, 'deal', 0), entry(0, 'claim', 900, { card: 4, on: 40 })].map((one, at) => ({
      ...one,
      n: at + 1,
    }));
    expect(raceAt(first, 2)?.took).toBeNull();
  });
});

it('a mirror lies open until its effect is chosen', () => {
  expect([2, 3, 4, 5].map((at) => openMirror(log().slice(0, at))?.card ?? null)).toEqual([null, 73, 73, null]);
});

it('a claim is listed with the effect of its mirror, other entries by themselves', () => {
  expect(
    log()
      .slice(0, 5)
      .map((one, _, all) => listedAs(one, all).n),
  ).toEqual([1, 2, 5, 4, 5]);
});

it('the card that was turned over is the first that anything answered, or lies at the bottom', () => {
  const zone = { position: { turn: { round: 2 }, zone: [58, 12] } } as unknown as State;
  expect(turnedOver(1, log(), zone)).toBe(40);
  expect(turnedOver(2, log(), zone)).toBe(58);
  expect(turnedOver(3, log(), zone)).toBeNull();
});

const happened = (n: number, verdict: Verdict, card: number, round = 1): Entry => ({
  n,
  round,
  seat: 1,
  action: { type: verdict, card },
  verdict,
  notation: '',
  at: 0,
});

it('shows a mirror once: as it is claimed, not again as its effect is chosen', () => {
  const [claim, mirror] = [happened(1, 'claim', 76), happened(2, 'mirror', 76)];
  expect(freshlyPut(76, [claim], [claim])).toBe(claim);
  expect(freshlyPut(76, [mirror], [claim, mirror])).toBeNull();
});
it('shows a mirror without a claim as it comes', () => {
  const mirror = happened(3, 'mirror', 76, 2);
  expect(settles(mirror, [happened(1, 'claim', 76, 1), mirror])).toBe(false);
  expect(freshlyPut(76, [mirror], [mirror])).toBe(mirror);
});
it('does not count a card that was returned as put', () => {
  expect(freshlyPut(76, [happened(1, 'late', 76), happened(2, 'misplay', 76)], [])).toBeNull();
});
it('lists a mirror where it was claimed, before the late cards', () => {
  const [claim, late, mirror] = [happened(1, 'claim', 76), happened(2, 'late', 70), happened(3, 'mirror', 76)];
  expect(listedLog([claim, late])).toEqual([claim, late]);
  expect(listedLog([claim, late, mirror])).toEqual([mirror, late]);
});
it('lists a card that came as its round had ended in that round, and has no race for it', () => {
  const close = entry(-1, 'close', 9000);
  const [last, deal, late] = [
    entry(0, 'play', 6000, { card: 50, on: 37 }),
    entry(-1, 'deal', 9001, { round: 2 }),
    entry(1, 'late', 9020, { card: 5, on: 50, behind: 20 }),
  ];
  const numbered = [last, close, deal, late].map((each, i) => ({ ...each, n: i + 1 }));
  expect(listedLog(numbered).map(({ n }) => n)).toEqual([1, 2, 4, 3]);
  expect(raceAt(numbered, 4)).toBeNull();
});
it('lists a mirror of a later round in its own place', () => {
  const log = [
    happened(1, 'claim', 76),
    happened(2, 'mirror', 76),
    happened(3, 'play', 67, 2),
    happened(4, 'mirror', 76, 2),
  ];
  expect(listedLog(log).map(({ n }) => n)).toEqual([2, 3, 4]);
});

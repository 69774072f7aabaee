import { beforeEach, describe, expect, it } from 'vitest';
import { levelAmong, levelAt, levelFor, offeredAfter, tableAt, takeLevel } from './levels';
import type { GameAbout, SeatInfo } from './protocol';

const LEVELS = ['beginner', 'casual', 'master'];
const ABOUT: GameAbout = { name: 'nim', players: [2, 5], bots: ['random', ...LEVELS], levels: LEVELS, stand_in: 'casual', options: {} };
const seat = (number: number, kind: SeatInfo['kind'], bot: string | null = null, yours = false): SeatInfo => ({
  seat: number, name: bot ? '' : 'Ada', colour: number + 2, kind, bot, taken: true, yours, online: true,
});
const ME = seat(0, 'here', null, true);

beforeEach(() => {
  const kept = new Map<string, string>();
  Object.assign(globalThis, { localStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) } });
});

describe('the level that a reader meets', () => {
  it('is the first one, until another one is taken, in each game by itself', () => {
    expect(levelFor(ABOUT)).toBe('beginner');
    takeLevel('nim', 'casual');
    takeLevel('snap', 'master');
    expect(levelFor(ABOUT)).toBe('casual');
    expect(levelFor({ ...ABOUT, name: 'snap' })).toBe('master');
  });
  it('is one that the server has', () => {
    takeLevel('nim', 'oracle');
    expect(levelFor(ABOUT)).toBe('beginner');
    expect(levelFor({ ...ABOUT, levels: [] })).toBe('casual');
  });
});

describe('the level at a table', () => {
  it('is that of all its bots', () => {
    expect(levelAmong(['casual', 'casual'], LEVELS)).toBe('casual');
    for (const bots of [[], ['casual', 'master'], ['random'], [null]]) expect(levelAmong(bots, LEVELS)).toBeNull();
  });
  it('is told where one person plays against them alone', () => {
    const bot = seat(1, 'bot', 'casual');
    expect(levelAt([ME, bot], LEVELS)).toBe('casual');
    expect(levelAt([ME, bot, seat(2, 'open')], LEVELS)).toBeNull();
    expect(levelAt([ME, bot, seat(2, 'here', null, true)], LEVELS)).toBeNull();
    expect(levelAt([bot, seat(0, 'bot', 'casual')], LEVELS)).toBeNull();
  });
});

describe('after a game', () => {
  it('a winner is offered the next level, a loser the one below', () => {
    expect(offeredAfter('won', 'beginner', LEVELS)).toBe('casual');
    expect(offeredAfter('lost', 'casual', LEVELS)).toBe('beginner');
  });
  it('there is none above the last, below the first, or where nobody won or lost', () => {
    expect(offeredAfter('won', 'master', LEVELS)).toBeNull();
    expect(offeredAfter('lost', 'beginner', LEVELS)).toBeNull();
    for (const verdict of ['shared', 'nobody', 'over'] as const) expect(offeredAfter(verdict, 'casual', LEVELS)).toBeNull();
  });
  it('the table is the same but for its bots', () => {
    expect(tableAt('master', 'nim', [ME, seat(1, 'bot', 'casual')], { heaps: 3 })).toEqual({
      game: 'nim',
      options: { heaps: 3 },
      seats: [
        { kind: 'here', name: 'Ada', colour: 2 },
        { kind: 'bot', bot: 'master', colour: 3 },
      ],
    });
  });
});

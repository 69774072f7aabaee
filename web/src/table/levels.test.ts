import { beforeEach, describe, expect, it } from 'vitest';
import type { SeatInfo } from '../net/protocol';
import type { GameInfo } from '../protocol/messages';
import { levelAmong, levelAt, levelFor, offeredAfter, tableAt, takeLevel } from './levels';
import { emptyStorage, seat } from './testing';

const LEVELS = ['beginner', 'casual', 'master'];
const ABOUT: GameInfo = {
  name: 'nim',
  players: [2, 5],
  bots: ['random', ...LEVELS],
  levels: LEVELS,
  stand_in: 'casual',
  options: {},
};
const bot = (number: number, level: string): SeatInfo =>
  seat(number, '', { kind: 'bot', bot: level, colour: number + 2 });
const ME = seat(0, 'Ada', { yours: true, colour: 2 });

beforeEach(() => void emptyStorage());

describe('the level of play', () => {
  it('is the first one until another is chosen, for each game', () => {
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
  it('is only that of games of one person against bots', () => {
    expect(levelAt([ME, bot(1, 'casual')], LEVELS)).toBe('casual');
    expect(levelAt([ME, bot(1, 'casual'), seat(2, 'Ada', { kind: 'open' })], LEVELS)).toBeNull();
    expect(levelAt([ME, bot(1, 'casual'), seat(2, 'Ada', { yours: true })], LEVELS)).toBeNull();
    expect(levelAt([bot(1, 'casual'), bot(0, 'casual')], LEVELS)).toBeNull();
  });
});

describe('after a game', () => {
  it('a winner is offered the next level, a loser the one below', () => {
    expect(offeredAfter('won', 'beginner', LEVELS)).toBe('casual');
    expect(offeredAfter('lost', 'casual', LEVELS)).toBe('beginner');
  });
  it('there is none above the last, below the first, or without a winner or loser', () => {
    expect(offeredAfter('won', 'master', LEVELS)).toBeNull();
    expect(offeredAfter('lost', 'beginner', LEVELS)).toBeNull();
    for (const verdict of ['shared', 'over'] as const) expect(offeredAfter(verdict, 'casual', LEVELS)).toBeNull();
  });
  it('the table is the same but for its bots', () => {
    expect(tableAt('master', 'nim', [ME, bot(1, 'casual')], { heaps: 3, deal: 'drawn' })).toEqual({
      game: 'nim',
      options: { heaps: 3 },
      seats: [
        { kind: 'here', name: 'Ada', colour: 2 },
        { kind: 'bot', bot: 'master', colour: 3 },
      ],
    });
  });
});

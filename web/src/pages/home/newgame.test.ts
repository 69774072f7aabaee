import { beforeEach, describe, expect, it } from 'vitest';
import type { GameInfo } from '../../protocol/messages';
import { emptyStorage } from '../../table/testing';
import { choicesOf, NewGame, takes, within } from './newgame.svelte';

const ABOUT: GameInfo = {
  name: 'nim',
  players: [2, 5],
  bots: ['random', 'dull', 'bright'],
  levels: ['dull', 'bright'],
  stand_in: 'dull',
  options: {
    heaps: { default: 3, least: 1, most: 9 },
    order: { default: 'rising', values: ['rising', 'falling'] },
    extras: { default: [], values: ['a', 'b'], several: true },
    clock: { default: 30, least: 5, most: 60, null: true },
  },
};
interface Options {
  heaps: number;
  order: string;
  extras: string[];
  clock: number | null;
}
const make = (about = ABOUT): NewGame<Options> =>
  new NewGame(about, { players: 3, offers: ['heaps', 'order', 'extras', 'clock'] });

beforeEach(() => void emptyStorage());

describe('a new game of any kind', () => {
  it("is made from the server's options", () => {
    const game = make();
    expect(game.numbers).toEqual([2, 3, 4, 5]);
    expect(game.seats.map(({ kind }) => kind)).toEqual(['here', 'bot dull', 'bot dull', 'bot dull', 'bot dull']);
    expect(game.table.options).toEqual({ players: 3, heaps: 3, order: 'rising', extras: [], clock: 30 });
    expect(game.table.game).toBe('nim');
  });
  it('stores the choices, as far as the server still accepts them', () => {
    const game = make();
    game.options = { heaps: 9, order: 'falling', extras: ['b'], clock: null };
    game.players = 5;
    game.save();
    expect(make().table.options).toEqual({ players: 5, heaps: 9, order: 'falling', extras: ['b'], clock: null });
    const narrow = make({
      ...ABOUT,
      players: [2, 4],
      options: {
        ...ABOUT.options,
        heaps: { default: 3, least: 1, most: 5 },
        extras: { default: [], values: ['a'], several: true },
      },
    });
    expect(narrow.table.options).toEqual({ players: 4, heaps: 3, order: 'falling', extras: [], clock: null });
    expect(narrow.seats).toHaveLength(4);
  });
});

describe('people who play each other', () => {
  it('are more than one, here or by link', () => {
    const game = make();
    expect(game.isTogether).toBe(false);
    game.seats[4]!.kind = 'open';
    expect(game.isTogether).toBe(false);
    game.seats[1]!.kind = 'open';
    expect(game.isTogether).toBe(true);
    game.seats[1]!.kind = 'here';
    expect(game.isTogether).toBe(true);
  });
});

describe('what people may agree on', () => {
  it('is sent only with open seats, and takebacks only where the game has them', () => {
    const game = make({ ...ABOUT, options: { ...ABOUT.options, take_back: { default: null, null: true } } });
    Object.assign(game, { absence: 10, takeBack: false });
    expect(game.table.options).not.toHaveProperty('absence');
    game.seats[1]!.kind = 'open';
    expect(game.table.options).toMatchObject({ absence: 10, take_back: false });
    expect(Object.assign(make(), { takeBack: false }).table.options).not.toHaveProperty('take_back');
  });
});

describe('a public table', () => {
  it('needs an open seat, and is stored for the next time', () => {
    const game = make();
    game.isPublic = true;
    expect([game.hasOpen, game.table.public]).toEqual([false, undefined]);
    game.seats[1]!.kind = 'open';
    expect([game.hasOpen, game.table.public]).toEqual([true, true]);
    game.save();
    expect(make().table.public).toBe(true);
  });
});

describe('an option', () => {
  it.each<[string, unknown, boolean]>([
    ['heaps', 9, true],
    ['heaps', 10, false],
    ['heaps', null, false],
    ['heaps', '3', false],
    ['order', 'falling', true],
    ['order', 'random', false],
    ['extras', ['a', 'b'], true],
    ['extras', ['c'], false],
    ['extras', 'a', false],
    ['clock', null, true],
    ['clock', 4, false],
  ])('%s takes %j: %s', (name, value, yes) => {
    expect(takes(ABOUT.options[name]!, value)).toBe(yes);
  });
  it('offers its default among the choices that it takes', () => {
    expect(choicesOf<number | null>(ABOUT.options['clock'], [10, 90, null])).toEqual([30, 10, null]);
    expect(choicesOf<number | null>(ABOUT.options['clock'], [10, 30, null])).toEqual([10, 30, null]);
  });
  it('keeps a number within its limits', () => {
    expect([0, 4, 99].map((n) => within(ABOUT.options['heaps']!, n))).toEqual([1, 4, 9]);
  });
});

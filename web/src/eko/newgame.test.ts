import { beforeEach, expect, it } from 'vitest';
import type { GameInfo } from '../protocol/messages';
import { emptyStorage } from '../table/testing';
import { EkoNewGame } from './newgame.svelte';

const ABOUT: GameInfo = {
  name: 'eko',
  players: [2, 4],
  bots: ['random'],
  levels: [],
  stand_in: 'random',
  options: {
    variants: { default: ['wind'], values: ['wind'], several: true },
    setup: { default: 'standard', values: ['standard', 'draft'] },
    clock: { default: null, null: true },
    take_back: { default: null, null: true },
  },
};
beforeEach(emptyStorage);

it('plays a board by hand in place of variants, for its number of players and unrated', () => {
  const game = new EkoNewGame(ABOUT);
  game.own = { players: 3, tiles: [['A', 0, 0, 0]], tileset: { groups: {} } };
  expect(game.previewed).toEqual({
    players: 3,
    variants: [],
    setup: 'standard',
    layout: [['A', 0, 0, 0]],
    tileset: { groups: {} },
  });
  expect(game.table.options).toMatchObject({ layout: [['A', 0, 0, 0]], variants: [] });
  game.setRated(true);
  expect(game.table.options).toEqual({ players: 3, variants: ['wind'], setup: 'standard', rated: true });
  game.setRated(false);
  game.players = 2;
  expect([game.own, game.previewed.variants]).toEqual([null, ['wind']]);
});

it('sends what the players agree on beside the board', () => {
  const game = new EkoNewGame(ABOUT);
  game.seats[1]!.kind = 'open';
  Object.assign(game, { absence: 10, takeBack: false, clock: { days: 2, up: 'lose' } });
  game.setSeed('7');
  expect(game.table.options).toEqual({
    players: 2,
    variants: ['wind'],
    setup: 'standard',
    seed: 7,
    clock: { days: 2, up: 'lose' },
    absence: 10,
    take_back: false,
  });
  game.setRated(true);
  expect(game.table.options).toEqual({
    players: 2,
    variants: ['wind'],
    setup: 'standard',
    clock: { days: 2, up: 'lose' },
    absence: 10,
    rated: true,
  });
});

it('calls the board by its name while it is the chosen one', () => {
  const game = new EkoNewGame(ABOUT);
  const tiles: [string, number, number, number][] = [['A', 0, 0, 0]];
  game.named = { tiles, called: 'Well' };
  game.own = { players: 2, tiles };
  expect(game.called).toBe('Well');
  game.own = { players: 2, tiles: [...tiles] };
  expect(game.called).toBeNull();
});

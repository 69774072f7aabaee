import { beforeEach, describe, expect, it } from 'vitest';
import meta from '../../../tests/golden/meta.json';
import type { GameInfo } from '../protocol/messages';
import { emptyStorage } from '../table/testing';
import { defaultsOf, EkkoNewGame, quickTable, timesOf } from './newgame.svelte';

const ABOUT = meta.games.find(({ name }) => name === 'ekko') as unknown as GameInfo;
const HIGHEST_TARGET = ABOUT.options['target']!.most!;

beforeEach(() => void emptyStorage());

describe('a new game of EKKO', () => {
  it('is one person against three bots by default, without a clock unless one is chosen', () => {
    const game = new EkkoNewGame(ABOUT);
    const { options, seats } = game.table;
    expect(options).toEqual({ players: 4, ...defaultsOf(ABOUT), turn_clock: null });
    game.seats[1]!.kind = 'open';
    expect(game.table.options.turn_clock).toBe(30);
    game.seats[1]!.kind = 'bot beginner';
    game.setTime('turn_clock', 30);
    expect(game.table.options.turn_clock).toBe(30);
    expect(seats.map(({ kind }) => kind)).toEqual(['here', 'bot', 'bot', 'bot']);
  });

  it('is the same where a button starts it', () => {
    expect(quickTable(ABOUT)).toEqual(new EkkoNewGame(ABOUT).table);
  });

  it('is calm and without clocks where several people share the browser', () => {
    const game = new EkkoNewGame(ABOUT);
    game.seats[1]!.kind = 'here';
    expect(game.hotSeat).toBe(true);
    expect(game.table.options).toMatchObject({ calm: true, window: null, turn_clock: null });
    game.players = 2;
    game.seats[1]!.kind = 'open';
    expect(game.table.options).toMatchObject({ calm: false, window: 6, turn_clock: 30 });
  });

  it('is played by phone on a shared screen', () => {
    const game = new EkkoNewGame(ABOUT);
    game.setOnScreen(true);
    expect(game.table.seats.map(({ kind }) => kind)).toEqual(['open', 'open', 'open', 'open']);
    game.save();
    expect(new EkkoNewGame(ABOUT).table.seats[0]!.kind).toBe('here');
    game.setOnScreen(false);
    expect(game.table.seats.map(({ kind }) => kind)).toEqual(['here', 'bot', 'bot', 'bot']);
  });

  it('counts only the seats that are played', () => {
    const game = new EkkoNewGame(ABOUT);
    game.seats[7]!.kind = 'here';
    expect(game.hotSeat).toBe(false);
    expect(game.table.seats).toHaveLength(4);
  });

  it('keeps its target within what the server takes', () => {
    const game = new EkkoNewGame(ABOUT);
    for (const [text, target] of [
      ['0', 1],
      ['99999', HIGHEST_TARGET],
      ['abc', HIGHEST_TARGET],
      ['40', 40],
    ] as const) {
      game.setTarget(text);
      expect(game.options.target).toBe(target);
    }
  });

  it('is stored for the next time; an unknown bot is replaced', () => {
    const game = new EkkoNewGame(ABOUT);
    game.players = 6;
    game.options.calm = true;
    game.seats[2]!.kind = 'bot oracle';
    game.seats[3]!.name = 'Noor';
    game.save();
    const next = new EkkoNewGame(ABOUT);
    expect(next.players).toBe(6);
    expect(next.calm).toBe(true);
    expect(next.seats[2]!.kind).toBe('bot beginner');
    expect(next.seats[3]!.name).toBe('Noor');
  });

  it('offers the times that the server takes, its own among them', () => {
    const options = { ...ABOUT.options, turn_clock: { default: 45, least: 20, most: 90 } };
    expect(timesOf({ ...ABOUT, options }, 'turn_clock')).toEqual([45, 30, 60]);
    expect(timesOf(ABOUT, 'turn_clock')).toEqual([15, 30, 60, 120, null]);
  });
});

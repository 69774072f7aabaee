import { describe, expect, it } from 'vitest';
import { loadTexts, setLanguage } from '../ui/i18n.svelte';
import { ranked, rematchLine, verdictOf } from './results';
import { botName, levelName, nextColour, seatOf } from './seats';
import { seat } from './testing';

describe('seats of a new game', () => {
  it("are converted to the protocol's", () => {
    expect(seatOf({ kind: 'bot greedy', name: ' ', colour: 2 })).toEqual({ kind: 'bot', bot: 'greedy', colour: 2 });
    expect(seatOf({ kind: 'here', name: ' Ada ', colour: 0 })).toEqual({ kind: 'here', name: 'Ada', colour: 0 });
  });
  it('swap colours, so that they stay distinct', () => {
    const seats = [0, 1, 2].map((colour) => ({ kind: 'here', name: '', colour }));
    nextColour(seats, 0);
    expect(seats.map(({ colour }) => colour)).toEqual([1, 0, 2]);
    nextColour(seats, 2);
    expect(seats.map(({ colour }) => colour)).toEqual([1, 2, 0]);
  });
});

describe('bots', () => {
  it.each(['random', 'greedy', 'beginner', 'learner', 'casual', 'skilled', 'strong', 'expert', 'master'])(
    '%s has a name that says how strong it is, the same everywhere',
    async (bot) => {
      await Promise.all([setLanguage('en'), loadTexts('table')]);
      expect(botName(bot)).toBe(`Bot: ${levelName(bot)}`);
    },
  );
});

describe('how a game ended', () => {
  it.each([
    [[0], [0], 2, 'won'],
    [[0], [1], 2, 'lost'],
    [[0, 2], [0], 3, 'shared'],
    [[], [0], 2, 'over'],
    [[0], [], 2, 'over'],
    [[0], [0, 1], 2, 'over'],
    [[1], [0, 1], 3, 'won'],
  ] as const)('%j won, %j are mine of %i: %s', (winners, yours, players, verdict) => {
    expect(verdictOf(winners, yours, players)).toBe(verdict);
  });
  it.each([
    [[12, 15, 3], [1], [1, 0, 2]],
    [[9, 4, 11, 9], [1], [1, 2, 0, 3]],
    [
      [-40, -12, -12],
      [1, 2],
      [1, 2, 0],
    ],
    [[5, 7], [], [1, 0]],
  ])('%j with %j as winners: %j', (values, winners, order) => {
    expect(ranked(values, winners)).toEqual(order);
  });
});

describe('a rematch', () => {
  const seats = [seat(0, 'Ada', { yours: true }), seat(1, 'Bo'), seat(2, 'Bot', { kind: 'bot' }), seat(3, 'Cy')];
  it.each([
    [[], {}, null],
    [[1, 2], {}, 'Rematch offered by Bo'],
    [[0, 2], {}, 'You offered a rematch. Waiting for Bo and Cy.'],
    [[0], { 1: 'out' as const }, 'You offered a rematch. Waiting for Cy.'],
    [[0, 1], {}, 'Rematch offered by Bo'],
    [[0, 1, 3], {}, 'Rematch offered by Bo and Cy'],
  ])('that %j want without %j is: %s', async (agreed, absent, line) => {
    await Promise.all([setLanguage('en'), loadTexts('table')]);
    expect(rematchLine({ agreed, absent, table: null }, seats)).toBe(line);
  });
});

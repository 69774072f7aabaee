import { expect, it } from 'vitest';
import { nameOf } from '../table/seats';
import { emptyStorage } from '../table/testing';
import { setLanguage } from './i18n.svelte';
import { noteFinished, noteReviewed, toReview, visit, visited } from './settings.svelte';

emptyStorage();

it('offers the review of the latest game after the third, each once', () => {
  const finish = (id: string): void => noteFinished({ id, game: 'eko' });
  for (const id of ['a', 'b', 'b']) finish(id);
  expect(toReview()).toBeNull();
  finish('c');
  expect(toReview()?.id).toBe('c');
  noteReviewed('c');
  expect(toReview()).toBeNull();
  finish('d');
  expect(toReview()?.id).toBe('d');
});

it('knows the games of an account better than the browser', () => {
  expect(toReview([{ id: 'x', game: 'eko' }])).toBeNull();
  expect(toReview(['z', 'y', 'x'].map((id) => ({ id, game: 'ekko' })))?.id).toBe('z');
});

it('keeps visited tables so that players without a name are called in the language of the day', async () => {
  emptyStorage();
  visit({
    id: 'a',
    game: 'eko',
    at: '',
    seats: [
      { name: '', colour: 1 },
      { name: 'Bo', colour: 0 },
    ],
  });
  const [{ seats } = { seats: [] }] = visited();
  for (const [language, name] of [
    ['en', 'Vermilion'],
    ['de', 'Zinnober'],
  ] as const) {
    await setLanguage(language);
    expect(seats.map((_, seat) => nameOf(seats, seat))).toEqual([name, 'Bo']);
  }
});

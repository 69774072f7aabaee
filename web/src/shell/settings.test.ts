import { expect, it } from 'vitest';
import { noteFinished, noteReviewed, toReview } from './settings.svelte';
import { emptyStorage } from './testing';

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

/** Which lessons were learned, kept in this browser. */
import { keep, recall } from '../settings.svelte';

const KEY = 'ekoes.learned';

const learned = $state<Record<string, string[]>>(recall(KEY, {}));

/** The lessons of a game that were learned. */
export function learnedOf(game: string): readonly string[] {
  return learned[game] ?? [];
}

export function noteLearned(game: string, name: string): void {
  if (learnedOf(game).includes(name)) return;
  learned[game] = [...learnedOf(game), name];
  keep(KEY, learned);
}

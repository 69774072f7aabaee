import type { Entry } from '../protocol';
import type { Foretold } from './engine.svelte';

/** The decisions of a variation up to the end of its first turn. */
export function ofTurn(entries: readonly Foretold[]): Foretold[] {
  const [first] = entries;
  const end = entries.findIndex(({ turn, seat }) => turn !== first?.turn || seat !== first.seat);
  return entries.slice(0, end < 0 ? entries.length : end);
}

/** As decisions of a log after the first `n`. */
export function numbered(entries: readonly Foretold[], n: number): Entry[] {
  return entries.map((entry, i) => ({ ...entry, n: n + i + 1, at: '' }));
}

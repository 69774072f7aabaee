import type { EntryInfo } from '../../protocol/messages';
import type { Entry } from '../protocol';

/** The decisions of a variation up to the end of its first turn. */
export function ofTurn(entries: readonly EntryInfo[]): EntryInfo[] {
  const [first] = entries;
  const end = entries.findIndex(({ turn, seat }) => turn !== first?.turn || seat !== first.seat);
  return entries.slice(0, end < 0 ? entries.length : end);
}

/** As decisions of a log after the first `n`. */
export function numbered(entries: readonly EntryInfo[], n: number): Entry[] {
  return entries.map((entry, i) => ({ ...entry, n: n + i + 1, at: '' }));
}

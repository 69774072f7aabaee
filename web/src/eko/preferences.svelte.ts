/** What a person prefers at Ekö's tables, kept in this browser. */
import { keep, recallSome } from '../shell/settings.svelte';

export interface EkoPreferences {
  autoEnd: boolean;
  /** Milliseconds between the moves of bots; null: as the server has it. */
  pace: number | null;
  /** The log tells each decision in a whole sentence. */
  long: boolean;
  /** Letters and numbers at the board's rim; null: where the log stands beside it. */
  labels: boolean | null;
}
const KEY = 'ekoes.eko';
/** Where they were kept while Ekö was the only game. */
const OLDER = 'ekoes.preferences';

export const ekoPreferences = $state<EkoPreferences>(recallSome<EkoPreferences>({ autoEnd: false, pace: null, long: false, labels: null }, KEY, OLDER));

/** Changes preferences and keeps them. */
export function preferEko(change: Partial<EkoPreferences>): void {
  Object.assign(ekoPreferences, change);
  keep(KEY, ekoPreferences);
}

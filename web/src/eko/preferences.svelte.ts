import { store, loadPreferences } from '../shell/settings.svelte';

export interface EkoPreferences {
  autoEnd: boolean;
  /** Milliseconds between the moves of bots; null: the server's default. */
  pace: number | null;
  long: boolean;
  /** Coordinates at the rim of the board; null: only on wide screens. */
  labels: boolean | null;
}
const KEY = 'ekoes.eko';
/** The key from when Ekö was the only game. */
const OLDER = 'ekoes.preferences';

export const ekoPreferences = $state<EkoPreferences>(loadPreferences<EkoPreferences>({ autoEnd: false, pace: null, long: false, labels: null }, KEY, OLDER));

export function preferEko(change: Partial<EkoPreferences>): void {
  Object.assign(ekoPreferences, change);
  store(KEY, ekoPreferences);
}

import { storedPreferences } from '../shell/settings.svelte';

interface EkoPreferences {
  autoEnd: boolean;
  /** Milliseconds between the moves of bots; null: the server's default. */
  pace: number | null;
  long: boolean;
  /** Coordinates at the rim of the board; null: only on wide screens. */
  labels: boolean | null;
}

export const [ekoPreferences, preferEko] = storedPreferences<EkoPreferences>('ekoes.eko', { autoEnd: false, pace: null, long: false, labels: null });

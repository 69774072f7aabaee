import { storedPreferences } from '../ui/settings.svelte';

/** Workers that analyse unless the visitor chooses, at most. */
const CORES = 4;

interface EkoPreferences {
  autoEnd: boolean;
  /** Milliseconds between the moves of bots; null: the server's default. */
  pace: number | null;
  long: boolean;
  /** Coordinates at the rim of the board. */
  labels: boolean;
  /** Workers that analyse at once; null: as many as the device has cores but one, at most four. */
  cores: number | null;
}

export const [ekoPreferences, preferEko] = storedPreferences<EkoPreferences>('ekoes.eko', {
  autoEnd: false,
  pace: null,
  long: false,
  labels: true,
  cores: null,
});

/** How many workers analyse at once. */
export function cores(): number {
  return ekoPreferences.cores ?? Math.max(1, Math.min(CORES, navigator.hardwareConcurrency - 1));
}

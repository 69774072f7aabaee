import { storedPreferences } from '../ui/settings.svelte';

interface EkkoPreferences {
  twoTaps: boolean;
  /** null: the server's default, a person's reaction time. */
  pace: number | null;
}

export const [ekkoPreferences, preferEkko] = storedPreferences<EkkoPreferences>('ekoes.ekko', {
  twoTaps: false,
  pace: null,
});

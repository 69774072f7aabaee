/** What a person prefers at EKKO's tables, kept in this browser. */
import { keep, recall } from '../shell/settings.svelte';

export interface EkkoPreferences {
  sounds: boolean;
  /** A card is played by a second tap. */
  twoTaps: boolean;
  /** How long bots take: 700 is a person's time. */
  pace: number;
}
const KEY = 'ekoes.ekko';

export const ekkoPreferences = $state<EkkoPreferences>({ sounds: false, twoTaps: false, pace: 700, ...recall<Partial<EkkoPreferences>>(KEY, {}) });

/** Changes preferences and keeps them. */
export function preferEkko(change: Partial<EkkoPreferences>): void {
  Object.assign(ekkoPreferences, change);
  keep(KEY, ekkoPreferences);
}

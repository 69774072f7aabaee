/** What a person prefers at EKKO's tables, kept in this browser. */
import { keep, recallSome } from '../shell/settings.svelte';

export interface EkkoPreferences {
  /** A card is played by a second tap. */
  twoTaps: boolean;
  /** How long bots take; null: a person's time, as the server has it. */
  pace: number | null;
}
const KEY = 'ekoes.ekko';

export const ekkoPreferences = $state<EkkoPreferences>(recallSome<EkkoPreferences>({ twoTaps: false, pace: null }, KEY));

/** Changes preferences and keeps them. */
export function preferEkko(change: Partial<EkkoPreferences>): void {
  Object.assign(ekkoPreferences, change);
  keep(KEY, ekkoPreferences);
}

import { store, loadPreferences } from '../shell/settings.svelte';

export interface EkkoPreferences {
  twoTaps: boolean;
  /** null: the server's default, a person's reaction time. */
  pace: number | null;
}
const KEY = 'ekoes.ekko';

export const ekkoPreferences = $state<EkkoPreferences>(loadPreferences<EkkoPreferences>({ twoTaps: false, pace: null }, KEY));

export function preferEkko(change: Partial<EkkoPreferences>): void {
  Object.assign(ekkoPreferences, change);
  store(KEY, ekkoPreferences);
}

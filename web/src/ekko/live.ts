/** An EKKO table on the real network of a browser. */
import { surroundings } from '../shell/live';
import { ekkoPreferences } from './preferences.svelte';
import { EkkoTableState } from './table.svelte';

/** The table of an id, not yet opened. */
export function liveEkkoTable(id: string): EkkoTableState {
  return new EkkoTableState(surroundings(id), { twoTaps: () => ekkoPreferences.twoTaps, pace: () => ekkoPreferences.pace });
}

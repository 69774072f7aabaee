/** An EKKO table on the real network of a browser. */
import { ask } from '../shell/api';
import { surroundings } from '../shell/live';
import { ekkoPreferences } from './preferences.svelte';
import type { State } from './protocol';
import { Replay } from './replay.svelte';
import { EkkoTableState } from './table.svelte';

/** The table of an id, not yet opened. */
export function liveEkkoTable(id: string): EkkoTableState {
  return new EkkoTableState(surroundings(id), { twoTaps: () => ekkoPreferences.twoTaps, pace: () => ekkoPreferences.pace });
}

/** A game that is over, to be shown again. `leave`: is called when it has been. */
export function replayOf(table: EkkoTableState, leave: () => void): Replay {
  const past = async (n: number): Promise<State> => (await ask<{ state: State }>(`/api/tables/${table.id}/positions/${n}`)).state;
  return new Replay(table, surroundings(table.id), past, leave);
}

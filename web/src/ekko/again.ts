/** A game that is over, shown again: what nobody needs before the end. */
import { ask } from '../shell/api';
import { surroundings } from '../shell/live';
import type { State } from './protocol';
import { Replay } from './replay.svelte';
import type { EkkoTableState } from './table.svelte';

export { default as Past } from './Past.svelte';

/** The game of a table, to be shown again. `leave`: is called when it has been. */
export function replayOf(table: EkkoTableState, leave: () => void): Replay {
  const past = async (n: number): Promise<State> => (await ask<{ state: State }>(`/api/tables/${table.id}/positions/${n}`)).state;
  return new Replay(table, surroundings(table.id), past, leave);
}

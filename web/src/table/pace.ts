/** The pace of the bots: a preference of this browser in solo games, a proposal to all people otherwise. */
import { server } from '../net/server.svelte';
import type { AnyTableState } from './table.svelte';

export function chosenPace(table: AnyTableState | undefined, preferred: number | null): number | null {
  if (table?.isAlone && table.yours.length === 0) return table.bots;
  if (!table || table.isAlone || table.yours.length === 0) return preferred ?? server()?.limits.pace.default ?? null;
  return table.paceVotes.find(({ seat }) => table.yours.includes(seat))?.milliseconds ?? table.bots;
}

export function choosePace(pace: number, table: AnyTableState | undefined, prefer: (pace: number) => void): void {
  const own = table !== undefined && table.yours.length > 0;
  if (!table || own === table.isAlone) prefer(pace);
  if (table && (own || table.isAlone)) table.pace(pace);
}

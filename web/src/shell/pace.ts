/** The pace of the bots as one browser chooses it: its own where nobody else plays, else a wish that takes all people. */
import { paceOr } from './server.svelte';
import type { Paced } from './table.svelte';

/** What is chosen now. table: the one at hand; preferred: what this browser prefers. */
export function chosenPace(table: Paced | undefined, preferred: number | null): number | null {
  if (table?.isAlone && table.yours.length === 0) return table.bots;
  if (!table || table.isAlone || table.yours.length === 0) return paceOr(preferred);
  return table.wishes.find(({ seat }) => table.yours.includes(seat))?.milliseconds ?? table.bots;
}

/** Chooses a pace. prefer: keeps it for this browser, where it says nothing about others. */
export function choosePace(pace: number, table: Paced | undefined, prefer: (pace: number) => void): void {
  const own = table !== undefined && table.yours.length > 0;
  if (!table || own === table.isAlone) prefer(pace);
  if (table && (own || table.isAlone)) table.pace(pace);
}

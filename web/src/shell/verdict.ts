/** How a game has ended for whoever looks on: a winner is told so otherwise than a loser. */
import { t } from './i18n.svelte';
import type { Seat } from './protocol';

export type Verdict = 'won' | 'shared' | 'lost' | 'nobody' | 'over';

/** For the holder of some seats; `over` for who watches, and where all of them are held here. */
export function verdictOf(winners: readonly Seat[], yours: readonly Seat[], players: number): Verdict {
  if (yours.length === 0 || (yours.length === players && players > 1)) return 'over';
  if (winners.length === 0) return 'nobody';
  if (!yours.some((seat) => winners.includes(seat))) return 'lost';
  return winners.every((seat) => yours.includes(seat)) ? 'won' : 'shared';
}

export function verdictLine(verdict: Verdict): string {
  return t(`verdict.${verdict}`);
}

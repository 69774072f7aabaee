/** Results of games, and what players want after them, in words. */

import type { RematchState, Seat, SeatInfo } from '../net/protocol';
import type { OutcomeInfo } from '../protocol/messages';
import { listed, maybe, t } from '../ui/i18n.svelte';
import { nameOf } from './seats';

export type Verdict = 'won' | 'shared' | 'lost' | 'over';

/** `over`: nobody won, or for spectators, and where all seats are held by this browser. */
export function verdictOf(winners: readonly Seat[], yours: readonly Seat[], players: number): Verdict {
  if (winners.length === 0 || yours.length === 0 || (yours.length === players && players > 1)) return 'over';
  if (!yours.some((seat) => winners.includes(seat))) return 'lost';
  return winners.every((seat) => yours.includes(seat)) ? 'won' : 'shared';
}

/** Whether the reader alone has won. */
export function isOwnWin(winners: readonly Seat[], seats: readonly SeatInfo[]): boolean {
  const yours = seats.filter((info) => info.yours).map(({ seat }) => seat);
  return verdictOf(winners, yours, seats.length) === 'won';
}

/** How a game ended: `outcome.REASON.you` or `.several` where the catalogues have it, else `outcome.REASON`; null: they have none. */
export function endingLine(
  { reason, winners }: Pick<OutcomeInfo, 'reason' | 'winners'>,
  seats: readonly SeatInfo[],
  points: string | number = '',
): string | null {
  const values = { names: listed(winners.map((seat) => nameOf(seats, seat))), points };
  const form = isOwnWin(winners, seats) ? 'you' : winners.length > 1 ? 'several' : 'one';
  return maybe(`outcome.${reason}.${form}`, values) ?? maybe(`outcome.${reason}`, values);
}

/** Who wants a rematch: the others by their names, else the reader, who waits for them. */
export function rematchLine({ agreed, absent = {} }: RematchState, seats: readonly SeatInfo[]): string | null {
  if (agreed.length === 0) return null;
  const named = (wanted: (info: SeatInfo) => boolean): string =>
    listed(seats.filter(wanted).map(({ seat }) => nameOf(seats, seat)));
  const others = named(({ seat, kind, yours }) => kind !== 'bot' && !yours && agreed.includes(seat));
  if (others) return t('rematch.by', { names: others });
  const names = named(({ seat, kind }) => kind !== 'bot' && !agreed.includes(seat) && !(seat in absent));
  return names ? t('rematch.own', { names }) : null;
}

/** The seats in the order of a result: the winners, then the others by value, highest first. */
export function ranked(values: readonly number[], winners: readonly Seat[]): Seat[] {
  const won = (seat: Seat): number => Number(winners.includes(seat));
  return values
    .map((_, seat) => seat)
    .sort((one, other) => won(other) - won(one) || (values[other] ?? 0) - (values[one] ?? 0));
}

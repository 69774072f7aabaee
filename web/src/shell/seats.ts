/** The seats of a table, whatever is played there: names and colours. */
import { maybe, t } from './i18n.svelte';
import type { Seat, SeatInfo } from './protocol';

export type { Room } from './table.svelte';

export function nameOf(seats: readonly SeatInfo[], seat: Seat): string {
  const info = seats[seat];
  return info?.name || (info ? colourName(info.colour) : t('player.seat', { n: seat + 1 }));
}

/** The seat of whoever may begin though seats are free: who made the table, else who came first. */
export function hostOf(seats: readonly SeatInfo[]): SeatInfo | undefined {
  const held = seats.filter(({ kind, taken }) => kind !== 'bot' && taken);
  return held.find(({ kind }) => kind === 'here') ?? held[0];
}

export function colourName(colour: number): string {
  return maybe(`colour.${colour}`) ?? String(colour);
}

export function colourOf(seats: readonly SeatInfo[], seat: Seat): number {
  return seats[seat]?.colour ?? seat;
}

/** What a bot is called in the reader's language; its own name where the catalogue has none. */
export function botName(bot: string): string {
  return maybe(`seat.kind.${bot}`) ?? bot;
}

export function levelName(level: string): string {
  return maybe(`level.${level}`) ?? level;
}

/** What whoever plays against a bot of a level should know; null: it is none. */
export function levelHelp(bot: string): string | null {
  return maybe(`level.${bot}.help`) ?? null;
}

/** The seats of a table, whatever is played there: names, colours, and what a person may do about them. */
import { t, type Key } from './i18n.svelte';
import type { Seat, SeatInfo } from './protocol';

/** What the panels beside a game need to know of its table. */
export interface Room {
  readonly id: string;
  readonly seats: readonly SeatInfo[];
  /** The seats of this browser. */
  readonly yours: readonly Seat[];
  readonly log: readonly unknown[];
  sit(seat: Seat, name: string): void;
  stand(seat: Seat): void;
  rename(seat: Seat, name: string): void;
}

export function nameOf(seats: readonly SeatInfo[], seat: Seat): string {
  const info = seats[seat];
  return info?.name || (info ? t(`colour.${info.colour}` as Key) : t('player.seat', { n: seat + 1 }));
}

export function colourOf(seats: readonly SeatInfo[], seat: Seat): number {
  return seats[seat]?.colour ?? seat;
}

import type { Seat, SeatInfo } from '../net/protocol';
import type { SeatPlan } from '../protocol/messages';
import { maybe, t } from '../ui/i18n.svelte';

export function nameOf(seats: readonly Pick<SeatInfo, 'name' | 'colour'>[], seat: Seat): string {
  const info = seats[seat];
  return info?.name || (info ? colourName(info.colour) : t('player.seat', { n: seat + 1 }));
}

/** Whether somebody else sits there, who is no bot. */
export function isAnother({ kind, taken, yours }: { kind?: string; taken: boolean; yours?: boolean }): boolean {
  return taken && !yours && kind !== 'bot';
}

/** The player who may start although seats are free: the creator, else the first. */
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

export function botName(bot: string): string {
  return maybe(`seat.kind.${bot}`) ?? bot;
}

export function levelName(level: string): string {
  return maybe(`level.${level}`) ?? level;
}

/** null: not a level. */
export function levelHelp(bot: string): string | null {
  return maybe(`level.${bot}.help`) ?? null;
}

export interface SeatChoice {
  /** `here`, `open` or `bot NAME`. */
  kind: string;
  name: string;
  colour: number;
}

export function seatOf({ kind, name, colour }: SeatChoice): SeatPlan {
  const [type, bot] = kind.split(' ');
  const named = name.trim() ? { name: name.trim() } : {};
  if (type === 'bot' && bot) return { kind: 'bot', bot, colour, ...named };
  return { kind: type === 'open' ? 'open' : 'here', colour, ...named };
}

/** Swaps with the seat that has the next colour, so that colours stay distinct. */
export function nextColour(seats: SeatChoice[], seat: number): void {
  const mine = seats[seat];
  if (!mine) return;
  const wanted = (mine.colour + 1) % seats.length;
  const other = seats.find(({ colour }) => colour === wanted);
  if (other) other.colour = mine.colour;
  mine.colour = wanted;
}

import type { OutcomeInfo, SeatPlan } from '../protocol/messages';
import { listed, maybe, t } from './i18n.svelte';
import type { RematchState, Seat, SeatInfo } from './protocol';

export function nameOf(seats: readonly Pick<SeatInfo, 'name' | 'colour'>[], seat: Seat): string {
  const info = seats[seat];
  return info?.name || (info ? colourName(info.colour) : t('player.seat', { n: seat + 1 }));
}

/** How a game of any kind ended that was not played to its end: it was aborted, or a player of a tournament did not come. */
export function unplayedLine(
  { reason, winners }: Pick<OutcomeInfo, 'reason' | 'winners'>,
  seats: readonly SeatInfo[],
): string | null {
  if (reason === 'aborted') return t('game.aborted');
  if (reason !== 'no-show') return null;
  if (isOwnWin(winners, seats)) return t('game.no-show.you');
  return t('game.no-show', { names: listed(winners.map((seat) => nameOf(seats, seat))) });
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

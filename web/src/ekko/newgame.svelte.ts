/** A game of EKKO that is being set up: seats and options, kept for the next time. */
import type { NewTable } from '../shell/protocol';
import { seatOf, type SeatWish } from '../shell/seatwish';
import { keep, recall } from '../shell/settings.svelte';
import type { Options } from './protocol';

/** Weakest first. */
export const BOTS = ['random', 'novice', 'regular', 'expert', 'master'] as const;
export const MOST_PLAYERS = 8;
export const HIGHEST_TARGET = 1000;
/** Seconds to choose from; null: no clock, or a window that stays open until all have decided. */
export const TIMES = {
  reaction: [2, 3, 5, 8],
  turn_clock: [15, 30, 60, 120, null],
  window: [4, 6, 10, 20, null],
} as const;

type Kept = Omit<Options, 'players'> & { players: number; seats: SeatWish[] };
const KEY = 'ekoes.newgame.ekko';
const BOT = 'bot regular';
export const DEFAULTS: Omit<Options, 'players'> = {
  target: 25,
  misplays: true,
  reaction: 3,
  turn_clock: 30,
  calm: false,
  window: 6,
  hints: false,
};

/** One person against three bots, as it comes out of the box: nothing has to be chosen first. */
export function quickTable(name = ''): NewTable<Options> {
  const seats = [{ kind: 'here', name, colour: 0 }, ...[1, 2, 3].map((colour) => ({ kind: BOT, name: '', colour }))];
  return { game: 'ekko', options: { players: seats.length, ...DEFAULTS }, seats: seats.map(seatOf) };
}

export class EkkoNewGame {
  players = $state(4);
  seats = $state<SeatWish[]>(Array.from({ length: MOST_PLAYERS }, (_, colour) => ({ kind: colour === 0 ? 'here' : BOT, name: '', colour })));
  options = $state<Omit<Options, 'players'>>({ ...DEFAULTS });

  /** Several people at this browser: hands are hidden between turns, so nobody can be quick (calm mode, no clocks). */
  readonly hotSeat = $derived(this.seats.slice(0, this.players).filter(({ kind }) => kind === 'here').length > 1);
  readonly calm = $derived(this.options.calm || this.hotSeat);

  constructor() {
    const { players, seats, ...options } = recall<Partial<Kept>>(KEY, {});
    if (players !== undefined && players >= 2 && players <= MOST_PLAYERS) this.players = players;
    if (seats?.length === MOST_PLAYERS) this.seats = seats.map((seat) => ({ ...seat, kind: known(seat.kind) }));
    Object.assign(this.options, options);
  }

  get table(): NewTable<Options> {
    const { players, options, calm, hotSeat } = this;
    const clocks = hotSeat ? { turn_clock: null, window: null } : {};
    return { game: 'ekko', options: { players, ...options, ...clocks, calm }, seats: this.seats.slice(0, players).map(seatOf) };
  }

  setTarget(text: string): void {
    const target = Number.parseInt(text, 10);
    if (Number.isFinite(target)) this.options.target = Math.min(Math.max(target, 1), HIGHEST_TARGET);
  }
  keep(): void {
    keep(KEY, { players: this.players, seats: this.seats, ...this.options });
  }
}

/** A kind of seat that is still there: a bot of an earlier version may be gone. */
function known(kind: string): string {
  return ['here', 'open', ...BOTS.map((bot) => `bot ${bot}`)].includes(kind) ? kind : BOT;
}

/**
 * The wire that all games share: seats, tables, and the messages of the web socket in both directions. Types only, no behaviour.
 * What a game adds stands in its own folder (`eko/protocol.ts`, `ekko/protocol.ts`).
 */

/** A player's place at the table, `0 … n-1`, clockwise (E1.1, K1.1). */
export type Seat = number;

export const GAMES = ['eko', 'ekko'] as const;
export type GameName = (typeof GAMES)[number];

export interface SeatInfo {
  seat: Seat;
  name: string;
  colour: number;
  kind: 'here' | 'open' | 'bot';
  bot: string | null;
  taken: boolean;
  yours: boolean;
  online: boolean;
}

/** Who wants another game with the same people, and where it is once all do. */
export interface RematchState {
  agreed: Seat[];
  table: string | null;
}

/** A whole table, at connecting and after a stale order. */
export interface WholeTable<Options, State, Entry> {
  type: 'table';
  id: string;
  game: GameName;
  version: number;
  /** Milliseconds before each decision of a bot. */
  pace: number;
  seats: SeatInfo[];
  options: Options;
  state: State;
  log: Entry[];
}
/** The game went on: the log is its first `keep` entries and then `entries`. */
export interface Update<State, Entry> {
  type: 'update';
  version: number;
  seats?: SeatInfo[];
  state: State;
  keep: number;
  entries: Entry[];
}
/** What the server says at every table. */
export type CommonMessage =
  | { type: 'seats'; seats: SeatInfo[] }
  | { type: 'pace'; milliseconds: number }
  | { type: 'ack'; key: string; version: number }
  | { type: 'error'; key?: string; code: string; rule?: string; refusal?: string; message: string };

/** What people do about their seats; `key` is added as it is sent. */
export type SeatIntent =
  | { type: 'sit'; seat: Seat; name?: string }
  | { type: 'stand'; seat: Seat }
  | { type: 'rename'; seat: Seat; name: string }
  | { type: 'resign'; version: number; seat: Seat }
  | { type: 'rematch'; seat: Seat };

/** A seat of a table that is to be made. */
export interface NewSeat {
  kind: 'here' | 'open' | 'bot';
  bot?: string;
  name?: string;
  colour?: number;
}
export interface NewTable<Options = object> {
  game: GameName;
  options: Options;
  seats: NewSeat[];
}

/** What can be played at this server. */
export interface Meta {
  version: string;
  games: { name: GameName; players: [number, number]; bots: string[] }[];
}

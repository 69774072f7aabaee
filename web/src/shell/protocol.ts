/**
 * The wire that all games share: seats, tables, the messages of the web socket in both directions, and what a server says of itself.
 * Types only, no behaviour. What a game adds stands in its own folder (`protocol.ts`).
 */
import type { Change } from './difference';

/** A player's place at the table, `0 … n-1`, clockwise. */
export type Seat = number;

/** The version of what is said here; the server tells who speaks another one to load the page anew. */
export const PROTOCOL = 2;

export interface SeatInfo {
  seat: Seat;
  name: string;
  colour: number;
  kind: 'here' | 'open' | 'bot';
  bot: string | null;
  taken: boolean;
  yours: boolean;
  online: boolean;
  /** A bot keeps it for this browser, until then. */
  kept?: string;
  /** An account's own program plays here. */
  program?: true;
}

/** What becomes of a seat that nobody is at: a bot plays there, or the table does without. */
export type Instead = 'bot' | 'out';

/** Who wants another game with the same people, and where it is once all do. */
export interface RematchState {
  agreed: Seat[];
  table: string | null;
  /** What becomes of the seats of those who have gone, by their numbers. */
  absent?: Record<string, Instead>;
}

/** A pace of the bots that somebody would like better than the table's. */
export interface PaceWish {
  seat: Seat;
  milliseconds: number;
}

/** What can be proposed at a table. */
export type What = 'bot' | 'draw' | 'take_back' | 'pause' | 'adjourn' | 'hands';
/** What a seat has asked all others for. */
export interface Proposal {
  number: number;
  what: What;
  by: Seat;
  /** Whose seat it is about. */
  about?: Seat;
  days?: number;
  agreed: Seat[];
  /** Who has a say. */
  asked: Seat[];
  /** Nobody answers it later. */
  until?: string;
}
/** What people agree on at a table. */
export interface Consent {
  proposal: Proposal | null;
  /** What may be proposed now, besides a turn taken back. */
  may: What[];
  /** Who has been absent for long. */
  away: Seat[];
  /** Who leaves turn after turn to the clock. */
  silent: Seat[];
  /** The seats that bots keep for somebody. */
  kept: Seat[];
  /** A rest, and since somebody has said so its end. */
  rest: { until: string | null } | null;
}

/** A whole table, at connecting and after a stale order. */
export interface WholeTable<Options, State, Entry, Board = unknown> {
  type: 'table';
  id: string;
  /** The name of the game, as the server says it. */
  game: string;
  version: number;
  /** Milliseconds before each decision of a bot. */
  pace: number;
  /** Its bots rest. */
  paused?: boolean;
  /** People may talk here. */
  chat?: boolean;
  /** Who would like another pace. */
  wishes?: PaceWish[];
  consent?: Consent;
  seats: SeatInfo[];
  options: Options;
  board?: Board;
  /** What everybody sees. */
  state: State;
  /** What the seats of this browser see otherwise than everybody. */
  own?: Partial<State>;
  log: Entry[];
}
/** The game went on: the log is its first `keep` entries and then `entries`. */
export interface Update<State, Entry> {
  type: 'update';
  version: number;
  /** The version that it starts from. */
  base: number;
  seats?: SeatInfo[];
  /** All of them, where one has changed. */
  options?: object;
  /** What is new in what everybody sees, and the sum of what comes out. */
  change: Change;
  check: string;
  own?: Partial<State>;
  keep: number;
  entries: Entry[];
}
/** A message that shows the table, with the whole state of this browser. */
export type Shown<Options, State, Entry, Board = unknown> = (WholeTable<Options, State, Entry, Board> | Update<State, Entry>) & { state: State };
/** What was asked for was not done. */
export interface Failure {
  type: 'error';
  key?: string;
  code: string;
  rule?: string;
  refusal?: string;
  /** The moment from which one is heard again. */
  until?: string;
  message: string;
}
/** Who hears a line: everybody here, the players, or those who watch. */
export type ChatRoom = 'all' | 'players' | 'watchers';
/** A line that somebody said at a table: in their own words, or a phrase that each reader reads in their language. */
export interface ChatLine {
  n: number;
  room: ChatRoom;
  seat: Seat | null;
  name: string;
  yours: boolean;
  text?: string;
  phrase?: string;
  at: string;
}
/** All that this reader may and wants to hear; `muted`: the seats of whom they hide; `hides`: how many people. */
export interface ChatShown {
  type: 'chat';
  room: ChatRoom;
  lines: ChatLine[];
  muted: Seat[];
  hides: number;
  silenced: string | null;
}
/** Somebody at a table: who has a seat, or who said a line. */
export type Somebody = { seat: Seat } | { line: number };
export type ChatIntent = { type: 'chat'; on?: boolean } | { type: 'say'; text: string } | { type: 'say'; phrase: string } | ({ type: 'mute'; muted: boolean } & Partial<Record<'seat' | 'line', number>>);
/** A decision that somebody foresees: their own, or another seat's. */
export interface Foreseen {
  seat: Seat;
  action: object;
}
/** What a seat has written down for later. aside: why it is not followed any more. */
export interface SeatLines {
  ways: (Foreseen & { notation: string })[][];
  aside?: 'other' | 'refused';
}
/** What the seats of this browser have written down, by their numbers. */
export type Lines = Record<string, SeatLines>;
/** What the server says at every table. */
export type CommonMessage =
  | { type: 'notes'; notes: { lines?: Lines } }
  | { type: 'seats'; seats: SeatInfo[] }
  | { type: 'pace'; milliseconds: number; wishes?: PaceWish[]; paused?: boolean }
  | ({ type: 'consent' } & Consent)
  | { type: 'ack'; key: string; version: number }
  | ChatShown
  | { type: 'said'; line: ChatLine }
  | Failure;

/** What people do about their seats and the table; `key` is added as it is sent. */
export type RoomIntent =
  | { type: 'sit'; seat: Seat; name?: string }
  | { type: 'stand'; seat: Seat }
  | { type: 'rename'; seat: Seat; name: string }
  | { type: 'resign'; version: number; seat: Seat }
  | { type: 'rematch'; seat: Seat; absent?: Record<string, Instead> }
  | { type: 'fill'; seat: Seat; free: Instead }
  | { type: 'foresee'; version: number; seat: Seat; add: readonly Foreseen[] }
  | { type: 'foresee'; version: number; seat: Seat; drop: number }
  | { type: 'table' }
  | { type: 'pace'; milliseconds: number }
  | { type: 'pause'; paused: boolean }
  | { type: 'propose'; seat: Seat; what: What; about?: Seat; days?: number }
  | { type: 'vote'; seat: Seat; number: number; agree: boolean }
  | { type: 'go_on'; seat: Seat };

/** A seat of a table that is to be made. */
export interface NewSeat {
  kind: 'here' | 'open' | 'bot';
  bot?: string;
  name?: string;
  colour?: number;
}
export interface NewTable<Options = object> {
  game: string;
  options: Options;
  seats: NewSeat[];
  /** People may talk there; unless said, they may. */
  chat?: boolean;
  /** The lobby tells everybody of it. */
  public?: boolean;
}

/** What an option may be. */
export interface OptionAbout {
  default?: unknown;
  least?: number;
  most?: number;
  values?: string[];
  /** It is a list of the values. */
  several?: boolean;
  /** It may be null. */
  null?: boolean;
}
/** What a game can be set to at this server. */
export interface GameAbout {
  name: string;
  players: [least: number, most: number];
  /** Weakest first. */
  bots: string[];
  /** Those of them that are levels, the same in every game. */
  levels: string[];
  /** The bot of a seat that names none. */
  stand_in: string;
  options: Record<string, OptionAbout>;
  /** Where the quicker hand wins: how many of 100 races a person who takes 1.5 seconds wins against each bot. */
  races?: Record<string, number>;
}
/** What a server says of itself. */
export interface Meta {
  version: string;
  /** Where others in the same network reach this server; null: they can't, or it is not known. */
  address: string | null;
  limits: { name: number; pace: { least: number; most: number; default: number } };
  /** What may be said at tables: characters of a line, quick phrases; and why somebody may be reported. */
  talk: { line: number; phrases: string[]; reasons: string[] };
  games: GameAbout[];
}

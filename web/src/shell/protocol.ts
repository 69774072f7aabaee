/**
 * The wire that all games share: seats, tables, the messages of the web socket in both directions, and what a server says of itself.
 * Types only, no behaviour. What a game adds stands in its own folder (`protocol.ts`).
 */
import type { AckMessage, ChatLine, ChatMessage, ConsentMessage, ErrorMessage, Foreseen, PaceMessage, ProposalInfo, SaidMessage, SeatsMessage, TableMessage, UpdateMessage } from '../protocol/messages';
import type { Change } from './diff';

/** A player's place at the table, `0 … n-1`, clockwise. */
export type Seat = number;

export { PROTOCOL } from '../protocol/messages';
export type { Agreements as Consent, ChatLine, ChatMessage as ChatShown, ErrorMessage as Failure, Foreseen, PaceWish, ProposalInfo as Proposal, RematchState, SeatInfo } from '../protocol/messages';

/** What becomes of a seat that nobody is at: a bot plays there, or the table does without. */
export type Instead = 'bot' | 'out';
/** What can be proposed at a table. */
export type What = ProposalInfo['what'];
/** Who reads a line of the chat: everybody, the players, or the spectators. */
export type ChatRoom = ChatLine['room'];

/** A whole table, at connecting and after a stale order. Options, state, board and log are the game's own. */
export type WholeTable<Options, State, Entry, Board = unknown> = Omit<TableMessage, 'options' | 'board' | 'state' | 'own' | 'log'> & {
  options: Options;
  board: Board;
  state: State;
  own?: Partial<State>;
  log: Entry[];
};
/** The game went on: the log is its first `keep` entries and then `entries`. */
export type Update<State, Entry> = Omit<UpdateMessage, 'change' | 'own' | 'entries'> & { change: Change; own?: Partial<State>; entries: Entry[] };
/** A message that shows the table, with the whole state of this browser. */
export type Shown<Options, State, Entry, Board = unknown> = (WholeTable<Options, State, Entry, Board> | Update<State, Entry>) & { state: State };
/** Somebody at a table: who has a seat, or who said a line. */
export type Somebody = { seat: Seat } | { line: number };
export type ChatIntent = { type: 'chat'; on?: boolean } | { type: 'say'; text: string } | { type: 'say'; phrase: string } | ({ type: 'mute'; muted: boolean } & Partial<Record<'seat' | 'line', number>>);
/** What a seat has written down for later. aside: why it is not followed any more. */
export interface SeatLines {
  ways: (Foreseen & { notation: string })[][];
  aside?: 'other' | 'refused';
}
/** What the seats of this browser have written down, by their numbers. */
export type Lines = Record<string, SeatLines>;
/** What the server sends at every table. */
export type CommonMessage = { type: 'notes'; notes: { lines?: Lines } } | SeatsMessage | PaceMessage | ConsentMessage | (AckMessage & { version: number }) | ChatMessage | SaidMessage | ErrorMessage;

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

/**
 * What the games share of the protocol: seats, tables, messages in both directions. Messages and what requests return are generated from
 * the server's models; what a game fills in stands in its own folder (`protocol.ts`). Types only.
 */
import type * as sent from '../protocol/messages';
import type { ProposalInfo, SeatDecision } from '../protocol/messages';
import type { Change } from './diff';

export type {
  AbortInfo,
  Agreements,
  ChatLine,
  ChatMessage,
  ErrorMessage,
  PaceVote,
  RematchState,
  SeatDecision,
  SeatInfo,
} from '../protocol/messages';

/** A player's place at the table, `0 … n-1`, clockwise. */
export type Seat = number;
/** An entry of the log of a game in which one decides after the other; games add more. */
export interface Entry extends sent.EntryInfo {
  n: number;
  /** Milliseconds since 1970. */
  at: number;
}
/** What happens to a seat without a player: a bot plays there, or the table goes on without it. */
export type Instead = 'bot' | 'out';
/** What can be proposed at a table. */
export type What = ProposalInfo['what'];

/** A whole table, at connecting and after a stale order. Options, state, board and log are the game's own. */
export type WholeTable<Options, State, Entry, Board = unknown> = Omit<
  sent.TableMessage,
  'options' | 'board' | 'state' | 'own' | 'log'
> & {
  options: Options;
  board: Board;
  state: State;
  own?: Partial<State>;
  log: Entry[];
};
/** `entries` follow in the log, after its first `keep` if some were taken back. */
export type Update<State, Entry> = Omit<sent.UpdateMessage, 'change' | 'own' | 'entries'> & {
  change: Change;
  own?: Partial<State>;
  entries: Entry[];
};
/** Why something was not done. */
export type Failure = Omit<sent.ErrorMessage, 'type' | 'key'>;
/** A table after decisions that were tried. refusal: why the last one was not carried out. */
export interface Tried {
  refusal: Failure | null;
  table: sent.TableMessage;
}
/** A puzzle after decisions. A wrong last one is not carried out. */
export type PuzzlePlayed = Tried & Pick<sent.PuzzleAnswered, 'verdict'>;
/** A person at a table: the player at a seat, or the author of a chat line. */
export type PersonAt = { seat: Seat } | { line: number };
/** The conditional moves of this browser's seats, by their numbers. suspended: why they are not carried out any more. */
export type ConditionalMoves = Record<
  string,
  { variations: (SeatDecision & { notation: string })[][]; suspended?: 'other' | 'refused' }
>;
/** What the server sends at every table. */
export type CommonMessage =
  | { type: 'conditional_moves'; conditional_moves: ConditionalMoves }
  | sent.SeatsMessage
  | sent.PaceMessage
  | sent.AgreementsMessage
  | sent.DeclinedMessage
  | (sent.AckMessage & { version: number })
  | sent.ChatMessage
  | sent.SaidMessage
  | sent.ErrorMessage;

/** A message as the page writes it: its `key` is added as it is sent. */
export type Unsent<Message> = Message extends unknown ? Omit<Message, 'key'> : never;
/** What a page sends at every table. */
export type TableOrder = Unsent<
  | sent.Sit
  | sent.GivePart
  | sent.Stand
  | sent.Rename
  | sent.Resign
  | sent.Abort
  | sent.Berserk
  | sent.Rematch
  | sent.Fill
  | sent.EditConditionalMoves
  | sent.Show
  | sent.Pace
  | sent.Pause
  | sent.Propose
  | sent.Vote
  | sent.GoOn
>;
export type ChatOrder = Unsent<sent.Listen | sent.Say | sent.Mute>;
export type Phrase = NonNullable<sent.Say['phrase']>;

export type NewTable<Options = object> = Omit<sent.NewTable, 'options'> & { options: Options };

/** What the lobby says (docs/reference/protocol.md, "Lobby"). Types only. */
import type { ClockPlan } from '../clock';
import type { Change } from '../difference';
import type { InvitationMessage } from '../invite/invite';
import type { Failure } from '../protocol';
import type { Listed } from '../tournament/protocol';

export interface LobbySeat {
  name: string;
  colour: number;
  taken: boolean;
  bot?: string;
  /** An account's own program plays there. */
  program?: true;
}
export interface LobbyTable {
  game: string;
  /** A seat is free. */
  open: boolean;
  /** Those that are not as usual. */
  options: object;
  seats: LobbySeat[];
  /** Milliseconds since 1970. */
  since: number;
  rated?: true;
  clock?: ClockPlan;
}
export interface OwnTable extends LobbyTable {
  standing: 'yours' | 'others' | 'waiting' | 'over';
  public: boolean;
  /** At tables of days: when the clock that runs will have run out, in milliseconds since 1970. */
  due?: number;
}
export interface Person {
  name: string;
  account?: boolean;
  program?: boolean;
}
/** A game that some look for. */
export interface Sought {
  game: string;
  players: number;
  options: object;
  waiting: number;
  rated?: true;
  clock?: ClockPlan;
}
/** All there is, each by a name for it. */
export interface Told {
  tables: Record<string, LobbyTable>;
  own: Record<string, OwnTable>;
  people: Record<string, Person>;
  counts: { guests?: number; playing?: number };
  seeking: Record<string, Sought>;
  tournaments: Record<string, Listed>;
}
export type LobbyMessage =
  | ({ type: 'lobby' } & Told)
  | { type: 'news'; change: Change }
  | { type: 'paired'; table: string; game: string }
  | InvitationMessage
  | { type: 'ack'; key: string }
  | Failure;

/** Who plays where nobody else has come. */
export interface Bots {
  bot: string;
  /** Seconds. */
  after: number;
}
export interface Seek {
  game: string;
  options: { players: number; rated?: true; clock?: ClockPlan };
  bots?: Bots;
}
export type LobbyWish = { type: 'hello'; name: string } | ({ type: 'seek'; name?: string } & Seek) | { type: 'unseek' };

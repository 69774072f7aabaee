/** What the lobby says (docs/reference/protocol.md, "Lobby"). Types only. */
import type { AckMessage, Bots, LobbyPerson, LobbyTable as Listing, PairedMessage } from '../../protocol/messages';
import type { ClockPlan } from '../clock';
import type { Change } from '../diff';
import type { InvitationMessage } from './invitations';
import type { Failure } from '../protocol';
import type { Listed } from '../tournament/protocol';

export type { LobbySeat } from '../../protocol/messages';
export type LobbyTable = Omit<Listing, 'standing' | 'public' | 'due' | 'clock'> & { clock?: ClockPlan };
/** A table where this browser has a seat. due: when the clock that runs ends, in milliseconds since 1970. */
export type OwnTable = LobbyTable & Pick<Listing, 'due'> & Required<Pick<Listing, 'standing' | 'public'>>;
export type Person = LobbyPerson;
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
  | PairedMessage
  | InvitationMessage
  | AckMessage
  | Failure;

export type { Bots } from '../../protocol/messages';
export interface Seek {
  game: string;
  options: { players: number; rated?: true; clock?: ClockPlan };
  bots?: Bots;
}
export type LobbyWish = { type: 'hello'; name: string } | ({ type: 'seek'; name?: string } & Seek) | { type: 'unseek' };

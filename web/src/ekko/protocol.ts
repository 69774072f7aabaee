/** What an EKKO table adds to the protocol. Cards are numbers, 1 to 98 (K1.1). */

import type { CommonMessage, RematchState, Seat, TableOrder, Unsent, Update, WholeTable } from '../net/protocol';
import type * as sent from '../protocol/messages';

export type { Seat, SeatInfo } from '../net/protocol';
export type Card = number;
/** What a mirror does (K3.2): put a card aside, or let all others draw. */
export type Effect = 'discard' | 'draw';
/** What the table waits for. */
export type Stage = 'waiting' | 'look' | 'race' | 'window' | 'effect' | 'leaving' | 'over';
export type Verdict = 'deal' | 'play' | 'mirror' | 'draw' | 'misplay' | 'late' | 'claim' | 'pass' | 'close' | 'resign';

export interface Options {
  players: number;
  target: number;
  misplays: boolean;
  /** Seconds before a round ends (K5.1). */
  reaction: number;
  /** Seconds; null: none (K7.5). */
  turn_clock: number | null;
  calm: boolean;
  /** Seconds; null: until all have decided. */
  window: number | null;
  hints: boolean;
  /** After each round all hands are shown. */
  open_hands?: boolean;
}

/** The public position: what a spectator may see (K6.4). */
export interface Position {
  players: number;
  target: number;
  pile: number;
  /** In order; the last is the top card (K1.4). */
  zone: Card[];
  sizes: number[];
  /** How many cards each player has put aside. */
  set_aside: number[];
  scores: number[];
  /** Draws of this round: seat, number of cards in the play zone, reason. */
  drew: [Seat, number, 'turn' | 'effect' | 'misplay' | 'leaving'][];
  turn: {
    round: number;
    dealer: Seat;
    player?: Seat;
    last?: Seat;
    phase: 'deal' | 'mirror' | 'play' | 'over';
    /** The player plays on their own multiple of 11 (K2.3). */
    again?: boolean;
    /** The seat whose hand is empty while the last card may still be mirrored (K5.1). */
    leaving?: Seat;
  };
  winners?: Seat[];
}

/** The hand of one of this browser's seats. */
export interface Hand {
  hand: Card[];
  blocked: Card[];
  aside: Card[];
  /** At tables with hints: what is valid now. */
  playable?: Card[];
  /** The mirror that was claimed. */
  claimed?: Card;
}

export interface Racer {
  seat: Seat;
  card: Card;
  kind: 'mirror' | 'play';
}
/** The winner of a race, and by how much. */
export interface Receipt {
  n: number;
  winner: Racer;
  losers: (Racer & { behind: number })[];
}

export interface Round {
  dealer: Seat;
  points: number[];
  sizes: number[];
  totals: number[];
  reason: 'last-card' | 'mirror' | 'pile-empty' | 'aside';
  by: Seat | null;
  /** The cards left, at tables with open hands. */
  hands?: Card[][];
}

export interface State {
  position: Position;
  stage: Stage;
  /** Milliseconds that the running clock still has, and its whole; null: no clock. */
  remaining: number | null;
  of: number | null;
  /** The seats that are ready in `look`. */
  ready: readonly Seat[];
  /** The seats that have decided in `window` and `leaving`; their decisions stay hidden. */
  decided: readonly Seat[];
  /** A mirror whose effect is being chosen. */
  claim: { seat: Seat; card: Card; on: Card } | null;
  receipt: Receipt | null;
  rounds: readonly Round[];
  outcome: sent.OutcomeInfo | null;
  rematch: RematchState;
  abort?: sent.AbortInfo | null;
  /** The hands of this browser's seats alone. */
  hands: Record<string, Hand>;
}

/** The public form of a decision. */
export interface PublicAction {
  type: string;
  card?: Card;
  effect?: Effect;
  aside?: Card;
}
export interface Entry {
  n: number;
  round: number;
  /** -1: the table itself. */
  seat: Seat;
  action: PublicAction;
  verdict: Verdict;
  notation: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The top card that it answered. */
  on?: Card;
  /** Milliseconds after the card that was quicker. */
  behind?: number;
  draws?: [Seat, number][];
  /** The table's clock decided for the player (K7.5). */
  clock?: boolean;
}

export type ServerMessage = WholeTable<Options, State, Entry> | Update<State, Entry> | CommonMessage;

export type Action =
  | { type: 'play'; card: Card; on: Card; round: number }
  | { type: 'effect'; effect: 'discard'; aside: Card }
  | { type: 'effect'; effect: 'draw' }
  | { type: 'draw'; on: Card }
  | { type: 'pass'; on: Card }
  | { type: 'ready'; round: number };

export type CardOrder = Omit<Unsent<sent.Intent>, 'action'> & { action: Action };
export type Order = CardOrder | TableOrder;

/** A table without clocks at which no one has reacted yet. */
export function quietState(position: State['position'], hands: State['hands']): State {
  const rest = {
    ready: [],
    decided: [],
    claim: null,
    receipt: null,
    rounds: [],
    outcome: null,
    rematch: { agreed: [], table: null },
  };
  return { position, stage: 'race', remaining: null, of: null, ...rest, hands };
}

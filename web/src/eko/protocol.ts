/**
 * What an Ekö table adds to the protocol: the public forms of positions and actions (docs/reference), the fixed board and the state.
 * Types and the lists that they come from, no behaviour.
 */
import type { Decided, SignKind } from '../board/data';
import { SIGNS, SYMBOLS } from '../board/symbols';
import type { BoardJson } from '../engine/eko/layout';
import type { Building, PlayerJson, PositionJson } from '../engine/eko/position';
import type { CommonMessage, RematchState, Seat, TableOrder, Unsent, Update, WholeTable } from '../net/protocol';
import type * as sent from '../protocol/messages';
import type { Clocked } from '../ui/clock';

export type {
  BoardData,
  BoardSpace,
  Choice,
  Effect,
  Kind,
  Position,
  SignKind,
  SpaceName,
  Stack,
  Terrain,
} from '../board/data';
export type { Action } from '../engine/eko/action';
export type { Building, Phase, PlayerJson as Player, TurnJson as Turn } from '../engine/eko/position';
export type { ErrorMessage, Seat, SeatInfo, Update } from '../net/protocol';

export type Source = Exclude<keyof PlayerJson['points'], 'total'>;
type ScoringSign = { [S in SignKind]: `${S}s` extends Source ? S : never }[SignKind];

/** The points that a winner needs, and what gives how many (E11.1). */
export const GOAL = 12;
export const SOURCES = [
  { name: 'camps', icon: 'camp', worth: 1 },
  { name: 'towers', icon: 'tower', worth: 2 },
  { name: 'castles', icon: 'castle', worth: 3 },
  { name: 'captives', icon: 'crown', worth: 3 },
  ...SIGNS.flatMap((sign) => {
    const { worth } = SYMBOLS.signs[sign];
    return worth > 0 ? [{ name: `${sign as ScoringSign}s` as const, sign, worth }] : [];
  }),
] as const;
/** The kinds of building, lowest first (E1.3). */
export const KINDS = ['camp', 'tower', 'castle'] as const;
export interface State extends Clocked {
  position: PositionJson;
  asked: Seat[];
  held: Seat | null;
  undo: Seat[];
  /** The seats whose last turn may be taken back by agreement. */
  take_back?: Seat[];
  outcome: sent.OutcomeInfo | null;
  repetition: number;
  draw_offers: readonly Seat[];
  /** Who has offered a draw in this turn and can't offer another. */
  draw_spent?: Seat[];
  rematch: RematchState;
  abort?: sent.AbortInfo | null;
}

/** A decision of the log, with its path. */
export interface Entry extends Decided {
  turn: number;
  notation: string;
  /** The enemy building that was replaced. */
  razed?: Building;
  /** Whose Emperors an exchange brought back. */
  freed?: Seat[];
  /** Milliseconds that each seat had left; null: it has no clock. */
  left?: (number | null)[];
  /** Milliseconds since 1970. */
  at: number;
}

/** A layout by hand: placed tiles, and the content of a tile file if they are not the project's own. */
export interface OwnLayout {
  players: number;
  tiles: readonly (readonly [tile: string, q: number, r: number, rot: number])[];
  tileset?: object;
}
export interface Options {
  players: number;
  /** The server lists both. */
  variants: string[];
  setup: string;
  seed?: number;
  turn_limit?: number;
  imported?: true;
  clock?: sent.ClockPlan;
  layout?: OwnLayout['tiles'];
  tileset?: object;
}
export type TableMessage = WholeTable<Options, State, Entry, BoardJson>;
export type ServerMessage = TableMessage | Update<State, Entry> | CommonMessage;

export type Order = TableOrder | Unsent<sent.Act | sent.Undo | sent.EndTurn | sent.Draw>;

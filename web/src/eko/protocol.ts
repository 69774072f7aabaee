/**
 * The wire of an Ekö table: the public position and action forms (interop), the fixed board, the state, and what its players ask for.
 * Types only, no behaviour.
 */
import type { Rows, Ways } from './choices';
import type { Clocked, ClockPlan } from '../shell/clock';
import type { CommonMessage, RematchState, RoomIntent, Seat, Update, WholeTable } from '../shell/protocol';

export type { Failure, Seat, SeatInfo, Update } from '../shell/protocol';

/** A space by its coordinates, `"q,r"` (E2.1). */
export type SpaceName = string;

export type Terrain =
  | 'sand'
  | 'tempest'
  | 'chasm'
  | 'reg'
  | 'canyon'
  | 'capital'
  | 'mountain'
  | 'moon'
  | 'sandtemple'
  | 'wind'
  | 'portal';
/** The kinds of building, lowest first (E1.3). */
export const KINDS = ['camp', 'tower', 'castle'] as const;
export type Kind = (typeof KINDS)[number];
/** Which there are, the server says. */
export type Variant = string;
export type Setup = string;
export type Phase = 'place' | 'swap' | 'action' | 'after' | 'second' | 'reinforce' | 'ransom' | 'over';

export type Action =
  | { type: 'swap'; space?: SpaceName }
  | { type: 'place'; space: SpaceName; emperor?: boolean }
  | { type: 'sandtemple'; space: SpaceName }
  | { type: 'move'; from: SpaceName; to: SpaceName; zones?: SpaceName[]; emperor_lost?: boolean }
  | { type: 'build'; from: SpaceName; site: SpaceName; kind: Kind; emperor?: boolean }
  | { type: 'march' }
  | { type: 'reinforce'; space: SpaceName; count: number; emperor?: boolean }
  | { type: 'moon'; space: SpaceName; emperor?: boolean }
  | { type: 'ransom'; captive: Seat }
  | { type: 'end' };

export type Effect =
  | 'move'
  | 'regroup'
  | 'attack'
  | 'kamikaze'
  | 'perish'
  | 'build'
  | 'upgrade'
  | 'replace'
  | 'march'
  | 'reinforce'
  | 'moon'
  | 'sandtemple'
  | 'ransom'
  | 'swap'
  | 'keep'
  | 'place'
  | 'end';

/** A legal action with what a board wants to show of it. */
export interface Choice<A extends Action = Action> {
  action: A;
  effect: Effect;
  /** The way of a move, from its start to its end, as soon as the server has told it. */
  path?: SpaceName[];
  /** Discs on the target afterwards. */
  height?: number;
  /** Discs lost to tempests. */
  lost?: number;
  /** Discs spent. */
  cost?: number;
}

export interface Stack {
  owner: Seat;
  height: number;
  emperor: boolean;
}
export interface Building {
  owner: Seat;
  kind: Kind;
}
export interface Turn {
  number: number;
  player: Seat;
  phase: Phase;
  first?: Seat;
  ransom?: Seat;
}
export interface Position {
  players: number;
  stacks: Record<SpaceName, Stack>;
  buildings: Record<SpaceName, Building>;
  reserve: { discs: number; emperor: boolean }[];
  removed: number[];
  captives: Seat[][];
  unplaced?: { discs: number; emperor: boolean }[];
  turn: Turn;
  winners?: Seat[];
}

export interface BoardSpace {
  space: SpaceName;
  /** What people call it, such as `c5`. */
  name: string;
  q: number;
  r: number;
  terrain: Terrain;
  tile: number;
  zone?: SpaceName;
  capital?: boolean;
}
export interface BoardData {
  spaces: BoardSpace[];
  tiles: [string, number, number, number][];
  portals: { space: SpaceName; direction: number; front: SpaceName }[];
  pyramids: SpaceName[][];
  beacons: SpaceName[][];
}

export interface Points {
  total: number;
  camps: number;
  towers: number;
  castles: number;
  captives: number;
  pyramids: number;
}
export interface Player {
  points: Points;
  capital: boolean;
  reserve: { discs: number; emperor: boolean };
  emperor: { where: 'board' | 'reserve' | 'captive' | 'unplaced'; space?: SpaceName; by?: Seat };
  supply: Record<Kind, number>;
  removed: number;
  discs: number;
}
export interface Outcome {
  winners: Seat[];
  reason: string;
  rule: string;
}
export interface State extends Clocked {
  position: Position;
  asked: Seat[];
  asked_to: Phase;
  choices: Record<string, Rows>;
  players: Player[];
  held: Seat | null;
  undo: Seat[];
  outcome: Outcome | null;
  repetition: number;
  draw_offers: Seat[];
  rematch: RematchState;
}

export interface Entry {
  n: number;
  turn: number;
  seat: Seat;
  action: Action;
  notation: string;
  effect: Effect;
  path?: SpaceName[];
  /** Discs on the target afterwards, lost to tempests, spent. */
  height?: number;
  lost?: number;
  cost?: number;
  /** The enemy stack as it stood. */
  met?: Stack;
  /** The enemy building that was replaced. */
  razed?: Building;
  /** Whose Emperors an exchange brought back. */
  freed?: Seat[];
  /** What each seat has won or lost by it. */
  points?: number[];
  /** Milliseconds that each seat had left; null: it has no clock. */
  left?: (number | null)[];
  at: string;
}

export interface Options {
  players: number;
  variants: Variant[];
  setup: Setup;
  seed?: number;
  clock?: ClockPlan;
}
export type TableMessage = WholeTable<Options, State, Entry, BoardData>;
export interface Refusal {
  code: string;
  rule: string;
  message: string;
}
export type ServerMessage =
  | TableMessage
  | Update<State, Entry>
  | CommonMessage
  | { type: 'why'; key: string; refusal: Refusal | null }
  | { type: 'ways'; key: string; version: number; ways: Ways };

/** What the page asks for; `key` is added as it is sent. */
export type Intent =
  | RoomIntent
  | { type: 'act'; version: number; seat: Seat; action: Action; hold: boolean }
  | { type: 'undo'; version: number; seat: Seat }
  | { type: 'end_turn'; version: number; seat: Seat }
  | { type: 'draw'; version: number; seat: Seat; offer: boolean }
  | { type: 'why'; seat: Seat; action: Action }
  /** Asks which ways the stack on a space, named by its number, can go. */
  | { type: 'ways'; of: number };
export type ClientMessage = Intent & { key: string };

export interface Preview {
  seed: number;
  board: BoardData;
  position: Position;
}

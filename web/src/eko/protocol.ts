/**
 * What an Ekö table adds to the protocol: the public forms of positions and actions (docs/reference), the fixed board and the state.
 * Types and the lists that they come from, no behaviour.
 */
import type * as sent from '../protocol/messages';
import type { Clocked } from '../shell/clock';
import type { CommonMessage, RematchState, RoomIntent, Seat, Update, WholeTable, Wish } from '../shell/protocol';

export type { ErrorMessage, Seat, SeatInfo, Update } from '../shell/protocol';

/** A space by its coordinates, `"q,r"` (E2.1). */
export type SpaceName = string;

export const TERRAINS = ['sand', 'reg', 'canyon', 'mountain', 'capital', 'chasm', 'tempest', 'portal', 'moon', 'sandtemple', 'wind'] as const;
export type Terrain = (typeof TERRAINS)[number];
/** The points that a winner needs, and what gives how many (E11.1). */
export const GOAL = 12;
export const SOURCES = [
  { name: 'camps', icon: 'camp', worth: 1 },
  { name: 'towers', icon: 'tower', worth: 2 },
  { name: 'castles', icon: 'castle', worth: 3 },
  { name: 'captives', icon: 'crown', worth: 3 },
  { name: 'pyramids', icon: 'pyramid', worth: 2 },
] as const;
export type Source = (typeof SOURCES)[number]['name'];
/** The kinds of building, lowest first (E1.3). */
export const KINDS = ['camp', 'tower', 'castle'] as const;
export type Kind = (typeof KINDS)[number];
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

/** Rows by effect; trailing empty or false values are left out. `more`: the stacks with further choices, sent on request. */
export type Rows = { readonly [effect in Effect]?: readonly Row[] } & { readonly more?: string };
export type Row = readonly (number | string | boolean | readonly number[])[];
/** Where a stack can go: space, index of the previous node (-1: the start), and the zone that takes a disc on entering. */
export type WayNode = readonly [space: number, before: number, zone?: number];

/** The routes of one stack, the nearest first, and the choices that cost it discs. */
export interface Ways {
  nodes: readonly WayNode[];
  choices: Rows;
}

/** A legal action with what a board wants to show of it. */
export interface Choice<A extends Action = Action> {
  action: A;
  effect: Effect;
  /** The way of a move, from its start to its end, once the server has sent it. */
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
  resume?: Phase;
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
  /** Its name, such as `c5`. */
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

export interface Player {
  points: Record<'total' | Source, number>;
  capital: boolean;
  reserve: { discs: number; emperor: boolean };
  emperor: { where: 'board' | 'reserve' | 'captive' | 'unplaced'; space?: SpaceName; by?: Seat };
  supply: Record<Kind, number>;
  removed: number;
  discs: number;
}
export interface State extends Clocked {
  position: Position;
  asked: Seat[];
  asked_to: Phase;
  choices: Record<string, Rows>;
  players: Player[];
  held: Seat | null;
  undo: Seat[];
  outcome: sent.OutcomeInfo | null;
  repetition: number;
  draw_offers: Seat[];
  /** Who has offered a draw in this turn and can't offer another. */
  draw_spent?: Seat[];
  rematch: RematchState;
  abort?: sent.AbortInfo | null;
}

/** A decision of the log, with its way. */
export interface Entry extends Choice {
  n: number;
  turn: number;
  seat: Seat;
  notation: string;
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
  clock?: sent.ClockPlan;
  layout?: OwnLayout['tiles'];
  tileset?: object;
}
export type TableMessage = WholeTable<Options, State, Entry, BoardData>;
export type ServerMessage =
  | TableMessage
  | Update<State, Entry>
  | CommonMessage
  | sent.WhyMessage
  | (sent.WaysMessage & { ways: Ways });

export type Intent = RoomIntent | Wish<sent.Act | sent.Undo | sent.EndTurn | sent.Draw | sent.Why | sent.Ways>;

export interface Preview extends Pick<sent.PreviewInfo, 'seed'> {
  board: BoardData;
  position: Position;
}

/** What the board is given: plain data, in the public forms of positions and actions (docs/reference/formats.md). */
import type { Action } from '../engine/eko/action';
import type { BoardJson } from '../engine/eko/layout';
import type { Effect, PositionJson, Stack } from '../engine/eko/position';

export type { Kind } from '../engine/eko/action';
export type { BoardJson as BoardData, SignKind, Terrain } from '../engine/eko/layout';
export type { Effect, Stack } from '../engine/eko/position';

/** A space by its coordinates, `"q,r"` (E2.1). */
export type SpaceName = string;

/** A legal action with what a board wants to show of it. */
export interface Choice<A extends Action = Action> {
  readonly action: A;
  readonly effect: Effect;
  /** The path of a move, from its start to its end. */
  readonly path?: readonly SpaceName[] | undefined;
  /** Discs on the target afterwards. */
  readonly height?: number | undefined;
  /** Discs lost to tempests. */
  readonly lost?: number | undefined;
  /** Discs spent. */
  readonly cost?: number | undefined;
}

export type BoardSpace = BoardJson['spaces'][number];

/** A position without its board. */
export type Position = Omit<PositionJson, 'game' | 'version' | 'tileset' | 'tiles'>;

/** A decision that was taken, as the board marks it. n: its number in the game. seat: whose. */
export interface Decided extends Choice {
  n: number;
  seat: number;
  /** The enemy stack as it stood. */
  met?: Stack;
  /** What each seat has won or lost by it. */
  points?: number[];
}

/**
 * What the board shows besides a position: what can be tapped, and the decision that is being animated. No rules: the caller says what is
 * possible.
 */
import type { Choice, Decided, Effect, Kind, Position, SpaceName, Stack } from './data';
import { centre, middle } from './hex';

export type MarkKind = 'pick' | Exclude<Effect, 'upgrade' | 'replace' | 'march' | 'ransom' | 'keep' | 'end'>;

export interface Mark {
  kind: MarkKind;
  /** All choices that this space stands for; the first is the one shown. */
  choices: readonly Choice[];
}

export interface Step {
  entry: Decided;
  before: { position: Pieces };
  back?: boolean;
}

const KINDS: readonly Kind[] = ['camp', 'tower', 'castle'];

export function kindsOf(mark: Mark): Kind[] {
  return KINDS.filter((kind) => mark.choices.some(({ action }) => action.type === 'build' && action.kind === kind));
}

const RINGED: readonly MarkKind[] = ['swap', 'regroup', 'reinforce', 'sandtemple'];

export const isRinged = (kind: MarkKind): boolean => RINGED.includes(kind);

/** Whether a mark is a dot and nothing else. */
export const isPlain = ({ kind, choices }: Mark): boolean =>
  (kind === 'move' || kind === 'place') && choices.length < 2 && !choices[0]?.lost;

/** What the board draws of a position. */
export type Pieces = Pick<Position, 'stacks' | 'buildings'>;

export interface Travel {
  stack: Stack;
  path: readonly SpaceName[];
  /** The position without the stack that travels. */
  background: Pieces;
}

/** Returns null where nothing travels. */
export function travelOf({ entry, before, back = false }: Step): Travel | null {
  const path = back ? [...(entry.path ?? [])].reverse() : (entry.path ?? []);
  const [from] = path;
  const stack = from === undefined ? undefined : before.position.stacks[from];
  if (from === undefined || !stack || path.length < 2) return null;
  const { [from]: _, ...others } = before.position.stacks;
  return { stack, path, background: { ...before.position, stacks: others } };
}

/** How high a stack hops. */
const HOP = 13;

/** Milliseconds, between 150 and 250. */
export function duration(path: readonly SpaceName[]): number {
  return Math.min(250, 130 + 30 * path.length);
}

/** Hops from space to space. */
export function keyframes(path: readonly SpaceName[]): Keyframe[] {
  return path.flatMap((space, i) => {
    const [{ x, y }, after] = [centre(space), path[i + 1]];
    const frame = { transform: `translate(${x}px, ${y + 9}px)` };
    if (after === undefined) return [frame];
    const half = middle([{ x, y }, centre(after)]);
    return [frame, { transform: `translate(${half.x}px, ${half.y + 9 - HOP}px)` }];
  });
}

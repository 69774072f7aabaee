/** How a decision moves on the board: which stack travels, along which spaces, and for how long. */
import { centre } from '../hex';
import type { Position, SpaceName, Stack } from '../protocol';
import type { Step } from '../table.svelte';

export interface Journey {
  stack: Stack;
  path: readonly SpaceName[];
  /** The position on which the journey is seen: without the stack that travels. */
  background: Position;
}

/** The journey of a decision, or null where nothing travels. */
export function journey({ entry, before, back = false }: Step): Journey | null {
  const path = back ? [...(entry.path ?? [])].reverse() : (entry.path ?? []);
  const [from] = path;
  const stack = from === undefined ? undefined : before.position.stacks[from];
  if (from === undefined || !stack || path.length < 2) return null;
  const { [from]: _, ...others } = before.position.stacks;
  return { stack, path, background: { ...before.position, stacks: others } };
}

/** Milliseconds: longer ways take a little longer, within 150 to 250. */
export function duration(path: readonly SpaceName[]): number {
  return Math.min(250, 130 + 30 * path.length);
}

/** The travel as CSS transforms, one for each space of the path. */
export function keyframes(path: readonly SpaceName[]): Keyframe[] {
  return path.map((space) => {
    const { x, y } = centre(space);
    return { transform: `translate(${x}px, ${y + 9}px)` };
  });
}

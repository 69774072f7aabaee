/** A position by hand. What is not on the board, removed or captive is in the reserve, or still to be placed. */
import type { Kind, Phase, Position, Seat, SpaceName, Turn } from '../protocol';
import type { Box } from './tiles';

export type Handmade = Readonly<Pick<Position, 'stacks' | 'buildings' | 'removed' | 'captives' | 'turn'>>;
export const PHASES = [
  'action',
  'after',
  'second',
  'reinforce',
  'ransom',
  'swap',
  'place',
] as const satisfies readonly Phase[];

export type Piece = 'disc' | 'emperor' | Kind;
export type Tool = Piece | 'move' | 'remove';

export function empty(players: number): Handmade {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  return {
    stacks: {},
    buildings: {},
    removed: seats.map(() => 0),
    captives: seats.map(() => []),
    turn: { number: 1, player: 0, phase: 'action' },
  };
}

/** What is set by hand of a position in the interchange form. */
export function handmade({ stacks, buildings, removed, captives, turn }: Handmade): Handmade {
  return { stacks, buildings, removed, captives, turn };
}

export function emperorSpace({ stacks }: Handmade, seat: Seat): SpaceName | null {
  return Object.keys(stacks).find((space) => stacks[space]?.owner === seat && stacks[space].emperor) ?? null;
}
export function captor({ captives }: Handmade, seat: Seat): Seat | null {
  const by = captives.findIndex((held) => held.includes(seat));
  return by < 0 ? null : by;
}

/** Ordinary discs on the board. */
export function onBoard({ stacks }: Handmade, seat: Seat): number {
  return Object.values(stacks).reduce(
    (sum, { owner, height, emperor }) => sum + (owner === seat ? height - Number(emperor) : 0),
    0,
  );
}
/** Ordinary discs that are nowhere else; below 0: there are too many. */
export function rest(made: Handmade, seat: Seat, box: Pick<Box, 'discs'>): number {
  return box.discs - onBoard(made, seat) - (made.removed[seat] ?? 0);
}

/** With what is in the reserve. */
export function positionOf(made: Handmade, box: Pick<Box, 'discs'>): Omit<Position, 'players'> {
  const held = made.removed.map((_, seat) => ({
    discs: Math.max(0, rest(made, seat, box)),
    emperor: emperorSpace(made, seat) === null && captor(made, seat) === null,
  }));
  const none = held.map(() => ({ discs: 0, emperor: false }));
  return made.turn.phase === 'place' ? { ...made, reserve: none, unplaced: held } : { ...made, reserve: held };
}

function without<T>(all: Readonly<Record<SpaceName, T>>, space: SpaceName): Record<SpaceName, T> {
  const { [space]: _, ...others } = all;
  return others;
}

/** Takes one disc off a stack, the Emperor if asked for or if it is alone. */
function lower(stacks: Handmade['stacks'], space: SpaceName, emperor: boolean): Handmade['stacks'] {
  const stack = stacks[space];
  if (!stack) return stacks;
  const height = stack.height - 1;
  return height === 0
    ? without(stacks, space)
    : { ...stacks, [space]: { ...stack, height, emperor: stack.emperor && !emperor } };
}

function freed(made: Handmade, seat: Seat): Handmade {
  const space = emperorSpace(made, seat);
  return {
    ...made,
    stacks: space === null ? made.stacks : lower(made.stacks, space, true),
    captives: made.captives.map((held) => held.filter((owner) => owner !== seat)),
  };
}

/** Puts a piece of a player on a space, on top of the own stack there. */
export function put(made: Handmade, piece: Piece, seat: Seat, space: SpaceName, box: Box): Handmade {
  if (piece !== 'disc' && piece !== 'emperor') {
    return { ...made, buildings: { ...made.buildings, [space]: { owner: seat, kind: piece } } };
  }
  const isEmperor = piece === 'emperor';
  if (isEmperor && emperorSpace(made, seat) === space) return freed(made, seat);
  const now = isEmperor ? freed(made, seat) : made;
  const there = now.stacks[space];
  const own = there?.owner === seat ? there : { owner: seat, height: 0, emperor: false };
  const stack = { owner: seat, height: Math.min(own.height + 1, box.tallest), emperor: own.emperor || isEmperor };
  return { ...now, stacks: { ...now.stacks, [space]: stack } };
}

/** Takes the topmost ordinary disc, the lone Emperor or the building of a space away. */
export function take(made: Handmade, space: SpaceName): Handmade {
  return { ...made, stacks: lower(made.stacks, space, false), buildings: without(made.buildings, space) };
}

export function clear(made: Handmade, space: SpaceName): Handmade {
  return { ...made, stacks: without(made.stacks, space), buildings: without(made.buildings, space) };
}

export function move(made: Handmade, from: SpaceName, to: SpaceName): Handmade {
  const [stack, building] = [made.stacks[from], made.buildings[from]];
  const { stacks, buildings } = clear(made, from);
  return {
    ...made,
    stacks: stack ? { ...stacks, [to]: stack } : stacks,
    buildings: building ? { ...buildings, [to]: building } : buildings,
  };
}

/** A stack of a player with so many discs; 0: none. */
export function stackUp(made: Handmade, seat: Seat, space: SpaceName, height: number): Handmade {
  const there = made.stacks[space];
  const stacks =
    height === 0
      ? without(made.stacks, space)
      : { ...made.stacks, [space]: { owner: seat, height, emperor: there?.owner === seat && there.emperor } };
  return { ...made, stacks };
}

/** Takes an Emperor off the board, into the reserve (null) or to another player. */
export function send(made: Handmade, seat: Seat, by: Seat | null): Handmade {
  const now = freed(made, seat);
  return { ...now, captives: now.captives.map((held, other) => (other === by ? [...held, seat].sort() : held)) };
}

export function remove(made: Handmade, seat: Seat, discs: number): Handmade {
  return { ...made, removed: made.removed.map((n, other) => (other === seat ? Math.max(0, discs) : n)) };
}

/** Of the turn only what every phase has stays. */
export function turnTo(
  made: Handmade,
  change: Partial<Pick<Turn, 'player' | 'phase' | 'number' | 'ransom'>>,
): Handmade {
  const { number, player, phase, ransom } = { ...made.turn, ...change };
  const setsUp = phase === 'swap' || phase === 'place';
  const more = phase === 'ransom' ? { ransom: ransom ?? player, resume: 'after' as const } : {};
  return { ...made, turn: { number: setsUp ? 0 : Math.max(1, number), player, phase, ...more } };
}

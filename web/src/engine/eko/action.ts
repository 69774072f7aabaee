/** The decisions of Ekö (E12): their JSON, and the codes of the kernels (rules/code.py). */
import { EKO } from '../records';
import type { Layout } from './layout';

/** A space by its coordinates, `"q,r"` (E2.1). */
export type Space = string;
/** The kinds of building, lowest first (E1.3). */
export const KINDS = ['camp', 'tower', 'castle'] as const;
export type Kind = (typeof KINDS)[number];

export type Action =
  | { readonly type: 'swap'; readonly space?: Space }
  | { readonly type: 'place' | 'moon'; readonly space: Space; readonly emperor?: boolean }
  | { readonly type: 'sandtemple'; readonly space: Space }
  | {
      readonly type: 'move';
      readonly from: Space;
      readonly to: Space;
      readonly zones?: readonly Space[];
      readonly emperor_lost?: boolean;
    }
  | {
      readonly type: 'build';
      readonly from: Space;
      readonly site: Space;
      readonly kind: Kind;
      readonly emperor?: boolean;
    }
  | { readonly type: 'reinforce'; readonly space: Space; readonly count: number; readonly emperor?: boolean }
  | { readonly type: 'ransom'; readonly captive: number }
  | { readonly type: 'march' | 'end' };

const {
  ActionType,
  Asked,
  NO_SPACE,
  NOBODY,
  SPACES,
  TALLEST,
  TYPE_MASK,
  SOURCE_SHIFT,
  TARGET_SHIFT,
  AMOUNT_SHIFT,
  AMOUNT_MASK,
} = EKO;
const { EMPEROR_SHIFT, ZONE_COUNT_SHIFT, ZONE_COUNT_MASK, ZONES_SHIFT, SPACE_BITS, SPACE_MASK } = EKO;
const TYPES = Object.keys(ActionType).map((name) => name.toLowerCase() as Action['type']);
const LOW = BigInt(ZONES_SHIFT);

/** The first spaces of the zones that take a disc. */
export function zonesIn(code: bigint): number[] {
  const [low, zones] = [Number(BigInt.asUintN(ZONES_SHIFT, code)), Number(code >> LOW)];
  return Array.from(
    { length: (low >> ZONE_COUNT_SHIFT) & ZONE_COUNT_MASK },
    (_, place) => (zones >> (SPACE_BITS * place)) & SPACE_MASK,
  );
}

/** The action of a code. */
export function decode(code: bigint, { coordinates }: Layout): Action {
  const low = Number(BigInt.asUintN(ZONES_SHIFT, code));
  const [target, amount] = [(low >> TARGET_SHIFT) & SPACE_MASK, (low >> AMOUNT_SHIFT) & AMOUNT_MASK];
  const [from, space] = [coordinates[(low >> SOURCE_SHIFT) & SPACE_MASK] ?? '', coordinates[target] ?? ''];
  const isEmperor = ((low >> EMPEROR_SHIFT) & 1) === 1;
  const emperor = isEmperor && { emperor: true };
  const type = TYPES[low & TYPE_MASK]!;
  switch (type) {
    case 'move': {
      const zones = zonesIn(code).map((zone) => coordinates[zone]!);
      return { type, from, to: space, ...(zones.length > 0 && { zones }), ...(isEmperor && { emperor_lost: true }) };
    }
    case 'build':
      return { type, from, site: space, kind: KINDS[amount - 1]!, ...emperor };
    case 'reinforce':
      return { type, space, count: amount, ...emperor };
    case 'place':
    case 'moon':
      return { type, space, ...emperor };
    case 'sandtemple':
      return { type, space };
    case 'swap':
      return target === NO_SPACE ? { type } : { type, space };
    case 'ransom':
      return { type, captive: target };
    case 'march':
    case 'end':
      return { type };
  }
}

interface Parts {
  readonly source: number;
  readonly target: number;
  readonly amount: number;
  readonly emperor: boolean;
  readonly zones: readonly (number | undefined)[];
}

/** What an action says as numbers. Spaces that the board has not are NOBODY, such zones undefined. */
function partsOf(action: Action, layout: Layout): Parts {
  const number = (space: Space): number => layout.number(space) ?? NOBODY;
  let [source, target, amount, emperor]: [number, number, number, boolean] = [0, NO_SPACE, 0, false];
  let zones: readonly (number | undefined)[] = [];
  switch (action.type) {
    case 'move':
      [source, target, emperor] = [number(action.from), number(action.to), action.emperor_lost ?? false];
      zones = (action.zones ?? []).map((zone) => layout.number(zone));
      break;
    case 'build':
      [source, target, amount, emperor] = [
        number(action.from),
        number(action.site),
        1 + KINDS.indexOf(action.kind),
        action.emperor ?? false,
      ];
      break;
    case 'reinforce':
      [target, amount, emperor] = [number(action.space), action.count, action.emperor ?? false];
      break;
    case 'place':
    case 'moon':
      [target, emperor] = [number(action.space), action.emperor ?? false];
      break;
    case 'sandtemple':
      target = number(action.space);
      break;
    case 'swap':
      if (action.space !== undefined) target = number(action.space);
      break;
    case 'ransom':
      target = action.captive;
  }
  return { source, target, amount, emperor, zones };
}

const typeOf = ({ type }: Action): number => ActionType[type.toUpperCase() as keyof typeof ActionType];

/** The code of an action; undefined if it names spaces that the board has not, or fits in no code: it is never legal. */
export function encode(action: Action, layout: Layout): bigint | undefined {
  const { source, target, amount, emperor, ...parts } = partsOf(action, layout);
  const zones = parts.zones.map((zone) => zone ?? NOBODY);
  const isSorted = zones.every((zone, place) => place === 0 || zone > zones[place - 1]!);
  if (
    !isSorted ||
    zones.length > TALLEST ||
    amount > AMOUNT_MASK ||
    target > SPACE_MASK ||
    Math.min(source, target, amount, ...zones) < 0
  )
    return undefined;
  const low = typeOf(action) | (source << SOURCE_SHIFT) | (target << TARGET_SHIFT);
  const more = (amount << AMOUNT_SHIFT) | (Number(emperor) << EMPEROR_SHIFT) | (zones.length << ZONE_COUNT_SHIFT);
  const high = zones.reduce((all, zone, place) => all | (zone << (SPACE_BITS * place)), 0);
  return (BigInt(high) << LOW) | BigInt(low | more);
}

/** The most numbers of `askedOf`: of more zones than spaces some are named twice. */
export const MOST_ASKED = Object.keys(Asked).length - 1 + SPACES;

/** What an action says as the kernels take it (`Asked`), whether or not it fits in a code. */
export function askedOf(action: Action, layout: Layout): bigint[] {
  const { source, target, amount, emperor, zones } = partsOf(action, layout);
  const known = zones.slice(0, SPACES).map((zone) => zone ?? NO_SPACE);
  return [typeOf(action), source, target, amount, Number(emperor), known.length, ...known].map(BigInt);
}

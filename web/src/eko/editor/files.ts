/** What the editor opens and the form of a new game: a draft or a layout in an address; a layout, a tile set or a position in a file. */
import { isObject, isTileSet, isWhole } from '../../engine/eko/examine';
import { pack, unpack } from '../../ui/packed';
import { KINDS, type OwnLayout, type Position } from '../protocol';
import type { Draft } from './editor.svelte';
import { type Handmade, handmade } from './position';
import { type Placed, TURNS } from './tiles';

type Fields = Readonly<Record<string, unknown>>;
const FURTHEST = 999;
const TALLEST = 99;

function isPlaced(value: unknown): value is Placed {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [name, q, r, rot] = value as unknown[];
  return (
    typeof name === 'string' &&
    isWhole(q, -FURTHEST, FURTHEST) &&
    isWhole(r, -FURTHEST, FURTHEST) &&
    isWhole(rot, 0, TURNS - 1)
  );
}
const isLayout = (value: unknown): value is Placed[] => Array.isArray(value) && value.every(isPlaced);
const areAll = (value: unknown, holds: (each: Fields) => boolean): boolean =>
  isObject(value) && Object.values(value).every((each) => isObject(each) && holds(each));

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Whether a position can be drawn; it may still be impossible. */
function isHandmade(value: Fields, players: number): value is Fields & Handmade {
  const { stacks, buildings, removed, captives, turn } = value;
  const seat = (each: unknown): boolean => isWhole(each, 0, players - 1);
  return (
    areAll(
      stacks,
      ({ owner, height, emperor }) => seat(owner) && isWhole(height, 1, TALLEST) && typeof emperor === 'boolean',
    ) &&
    areAll(buildings, ({ owner, kind }) => seat(owner) && KINDS.some((known) => known === kind)) &&
    Array.isArray(removed) &&
    removed.length === players &&
    removed.every((each) => isWhole(each, 0, TALLEST)) &&
    Array.isArray(captives) &&
    captives.length === players &&
    captives.every((held) => Array.isArray(held) && held.every(seat)) &&
    isObject(turn) &&
    seat(turn['player']) &&
    typeof turn['phase'] === 'string' &&
    isWhole(turn['number'], 0, Number.MAX_SAFE_INTEGER) &&
    ['first', 'ransom'].every((key) => turn[key] === undefined || seat(turn[key])) &&
    ['paid', 'placed'].every((key) => turn[key] === undefined || areTexts(turn[key]))
  );
}

/** The draft of an address; null: it is none. */
export function draftOf(value: unknown): Draft | null {
  if (!isObject(value)) return null;
  const { players, tiles, tileset, position } = value;
  if (!isWhole(players, 2, 4) || !isLayout(tiles)) return null;
  if (tileset !== undefined && !isTileSet(tileset)) return null;
  const layout = { players, tiles, ...(tileset && { tileset }) };
  return isObject(position) && isHandmade(position, players)
    ? { ...layout, position: handmade(position as unknown as Position) }
    : layout;
}

/** The draft after a file was opened; null: it has none of these. */
export function opened(text: string, { players, tiles, tileset }: Draft): Draft | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (isLayout(value)) return { players, tiles: value, ...(tileset && { tileset }) };
  if (!isObject(value)) return null;
  if (isTileSet(value)) return { players, tiles, tileset: value };
  return draftOf({ ...value, position: value });
}

export const newGameWith = async (layout: OwnLayout): Promise<string> =>
  `/eko/new?layout=${await pack(JSON.stringify(layout))}`;
export const editorWith = async (draft: object): Promise<string> =>
  `/eko/editor?draft=${await pack(JSON.stringify(draft))}`;

/** null: the address names none, or none that can be read. */
export async function packedIn(query: string, key: 'layout' | 'draft'): Promise<unknown> {
  const packed = new URLSearchParams(query).get(key);
  if (packed === null) return null;
  return unpack(packed)
    .then((text) => JSON.parse(text) as unknown)
    .catch(() => null);
}

/** Files that the editor opens: a layout, a tile set, a position. */
import type { Position } from '../protocol';
import type { Draft } from './editor.svelte';
import { handmade } from './position';
import type { Placed } from './tiles';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The draft after a file was opened; null: it is none of these. The server judges what is in it. */
export function opened(text: string, { players, tiles, tileset }: Draft): Draft | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (Array.isArray(value)) return { players, tiles: value as Placed[], ...(tileset && { tileset }) };
  if (!isObject(value)) return null;
  if (isObject(value['tiles']) && isObject(value['groups'])) return { players, tiles, tileset: value };
  if (!Array.isArray(value['tiles']) || typeof value['players'] !== 'number') return null;
  const layout = { players: value['players'], tiles: value['tiles'] as Placed[], ...(isObject(value['tileset']) && { tileset: value['tileset'] }) };
  const has = (['stacks', 'buildings', 'turn'] as const).every((key) => isObject(value[key])) && Array.isArray(value['removed']) && Array.isArray(value['captives']);
  return has ? { ...layout, position: handmade(value as unknown as Position) } : layout;
}

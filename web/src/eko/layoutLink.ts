/** A layout in the address of the form of a new game. */
import { pack, unpack } from '../shell/packed';
import type { OwnLayout } from './protocol';

export const newGameWith = async (layout: OwnLayout): Promise<string> => `/eko/new?layout=${await pack(JSON.stringify(layout))}`;
export const editorWith = async (draft: object): Promise<string> => `/eko/editor?draft=${await pack(JSON.stringify(draft))}`;

/** null: the address names none, or none that can be read. */
export async function packedIn(query: string, key: 'layout' | 'draft'): Promise<unknown> {
  const packed = new URLSearchParams(query).get(key);
  if (packed === null) return null;
  return unpack(packed).then((text) => JSON.parse(text) as unknown).catch(() => null);
}

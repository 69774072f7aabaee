/** Deals that can be checked: this browser's part of the seed. The check is in dealCheck.ts. */

import { ask } from '../net/api';
import type { DealInfo } from '../protocol/messages';
import { store, stored } from '../ui/settings.svelte';

/** The commitment that this browser has read before it gave its part. */
export interface Given {
  id: string;
  seat: number;
  part: string;
  commitment: string;
  /** The player left the seat, or the game had begun or another device had given a part: it may well be missing. */
  released?: true;
}

const KEY = 'ekoes.deals';
const KEPT = 50;

export const given = (): Given[] => stored<Given[]>(KEY, []);
export const dealOf = (id: string): Promise<DealInfo> => ask(`/api/tables/${id}/deal`);

/** Returns a part for the seed of a table, and stores it with the server's commitment, which it has read before. */
export async function partFor(id: string, seat: number): Promise<string> {
  const known = given().find((one) => one.id === id && one.seat === seat);
  const commitment = known?.commitment ?? (await dealOf(id)).commitment;
  const part = known?.part ?? hex(crypto.getRandomValues(new Uint8Array(16)));
  store(KEY, [{ id, seat, part, commitment }, ...given().filter((one) => one.id !== id)].slice(0, KEPT));
  return part;
}

/** Notes that the part of this browser may well be missing, so that nobody is accused of that. */
export const release = (id: string): void =>
  store(
    KEY,
    given().map((one) => (one.id === id ? { ...one, released: true } : one)),
  );

export const hex = (data: Uint8Array): string => [...data].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The check of a deal after the game. How the seed follows from the parts, and everything from the seed, is said in
 * src/ekoes/tables/deals.py.
 */

import type { DealInfo } from '../protocol/messages';
import { type Given, given, hex } from './deal';

/** What is not as the parts say. */
export type Fault = 'commitment' | 'part' | 'start' | 'cards';
export interface Checked {
  deal: Required<Pick<DealInfo, 'table' | 'secret' | 'parts'>> & DealInfo;
  own: Given | null;
  faults: Fault[];
}

const CARDS = 98;
/** First positions that are tried in a rematch, until the right player begins: of eight, one in a few numbers does. */
const TRIED = 500;
const WORDS = 1n << 64n;

/** Draws a finished game again. null: this page can't, as browsers compute hashes only for pages of HTTPS. */
export async function check(id: string, deal: DealInfo, record: string): Promise<Checked | null> {
  const { table, secret, parts, commitment, first } = deal;
  if (table == null || secret == null || parts == null || !globalThis.crypto?.subtle) return null;
  const kept = given().find((one) => one.id === id) ?? null;
  const isIn = kept !== null && parts.split(' ')[kept.seat] === kept.part;
  const own = isIn || !kept?.released ? kept : null;
  const faults: Fault[] = [];
  const hash = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(secret))));
  if (hash !== commitment || (kept && kept.commitment !== commitment)) faults.push('commitment');
  if (table !== id || (own && !isIn)) faults.push('part');
  const seed = await keyed(bytes(secret), `ekoes deal 1 ${table} ${parts}`);
  if (!(await startsRight(seed, first ?? null, record))) faults.push('start');
  for (const [, round, cards] of record.matchAll(/^(\d+)\. table: deal:([\d,]+)/gm))
    if ((await shuffled(seed, `deal ${round}`)).join() !== cards && !faults.includes('cards')) faults.push('cards');
  return { deal: { ...deal, table, secret, parts }, own, faults };
}

/** Whether the seed of a board, or the first dealer, is the one that was drawn. */
async function startsRight(seed: Uint8Array<ArrayBuffer>, first: number | null, record: string): Promise<boolean> {
  const tag = (name: string): number => Number(new RegExp(`^\\[${name} "(\\d+)"\\]$`, 'm').exec(record)?.[1]);
  const [board, dealer, players] = [tag('Seed'), tag('Dealer'), tag('Players')];
  for (let attempt = 0; attempt < TRIED; attempt++) {
    const number = new DataView((await keyed(seed, `start ${attempt}`)).buffer).getUint32(28) & 0x7fffffff;
    if (Number.isNaN(dealer)) {
      if (number === board) return true;
      if (first === null) return false;
    } else {
      const drawn = dealerFrom(number, players);
      if (first === null || drawn === first) return drawn === dealer;
    }
  }
  return false;
}

/** The first choice of `Chance` in games/api/chance.py. */
function dealerFrom(seed: number, players: number): number {
  const limit = WORDS - (WORDS % BigInt(players));
  for (let state = BigInt(seed); ; ) {
    state = (state + 0x9e3779b97f4a7c15n) % WORDS;
    let word = state;
    word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) % WORDS;
    word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) % WORDS;
    word ^= word >> 31n;
    if (word < limit) return Number(word % BigInt(players));
  }
}

async function shuffled(seed: Uint8Array<ArrayBuffer>, label: string): Promise<number[]> {
  const cards = Array.from({ length: CARDS }, (_, at) => at + 1);
  const words: bigint[] = [];
  let digests = 0;
  for (let last = CARDS - 1; last > 0; last--) {
    const bound = BigInt(last + 1);
    let word: bigint;
    do {
      if (words.length === 0) {
        const digest = new DataView((await keyed(seed, `${label} ${digests++}`)).buffer);
        for (const at of [24, 16, 8, 0]) words.push(digest.getBigUint64(at));
      }
      word = words.pop() as bigint;
    } while (word >= WORDS - (WORDS % bound));
    const other = Number(word % bound);
    [cards[last], cards[other]] = [cards[other] as number, cards[last] as number];
  }
  return cards;
}

async function keyed(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(text)));
}

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

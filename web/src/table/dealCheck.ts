/**
 * The check of a deal after the game. How the seed follows from the parts, and everything from the seed, is said in
 * src/ekoes/tables/deals.py.
 */

import { Chance } from '../engine/chance';
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
/** The lines of a record that say where a game begins. */
const START = /^\[(?!Game|Format|Rules).*\]$/gm;

/**
 * Draws a finished game again. draw: the record of a first position, from a number. null: this page can't, as browsers
 * compute hashes only for pages of HTTPS.
 */
export async function check(
  id: string,
  deal: DealInfo,
  record: string,
  draw: (seed: bigint) => Promise<string>,
): Promise<Checked | null> {
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
  if (!(await startsRight(seed, first ?? null, record, draw))) faults.push('start');
  for (const [, round, cards] of record.matchAll(/^(\d+)\. table: deal:([\d,]+)/gm))
    if ((await shuffled(seed, `deal ${round}`)).join() !== cards && !faults.includes('cards')) faults.push('cards');
  return { deal: { ...deal, table, secret, parts }, own, faults };
}

/** Whether the first position, or the first dealer, is the one that was drawn. */
async function startsRight(
  seed: Uint8Array<ArrayBuffer>,
  first: number | null,
  record: string,
  draw: (seed: bigint) => Promise<string>,
): Promise<boolean> {
  const tag = (name: string, text = record): number =>
    Number(new RegExp(`^\\[${name} "(\\d+)"\\]$`, 'm').exec(text)?.[1]);
  const [dealer, players] = [tag('Dealer'), tag('Players')];
  for (let attempt = 0; attempt < TRIED; attempt++) {
    const number = new DataView((await keyed(seed, `start ${attempt}`)).buffer).getUint32(28) & 0x7fffffff;
    if (Number.isNaN(dealer)) {
      const drawn = await draw(BigInt(number));
      if (first === null || (tag('First', drawn) || 0) === first)
        return (drawn.match(START) ?? []).every((line) => record.includes(line));
    } else {
      const drawn = new Chance(BigInt(number)).below(players);
      if (first === null || drawn === first) return drawn === dealer;
    }
  }
  return false;
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

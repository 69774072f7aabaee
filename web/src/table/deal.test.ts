import { beforeEach, describe, expect, it, vi } from 'vitest';
import { partFor, release } from './deal';
import { check } from './dealCheck';

/** As `ekoes.tables.deals` draws them from a secret of the bytes 0 … 31 and one part of two. */
const SECRET = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const COMMITMENT = '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd';
const PART = 'a'.repeat(32);
const DEAL = { commitment: COMMITMENT, table: 'table', secret: SECRET, parts: `${PART} -` };
const CARDS =
  '39,93,31,33,1,12,77,24,8,21,71,22,42,94,89,86,65,78,87,27,85,30,49,72,59,26,51,95,9,52,62,83,64,28,53,44,70,63,67,50,3,91,4,13,10,60,47,2,43,46,16,19,92,69,90,74,38,29,68,96,58,15,61,5,41,11,76,18,98,34,7,81,45,36,54,40,84,48,6,57,14,25,79,20,23,32,88,66,17,55,37,73,82,75,80,97,56,35';
const RECORD = `[Game "ekko"]\n[Players "2"]\n[Dealer "1"]\n\n1. table: deal:${CARDS}\n`;

/** The record of a first position that says from what it was drawn. */
const draw = async (seed: bigint): Promise<string> =>
  `[Game "eko"]\n[Rules "9"]\n[Tiles "A,${seed},0,0"]\n[Discs0 "c5E"]\n`;

const faults = async (deal: Partial<typeof DEAL> & { first?: number } = {}, record = RECORD, id = 'table') =>
  (await check(id, { ...DEAL, ...deal }, record, draw))?.faults;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

describe('a deal that is checked', () => {
  it('is fair if dealer and cards follow from the parts', async () => {
    expect(await faults()).toEqual([]);
    expect(await check('table', { commitment: COMMITMENT }, RECORD, draw)).toBeNull();
  });

  it('names the fault of a changed card, secret, part, table and dealer', async () => {
    expect(await faults({}, RECORD.replace('39,93', '93,39'))).toEqual(['cards']);
    expect(await faults({}, RECORD.replace('Dealer "1"', 'Dealer "0"'))).toEqual(['start']);
    expect(await faults({ secret: SECRET.replace('00', '01') })).toContain('commitment');
    expect(await faults({ parts: `- ${PART}` })).toContain('cards');
    expect(await faults({}, RECORD, 'other')).toEqual(['part']);
  });

  it('tries the start of a rematch until the right player deals, and draws a board again', async () => {
    expect(await faults({ first: 0 }, RECORD.replace('Dealer "1"', 'Dealer "0"'))).toEqual([]);
    const board = '[Game "eko"]\n[Rules "1"]\n[Tiles "A,1431676096,0,0"]\n[Discs0 "c5E"]\n';
    expect(await faults({}, board)).toEqual([]);
    expect(await faults({}, board.replace('96,', '97,'))).toEqual(['start']);
    expect(await faults({}, board.replace('c5E', 'c6E'))).toEqual(['start']);
    expect(await faults({ first: 0 }, board)).toEqual([]);
  });

  it('has this browser’s part, which it gives once it knows the promise', async () => {
    const answer = vi.fn(async () => Response.json({ commitment: COMMITMENT }));
    vi.stubGlobal('fetch', answer);
    const part = await partFor('table', 0);
    expect(part).toMatch(/^[0-9a-f]{32}$/);
    expect(await partFor('table', 0)).toBe(part);
    expect(answer).toHaveBeenCalledTimes(1);
    expect(await faults()).toEqual(['part']);
    expect(await faults({ commitment: 'f'.repeat(64) })).toEqual(['commitment', 'part']);

    release('table');
    expect(await faults()).toEqual([]);
    expect((await check('table', DEAL, RECORD, draw))?.own).toBeNull();
    expect((await check('table', { ...DEAL, parts: `${part} -` }, RECORD, draw))?.own?.part).toBe(part);
    expect(await faults({ commitment: 'f'.repeat(64) })).toEqual(['commitment']);
    expect(await partFor('table', 0)).toBe(part);
    expect(await faults()).toEqual(['part']);
  });
});

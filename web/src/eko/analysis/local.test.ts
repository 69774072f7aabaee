import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Port } from '../../engine/analysis';
import records from '../../engine/eko/records.json';
import { type Answer, Searcher } from '../../engine/searcher';
import { moduleOf } from '../../engine/testing';
import { Refused } from '../../net/api';
import type { Evaluation } from '../../table/analysis/engine.svelte';
import type { TreeNode } from '../../table/analysis/tree';
import { startEngine } from '../engine';
import { RULES } from './local';

startEngine(moduleOf('eko'));
const [{ text: TREE }, { text: LIMITED }, { text: DRAWN }] = records as unknown as [
  { text: string },
  { text: string },
  { text: string },
];
const GAME = readFileSync(new URL('../../../../tests/golden/games/two-greedy.txt', import.meta.url), 'utf8');
const written = (tree: readonly TreeNode[]) =>
  tree.map(({ entry, ...node }) => ({ ...node, ...(entry && { notation: entry.notation }) }));

describe('an analysis board', () => {
  it.each([TREE, LIMITED, DRAWN, GAME])('reads a record with its variations and writes the same', async (record) => {
    const { tree } = await RULES.open(record);
    expect(await RULES.write({ record, tree: written(tree) })).toBe(record);
  });

  it('has the line as a record, with the times and the result of the game as far as they hold', async () => {
    const { tree } = await RULES.open(TREE);
    const { record, table } = await RULES.play({ record: TREE });
    expect((await RULES.open(TREE)).record).toBe(record);
    expect(record).toContain('0. seat 0: swap:b7{1.25}\n0. seat 1: swap:b9\n1. seat 0: b7>c7');
    expect(record).not.toContain(';');
    expect([table.seats.map(({ name, yours }) => [name, yours]), table.options]).toEqual([
      [
        ['Zoë', true],
        ['', true],
      ],
      { players: 2, variants: [], setup: 'standard', seed: 7 },
    ]);
    expect(tree.map(({ entry }) => entry?.notation)).toEqual([
      undefined,
      'swap:b7',
      'swap:b9',
      'swap:b6',
      'b7>c7',
      'b6>c5',
      'a6>b7',
    ]);
    const other = tree[3]!.entry!;
    const side = await RULES.play({ record: TREE, after: 1, decisions: [{ seat: other.seat, action: other.action }] });
    expect([side.record.split('\n').slice(-5), side.table.log.length]).toEqual([
      ['0. seat 0: swap:b7{1.25}', '0. seat 1: swap:b6', '', 'result: open', ''],
      2,
    ]);
    expect((await RULES.open(DRAWN)).record).toContain('result: nobody by agreement');
    expect((await RULES.play({ record: GAME, after: 3 })).record).toContain('result: open');
  });

  it('says what is wrong with a record, with its line', async () => {
    const refused = await RULES.open(TREE.replace('b7>c7', 'b7>b7')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect([(refused as Refused).code, (refused as Refused).message]).toEqual([
      'record',
      expect.stringMatching(/^line 26: 'b7>b7': E5\.1/),
    ]);
  });

  it('has the server draw a start that is given by its seed', async () => {
    const answer = { record: LIMITED, n: 0 };
    const asked = vi.fn((_path: string) => Promise.resolve(Response.json(answer)));
    vi.stubGlobal('fetch', asked);
    const short = '[Game "eko"]\n[Format "1"]\n[Players "2"]\n[Seed "5"]\n\nresult: open\n';
    expect((await RULES.open(short)).record).toBe(LIMITED);
    expect(asked.mock.calls.map(([path]) => path)).toEqual(['/api/eko/analysis']);
    vi.unstubAllGlobals();
  });

  it('is evaluated by workers of the page, with variations that can be played on', async () => {
    const port: Port = {
      onmessage: null,
      postMessage: (request) => searcher.handle(request),
      terminate: () => searcher.close(),
    };
    const searcher = new Searcher((data) => port.onmessage?.({ data } as MessageEvent<Answer>));
    // biome-ignore lint/complexity/useArrowFunction: it is called with `new`
    vi.stubGlobal('Worker', function () {
      return port;
    });
    vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
    const search = readFileSync(new URL('../../engine/search.wasm', import.meta.url));
    const headers = { 'content-type': 'application/wasm' };
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(search, { headers })));
    const abort = new AbortController();
    const found = await new Promise<Evaluation>(
      (resolve) => void RULES.evaluate({ record: TREE }, resolve, abort.signal),
    );
    abort.abort();
    vi.unstubAllGlobals();
    expect(found.value.reduce((sum, one) => sum + one)).toBeCloseTo(1);
    const entries = found.lines[0]!.entries;
    const { refusal } = await RULES.play({
      record: TREE,
      decisions: entries.map(({ seat, action }) => ({ seat, action })),
    });
    expect([refusal, entries.length > 1, entries[0]!.notation.length > 0]).toEqual([null, true, true]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import records from '../../engine/ekko/records.json';
import { Refused } from '../../net/api';
import type { Evaluation } from '../../table/analysis/engine.svelte';
import type { TreeNode } from '../../table/analysis/tree';
import { startRules } from '../testing';
import { RULES } from './local';
import type { Choice, OpenState } from './open.svelte';

startRules();
const [TREE, GAME, ...OTHERS] = records.map(({ text }) => text) as [string, string, ...string[]];
const ASKED = {
  players: 3,
  target: 25,
  pile: [12, 55, 3],
  zone: [38, 33, 67],
  hands: [[1, 20, 76], [8], [44, 90]],
  aside: [[], [17], []],
  scores: [0, 4, 11],
  turn: { round: 1, dealer: 2, player: 2, last: 1, phase: 'mirror', asked: 0 },
};
const START = `[Game "ekko"]\n[Format "1"]\n[Position ${JSON.stringify(JSON.stringify({ game: 'ekko', version: 1, ...ASKED }))}]\n\nresult: open\n`;
const written = (tree: readonly TreeNode[]) =>
  tree.map(({ entry, ...node }) => ({ ...node, ...(entry && { notation: entry.notation }) }));

/** The table after decisions, and its state. */
async function after(record: string, decisions: readonly object[] = []) {
  const { refusal, table, record: line } = await RULES.play({ record, decisions: decisions as never });
  return { refusal, table, line, state: table.state as unknown as OpenState };
}
const sent = ({ seat, action }: Pick<Choice, 'seat' | 'action'>) => ({ seat, action });

describe('an analysis board of EKKO', () => {
  it.each([TREE, GAME, ...OTHERS])('reads a record with its variations and writes the same', async (record) => {
    const { tree } = await RULES.open(record);
    expect(await RULES.write({ record, tree: written(tree) })).toBe(record);
  });

  it('shows a position with all hands, and asks the holder of the mirror first', async () => {
    const { state, table } = await after(START);
    expect(state.choices.map(({ seat, notation }) => [seat, notation])).toEqual([
      [0, '76/-1'],
      [0, '76/-20'],
      [0, '76/+'],
      [0, 'pass'],
    ]);
    expect(state.position).toEqual({
      ...{
        game: 'ekko',
        version: 1,
        players: 3,
        target: 25,
        pile: 3,
        zone: [38, 33, 67],
        sizes: [3, 1, 2],
        set_aside: [0, 1, 0],
        scores: [0, 4, 11],
      },
      ...{ drew: [], turn: { round: 1, dealer: 2, player: 2, last: 1, phase: 'play' } },
    });
    expect([state.stage, state.rounds, state.hands]).toEqual([
      'race',
      [],
      {
        0: { hand: [1, 20, 76], blocked: [], aside: [] },
        1: { hand: [8], blocked: [], aside: [17] },
        2: { hand: [44, 90], blocked: [], aside: [] },
      },
    ]);
    expect(table.seats.map(({ yours }) => yours)).toEqual([true, true, true]);
  });

  it('plays a variation, with who drew, and refuses what is not legal by its rule', async () => {
    const mirror = { seat: 0, action: { type: 'mirror', card: 76, effect: 'draw' } };
    const { table, line } = await after(START, [mirror]);
    expect(table.log).toEqual([
      {
        n: 1,
        at: 0,
        turn: 1,
        round: 1,
        seat: 0,
        action: mirror.action,
        verdict: 'mirror',
        notation: '76/+',
        on: 67,
        draws: [
          [1, 1],
          [2, 1],
        ],
      },
    ]);
    expect(line).toContain('1. seat 0: 76/+\n');
    const wrong = await after(START, [
      { seat: 0, action: { type: 'pass' } },
      { seat: 2, action: { type: 'play', card: 44 } },
    ]);
    expect([wrong.refusal?.rule, wrong.refusal?.refusal, wrong.table.log.length]).toEqual(['K2.1', 'too-low', 1]);
    await expect(after(START, [{ seat: 2, action: { type: 'play', card: 44 } }, mirror])).rejects.toThrow('K6.1');
  });

  it('ends a round with its points, and deals the next one as often as the reader wants', async () => {
    const { record } = await RULES.open(TREE);
    const [head] = record.split(/^2\. /m);
    const { state } = await after(`${head}\nresult: open\n`);
    expect(state.rounds).toEqual([
      { dealer: 0, points: [0, 1, 1], sizes: [0, 1, 1], totals: [0, 1, 1], reason: 'last-card', by: 0 },
    ]);
    const [deal] = state.choices as [Choice];
    expect([deal.seat, deal.verdict, new Set((deal.action as unknown as { order: number[] }).order).size]).toEqual([
      -1,
      'deal',
      98,
    ]);
    const dealt = await after(`${head}\nresult: open\n`, [sent(deal)]);
    expect([dealt.refusal, dealt.state.position.turn.round, dealt.table.log.at(-1)]).toEqual([
      null,
      2,
      expect.objectContaining({ notation: deal.notation, seat: -1 }),
    ]);
    expect(dealt.table.log.at(-1)).not.toHaveProperty('draws');
    const [again] = (await after(`${head}\nresult: open\n`)).state.choices as [Choice];
    expect(again.notation).not.toBe(deal.notation);
  });

  it('says what is wrong with a record, with its line', async () => {
    const refused = await RULES.open(TREE.replace('seat 2: 74', 'seat 2: 1')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect([(refused as Refused).code, (refused as Refused).message]).toEqual([
      'record',
      expect.stringMatching(/^line 20: '1': K2\.1/),
    ]);
  });

  it('is valued by a worker of the page: every card, and each chance, until more would not help', async () => {
    const found = await new Promise<Evaluation>((resolve) => {
      const take = (one: Evaluation): void => void (one.final && resolve(one));
      void RULES.evaluate({ record: START }, take, new AbortController().signal);
    });
    for (const chances of [found.value, found.round!]) expect(chances.reduce((sum, one) => sum + one)).toBeCloseTo(1);
    const points = new Map(found.lines.map(({ entries, points }) => [entries[0]!.notation, points!]));
    expect(new Set(points.keys())).toEqual(new Set(['76/-1', '76/-20', '76/+', 'pass']));
    expect(points.get('pass')).toBe(Math.min(...points.values()));
  });

  it('is valued no more after the signal', async () => {
    const abort = new AbortController();
    const take = vi.fn(() => abort.abort());
    await RULES.evaluate({ record: START }, take, abort.signal);
    expect(take).toHaveBeenCalledOnce();
  });

  it('has the server make a sequence of a live game', async () => {
    const live = readFileSync(
      new URL('../../../../tests/golden/ekko/games/live-four-players-to-12.txt', import.meta.url),
      'utf8',
    );
    const asked = vi.fn((_path: string) => Promise.resolve(Response.json({ record: GAME, n: 3 })));
    vi.stubGlobal('fetch', asked);
    expect((await RULES.open(live)).record).toBe(GAME);
    expect(asked.mock.calls.map(([path]) => path)).toEqual(['/api/ekko/analysis']);
    vi.unstubAllGlobals();
  });
});

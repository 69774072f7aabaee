import { afterEach, describe, expect, it } from 'vitest';
import networks from '../../../src/ekoes/games/eko/bots/network.json';
import { Analysis, type Evaluation, merged, type Port } from './analysis';
import type { Action } from './eko/action';
import type { PositionJson } from './eko/position';
import type { Info, Level } from './eko/search';
import searches from './eko/searches.json';
import { Searcher } from './searcher';
import { moduleOf } from './testing';

const modules = { rules: moduleOf('eko'), search: moduleOf('search') };
const [{ position, word, bots }] = searches as unknown as [
  { position: PositionJson; word: string; bots: Record<Level, Action> },
];

/** A worker in this thread. */
function port(): Port {
  const searcher = new Searcher((data) => queueMicrotask(() => one.onmessage?.(new MessageEvent('message', { data }))));
  const one: Port = {
    onmessage: null,
    postMessage: (request) => queueMicrotask(() => searcher.handle(request)),
    terminate: () => searcher.close(),
  };
  return one;
}

let analysis: Analysis | undefined;
afterEach(() => analysis?.close());
const begin = (): Analysis => (analysis = new Analysis(modules, networks, port));
const ended = (of: Analysis, workers: number): Promise<Evaluation> =>
  new Promise((resolve) =>
    of.search({ position }, { workers, seconds: 0.1, lines: 2 }, (found) => found.final && resolve(found)),
  );

describe('an analysis', () => {
  it('adds up what its workers have found', async () => {
    const found = await ended(begin(), 2);
    expect(found.lines.length).toBe(2);
    expect(found.lines[0]!.iterations).toBeGreaterThanOrEqual(found.lines[1]!.iterations);
    expect(found.value.reduce((sum, one) => sum + one)).toBeCloseTo(1, 5);
    expect(found.iterations).toBeGreaterThan(found.lines[0]!.iterations);
  });

  it('gives way to the next request', async () => {
    const one = begin();
    const early: Evaluation[] = [];
    one.search({ position }, { seconds: 1000, lines: 1 }, (found) => early.push(found));
    expect(await one.choose({ position }, 'skilled', BigInt(word))).toEqual(bots.skilled);
    expect(early.filter(({ final }) => final)).toEqual([]);
    expect((await ended(one, 1)).final).toBe(true);
  });

  it('ends with its signal', async () => {
    const abort = new AbortController();
    const chosen = begin().choose({ position }, 'master', 1n, abort.signal);
    abort.abort();
    await expect(chosen).rejects.toThrow('abort');
  });
});

describe('findings of several searches', () => {
  const [one, other] = [{ type: 'end' }, { type: 'march' }] as const;
  const line = (action: Action, iterations: number, win: number) => ({
    actions: [action],
    iterations,
    value: [win, 1 - win],
  });
  const info = (iterations: number, win: number, ...lines: Info['lines']): Info => ({
    value: [win, 1 - win],
    iterations,
    depth: iterations,
    lines,
  });

  it('are averages by iterations, the most visited variation first', () => {
    const found = merged(
      [info(10, 0.5, line(one, 6, 0.5), line(other, 4, 0.25)), info(30, 0.7, line(other, 28, 0.75), line(one, 2, 0.1))],
      2,
    );
    expect(found).toEqual({
      value: [expect.closeTo(0.65), expect.closeTo(0.35)],
      iterations: 40,
      depth: 30,
      lines: [line(other, 32, 0.6875), { ...line(one, 8, 0.4), value: [expect.closeTo(0.4), expect.closeTo(0.6)] }],
    });
  });

  it('are those of a proof', () => {
    const win = { ...line(one, 2, 1), proven: true as const };
    const found = merged([info(90, 0.4, line(other, 80, 0.4)), info(3, 1, win)], 1);
    expect([found.value, found.lines]).toEqual([[1, 0], [win]]);
  });
});

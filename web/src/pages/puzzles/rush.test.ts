import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PuzzlePlayed } from '../../net/protocol';
import { entryOf } from '../../table/games';
import { emptyStorage, FakeTable, soloMessage } from '../../table/testing';
import { noteReached, Rush, RushCount, reachedIn } from './rush.svelte';

const MINUTE = 60_000;
const asked: string[] = [];
emptyStorage();

/** Of every puzzle `left` is right, and `on` leads on. */
function played(decisions: readonly { to: string }[]): PuzzlePlayed {
  const to = decisions.at(-1)?.to;
  const verdict = to === 'left' ? 'right' : to === undefined || to === 'on' ? 'open' : 'wrong';
  return { verdict, refusal: null, table: soloMessage('aa', decisions.length) };
}
Object.assign(entryOf('eko')!, { puzzle: () => Promise.resolve({ puzzleOf: () => played }) });

let names: string[] = [];
vi.stubGlobal('fetch', (path: string) => {
  asked.push(path);
  const answer = path.includes('/rush')
    ? { puzzles: names }
    : { id: path.split('/').at(-1), theme: 'win', rating: {}, seat: 0 };
  return Promise.resolve({ ok: true, json: () => Promise.resolve(answer) });
});

beforeEach(() => {
  vi.useFakeTimers({ now: 10 * 24 * 60 * MINUTE });
  asked.length = 0;
  names = ['aa', 'bb', 'cc', 'dd', 'ee'];
});
afterEach(() => void vi.useRealTimers());

async function begun(): Promise<{ rush: Rush; decide: (to: string) => Promise<void> }> {
  const rush = new Rush('eko');
  await rush.begin();
  return {
    rush,
    decide: async (to) => {
      const puzzle = rush.puzzle!;
      if (puzzle.decisions.length === 0) puzzle.start(new FakeTable());
      await vi.advanceTimersByTimeAsync(0);
      puzzle.order({ type: 'act', seat: 0, action: { to } });
      await vi.advanceTimersByTimeAsync(1000);
    },
  };
}

it('goes from puzzle to puzzle, right or wrong, and ends with the third mistake', async () => {
  const { rush, decide } = await begun();
  const seen = [];
  for (const to of ['on', 'left', 'right', 'left', 'up', 'down']) {
    seen.push(rush.puzzle!.about.id);
    await decide(to);
  }
  expect(seen).toEqual(['aa', 'aa', 'bb', 'cc', 'dd', 'ee']);
  expect(rush.answered.map(({ isRight }) => isRight)).toEqual([true, false, true, false, false]);
  expect([rush.count!.solved, rush.count!.mistakes, rush.count!.isOver]).toEqual([2, 3, true]);
  expect(reachedIn('eko')).toMatchObject({ today: [2], best: 2 });
  expect(asked[0]).toBe('/api/eko/puzzles/rush?run=1');
  expect(new Set(asked).size).toBe(asked.length);
});

it('ends where the puzzles do, and the next one of the day is another', async () => {
  names = ['aa'];
  const { rush, decide } = await begun();
  expect(asked[0]).toBe('/api/eko/puzzles/rush?run=2');
  await decide('left');
  expect([rush.count!.solved, rush.count!.isOver, reachedIn('eko').today]).toEqual([1, true, [2, 1]]);
});

it('ends after three minutes, and what comes later counts no more', () => {
  const count = new RushCount('other');
  count.answered(true);
  vi.advanceTimersByTime(3 * MINUTE - 1000);
  expect([count.isOver, count.left]).toEqual([false, 1000]);
  vi.advanceTimersByTime(1000);
  count.answered(true);
  expect([count.isOver, count.solved, reachedIn('other').best]).toEqual([true, 1, 1]);
});

it('keeps the best ever, and of a day no longer than that', () => {
  noteReached('third', 7, Date.now());
  expect(reachedIn('third')).toMatchObject({ today: [7], best: 7 });
  expect(reachedIn('third', Date.now() + 24 * 60 * MINUTE)).toMatchObject({ today: [], best: 7 });
});

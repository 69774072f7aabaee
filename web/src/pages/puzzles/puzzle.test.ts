import { expect, it, vi } from 'vitest';
import { loadAccount } from '../../net/account.svelte';
import type { PuzzlePlayed } from '../../net/protocol';
import type { PuzzleAnswered } from '../../protocol/messages';
import { entryOf } from '../../table/games';
import { RETRY } from '../../table/localTable.svelte';
import { emptyStorage, FakeTable, soloMessage } from '../../table/testing';
import { Puzzle } from './puzzle.svelte';
import { accountOf, noteSolved, progressOf, streakOf } from './solved.svelte';

vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });
const RATING = { rating: 1500, deviation: 250, provisional: true };
const GAINED = { ...RATING, rating: 1540 };
const asked: [path: string, body: unknown][] = [];
const answers: Record<string, object> = {
  '/api/account': { name: 'Ada' },
  '/api/eko/puzzles/daily': { id: 'aa' },
  '/api/eko/puzzles/solved': { ...RATING, answers: 0, solved: 1, streak: 1, daily: true },
  '/api/eko/puzzles/progress': { ...GAINED, answers: 1, solved: 2, streak: 1, daily: true },
};
emptyStorage();

const SOLUTION = ['left', 'right'].map((to) => ({ notation: to, action: { to } }));
type Decisions = readonly { to: string }[];
/** Two decisions solve it: to the left, then to the right. */
function verdictOn(decisions: Decisions): PuzzlePlayed['verdict'] {
  const right = decisions.every(({ to }, n) => to === SOLUTION[n]?.action.to);
  return !right ? 'wrong' : decisions.length === 2 ? 'right' : 'open';
}
function played(decisions: Decisions): PuzzlePlayed {
  const verdict = verdictOn(decisions);
  const table = soloMessage('aa', decisions.length - (verdict === 'wrong' ? 1 : 0));
  return { verdict, refusal: null, table: { ...table, log: decisions.map(({ to }) => ({ notation: to }) as never) } };
}
Object.assign(entryOf('eko')!, { puzzle: () => Promise.resolve({ puzzleOf: () => played }) });

function answered(
  id: string,
  { decisions, gives_up = false }: { decisions: Decisions; gives_up?: boolean },
): PuzzleAnswered {
  const verdict = verdictOn(decisions);
  const rated = id === 'dd' && verdict === 'right' ? { before: RATING, after: GAINED } : null;
  return { verdict, rated, solution: gives_up || verdict === 'right' ? SOLUTION : null };
}
let isConnected = true;
vi.stubGlobal('fetch', (path: string, { body }: { body?: string } = {}) => {
  const parsed = body === undefined ? null : JSON.parse(body);
  if (!isConnected) return Promise.reject(new TypeError('away'));
  asked.push([path, parsed]);
  const [, id] = /puzzles\/(\w\w)$/.exec(path) ?? [];
  const missing = id === 'cc' && { code: 'puzzle/not-found' };
  const answer =
    id === undefined ? answers[path] : parsed ? answered(id, parsed) : { id, theme: 'win', rating: RATING, seat: 0 };
  return Promise.resolve({ ok: !missing, json: () => Promise.resolve(missing || answer) });
});
const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

async function opened(id: string): Promise<{ puzzle: Puzzle; decide: (to: string) => Promise<void> }> {
  const puzzle = new Puzzle('eko', id);
  puzzle.start(new FakeTable());
  await settle();
  return {
    puzzle,
    decide: async (to) => {
      puzzle.order({ type: 'act', seat: 0, action: { to } });
      await settle();
    },
  };
}

it('takes a wrong decision back, and is solved by the right ones', async () => {
  const { puzzle, decide } = await opened('aa');
  await decide('right');
  expect([puzzle.verdict, puzzle.decisions.length]).toEqual(['wrong', 0]);
  await decide('left');
  expect([puzzle.verdict, puzzle.decisions.length]).toEqual(['open', 1]);
  await decide('right');
  expect([puzzle.verdict, puzzle.open]).toEqual(['right', false]);
  await settle();
  expect([progressOf('eko').solved, streakOf('eko')]).toEqual([['aa'], 1]);
});

it('asks the server nothing but to rate what was wrong and what was right, each once', async () => {
  const { puzzle, decide } = await opened('ee');
  for (const to of ['right', 'up', 'left', 'up', 'right']) await decide(to);
  await puzzle.again();
  for (const to of ['left', 'right']) await decide(to);
  const sent = asked
    .filter(([path, body]) => path.endsWith('/ee') && body)
    .map(([, body]) => (body as { decisions: Decisions }).decisions.map(({ to }) => to));
  expect(sent).toEqual([['right'], ['left', 'right']]);
});

it('goes on without a server, which learns of the answers when it is back', async () => {
  const { puzzle, decide } = await opened('ff');
  isConnected = false;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const passes = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);
  for (const to of ['up', 'left', 'right']) {
    void decide(to);
    await passes(1);
  }
  expect([puzzle.verdict, puzzle.lost, progressOf('eko').solved.includes('ff')]).toEqual(['right', false, true]);
  isConnected = true;
  await passes(RETRY);
  vi.useRealTimers();
  const sent = asked
    .filter(([path, body]) => path.endsWith('/ff') && body)
    .map(([, body]) => (body as { decisions: Decisions }).decisions.length);
  expect(sent).toEqual([1, 2]);
});

it('shows the solution, which solves nothing', async () => {
  const { puzzle, decide } = await opened('bb');
  await decide('left');
  vi.useFakeTimers();
  const shown = puzzle.showSolution();
  await vi.runAllTimersAsync();
  await shown;
  vi.useRealTimers();
  expect([puzzle.verdict, puzzle.gaveUp, puzzle.decisions.length]).toEqual(['right', true, 2]);
  expect(progressOf('eko').solved).not.toContain('bb');
});

it('does not ask again for a puzzle that does not exist', async () => {
  const { puzzle } = await opened('cc');
  expect([puzzle.missing, puzzle.lost, asked.filter(([path]) => path.endsWith('/cc')).length]).toEqual([
    true,
    false,
    1,
  ]);
});

it('counts days in a row, each once', () => {
  const day = 86_400_000;
  const solve = (n: number): void => noteSolved('other', `p${n}`, true, n * day);
  for (const n of [10, 11, 11, 12]) solve(n);
  expect([streakOf('other', 12 * day), streakOf('other', 13 * day), streakOf('other', 14 * day)]).toEqual([3, 3, 0]);
  solve(14);
  expect(streakOf('other', 14 * day)).toBe(1);
});

it('gives what a guest has solved to the account, and asks the server from then on', async () => {
  expect(progressOf('eko').solved).toEqual(['aa', 'ee', 'ff']);
  await loadAccount();
  const { puzzle, decide } = await opened('dd');
  await decide('left');
  await decide('right');
  await settle();
  expect(asked.find(([path]) => path === '/api/eko/puzzles/solved')?.[1]).toEqual({
    solved: ['aa', 'ee', 'ff'],
    streak: 1,
    today: true,
  });
  expect([puzzle.rated?.after.rating, accountOf('eko')?.solved, progressOf('eko').solved]).toEqual([1540, 1, []]);
});

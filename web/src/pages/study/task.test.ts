import { afterAll, expect, it, vi } from 'vitest';
import { entryOf } from '../../table/games';
import type { Played } from '../../table/tasks';
import { FakeTable, soloMessage } from '../../table/testing';
import { Task } from './task.svelte';

vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });

const WORDS = { en: { title: 'Attack', text: 'Attack.', done: 'Well done.' } };
const table = (version: number): Played['table'] => soloMessage('attack', version);
const played = (result: Played['result'], taken: number, more: Partial<Played> = {}): Played => ({
  result,
  taken,
  says: null,
  refusal: null,
  table: table(taken),
  ...more,
});
/** One move wins, one is refused, one leads elsewhere. */
function answer(decisions: readonly { to: string }[]): Played {
  const latest = decisions.at(-1)?.to;
  if (latest === 'weak')
    return played('open', decisions.length - 1, {
      refusal: { code: 'action/illegal', rule: 'E5.3', refusal: 'too-weak', message: 'no' },
    });
  if (latest === 'elsewhere') return played('open', decisions.length - 1, { says: { en: 'Not here.' } });
  return played(latest ? 'reached' : 'open', decisions.length);
}
const fetched = vi.fn(() =>
  Promise.resolve({ ok: true, json: () => Promise.resolve({ marks: ['1,0'], seat: 0, words: WORDS }) }),
);
vi.stubGlobal('fetch', fetched);
const SOURCE = { about: '/api/lessons/ekko/attack', reached: vi.fn() };
const entry = entryOf('ekko')!;
const { task: own } = entry;
Object.assign(entry, { task: () => Promise.resolve({ taskOf: () => answer }) });
afterAll(() => {
  Object.assign(entry, { task: own });
});

async function opened(): Promise<{
  task: Task;
  table: FakeTable;
  send: (type: string, to?: string) => Promise<void>;
}> {
  const task = new Task('ekko', 'attack', SOURCE);
  const table = new FakeTable();
  task.start(table);
  const settle = (): Promise<void> => new Promise((done) => setTimeout(done));
  await settle();
  return {
    task,
    table,
    send: async (type, to) => {
      task.order({ type, ...(to && { action: { to } }) });
      await settle();
    },
  };
}

it('begins with its table', async () => {
  const { task, table } = await opened();
  expect(table.shown).toEqual([[0, false]]);
  expect([task.title, task.text, task.marks]).toEqual(['Attack', 'Attack.', ['1,0']]);
});

it('shows what follows a decision, and reports that the goal is reached', async () => {
  const { task, table, send } = await opened();
  await send('act', 'strong');
  expect(table.shown.at(-1)).toEqual([1, true]);
  expect([task.result, task.marks, task.decisions.length]).toEqual(['reached', [], 1]);
  expect(SOURCE.reached).toHaveBeenCalledOnce();
});

it('answers a refused attempt with the reason', async () => {
  const { task, table, send } = await opened();
  await send('act', 'weak');
  expect(table.refusals).toMatchObject([{ rule: 'E5.3', refusal: 'too-weak' }]);
  expect([task.decisions, table.shown.length]).toEqual([[], 1]);
});

it('shows its own comment on other decisions, until the next decision', async () => {
  const { task, table, send } = await opened();
  await send('intent', 'elsewhere');
  expect([task.says, task.decisions, table.shown.length]).toEqual([{ en: 'Not here.' }, [], 1]);
  await send('act', 'strong');
  expect(task.says).toBeNull();
});

it('has a comment of its own on a try that the rules refuse too', async () => {
  const { task, table } = await opened();
  task.tried({ to: 'elsewhere' });
  expect([task.says, task.decisions, table.shown.length]).toEqual([{ en: 'Not here.' }, [], 1]);
});

it('takes back', async () => {
  const { task, table, send } = await opened();
  await send('act', 'strong');
  await send('undo');
  expect(table.shown.at(-1)).toEqual([0, false]);
  expect([task.result, task.decisions]).toEqual(['open', []]);
});

it('reports when the server cannot be reached', async () => {
  fetched.mockRejectedValueOnce(new TypeError('away'));
  const { task } = await opened();
  expect(task.lost).toBe(true);
  task.stop(); // it would ask again in three seconds, while the tests of another file run
});

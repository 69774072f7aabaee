import { expect, it, vi } from 'vitest';
import type { TaskPlayed } from '../../protocol/messages';
import { checksum } from '../diff';
import { soloMessage } from '../testing';
import { Task } from './task.svelte';

vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });

const WORDS = { en: { title: 'Attack', text: 'Attack.', done: 'Well done.' } };
const table = (version: number): TaskPlayed['table'] => soloMessage('attack', version);
const played = (result: TaskPlayed['result'], taken: number, more: Partial<TaskPlayed> = {}): TaskPlayed => ({
  result,
  taken,
  says: null,
  refusal: null,
  table: table(taken),
  ...more,
});
/** One move wins, one is refused, one leads elsewhere. */
function answer(decisions: { to: string }[]): TaskPlayed {
  const latest = decisions.at(-1)?.to;
  if (latest === 'weak')
    return played('open', decisions.length - 1, {
      refusal: { code: 'action/illegal', rule: 'E5.3', refusal: 'too-weak', message: 'no' },
    });
  if (latest === 'elsewhere') return played('open', decisions.length - 1, { says: { en: 'Not here.' } });
  return played(latest ? 'reached' : 'open', decisions.length);
}
const fetched = vi.fn((_path: string, { body }: { body?: string }) =>
  Promise.resolve({
    ok: true,
    json: () => Promise.resolve(body ? answer(JSON.parse(body).decisions) : { marks: ['1,0'], seat: 0, words: WORDS }),
  }),
);
vi.stubGlobal('fetch', fetched);
const SOURCE = { address: '/api/lessons/ekko/attack', reached: vi.fn() };

async function opened(): Promise<{
  task: Task;
  received: Record<string, unknown>[];
  send: (message: object) => Promise<void>;
}> {
  const task = new Task('ekko', 'attack', SOURCE);
  const received: Record<string, unknown>[] = [];
  const socket = task.transport.open();
  socket.onmessage = ({ data }) => received.push(JSON.parse(data) as Record<string, unknown>);
  const settle = (): Promise<void> => new Promise((done) => setTimeout(done));
  await settle();
  return {
    task,
    received,
    send: async (message) => {
      socket.send(JSON.stringify(message));
      await settle();
    },
  };
}

it('begins with its table, where all are connected', async () => {
  const { task, received } = await opened();
  expect(received.map(({ type }) => type)).toEqual(['table']);
  expect(received[0]?.['seats']).toMatchObject([{ online: true }]);
  expect([task.title, task.text, task.marks]).toEqual(['Attack', 'Attack.', ['1,0']]);
});

it('shows a decision as an update of the table before, and reports that the goal is reached', async () => {
  const { task, received, send } = await opened();
  await send({ type: 'act', key: 'a', action: { to: 'strong' } });
  expect(received[1]).toMatchObject({
    type: 'update',
    version: 1,
    base: 0,
    check: checksum({ turn: 1 }),
    keep: 0,
    entries: [{ n: 1 }],
  });
  expect(received[2]).toEqual({ type: 'ack', key: 'a', version: 1 });
  expect([task.result, task.marks, task.decisions.length]).toEqual(['reached', [], 1]);
  expect(SOURCE.reached).toHaveBeenCalledOnce();
});

it('answers a refused attempt with the reason', async () => {
  const { task, received, send } = await opened();
  await send({ type: 'act', key: 'a', action: { to: 'weak' } });
  expect(received[1]).toMatchObject({ type: 'error', key: 'a', rule: 'E5.3', refusal: 'too-weak' });
  expect(task.decisions).toEqual([]);
});

it('shows its own comment on other decisions, until the next decision', async () => {
  const { task, received, send } = await opened();
  await send({ type: 'intent', key: 'a', action: { to: 'elsewhere' } });
  expect([task.says, task.decisions, received[1]]).toEqual([
    { en: 'Not here.' },
    [],
    { type: 'ack', key: 'a', version: 0 },
  ]);
  await send({ type: 'act', key: 'b', action: { to: 'strong' } });
  expect(task.says).toBeNull();
});

it('has a comment of its own on a try that the rules refuse too', async () => {
  const { task, received } = await opened();
  task.tried({ to: 'elsewhere' });
  await vi.waitFor(() => expect(task.says).toEqual({ en: 'Not here.' }));
  expect([task.decisions, received.length]).toEqual([[], 1]);
});

it('takes back, and reports when the server cannot be reached', async () => {
  const { task, received, send } = await opened();
  await send({ type: 'act', key: 'a', action: { to: 'strong' } });
  await send({ type: 'undo', key: 'b' });
  expect(received.slice(3).map(({ type }) => type)).toEqual(['table', 'ack']);
  expect([task.result, task.decisions]).toEqual(['open', []]);
  fetched.mockRejectedValueOnce(new TypeError('away'));
  await task.again();
  expect(task.lost).toBe(true);
});

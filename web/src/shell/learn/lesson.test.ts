import { expect, it, vi } from 'vitest';
import type { Played, Result } from './lessons.svelte';
import { checksum } from '../diff';
import { emptyStorage, soloMessage } from '../testing';
import { Lesson, type Teacher } from './lesson.svelte';

vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });
emptyStorage();

const WORDS = { en: { title: 'Attack', task: 'Attack.', done: 'Well done.', other: 'Not here.' } };
const table = (version: number): Played['table'] => soloMessage('attack', version);
const played = (result: Result, taken: number, more: Partial<Played> = {}): Played => ({ result, taken, says: null, refusal: null, table: table(taken), ...more });
/** One move wins, one is refused, one leads elsewhere. */
const teacher: Teacher = {
  about: () => Promise.resolve({ name: 'attack', chapter: 'basics', title: { en: 'Attack' }, marks: ['1,0'], seat: 0, words: WORDS }),
  play: (_game, _name, decisions) => {
    const latest = decisions.at(-1) as { to?: string } | undefined;
    if (latest?.to === 'weak') return Promise.resolve(played('open', decisions.length - 1, { refusal: { code: 'action/illegal', rule: 'E5.3', refusal: 'too-weak', message: 'no' } }));
    if (latest?.to === 'elsewhere') return Promise.resolve(played('open', decisions.length - 1, { says: 'other' }));
    return Promise.resolve(played(latest ? 'reached' : 'open', decisions.length));
  },
};

async function opened(): Promise<{ lesson: Lesson; received: Record<string, unknown>[]; send: (message: object) => Promise<void> }> {
  const lesson = new Lesson('eko', 'attack', teacher);
  const received: Record<string, unknown>[] = [];
  const socket = lesson.transport.open();
  socket.onmessage = ({ data }) => received.push(JSON.parse(data) as Record<string, unknown>);
  const settle = (): Promise<void> => new Promise((done) => setTimeout(done));
  await settle();
  return {
    lesson,
    received,
    send: async (message) => {
      socket.send(JSON.stringify(message));
      await settle();
    },
  };
}

it('begins with its table, where all are connected', async () => {
  const { lesson, received } = await opened();
  expect(received.map(({ type }) => type)).toEqual(['table']);
  expect(received[0]?.['seats']).toMatchObject([{ online: true }]);
  expect([lesson.title, lesson.task, lesson.marks]).toEqual(['Attack', 'Attack.', ['1,0']]);
});

it('shows a decision as an update of the table before, and stores what was learned', async () => {
  const { lesson, received, send } = await opened();
  await send({ type: 'act', key: 'a', action: { to: 'strong' } });
  expect(received[1]).toMatchObject({ type: 'update', version: 1, base: 0, check: checksum({ turn: 1 }), keep: 0, entries: [{ n: 1 }] });
  expect(received[2]).toEqual({ type: 'ack', key: 'a', version: 1 });
  expect([lesson.result, lesson.marks, lesson.decisions.length]).toEqual(['reached', [], 1]);
});

it('answers a refused attempt and a question with the reason', async () => {
  const { lesson, received, send } = await opened();
  await send({ type: 'act', key: 'a', action: { to: 'weak' } });
  await send({ type: 'why', key: 'b', action: { to: 'weak' } });
  expect(received[1]).toMatchObject({ type: 'error', key: 'a', rule: 'E5.3', refusal: 'too-weak' });
  expect(received[2]).toEqual({ type: 'why', key: 'b', refusal: { code: 'too-weak', rule: 'E5.3', message: 'no' } });
  expect(lesson.decisions).toEqual([]);
});

it('shows its own comment on other decisions, until the next decision', async () => {
  const { lesson, received, send } = await opened();
  await send({ type: 'intent', key: 'a', action: { to: 'elsewhere' } });
  expect([lesson.comment, lesson.decisions, received[1]]).toEqual(['Not here.', [], { type: 'ack', key: 'a', version: 0 }]);
  await send({ type: 'act', key: 'b', action: { to: 'strong' } });
  expect(lesson.comment).toBe('');
});

it('takes back, and reports when the server cannot be reached', async () => {
  const { lesson, received, send } = await opened();
  await send({ type: 'act', key: 'a', action: { to: 'strong' } });
  await send({ type: 'undo', key: 'b' });
  expect(received.slice(3).map(({ type }) => type)).toEqual(['table', 'ack']);
  expect([lesson.result, lesson.decisions]).toEqual(['open', []]);
  vi.spyOn(teacher, 'play').mockRejectedValueOnce(new Error('away'));
  await lesson.again();
  expect(lesson.lost).toBe(true);
});

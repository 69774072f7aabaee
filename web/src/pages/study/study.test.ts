import { beforeEach, expect, it, vi } from 'vitest';
import { type Chapter, Study, textOf } from './study.svelte';

const ADDRESS = '/api/studies/ab';
const chapter = (name: string, more: Partial<Chapter> = {}): Chapter => ({
  name,
  record: `game ${name}`,
  words: { en: { title: name } },
  ...more,
});
const asked = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
vi.stubGlobal('fetch', asked);

/** What was sent: method, the end of the path, body. */
const sent = (): unknown[] =>
  asked.mock.calls.map(([path, { method, body }]) => [
    method,
    path.replace(ADDRESS, ''),
    JSON.parse((body as string | undefined) ?? 'null'),
  ]);
const opened = (): Study =>
  new Study({
    id: 'ab',
    game: 'eko',
    by: null,
    yours: true,
    words: { en: { title: 'Camps' } },
    chapters: ['one', 'two', 'three'].map((name) => chapter(name)),
  });

beforeEach(() => {
  asked.mockReset();
  asked.mockImplementation(() => Promise.resolve(new Response('{}')));
});

it('moves chapters and is renamed by one request each', async () => {
  const study = opened();
  await study.move('three', -1);
  await study.rename('Towers');
  expect(study.chapters.map(({ name }) => name)).toEqual(['one', 'three', 'two']);
  expect(sent()).toEqual([
    ['PUT', '', { words: { en: { title: 'Camps' } }, order: ['one', 'three', 'two'] }],
    ['PUT', '', { words: { en: { title: 'Towers' } }, order: ['one', 'three', 'two'] }],
  ]);
});

it('stores changes one after the other, each with the whole chapter', async () => {
  const study = opened();
  const all = [
    study.write('two', 'text', 'Look.'),
    study.change('two', { record: 'longer' }),
    study.write('two', 'text', ' '),
  ];
  await Promise.all(all);
  const last = chapter('two', { record: 'longer' });
  expect(sent().at(-1)).toEqual(['PUT', '/chapters/two', last]);
  expect(asked).toHaveBeenCalledTimes(3);
  expect(study.chapters[1]).toEqual(last);
});

it('has no empty title', async () => {
  const study = opened();
  expect(await study.write('one', 'title', '  ')).toBe(false);
  await study.rename('');
  expect([study.title, textOf(study.chapters[0]!.words, 'title')]).toEqual(['Camps', { text: 'one', lang: 'en' }]);
});

it('tells the place of a chapter, and leads its owner on as a reader', () => {
  const study = opened();
  expect(study.courseOf('two', false)).toEqual({
    kind: 'study',
    number: 2,
    of: 3,
    all: '/eko/study/ab',
    next: '/eko/study/ab/three',
  });
  expect(study.courseOf('two', true).next).toBe('/eko/study/ab/three/read');
  expect(study.courseOf('three', true).next).toBeNull();
});

it('says what the server refused', async () => {
  const study = opened();
  asked.mockImplementation(() =>
    Promise.resolve(new Response('{"code": "study/other", "message": "no"}', { status: 409 })),
  );
  expect(await study.remove('one')).toBe(false);
  expect([study.request.problem, study.chapters.length]).toEqual(['no', 3]);
});

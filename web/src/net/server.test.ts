import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const answers: object[] = [];
const fetched = vi.fn(() =>
  Promise.resolve({ ok: true, json: () => Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]) }),
);

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
  fetched.mockClear();
  answers.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('follows the bots that are being prepared until all are ready, and never afterwards', async () => {
  const { loadServer, POLL, preparing } = await import('./server.svelte');
  answers.push({ preparing: ['strong', 'master'] }, { preparing: ['master'] }, { preparing: [] });
  await loadServer();
  expect(preparing()).toEqual(['strong', 'master']);
  await vi.advanceTimersByTimeAsync(POLL - 1);
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(preparing()).toEqual(['master']);
  await vi.advanceTimersByTimeAsync(POLL);
  expect(preparing()).toEqual([]);
  await vi.advanceTimersByTimeAsync(10 * POLL);
  expect(fetched).toHaveBeenCalledTimes(3);
});

it('goes on after a request that failed', async () => {
  const { loadServer, POLL, preparing } = await import('./server.svelte');
  answers.push({ preparing: ['strong'] }, { preparing: [] });
  await loadServer();
  fetched.mockRejectedValueOnce(new TypeError('offline'));
  await vi.advanceTimersByTimeAsync(POLL);
  expect(preparing()).toEqual(['strong']);
  await vi.advanceTimersByTimeAsync(POLL);
  expect(preparing()).toEqual([]);
});

it.each([[{ preparing: [] }], [{}]])('asks once where the answer is %j', async (answer) => {
  const { loadServer, POLL, preparing } = await import('./server.svelte');
  answers.push(answer);
  await loadServer();
  await vi.advanceTimersByTimeAsync(10 * POLL);
  expect(preparing()).toEqual([]);
  expect(fetched).toHaveBeenCalledTimes(1);
});

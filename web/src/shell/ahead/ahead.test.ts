import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TableMessage } from '../../protocol/messages';
import { RETRY } from '../simulated.svelte';
import { Ahead } from './ahead.svelte';

vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });

const TABLE = { type: 'table', version: 7, seats: [], log: [] } as unknown as TableMessage;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = (code: string) => ({ ok: false, json: () => Promise.resolve({ code }) });

/** Opens thinking ahead. Returns the messages to its page, and a way to close it. */
async function opened(fetched: () => Promise<unknown>): Promise<{ ahead: Ahead; received: unknown[]; close: () => void }> {
  vi.stubGlobal('fetch', fetched);
  const ahead = new Ahead('table', 0, 7);
  const received: unknown[] = [];
  const socket = ahead.transport.open();
  socket.onmessage = ({ data }) => received.push(JSON.parse(String(data)));
  await vi.advanceTimersByTimeAsync(0);
  return { ahead, received, close: () => socket.close() };
}

it('retries a busy server until the board arrives', async () => {
  const fetched = vi.fn(() => Promise.resolve<unknown>({ ok: true, json: () => Promise.resolve({ refusal: null, table: TABLE }) }));
  fetched.mockResolvedValueOnce(refused('limit/busy')).mockRejectedValueOnce(new TypeError('offline'));
  const { ahead, received } = await opened(fetched);
  expect([ahead.lost, received]).toEqual([true, []]);
  await vi.advanceTimersByTimeAsync(RETRY);
  expect([ahead.lost, received]).toEqual([true, []]);
  await vi.advanceTimersByTimeAsync(RETRY);
  expect([ahead.lost, received]).toEqual([false, [TABLE]]);
  await vi.advanceTimersByTimeAsync(10 * RETRY);
  expect(fetched).toHaveBeenCalledTimes(3);
  expect(fetched).toHaveBeenLastCalledWith('/api/tables/table/ahead', expect.objectContaining({ body: '{"version":7,"decisions":[]}' }));
});

it('stops retrying once it is closed or the real table has moved on', async () => {
  const busy = vi.fn(() => Promise.resolve(refused('limit/busy')));
  const { close } = await opened(busy);
  close();
  await vi.advanceTimersByTimeAsync(10 * RETRY);
  expect(busy).toHaveBeenCalledTimes(1);
  const stale = vi.fn(() => Promise.resolve(refused('table/stale')));
  const { ahead } = await opened(stale);
  await vi.advanceTimersByTimeAsync(10 * RETRY);
  expect(stale).toHaveBeenCalledTimes(1);
  expect([ahead.stale, ahead.lost]).toEqual([true, false]);
});
